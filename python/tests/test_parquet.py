"""The command line's own reader of Parquet beside pyarrow, which writes the files and reads them for the package."""

import datetime
import decimal
import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest

import agon

CODECS = ["none", "snappy", "gzip", "zstd", "lz4"]
DELTAS = {
    "x": "BYTE_STREAM_SPLIT",
    "n": "DELTA_BINARY_PACKED",
    "long": "DELTA_BINARY_PACKED",
    "s": "DELTA_BYTE_ARRAY",
    "t": "DELTA_LENGTH_BYTE_ARRAY",
    "b": "RLE",
}
STREAMS = {"n": "BYTE_STREAM_SPLIT", "long": "BYTE_STREAM_SPLIT", "s": "DELTA_LENGTH_BYTE_ARRAY"}


@pytest.fixture(scope="module")
def rows():
    """Every cell of a column is missing with a probability of 0.1."""
    rng = np.random.default_rng(4)
    n = 3000
    cells = {
        "x": rng.normal(size=n),
        "n": rng.integers(0, 4, n),
        "long": rng.integers(-(2**40), 2**40, n),
        "s": rng.choice(["red", "green", "ünï, cödé"], n),
        "t": rng.choice(["a", "b"], n),
        "b": rng.random(n) < 0.3,
    }
    return pa.table({name: pa.array(values, mask=rng.random(n) < 0.1) for name, values in cells.items()})


@pytest.fixture
def summary_of(tmp_path, cli):
    def summary(path, *options):
        done = cli("summarize", path, "--out", tmp_path / "o.summary", "--quiet", *options)
        assert done.returncode == 0, done.stderr
        return (tmp_path / "o.summary").read_text()

    return summary


