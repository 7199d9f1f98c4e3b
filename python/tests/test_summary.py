"""Tables of any length: what an engine sums up is what the rows say, wherever they are."""

import pickle

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset
import pytest

import agon

QUICK = {"moves": 300, "bootstrap": 0, "progress": False}


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(3)
    n = 6000
    colour = rng.choice(["red", "green", "it's blue"], n)
    x = 1000 + 3 * (colour == "red") + rng.normal(size=n)
    y = 0.5 * x + rng.normal(size=n)
    flag = rng.random(n) < 1 / (1 + np.exp(505 - y))
    return pd.DataFrame({"x": x, "colour": colour, "y": y, "flag": flag, "z": rng.normal(size=n)})


@pytest.fixture(scope="module")
def categories():
    return agon.datasets.load("asia", rows=3000)


def same(found, expected):
    """The same edges, and the same score to the tie tolerance."""
    assert found.score_ == pytest.approx(expected.score_, rel=1e-10)
    assert set(found.dag_) == set(expected.dag_)


@pytest.fixture(scope="module")
def of_mixed(mixed):
    return agon.discover(mixed, score="mixed-bic", scale="raw", penalty="auto", **QUICK)


@pytest.fixture(scope="module")
def of_categories(categories):
    return agon.discover(categories, **QUICK)


def test_of_tables_in_memory(mixed, categories, of_mixed, of_categories):
    polars = pytest.importorskip("polars")
    for frame in (mixed, pa.Table.from_pandas(mixed), polars.from_pandas(mixed)):
        summary = agon.summarize(frame)
        assert (summary.rows, summary.form, summary.names) == (6000, "moments", list(mixed.columns))
        same(agon.discover(summary, **QUICK), of_mixed)
    summary = agon.summarize(categories)
    assert summary.form == "counts" and summary.levels("smoke") == ["no", "yes"]
    same(agon.discover(summary, **QUICK), of_categories)


def test_sums_are_added_pickled_and_written(mixed, of_mixed, tmp_path):
    halves = [agon.summarize(mixed.iloc[:2000]), agon.summarize(mixed.iloc[2000:])]
    whole = pickle.loads(pickle.dumps(halves[1] + halves[0]))
    assert len(whole) == 6000 and "6,000 rows" in repr(whole)
    same(agon.discover(whole, **QUICK), of_mixed)
    whole.write(tmp_path / "all.summary")
    same(agon.discover(tmp_path / "all.summary", **QUICK), of_mixed)
    assert agon.summarize([tmp_path / "all.summary"]).text == whole.text


def test_of_files(mixed, of_mixed, tmp_path):
    mixed.iloc[:2500].to_csv(tmp_path / "a.csv", index=False)
    mixed.iloc[2500:].to_csv(tmp_path / "b.csv", index=False)
    summary = agon.summarize([tmp_path / "a.csv", tmp_path / "b.csv"], threads=2)
    assert summary.rows == 6000 and any("Kinds" in note for note in summary.notes)
    same(agon.discover(summary, **QUICK), of_mixed)


def test_of_a_folder_of_parquet(mixed, of_mixed, tmp_path):
    pyarrow.dataset.write_dataset(
        pa.Table.from_pandas(mixed), tmp_path / "t", format="parquet", max_rows_per_file=1500, max_rows_per_group=500
    )
    same(agon.discover(agon.summarize(tmp_path / "t"), **QUICK), of_mixed)
    parts = agon.summarize(tmp_path / "t", parts=4)
    assert parts.parts == 4 and parts.rows == 6000


def test_of_dask(mixed, categories, of_mixed, of_categories):
    dd = pytest.importorskip("dask.dataframe")
    same(agon.discover(agon.summarize(dd.from_pandas(mixed, npartitions=9)), **QUICK), of_mixed)
    same(agon.discover(agon.summarize(dd.from_pandas(categories, npartitions=3)), **QUICK), of_categories)
    kept = agon.summarize(dd.from_pandas(mixed, npartitions=25), parts=True)
    assert kept.parts == 25
    shares = agon.discover(kept, moves=300, bootstrap=20, progress=False).edges_["p_edge"]
    assert shares.between(0, 1).all() and shares.max() == 1


