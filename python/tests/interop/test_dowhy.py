"""A discovered DAG goes into DoWhy and identifies an effect."""

import numpy as np
import pandas as pd
import pytest

import agon

dowhy = pytest.importorskip("dowhy")


@pytest.fixture(scope="module")
def frame():
    # a -> t <- b directs everything below; z confounds t and y.
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(2, 3000))
    z = a + b + rng.normal(size=3000)
    t = 0.8 * z + rng.normal(size=3000)
    y = 1.5 * t + 0.7 * z + rng.normal(size=3000)
    return pd.DataFrame({"a": a, "b": b, "z": z, "t": t, "y": y})


def test_an_effect_is_identified_and_estimated(frame):
    found = agon.discover(
        frame, score="gaussian-bic", knowledge={"tiers": [["a", "b"], ["z"], ["t"], ["y"]]}, moves=2000, progress=False
    )
    assert set(found.dag_.directed) == {("a", "z"), ("b", "z"), ("z", "t"), ("t", "y"), ("z", "y")}
    model = dowhy.CausalModel(data=frame, treatment="t", outcome="y", graph=found.to_dowhy())
    estimand = model.identify_effect(proceed_when_unidentifiable=True)
    assert estimand.get_backdoor_variables() == ["z"]
    effect = model.estimate_effect(estimand, method_name="backdoor.linear_regression")
    assert effect.value == pytest.approx(1.5, abs=0.1)
    # The same graph and the same adjustment set: the same estimate.
    ours = found.effect("t", "y").possible_
    assert ours["adjusted_for"].tolist() == [("z",)]
    assert ours["effect"][0] == pytest.approx(effect.value, abs=1e-8)
    low, high = effect.get_confidence_intervals().ravel()
    assert (ours["low"][0], ours["high"][0]) == pytest.approx((low, high), abs=1e-8)


def test_gml_text_works_too(frame):
    found = agon.ges(frame, score="gaussian-bic", knowledge={"tiers": [["a", "b"], ["z"], ["t"], ["y"]]})
    model = dowhy.CausalModel(data=frame, treatment="t", outcome="y", graph=found.to_gml())
    assert model.identify_effect(proceed_when_unidentifiable=True).get_backdoor_variables() == ["z"]
