"""What a search found."""

from __future__ import annotations

import html
import importlib.util
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _agon, _draw, _effects
from ._agon import UsageError
from ._effects import Effect, NextSteps
from ._graph import Graph, Pair, no_such

if TYPE_CHECKING:
    import networkx
    import pandas


def _pairs(items: list[list[str]]) -> tuple[Pair, ...]:
    return tuple((a, b) for a, b in items)


class Result:
    """The answer of :func:`agon.discover` or of a single algorithm, and everything that was recorded about it.

    It is made from the text of a result.json (docs/formats.md) and nothing else, so saving and loading a result gives
    the same result. ``print(result)`` shows its summary, and a notebook draws it.

    >>> import agon
    >>> result = agon.discover("asia", rows=500, progress=False)
    >>> result.edges_.columns.tolist()
    ['from', 'to', 'arrow', 'strength', 'p_edge', 'p_arrow', 'p_reverse']
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
        """Names of the variables, in the order of the table's columns.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.nodes_[:3]
        ('asia', 'tub', 'smoke')
        """
        return tuple(self._nodes or sorted(self.record["data"]["kinds"]))

    @property
    def dag_(self) -> Graph:
        """The DAG that was found: one member of its class.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> len(result.dag_) == len(result.edges_)
        True
        """
        return Graph(self.nodes_, _pairs(self.record["dag"]["edges"]))

    @property
    def cpdag_(self) -> Graph:
        """The class of the DAG: directed edges where every member has the same arrow (it is fixed), and undirected edges
        where both directions are equally good (the arrow is open).

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.cpdag_.undirected
        (('bronc', 'smoke'), ('lung', 'smoke'))
        """
        return self._class("cpdag")

    @property
    def mpdag_(self) -> Graph:
        """The members of the class that satisfy the knowledge; without knowledge, the CPDAG.

        >>> import agon
        >>> known = {"required": [("smoke", "bronc")]}
        >>> ("smoke", "bronc") in agon.ges("asia", rows=500, knowledge=known).mpdag_.directed
        True
        """
        return self._class("mpdag" if "mpdag" in self.record else "cpdag")

    @property
    def pag_(self) -> Graph | None:
        """The PAG of an algorithm that allows for hidden variables (fci): its real answer. None for all others.

        >>> import agon
        >>> agon.ges("asia", rows=500).pag_ is None, len(agon.fci("asia", rows=500).pag_) > 0
        (True, True)
        """
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
        """The graph of a name: ``"dag"``, ``"cpdag"``, ``"mpdag"`` or ``"pag"``.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.graph("cpdag") == result.cpdag_
        True
        """
        kinds = ["dag", "cpdag", "mpdag", "pag"]
        if which not in kinds:
            raise no_such("graph", which, kinds)
        graph: Graph | None = getattr(self, which + "_")
        if graph is None:
            raise UsageError(f"{self.record['run']['algorithm']} finds no PAG; fci does")
        return graph

    @property
    def edges_(self) -> pandas.DataFrame:
        """One row per edge of the DAG, the strongest first: from, to, arrow, strength, p_edge, p_arrow, p_reverse.

        ``arrow`` is "fixed" when every member of the class has this arrow, "by knowledge" when that is so because of
        the knowledge, "by experiment" when it would be open had nothing been set, otherwise "open". ``strength`` is the score lost when only this edge is removed, in nats.
        ``p_edge``, ``p_arrow`` and ``p_reverse`` are the shares of bootstrap resamples that have the edge, this arrow,
        and its reverse; in the rest of ``p_edge`` the arrow is open. NaN without bootstrap.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.edges_.iloc[0][["from", "to", "arrow"]].tolist()
        ['bronc', 'dysp', 'fixed']
        """
        import pandas as pd

        rows = []
        for edge in self.record["edges"]:
            shares = edge.get("shares", {})
            by = [name for name in ("knowledge", "experiment") if edge.get(f"by_{name}")]
            arrow = f"by {by[0]}" if by else "fixed" if edge["fixed"] else "open"
            found = (shares.get(key, float("nan")) for key in ("edge", "forward", "backward"))
            rows.append((edge["from"], edge["to"], arrow, edge["strength"], *found))
        rows.sort(key=lambda row: -row[3])
        return pd.DataFrame(rows, columns=["from", "to", "arrow", "strength", "p_edge", "p_arrow", "p_reverse"])

    @property
    def posterior_(self) -> pandas.DataFrame | None:
        """Two columns a row, the most probable edge first: a, b, p_edge, p_forward (a -> b), p_backward, over all DAGs,
        each weighed by exp(score). Pairs below 0.01 are left out. None without ``posterior=True``.

        How it was found is in ``record["posterior"]``: exactly, or sampled with which R-hat and how many effective
        samples.

        >>> import agon
        >>> result = agon.ges("asia", rows=500, posterior=True)
        >>> result.posterior_.columns.tolist()
        ['a', 'b', 'p_edge', 'p_forward', 'p_backward']
        >>> result.record["posterior"]["method"]
        'exact'
        """
        if "posterior" not in self.record:
            return None
        import pandas as pd

        pairs = self.record["posterior"]["pairs"]
        rows = [(pair["a"], pair["b"], pair["edge"], pair["forward"], pair["backward"]) for pair in pairs]
        rows.sort(key=lambda row: -row[2])
        return pd.DataFrame(rows, columns=["a", "b", "p_edge", "p_forward", "p_backward"])

    @property
    def ancestors_(self) -> pandas.DataFrame | None:
        """The probability that one column causes another by any path: a matrix, rows cause columns. Below 0.01 it is 0.
        None without ``posterior=True``.

        >>> import agon
        >>> result = agon.ges("asia", rows=500, posterior=True)
        >>> bool(result.ancestors_.loc["smoke", "dysp"] > 0.3)
        True
        """
        if "posterior" not in self.record:
            return None
        import pandas as pd

        matrix = pd.DataFrame(0.0, index=list(self.nodes_), columns=list(self.nodes_))
        for path in self.record["posterior"]["ancestors"]:
            matrix.loc[path["from"], path["to"]] = path["probability"]
        return matrix

    @property
    def adjacency_matrix_(self) -> pandas.DataFrame:
        """The DAG as a matrix of 0 and 1: rows cause columns.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> int(result.adjacency_matrix_.loc["smoke"].sum())
        2
        """
        return self.dag_.adjacency_matrix()

    @property
    def causal_matrix(self) -> Any:
        """The adjacency matrix as a NumPy array, under gCastle's name.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.causal_matrix.shape
        (8, 8)
        """
        return self.adjacency_matrix_.to_numpy()

    # -- the figures --------------------------------------------------------------------------------------------------

    @property
    def score_(self) -> float:
        """Score of the DAG: natural logarithm, larger is better.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> round(result.score_)
        -1186
        """
        return float(self.record["score"]["value"])

    @property
    def opponent_score_(self) -> float | None:
        """Score of the best opponent's graph, never above :attr:`score_`; None when a single algorithm ran alone.

        >>> import agon
        >>> result = agon.discover("asia", rows=500, progress=False)
        >>> bool(result.opponent_score_ <= result.score_)
        True
        """
        score: float | None = self.record["score"].get("opponent")
        return score

    baseline_score_ = opponent_score_

    @property
    def score_name_(self) -> str:
        """The name of the score.

        >>> import agon
        >>> agon.ges("asia", rows=500).score_name_
        'qnml-edges'
        """
        return str(self.record["score"]["name"])

    @property
    def experiments_(self) -> pandas.DataFrame:
        """The experiments of the rows: experiment, rows, targets (what was set there), moved (what stands higher or
        lower there than in the other rows, the most moved first). Empty where there are none.

        >>> import agon
        >>> agon.boss("sachs-experiments").experiments_.loc[8, ["experiment", "targets"]].tolist()
        ['pma', ['PKC']]
        """
        import pandas as pd

        found = [(r["name"], r["rows"], r["targets"], r["moved"]) for r in self.record["data"].get("regimes", [])]
        return pd.DataFrame(found, columns=["experiment", "rows", "targets", "moved"])

    @property
    def treatments_(self) -> pandas.DataFrame:
        """The ways to read the rows of experiments: treatment, score (of the best graph that BOSS finds), used. Empty
        where there is nothing to choose. If one that was not used is ahead, a warning says so.

        >>> import agon
        >>> agon.boss("sachs-experiments").treatments_["treatment"].tolist()
        ['pooled', 'within', 'targets', 'targets + within']
        """
        import pandas as pd

        found = [(t["name"], t["total"], t["used"]) for t in self.record["score"].get("treatments", [])]
        return pd.DataFrame(found, columns=["treatment", "score", "used"])

    @property
    def certificate_(self) -> Mapping[str, Any] | None:
        """The claims of the match, derived again from the table by separate code; None when a single algorithm ran
        alone.

        >>> import agon
        >>> agon.discover("asia", rows=500, progress=False).certificate_["never_worse"]
        True
        """
        return self.record.get("certificate")

    @property
    def history_(self) -> pandas.DataFrame:
        """Every champion of the match: moves, seconds, score, found_by.

        >>> import agon
        >>> agon.discover("asia", rows=500, progress=False).history_.columns.tolist()
        ['moves', 'seconds', 'score', 'found_by']
        """
        import pandas as pd

        return pd.DataFrame(self.record.get("history", []), columns=["moves", "seconds", "score", "found_by"])

    @property
    def metrics_(self) -> Mapping[str, Any] | None:
        """Measures against the truth, if one was given.

        >>> import agon
        >>> agon.ges("asia", rows=500, truth="asia").metrics_["shd"]
        1
        """
        return self.record.get("metrics")

    @property
    def stopped_by_(self) -> str:
        """Why the search ended: "no gain expected", "time limit", "interrupted", ...

        >>> import agon
        >>> agon.discover("asia", rows=500, moves=10, progress=False).stopped_by_
        'moves'
        """
        return str(self.record["run"]["stopped_by"])

    @property
    def warnings_(self) -> list[str]:
        """What may be wrong with the table or the answer, one sentence each. Unless the result was loaded from a file,
        each was also an :class:`agon.DataWarning` when the search ended.

        >>> import agon, warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore", agon.DataWarning)
        ...     result = agon.ges({"a": [0, 1] * 30, "b": [0, 1] * 30})
        >>> result.warnings_
        ['"b" is a copy of "a". Edges to either score the same; pass drop=["b"] to leave it out.']
        """
        return self._findings(warned=True) + ([] if self._outcome is None else self._said_about_table())

    def _said_about_table(self) -> list[str]:
        assert self._outcome is not None
        return [*self._outcome.table.warnings, *self._outcome.warnings]

    def _findings(self, warned: bool) -> list[str]:
        found = self.record["data"]["findings"]
        return [_agon.as_python(f["text"]) for f in found if (f["severity"] != "info") == warned]

    @property
    def notes_(self) -> list[str]:
        """What was noted and decided on the way: about the table, and, unless the result was loaded from a file, about
        the search. :attr:`warnings_` are apart.

        >>> import agon
        >>> agon.ges("asia", rows=500).notes_[1].partition(":")[0]
        'forward phase'
        """
        read = [_agon.as_python(note) for note in self.record["data"]["notes"]]
        said = [] if self._outcome is None else self._outcome.notes
        return [*self._findings(warned=False), *read, *said]

    # -- to other packages --------------------------------------------------------------------------------------------

    def to_networkx(self, which: str = "dag") -> networkx.DiGraph:
        """A DiGraph. An undirected edge of a CPDAG becomes two arcs, and each arc has a ``type``: directed or
        undirected.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.to_networkx().number_of_edges() == len(result.dag_)
        True
        """
        return self.graph(which).to_networkx()

    def to_dowhy(self, member: bool = False) -> networkx.DiGraph:
        """A DAG for ``dowhy.CausalModel(data, treatment, outcome, graph=...)``.

        DoWhy needs a direction for every edge. If some arrows are open, this raises an error; ``member=True`` takes the
        DAG that was found, one member of the class.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.to_dowhy(member=True).number_of_nodes()
        8
        """
        from . import convert

        return convert.to_dowhy(self, member)

    def to_causallearn(self, which: str = "cpdag", graph: bool = False) -> Any:
        """causal-learn's matrix (``[y, x] = 1`` and ``[x, y] = -1`` for x -> y, -1 twice for x - y) as a DataFrame, or,
        with ``graph=True``, its GeneralGraph.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> sorted(set(result.to_causallearn().to_numpy().ravel().tolist()))
        [-1, 0, 1]
        """
        from . import convert

        return convert.to_causallearn(self, which, graph)

    def to_lingam(self) -> pandas.DataFrame:
        """lingam's matrix B: ``[y, x]`` is the coefficient of x in the regression of y on its parents.

        >>> import agon, numpy as np
        >>> x = np.random.default_rng(0).normal(size=(200, 2))
        >>> result = agon.ges({"x": x[:, 0], "y": x[:, 0] + 0.1 * x[:, 1]})
        >>> result.to_lingam().shape
        (2, 2)
        """
        from . import convert

        return convert.to_lingam(self)

    def to_pcalg(self, which: str = "cpdag", kind: str = "cpdag") -> pandas.DataFrame:
        """pcalg's ``amat.cpdag`` (``[y, x] = 1`` for x -> y) or, with ``kind="pag"``, ``amat.pag``.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> sorted(set(result.to_pcalg().to_numpy().ravel().tolist()))
        [0, 1]
        """
        from . import convert

        return convert.to_pcalg(self, which, kind)

    def to_text(self, format: str, which: str = "dag") -> str:
        """A graph in a format of :func:`agon.formats`.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.to_text("tetrad").splitlines()[0]
        'Graph Nodes:'
        """
        if self._outcome is not None and which in self._outcome.graphs():
            return self._outcome.written(which, format)
        return self.graph(which).to_text(format)

    def to_dot(self, which: str = "dag") -> str:
        """DOT, as Graphviz reads it; :meth:`to_graphviz` has colours too.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.to_dot().startswith("digraph")
        True
        """
        return self.to_text("dot", which)

    def to_gml(self, which: str = "dag") -> str:
        """GML, as DoWhy and igraph read it.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.to_gml().startswith("graph")
        True
        """
        return self.to_text("gml", which)

    def to_graphml(self, which: str = "dag") -> str:
        """GraphML, as Cytoscape and Gephi read it.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> "<graphml" in result.to_graphml()
        True
        """
        return self.to_text("graphml", which)

    def to_bif(self) -> str:
        """BIF, with probabilities counted from the table if all columns are categorical. A result that was loaded from
        a file no longer has its table, so it gives the graph alone.

        >>> import agon
        >>> result = agon.ges("asia", rows=500)
        >>> result.to_bif().startswith("network")
        True
        """
        return self.to_text("bif", "dag")

    # -- to look at ---------------------------------------------------------------------------------------------------

    def summary(self, full: bool = False, width: int | None = None) -> str:
        """The text that the command line prints: the edges, how far they can be trusted, then the data, the score and
        the match. It lists the 40 strongest edges and gives a line to everything else; with ``full=True`` it lists all
        and says what was decided and checked. Lines are as wide as the terminal, or ``width`` letters; 0: unlimited.

        >>> import agon
        >>> for line in agon.ges("asia", rows=500).summary(width=100).splitlines()[:3]:
        ...     print(line.strip())
        from         to      arrow  strength
        bronc   -->  dysp    fixed     145.3
        lung    -->  either  fixed     107.1
        """
        return _agon.summary(self._text, full, shutil.get_terminal_size().columns if width is None else width)

    def _answer(self, which: str | None) -> Graph:
        """The graph of this name; None: what the search answers with."""
        return self.graph(which or ("pag" if "pag" in self.record else "mpdag"))

    def picture(
        self,
        which: str | None = None,
        *,
        min_strength: float | None = None,
        min_share: float | None = None,
        most: int | None = _draw.MOST_EDGES,
    ) -> _draw.Picture:
        """The graph as SVG, which needs no other package: ``picture().svg`` is the text, ``picture().save(path)`` writes
        it, and a notebook shows it.

        ``which`` is "dag", "cpdag", "mpdag" or "pag"; None is the answer: the PAG of fci, otherwise the class of the
        DAG, within the knowledge. Only edges of ``min_strength`` nats and of a share ``min_share`` of the resamples are
        drawn, at most ``most`` of them (None: all), the strongest. An edge fades with its share; an open one is dashed
        and has no head; what is weak or unsure is amber.

        >>> import agon
        >>> agon.ges("asia", rows=500).picture(most=3)
        <agon.Picture: 3 edges between 8 variables>
        """
        return _draw.picture(self, self._answer(which), min_strength, min_share, most)

    def plot(
        self,
        which: str | None = None,
        ax: Any = None,
        *,
        min_strength: float | None = None,
        min_share: float | None = None,
        most: int | None = _draw.MOST_EDGES,
    ) -> Any:
        """Draw the graph with matplotlib, into ``ax`` or axes of its own, and return the axes. Without matplotlib it
        returns the :meth:`picture`. The other arguments are those of :meth:`picture`.

        >>> import agon, matplotlib
        >>> matplotlib.use("Agg")
        >>> axes = agon.ges("asia", rows=500).plot(min_strength=3)
        """
        drawn = self.picture(which, min_strength=min_strength, min_share=min_share, most=most)
        if ax is None and importlib.util.find_spec("matplotlib") is None:
            return drawn
        return drawn.plot(ax)

    def to_graphviz(
        self,
        which: str | None = None,
        *,
        min_strength: float | None = None,
        min_share: float | None = None,
        most: int | None = None,
    ) -> Any:
        """A ``graphviz.Source``, with the looks of :meth:`picture`; its ``source`` is the DOT text. Where the package
        graphviz is not installed, a string of DOT that has ``source`` too. The arguments are those of :meth:`picture`.

        >>> import agon
        >>> agon.ges("asia", rows=500).to_graphviz().source.startswith("digraph")
        True
        """
        text = _draw.dot(self, self._answer(which), min_strength, min_share, most)
        try:
            import graphviz
        except ImportError:
            return _draw.Dot(text)
        return graphviz.Source(text)

    # -- what follows from it ---------------------------------------------------------------------------------------------

    def effect(
        self,
        of: str | Sequence[str],
        on: str,
        *,
        levels: Sequence[str] | None = None,
        resample: int = 0,
        bootstrap: int = 0,
        seed: int = 0,
        knowledge: Any = None,
        data: Any = None,
    ) -> Effect:
        """How much setting ``of`` changes ``on``, in every graph of the class (docs/effects.md).

        >>> import agon
        >>> effect = agon.ges("asia", rows=2000).effect("either", "dysp")
        >>> effect.identified_, len(effect.possible_)
        (True, 2)

        ``of`` may name several columns, which are then set together. ``levels`` are those of a category to compare.
        ``resample`` asks for intervals from so many drawings of the rows; ``bootstrap`` also repeats the search on
        each, with the ``knowledge`` of the run. A result that was loaded needs its table: ``data``.
        """
        return _effects.effect(self, of, on, data, levels, resample, bootstrap, seed, knowledge)

    def effects(self, on: str | None = None, *, of: str | None = None, data: Any = None) -> pandas.DataFrame:
        """All causes of ``on``, or all that ``of`` causes, by the smallest effect that any graph of the class gives them.

        >>> import agon
        >>> agon.ges("asia", rows=2000).effects(on="dysp")["of"].tolist()[0]
        'bronc'

        ``least`` and ``most`` are standardised sizes over all graphs, ``nonzero`` the share of the graphs with an
        effect, ``smallest`` the effect nearest to 0 in the units of the table, ``low`` and ``high`` the interval over
        all of them.
        """
        return _effects.effects(self, on, of, data)

    def next(
        self, budget: int = 1, *, of: str | None = None, on: str | None = None, data: Any = None
    ) -> NextSteps:
        """Which experiment, or which question to an expert, settles most open arrows; and for the effect of ``of`` on
        ``on``, if that is what matters.

        >>> import agon
        >>> agon.ges("asia", rows=2000).next().batch_
        ['smoke']
        """
        return _effects.next_steps(self, budget, of, on, data)

    # -- to keep ------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write result.json, which ``agon verify`` and ``agon report`` can read too.

        >>> import agon, os, tempfile
        >>> result = agon.ges("asia", rows=500)
        >>> path = os.path.join(tempfile.mkdtemp(), "result.json")
        >>> result.save(path)
        >>> agon.Result.load(path) == result
        True
        """
        _agon.write_file(os.fspath(path), self._text)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read what :meth:`save`, ``agon discover --out`` or ``--json`` wrote.

        >>> import agon, os, tempfile
        >>> result = agon.ges("asia", rows=500)
        >>> path = os.path.join(tempfile.mkdtemp(), "result.json")
        >>> result.save(path)
        >>> agon.Result.load(path).score_ == result.score_
        True
        """
        text = Path(path).read_text(encoding="utf-8")
        _agon.check_result(text, os.fspath(path))
        return cls(text)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Write report.html: the graph, the match and all figures, in one file that needs no network. Unless the result
        was loaded, the page also says what happens if a column is set.

        >>> import agon, os, tempfile
        >>> result = agon.ges("asia", rows=500)
        >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
        >>> result.report(path)
        >>> os.path.getsize(path) > 1000
        True
        """
        place = os.fspath(path)
        table = None if self._outcome is None else self._outcome.given
        _agon.write_file(place, _agon.html_report(self._text, place, table))

    def __reduce__(self) -> Any:
        return _loaded, (self._text, self._nodes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self._text == other._text

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        beaten = self.opponent_score_
        against = "" if beaten is None else f", {self.score_ - beaten:+.3f} over {self.record['opponent']['name']}"
        return f"<agon.Result: {len(self.dag_)} edges over {len(self.nodes_)} variables, {self.score_name_} {self.score_:.3f}{against}>"

    def __str__(self) -> str:
        return f"{repr(self)[1:-1]}\n\n{self.summary()}"

    def _repr_html_(self) -> str:
        """The graph, the edges and the certificate, for a notebook."""
        lines = "".join(f"<li>{html.escape(line)}</li>" for line in (self.certificate_ or {}).get("lines", []))
        edges = self.edges_
        table = edges.head(_draw.MOST_EDGES).to_html(
            index=False, border=0, float_format=lambda x: f"{x:.3f}", na_rep="", escape=True
        )
        if len(edges) > _draw.MOST_EDGES:
            table += f"<p>The {_draw.MOST_EDGES} strongest of {len(edges)} edges; edges_ holds all.</p>"
        listed = f"<ul>{lines}</ul>" if lines else ""
        return f"<div><p>{html.escape(repr(self)[1:-1])}</p>{self.picture().svg}{table}{listed}</div>"


def _loaded(text: str, nodes: list[str] | None) -> Result:
    return Result(text, nodes=nodes)
