"""Turns Python data into tables of the library: pandas, polars, NumPy, pyarrow, files and names of data sets.

The dtype decides the kind of a column: floating-point numbers are continuous; booleans and categories are categorical.
Whole numbers and text follow the rule for files, which the library applies to all columns together: a few integers are
categories and many are numbers; text is categorical unless it differs from row to row. ``discrete`` and ``continuous``
name exceptions. Missing cells are kept as missing.
"""

from __future__ import annotations

import decimal
import numbers
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from . import _agon
from ._agon import InputError, Summary, Table, UsageError
from ._experiments import EXPERIMENT_OPTIONS, Experiments, column_names, experiments_of, refuse_vectors
from ._graph import no_such

DATA_OPTIONS = (
    "rows", "data-seed", "covariance", "spearman", "folder", "no-header", "delimiter", "decimal", "quote", "comment",
    "na", "missing", "draws", "counts", "weights", *EXPERIMENT_OPTIONS, "discrete", "continuous", "data-type", "drop",
    "exclude-var",
)  # fmt: skip
GAP_OPTIONS = ("missing", "draws")  # a run must know them too

Array = np.ndarray[Any, Any]


@dataclass
class _Column:
    """One column. The kind is "numbers", "integers", "category" or "text"; integers and text leave it to the rule."""

    name: str
    kind: str
    values: Array  # numbers, or codes into the labels
    labels: list[str] | None = None  # None: the values themselves
    missing: Array | None = None  # True where a cell is missing; None: no cell is


def _label(value: object) -> str:
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _some(missing: Array | None) -> Array | None:
    return missing if missing is not None and bool(missing.any()) else None


def _either(one: Array | None, other: Array | None) -> Array | None:
    return other if one is None else one if other is None else one | other


def _refuse_type(name: str, dtype: object) -> InputError:
    return InputError(f'column "{name}": cells of type {dtype} are neither numbers nor categories')


def _empty(name: str, rows: int) -> _Column:
    return _Column(name, "numbers", np.full(rows, np.nan), None, np.ones(rows, dtype=bool) if rows else None)


def _by_cells(name: str, codes: Array, distinct: Sequence[Any]) -> _Column:
    """A column of objects, as codes of those that differ (-1: missing): what all of them are decides."""
    if not distinct:
        return _empty(name, len(codes))
    missing = _some(codes < 0)
    codes = np.where(codes < 0, 0, codes).astype(np.int64)
    truths = [isinstance(value, (bool, np.bool_)) for value in distinct]
    if all(truths):
        return _Column(name, "category", codes, [str(bool(value)) for value in distinct], missing)
    if not any(truths) and all(isinstance(value, (numbers.Real, decimal.Decimal)) for value in distinct):
        whole = all(isinstance(value, numbers.Integral) and abs(int(value)) < 2**63 for value in distinct)
        plain = np.array([int(v) if whole else float(v) for v in distinct], dtype=np.int64 if whole else np.float64)
        return _Column(name, "integers" if whole else "numbers", plain[codes], None, missing)
    return _Column(name, "text", codes, [_label(value) for value in distinct], missing)


def _factorized(name: str, cells: Any) -> tuple[Array, Any]:
    import pandas as pd

    try:
        codes, distinct = pd.factorize(cells)
    except TypeError:
        raise InputError(f'column "{name}": its cells are neither numbers nor text') from None
    return np.asarray(codes), distinct


def _numeric(name: str, values: Array, missing: Array | None = None) -> _Column:
    """A NumPy array as a column of the kind that its dtype says."""
    kind = values.dtype.kind
    if isinstance(values, np.ma.MaskedArray):
        missing = _either(missing, _some(np.ma.getmaskarray(values)))
        values = values.data
    if kind == "f":
        return _Column(name, "numbers", values, None, _some(_either(np.isnan(values), missing)))
    if kind == "u" and values.dtype.itemsize == 8 and len(values) and int(values.max()) > 2**63 - 1:
        return _Column(name, "numbers", values.astype(np.float64), None, _some(missing))
    if kind in "iu":
        return _Column(name, "integers", values, None, _some(missing))
    if kind == "b":
        return _Column(name, "category", values.astype(np.int64), ["False", "True"], _some(missing))
    if kind in "mM":
        texts = values.astype(str).astype(object)
        texts[np.isnat(values)] = None
        values = texts
    elif kind not in "OUS":
        raise _refuse_type(name, values.dtype)
    codes, distinct = _factorized(name, values.astype(object))
    if missing is not None:
        codes = np.where(missing, -1, codes)
    return _by_cells(name, codes, list(distinct))