@pytest.fixture(scope="module")
def of_text(rows, tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "t.csv"
    rows.to_pandas().astype({"n": "Int64", "long": "Int64"}).to_csv(path, index=False)
    return path


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_is_the_summary_of_the_same_rows_as_text(rows, of_text, summary_of, tmp_path, codec, version):
    expected = summary_of(of_text, "--missing", "drop-rows")
    ways = [{}, {"row_group_size": 700, "data_page_size": 256}]
    ways += [{"use_dictionary": False, "data_page_size": 500}, {"use_dictionary": ["s"], "row_group_size": 999}]
    ways += [{"use_dictionary": False, "column_encoding": encoding} for encoding in (DELTAS, STREAMS)]
    for way in ways:
        pa.parquet.write_table(rows, tmp_path / "t.parquet", compression=codec, data_page_version=version, **way)
        assert summary_of(tmp_path / "t.parquet", "--missing", "drop-rows") == expected, way


def test_gaps_of_categories_are_counted(rows, of_text, summary_of, tmp_path):
    pa.parquet.write_table(rows, tmp_path / "t.parquet", row_group_size=500)
    numbers = ["--drop", "x", "--drop", "long"]
    assert summary_of(tmp_path / "t.parquet", *numbers) == summary_of(of_text, *numbers)


def typed():
    rng = np.random.default_rng(5)
    n = 2000
    some = rng.integers(0, 20, n)
    day = [datetime.datetime(2020, 1, 1) + datetime.timedelta(hours=int(k)) for k in some]
    return {
        "half": pa.array(rng.normal(size=n).astype("float16")),
        "single": pa.array(rng.normal(size=n).astype("float32")),
        "truths as numbers": pa.array(rng.integers(0, 2, n).astype("float64")),
        "truths": pa.array(rng.random(n) < 0.3),
        "byte": pa.array(rng.integers(0, 3, n).astype("int8")),
        "unsigned": pa.array(rng.integers(2**31, 2**32, n).astype("uint32")),
        "beyond": pa.array(rng.integers(2**62, 2**63, n).astype("uint64") * 2),
        "cents": pa.array([decimal.Decimal(int(k)) / 100 for k in rng.integers(-(10**6), 10**6, n)]),
        "decimals": pa.array([decimal.Decimal(int(k)) * 10**13 for k in some], pa.decimal128(38, 3)),
        "category": pa.array(rng.choice(["u", "v"], n)).dictionary_encode(),
        "rare category": pa.array([f"c{k}" for k in rng.integers(0, 250, n)]).dictionary_encode(),
        "coded category": pa.array(some.astype(str)).dictionary_encode(),
        "numbers as text": pa.array(rng.choice(["1", "2", "3.5"], n)),
        "date": pa.array([moment.date() for moment in day]),
        "time": pa.array([moment.time() for moment in day], pa.time32("ms")),
        "fine time": pa.array([moment.time() for moment in day], pa.time64("ns")),
        "moment": pa.array(day, pa.timestamp("us")),
        "moment in UTC": pa.array(day, pa.timestamp("ms", tz="UTC")),
        "duration": pa.array(some.astype("int64"), pa.duration("us")),
    }


@pytest.mark.parametrize("name", list(typed()))
def test_types_are_what_pyarrow_makes_of_them(summary_of, tmp_path, name):
    columns = typed()
    table = pa.table({name: columns[name], "other": columns["single"]})
    pa.parquet.write_table(table, tmp_path / "t.parquet")
    found, expected = summary_of(tmp_path / "t.parquet"), agon.summarize(tmp_path / "t.parquet").text
    found, expected = (json.loads(text.split("\n", 1)[1]) for text in (found, expected))
    assert found["columns"] == expected["columns"]
    for what in ("mean", "scatter"):  # Arrow rounds decimals twice
        assert found["parts"][0][0][what] == pytest.approx(expected["parts"][0][0][what], rel=1e-12)


def test_times_of_old(summary_of, tmp_path):
    columns = typed()
    table = pa.table({"moment": columns["moment"], "other": columns["single"]})
    pa.parquet.write_table(table, tmp_path / "t.parquet", use_deprecated_int96_timestamps=True)
    assert summary_of(tmp_path / "t.parquet") == agon.summarize(tmp_path / "t.parquet").text


def test_what_cannot_be_read_is_named(tmp_path, cli):
    out = tmp_path / "o.summary"
    lists = pa.table({"x": [1.0, 2.0, 4.0], "many": [[1], [2, 3], []]})
    pa.parquet.write_table(lists, tmp_path / "t.parquet")
    refused = cli("summarize", tmp_path / "t.parquet", "--out", out)
    assert refused.returncode == 3
    assert 'column "many" is nested' in refused.stderr and "--drop many" in refused.stderr
    assert cli("summarize", tmp_path / "t.parquet", "--drop", "many", "--out", out).returncode == 0
    pa.parquet.write_table(pa.table({"x": np.arange(100) / 7}), tmp_path / "t.parquet", compression="brotli")
    assert "Brotli" in cli("summarize", tmp_path / "t.parquet", "--out", out).stderr


def test_spoiled_files_are_refused(rows, tmp_path, cli):
    """Cut anywhere, a file gives one message and no summary."""
    pa.parquet.write_table(rows.slice(0, 200), tmp_path / "t.parquet")
    whole = (tmp_path / "t.parquet").read_bytes()
    for size in (5, 100, len(whole) // 2, len(whole) - 5, len(whole) - 1):
        (tmp_path / "t.parquet").write_bytes(whole[:size])
        refused = cli("summarize", tmp_path / "t.parquet", "--out", tmp_path / "o.summary")
        assert refused.returncode == 3 and "t.parquet: the Parquet file cannot be read" in refused.stderr
        assert not (tmp_path / "o.summary").exists()


def test_a_folder_is_its_files(tmp_path, summary_of):
    rng = np.random.default_rng(7)
    frame = pd.DataFrame({"x": rng.normal(size=3000), "g": rng.choice(["a", "b"], 3000)})
    for k in range(3):
        pa.parquet.write_table(
            pa.Table.from_pandas(frame.iloc[1000 * k : 1000 * (k + 1)], preserve_index=False), tmp_path / f"{k}.parquet"
        )
    found = agon.Summary.of_text(summary_of(tmp_path))
    assert (found.rows, found.names) == (3000, ["x", "g"])
    quick = {"moves": 200, "bootstrap": 0, "progress": False}
    scored = agon.discover(frame, score="mixed-bic", scale="raw", penalty="auto", **quick)
    assert agon.discover(found, **quick).score_ == pytest.approx(scored.score_, rel=1e-10)
