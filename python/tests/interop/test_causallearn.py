"""Our converter gives the graph that causal-learn would draw."""

import numpy as np
import pandas as pd
import pytest

import agon

causallearn = pytest.importorskip("causallearn")


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(3)
    x, z = rng.normal(size=(2, 2000))
    y = x + z + 0.5 * rng.normal(size=2000)
    return pd.DataFrame({"x": x, "y": y, "z": z, "w": z + rng.normal(size=2000), "v": y + rng.normal(size=2000)})


def test_the_cpdag_is_the_one_of_their_ges(frame):
    from causallearn.search.ScoreBased.GES import ges

    ours = agon.ges(frame, score="gaussian-bic")
    theirs = ges(frame.to_numpy(), score_func="local_score_BIC", node_names=list(frame.columns))["G"]
    assert np.array_equal(ours.to_causallearn().to_numpy(), theirs.graph)
    drawn = ours.to_causallearn(graph=True)
    assert np.array_equal(drawn.graph, theirs.graph)
    assert {str(edge) for edge in drawn.get_graph_edges()} == {str(edge) for edge in theirs.get_graph_edges()}


def test_they_draw_what_we_say(frame):
    from causallearn.utils.GraphUtils import GraphUtils

    found = agon.ges(frame, score="gaussian-bic")
    dot = GraphUtils.to_pydot(found.to_causallearn(graph=True), labels=list(frame.columns)).to_string()
    for a, b in found.cpdag_:
        assert str(found.nodes_.index(a)) in dot and str(found.nodes_.index(b)) in dot
    assert dot.count("->") == len(found.cpdag_)
