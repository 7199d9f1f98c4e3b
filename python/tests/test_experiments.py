"""Rows of experiments: the same from labels in memory as from the columns of a file, and shown in the result."""

import pickle

import agon
import numpy as np
import pandas as pd
import pytest

ROWS = 240


def frame():
    rng = np.random.default_rng(7)
    day = np.where(np.arange(ROWS) % 2, "mon", "tue")
    is_set = np.arange(ROWS) % 3 == 0
    x = rng.normal(size=ROWS)
    y = np.where(is_set, rng.normal(size=ROWS), x + 0.5 * rng.normal(size=ROWS))
    z = y + 0.5 * rng.normal(size=ROWS)
    return pd.DataFrame({"x": x, "y": y, "z": z, "set": np.where(is_set, "y", ""), "day": day})


@pytest.fixture
def file(tmp_path):
    frame().to_csv(tmp_path / "t.csv", index=False)
    return tmp_path / "t.csv"


def test_columns_and_labels_by_row_say_what_a_file_says(file):
    data = frame()
    bare = data[["x", "y", "z"]]
    told = agon.table(file, targets="set", within="day")
    sets = [{"y"} if cell else set() for cell in data["set"]]
    for table in (
        agon.table(data, targets="set", within="day"),
        agon.table(data, targets="set", within=["day"]),
        agon.table(bare, targets=sets, within=data["day"]),
        agon.table(bare, targets=[cell or None for cell in data["set"]], within={"day": data["day"].to_numpy()}),
        agon.table(bare.to_numpy(), "xyz", targets=data["set"].to_numpy(), within=list(data["day"])),
    ):
        assert table.checksum == told.checksum
        assert table.experiments == told.experiments
        assert table.names == ["x", "y", "z"]
    assert [name for name, *_ in told.experiments] == [
        "observation / mon", "observation / tue", "y / mon", "y / tue"
    ]  # fmt: skip
    assert told.experiment.tolist()[:2] == [3, 0]


def test_what_an_experiment_set_may_be_said_by_its_label(file, tmp_path):
    (tmp_path / "set.csv").write_text("experiment,targets\nmon,z\n")
    told = agon.table(file, experiment="day", targets=str(tmp_path / "set.csv"), drop="set", intervention="soft")
    assert told.experiments == [("mon", ["z"], "soft", "mon"), ("tue", [], "soft", "tue")]
    data = frame().drop(columns="set")
    for targets in ({"mon": "z"}, {"mon": ["z"], "tue": []}, {"mon": {"z"}, "tue": None}, str(tmp_path / "set.csv")):
        table = agon.table(data, experiment="day", targets=targets, intervention="soft")
        assert (table.checksum, table.experiments) == (told.checksum, told.experiments)
    table = agon.table(data[["x", "y", "z"]], experiment=data["day"], targets={"mon": "z"}, within="none")
    assert [batch for *_, batch in table.experiments] == ["", ""]
    assert agon.table(data, experiment="day", targets={"mon": "z", "sun": "x"}).warnings == [
        'the experiment "sun" of targets has no row in column "day"',
        'targets has no line for "tue": taken as observation',
    ]


def test_rows_that_are_left_out_take_their_labels_along():
    data = frame()
    kept = agon.table(data[1:-1], targets="set", within="day")
    data.loc[0, "x"] = None
    data["n"] = [1] * (ROWS - 1) + [0]
    table = agon.table(data, targets="set", within="day", counts="n", missing="drop-rows")
    assert table.experiment.tolist() == kept.experiment.tolist()
    assert table.experiments == kept.experiments


