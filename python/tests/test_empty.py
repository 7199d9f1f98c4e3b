"""Every shape of empty, at every door: an answer or one clear InputError, never a crash."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import agon

NO_COLUMNS = {
    "pandas": pd.DataFrame(),
    "pandas, three rows": pd.DataFrame(index=range(3)),
    "numpy": np.zeros((0, 0)),
    "numpy, three rows": np.zeros((3, 0)),
    "numpy of objects": np.zeros((3, 0), dtype=object),
    "list": [[], []],
    "polars": pl.DataFrame(),
    "polars, lazy": pl.LazyFrame(),
    "arrow": pa.table({}),
    "mapping": {},
}
NO_ROWS = {
    "pandas": pd.DataFrame({"a": [], "b": []}),
    "pandas, other types": pd.DataFrame({"a": pd.Series([], dtype=object), "b": pd.Series([], dtype="category")}),
    "numpy": np.zeros((0, 2)),
    "numpy of integers": np.zeros((0, 2), dtype=int),
    "polars": pl.DataFrame({"a": [], "b": []}),
    "arrow": pa.table({"a": pa.array([], pa.float64()), "b": pa.array([], pa.string())}),
    "mapping": {"a": [], "b": []},
}
NO_TABLE = {
    "series": pd.Series([1.0, 2.0]),
    "empty series": pd.Series([], dtype=float),
    "polars series": pl.Series([1.0, 2.0]),
    "arrow array": pa.array([1.0, 2.0]),
    "vector": np.zeros(3),
    "number": np.array(3.0),
    "list": [],
    "nothing": None,
    "object": object(),
    "three dimensions": np.zeros((2, 2, 2)),
}
DOORS = {
    "discover": lambda data: agon.discover(data, progress=False),
    "table": agon.table,
    "league": lambda data: agon.league(data, ["none"]),
    "score": lambda data: agon.score([], data),
    **{name: getattr(agon, name) for name in agon._algorithms.__all__},
}


@pytest.mark.parametrize("door", DOORS)
def test_without_columns_or_rows(door):
    for table in NO_COLUMNS.values():
        with pytest.raises(agon.InputError, match="the table has no columns"):
            DOORS[door](table)
    for table in NO_ROWS.values():
        with pytest.raises(agon.InputError, match="the table has 2 columns and no rows"):
            DOORS[door](table)
    for thing in NO_TABLE.values():
        with pytest.raises(agon.InputError, match="a table has rows and columns"):
            DOORS[door](thing)


def test_the_estimator_refuses_them_too():
    for table in [*NO_COLUMNS.values(), *NO_ROWS.values(), *NO_TABLE.values()]:
        with pytest.raises(agon.InputError):
            agon.Champion().fit(table)


def test_all_columns_dropped_is_a_mistake_in_the_call():
    for data in (pd.DataFrame({"a": [1.0, 2.0]}), {"a": [1.0, 2.0]}):
        with pytest.raises(agon.UsageError, match="no column that is a variable"):
            agon.table(data, drop="a")
        with pytest.raises(agon.UsageError, match="no column that is a variable"):
            agon.table(data, counts="a")
    with pytest.raises(agon.InputError, match="no rows"):
        agon.table({"a": [], "n": []}, counts="n")
    with pytest.raises(agon.InputError, match="no rows"):
        agon.table({"a": [], "b": []}, missing="drop-rows")


LITTLE = {
    "one column": {"a": [1.0, 2.0, 3.5, 5.0] * 5},
    "one column of categories": {"a": ["x", "y"] * 10},
    "one row": {"a": [1.0], "b": [2.0]},
    "one row of words": {"a": ["x"], "b": ["y"]},
    "one cell": {"a": [1.5]},
    "two rows": {"a": [1.0, 2.0], "b": [2.0, 1.0]},
    "all missing": {"a": [np.nan] * 5, "b": [np.nan] * 5},
    "all missing objects": {"a": [None] * 5, "b": [None] * 5},
    "a column missing": {"a": [np.nan] * 8, "b": [1.0, 2.5, 3.5, 4.0] * 2},
    "constants": {"a": [1.0] * 5, "b": ["x"] * 5},
}


@pytest.mark.parametrize("name", LITTLE)
def test_little_is_an_answer_without_edges(name):
    table = pd.DataFrame(LITTLE[name])
    found = agon.discover(table, progress=False)
    assert len(found.dag_) == 0 and found.nodes_ == tuple(table.columns)
    assert np.isfinite(found.score_)
    assert found.summary() and found.picture().svg and found._repr_html_() and str(found)
    for algorithm in agon._algorithms.__all__:
        options = {"start": []} if algorithm == "file" else {}
        try:
            assert len(getattr(agon, algorithm)(table, **options).dag_) == 0
        except (agon.InputError, agon.UsageError, agon.ScoreUndefined) as error:
            assert str(error)  # a table that the algorithm does not take


def test_an_empty_file_is_refused_by_name(tmp_path):
    for text in ("", "a,b\n"):
        (tmp_path / "t.csv").write_text(text)
        with pytest.raises(agon.InputError, match=r"t\.csv"):
            agon.discover(tmp_path / "t.csv", progress=False)
