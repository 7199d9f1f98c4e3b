"""Graphs by name: what results hold, and what may be given as a start or as a truth."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _agon
from ._agon import InputError, UsageError

if TYPE_CHECKING:
    import networkx
    import pandas


Pair = tuple[str, str]
Marked = tuple[str, str, str]


def no_such(what: str, name: object, known: Sequence[str]) -> UsageError:
    """The error for a name that is not among the known ones; it suggests the nearest."""
    hint = _agon.did_you_mean(str(name), list(known)) or f"it is one of {', '.join(known)}"
    return UsageError(f'there is no {what} "{name}"\n  hint: {hint}')


@dataclass(frozen=True)
class Graph:
    """A graph over named variables: directed edges, undirected edges (of a class: their arrows are open), and, in a PAG,
    edges with other marks, as (a, glyph, b): ``o->``, ``o-o``, ``<->``, ``o--``.

    >>> g = Graph(("a", "b", "c"), (("a", "b"),), (("b", "c"),))
    >>> list(g)
    [('a', 'b'), ('b', 'c')]
    """

    nodes: tuple[str, ...]
    directed: tuple[Pair, ...] = ()
    undirected: tuple[Pair, ...] = field(default=())
    marked: tuple[Marked, ...] = field(default=())

    def __iter__(self) -> Iterator[Pair]:
        yield from self.directed
        yield from self.undirected
        yield from ((a, b) for a, _, b in self.marked)

    def __len__(self) -> int:
        return len(self.directed) + len(self.undirected) + len(self.marked)

    def __str__(self) -> str:
        arrows = [f"{a} -> {b}" for a, b in self.directed]
        lines = [f"{a} - {b}" for a, b in self.undirected]
        return ", ".join(arrows + lines + [f"{a} {glyph} {b}" for a, glyph, b in self.marked]) or "no edges"

    @property
    def is_dag(self) -> bool:
        """Is every edge directed? (Graphs of results have no directed cycles.)

        >>> import agon
        >>> graph = agon.Graph(("a", "b", "c"), directed=(("a", "b"),), undirected=(("b", "c"),))
        >>> graph.is_dag
        False
        """
        return not self.undirected and not self.marked

    def ends(self) -> Iterator[tuple[str, str, str, str]]:
        """Every edge as (a, b, mark at a, mark at b); a mark is "tail", "arrow" or "circle".

        >>> import agon
        >>> graph = agon.Graph(("a", "b", "c"), directed=(("a", "b"),), undirected=(("b", "c"),))
        >>> list(graph.ends())
        [('a', 'b', 'tail', 'arrow'), ('b', 'c', 'tail', 'tail')]
        """
        names = {"-": "tail", "<": "arrow", ">": "arrow", "o": "circle"}
        for a, b in self.directed:
            yield a, b, "tail", "arrow"
        for a, b in self.undirected:
            yield a, b, "tail", "tail"
        for a, glyph, b in self.marked:
            yield a, b, names[glyph[0]], names[glyph[-1]]

    def adjacency_matrix(self) -> pandas.DataFrame:
        """Rows cause columns; an undirected edge is 1 in both directions. A PAG has no such matrix.

        >>> import agon
        >>> graph = agon.Graph(("a", "b", "c"), directed=(("a", "b"),), undirected=(("b", "c"),))
        >>> graph.adjacency_matrix().to_numpy().tolist()
        [[0, 1, 0], [0, 0, 1], [0, 1, 0]]
        """
        import numpy as np
        import pandas as pd

        if self.marked:
            raise UsageError('0 and 1 cannot hold the marks of a PAG; to_pcalg(which="pag", kind="pag") can')
        place = {name: k for k, name in enumerate(self.nodes)}
        cells = np.zeros((len(self.nodes), len(self.nodes)), dtype=int)
        for a, b in self.directed:
            cells[place[a], place[b]] = 1
        for a, b in self.undirected:
            cells[place[a], place[b]] = cells[place[b], place[a]] = 1
        return pd.DataFrame(cells, index=list(self.nodes), columns=list(self.nodes))

    def to_networkx(self) -> networkx.DiGraph:
        """A DiGraph. An edge that is not an arrow becomes two arcs. Every arc has a ``type``: directed, undirected, or,
        in a PAG, the edge as it is drawn from the start of the arc, such as ``o->``.

        >>> import agon
        >>> graph = agon.Graph(("a", "b", "c"), directed=(("a", "b"),), undirected=(("b", "c"),))
        >>> graph.to_networkx().edges["b", "c"]["type"]
        'undirected'
        """
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from(self.directed, type="directed")
        graph.add_edges_from(self.undirected, type="undirected")
        graph.add_edges_from(((b, a) for a, b in self.undirected), type="undirected")
        for a, glyph, b in self.marked:
            graph.add_edge(a, b, type=glyph)
            graph.add_edge(b, a, type=glyph[::-1].translate(str.maketrans("<>", "><")))
        return graph

    def to_text(self, format: str) -> str:
        """The graph in a format of :func:`agon.formats`: dot, gml, graphml, tetrad, dagitty, ...

        >>> import agon
        >>> graph = agon.Graph(("a", "b", "c"), directed=(("a", "b"),), undirected=(("b", "c"),))
        >>> graph.to_text("dot").startswith("digraph")
        True
        """
        return self._named("graph").written(format)

    def _named(self, place: str, every: bool = True) -> _agon.GraphText:
        edges = [(a, b, "-->") for a, b in self.directed] + [(a, b, "---") for a, b in self.undirected]
        edges += [(a, b, glyph) for a, glyph, b in self.marked]
        return _agon.GraphText(list(self.nodes), edges, place, every)


def pairs_of(given: Any, place: str) -> list[Pair]:
    """Pairs of names, (from, to), as text."""
    try:
        return [(str(a), str(b)) for a, b in given]
    except (TypeError, ValueError):
        raise UsageError(f'{place}: edges are pairs of names, such as [("a", "b")]') from None


def graph_of_text(text: _agon.GraphText, nodes: Sequence[str] | None = None) -> Graph:
    """A graph of the library as a :class:`Graph`: arrows and lines; other marks are refused."""
    directed, undirected = [], []
    for a, b, glyph in text.edges:
        if glyph == "-->":
            directed.append((a, b))
        elif glyph == "---":
            undirected.append((a, b))
        else:
            raise InputError(f"{text.place}: {a} {glyph} {b} is neither an arrow nor a line")
    return Graph(tuple(nodes or text.names), tuple(directed), tuple(undirected))


def _from_networkx(graph: Any) -> Graph:
    arcs = [(str(a), str(b)) for a, b in graph.edges()]
    nodes = tuple(str(node) for node in graph.nodes())
    if not graph.is_directed():
        return Graph(nodes, (), tuple(arcs))
    both = {pair for pair in arcs if (pair[1], pair[0]) in set(arcs)}
    return Graph(
        nodes,
        tuple(pair for pair in arcs if pair not in both),
        tuple(pair for pair in arcs if pair in both and pair[0] < pair[1]),
    )


def _from_matrix(frame: Any) -> Graph:
    names = tuple(str(name) for name in frame.columns)
    if tuple(str(name) for name in frame.index) != names:
        raise InputError("an adjacency matrix has the same names for rows and columns, in one order")
    cells = frame.to_numpy() != 0
    pairs = [(i, j) for i, j in zip(*cells.nonzero()) if i != j]
    return Graph(
        names,
        tuple((names[i], names[j]) for i, j in pairs if not cells[j, i]),
        tuple((names[i], names[j]) for i, j in pairs if cells[j, i] and i < j),
    )


def graph_given(graph: Any, place: str) -> _agon.GraphText:
    """Anything a user may pass as a graph: a Graph, a Result, a networkx graph, an adjacency matrix as a DataFrame
    (rows cause columns), pairs (from, to), the path of a graph file, or the name of a data set for its true graph."""
    if isinstance(graph, (str, os.PathLike)):
        return _agon.load_graph(os.fspath(graph))
    if hasattr(graph, "dag_"):
        graph = graph.dag_
    if isinstance(graph, Graph):
        return graph._named(place)
    if hasattr(graph, "is_directed") and hasattr(graph, "edges"):
        return _from_networkx(graph)._named(place)
    if hasattr(graph, "columns") and hasattr(graph, "to_numpy"):
        return _from_matrix(graph)._named(place)
    if isinstance(graph, Iterable):
        pairs = pairs_of(graph, place)
        nodes = tuple(dict.fromkeys(name for pair in pairs for name in pair))
        return Graph(nodes, tuple(pairs))._named(place, every=False)
    raise UsageError(f"{place}: {type(graph).__name__} is not a graph")
