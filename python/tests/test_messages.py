"""What agon says to users of Python is spelled as Python spells it, and suggests what was meant."""

import pickle
import re
import warnings

import numpy as np
import pandas as pd
import pytest

import agon

OPTION = re.compile(r"(?<![\w-])--[a-z]{2}|`agon list")
FRAME = pd.DataFrame({"age": [1.5, 2.5, 3.5, 4.0] * 10, "sex": ["f", "m"] * 20, "dose": [1, 2, 3, 4] * 10})


def refused(**options):
    with pytest.raises((agon.UsageError, agon.InputError)) as caught:
        agon.discover(FRAME, progress=False, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    "options, meant",
    [
        ({"bootsrap": 5}, "did you mean bootstrap?"),
        ({"max_parent": 5}, "did you mean max_parents?"),
        ({"time_limits": 5}, "did you mean time_limit?"),
        ({"discreet": ["age"]}, "did you mean discrete?"),
        ({"discrete": ["agee"]}, "did you mean age?"),
        ({"weights": "dos"}, "did you mean dose?"),
        ({"score": "mixed-bc"}, "did you mean mixed-bic?"),
        ({"opponent": "gess"}, "did you mean ges?"),
        ({"challenger": "lokal"}, "local"),
        ({"missing": "drop-row"}, "drop-rows"),
        ({"knowledge": {"tier": []}}, "did you mean tiers?"),
        ({"knowledge": {"required": [("agee", "sex")]}}, "did you mean age?"),
        ({"start": [("age", "sexx")]}, "did you mean sex?"),
    ],
)
def test_a_typo_is_told_what_was_meant(options, meant):
    said = refused(**options)
    assert meant in said
    assert not OPTION.search(said), said


@pytest.mark.parametrize(
    "call, meant",
    [
        (lambda: agon.table(FRAME, discreet=["age"]), "did you mean discrete?"),
        (lambda: agon.score([], FRAME, penalti=2), "did you mean penalty?"),
        (lambda: agon.ges(FRAME, penalti=2), "did you mean penalty?"),
        (lambda: agon.league(FRAME, ["ges"], penalti=2), "did you mean penalty?"),
        (lambda: agon.datasets.load("aisa"), "did you mean asia?"),
        (lambda: agon.ges(FRAME).graph("cpdga"), "did you mean cpdag?"),
        (lambda: agon.ges(FRAME).to_text("dott"), "did you mean dot?"),
        (lambda: agon.ges(FRAME).to_pcalg(kind="pg"), "did you mean pag?"),
        (lambda: agon.Champion().set_params(bootsrap=3), "did you mean bootstrap?"),
        (lambda: agon.Champion(options={"max_parent": 3}).fit(FRAME), "did you mean max_parents?"),
    ],
)
def test_so_is_one_elsewhere(call, meant):
    with pytest.raises((agon.UsageError, agon.InputError)) as caught:
        call()
    assert meant in str(caught.value)
    assert not OPTION.search(str(caught.value))


def test_no_error_has_an_option_of_the_command_line(tmp_path):
    """Wrong values of every option, and wrong files."""
    said = []

    def gather(call):
        try:
            call()
        except (agon.UsageError, agon.InputError, agon.ScoreUndefined) as error:
            said.append(str(error))

    for kind, run in (("discover", agon.discover), ("run", agon.hc)):
        for name, *_ in agon._agon.options_of(kind):
            argument = {"lambda": "lambda_"}.get(name, name.replace("-", "_"))
            for value in (-7, "nonsense", ["nonsense"], 1e9, True):
                if argument == "threads" and value != "nonsense":
                    continue
                # An order to stop at once, for the values that are not refused.
                limits = {"bootstrap": 0} if argument == "moves" or run is agon.hc else {"moves": 0, "bootstrap": 0}
                gather(lambda: run(FRAME, **{"progress": False, "time_limit": 5, **limits, argument: value}))
    for text in (
        "",
        "a,b\n",
        "a,b\n1,2\n3\n",
        "a,a\n1,2\n",
        ",b\n1,2\n",
        "a;b\n1,5;2\n",
        "a,b\n1,x\n2,3\n4,5\n6,7\n" * 9,
    ):
        path = tmp_path / "t.csv"
        path.write_text(text)
        for options in ({}, {"missing": "error"}, {"continuous": ["b"]}, {"drop": ["a", "b"]}, {"counts": "b"}):
            gather(lambda: agon.discover(path, progress=False, moves=0, **options))
    assert len(said) > 100
    for text in said:
        assert not OPTION.search(text), text


