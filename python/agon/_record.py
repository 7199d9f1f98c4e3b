"""What result.json says about a search."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _agon
from ._agon import UsageError
from ._graph import Graph, Pair, no_such

if TYPE_CHECKING:
    import pandas


def _pairs(items: list[list[str]]) -> tuple[Pair, ...]:
    return tuple((a, b) for a, b in items)


class Record:
    """The graphs and figures of a finished search, read from the text of its result.json (docs/formats.md)."""

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
        the knowledge, "by experiment" when it would be open had nothing been set, otherwise "open". ``strength`` is the
        score lost when only this edge is removed, in nats.
        ``p_edge``, ``p_arrow`` and ``p_reverse`` are the shares of bootstrap resamples that have the edge, this arrow,
        and its reverse; in the rest of ``p_edge`` the arrow is open. NaN without bootstrap.

        With ``edge_losses=True`` there are four more columns: ``adjacency_loss``, what the best graph in which the two
        are not adjacent scores less, ``adjacency_proven``, false where the loss is only known to be at least that, and
        ``direction_loss`` and ``direction_proven``, the same for the best graph without this arrow. NaN and false where
        nothing is known.

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
            rows[-1] += tuple(
                edge.get(f"{kind}_loss", {}).get(key, missing)
                for kind in ("adjacency", "direction")
                for key, missing in (("value", float("nan")), ("proven", False))
            )
        rows.sort(key=lambda row: -row[3])
        columns = ["from", "to", "arrow", "strength", "p_edge", "p_arrow", "p_reverse"]
        losses = ["adjacency_loss", "adjacency_proven", "direction_loss", "direction_proven"]
        table = pd.DataFrame(rows, columns=columns + losses)
        asked = any("adjacency_loss" in edge or "direction_loss" in edge for edge in self.record["edges"])
        return table if asked else table[columns]

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
    def trusted_edges_(self) -> pandas.DataFrame | None:
        """The edges that the posterior trusts most: from, to, arrow ("fixed" or "open"), p_edge, p_arrow, p_reverse, the
        most probable first. None without ``posterior=True``.

        They form a DAG of which fewer mistakes are to be expected under the posterior than of the one that scores
        highest; each edge is more probable than not. ``edges_`` has the graph that scores highest.

        >>> import agon
        >>> result = agon.ges("asia", rows=500, posterior=True)
        >>> bool((result.trusted_edges_["p_edge"] > 0.5).all())
        True
        """
        consensus = self.record.get("posterior", {}).get("consensus")
        if consensus is None:
            return None
        import pandas as pd

        fixed = {tuple(edge) for edge in consensus.get("mpdag", consensus.get("cpdag"))["directed"]}
        pairs = {(pair["a"], pair["b"]): pair for pair in self.record["posterior"]["pairs"]}
        rows = []
        for source, target in consensus["edges"]:
            forward = pairs.get((source, target))
            pair = forward or pairs[(target, source)]
            arrows = (pair["forward"], pair["backward"]) if forward else (pair["backward"], pair["forward"])
            rows.append((source, target, "fixed" if (source, target) in fixed else "open", pair["edge"], *arrows))
        rows.sort(key=lambda row: -row[3])
        return pd.DataFrame(rows, columns=["from", "to", "arrow", "p_edge", "p_arrow", "p_reverse"])

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
        -1177
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
        """The experiments of the rows: experiment, rows, targets (what was set there), moved (what is higher or
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