def _pandas_float(name: str, values: Array) -> _Column:
    """pandas keeps whole numbers as floats where a cell is missing; they are whole numbers all the same."""
    column = _numeric(name, values)
    if column.missing is None or column.missing.all():
        return column
    filled = np.where(column.missing, 0, values)
    if not (np.isfinite(filled).all() and (filled == np.floor(filled)).all() and np.abs(filled).max() < 2**53):
        return column
    return _Column(name, "integers", filled.astype(np.int64), None, column.missing)


def _pandas_column(series: Any, name: str) -> _Column:
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes = series.cat.codes.to_numpy().astype(np.int64)
        return _Column(name, "category", codes, [_label(c) for c in series.cat.categories], _some(codes < 0))
    if isinstance(dtype, np.dtype) and dtype.kind == "f":
        return _pandas_float(name, series.to_numpy())
    if isinstance(dtype, np.dtype) and dtype.kind in "iubc":
        return _numeric(name, series.to_numpy())
    types = pd.api.types
    if types.is_float_dtype(dtype):
        return _numeric(name, series.to_numpy(dtype="float64", na_value=np.nan))
    if types.is_bool_dtype(dtype) and not types.is_object_dtype(dtype):
        return _numeric(name, series.to_numpy(dtype="bool", na_value=False), series.isna().to_numpy(dtype=bool))
    if types.is_integer_dtype(dtype):
        plain = "uint64" if types.is_unsigned_integer_dtype(dtype) else "int64"
        return _numeric(name, series.to_numpy(dtype=plain, na_value=0), series.isna().to_numpy(dtype=bool))
    codes, distinct = _factorized(name, series)
    if not types.is_object_dtype(dtype) and not types.is_string_dtype(dtype):
        distinct = pd.Index(distinct).astype(str)  # times and the like
    return _by_cells(name, codes, list(distinct))


def _pandas_columns(frame: Any) -> list[_Column]:
    return [_pandas_column(frame.iloc[:, place], str(frame.columns[place])) for place in range(frame.shape[1])]


def _polars_column(series: Any) -> _Column:
    import polars as pl

    name, dtype = series.name, series.dtype
    if series.null_count() == len(series):
        return _empty(name, len(series))
    missing = series.is_null().to_numpy() if series.null_count() else None
    if dtype.is_float():
        return _numeric(name, series.to_numpy())
    if dtype.is_decimal():
        return _numeric(name, series.cast(pl.Float64).to_numpy())
    if dtype.is_integer() or dtype == pl.Boolean:
        return _numeric(name, series.fill_null(0 if dtype.is_integer() else False).to_numpy(), missing)
    if dtype == pl.Object:
        codes, distinct = _factorized(name, np.array(series.to_list(), dtype=object))
        return _by_cells(name, codes, list(distinct))
    if dtype == pl.Duration:
        series = series.to_physical()
    elif not (dtype.is_temporal() or dtype in (pl.String, pl.Categorical, pl.Enum)):
        raise _refuse_type(name, dtype)
    texts = series.cast(pl.String)
    labels = texts.drop_nulls().unique().sort()
    codes = texts.replace_strict(labels, list(range(len(labels))), default=0, return_dtype=pl.Int64)
    kind = "category" if dtype in (pl.Categorical, pl.Enum) else "text"
    return _Column(name, kind, codes.fill_null(0).to_numpy(), labels.to_list(), missing)


def _polars_columns(frame: Any) -> list[_Column]:
    return [_polars_column(series) for series in frame.get_columns()]


def _arrow_labels(name: str, chunks: Any, kind: str) -> _Column:
    import pyarrow as pa

    coded = chunks if pa.types.is_dictionary(chunks.type) else chunks.dictionary_encode()
    whole = coded.unify_dictionaries().combine_chunks()
    if isinstance(whole, pa.ChunkedArray):
        whole = whole.chunk(0) if whole.num_chunks else pa.array([], type=coded.type)
    codes = whole.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    values = whole.dictionary.to_pylist()
    for code, value in enumerate(values):  # a dictionary may hold a null of its own
        if value is None:
            codes[codes == code] = -1
    return _Column(name, kind, codes, [_label(value) for value in values], _some(codes < 0))


