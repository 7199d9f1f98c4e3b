"""Effects from Python: the same figures as on the command line, and errors that help."""

import json
import os
import subprocess

import agon
import pytest


@pytest.fixture(scope="module")
def asia():
    return agon.ges("asia", rows=2000)


def test_same_as_the_command_line(asia, tmp_path):
    asia.save(tmp_path / "result.json")

    def command(*words):
        binary = os.environ.get("AGON_BINARY", "build/agon")
        done = subprocess.run([binary, *words, "--json", "--quiet"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    place = str(tmp_path)
    effect = command("effect", place, "asia", "--rows", "2000", "--of", "smoke", "--on", "dysp")
    assert asia.effect("smoke", "dysp").record == effect
    effects = command("effects", place, "asia", "--rows", "2000", "--on", "dysp")
    assert asia.effects(on="dysp").to_dict("records") == effects["effects"]
    assert asia.next(2).record == command("next", place, "--budget", "2")
    chosen = command("next", place, "asia", "--rows", "2000", "--of", "smoke", "--on", "dysp")
    assert asia.next(of="smoke", on="dysp").record == chosen


def test_a_loaded_result_needs_its_table(asia, tmp_path):
    asia.save(tmp_path / "result.json")
    loaded = agon.Result.load(tmp_path / "result.json")
    with pytest.raises(agon.UsageError, match="data="):
        loaded.effect("smoke", "dysp")
    table = agon.table("asia", rows=2000)
    assert loaded.effect("smoke", "dysp", data=table).record == asia.effect("smoke", "dysp").record
    with pytest.raises(agon.InputError, match="another table"):
        loaded.effect("smoke", "dysp", data=agon.table("asia", rows=1000))


def test_numbers_from_a_frame():
    pandas = pytest.importorskip("pandas")
    numpy = pytest.importorskip("numpy")
    rng = numpy.random.default_rng(0)
    z = rng.normal(size=2000)
    x = z + rng.normal(size=2000)
    w = rng.normal(size=2000)
    y = 2 * x - z + w + rng.normal(size=2000)
    frame = pandas.DataFrame({"x": x, "y": y, "z": z, "w": w})
    result = agon.ges(frame, score="gaussian-bic", knowledge={"tiers": [["z", "w"], ["x"], ["y"]]})
    effect = result.effect("x", "y")
    assert effect.identified_
    row = effect.possible_.iloc[0]
    design = numpy.column_stack([numpy.ones(2000), x, *(frame[name] for name in row["adjusted_for"])])
    assert row["effect"] == pytest.approx(numpy.linalg.lstsq(design, y, rcond=None)[0][1], abs=1e-10)
    assert row["low"] < 2 < row["high"]
    assert effect.range_ == (row["effect"], row["effect"])
    with pytest.raises(agon.UsageError, match="knowledge="):
        result.effect("x", "y", bootstrap=2)
    again = result.effect("x", "y", bootstrap=5, knowledge={"tiers": [["z", "w"], ["x"], ["y"]]})
    assert again.record["resampled"]["graph"]
    assert "Assumed" in str(again)


def test_mistakes(asia):
    with pytest.raises(agon.UsageError, match="did you mean smoke"):
        asia.effect("smok", "dysp")
    with pytest.raises(agon.UsageError, match="named twice"):
        asia.effect("smoke", "smoke")
    with pytest.raises(agon.UsageError, match="levels"):
        asia.effect("smoke", "dysp", levels=["no"])
    with pytest.raises(agon.UsageError, match="either"):
        asia.effects()


def test_categories_set_together():
    """Every combination of levels has its probabilities, and the table of possible effects names both causes."""
    found = agon.ges("asia", rows=2000).effect(["smoke", "either"], "dysp")
    assert set(found.possible_["of"]) == {"smoke, either"}
    under = [one for one in found.record["possible"][0]["under"] if one["level"] == "yes"]
    assert [one["set_to"] for one in under] == ["no, no", "no, yes", "yes, no", "yes, yes"]
    assert all(one["low"] <= one["value"] <= one["high"] for one in under)
    assert "smoke, either together" in str(found)
