"""Tables of any length, reduced to sums where they are: files, Parquet folders, DuckDB, Dask, Spark.

Kinds of columns are judged once, by the first rows, and hold for all parts; then every part becomes a
:class:`agon.Summary`, and the sums are added up in a tree.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from . import _agon
from ._agon import InputError, Summary, UsageError
from ._experiments import EXPERIMENT_OPTIONS
from ._table import as_options, table

SAMPLE = 10_000  # rows that tell the kinds, as for files
BATCH = 1 << 16
WIDEST = 300  # columns, from which on DuckDB streams its rows: the products would make too long a query
MOST_LEVELS = 255


@dataclass(frozen=True)
class _Labels:
    """Columns that say which experiment a row comes from; `set` is what each of them set, a;b."""

    targets: str
    experiment: str
    within: tuple[str, ...]
    set: tuple[tuple[str, str], ...]
    soft: bool

    @property
    def columns(self) -> list[str]:
        return [name for name in (self.targets, self.experiment, *self.within) if name]


def _labels_of(options: dict[str, Any], source: str) -> _Labels | None:
    """Takes what the options say about experiments out of them."""
    given = {name: options.pop(name) for name in EXPERIMENT_OPTIONS if name in options}
    if not given:
        return None
    targets = given.get("targets", "")
    told: tuple[tuple[str, str], ...] = ()
    if isinstance(targets, Mapping):
        told = tuple((str(k), v if isinstance(v, str) else ";".join(map(str, v))) for k, v in targets.items())
        targets = ""
    within = given.get("within", [])
    for name, value in (("targets", targets), ("experiment", given.get("experiment", "")), ("within", within)):
        if not _names_columns(value):
            raise UsageError(f"{name} must name columns of {source}: the rows are not read at once")
    names = _listed(within)
    return _Labels(
        targets, given.get("experiment", ""), tuple(names), told, given.get("intervention", "perfect") == "soft"
    )


@dataclass(frozen=True)
class _Plan:
    """How every part is read: the kinds are named, and do not depend on the part."""

    reading: tuple[tuple[str, Any], ...]  # options of agon.table
    labels: _Labels | None  # which experiment a row comes from
    drop_missing: bool
    moments: bool
    parts: bool

    def summary(self, frame: Any, source: str) -> Summary | None:
        """Of a part; None for one without rows."""
        if not len(frame):
            return None
        held = table(frame, source=source, **dict(self.reading))
        how = (self.parts, self.drop_missing, self.moments)
        if self.labels is None:
            return _agon.summarize_table(held, *how)
        told = self.labels
        return _agon.summarize_labelled(
            held, *how, told.targets, told.experiment, list(told.within), list(told.set), told.soft
        )

    def text(self, frame: Any, source: str) -> str | None:
        """The same, as what can be sent between processes."""
        found = self.summary(frame, source)
        return None if found is None else found.text


def _plan(sample: Any, source: str, options: Mapping[str, Any], *, parts: bool, moments: bool) -> _Plan:
    """What the first rows say of all."""
    missing = str(options.get("missing", "auto"))
    if missing not in ("auto", "drop-rows", "error"):
        raise _needs_rows(missing)
    if not len(sample):
        raise InputError(f"{source}: there are no rows")
    reading = {name: value for name, value in options.items() if name != "missing"}
    labels = _labels_of(reading, source)
    if "counts" in reading and not isinstance(reading["counts"], str):
        raise UsageError(f"counts must name a column of {source}: the rows are not read at once")
    if labels is not None:
        reading["discrete"] = [*_listed(reading.get("discrete")), *labels.columns]
    held = table(sample, source=source, **reading)
    kinds: dict[str, list[str]] = {"categorical": [], "continuous": []}
    for name in held.names:
        if name not in held.identifiers:
            kinds[held.kind(name)].append(name)
    reading["discrete"], reading["continuous"] = kinds["categorical"], kinds["continuous"]
    reading["drop"] = [*_listed(reading.get("drop")), *held.identifiers]
    if missing == "error":
        reading["missing"] = "error"
    return _Plan(tuple(reading.items()), labels, missing == "drop-rows", moments, parts)


def _needs_rows(missing: str) -> UsageError:
    return UsageError(f'missing="{missing}" needs the rows; "drop-rows" leaves out those that have gaps')


def _listed(names: Any) -> list[str]:
    return [] if names is None else [names] if isinstance(names, str) else [str(name) for name in names]


def _names_columns(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, Sequence) and all(isinstance(name, str) for name in value))


def _added(summaries: Iterable[Summary | None], source: str) -> Summary:
    whole: Summary | None = None
    for summary in summaries:
        if summary is not None:
            whole = summary if whole is None else whole + summary
    if whole is None:
        raise InputError(f"{source}: there are no rows")
    return whole


def _added_texts(texts: Iterable[str | None]) -> str | None:
    found = [Summary.of_text(text) for text in texts if text is not None]
    return _added(found, "the parts").text if found else None


def _of_batches(frames: Iterator[Any], source: str, options: Mapping[str, Any], parts: int, moments: bool) -> Summary:
    """Of a stream of pyarrow batches. With `parts`, batch k belongs to part k modulo `parts`."""
    import pyarrow as pa

    head, rows = [], 0
    for batch in frames:
        head.append(batch)
        rows += batch.num_rows
        if rows >= SAMPLE:
            break
    if not rows:
        raise InputError(f"{source}: there are no rows")
    sample = pa.Table.from_batches(head).slice(0, SAMPLE)
    plan = _plan(sample, source, options, parts=False, moments=moments)
    sums: list[Summary | None] = [None] * max(1, parts)
    for number, batch in enumerate(chain(head, frames)):
        found = plan.summary(pa.Table.from_batches([batch]), f"{source}, batch {number + 1}")
        if found is not None:
            place = number % len(sums)
            before = sums[place]
            sums[place] = found if before is None else before + found
    return _added(_kept_apart(sums) if parts else sums, source)


def _kept_apart(sums: Iterable[Summary | None]) -> Iterator[Summary | None]:
    """Each as a part of its own."""
    for found in sums:
        if found is None:
            continue
        head, body = found.text.split("\n", 1)
        facts = json.loads(body)
        facts["keeps_parts"] = facts["form"] == "moments"
        yield _agon.summary_of_sums(json.dumps(facts))


# ---------------------------------------------------------------------------------------------- engines


def _of_dask(frame: Any, options: Mapping[str, Any], parts: bool, moments: bool) -> Summary:
    import dask

    source = "the Dask DataFrame"
    plan = _plan(frame.head(SAMPLE, npartitions=-1), source, options, parts=parts, moments=moments)
    text = dask.delayed(_text_of_partition)
    level = [text(plan, part, number) for number, part in enumerate(frame.to_delayed())]
    add = dask.delayed(_added_texts)
    while len(level) > 1:  # a tree, so that no worker holds more than a few summaries
        level = [add(level[k : k + 8]) for k in range(0, len(level), 8)]
    (whole,) = dask.compute(level[0])
    return _added([None if whole is None else Summary.of_text(whole)], source)


def _text_of_partition(plan: _Plan, part: Any, number: int) -> str | None:
    return plan.text(part, f"partition {number + 1}")


def _of_spark(frame: Any, options: Mapping[str, Any], parts: bool, moments: bool) -> Summary:
    source = "the Spark DataFrame"
    plan = _plan(frame.limit(SAMPLE).toPandas(), source, options, parts=parts, moments=moments)

    def texts(frames: Iterator[Any]) -> Iterator[Any]:
        import pandas as pd

        whole: Summary | None = None
        for pdf in frames:
            found = replace(plan, parts=False).summary(pdf, "a partition")
            if found is not None:
                whole = found if whole is None else whole + found
        if whole is not None:
            (one,) = _kept_apart([whole]) if plan.parts else (whole,)
            assert one is not None
            yield pd.DataFrame({"summary": [one.text]})

    def together(frames: Iterator[Any]) -> Iterator[Any]:
        import pandas as pd

        whole = _added_texts([text for pdf in frames for text in pdf["summary"]])
        if whole is not None:
            yield pd.DataFrame({"summary": [whole]})

    found = (
        frame.mapInPandas(texts, schema="summary string").repartition(8).mapInPandas(together, schema="summary string")
    )
    return _added((Summary.of_text(row["summary"]) for row in found.collect()), source)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _of_duckdb(relation: Any, options: Mapping[str, Any], parts: int, moments: bool) -> Summary:
    source = "the DuckDB relation"
    sample = relation.limit(SAMPLE).to_arrow_table()
    plan = _plan(sample, source, options, parts=False, moments=moments)
    reading = dict(plan.reading)
    names, categories = [*reading["discrete"], *reading["continuous"]], reading["discrete"]
    by_rows = parts or plan.drop_missing or plan.labels is not None or "counts" in reading
    if by_rows or len(names) > WIDEST:
        reader = (
            relation.to_arrow_reader(BATCH)
            if hasattr(relation, "to_arrow_reader")
            else relation.fetch_arrow_reader(BATCH)
        )
        return _of_batches(iter(reader), source, options, parts, moments)
    gaps = relation.aggregate(", ".join(f"count(*) - count({_gapless(relation, name)})" for name in names)).fetchall()[
        0
    ]
    counts = not reading["continuous"] and not moments
    for name, missing in zip(names, gaps):
        if missing and not (counts and reading.get("missing") != "error"):
            raise InputError(
                f'{source}: column "{name}" has {missing} missing cells, and sums of products have no gaps\n'
                '  hint: missing="drop-rows" leaves out the rows that have gaps'
            )
    if counts:
        return _counted(relation, names, source)
    return _moments(relation, names, categories, source)


def _gapless(relation: Any, name: str) -> str:
    """An expression that is null where a number is NaN too."""
    kind = str(relation.types[relation.columns.index(name)])
    return f"nullif({_quoted(name)}, 'nan')" if kind in ("DOUBLE", "FLOAT") else _quoted(name)


def _texts_of(relation: Any, name: str) -> dict[Any, str]:
    """The labels of a category, by what the engine returns."""
    found = [value for (value,) in relation.project(_quoted(name)).distinct().fetchall() if value is not None]
    if len(found) > MOST_LEVELS:
        raise InputError(
            f'column "{name}" has {len(found)} levels, and a summary keeps at most {MOST_LEVELS} of a category\n'
            f'  hint: drop=["{name}"] omits it; continuous=["{name}"] takes it as numbers'
        )
    return {
        value: str(int(value)) if isinstance(value, float) and value.is_integer() else str(value) for value in found
    }


def _body(columns: list[dict[str, Any]], form: str, sums: dict[str, Any]) -> Summary:
    facts = {
        "form": form,
        "columns": columns,
        "weights": "none",
        "dropped": 0,
        "keeps_parts": False,
        "experiments": [],
        "parts": [[sums]],
    }
    return _agon.summary_of_sums(json.dumps(facts))


def _sorted_labels(labels: Iterable[str]) -> list[str]:
    return _agon.in_label_order(list(labels))


def _counted(relation: Any, names: list[str], source: str) -> Summary:
    """GROUP BY all columns."""
    codes: list[dict[Any, int]] = []
    columns = []
    for name in names:
        labels = _texts_of(relation, name)
        order = _sorted_labels(set(labels.values()))
        columns.append({"name": name, "kind": "categorical", "levels": order})
        codes.append({value: order.index(label) for value, label in labels.items()})
    listed = ", ".join(map(_quoted, names))
    cells: dict[tuple[int, ...], int] = {}
    for *values, count in relation.aggregate(f"{listed}, count(*)", listed).fetchall():
        cell = tuple(-1 if value is None else code[value] for value, code in zip(values, codes))
        cells[cell] = cells.get(cell, 0) + count
    rows = sum(cells.values())
    if not rows:
        raise InputError(f"{source}: there are no rows")
    sums = {"rows": rows, "weight": rows, "squares": rows, "cells": [[*cell, count] for cell, count in cells.items()]}
    return _body(columns, "counts", sums)


def _moments(relation: Any, names: list[str], categories: list[str], source: str) -> Summary:
    """Means and covariances of numbers and of indicators, in one query."""
    columns: list[dict[str, Any]] = []
    terms = []
    for name in names:
        if name not in categories:
            columns.append({"name": name, "kind": "continuous"})
            terms.append(f"{_quoted(name)}::DOUBLE")
            continue
        labels = _texts_of(relation, name)
        order = _sorted_labels(set(labels.values()))
        columns.append({"name": name, "kind": "categorical", "levels": order})
        for label in order:
            values = [value for value, text in labels.items() if text == label]
            same = " OR ".join(
                f"{_quoted(name)} = {_literal(value) if isinstance(value, str) else value}" for value in values
            )
            terms.append(f"(CASE WHEN {same} THEN 1.0 ELSE 0.0 END)::DOUBLE")
    means = [f"avg({term})" for term in terms]
    products = [
        f"regr_sxy({a}, {b})" if a != b else f"regr_sxx({a}, {a})" for k, a in enumerate(terms) for b in terms[: k + 1]
    ]
    rows, *figures = relation.aggregate(", ".join(["count(*)", *means, *products])).fetchall()[0]
    if not rows:
        raise InputError(f"{source}: there are no rows")
    sums = {
        "rows": rows,
        "weight": rows,
        "squares": rows,
        "mean": figures[: len(terms)],
        "scatter": figures[len(terms) :],
    }
    return _body(columns, "moments", sums)


def _of_folder(path: str, options: Mapping[str, Any], parts: int, moments: bool) -> Summary:
    try:
        import pyarrow.dataset
    except ImportError:
        raise UsageError(f"{path}: Parquet is read by pyarrow\n  hint: pip install pyarrow") from None
    scanner = pyarrow.dataset.dataset(path, format="parquet").scanner(batch_size=BATCH)
    return _of_batches(iter(scanner.to_batches()), path, options, parts, moments)


def _is_parquet(path: str) -> bool:
    if os.path.isdir(path):
        return any(Path(path).rglob("*.parquet")) or any(Path(path).rglob("*.pq"))
    return path.lower().endswith((".parquet", ".pq"))


def _of_paths(paths: list[str], options: Mapping[str, Any], parts: int, moments: bool, threads: int) -> Summary:
    if any(_is_parquet(path) for path in paths):
        return _added((_of_folder(path, options, parts, moments) for path in paths), paths[0])
    return _agon.summarize_files(paths, as_options(options), parts, moments, threads)


# ---------------------------------------------------------------------------------------------- the front door


def summarize(
    source: Any,
    name: str | None = None,
    *,
    parts: int | bool = 0,
    moments: bool = False,
    threads: int = 0,
    **options: Any,
) -> Summary:
    """Reduce a table of any length to sums, where its rows are.

    ``source`` is a path or a list of paths (CSV files, summaries, Parquet files, a folder of Parquet), a pandas, polars
    or pyarrow table, a Dask DataFrame, a PySpark DataFrame, a DuckDB relation, or a DuckDB connection with the ``name``
    of a table. The rows are read once, in parts, and memory is that of the sums. Dask and Spark send each partition's
    sums; DuckDB aggregates (``GROUP BY``, ``regr_sxy``), or streams where it cannot.

    Kinds of columns are judged by the first 10,000 rows; ``discrete`` and ``continuous`` decide instead. ``drop``,
    ``counts``, ``targets``, ``experiment``, ``within`` and ``intervention`` are those of :func:`agon.table`, by names of
    columns. ``missing`` is "auto" (gaps of categories are counted, those of numbers refused), "drop-rows" or "error".

    ``parts`` keeps the sums of so many parts apart (of a Dask or Spark DataFrame: True, one per partition); 20 or more
    are what ``bootstrap`` resamples. ``moments`` sums indicators in place of distinct rows of categories.

    >>> import agon
    >>> rows = agon.datasets.load("asia", rows=1000)
    >>> summary = agon.summarize(rows)
    >>> summary.rows, summary.form
    (1000, 'counts')
    >>> abs(agon.discover(summary, moves=100).score_ - agon.discover(rows, moves=100).score_) < 1e-6
    True
    """
    options = {key: value for key, value in options.items() if value is not None}
    if isinstance(source, Summary):
        raise UsageError("this is a summary already\n  hint: add summaries with +")
    if isinstance(source, (str, os.PathLike)):
        return _of_paths([os.fspath(source)], options, int(parts), moments, threads)
    if isinstance(source, (list, tuple)) and source and all(isinstance(path, (str, os.PathLike)) for path in source):
        return _of_paths([os.fspath(path) for path in source], options, int(parts), moments, threads)
    module = type(source).__module__.partition(".")[0]
    if module in ("duckdb", "_duckdb"):
        if hasattr(source, "execute") and not hasattr(source, "aggregate"):  # a connection
            if name is None:
                raise UsageError("a DuckDB connection needs the name of a table")
            source = source.table(name)
        return _of_duckdb(source, options, int(parts), moments)
    by_engine: dict[str, Callable[[Any, Mapping[str, Any], bool, bool], Summary]] = {"pyspark": _of_spark}
    if module in ("dask", "dask_expr") and hasattr(source, "to_delayed"):
        return _of_dask(source, options, bool(parts), moments)
    if module in by_engine:
        return by_engine[module](source, options, bool(parts), moments)
    if module == "polars" and hasattr(source, "collect"):
        source = source.collect()
    missing = str(options.pop("missing", "auto"))
    if missing not in ("auto", "drop-rows", "error"):
        raise _needs_rows(missing)
    if missing == "error":
        options["missing"] = "error"
    if parts:
        if not hasattr(source, "to_arrow") and module not in ("pandas", "pyarrow"):
            raise UsageError("parts are kept of a DataFrame, an engine or files")
        return _of_slices(source, {**options, "missing": missing}, int(parts), moments)
    return _agon.summarize_table(table(source, **options), False, missing == "drop-rows", moments)


def _of_slices(frame: Any, options: Mapping[str, Any], parts: int, moments: bool) -> Summary:
    """A table in memory, in so many parts of neighbouring rows."""
    plan = _plan(frame, "the table", options, parts=True, moments=moments)
    cut = [len(frame) * k // parts for k in range(parts + 1)]
    rows = frame.iloc.__getitem__ if hasattr(frame, "iloc") else None
    pieces = (rows(slice(a, b)) if rows else frame.slice(a, b - a) for a, b in zip(cut, cut[1:]))
    return _added((plan.summary(piece, "the table") for piece in pieces), "the table")