def _arrow_column(name: str, chunks: Any) -> _Column:
    import pyarrow as pa

    kind = chunks.type
    if chunks.null_count == len(chunks):
        return _empty(name, len(chunks))
    if pa.types.is_floating(kind):
        return _numeric(name, chunks.to_numpy())
    if pa.types.is_decimal(kind):
        return _numeric(name, chunks.cast(pa.float64()).to_numpy())
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        missing = chunks.is_null().to_numpy() if chunks.null_count else None
        filled = chunks if missing is None else chunks.fill_null(0 if pa.types.is_integer(kind) else False)
        return _numeric(name, filled.to_numpy(), missing)
    if pa.types.is_dictionary(kind):
        return _arrow_labels(name, chunks, "category")
    if pa.types.is_temporal(kind):
        chunks = (chunks.cast(pa.int64()) if pa.types.is_duration(kind) else chunks).cast(pa.string())
    elif str(kind) not in ("string", "large_string", "string_view"):
        raise _refuse_type(name, kind)
    return _arrow_labels(name, chunks, "text")


def _arrow_columns(table: Any) -> list[_Column]:
    return [_arrow_column(name, chunks) for name, chunks in zip(table.column_names, table.columns)]


def _default_names(count: int) -> list[str]:
    return [f"V{k + 1}" for k in range(count)]


def _names_for(names: Iterable[object] | None, count: int) -> list[str]:
    given = _default_names(count) if names is None else [str(name) for name in names]
    if len(given) != count:
        raise UsageError(f"{len(given)} names for {count} columns")
    return given


def _list(option: str, value: object) -> list[str]:
    if value is None:
        return []
    if isinstance(value, Iterable):
        return [value] if isinstance(value, str) else [str(item) for item in value]
    raise UsageError(f"{option} must be the name of a column, or a list of names; {value!r} is neither")


def _coded(column: _Column) -> _Column:
    """Numbers as categories, labelled by their text."""
    seen = column.values if column.missing is None else column.values[~column.missing]
    distinct = np.unique(seen)
    codes = np.minimum(np.searchsorted(distinct, column.values), max(len(distinct) - 1, 0))
    return _Column(column.name, "category", codes.astype(np.int64), [_label(v) for v in distinct], column.missing)


def _as_numbers(column: _Column) -> _Column:
    if column.labels is None:
        values = np.asarray(column.values, dtype=np.float64)
        if column.missing is not None:
            values = np.where(column.missing, np.nan, values)
        return replace(column, kind="numbers", values=values)
    seen = column.values if column.missing is None else column.values[~column.missing]
    number = np.full(len(column.labels) + 1, np.nan)  # the last is for the code -1
    try:
        for code in np.unique(seen):
            number[code] = float(column.labels[code])
    except ValueError as error:
        raise InputError(f'column "{column.name}": {error}, and it was to be read as numbers') from None
    values = number[column.values]
    return _Column(column.name, "numbers", values, None, _some(_either(column.missing, np.isnan(values))))


def _taken_as(column: _Column, wish: str) -> _Column:
    """The column, converted to the kind that the user asked for."""
    if wish == "continuous":
        return _as_numbers(column)
    return _coded(column) if column.kind == "numbers" else replace(column, kind="category")


def _refuse_missing(columns: Sequence[_Column], source: str) -> None:
    absent = [(c.name, int(c.missing.sum()), int(c.missing.argmax()) + 1) for c in columns if c.missing is not None]
    if absent:
        told = ", ".join(f'"{name}" {count}' for name, count, _ in absent[:10])
        more = ", ..." if len(absent) > 10 else ""
        raise InputError(
            f'{source}: missing cells: {told}{more}; the first is in row {absent[0][2]} of "{absent[0][0]}"\n'
            '  hint: missing="auto" takes them into account; missing="drop-rows" leaves out their rows'
        )


def _only(columns: Sequence[_Column], keep: Array) -> list[_Column]:
    return [
        replace(c, values=c.values[keep], missing=None if c.missing is None else _some(c.missing[keep]))
        for c in columns
    ]


@dataclass
class _Weights:
    """How often rows count, as ``counts`` or ``weights`` say."""

    name: str
    sampling: bool
    values: Array  # float64


def _no_column(option: str, name: str, columns: Sequence[_Column]) -> UsageError:
    hint = _agon.did_you_mean(name, [column.name for column in columns])
    return UsageError(f'{option} names "{name}", but there is no such column' + (f"\n  hint: {hint}" if hint else ""))


