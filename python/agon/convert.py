"""A result in the conventions of other packages. No two of them store a graph alike; each is named here.

=============  =======================================  ===================
package        x -> y                                   x - y
=============  =======================================  ===================
agon           ``[x, y] = 1``                           both 1
causal-learn   ``[y, x] = 1`` and ``[x, y] = -1``       both -1
lingam         ``[y, x] = coefficient``                 none
amat.cpdag     ``[y, x] = 1``                           both 1
amat.pag       ``[x, y] = 2`` and ``[y, x] = 3``        both 3
=============  =======================================  ===================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ._agon import UsageError

if TYPE_CHECKING:
    import networkx

    from ._graph import Graph
    from ._result import Result


def _matrix(graph: Graph, arrow: tuple[int, int], line: int) -> pd.DataFrame:
    """``arrow`` is what stands at [x, y] and [y, x] for x -> y."""
    place = {name: k for k, name in enumerate(graph.nodes)}
    cells = np.zeros((len(place), len(place)), dtype=int)
    for x, y in graph.directed:
        cells[place[x], place[y]], cells[place[y], place[x]] = arrow
    for x, y in graph.undirected:
        cells[place[x], place[y]] = cells[place[y], place[x]] = line
    return pd.DataFrame(cells, index=list(graph.nodes), columns=list(graph.nodes))


def to_dowhy(result: Result, member: bool = False) -> networkx.DiGraph:
    """See :meth:`agon.Result.to_dowhy`."""
    open_edges = result.mpdag_.undirected
    if open_edges and not member:
        named = ", ".join(f"{a} - {b}" for a, b in open_edges[:5]) + (", ..." if len(open_edges) > 5 else "")
        raise UsageError(
            f"DoWhy needs a DAG, and the data leave {len(open_edges)} "
            f"{'edge' if len(open_edges) == 1 else 'edges'} without a direction: {named}\n"
            "  hint: to_dowhy(member=True) takes the DAG that was found, one member of the class; an effect estimated "
            "with it may differ from that of another member, and knowledge= can direct edges"
        )
    graph = result.dag_.to_networkx()
    for _, _, data in graph.edges(data=True):
        data.clear()
    return graph


def to_causallearn(result: Result, which: str = "cpdag", graph: bool = False) -> Any:
    """See :meth:`agon.Result.to_causallearn`."""
    ours = result.graph(which)
    matrix = _matrix(ours, (-1, 1), -1)
    if not graph:
        return matrix
    from causallearn.graph.Edge import Edge
    from causallearn.graph.Endpoint import Endpoint
    from causallearn.graph.GeneralGraph import GeneralGraph
    from causallearn.graph.GraphNode import GraphNode

    nodes = {name: GraphNode(name) for name in ours.nodes}
    theirs = GeneralGraph(list(nodes.values()))
    for x, y in ours.directed:
        theirs.add_edge(Edge(nodes[x], nodes[y], Endpoint.TAIL, Endpoint.ARROW))
    for x, y in ours.undirected:
        theirs.add_edge(Edge(nodes[x], nodes[y], Endpoint.TAIL, Endpoint.TAIL))
    return theirs


def to_lingam(result: Result) -> pd.DataFrame:
    """See :meth:`agon.Result.to_lingam`."""
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
        columns = np.column_stack([table.values(name) for name in causes])
        columns = columns - columns.mean(axis=0)
        target = table.values(child)
        weights, *_ = np.linalg.lstsq(columns, target - target.mean(), rcond=None)
        for cause, weight in zip(causes, weights):
            matrix.loc[child, cause] = weight
    return matrix


def to_pcalg(result: Result, which: str = "cpdag", kind: str = "cpdag") -> pd.DataFrame:
    """See :meth:`agon.Result.to_pcalg`."""
    if kind == "cpdag":
        return _matrix(result.graph(which), (0, 1), 1)
    if kind == "pag":
        return _matrix(result.graph(which), (2, 3), 3)
    raise UsageError(f'pcalg has amat.cpdag and amat.pag, no "{kind}"')
