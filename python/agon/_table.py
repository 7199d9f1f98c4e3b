"""Turns Python data into tables of the library: pandas, polars, NumPy, pyarrow, files and names of data sets.

The dtype decides the kind of a column: floating-point numbers are continuous; whole numbers, booleans, categories and
strings are categorical. ``discrete`` and ``continuous`` name exceptions. A file is read by the library itself, with the
rule of the command line (docs/method.md).
"""

from __future__ import annotations

import copyreg
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _agon
from ._agon import InputError, Table, UsageError

DATA_OPTIONS = (
    "rows", "data-seed", "folder", "no-header", "delimiter", "quote", "comment", "na", "missing", "discrete",
    "continuous", "data-type", "drop", "exclude-var",
)  # fmt: skip


@dataclass
class _Column:
    """One column: numbers, or codes with labels (labels ``None``: the numbers are their own labels)."""

    name: str
    values: np.ndarray[Any, Any]
    categorical: bool
    labels: list[str] | None = None
    missing: np.ndarray[Any, Any] | None = None  # True where a cell is missing; None: no cell is


def _label(value: object) -> str:
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _coded(name: str, values: np.ndarray[Any, Any], missing: np.ndarray[Any, Any] | None = None) -> _Column:
    """Values of any type as categories, labelled by their text."""
    if missing is None and values.dtype == object:
        missing = np.fromiter((v is None or v != v for v in values), bool, len(values))
    texts = np.array(
        ["" if missing is not None and missing[k] else _label(v) for k, v in enumerate(values)], dtype=object
    )
    labels, codes = np.unique(texts.astype(str), return_inverse=True)
    return _Column(name, codes.astype(np.int64), True, [str(label) for label in labels], _some(missing))


def _some(missing: np.ndarray[Any, Any] | None) -> np.ndarray[Any, Any] | None:
    return missing if missing is not None and bool(missing.any()) else None


def _numeric(name: str, values: np.ndarray[Any, Any], missing: np.ndarray[Any, Any] | None = None) -> _Column:
    """A NumPy array as a column of the kind that its dtype says."""
    kind = values.dtype.kind
    if kind == "f":
        absent = np.isnan(values)
        if missing is not None:
            absent |= missing
        return _Column(name, values, False, None, _some(absent))
    if kind in "iu":
        if kind == "u" and values.dtype.itemsize == 8 and len(values) and int(values.max()) > 2**63 - 1:
            return _coded(name, values.astype(object), missing)
        return _Column(name, values, True, None, _some(missing))
    if kind == "b":
        return _Column(name, values.astype(np.int64), True, ["False", "True"], _some(missing))
    if kind in "OUS":
        return _coded(name, values.astype(object), missing)
    raise InputError(f'column "{name}": cells of type {values.dtype} are neither numbers nor categories')


def _pandas_columns(frame: Any) -> list[_Column]:
    import pandas as pd

    columns = []
    for place in range(frame.shape[1]):
        series, name = frame.iloc[:, place], str(frame.columns[place])
        dtype = series.dtype
        if isinstance(dtype, pd.CategoricalDtype):
            codes = series.cat.codes.to_numpy().astype(np.int64)
            missing = codes < 0
            codes[missing] = 0
            labels = [_label(c) for c in series.cat.categories] or [""]
            columns.append(_Column(name, codes, True, labels, _some(missing)))
        elif isinstance(dtype, np.dtype) and dtype.kind in "fiub":
            columns.append(_numeric(name, series.to_numpy()))
        elif pd.api.types.is_float_dtype(dtype):
            columns.append(_numeric(name, series.to_numpy(dtype="float64", na_value=np.nan)))
        elif pd.api.types.is_bool_dtype(dtype) or pd.api.types.is_integer_dtype(dtype):
            missing = series.isna().to_numpy()
            plain = "bool" if pd.api.types.is_bool_dtype(dtype) else "int64"
            columns.append(_numeric(name, series.fillna(0).to_numpy(dtype=plain), missing))
        elif pd.api.types.is_datetime64_any_dtype(dtype) or pd.api.types.is_timedelta64_dtype(dtype):
            raise InputError(
                f'column "{name}": a time is neither a number nor a category\n  hint: drop it, or convert it'
            )
        else:
            codes, uniques = pd.factorize(series)
            missing = codes < 0
            codes = codes.astype(np.int64)
            codes[missing] = 0
            columns.append(_Column(name, codes, True, [_label(u) for u in uniques] or [""], _some(missing)))
    return columns


def _polars_columns(frame: Any) -> list[_Column]:
    import polars as pl

    columns = []
    for series in frame.get_columns():
        name, dtype = series.name, series.dtype
        missing = _some(series.is_null().to_numpy()) if series.null_count() else None
        if dtype.is_float():
            columns.append(_numeric(name, series.to_numpy()))
        elif dtype.is_integer() or dtype == pl.Boolean:
            columns.append(_numeric(name, series.fill_null(0 if dtype.is_integer() else False).to_numpy(), missing))
        elif dtype in (pl.String, pl.Categorical, pl.Enum):
            texts = series.cast(pl.String)
            labels = texts.drop_nulls().unique().sort()
            codes = texts.replace_strict(labels, list(range(len(labels))), default=0, return_dtype=pl.Int64)
            columns.append(_Column(name, codes.fill_null(0).to_numpy(), True, labels.to_list() or [""], missing))
        else:
            raise InputError(f'column "{name}": cells of type {dtype} are neither numbers nor categories')
    return columns