def _weights_of(columns: list[_Column], options: Mapping[str, Any], source: str) -> _Weights | None:
    """The weights of the rows; their column, if they are one, is taken from the others."""
    given = [option for option in ("counts", "weights") if option in options]
    if not given:
        return None
    if len(given) == 2:
        raise UsageError(
            "counts and weights cannot be used together\n  hint: multiply them into one, and pass that as weights"
        )
    option, value = given[0], options[given[0]]
    if isinstance(value, str):
        for place, column in enumerate(columns):
            if column.name == value:
                del columns[place]
                return _Weights(value, option == "weights", _as_numbers(column).values)
        raise _no_column(option, value, columns)
    try:
        values = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"{option} must be the name of a column, or numbers") from None
    rows = len(columns[0].values) if columns else 0
    if values.ndim != 1 or len(values) != rows:
        raise UsageError(f"{option} has the shape {values.shape}; {source} has {rows} rows")
    return _Weights(option, option == "weights", values)


def _cells_of(column: _Column) -> list[Any]:
    """The cells of a column as Python has them; None where one is missing."""
    cells = column.values.tolist() if column.labels is None else [column.labels[code] for code in column.values.tolist()]
    if column.missing is None:
        return cells
    return [None if gap else cell for cell, gap in zip(cells, column.missing)]


def _experiments_of(columns: list[_Column], options: Mapping[str, Any], source: str) -> Experiments | None:
    """Where the rows come from; the columns that say so are taken from the others."""

    def taken(name: str) -> list[Any]:
        for place, column in enumerate(columns):
            if column.name == name:
                del columns[place]
                return _cells_of(column)
        raise AssertionError(name)

    rows = len(columns[0].values) if columns else 0
    return experiments_of(options, taken, [column.name for column in columns], rows, source)


def _check_names(columns: Sequence[_Column], options: Mapping[str, Any]) -> None:
    known = {column.name for column in columns}
    said: dict[str, str] = {}
    for option in ("drop", "discrete", "continuous", "counts", "weights"):
        named = options.get(option)
        if option in ("counts", "weights") and not isinstance(named, str):
            continue
        for name in _list(option, named):
            if name not in known:
                raise _no_column(option, name, columns)
            if said.setdefault(name, option) != option:
                raise UsageError(f'"{name}" is named in both {said[name]} and {option}')
    for option, name in column_names(options, known):
        if name not in known:
            raise _no_column(option, name, columns)
        if said.setdefault(name, option) != option:
            raise UsageError(f'"{name}" is named in both {said[name]} and {option}')


def _add(builder: _agon.TableBuilder, column: _Column) -> None:
    name, values, missing = column.name, column.values, column.missing
    if column.kind == "numbers":
        builder.numbers(name, np.asarray(values, dtype=np.float64), missing)
    elif column.labels is None:
        kind = "category" if column.kind == "category" else ""
        builder.integers(name, np.asarray(values, dtype=np.int64), missing, kind)
    else:
        builder.labels(name, np.asarray(values, dtype=np.int64), column.labels, missing, column.kind)


def _counted_from(column: _Column) -> int | None:
    """Where a column that counts the rows begins, 0 or 1; None where it does not count them."""
    rows = len(column.values)
    for start in (0, 1):
        if column.labels is None:
            if np.array_equal(column.values, np.arange(start, start + rows)):
                return start
        elif all(column.labels[code] == str(start + row) for row, code in enumerate(column.values.tolist())):
            return start
    return None


def _without_row_names(given: list[_Column], options: Mapping[str, Any]) -> tuple[list[_Column], list[str]]:
    """Leaves out what names rows or closes lines, as the reader of files does, and says so.

    A first column without a name (pandas calls it ``Unnamed: 0``) names the rows if no two of its cells are equal; one
    called ``rownames`` or ``index`` only if it counts them. A last column without name and cells is left by lines that
    end with a delimiter.
    """
    named = {name for option in ("drop", "discrete", "continuous") for name in _list(option, options.get(option))}
    named |= {options[option] for option in ("counts", "weights") if isinstance(options.get(option), str)}
    named |= {name for _, name in column_names(options, {column.name for column in given})}
    notes = []
    if len(given) > 2 and len(given[0].values):
        last = given[-1]
        blank = last.name.strip() == "" or last.name == f"Unnamed: {len(given) - 1}"
        if blank and last.name not in named and last.missing is not None and bool(last.missing.all()):
            given = given[:-1]
            notes.append("The last column has no name and no cells: it is no variable.")
    if len(given) < 2 or not len(given[0].values) or given[0].missing is not None or given[0].name in named:
        return given, notes
    first = given[0]
    nameless = first.name.strip() == ""
    if not nameless and first.name.lower() not in ("unnamed: 0", "rownames", "index"):
        return given, notes
    which = "has no name" if nameless else f'is called "{first.name}"'
    start = _counted_from(first)
    fractions = first.kind == "numbers" and bool((first.values != np.floor(first.values)).any())
    if start is not None:
        what = f"counts the rows from {start}: taken as a row index"
    elif (nameless or (first.name == "Unnamed: 0" and not fractions)) and len(np.unique(first.values)) == len(first.values):
        what = "names each row differently: taken as names of the rows"
    else:
        return given, notes
    return given[1:], [f"The first column {which} and {what}, not as a variable.", *notes]


