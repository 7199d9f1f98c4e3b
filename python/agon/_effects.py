"""What happens if: effects of a result, and what to find out next."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _agon
from ._agon import UsageError

if TYPE_CHECKING:
    import pandas

    from ._result import Result


class Answer:
    """Figures with the text of the command line: ``record`` is its JSON (docs/effects.schema.json), ``print`` its text."""

    def __init__(self, text: str, shown: str) -> None:
        #: What ``--json`` prints.
        self.record: dict[str, Any] = json.loads(text)
        self._shown = shown

    def __str__(self) -> str:
        return self._shown


class Effect(Answer):
    """How much setting one column changes another, over every graph of the class; from :meth:`Result.effect`.

    >>> import agon
    >>> agon.ges("asia", rows=2000).effect("smoke", "dysp")
    <agon.Effect of smoke on dysp: 3 possible effects>
    """

    @property
    def identified_(self) -> bool:
        """Whether every graph of the class gives the same effect.

        >>> import agon
        >>> agon.ges("asia", rows=2000).effect("either", "dysp").identified_
        True
        """
        return bool(self.record["identified"])

    @property
    def possible_(self) -> pandas.DataFrame:
        """One row per possible effect, and per level of a categorical outcome: share, of, level, effect, error, low, high,
        standardised, adjusted_for.

        >>> import agon
        >>> agon.ges("asia", rows=2000).effect("either", "dysp").possible_["level"].tolist()
        ['no', 'yes']
        """
        import pandas

        rows = []
        for entry in self.record["possible"]:
            adjusted = tuple(sorted({name for names in entry["adjustment"].values() for name in names}))
            common = {"share": entry["share"], "standardised": entry.get("standardised"), "adjusted_for": adjusted}
            if entry["none"]:
                rows.append({"of": None, "level": None, "effect": 0.0, **common, "standardised": 0.0})
            for estimate in entry.get("change", []):
                level = estimate.get("level")
                rows.append({"of": ", ".join(self.record["of"]), "level": level, **_figures(estimate), **common})
            for name, estimate in entry.get("joint", {}).items():
                rows.append({"of": name, "level": None, **_figures(estimate), **common})
        columns = ["share", "of", "level", "effect", "error", "low", "high", "standardised", "adjusted_for"]
        return pandas.DataFrame(rows, columns=columns)

    @property
    def range_(self) -> tuple[float, float]:
        """The smallest and the largest possible effect; of a category with two levels, on the second.

        >>> import agon
        >>> low, high = agon.ges("asia", rows=2000).effect("smoke", "dysp").range_
        >>> bool(low < high)
        True
        """
        values = []
        for entry in self.record["possible"]:
            change = [estimate["value"] for estimate in entry.get("change", [])]
            if entry["none"]:
                values.append(0.0)
            elif 1 <= len(change) <= 2 and None not in change:
                values.append(change[-1])
        if not values:
            raise UsageError("this effect is not a single number: possible_ holds its parts")
        return min(values), max(values)

    def __repr__(self) -> str:
        of, on, count = ", ".join(self.record["of"]), self.record["on"], len(self.record["possible"])
        what = "identified" if self.identified_ else f"{count} possible effects" if count else "not identified"
        return f"<agon.Effect of {of} on {on}: {what}>"


class NextSteps(Answer):
    """Which experiment, or which question to an expert, settles most open arrows; from :meth:`Result.next`.

    >>> import agon
    >>> agon.ges("asia", rows=2000).next()
    <agon.NextSteps: 2 open arrows>
    """

    @property
    def experiments_(self) -> pandas.DataFrame:
        """One row per variable that could be set: variable, open, least, mean, identified, span.

        >>> import agon
        >>> agon.ges("asia", rows=2000).next().experiments_["variable"].tolist()[0]
        'smoke'
        """
        import pandas

        rows = [
            {"variable": one["variable"], "open": one["open"], "least": one["settles"]["least"],
             "mean": one["settles"]["mean"], "identified": one["identified"], "span": one["span"]}
            for one in self.record["experiments"]
        ]  # fmt: skip
        return pandas.DataFrame(rows, columns=["variable", "open", "least", "mean", "identified", "span"])

    @property
    def questions_(self) -> pandas.DataFrame:
        """One row per open arrow: from, to, forward (the share of the graphs with from -> to), least, mean, identified, span.

        >>> import agon
        >>> len(agon.ges("asia", rows=2000).next().questions_)
        2
        """
        import pandas

        rows = [
            {"from": one["from"], "to": one["to"], "forward": one["forward"], "least": one["settles"]["least"],
             "mean": one["settles"]["mean"], "identified": one["identified"], "span": one["span"]}
            for one in self.record["questions"]
        ]  # fmt: skip
        return pandas.DataFrame(rows, columns=["from", "to", "forward", "least", "mean", "identified", "span"])

    @property
    def batch_(self) -> list[str]:
        """The variables to set within the budget, each in an experiment of its own.

        >>> import agon
        >>> agon.ges("asia", rows=2000).next(budget=2).batch_
        ['smoke']
        """
        return list(self.record["batch"]["variables"])

    def __repr__(self) -> str:
        return f"<agon.NextSteps: {self.record['open']} open {'marks' if self.record['pag'] else 'arrows'}>"


def _figures(estimate: dict[str, Any]) -> dict[str, Any]:
    return {"effect": estimate["value"], **{key: estimate[key] for key in ("error", "low", "high")}}


def table_of(result: Result, data: Any) -> _agon.Table:
    """The table that was searched, or ``data`` if it is given."""
    from ._table import table

    if data is not None:
        return table(data)
    if result._outcome is None:
        raise UsageError("a result that was loaded has no table\n  hint: pass it: data=...")
    return result._outcome.given


def effect(result: Result, of: str | Sequence[str], on: str, data: Any, levels: Sequence[str] | None, resample: int,
           bootstrap: int, seed: int, knowledge: Any) -> Effect:  # fmt: skip
    from ._run import statements

    causes = [of] if isinstance(of, str) else [str(name) for name in of]
    if not causes:
        raise UsageError("name at least one cause")
    if levels is not None and (isinstance(levels, str) or len(levels) != 2):
        raise UsageError("levels takes two levels: the change is from the first to the second")
    pair = [] if levels is None else [str(level) for level in levels]
    return Effect(*_agon.effect(
        result._text, table_of(result, data), causes, str(on), pair, resample, bootstrap, seed, statements(knowledge)
    ))  # fmt: skip


def effects(result: Result, on: str | None, of: str | None, data: Any) -> pandas.DataFrame:
    import pandas

    text, _ = _agon.effects(result._text, table_of(result, data), of or "", on or "")
    columns = ["of", "on", "identified", "least", "most", "nonzero", "smallest", "low", "high"]
    return pandas.DataFrame(json.loads(text)["effects"], columns=["of", "on", "known", *columns[2:]])


def next_steps(result: Result, budget: int, of: str | None, on: str | None, data: Any) -> NextSteps:
    has_table = data is not None or result._outcome is not None
    table = table_of(result, data) if has_table and of else None
    return NextSteps(*_agon.next(result._text, table, budget, of or "", on or ""))
