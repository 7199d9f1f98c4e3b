"""agon.Champion beside scikit-learn."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import agon


@parametrize_with_checks([agon.Champion(moves=200)])
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def asia():
    return agon.datasets.load("asia", rows=500)


def test_an_estimator_gives_what_discover_gives(asia):
    model = agon.Champion(opponent="ges", seed=3, moves=1000, options={"players": 3})
    assert model.fit(asia) is model
    plain = agon.discover(asia, opponent="ges", seed=3, moves=1000, players=3, progress=False)
    assert model.result_.record["dag"] == plain.record["dag"]
    for result in (model.result_, plain):  # what a clock says
        for part in ("seconds", "check"):
            result.record["certificate"]["optimum"].pop(part)
    for name in ("score_", "opponent_score_", "dag_", "cpdag_", "certificate_"):
        assert getattr(model, name) == getattr(plain, name)
    assert model.adjacency_matrix_.equals(plain.adjacency_matrix_)
    assert model.edges_.equals(plain.edges_)
    assert model.n_features_in_ == 8
    assert model.feature_names_in_.tolist() == list(asia.columns)


def test_columns_that_are_no_variables_are_features(asia):
    frame = asia.reset_index()  # "index" counts the rows
    model = agon.Champion(moves=100, bootstrap=0, options={"drop": ["dysp"]}).fit(frame)
    assert model.n_features_in_ == len(model.feature_names_in_) == 9
    assert len(model.result_.nodes_) == 7


def test_parameters_are_kept_cloned_and_set(asia):
    model = agon.Champion(opponent=["ges", "tabu"], moves=100, knowledge={"forbidden": [("dysp", "smoke")]})
    twin = clone(model)
    assert twin is not model and twin.get_params() == model.get_params()
    assert not hasattr(twin, "result_")
    assert repr(model.set_params(seed=4)) == repr(clone(model)) and "seed=4" in repr(model)
    with pytest.raises(agon.UsageError, match="sede"):
        model.set_params(sede=1)
    with pytest.raises(AttributeError, match="fit"):
        twin.dag_
    fitted = twin.fit(asia)
    for other in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted)):
        assert other.dag_ == fitted.dag_


def test_the_names_of_gcastle():
    rng = np.random.default_rng(0)
    x = rng.normal(size=400)
    X = np.column_stack([x, x + 0.5 * rng.normal(size=400), rng.normal(size=400)])
    model = agon.Champion(moves=200)
    model.learn(X, columns=["a", "b", "c"])
    assert model.causal_matrix.shape == (3, 3) and model.causal_matrix.sum() == 1
    assert model.adjacency_matrix_.columns.tolist() == ["a", "b", "c"]


def test_it_stands_in_a_pipeline(asia):
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    X = np.random.default_rng(1).normal(size=(100, 4))
    steps = make_pipeline(StandardScaler(), agon.Champion(moves=100)).fit(X)
    assert steps[-1].n_features_in_ == 4
    framed = make_pipeline(StandardScaler().set_output(transform="pandas"), agon.Champion(moves=100))
    framed.fit(pd.DataFrame(X, columns=list("wxyz")))
    assert framed[-1].feature_names_in_.tolist() == list("wxyz")