def _built(given: list[_Column], source: str, options: Mapping[str, Any]) -> Table:
    _check_names(given, options)
    given, notes = _without_row_names(given, options)
    policy = str(options.get("missing", "auto"))
    _agon.check_missing(policy)
    drop = _list("drop", options.get("drop"))
    wishes = {name: option for option in ("discrete", "continuous") for name in _list(option, options.get(option))}
    columns = [
        _taken_as(column, wishes[column.name]) if column.name in wishes else column
        for column in given
        if column.name not in drop
    ]
    builder = _agon.TableBuilder(source, policy in ("error", "drop-rows"))
    if not given or not len(given[0].values):
        for column in columns:
            _add(builder, column)
        return builder.finish([], 0, [])  # which refuses a table without columns or rows
    weights = _weights_of(columns, options, source)
    experiments = _experiments_of(columns, options, source)
    if not columns:
        raise UsageError("the table has no column that is a variable\n  hint: drop fewer columns")
    rows_read = len(columns[0].values)
    rows_of_zero = 0
    if weights is not None:
        builder.check_weights(weights.name, weights.sampling, weights.values)
        counts = weights.values > 0
        rows_of_zero = rows_read - int(counts.sum())
        if rows_of_zero == rows_read:
            raise InputError(f'{source}: "{weights.name}" is 0 in every row')
        if rows_of_zero > 0:
            columns, weights = _only(columns, counts), replace(weights, values=weights.values[counts])
            experiments = experiments and experiments.only(counts)

    dropped = 0
    gaps = [column.missing for column in columns if column.missing is not None]
    if policy == "error":
        _refuse_missing(columns, source)
    elif policy == "drop-rows" and gaps:
        complete = ~np.logical_or.reduce(gaps)
        dropped = int(len(complete) - complete.sum())
        if not complete.any():
            raise InputError(f"{source}: every row has a missing cell\n  hint: drop columns that are mostly missing")
        columns = _only(columns, complete)
        if weights is not None:
            weights = replace(weights, values=weights.values[complete])
        experiments = experiments and experiments.only(complete)
        notes.append(f"left out {dropped} {'row' if dropped == 1 else 'rows'} with missing cells")

    if weights is not None:
        builder.add_weights(weights.name, weights.sampling, weights.values, rows_of_zero, rows_read)
    if experiments is not None:
        experiments.add_to(builder)
    for column in columns:
        _add(builder, column)
    return builder.finish(notes, dropped, _about_gaps(options))


