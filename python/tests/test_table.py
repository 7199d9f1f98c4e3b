"""What becomes of the tables of other packages."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import agon

MIXED = {
    "x": [0.5, 1.5, -2.25, 0.0] * 10,
    "n": [3, 1, 3, 2] * 10,
    "yes": [True, False, True, True] * 10,
    "word": ["b", "a", "b", "c"] * 10,
}
KINDS = {"x": "continuous", "n": "categorical", "yes": "categorical", "word": "categorical"}


def frames():
    plain = pd.DataFrame(MIXED)
    return {
        "pandas": plain,
        "pandas categories": plain.astype({"word": "category", "n": "category"}),
        "pandas nullable": plain.convert_dtypes(),
        "pandas arrow": plain.convert_dtypes(dtype_backend="pyarrow"),
        "pandas object": plain.astype({"word": object}),
        "polars": pl.DataFrame(MIXED),
        "polars categorical": pl.DataFrame(MIXED).with_columns(pl.col("word").cast(pl.Categorical)),
        "polars lazy": pl.DataFrame(MIXED).lazy(),
        "pyarrow": pa.table(MIXED),
        "pyarrow chunked": pa.concat_tables([pa.table(MIXED).slice(0, 2), pa.table(MIXED).slice(2)]),
        "pyarrow dictionary": pa.table({**MIXED, "word": pa.array(MIXED["word"]).dictionary_encode()}),
        "pyarrow enum": pa.table(
            {**MIXED, "word": pa.array(MIXED["word"]).dictionary_encode().cast(pa.dictionary(pa.uint8(), pa.string()))}
        ),
        "mapping": {name: np.array(values) for name, values in MIXED.items()},
    }


@pytest.mark.parametrize("kind", frames())
def test_every_package_gives_the_same_table(kind):
    table = agon.table(frames()[kind])
    assert table.names == list(MIXED)
    assert {name: table.kind(name) for name in table.names} == KINDS
    assert table.values("x").tolist() == MIXED["x"]
    assert table.levels("n") == ["1", "2", "3"]
    assert table.levels("yes") == ["False", "True"]
    assert [table.levels("word")[code] for code in table.values("word")] == MIXED["word"]
    assert table.checksum == agon.table(pd.DataFrame(MIXED)).checksum


def test_a_parquet_file_is_a_table(tmp_path):
    pa.parquet.write_table(pa.table(MIXED), tmp_path / "t.parquet")
    assert agon.table(tmp_path / "t.parquet").checksum == agon.table(pd.DataFrame(MIXED)).checksum


def test_decimal_commas_in_a_file(tmp_path):
    (tmp_path / "points.csv").write_text("x;y\n1.5;a\n2.25;b\n0.5;a\n")
    (tmp_path / "commas.csv").write_text("x;y\n1,5;a\n2,25;b\n0,5;a\n")
    points = agon.table(tmp_path / "points.csv")
    assert agon.table(tmp_path / "commas.csv").checksum == points.checksum
    assert agon.table(tmp_path / "commas.csv", decimal=",").checksum == points.checksum
    with pytest.raises(agon.InputError, match='pass decimal="comma"'):
        agon.table(tmp_path / "commas.csv", decimal=".")


def test_names_decide_where_dtypes_are_not_to():
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [1.0, 2.5, 1.0], "c": ["1", "2.5", "3"]})
    table = agon.table(frame, continuous=["a", "c"], discrete="b")
    assert [table.kind(name) for name in "abc"] == ["continuous", "categorical", "continuous"]
    assert table.values("c").tolist() == [1, 2.5, 3]
    assert table.levels("b") == ["1", "2.5"]
    with pytest.raises(agon.InputError, match='column "word"'):
        agon.table(pd.DataFrame(MIXED), continuous=["word"])
    with pytest.raises(agon.UsageError, match="no such column"):
        agon.table(frame, discrete=["d"])
    with pytest.raises(agon.UsageError, match="no effect"):
        agon.table(frame, delimiter=";")


@pytest.mark.parametrize("order", ["C", "F", "slice", "float32"])
def test_a_matrix_in_any_layout(order):
    cells = np.arange(6000.0).reshape(1500, 4) % 977
    given = {
        "C": np.ascontiguousarray(cells),
        "F": np.asfortranarray(cells),
        "slice": np.repeat(np.repeat(cells, 2, axis=0), 3, axis=1)[::2, ::3],
        "float32": cells.astype(np.float32),
    }[order]
    table = agon.table(given, names="abcd")
    assert np.array_equal(np.column_stack([table.values(name) for name in "abcd"]), cells)
    assert agon.table(given).names == ["V1", "V2", "V3", "V4"]


def test_rows_left_out_are_on_record(cli, tmp_path):
    frame = pd.DataFrame({"a": [0, 1, None, 1, 0, 1] * 10, "b": [1, 1, 0, None, 0, 1] * 10, "c": [0, 1] * 30})
    frame = frame.astype("Int64")
    assert agon.table(frame.dropna()).rows_dropped == 0
    table = agon.table(frame, missing="drop-rows")
    for held in (table, pickle.loads(pickle.dumps(table))):
        assert held.rows_dropped == 20
        assert held.notes == ["left out 20 rows with missing cells"]
        assert agon.hc(held).record["data"]["rows_dropped"] == 20
    frame.to_csv(tmp_path / "frame.csv", index=False)
    by_file = json.loads(cli("run", "hc", tmp_path / "frame.csv", "--missing", "drop-rows", "--json").stdout)
    assert by_file["data"]["rows_dropped"] == 20
    assert agon.table(tmp_path / "frame.csv", missing="drop-rows").rows_dropped == 20


def test_what_is_no_table_is_refused():
    with pytest.raises(agon.InputError, match="dimensions"):
        agon.table(np.zeros(3))
    with pytest.raises(agon.InputError, match="finite"):
        agon.table(np.array([[1.0, np.inf], [2.0, 3.0]]))
    with pytest.raises(agon.InputError, match="both named"):
        agon.table(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(agon.InputError, match="neither numbers nor"):
        agon.table(pd.DataFrame({"t": [[1], [2]]}))
    with pytest.raises(agon.InputError, match="neither numbers nor"):
        agon.table(pa.table({"t": [[1], [2]]}))
    with pytest.raises(agon.InputError, match="neither numbers nor"):
        agon.table(pl.DataFrame({"t": [[1], [2]]}))
    with pytest.raises(agon.InputError, match="neither numbers nor"):
        agon.table(np.array([[1j, 2], [3, 4]]))
    with pytest.raises(agon.UsageError, match="2 names for 3 columns"):
        agon.table(np.zeros((2, 3)), names="ab")


def test_order_of_columns_does_not_reach_the_answer():
    frame = agon.datasets.load("asia", rows=400)
    backwards = frame[frame.columns[::-1]]
    ours, theirs = (agon.discover(f, moves=2000, progress=False) for f in (frame, backwards))
    assert ours.record["dag"] == theirs.record["dag"]
    assert ours.score_ == theirs.score_
