"""Kinds by the rule for files, missing cells, counts and weights: the same from every package as from a CSV file."""

import datetime
import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest

import agon

ROWS = 240


def mixed_columns():
    """Columns of every kind, as lists with None where a cell is missing."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=ROWS)
    dose = np.digitize(x + rng.normal(size=ROWS), [-0.5, 0.5]) + 1
    day = datetime.date(2020, 1, 1)
    columns = {
        "x": x.tolist(),
        "y": (x + dose + rng.normal(size=ROWS)).tolist(),
        "dose": dose.tolist(),
        "visits": rng.integers(0, 12, ROWS).tolist(),
        "age": rng.integers(18, 80, ROWS).tolist(),
        "treated": (dose + rng.normal(size=ROWS) > 2).tolist(),
        "region": [["north", "south", "west"][k] for k in rng.integers(0, 3, ROWS)],
        "name": [f"person {k}" for k in rng.permutation(ROWS)],
        "seen": [day + datetime.timedelta(days=k) for k in range(ROWS)],
    }
    for name in ("y", "dose", "treated", "region", "name", "seen"):
        for row in rng.choice(ROWS, 12, replace=False):
            columns[name][row] = None
    return columns


COLUMNS = mixed_columns()
KINDS = {
    "x": "continuous",
    "y": "continuous",
    "dose": "categorical",
    "visits": "continuous",
    "age": "continuous",
    "treated": "categorical",
    "region": "categorical",
    "name": "categorical",
    "seen": "categorical",
}


def nullable():
    frame = pd.DataFrame(COLUMNS).astype({"dose": "Int64", "treated": "boolean"})
    return frame.assign(seen=pd.to_datetime(frame["seen"]))


def arrays():
    """What NumPy makes of lists with None in them are objects, but for times and numbers."""
    given = {name: np.array(cells) for name, cells in COLUMNS.items()}
    given["y"] = np.array(COLUMNS["y"], dtype=np.float64)
    given["dose"] = np.ma.masked_array(
        [0 if cell is None else cell for cell in COLUMNS["dose"]], [cell is None for cell in COLUMNS["dose"]]
    )
    given["seen"] = np.array(COLUMNS["seen"], dtype="datetime64[D]")
    return given


def sources(folder):
    frame = nullable()
    frame.to_csv(folder / "t.csv", index=False)
    return {
        "csv": folder / "t.csv",
        "pandas": frame,
        "pandas from csv": pd.read_csv(folder / "t.csv", float_precision="round_trip"),  # pandas 2 is an ulp off by itself
        "pandas objects": pd.DataFrame(COLUMNS, dtype=object),
        "pandas arrow": frame.convert_dtypes(dtype_backend="pyarrow").assign(seen=frame["seen"]),
        "polars": pl.DataFrame(COLUMNS),
        "pyarrow": pa.table(COLUMNS),
        "pyarrow chunks": pa.concat_tables([pa.table(COLUMNS).slice(0, 99), pa.table(COLUMNS).slice(99)]),
        "mapping": arrays(),
        "object matrix": np.array([COLUMNS[name] for name in COLUMNS], dtype=object).T,
    }


WAYS = ["csv", "pandas", "pandas from csv", "pandas objects", "pandas arrow", "polars", "pyarrow", "pyarrow chunks",
        "mapping", "object matrix"]  # fmt: skip


def read(way, folder, **options):
    names = list(COLUMNS) if way == "object matrix" else None
    return agon.table(sources(folder)[way], names=names, **options)


@pytest.mark.parametrize("way", WAYS)
def test_a_table_is_the_same_by_every_way(way, tmp_path):
    table, file = read(way, tmp_path), agon.table(sources(tmp_path)["csv"])
    assert {name: table.kind(name) for name in table.names} == KINDS
    assert table.identifiers == ["name", "seen"]
    assert table.missing_cells == 72
    assert table.checksum == file.checksum
    for name, cells in COLUMNS.items():
        absent = np.array([cell is None for cell in cells])
        values = table.values(name)
        if KINDS[name] == "continuous":
            assert np.array_equal(np.isnan(values), absent)
            assert values[~absent].tolist() == [cell for cell in cells if cell is not None]
        else:
            assert np.array_equal(values < 0, absent)
            labels = [table.levels(name)[code] for code in values if code >= 0]
            assert labels == [str(cell) for cell in cells if cell is not None]


@pytest.mark.parametrize("way", WAYS)
def test_rows_are_left_out_or_refused_when_asked(way, tmp_path):
    table = read(way, tmp_path, missing="drop-rows")
    incomplete = sum(any(cells[row] is None for cells in COLUMNS.values()) for row in range(ROWS))
    assert (table.rows, table.rows_dropped) == (ROWS - incomplete, incomplete)
    assert table.missing_cells == 0
    assert table.checksum == agon.table(sources(tmp_path)["csv"], missing="drop-rows").checksum
    with pytest.raises(agon.InputError, match="missing"):
        read(way, tmp_path, missing="error")
    with pytest.raises(agon.UsageError, match="missing must be"):
        read(way, tmp_path, missing="zero")


def test_refused_cells_have_a_place():
    frame = pd.DataFrame({"a": [1.5, np.nan, 3.0], "b": ["x", "y", None]})
    with pytest.raises(agon.InputError, match=r'missing cells: "a" 1, "b" 1; the first is in row 2 of "a"'):
        agon.table(frame, missing="error")
    with pytest.raises(agon.InputError, match="every row has a missing cell"):
        agon.table(pd.DataFrame({"a": [1.5, np.nan], "b": [None, "x"]}), missing="drop-rows")


@pytest.mark.parametrize("by", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_whole_numbers_follow_the_rule_for_files(by, tmp_path):
    few, some, many = ([k % n for k in range(400)] for n in (5, 12, 40))
    half = [k / 8 for k in range(400)]
    given = {
        "codes": {"few": few, "some": some},
        "with a measurement": {"few": few, "some": some, "half": half},
        "with many": {"few": few, "some": some, "many": many},
        "in few rows": {"few": few[:30], "half": half[:30]},
        "two": {"few": [7, 9] * 4},
    }
    expected = {
        "codes": ["categorical", "categorical"],
        "with a measurement": ["categorical", "continuous", "continuous"],
        "with many": ["categorical", "continuous", "continuous"],
        "in few rows": ["continuous", "continuous"],
        "two": ["categorical"],
    }
    for what, columns in given.items():
        table = agon.table(by(columns))
        assert [table.kind(name) for name in table.names] == expected[what], what
        pd.DataFrame(columns).to_csv(tmp_path / "t.csv", index=False)
        file = agon.table(tmp_path / "t.csv")
        assert table.checksum == file.checksum
        for name in set(columns) & {"few", "some"}:
            assert table.reason(name) == file.reason(name)
    table = agon.table(by(given["with many"]), discrete="many", continuous="few")
    assert table.kind("few") == "continuous" and len(table.levels("many")) == 40


def test_floats_are_numbers_unless_pandas_made_them_of_integers():
    whole = [0.0, 1.0, 2.0] * 20
    assert agon.table({"a": np.array(whole)}).kind("a") == "continuous"
    assert agon.table(pd.DataFrame({"a": whole})).kind("a") == "continuous"
    assert agon.table(pd.DataFrame({"a": [*whole, None]})).kind("a") == "categorical"
    assert agon.table(pd.DataFrame({"a": [*whole, None]}), continuous="a").kind("a") == "continuous"
    assert agon.table(pd.DataFrame({"a": [*whole, 0.5, None]})).kind("a") == "continuous"
    assert agon.table(pl.DataFrame({"a": [*whole, None]})).kind("a") == "continuous"


def test_text_that_says_nothing_is_set_aside_and_said_so():
    cells = [f"id{k}" for k in range(60)]
    often = [f"level {k % 300}" for k in range(3000)]
    table = agon.table(pd.DataFrame({"id": cells, "x": np.arange(60) / 7}))
    assert table.identifiers == ["id"] and table.reason("id") == "identifier"
    found = agon.hc(table)
    assert any('"id"' in note and "identifier" in note for note in found.notes_)
    for frame in (
        pd.DataFrame({"id": pd.Categorical(cells)}),
        pl.DataFrame({"id": cells}).with_columns(pl.col("id").cast(pl.Categorical)),
        pa.table({"id": pa.array(cells).dictionary_encode()}),
    ):
        assert agon.table(frame).identifiers == []
    assert agon.table({"id": cells}, discrete="id").identifiers == []
    for frame in (pd.DataFrame({"a": often}), pl.DataFrame({"a": often}), pa.table({"a": often}), {"a": often}):
        table = agon.table(frame)
        assert len(table.levels("a")) == 255 and "(other)" in table.levels("a")
        assert any("255" in note or "254" in note for note in table.notes)


def test_text_in_a_column_of_numbers_is_taken_as_in_a_file(tmp_path):
    measured = [*(f"{k}.5" for k in range(30)), "<0.5", None, "[9]"]
    cylinders = [*("3468"[k % 4] for k in range(32)), "rotary"] * 2
    for name, cells, missing, levels in (("x", measured, 3, None), ("x", cylinders, 0, ["3", "4", "6", "8", "rotary"])):
        frame = pd.DataFrame({name: cells})
        frame.to_csv(tmp_path / "t.csv", index=False)
        from_file = agon.table(tmp_path / "t.csv")
        text = [None if cell is None else str(cell) for cell in cells]
        for table in (agon.table(frame), agon.table(pl.DataFrame({name: text})), agon.table(pa.table({name: text}))):
            assert table.checksum == from_file.checksum
            assert table.missing_cells == missing
            assert len(table.warnings) == 1 and "column \"x\" holds numbers, and text in 2 of" in table.warnings[0]
            assert (table.levels("x") if levels else None) == levels
    assert 'discrete=["x"]' in agon.table(pd.DataFrame({"x": measured})).warnings[0]
    assert agon.table(pd.DataFrame({"x": measured}), discrete="x").kind("x") == "categorical"
    with pytest.raises(agon.InputError, match="expected a number"):
        agon.table(pd.DataFrame({"x": measured[:31]}), missing="error")


NAMES_OF_ROWS = {
    "text": ("", [f"r{k}" for k in range(30)]),
    "a count": ("", range(30)),
    "a count from 1": ("index", range(1, 31)),
    "what is left of a count": ("", [2 * k + (k > 7) for k in range(30)]),
    "pandas' name": ("Unnamed: 0", [f"r{k}" for k in range(30)]),
}


@pytest.mark.parametrize("case", NAMES_OF_ROWS)
def test_names_of_rows_are_left_out_as_from_a_file(tmp_path, case):
    name, cells = NAMES_OF_ROWS[case]
    path = tmp_path / "t.csv"
    path.write_text(f"{name},x,y\n" + "".join(f"{cell},{k % 7}.5,{k % 2}\n" for k, cell in enumerate(cells)))
    from_file = agon.table(path)
    assert from_file.names == ["x", "y"]
    for frame in (pd.read_csv(path), pd.read_csv(path, dtype={0: str}), pl.read_csv(path), pyarrow.csv.read_csv(path)):
        table = agon.table(frame)
        assert table.checksum == from_file.checksum
        assert len(table.notes) == 1 and "not as a variable" in table.notes[0]
    if name:
        assert agon.table(pl.read_csv(path), discrete=name).names == [name, "x", "y"]


def test_other_first_columns_are_variables():
    x = [0.5, 1.5, 2.25, 0.5]
    assert agon.table({"index": [1, 2, 4, 8], "x": x}).names == ["index", "x"]
    assert agon.table({"Unnamed: 0": ["a", "b", "a", "c"], "x": x}).names == ["Unnamed: 0", "x"]
    assert agon.table({"Unnamed: 0": [0.5, 0.25, 0.75, 0.1], "x": x}).names == ["Unnamed: 0", "x"]
    assert agon.table({"x": x, "index": [0, 1, 2, 3]}).names == ["x", "index"]
    assert agon.table({"index": [0, 1, 2, 3]}).names == ["index"]
    with pytest.raises(agon.InputError, match="column 1 has no name"):
        agon.table(pl.DataFrame({"": ["a", "b", "a", "c"], "x": x}))


def test_delimiters_at_the_end_of_lines_make_no_column(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("x,y,\n" + "".join(f"{k % 7}.5,{k % 2},\n" for k in range(30)))
    from_file = agon.table(path)
    for frame in (pd.read_csv(path), pl.read_csv(path), pyarrow.csv.read_csv(path)):
        assert agon.table(frame).checksum == from_file.checksum
    assert agon.table({"x": [1.5, 2, 3], "y": [2, 2.5, 1], "z": [None] * 3}).names == ["x", "y", "z"]


def test_numbers_printed_for_people_are_taken_as_in_a_file(tmp_path):
    cells = {"price": [f"${1000 * k + 7:,}" for k in range(30)], "share": [f"{k / 4}%" for k in range(29)] + [None]}
    frame = pd.DataFrame(cells)
    frame.to_csv(tmp_path / "t.csv", index=False)
    from_file = agon.table(tmp_path / "t.csv")
    for table in (agon.table(frame), agon.table(pl.DataFrame(cells)), agon.table(pa.table(cells)), agon.table(cells)):
        assert table.checksum == from_file.checksum
        assert table.values("price")[1] == 1007 and table.kind("share") == "continuous"
        assert sum("printed for people" in note for note in table.notes) == 2
    assert agon.table(frame, discrete="price").kind("price") == "categorical"
    plain = pd.DataFrame({"code": [f"{k % 4}" for k in range(40)]})  # somebody chose text for them
    assert agon.table(plain).reason("code") == "text"


def test_levels_that_do_not_occur_are_no_levels():
    many = pd.CategoricalDtype([f"c{k}" for k in range(1000)])
    table = agon.table(pd.DataFrame({"a": pd.Series(["c1", "c999", None] * 5, dtype=many)}))
    assert table.levels("a") == ["c1", "c999"] and table.notes == []
    assert table.values("a").tolist() == [0, 1, -1] * 5


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([None] * 8, dtype=object),
        pd.Series([np.nan] * 8),
        pd.Series([pd.NA] * 8, dtype="Int64"),
        pd.Series([pd.NaT] * 8),
        pd.Series([None] * 8, dtype="category"),
        pl.Series([None] * 8),
        pl.Series([None] * 8, dtype=pl.String),
        pa.nulls(8),
        pa.nulls(8, pa.string()),
        np.array([None] * 8),
    ],
)
def test_a_column_without_a_cell_is_there_and_has_no_edge(column):
    x = [0.5, 1.5, 2.5, 3.5, 0.25, 2.0, 1.0, 7.0]
    by = {pl.Series: pl.DataFrame, pd.Series: pd.DataFrame, np.ndarray: dict}.get(type(column), pa.table)
    table = agon.table(by({"empty": column, "x": x, "y": x[::-1]}))
    assert table.missing_cells == 8
    assert "empty" not in {name for edge in agon.hc(table).dag_.directed for name in edge}


def test_what_stands_for_a_missing_cell():
    for cells in (["a", "b", None] * 9, ["a", "b", np.nan] * 9, ["a", "b", pd.NA] * 9, ["a", "b", pd.NaT] * 9):
        table = agon.table(pd.DataFrame({"a": pd.Series(cells, dtype=object)}))
        assert table.values("a").tolist() == [0, 1, -1] * 9
    matrix = np.ma.masked_array(np.arange(12.0).reshape(6, 2), False)
    matrix[2, 1] = np.ma.masked
    table = agon.table(matrix)
    assert np.isnan(table.values("V2")[2]) and table.missing_cells == 1


def test_text_that_reads_like_a_gap_is_a_level_in_a_frame_and_named(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,x\n" + "".join(f"{'NA' if k % 5 == 0 else 'bc'[k % 2]},{k % 7}.5\n" for k in range(40)))
    assert agon.table(path).missing_cells == 8
    arrow = pa.table({"a": pl.read_csv(path)["a"].to_list()})
    for frame in (pl.read_csv(path), pd.read_csv(path, keep_default_na=False), arrow):
        table = agon.table(frame)
        assert table.levels("a") == ["NA", "b", "c"] and table.missing_cells == 0
        assert [note for note in table.notes if '"NA"' in note and "None in its place" in note] == table.notes
    chosen = agon.table(pd.read_csv(path, keep_default_na=False).astype({"a": "category"}))
    assert chosen.levels("a") == ["NA", "b", "c"] and chosen.notes == []  # somebody listed the categories
    gaps = agon.table(pl.read_csv(path, null_values="NA"))
    assert gaps.checksum == agon.table(path).checksum and gaps.notes == []


# ----------------------------------------------------------------------------------------------- runs


def answer(result):
    return result.record["dag"], result.record["cpdag"], result.score_, result.record["data"]["checksum"]


@pytest.mark.parametrize("policy", ["auto", "em", "level", "draws"])
def test_a_frame_with_gaps_is_answered_as_its_file_is(cli, tmp_path, policy):
    frame = nullable()
    frame.to_csv(tmp_path / "t.csv", index=False)
    words = ["discover", tmp_path / "t.csv", "--missing", policy, "--moves", "1000", "--json", "--quiet"]
    ran = cli(*words)
    assert ran.returncode == 0, ran.stderr
    theirs = json.loads(ran.stdout)
    found = agon.discover(frame, missing=policy, moves=1000, progress=False)
    assert found.certificate_["never_worse"] and found.certificate_["one_optimal"]
    assert found.score_ >= found.opponent_score_
    assert answer(found) == (theirs["dag"], theirs["cpdag"], theirs["score"]["value"], theirs["data"]["checksum"])
    missing = found.record["data"]["missing"]
    assert missing == theirs["data"]["missing"] and missing["cells"] == 72
    assert missing["policy"] == {"auto": "em"}.get(policy, policy)
    assert any("missing" in note for note in found.notes_)


def test_a_table_remembers_what_to_do_about_its_gaps():
    frame = nullable()
    table = agon.table(frame, missing="level")
    plain = agon.discover(frame, missing="level", moves=200, progress=False)
    for held in (table, pickle.loads(pickle.dumps(table))):
        found = agon.discover(held, moves=200, progress=False)
        assert found.record["run"]["options"]["missing"] == "level"
        assert answer(found) == answer(plain)
    asked = agon.discover(table, missing="em", moves=200, progress=False)
    assert asked.record["run"]["options"]["missing"] == "em" and asked.score_ != plain.score_
    with pytest.raises(agon.UsageError, match="read already"):
        agon.discover(table, missing="drop-rows")
    with pytest.raises(agon.UsageError, match="draws has no effect"):
        agon.discover(table, draws=3)
    with pytest.raises(agon.UsageError, match="draws has no effect"):
        agon.score([("x", "y")], table, draws=3)


@pytest.mark.parametrize("policy", ["em", "level", "draws"])
def test_scores_of_a_graph_take_gaps_as_the_command_line_does(cli, tmp_path, policy):
    frame = nullable()
    frame.to_csv(tmp_path / "t.csv", index=False)
    (tmp_path / "g.csv").write_text("from,to\nx,y\ndose,y\nx,dose\n")
    words = ["score", tmp_path / "g.csv", tmp_path / "t.csv", "--missing", policy, "--json", "--quiet"]
    theirs = json.loads(cli(*words).stdout)
    graph = [("x", "y"), ("dose", "y"), ("x", "dose")]
    for ours in (agon.score(graph, frame, missing=policy), agon.score(graph, agon.table(frame, missing=policy))):
        assert (ours.name, ours.total, dict(ours.nodes)) == (theirs["score"], theirs["total"], theirs["nodes"])


def test_a_league_plays_on_tables_with_gaps_and_counts():
    frame = pd.DataFrame({name: COLUMNS[name] for name in ("x", "y", "dose")})
    table = agon.table(frame, counts=[1, 2, 0, 3] * (ROWS // 4), missing="em")
    drawn = table.resampled(1)
    assert drawn.missing_cells > 0 and drawn.options == [("missing", "em")]
    assert drawn.weights.sum() == pytest.approx(table.weights.sum())
    assert drawn.checksum == table.resampled(1).checksum != table.resampled(2).checksum
    found = agon.league(table, opponents=["ges"], bootstrap=2, moves=50)
    assert found.champion_.score_ == agon.discover(table, opponent="ges", moves=50, progress=False).score_
    assert found.champion_.record["data"]["missing"]["policy"] == "em"


# ----------------------------------------------------------------------------------------------- counts and weights


def counted_frame():
    rng = np.random.default_rng(3)
    a = rng.integers(0, 3, 900)
    b = np.where(rng.random(900) < 0.7, a, rng.integers(0, 3, 900))
    c = np.where(rng.random(900) < 0.6, b, rng.integers(0, 3, 900))
    full = pd.DataFrame({"a": a, "b": b, "c": c})
    return full, full.value_counts(sort=False).reset_index(name="n")


@pytest.mark.parametrize("by", ["pandas", "polars", "pyarrow", "mapping", "vector", "csv"])
def test_counts_stand_for_rows(by, tmp_path):
    full, cells = counted_frame()
    cells.loc[len(cells)] = [0, 0, 0, 0]  # a cell that did not occur
    cells.to_csv(tmp_path / "t.csv", index=False)
    given = {
        "pandas": cells,
        "polars": pl.DataFrame(cells.to_dict("list")),
        "pyarrow": pa.table(cells.to_dict("list")),
        "mapping": {name: cells[name].to_numpy() for name in cells},
        "vector": cells.drop(columns="n"),
        "csv": tmp_path / "t.csv",
    }[by]
    table = agon.table(given, counts=cells["n"] if by == "vector" else "n")
    assert table.names == ["a", "b", "c"] and table.rows == len(cells) - 1
    assert [table.kind(name) for name in table.names] == ["categorical"] * 3  # by the 900 rows, not by the 27 cells
    assert table.weights.tolist() == cells["n"][:-1].tolist()
    assert table.checksum == agon.table(tmp_path / "t.csv", counts="n").checksum
    assert any("stand for 900" in note for note in table.notes) and any("Left out 1 of" in n for n in table.notes)
    graph = [("a", "b"), ("b", "c")]
    assert agon.score(graph, table).total == pytest.approx(agon.score(graph, full).total, rel=1e-9)
    mine, theirs = (agon.discover(t, moves=200, progress=False) for t in (table, full))
    assert mine.record["cpdag"] == theirs.record["cpdag"]
    assert mine.record["data"]["weights"] == {"total": 900}
    assert pickle.loads(pickle.dumps(table)).weights.tolist() == table.weights.tolist()


def test_weights_are_rescaled_to_the_effective_number_of_rows(tmp_path):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=50), "y": rng.normal(size=50), "w": rng.uniform(1, 3, 50)})
    frame.to_csv(tmp_path / "t.csv", index=False)
    w = frame["w"].to_numpy()
    by_name, by_vector = agon.table(frame, weights="w"), agon.table(frame[["x", "y"]].to_numpy(), "xy", weights=w)
    assert by_name.weights.sum() == pytest.approx(w.sum() ** 2 / (w**2).sum())
    assert by_name.checksum == by_vector.checksum == agon.table(tmp_path / "t.csv", weights="w").checksum
    found = agon.discover(frame, weights="w", moves=50, progress=False)
    assert found.record["run"]["options"]["weights"] == "w"
    assert agon.discover(frame.drop(columns="w"), weights=w, moves=50, progress=False).score_ == found.score_
    assert agon.table(frame, weights=np.ones(50)).weights is None  # equal weights say nothing


def test_weights_that_cannot_be_are_refused(tmp_path):
    frame = pd.DataFrame({"x": [0.5, 1.5, 2.5], "n": [1, -1, 2], "part": [0.5, 1.0, 2.0], "gap": [1.0, None, 2.0]})
    for options, said in (
        ({"counts": "n"}, r'"n": found -1 in row 2, expected a whole number, 0 or more'),
        ({"counts": "part"}, r'"part": found 0.5 in row 1'),
        ({"weights": "gap"}, r'"gap": found a missing cell in row 2, expected a number, 0 or more'),
        ({"weights": [0, 0, 0]}, "is 0 in every row"),
    ):
        with pytest.raises(agon.InputError, match=said) as error:
            agon.table(frame, **options)
        assert "--" not in str(error.value)
    for options, said in (
        ({"counts": "k"}, "no such column"),
        ({"counts": [1, 2]}, "has 3 rows"),
        ({"counts": "n", "weights": "part"}, "together"),
        ({"counts": "n", "drop": "n"}, "both"),
        ({"weights": 3}, "has 3 rows"),
    ):
        with pytest.raises(agon.UsageError, match=said):
            agon.table(frame, **options)
    frame.to_csv(tmp_path / "t.csv")
    with pytest.raises(agon.UsageError, match="name of a column"):
        agon.table(tmp_path / "t.csv", counts=[1, 2, 3])


def test_a_pickled_table_is_the_same_table():
    table = agon.table(nullable(), weights=np.arange(1.0, ROWS + 1), missing="draws", draws=4)
    again = pickle.loads(pickle.dumps(table))
    for what in ("checksum", "names", "identifiers", "missing_cells", "notes", "options", "rows", "kinds_inferred"):
        assert getattr(again, what) == getattr(table, what), what
    assert again.weights.tolist() == table.weights.tolist()
    assert [again.reason(n) for n in again.names] == [table.reason(n) for n in table.names]
    for name in table.names:
        assert np.array_equal(again.values(name), table.values(name), equal_nan=table.kind(name) == "continuous")
    assert agon.table(nullable()).options == []


def test_coefficients_come_from_the_rows_that_show_a_family():
    rng = np.random.default_rng(1)
    x = rng.normal(size=400)
    frame = pd.DataFrame({"x": x, "y": 2 * x + 0.1 * rng.normal(size=400)})
    frame.loc[::7, "y"] = np.nan
    (cause, effect) = agon.ges(frame, score="gaussian-bic").dag_.directed[0]
    slope = agon.ges(frame, score="gaussian-bic").to_lingam().loc[effect, cause]
    seen = frame.dropna() - frame.dropna().mean()
    assert slope == pytest.approx((seen[cause] @ seen[effect]) / (seen[cause] @ seen[cause]))


def test_a_matrix_of_covariances_is_read_from_a_file(tmp_path):
    (tmp_path / "c.csv").write_text("name,a,b\na,1,0.5\nb,0.5,1\n")
    found = agon.discover(tmp_path / "c.csv", covariance=True, rows=100, moves=10, progress=False)
    assert len(found.dag_) == 1 and found.record["data"]["rows"] == 100
    table = agon.table(tmp_path / "c.csv", covariance=True, rows=100)
    assert agon.hc(table).score_ == found.score_
    with pytest.raises(agon.UsageError, match="has no rows to send"):
        pickle.dumps(table)
    with pytest.raises(agon.UsageError, match="covariance has no effect"):
        agon.table(pd.DataFrame({"a": [1.5, 2.5]}), covariance=True)