def _about_gaps(options: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return as_options({name: options[name] for name in GAP_OPTIONS if name in options})


def _module_of(data: object) -> str:
    return type(data).__module__.partition(".")[0]


def _from_file(path: str, options: dict[str, Any]) -> Table:
    if path.lower().endswith((".parquet", ".pq")) and os.path.exists(path):
        try:
            import pyarrow.parquet
        except ImportError:
            raise UsageError(f"{path}: a Parquet file is read by pyarrow\n  hint: pip install pyarrow") from None
        return _built(_arrow_columns(pyarrow.parquet.read_table(path)), path, _in_memory(options, path))
    for name in ("counts", "weights"):
        if not isinstance(options.get(name, ""), str):
            raise UsageError(f"{name} must be the name of a column of {path}")
    refuse_vectors(options, path)
    return _agon.read_table(path, as_options(options))


def _in_memory(options: Mapping[str, Any], source: str) -> Mapping[str, Any]:
    taken = ("discrete", "continuous", "drop", "missing", "draws", "counts", "weights", *EXPERIMENT_OPTIONS)
    for name in options:
        if name not in DATA_OPTIONS:
            raise no_such("option", name.replace("-", "_"), [*taken, "names", "source"])
        if name not in taken:
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
    follow from the dtype and the cells. A :class:`agon.Summary` is one in place of rows.

    Missing cells (NaN, None, NA, NaT, nulls) are kept, and ``missing`` says what the runs on the table do about them:
    "auto", "em", "draws" or "level"; "drop-rows" leaves out their rows at once, and "error" refuses them. ``counts``
    says how often each row occurred and ``weights`` how much it is to count: the name of a column, which is then no
    variable, or one number for each row of a table in memory.

    Rows may come from experiments. ``targets`` says what was set in each row: the name of a column whose cells name
    variables ("a;b"; empty: nothing), or a list with a name, a set of names or None for each row. ``experiment`` says
    which experiment a row comes from, and then ``targets`` may be a dict of labels to what was set there (or a file
    experiment,targets). ``within`` gives batches whose means may differ: names of columns, labels by row, a dict of
    both, or "none"; experiments are batches too. ``intervention`` is "perfect" or "soft".

    >>> rows = table({"x": [1.0, 2, 4, 3], "y": [2.0, 3, 1, 5]}, experiment=["a", "a", "b", "b"], targets={"b": ["y"]})
    >>> rows.experiments
    [('a', [], 'perfect', 'a'), ('b', ['y'], 'perfect', 'b')]
    >>> table("sachs-experiments", within="none").experiments[0]
    ('b2camp', ['PKA'], 'perfect', '')

    >>> import numpy as np
    >>> table(np.random.default_rng(0).normal(size=(100, 3)), names=["a", "b", "c"]).rows
    100
    """
    options = {name.replace("_", "-"): value for name, value in options.items() if value is not None}
    if isinstance(data, Table):
        if options or names is not None:
            raise UsageError("the table was read already\n  hint: pass options about reading to agon.table")
        return data
    if isinstance(data, Summary):
        taken = {name: options[name] for name in options if name in GAP_OPTIONS and data.form == "counts"}
        if names is not None or len(taken) < len(options):
            raise UsageError("options about reading have no effect on a summary\n  hint: pass them to agon.summarize")
        _agon.check_missing(str(taken.get("missing", "auto")))
        return _agon.table_of_summary(data, source or "summary", _about_gaps(taken))
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
        raise InputError("a sparse matrix is not a table\n  hint: pass its toarray()")
    if isinstance(data, Mapping):
        place = source or "table"
        arrays = {str(name): np.asanyarray(values) for name, values in data.items()}
        for name, array in arrays.items():
            if array.ndim != 1:
                raise InputError(f'{place}: column "{name}" has {array.ndim} dimensions, expected 1')
        return _built([_numeric(name, array) for name, array in arrays.items()], place, _in_memory(options, place))
    matrix = data if isinstance(data, np.ma.MaskedArray) else np.asarray(data)
    if matrix.ndim != 2:
        raise InputError(f"a table has rows and columns: expected 2 dimensions, found {matrix.ndim}")
    place = source or "array"
    given = _names_for(names, matrix.shape[1])
    _in_memory(options, place)
    plain = type(matrix) is np.ndarray and matrix.dtype == np.float64 and not set(options) - set(GAP_OPTIONS)
    if plain and not np.isnan(matrix.sum()):
        _agon.check_missing(str(options.get("missing", "auto")))
        return _agon.table_of_matrix(matrix, given, place, _about_gaps(options))
    return _built([_numeric(name, matrix[:, k]) for k, name in enumerate(given)], place, options)


def table_for_run(data: Any, reading: Mapping[str, Any]) -> tuple[Table, dict[str, Any]]:
    """The table, and the options of the run that follow from how it is read."""
    options = {name.replace("_", "-"): value for name, value in reading.items() if value is not None}
    if isinstance(data, Table):
        gaps = {name: options.pop(name) for name in GAP_OPTIONS if name in options}
        if gaps.get("missing") in ("drop-rows", "error") and data.missing_cells:
            raise UsageError(
                f'missing="{gaps["missing"]}" is decided when a table is read, and this one was read already\n'
                "  hint: pass it to agon.table"
            )
        return table(data, **options), {**dict(data.options), **gaps}
    source = table(data, **options)
    in_memory = not isinstance(data, (str, os.PathLike))
    for name in ("counts", "weights", "targets", "experiment", "within"):
        if in_memory and not isinstance(options.get(name, ""), str):
            del options[name]  # numbers or labels by row, which the table holds now
    options.pop("names", None)
    return source, options