def _arrow_columns(table: Any) -> list[_Column]:
    import pyarrow as pa

    columns = []
    for name, chunks in zip(table.column_names, table.columns):
        kind = chunks.type
        missing = _some(chunks.is_null().to_numpy()) if chunks.null_count else None
        if pa.types.is_floating(kind):
            columns.append(_numeric(name, chunks.to_numpy(), None))
        elif pa.types.is_integer(kind) or pa.types.is_boolean(kind):
            filled = chunks.fill_null(0 if pa.types.is_integer(kind) else False) if missing is not None else chunks
            columns.append(_numeric(name, filled.to_numpy(), missing))
        elif pa.types.is_dictionary(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
            coded = chunks if pa.types.is_dictionary(kind) else chunks.dictionary_encode()
            whole = coded.unify_dictionaries().combine_chunks()
            if isinstance(whole, pa.ChunkedArray):
                whole = whole.chunk(0) if whole.num_chunks else pa.array([], type=coded.type)
            codes = whole.indices.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64)
            labels = [_label(value) for value in whole.dictionary.to_pylist()] or [""]
            columns.append(_Column(name, codes, True, labels, missing))
        else:
            raise InputError(f'column "{name}": cells of type {kind} are neither numbers nor categories')
    return columns


def _default_names(count: int) -> list[str]:
    return [f"V{k + 1}" for k in range(count)]


def _names_for(names: Iterable[object] | None, count: int) -> list[str]:
    given = _default_names(count) if names is None else [str(name) for name in names]
    if len(given) != count:
        raise UsageError(f"{len(given)} names for {count} columns")
    return given


def _list(value: str | Iterable[str] | None) -> list[str]:
    if value is None:
        return []
    return [value] if isinstance(value, str) else [str(item) for item in value]


def _taken_as(column: _Column, wish: str) -> _Column:
    """The column, converted to the kind that the user asked for."""
    if wish == "discrete":
        return column if column.categorical else _coded(column.name, column.values, column.missing)
    if not column.categorical:
        return column
    if column.labels is None:
        return _Column(column.name, column.values.astype(np.float64), False, None, column.missing)
    try:
        numbers = np.array([float(label) if label else np.nan for label in column.labels])
    except ValueError as error:
        raise InputError(f'column "{column.name}": {error}, and it was asked for as numbers') from None
    return _Column(column.name, numbers[column.values], False, None, column.missing)


def _refuse_missing(columns: Sequence[_Column], source: str) -> None:
    absent = [(c.name, int(c.missing.sum()), int(c.missing.argmax()) + 1) for c in columns if c.missing is not None]
    if absent:
        told = ", ".join(f'"{name}" {count}' for name, count, _ in absent[:10])
        more = ", ..." if len(absent) > 10 else ""
        raise InputError(
            f'{source}: missing cells: {told}{more}; the first is in row {absent[0][2]} of "{absent[0][0]}"\n'
            '  hint: missing="drop-rows" leaves out the rows with such a cell'
        )


def _built(columns: list[_Column], source: str, options: Mapping[str, Any]) -> Table:
    known = {column.name for column in columns}
    drop = _list(options.get("drop"))
    for option in ("discrete", "continuous", "drop"):
        for name in _list(options.get(option)):
            if name not in known:
                raise UsageError(f'{option} names "{name}", and there is no such column')
    both = set(_list(options.get("discrete"))) & set(_list(options.get("continuous")))
    if both:
        raise UsageError(f'"{min(both)}" cannot be both discrete and continuous')
    columns = [column for column in columns if column.name not in drop]
    wishes = {name: "discrete" for name in _list(options.get("discrete"))}
    wishes |= {name: "continuous" for name in _list(options.get("continuous"))}
    columns = [_taken_as(c, wishes[c.name]) if c.name in wishes else c for c in columns]

    policy = options.get("missing", "error")
    if policy not in ("error", "drop-rows"):
        raise UsageError(f'missing must be error or drop-rows, not "{policy}"')
    keep: np.ndarray[Any, Any] | None = None
    notes: list[str] = []
    dropped = 0
    if policy == "error":
        _refuse_missing(columns, source)
    elif any(column.missing is not None for column in columns):
        keep = ~np.logical_or.reduce([c.missing for c in columns if c.missing is not None])
        dropped = int(len(keep) - keep.sum())
        notes.append(f"left out {dropped} {'row' if dropped == 1 else 'rows'} with missing cells")

    builder = _agon.TableBuilder(source)
    for column in columns:
        values = column.values if keep is None else column.values[keep]
        if not column.categorical:
            builder.numbers(column.name, np.asarray(values, dtype=np.float64))
        elif column.labels is None:
            builder.integers(column.name, np.asarray(values, dtype=np.int64))
        else:
            builder.labels(column.name, values, column.labels)
    return builder.finish(notes, dropped)


