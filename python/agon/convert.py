"""A result in the conventions of other packages. Nearly every package stores a graph in its own way:

=============  =======================================  ===================
package        directed, x -> y                         undirected, x - y
=============  =======================================  ===================
agon           ``[x, y] = 1``                           both 1
causal-learn   ``[y, x] = 1`` and ``[x, y] = -1``       both -1
lingam         ``[y, x] = coefficient``                 none
amat.cpdag     ``[y, x] = 1``                           both 1
amat.pag       ``[x, y] = 2`` and ``[y, x] = 3``        both 3
=============  =======================================  ===================

The circles of a PAG are 2 in causal-learn's matrix and 1 in amat.pag, in the cell of the end that they are at.

>>> import agon
>>> agon.convert.to_pcalg(agon.ges("asia", rows=500)).shape
(8, 8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ._agon import UsageError
from ._graph import no_such

if TYPE_CHECKING:
    import networkx

    from ._graph import Graph
    from ._result import Result


def _matrix(graph: Graph, at: dict[str, int]) -> pd.DataFrame:
    """``[x, y]`` is the code of the mark at y, for the edge between x and y."""
    place = {name: k for k, name in enumerate(graph.nodes)}
    cells = np.zeros((len(place), len(place)), dtype=int)
    for a, b, at_a, at_b in graph.ends():
        cells[place[a], place[b]], cells[place[b], place[a]] = at[at_b], at[at_a]
    return pd.DataFrame(cells, index=list(graph.nodes), columns=list(graph.nodes))


def to_dowhy(result: Result, member: bool = False) -> networkx.DiGraph:
    """See :meth:`agon.Result.to_dowhy`.

    >>> import agon
    >>> result = agon.ges("asia", rows=500)
    >>> agon.convert.to_dowhy(result, member=True).number_of_nodes()
    8
    """
    open_edges = result.mpdag_.undirected
    if open_edges and not member:
        named = ", ".join(f"{a} - {b}" for a, b in open_edges[:5]) + (", ..." if len(open_edges) > 5 else "")
        raise UsageError(
            f"DoWhy needs a DAG, and {len(open_edges)} "
            f"{'arrow is' if len(open_edges) == 1 else 'arrows are'} open: {named}\n"
            "  hint: to_dowhy(member=True) takes the DAG that was found, one member of the class; an effect estimated "
            "with it may differ from that of another member, and knowledge= can fix arrows"
        )
    graph = result.dag_.to_networkx()
    for _, _, data in graph.edges(data=True):
        data.clear()
    return graph


def to_causallearn(result: Result, which: str = "cpdag", graph: bool = False) -> Any:
    """See :meth:`agon.Result.to_causallearn`.

    >>> import agon
    >>> result = agon.ges("asia", rows=500)
    >>> agon.convert.to_causallearn(result).shape
    (8, 8)
    """
    ours = result.graph(which)
    if not graph:
        return _matrix(ours, {"tail": -1, "arrow": 1, "circle": 2}).T
    from causallearn.graph.Edge import Edge
    from causallearn.graph.Endpoint import Endpoint
    from causallearn.graph.GeneralGraph import GeneralGraph
    from causallearn.graph.GraphNode import GraphNode

    nodes = {name: GraphNode(name) for name in ours.nodes}
    theirs = GeneralGraph(list(nodes.values()))
    mark = {"tail": Endpoint.TAIL, "arrow": Endpoint.ARROW, "circle": Endpoint.CIRCLE}
    for x, y, at_x, at_y in ours.ends():
        theirs.add_edge(Edge(nodes[x], nodes[y], mark[at_x], mark[at_y]))
    return theirs


def to_lingam(result: Result) -> pd.DataFrame:
    """See :meth:`agon.Result.to_lingam`.

    >>> import agon
    >>> result = agon.ges(agon.datasets.load("sachs", rows=100))
    >>> agon.convert.to_lingam(result).shape
    (11, 11)
    """
    if result._outcome is None:
        raise UsageError("a result that was loaded has no table, and coefficients need one")
    table = result._outcome.table
    nodes = result.nodes_
    wrong = [name for name in nodes if table.kind(name) != "continuous"]
    if wrong:
        raise UsageError(f"coefficients need continuous columns, and these are not: {', '.join(wrong[:5])}")
    matrix = pd.DataFrame(np.zeros((len(nodes), len(nodes))), index=list(nodes), columns=list(nodes))
    parents: dict[str, list[str]] = {}
    for x, y in result.dag_.directed:
        parents.setdefault(y, []).append(x)
    for child, causes in parents.items():
        cells = np.column_stack([table.values(name) for name in [*causes, child]])
        seen = ~np.isnan(cells).any(axis=1)
        cells, counts = cells[seen], None if table.weights is None else table.weights[seen]
        cells = cells - np.average(cells, axis=0, weights=counts)
        if counts is not None:
            cells = cells * np.sqrt(counts)[:, None]
        weights, *_ = np.linalg.lstsq(cells[:, :-1], cells[:, -1], rcond=None)
        for cause, weight in zip(causes, weights):
            matrix.loc[child, cause] = weight
    return matrix


def to_pcalg(result: Result, which: str = "cpdag", kind: str = "cpdag") -> pd.DataFrame:
    """See :meth:`agon.Result.to_pcalg`.

    >>> import agon
    >>> result = agon.ges("asia", rows=500)
    >>> agon.convert.to_pcalg(result).shape
    (8, 8)
    """
    if kind == "cpdag":
        if which == "pag":
            raise UsageError('amat.cpdag cannot hold the marks of a PAG; kind="pag" can')
        return _matrix(result.graph(which), {"tail": 1, "arrow": 0})
    if kind == "pag":
        return _matrix(result.graph(which), {"circle": 1, "arrow": 2, "tail": 3})
    raise no_such("kind of amat", kind, ["cpdag", "pag"])