def test_of_duckdb(mixed, categories, of_mixed, of_categories):
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.register("frame", mixed)
    connection.execute("CREATE TABLE mixed AS SELECT * FROM frame")
    connection.register("asia", categories)
    same(agon.discover(agon.summarize(connection, "mixed"), **QUICK), of_mixed)
    same(agon.discover(agon.summarize(connection.table("asia")), **QUICK), of_categories)
    same(agon.discover(agon.summarize(connection, "mixed", missing="drop-rows"), **QUICK), of_mixed)  # by rows
    with pytest.raises(agon.UsageError, match="name of a table"):
        agon.summarize(connection)
    gaps = connection.sql("SELECT CASE WHEN x > 1000 THEN x END AS x, y FROM mixed")
    with pytest.raises(agon.InputError, match='"x" has .* missing cells'):
        agon.summarize(gaps)
    assert agon.summarize(gaps, missing="drop-rows").rows == int((mixed["x"] > 1000).sum())


def test_batches_of_rows(tmp_path):
    """`within` columns say which batch a row comes from, in an engine and in memory alike."""
    dd = pytest.importorskip("dask.dataframe")
    rng = np.random.default_rng(5)
    day = np.repeat(["mon", "tue"], 1000)
    x = rng.normal(size=2000) + 5 * (day == "tue")
    frame = pd.DataFrame({"x": x, "y": rng.normal(size=2000) + 5 * (day == "tue"), "day": day})
    summary = agon.summarize(dd.from_pandas(frame, npartitions=4), within="day")
    assert [name for name, *_ in summary.experiments] == ["mon", "tue"]
    rows = agon.discover(frame, within="day", score="gaussian-bic", penalty="auto", **QUICK)
    same(agon.discover(summary, **QUICK), rows)
    assert not set(rows.dag_)  # the days explain it


def test_experiments():
    """Partitions may hold the rows of a single experiment."""
    dd = pytest.importorskip("dask.dataframe")
    rng = np.random.default_rng(6)
    done = np.repeat(["none", "x"], 1500)
    x = np.where(done == "x", rng.normal(size=3000) + 2, rng.normal(size=3000))
    y = x + rng.normal(size=3000)
    frame = pd.DataFrame({"x": x, "y": y, "set": done})
    rows = agon.discover(frame, targets="set", score="gaussian-bic", penalty="auto", **QUICK)
    for summary in (
        agon.summarize(dd.from_pandas(frame, npartitions=5), targets="set"),
        agon.summarize(frame, experiment="set", targets={"x": ["x"]}),
    ):
        assert [targets for _, targets, *_ in summary.experiments] == [[], ["x"]]
        same(agon.discover(summary, **QUICK), rows)
    assert set(rows.dag_) == {("x", "y")}


def test_counts_say_how_often_rows_occurred(categories, of_categories):
    counted = categories.value_counts().reset_index()
    same(agon.discover(agon.summarize(counted, counts="count"), **QUICK), of_categories)


def test_bad_input_is_one_sentence(mixed):
    summary = agon.summarize(mixed)
    with pytest.raises(agon.InputError, match='its columns are others: without "z"'):
        summary + agon.summarize(mixed.drop(columns="z"))
    with pytest.raises(agon.UsageError, match="summary already"):
        agon.summarize(summary)
    with pytest.raises(agon.UsageError, match="no effect on a summary"):
        agon.discover(summary, drop=["x"])
    with pytest.raises(agon.InputError, match="needs the ranks"):
        agon.discover(agon.summarize(mixed[["x", "y"]]), score="copula-bic", **QUICK)
    with pytest.raises(agon.InputError, match="cut short or changed"):
        agon.Summary.of_text(summary.text[:-20])
    with pytest.raises(agon.UsageError, match="needs the rows"):
        agon.summarize(mixed, missing="em")
    late = mixed[["x", "colour"]].astype({"colour": object})
    late["colour"] = [f"c{k}" if k > 2000 else "red" if k % 2 else "green" for k in range(len(late))]
    with pytest.raises(agon.InputError, match="levels"):
        agon.summarize(late.iloc[:2000]) + agon.summarize(late.iloc[2000:], discrete="colour")


def test_memory_is_that_of_the_sums(mixed):
    """Nothing of the rows is kept."""
    one = agon.summarize(mixed)
    many = one
    for _ in range(6):
        many = many + many
    assert many.rows == 64 * one.rows
    assert len(many.text) < len(one.text) + 400
    assert agon.table(many).rows == agon.table(one).rows
