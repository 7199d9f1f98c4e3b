"""From ``targets``, ``experiment`` and ``within`` to labels of rows: names of columns, or one label for each row.

What the labels mean is decided in the library (agon/data/experiments.h), which says the same of files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from . import _agon
from ._agon import UsageError

EXPERIMENT_OPTIONS = ("targets", "experiment", "within", "intervention")


@dataclass
class Labels:
    """The labels of rows that one option gives: ``role`` is "experiment", "targets" or "within"."""

    role: str
    name: str
    cells: list[str]

    def only(self, keep: Any) -> Labels:
        return Labels(self.role, self.name, [cell for cell, kept in zip(self.cells, keep) if kept])

    def add_to(self, builder: _agon.TableBuilder) -> None:
        code: dict[str, int] = {}
        codes = [code.setdefault(cell, len(code)) for cell in self.cells]
        builder.row_labels(self.role, self.name, np.array(codes, dtype=np.int64), list(code))


@dataclass
class Experiments:
    labels: list[Labels] = field(default_factory=list)
    targets: list[tuple[str, list[str]]] = field(default_factory=list)  # by experiment, where not said by row
    batches: bool = True
    intervention: str = "perfect"

    def only(self, keep: Any) -> Experiments:
        return Experiments([one.only(keep) for one in self.labels], self.targets, self.batches, self.intervention)

    def add_to(self, builder: _agon.TableBuilder) -> None:
        for one in self.labels:
            one.add_to(builder)
        builder.experiments(self.targets, self.batches, self.intervention)


def _is_gap(value: Any) -> bool:
    return value is None or (isinstance(value, (float, np.floating)) and np.isnan(value)) or str(value) in ("<NA>", "NaT")


def _targets(value: Any) -> list[str]:
    """What one cell or one entry of a dict says was set: a text is read as in a file."""
    if isinstance(value, str):
        return [value]
    if _is_gap(value):
        return []
    if isinstance(value, Iterable):
        return sorted(str(name) for name in value)
    raise UsageError(f"targets are names of variables, and {value!r} is not")


def _joined_targets(value: Any) -> str:
    return ";".join(_targets(value))


def _of_each(cells: Iterable[Any], text: Callable[[Any], str]) -> list[str]:
    """``text`` of every cell. Few cells differ from all others, so what a cell gave is remembered where it can be."""
    known: dict[Any, str] = {}
    out = []
    for cell in cells:
        try:
            found = known.get(cell)
        except TypeError:  # a set or a list of names
            found = text(cell)
        if found is None:
            found = known[cell] = text(cell)
        out.append(found)
    return out


def _is_vector(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, (str, Mapping))


def _by_row(option: str, value: Any, rows: int, source: str) -> list[Any]:
    if not _is_vector(value):
        raise UsageError(f"{option} must be the name of a column, or one label for each row; {value!r} is neither")
    cells = list(value)
    if len(cells) != rows:
        raise UsageError(f"{option} has {len(cells)} labels; {source} has {rows} rows")
    return cells


def _label(value: Any) -> str:
    return str(int(value)) if isinstance(value, (float, np.floating)) and float(value).is_integer() else str(value)


def _labelled(role: str, name: str, cells: Iterable[Any]) -> Labels:
    texts = []
    for row, cell in enumerate(cells, start=1):
        if _is_gap(cell):
            raise UsageError(f"{role}: row {row} has no label\n  hint: say for every row where it comes from")
        texts.append(_label(cell))
    return Labels(role, name, texts)


def column_names(options: Mapping[str, Any], known: Iterable[str]) -> list[tuple[str, str]]:
    """The columns that the options name, each with its option."""
    within = options.get("within")
    named = [("experiment", options["experiment"])] if isinstance(options.get("experiment"), str) else []
    if isinstance(options.get("targets"), str) and "experiment" not in options:
        named.append(("targets", options["targets"]))
    if isinstance(within, str):
        named += [("within", name) for name in within.split(",") if within != "none"]
    elif isinstance(within, (list, tuple)):
        there = set(known)
        if all(isinstance(name, str) and name in there for name in within):
            named += [("within", name) for name in within]
    return named


def experiments_of(options: Mapping[str, Any], taken: Callable[[str], list[Any]], known: list[str], rows: int,
                   source: str) -> Experiments | None:  # fmt: skip
    """What the options say; ``taken`` gives the cells of a column, which is then no variable."""
    if not any(option in options for option in EXPERIMENT_OPTIONS):
        return None
    out = Experiments(intervention=str(options.get("intervention", "perfect")))
    experiment, targets, within = (options.get(name) for name in ("experiment", "targets", "within"))
    if "intervention" in options and targets is None:
        raise UsageError("intervention has no effect: nothing was set\n  hint: targets says what was set where")
    columns = column_names(options, known)
    names = {option: name for option, name in columns if option != "within"}
    if experiment is not None:
        cells = taken(names["experiment"]) if "experiment" in names else _by_row("experiment", experiment, rows, source)
        out.labels.append(_labelled("experiment", names.get("experiment", "experiment"), cells))
    if isinstance(targets, Mapping):
        if experiment is None:
            raise UsageError(
                "targets by label need the labels of the rows\n"
                "  hint: experiment= says which experiment each row is from"
            )
        out.targets = [(_label(label), _targets(value)) for label, value in targets.items()]
    elif isinstance(targets, str) and experiment is not None:
        out.targets = _agon.read_targets(targets)
    elif targets is not None:
        cells = taken(names["targets"]) if "targets" in names else _by_row("targets", targets, rows, source)
        out.labels.append(Labels("targets", names.get("targets", "targets"), _of_each(cells, _joined_targets)))
    if isinstance(within, str) and within == "none":
        out.batches = False
        if not out.labels:
            raise UsageError("within=\"none\" has no effect: there are no experiments")
    elif any(option == "within" for option, _ in columns):
        out.labels += [_labelled("within", name, taken(name)) for option, name in columns if option == "within"]
    elif isinstance(within, Mapping):
        for name, cells in within.items():
            out.labels.append(_labelled("within", str(name), _by_row("within", cells, rows, source)))
    elif within is not None:
        out.labels.append(_labelled("within", "within", _by_row("within", within, rows, source)))
    return out


def refuse_vectors(options: Mapping[str, Any], path: str) -> None:
    """A file has columns for what a table in memory may be given as labels."""
    for name in ("targets", "experiment", "within"):
        value = options.get(name, "")
        is_names = isinstance(value, (list, tuple)) and name == "within" and all(isinstance(one, str) for one in value)
        if not isinstance(value, str) and not is_names:
            raise UsageError(f"{name} must be the name of a column of {path}")