def test_no_note_or_warning_has_one_either(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    troubled = pd.DataFrame({
        "x": x, "twin": x, "sum": x + 1, "y": x**2 + 0.1 * rng.normal(size=300), "still": 1.0,
        "id": [f"p{k}" for k in range(300)], "rare": ["a"] * 298 + ["b", "c"],
        "gaps": np.where(rng.random(300) < 0.6, np.nan, rng.normal(size=300)), "n": range(300),
    })  # fmt: skip
    (tmp_path / "noname.csv").write_text("1.5,2.5\n3.5,1.5\n0.5,9\n" * 20)
    results = [agon.discover(troubled, progress=False, moves=100)]
    results += [
        agon.discover(troubled, progress=False, moves=0, missing=how) for how in ("level", "draws", "drop-rows")
    ]
    results += [agon.discover(tmp_path / "noname.csv", progress=False, moves=0), agon.fci(FRAME), agon.pc(FRAME)]
    results += [agon.discover("alarm", rows=50, progress=False, moves=100, bootstrap=3, truth="alarm")]
    results += [agon.discover("andes", rows=200, progress=False, moves=0, bootstrap=0, opponent="none", start=None)]
    texts = [
        text for found in results for text in (*found.notes_, *found.warnings_, str(found), found.summary(full=True))
    ]
    assert len(texts) > 50
    for text in texts:
        assert not OPTION.search(text), text
    for listed in (agon.list_algorithms(), agon.list_challengers(), agon.list_scores(), agon.datasets.list_all()):
        assert not OPTION.search(listed.to_csv())
    assert any("header" in text for text in results[4].warnings_)  # the first row was taken as names


def test_warnings_are_issued_once_each_and_kept_apart(tmp_path):
    x = np.random.default_rng(0).normal(size=(60, 2))
    table = agon.table({"a": x[:, 0], "b": x[:, 1], "twin": x[:, 0], "still": np.ones(60)})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = agon.discover(table, moves=10, progress=False)
    assert [str(one.message) for one in caught] == found.warnings_
    assert all(one.category is agon.DataWarning and one.filename == __file__ for one in caught)
    assert any("twin" in text for text in found.warnings_)
    assert any("still" in note for note in found.notes_)
    assert not set(found.notes_) & set(found.warnings_)
    found.save(tmp_path / "result.json")
    assert agon.Result.load(tmp_path / "result.json").warnings_ == found.warnings_
    for call in (
        lambda: agon.hc(table),
        lambda: agon.Champion(moves=10).fit(table),
        lambda: agon.league(table, ["hc"], 2),
    ):
        with pytest.warns(agon.DataWarning, match="twin") as issued:
            call()
        assert len(issued) == 1 and issued[0].filename == __file__


def test_a_clean_table_gives_no_warning():
    x = np.random.default_rng(0).normal(size=(200, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert agon.discover(x, moves=10, progress=False).warnings_ == []


def test_many_warnings_are_cut_short():
    x = np.random.default_rng(0).normal(size=200)
    copies = {f"c{k}": x + (k // 2) * np.arange(200) ** (1 + k // 2 % 3) for k in range(40)}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = agon.hc(copies, max_parents=1)
    assert len(found.warnings_) > 12 and len(caught) == 11
    assert "more warnings" in str(caught[-1].message)


def test_warnings_about_a_file_travel_with_its_table(tmp_path):
    (tmp_path / "noname.csv").write_text("1.5,2.5\n3.5,1.5\n0.5,9\n" * 20)
    table = agon.table(tmp_path / "noname.csv")
    assert any("header" in text for text in table.warnings)
    assert pickle.loads(pickle.dumps(table)).warnings == table.warnings
    with pytest.warns(agon.DataWarning, match="no_header=True"):
        agon.hc(table)
