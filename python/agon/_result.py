"""What a search found."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _agon
from ._agon import UsageError
from ._graph import Graph, Pair

if TYPE_CHECKING:
    import networkx
    import pandas


def _pairs(items: list[list[str]]) -> tuple[Pair, ...]:
    return tuple((a, b) for a, b in items)


class Result:
    """The answer of :func:`agon.discover` or of a single algorithm, and everything that was recorded about it.

    It is made from the text of a result.json (docs/formats.md) and nothing else, so saving and loading a result gives
    the same result.
    """

    def __init__(self, text: str, *, outcome: _agon.Outcome | None = None, nodes: list[str] | None = None) -> None:
        self._text = text
        self._outcome = outcome
        self._nodes = nodes
        #: The content of result.json.
        self.record: dict[str, Any] = json.loads(text)

    # -- the graphs ---------------------------------------------------------------------------------------------------

    @property
    def nodes_(self) -> tuple[str, ...]:
        """Names of the variables, in the order of the table's columns."""
        return tuple(self._nodes or sorted(self.record["data"]["kinds"]))

    @property
    def dag_(self) -> Graph:
        """The DAG that was found: one member of its class."""
        return Graph(self.nodes_, _pairs(self.record["dag"]["edges"]))

    @property
    def cpdag_(self) -> Graph:
        """The class of the DAG: arrows that the data determine, and lines where both directions are equally good."""
        return self._class("cpdag")

    @property
    def mpdag_(self) -> Graph:
        """The members of the class that satisfy the knowledge; without knowledge, the CPDAG."""
        return self._class("mpdag" if "mpdag" in self.record else "cpdag")

    @property
    def pag_(self) -> Graph | None:
        """The PAG of an algorithm that allows for hidden variables (fci): its real answer. None for all others."""
        if "pag" not in self.record:
            return None
        directed, undirected, marked = [], [], []
        for a, glyph, b in self.record["pag"]["edges"]:
            if glyph == "-->":
                directed.append((a, b))
            elif glyph == "---":
                undirected.append((a, b))
            else:
                marked.append((a, glyph, b))
        return Graph(self.nodes_, tuple(directed), tuple(undirected), tuple(marked))

    def _class(self, key: str) -> Graph:
        pdag = self.record[key]
        return Graph(self.nodes_, _pairs(pdag["directed"]), _pairs(pdag["undirected"]))

    def graph(self, which: str = "dag") -> Graph:
        """``"dag"``, ``"cpdag"``, ``"mpdag"`` or ``"pag"``."""
        if which not in ("dag", "cpdag", "mpdag", "pag"):
            raise UsageError(f'there is no graph "{which}": it is dag, cpdag, mpdag or pag')
        graph: Graph | None = getattr(self, which + "_")
        if graph is None:
            raise UsageError(f"{self.record['run']['algorithm']} finds no PAG; fci does")
        return graph

    @property
    def edges_(self) -> pandas.DataFrame:
        """One row per edge of the DAG, the strongest first: from, to, arrow, strength, p_edge, p_arrow, p_reverse.

        ``arrow`` is "fixed" when every member of the class has this arrow, "by knowledge" when that is so because of
        the knowledge, otherwise "open". ``strength`` is the score lost when only this edge is removed, in nats.
        ``p_edge``, ``p_arrow`` and ``p_reverse`` are the shares of bootstrap resamples that have the edge, this arrow,
        and its reverse; in the rest of ``p_edge`` the arrow is open. NaN without bootstrap.
        """
        import pandas as pd

        rows = []
        for edge in self.record["edges"]:
            shares = edge.get("shares", {})
            arrow = "by knowledge" if edge.get("by_knowledge") else "fixed" if edge["fixed"] else "open"
            found = (shares.get(key, float("nan")) for key in ("edge", "forward", "backward"))
            rows.append((edge["from"], edge["to"], arrow, edge["strength"], *found))
        rows.sort(key=lambda row: -row[3])
        return pd.DataFrame(rows, columns=["from", "to", "arrow", "strength", "p_edge", "p_arrow", "p_reverse"])

    @property
    def adjacency_matrix_(self) -> pandas.DataFrame:
        """The DAG as a matrix of 0 and 1: rows cause columns."""
        return self.dag_.adjacency_matrix()

    @property
    def causal_matrix(self) -> Any:
        """The adjacency matrix as a NumPy array, under gCastle's name."""
        return self.adjacency_matrix_.to_numpy()

    # -- the figures --------------------------------------------------------------------------------------------------

    @property
    def score_(self) -> float:
        """Score of the DAG: natural logarithm, larger is better."""
        return float(self.record["score"]["value"])

    @property
    def opponent_score_(self) -> float | None:
        """Score of the best opponent's graph, never above :attr:`score_`; None when a single algorithm ran alone."""
        score: float | None = self.record["score"].get("opponent")
        return score

    baseline_score_ = opponent_score_

    @property
    def score_name_(self) -> str:
        """The name of the score."""
        return str(self.record["score"]["name"])

    @property
    def certificate_(self) -> Mapping[str, Any] | None:
        """The claims of the match, derived again from the table by separate code; None when a single algorithm ran
        alone."""
        return self.record.get("certificate")

    @property
    def history_(self) -> pandas.DataFrame:
        """Every champion of the match: moves, seconds, score, found_by."""
        import pandas as pd

        return pd.DataFrame(self.record.get("history", []), columns=["moves", "seconds", "score", "found_by"])

    @property
    def metrics_(self) -> Mapping[str, Any] | None:
        """Measures against the truth, if one was given."""
        return self.record.get("metrics")

    @property
    def stopped_by_(self) -> str:
        """Why the search ended: "no gain expected", "time limit", "interrupted", ..."""
        return str(self.record["run"]["stopped_by"])

    @property
    def notes_(self) -> list[str]:
        """The findings about the table, warnings first, and, unless the result was loaded from a file, what the run
        warned of and what it decided on the way."""
        findings = [finding["text"] for finding in self.record["data"]["findings"]]
        said = [] if self._outcome is None else [*self._outcome.warnings, *self._outcome.notes]
        return [*findings, *said]

    # -- to other packages --------------------------------------------------------------------------------------------

    def to_networkx(self, which: str = "dag") -> networkx.DiGraph:
        """A DiGraph. An undirected edge of a CPDAG becomes two arcs, and each arc has a ``type``."""
        return self.graph(which).to_networkx()

    def to_dowhy(self, member: bool = False) -> networkx.DiGraph:
        """A DAG for ``dowhy.CausalModel(data, treatment, outcome, graph=...)``.

        DoWhy needs a direction for every edge. If the data leave some open, this raises an error; ``member=True`` takes
        the DAG that was found, one member of the class.
        """
        from . import convert

        return convert.to_dowhy(self, member)

    def to_causallearn(self, which: str = "cpdag", graph: bool = False) -> Any:
        """causal-learn's matrix (``[y, x] = 1`` and ``[x, y] = -1`` for x -> y, -1 twice for x - y) as a DataFrame, or,
        with ``graph=True``, its GeneralGraph."""
        from . import convert

        return convert.to_causallearn(self, which, graph)

    def to_lingam(self) -> pandas.DataFrame:
        """lingam's matrix B: ``[y, x]`` is the coefficient of x in the regression of y on its parents."""
        from . import convert

        return convert.to_lingam(self)

    def to_pcalg(self, which: str = "cpdag", kind: str = "cpdag") -> pandas.DataFrame:
        """pcalg's ``amat.cpdag`` (``[y, x] = 1`` for x -> y) or, with ``kind="pag"``, ``amat.pag``."""
        from . import convert

        return convert.to_pcalg(self, which, kind)

    def to_text(self, format: str, which: str = "dag") -> str:
        """A graph in a format of ``agon list formats``."""
        if self._outcome is not None and which in self._outcome.graphs():
            return self._outcome.written(which, format)
        return self.graph(which).to_text(format)

    def to_dot(self, which: str = "dag") -> str:
        """Graphviz."""
        return self.to_text("dot", which)

    def to_gml(self, which: str = "dag") -> str:
        """GML, as DoWhy and igraph read it."""
        return self.to_text("gml", which)

    def to_graphml(self, which: str = "dag") -> str:
        """GraphML, as Cytoscape and Gephi read it."""
        return self.to_text("graphml", which)

    def to_bif(self) -> str:
        """BIF, with probabilities counted from the table if all columns are categorical. A result that was loaded from
        a file no longer has its table, so it gives the graph alone."""
        return self.to_text("bif", "dag")

    # -- to keep and to look at ---------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write result.json, which ``agon verify`` and ``agon report`` can read too."""
        _agon.write_file(os.fspath(path), self._text)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read what :meth:`save`, ``agon discover --out`` or ``--json`` wrote."""
        text = Path(path).read_text(encoding="utf-8")
        _agon.check_result(text, os.fspath(path))
        return cls(text)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write report.html: the graph, the match and all figures, in one file that needs no network."""
        place = os.fspath(path)
        _agon.write_file(place, _agon.html_report(self._text, place))

    def __reduce__(self) -> Any:
        return _loaded, (self._text, self._nodes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._text == other._text

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        beaten = self.opponent_score_
        against = "" if beaten is None else f", {self.score_ - beaten:+.3f} over {self.record['opponent']['name']}"
        return f"<agon.Result: {len(self.dag_)} edges over {len(self.nodes_)} variables, {self.score_name_} {self.score_:.3f}{against}>"

    def _repr_html_(self) -> str:
        """The edges and the certificate, for a notebook."""
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in (self.certificate_ or {}).get("lines", []))
        table = self.edges_.to_html(index=False, border=0, max_rows=60, float_format=lambda x: f"{x:.3f}", escape=True)
        listed = f"<ul>{lines}</ul>" if lines else ""
        return f"<div><p>{html.escape(repr(self)[1:-1])}</p>{table}{listed}</div>"


def _loaded(text: str, nodes: list[str] | None) -> Result:
    return Result(text, nodes=nodes)