def _module_of(data: object) -> str:
    return type(data).__module__.partition(".")[0]


def _from_file(path: str, options: dict[str, Any]) -> Table:
    if path.lower().endswith((".parquet", ".pq")) and os.path.exists(path):
        try:
            import pyarrow.parquet
        except ImportError:
            raise UsageError(f"{path}: a Parquet file is read by pyarrow\n  hint: pip install pyarrow") from None
        return _built(_arrow_columns(pyarrow.parquet.read_table(path)), path, _in_memory(options, path))
    return _agon.read_table(path, as_options(options))


def _in_memory(options: Mapping[str, Any], source: str) -> Mapping[str, Any]:
    for name in options:
        if name not in ("discrete", "continuous", "drop", "missing"):
            raise UsageError(f"{name.replace('-', '_')} has no effect: {source} is not read from text")
    return options


def as_options(options: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Options with values of the types that the library takes."""
    out: list[tuple[str, Any]] = []
    for name, value in options.items():
        name = name.rstrip("_").replace("_", "-")  # lambda_ is lambda
        if isinstance(value, (str, bool, int, float)):
            out.append((name, value))
        elif isinstance(value, np.generic):
            out.append((name, value.item()))
        elif isinstance(value, os.PathLike):
            out.append((name, os.fspath(value)))
        elif isinstance(value, Iterable):
            out.append((name, [str(item) for item in value]))
        else:
            raise UsageError(f"{name.replace('-', '_')} cannot be {value!r}")
    return out


def table(data: Any, names: Iterable[object] | None = None, *, source: str | None = None, **options: Any) -> Table:
    """Read and check a table once, to use it in several runs.

    ``data`` is a pandas or polars DataFrame, a pyarrow Table, a NumPy matrix (with ``names``), a mapping of names to
    columns, the path of a CSV or Parquet file, or the name of an embedded data set. A float64 matrix is copied only
    once, whether it is stored by rows or by columns. ``discrete`` and ``continuous`` name columns whose kind should not
    follow from the dtype; ``missing="drop-rows"`` drops rows with missing cells instead of refusing the table.

    >>> import numpy as np
    >>> table(np.random.default_rng(0).normal(size=(100, 3)), names=["a", "b", "c"]).rows
    100
    """
    options = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    if isinstance(data, Table):
        if options or names is not None:
            raise UsageError("the table was read already: say how to read it when it is made")
        return data
    if isinstance(data, (str, os.PathLike)):
        if names is not None:
            raise UsageError("names are for matrices: a file and a data set have their own")
        return _from_file(os.fspath(data), options)
    by_module: dict[str, tuple[str, Callable[[Any], list[_Column]]]] = {
        "pandas": ("DataFrame", _pandas_columns),
        "polars": ("DataFrame", _polars_columns),
        "pyarrow": ("Table", _arrow_columns),
    }
    module = _module_of(data)
    if module == "polars" and hasattr(data, "collect"):
        data = data.collect()
    if module in by_module and hasattr(data, "columns"):
        if names is not None:
            raise UsageError("names are for matrices: these columns have their own")
        place = source or by_module[module][0]
        options = dict(_in_memory(options, place))
        return _built(by_module[module][1](data), place, options)
    if hasattr(data, "toarray") and hasattr(data, "nnz"):
        raise InputError("a sparse matrix is not a table\n  hint: its toarray() is one")
    if isinstance(data, Mapping):
        place = source or "table"
        arrays = {str(name): np.asarray(values) for name, values in data.items()}
        for name, array in arrays.items():
            if array.ndim != 1:
                raise InputError(f'{place}: column "{name}" has {array.ndim} dimensions, expected 1')
        return _built([_numeric(name, array) for name, array in arrays.items()], place, _in_memory(options, place))
    matrix = np.asarray(data)
    if matrix.ndim != 2:
        raise InputError(f"a table has rows and columns; this has {matrix.ndim} dimensions")
    place = source or "array"
    given = _names_for(names, matrix.shape[1])
    _in_memory(options, place)
    if matrix.dtype == np.float64 and not options and not np.isnan(matrix.sum()):
        return _agon.table_of_matrix(matrix, given, place)
    return _built([_numeric(name, matrix[:, k]) for k, name in enumerate(given)], place, options)


def _rebuilt(
    source: str, columns: list[tuple[str, Any, list[str] | None]], notes: list[str], rows_dropped: int
) -> Table:
    builder = _agon.TableBuilder(source)
    for name, values, levels in columns:
        if levels is None:
            builder.numbers(name, values)
        else:
            builder.labels(name, values.astype(np.int64), levels)
    return builder.finish(notes, rows_dropped)


def _reduced(held: Table) -> Any:
    columns = []
    for name in held.names:
        levels = held.levels(name) if held.kind(name) == "categorical" else None
        columns.append((name, np.array(held.values(name)), levels))
    return _rebuilt, (held.source, columns, held.notes, held.rows_dropped)


copyreg.pickle(Table, _reduced)
