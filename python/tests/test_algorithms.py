"""Every algorithm as a function."""

import numpy as np
import pandas as pd
import pytest

import agon
from agon import _agon

QUICK = {
    "grandag": {"time_limit": 2},
    **{name: {"iterations": 20} for name in ("rl-bic", "kcrl", "corl", "dag-gnn")},
}


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(4)
    x = rng.laplace(size=300)
    y = x + rng.laplace(size=300)
    return pd.DataFrame({"x": x, "y": y, "z": y + rng.laplace(size=300)})


@pytest.mark.parametrize("name", [name for name, *_ in _agon.opponents()])
def test_it_runs_and_says_who_it_was(name, numbers):
    options = {"start": [("x", "y")]} if name == "file" else QUICK.get(name, {})
    found = getattr(agon, name.replace("-", "_"))(numbers, seed=1, **options)
    assert found.record["run"]["algorithm"] == name
    assert found.opponent_score_ is None and found.certificate_ is None
    assert found.score_ == pytest.approx(agon.score(found, numbers).total)
    assert found.history_.empty


def test_options_of_the_command_line_are_taken():
    found = agon.pc("asia", rows=500, test="chi2", alpha=0.05, truth="asia")
    assert found.record["run"]["options"]["alpha"] == 0.05
    assert found.metrics_["shd"] >= 0
    with pytest.raises(agon.UsageError, match="start has no effect on boss"):
        agon.boss("asia", start=[("smoke", "lung")])
    with pytest.raises(agon.UsageError, match=r"needs start=\.\.\."):
        agon.file("asia")


def test_data_sets_and_their_truths():
    listed = agon.datasets.list_all()
    assert {"asia", "alarm", "sachs"} <= set(listed.index)
    frame = agon.datasets.load("alarm", rows=20, seed=2)
    assert frame.shape == (20, 37) and not frame.equals(agon.datasets.load("alarm", rows=20))
    assert len(agon.datasets.truth("alarm")) == listed.loc["alarm", "edges"]
    with pytest.raises(agon.InputError, match="alarm"):
        agon.datasets.load("alram")
