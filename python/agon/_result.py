"""What a search found."""

from __future__ import annotations

import html
import importlib.util
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _agon, _draw, _effects
from ._effects import Effect, NextSteps
from ._graph import Graph
from ._record import Record

if TYPE_CHECKING:
    import networkx
    import pandas


class Result(Record):
    """The answer of :func:`agon.discover` or of a single algorithm, and everything that was recorded about it.

    It is made from the text of a result.json (docs/formats.md) and nothing else, so saving and loading a result gives
    the same result. ``print(result)`` shows its summary, and a notebook draws it.

    >>> import agon
    >>> result = agon.discover("asia", rows=500, progress=False)
    >>> result.edges_.columns.tolist()
    ['from', 'to', 'arrow', 'strength', 'p_edge', 'p_arrow', 'p_reverse']
    """

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
        bronc   -->  dysp    fixed     146.1
        lung    -->  either  fixed     107.9
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

        ``of`` may name several columns, all numbers or all categories, which are then set together. ``levels`` are those
        of a category to compare.
        ``resample`` asks for intervals from so many resamples of the rows; ``bootstrap`` also repeats the search on
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
        """Read what :meth:`save`, ``agon discover --out`` or ``--json`` wrote: a result.json, or the folder it is in.

        >>> import agon, os, tempfile
        >>> result = agon.ges("asia", rows=500)
        >>> path = os.path.join(tempfile.mkdtemp(), "result.json")
        >>> result.save(path)
        >>> agon.Result.load(path).score_ == result.score_
        True
        """
        place = Path(path)
        if place.is_dir():
            place /= "result.json"
        text = place.read_text(encoding="utf-8")
        _agon.check_result(text, str(place))
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