def test_a_result_shows_experiments_and_treatments(file):
    found = agon.boss(frame(), targets="set", within="day")
    assert found.record["class"] == "interventional"
    assert found.record["run"]["options"]["targets"] == "set"
    shown = found.experiments_
    assert shown.columns.tolist() == ["experiment", "rows", "targets", "moved"]
    assert shown["rows"].sum() == ROWS and shown.loc[2, "targets"] == ["y"]
    ways = found.treatments_
    assert sorted(ways["treatment"]) == ["pooled", "targets", "targets + within", "within"]
    assert ways["used"].sum() == 1 and ways.set_index("treatment").loc["targets", "used"]
    assert set(found.edges_["arrow"]) == {"by experiment"}
    assert "Teal: fixed by experiments." in found._repr_html_()
    assert found.score_ == agon.boss(file, targets="set", within="day").score_
    by_row = agon.boss(frame()[["x", "y", "z"]], targets=list(frame()["set"]), within=frame()["day"])
    assert by_row.score_ == found.score_ and by_row.record["run"]["options"]["targets"] == ""
    plain = agon.boss(frame()[["x", "y", "z"]])
    assert plain.record["class"] == "observational" and plain.experiments_.empty and plain.treatments_.empty


def test_the_data_set_with_experiments():
    with pytest.warns(agon.DataWarning, match="without targets the fit is better by 45 nats"):
        found = agon.boss("sachs-experiments")
    assert (found.edges_["arrow"] == "by experiment").sum() == 9
    table = agon.table("sachs-experiments", within="none", intervention="soft")
    assert table.experiments[-1] == ("pma", ["PKC"], "soft", "")
    assert agon.datasets.load("sachs-experiments").shape == (7466, 11)


def test_context_has_no_causes():
    data = frame().drop(columns="set")
    found = agon.tabu(data, context="day")
    assert "day" not in set(found.edges_["to"])
    assert found.record["knowledge"]["forbidden"] == 3


def test_experiments_survive_pickling():
    table = agon.table(frame(), targets="set", within="day", intervention="soft")
    again = pickle.loads(pickle.dumps(table))
    assert (again.checksum, again.experiments) == (table.checksum, table.experiments)
    assert again.experiment.tolist() == table.experiment.tolist()
    drawn = table.resampled(1)
    assert drawn.experiments == table.experiments


def test_what_says_nothing_is_refused(file):
    data = frame()
    for options, words in (
        ({"targets": "sets"}, "did you mean set"),
        ({"targets": [{"w"}] + [None] * (ROWS - 1)}, 'sets "w", and there is no such column'),
        ({"targets": ["y"]}, "has 1 labels; DataFrame has 240 rows"),
        ({"targets": 3}, "is neither"),
        ({"targets": {"mon": "z"}}, "targets by label need the labels"),
        ({"targets": ["y"] * ROWS}, 'every row comes from an experiment that sets "y"'),
        ({"experiment": "day", "targets": {"mon": 4}}, "and 4 is not"),
        ({"experiment": [None] * ROWS}, "experiment: row 1 has no label"),
        ({"experiment": "day", "within": "day"}, "both"),
        ({"within": "none"}, "there are no experiments"),
        ({"intervention": "soft"}, "nothing was set"),
        ({"targets": "set", "intervention": "hard"}, "neither perfect nor soft"),
    ):
        with pytest.raises((agon.UsageError, agon.InputError), match=words):
            agon.table(data, **options)
    with pytest.raises(agon.UsageError, match="experiment must be the name of a column of"):
        agon.table(file, experiment=data["day"])


def test_rows_of_an_experiment_are_those_of_the_command_line(cli):
    drawn = agon.sample("asia", rows=60, seed=2, do={"bronc": "no", "smoke": "yes"}, targets="set")
    words = ["sample", "asia", "--rows", "60", "--seed", "2", "--do", "smoke=yes,bronc=no", "--targets", "set"]
    assert drawn.to_csv(index=False) == cli(*words).stdout
    soft = agon.sample("asia", rows=60, do={"smoke": "yes"}, intervention="soft")
    assert set(soft["smoke"]) == {"yes", "no"}
    with pytest.raises(agon.UsageError, match="did you mean smoke"):
        agon.sample("asia", do={"smok": "yes"})
    with pytest.raises(agon.UsageError, match='no intervention "hard"'):
        agon.sample("asia", do={"smoke": "yes"}, intervention="hard")
