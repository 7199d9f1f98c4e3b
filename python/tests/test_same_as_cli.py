"""The command line and Python go one road: same data, options and seed, same graph, same figures, same complaints."""

import json

import pytest

import agon


def same(python, cli_json):
    """Equal but for what names the caller and what a clock says."""
    left, right = dict(python), dict(cli_json)
    for record in (left, right):
        record["run"] = {k: v for k, v in record["run"].items() if k not in ("command", "seconds")}
        record["history"] = [{k: v for k, v in h.items() if k != "seconds"} for h in record.get("history", [])]
        for opponent in [record.get("opponent", {}), *record.get("opponents", [])]:
            opponent.pop("seconds", None)
        record.get("bootstrap", {}).pop("seconds", None)
        for part in ("seconds", "check"):
            record.get("certificate", {}).get("optimum", {}).pop(part, None)
    return left == right


@pytest.mark.parametrize(
    "name, words, options",
    [
        ("asia", ["--rows", "700", "--moves", "5000"], {"rows": 700, "moves": 5000}),
        ("asia", ["--rows", "500", "--seed", "3", "--bootstrap", "5"], {"rows": 500, "seed": 3, "bootstrap": 5}),
        ("sachs", ["--opponent", "ges,tabu", "--moves", "4000"], {"opponent": ["ges", "tabu"], "moves": 4000}),
        (
            "asia",
            ["--start", "asia", "--truth", "asia", "--moves", "100"],
            {"start": "asia", "truth": "asia", "moves": 100},
        ),
    ],
)
def test_discover_writes_the_same_result(cli, name, words, options):
    theirs = cli("discover", name, *words, "--json", "--quiet")
    assert theirs.returncode == 0, theirs.stderr
    ours = agon.discover(name, progress=False, **options)
    assert same(ours.record, json.loads(theirs.stdout))


def test_a_frame_and_its_file_give_the_same_graph_and_score(cli, tmp_path):
    frame = agon.datasets.load("child", rows=400)
    frame.to_csv(tmp_path / "child.csv", index=False)
    theirs = json.loads(cli("discover", tmp_path / "child.csv", "--moves", "3000", "--json", "--quiet").stdout)
    for ours in (
        agon.discover(frame, moves=3000, progress=False),
        agon.discover(tmp_path / "child.csv", moves=3000, progress=False),
    ):
        assert ours.record["dag"] == theirs["dag"]
        assert ours.record["cpdag"] == theirs["cpdag"]
        assert ours.score_ == theirs["score"]["value"]
        assert ours.record["data"]["checksum"] == theirs["data"]["checksum"]


@pytest.mark.parametrize(
    "words, call",
    [
        (["discover", "asia", "--opponent", "gess"], lambda: agon.discover("asia", opponent="gess")),
        (["discover", "asia", "--moves", "-3"], lambda: agon.discover("asia", moves=-3)),
        (["discover", "asia", "--score", "gauss-bic"], lambda: agon.discover("asia", score="gauss-bic")),
        (
            ["discover", "asia", "--penalty", "2", "--score", "bdeu"],
            lambda: agon.discover("asia", penalty=2.0, score="bdeu"),
        ),
        (["discover", "asai"], lambda: agon.discover("asai")),
        (["discover", "asia", "--knowledge", "none.txt"], lambda: agon.discover("asia", knowledge="none.txt")),
        (["score", "alarm", "asia"], lambda: agon.score("alarm", "asia")),
    ],
)
def test_complaints_are_those_of_the_command_line(cli, words, call):
    theirs = cli(*words, *([] if words[0] == "score" else ["--quiet"]))
    with pytest.raises((agon.InputError, agon.UsageError)) as ours:
        call()
    assert theirs.stderr.strip().replace("--", "").replace("-", "_").endswith(str(ours.value).replace("-", "_"))
    assert theirs.returncode == (2 if ours.type is agon.UsageError else 3)


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda path: agon.discover(path, missing="error"), 'missing="drop-rows" would keep the 2 complete rows'),
        (
            lambda path: agon.discover(path, missing="zero"),
            "missing must be auto, em, draws, level, drop-rows or error",
        ),
        (lambda path: agon.discover(path, missing="em", draws=3), 'draws has no effect: missing="em" draws nothing'),
        (
            lambda path: agon.discover(path, missing="em", score="discrete-bic"),
            'hint: pass missing="draws", or a score that takes missing cells, such as score="mixed-bic"',
        ),
        (lambda path: agon.discover(path, counts="c"), 'counts: the table has no column "c"'),
        (
            lambda path: agon.discover(path, counts="b"),
            "hint: counts names a column that says how often each row counts",
        ),
        (lambda path: agon.discover("asia", ess=5.0), "hint: pass score=\"bdeu\" or bds with it"),
        (
            lambda path: agon.discover("asia", challenger="local", lambda_=0.1),
            "lambda_ has no effect on the challenger local",
        ),
        (lambda path: agon.discover("asia", challenger="nobody"), "challenger must be auto, local, flat or paper"),
        (lambda path: agon.discover("asia", penalty=-1.0), "penalty must be 0 or more"),
        (lambda path: agon.discover("asia", time_limit="soon"), 'time_limit="soon" is not a length of time'),
    ],
)
def test_hints_are_in_the_words_of_python(tmp_path, call, said):
    path = tmp_path / "holes.csv"
    path.write_text("a,b\n1,2\n3,\n4,5\n")
    with pytest.raises((agon.InputError, agon.UsageError)) as error:
        call(str(path))
    assert said in str(error.value)
    assert "--" not in str(error.value)


def test_scores_and_measures(cli, tmp_path):
    theirs = json.loads(cli("score", "asia", "asia", "--json", "--quiet").stdout)
    ours = agon.score("asia", "asia")
    assert (ours.name, ours.total, dict(ours.nodes)) == (theirs["score"], theirs["total"], theirs["nodes"])
    assert float(ours) == ours.total

    found = agon.ges(agon.datasets.load("asia", rows=300))
    path = tmp_path / "dag.csv"
    path.write_text(found.to_text("csv"))
    assert agon.compare("asia", found) == json.loads(cli("compare", "asia", path, "--json", "--quiet").stdout)


def test_samples_are_the_same_rows(cli):
    theirs = cli("sample", "asia", "-n", "50", "--seed", "7", "--quiet").stdout
    assert agon.sample("asia", rows=50, seed=7).to_csv(index=False) == theirs


def test_a_saved_result_is_verified_by_the_command_line(cli, tmp_path):
    frame = agon.datasets.load("asia", rows=400)
    frame.to_csv(tmp_path / "asia.csv", index=False)
    result, data = tmp_path / "result.json", tmp_path / "asia.csv"
    agon.discover(frame, moves=1000, progress=False).save(result)
    assert cli("verify", result, data).returncode == 0

    agon.discover(frame, moves=1000, knowledge={"forbidden": [("smoke", "lung")]}, progress=False).save(result)
    asked = cli("verify", result, data)
    assert asked.returncode == 3 and "is in no file" in asked.stderr
    (tmp_path / "known.csv").write_text("from,to,type\nsmoke,lung,forbidden\n")
    assert cli("verify", result, data, "--knowledge", tmp_path / "known.csv").returncode == 0
