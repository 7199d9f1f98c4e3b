"""Results in the conventions of other packages: one small graph, worked out by hand, x -> y <- z and z - w."""

import io
import json

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import agon
from agon import convert

NODES = ["w", "x", "y", "z"]


@pytest.fixture(scope="module")
def record():
    found = agon.discover(pd.DataFrame({name: [0, 1] * 40 for name in NODES}), moves=0, progress=False).record
    found["dag"] = {"edges": [["w", "z"], ["x", "y"], ["z", "y"]]}
    found["cpdag"] = {"directed": [["x", "y"], ["z", "y"]], "undirected": [["w", "z"]]}
    return found


@pytest.fixture(scope="module")
def small(record):
    return agon.Result(json.dumps(record))


def cells(frame):
    assert frame.index.tolist() == frame.columns.tolist() == NODES
    return {(a, b): int(frame.loc[a, b]) for a in NODES for b in NODES if frame.loc[a, b] != 0}


def test_ours(small):
    assert cells(small.adjacency_matrix_) == {("w", "z"): 1, ("x", "y"): 1, ("z", "y"): 1}
    both = {("w", "z"): 1, ("z", "w"): 1, ("x", "y"): 1, ("z", "y"): 1}
    assert cells(small.cpdag_.adjacency_matrix()) == both


def test_causal_learn(small):
    arrows = {("y", "x"): 1, ("x", "y"): -1, ("y", "z"): 1, ("z", "y"): -1}
    assert cells(small.to_causallearn()) == {**arrows, ("w", "z"): -1, ("z", "w"): -1}
    assert cells(small.to_causallearn("dag")) == {**arrows, ("z", "w"): 1, ("w", "z"): -1}


def test_pcalg(small):
    assert cells(small.to_pcalg()) == {("y", "x"): 1, ("y", "z"): 1, ("w", "z"): 1, ("z", "w"): 1}
    pag = {("x", "y"): 2, ("y", "x"): 3, ("z", "y"): 2, ("y", "z"): 3, ("w", "z"): 3, ("z", "w"): 3}
    assert cells(small.to_pcalg(kind="pag")) == pag
    with pytest.raises(agon.UsageError, match="amat"):
        small.to_pcalg(kind="mag")


def test_lingam():
    rng = np.random.default_rng(0)
    x = rng.laplace(size=2000)
    frame = pd.DataFrame({"x": x, "y": 2.0 * x + rng.laplace(size=2000)})
    found = agon.direct_lingam(frame)
    assert found.dag_.directed == (("x", "y"),)
    B = found.to_lingam()
    assert B.loc["y", "x"] == pytest.approx(np.polyfit(frame["x"], frame["y"], 1)[0])
    assert B.loc["x", "y"] == 0 and np.trace(B) == 0
    with pytest.raises(agon.UsageError, match="continuous"):
        agon.ges("asia", rows=100).to_lingam()


def test_networkx(small):
    dag = small.to_networkx()
    assert nx.is_directed_acyclic_graph(dag) and sorted(dag.edges) == [("w", "z"), ("x", "y"), ("z", "y")]
    cpdag = small.to_networkx("cpdag")
    assert cpdag.edges["w", "z"]["type"] == cpdag.edges["z", "w"]["type"] == "undirected"
    assert cpdag.edges["x", "y"]["type"] == "directed" and not cpdag.has_edge("y", "x")


def test_dowhy_is_refused_politely_or_given_a_member(small, record):
    with pytest.raises(agon.UsageError, match=r"1 arrow is open: w - z\n  hint: to_dowhy\(member=True\)"):
        small.to_dowhy()
    assert nx.is_directed_acyclic_graph(small.to_dowhy(member=True))
    directed = {**record, "cpdag": {"directed": record["dag"]["edges"], "undirected": []}}
    assert sorted(agon.Result(json.dumps(directed)).to_dowhy().edges) == sorted(map(tuple, record["dag"]["edges"]))


def test_texts_are_read_by_networkx(small):
    assert sorted(nx.parse_gml(small.to_gml()).edges) == sorted(small.to_networkx().edges)
    theirs = nx.read_graphml(io.BytesIO(small.to_graphml().encode()))
    names = nx.get_node_attributes(theirs, "name") or {node: node for node in theirs}
    assert sorted((names.get(a, a), names.get(b, b)) for a, b in theirs.edges) == sorted(small.to_networkx().edges)
    assert "x" in small.to_dot() and "dir=none" in small.to_dot("cpdag")


@pytest.mark.parametrize("format", agon.formats())
def test_every_format_is_read_back(small, format):
    from agon import _agon

    again = _agon.parse_graph(small.to_text(format), "graph." + format, format)
    assert {(a, b) for a, b, _ in again.edges} == set(small.dag_.directed)


def test_a_bif_file_has_probabilities():
    found = agon.hc("asia", rows=500)
    assert "probability ( smoke" in found.to_bif() and "table" in found.to_bif()


def test_the_table_of_conventions_is_in_the_manual():
    for word in ("causal-learn", "lingam", "amat.cpdag", "amat.pag"):
        assert word in convert.__doc__


def test_a_pag_keeps_its_marks(tmp_path):
    result = agon.fci(agon.datasets.load("asia", rows=5000))
    pag = result.pag_
    assert [[a, glyph, b] for a, glyph, b in pag.marked] == [e for e in result.record["pag"]["edges"] if "o" in e[1] or "<" in e[1]]
    assert len(pag) == len(result.record["pag"]["edges"]) and not pag.is_dag
    number = {"circle": 1, "arrow": 2, "tail": 3}
    matrix = result.to_pcalg("pag", "pag")
    theirs = result.to_causallearn("pag")
    for a, b, at_a, at_b in pag.ends():
        assert matrix.loc[a, b] == number[at_b] and matrix.loc[b, a] == number[at_a]
        assert theirs.loc[b, a] == {"circle": 2, "arrow": 1, "tail": -1}[at_b]
    a, glyph, b = pag.marked[0]
    assert pag.to_networkx().edges[a, b]["type"] == glyph
    with pytest.raises(agon.UsageError, match="marks of a PAG"):
        pag.adjacency_matrix()

    result.save(tmp_path / "result.json")
    loaded = agon.Result.load(tmp_path / "result.json").pag_
    assert (loaded.directed, loaded.undirected, loaded.marked) == (pag.directed, pag.undirected, pag.marked)
    assert agon.ges(agon.datasets.load("asia", rows=200)).pag_ is None
    with pytest.raises(agon.UsageError, match="finds no PAG"):
        agon.ges(agon.datasets.load("asia", rows=200)).graph("pag")


def test_what_is_not_a_result_is_not_loaded(tmp_path):
    (tmp_path / "x.json").write_text('{"schema": 2, "data": {"rows": 3}}')
    with pytest.raises(agon.InputError, match="data.columns"):
        agon.Result.load(tmp_path / "x.json")
