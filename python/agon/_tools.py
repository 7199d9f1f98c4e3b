"""Everything except searching: scores of a graph, measures against a truth, samples of a network, lists."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _agon
from ._graph import graph_given, no_such
from ._table import DATA_OPTIONS, GAP_OPTIONS, as_options, table_for_run
from .datasets import frame_of

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class GraphScore:
    """The score of a graph: the total, and the local score of every node given its parents.

    >>> import agon
    >>> found = agon.score([("smoke", "lung")], "asia")
    >>> round(float(found) - sum(found.nodes.values()), 6)
    0.0
    """

    name: str
    total: float
    nodes: Mapping[str, float]

    def __float__(self) -> float:
        return self.total


def score(graph: Any, data: Any, score: str = "auto", **options: Any) -> GraphScore:
    """Score a graph on a table; ``penalty``, ``ess``, ``missing`` and the like are those of
    :func:`agon.discover`.

    >>> import agon
    >>> agon.score([("smoke", "lung")], "asia").name
    'qnml-edges'
    """
    names = [name for name in options if name == "names" or name.replace("_", "-") in DATA_OPTIONS]
    source, reading = table_for_run(data, {name: options.pop(name) for name in names})
    options |= {name: reading[name] for name in GAP_OPTIONS if name in reading}
    if score != "auto":
        options["score"] = score
    name, total, nodes = _agon.score_graph(graph_given(graph, "graph"), source, as_options(options))
    return GraphScore(name, total, nodes)


def compare(truth: Any, graph: Any, seed: int = 0) -> dict[str, Any]:
    """How far ``graph`` is from ``truth``: tpr, fdr, shd, score, shd_cpdag, skeleton_f1, ..., and their means over the
    class of the graph under ``class_mean``. Nodes are matched by name.

    >>> import agon
    >>> agon.compare("asia", agon.datasets.truth("asia"))["shd"]
    0
    """
    measures: dict[str, Any] = json.loads(_agon.compare(graph_given(truth, "truth"), graph_given(graph, "graph"), seed))
    return measures


def sample(
    network: str,
    rows: int = 1000,
    seed: int = 0,
    *,
    do: Mapping[str, object] | None = None,
    intervention: str = "perfect",
    targets: str | None = None,
) -> pandas.DataFrame:
    """Rows drawn from a Bayesian network: an embedded one by name, or a BIF file.

    Parameters
    ----------
    do
        Draw from an experiment that sets these variables to these levels. Its rows are independent of others of the
        same seed.
    intervention
        What ``do`` does. ``"perfect"``: a variable has its level in every row, whatever its parents are. ``"soft"``:
        in each row it has that level with probability 1/2, and otherwise follows its parents.
    targets
        Add a column of this name that names the variables set, as ``targets=`` of :func:`discover` reads it.

    >>> import agon
    >>> agon.sample("asia", rows=3).shape
    (3, 8)
    >>> rows = agon.sample("asia", rows=50, do={"smoke": "yes"}, targets="set")
    >>> rows["smoke"].unique().tolist(), rows["set"].unique().tolist()
    (['yes'], ['smoke'])
    """
    if intervention not in ("perfect", "soft"):
        raise no_such("intervention", intervention, ["perfect", "soft"])
    settings = [f"{name}={level}" for name, level in (do or {}).items()]
    return frame_of(_agon.sample(str(network), rows, seed, settings, intervention == "soft", targets or ""))


def list_algorithms() -> pandas.DataFrame:
    """name, summary, source and maturity of every algorithm; each is also a function of this package.

    >>> import agon
    >>> "ges" in agon.list_algorithms().index
    True
    """
    import pandas as pd

    return pd.DataFrame(_agon.opponents(), columns=["name", "summary", "source", "maturity"]).set_index("name")


def list_challengers() -> pandas.DataFrame:
    """name, summary, source and maturity of every challenger: what plays against the algorithms' graphs.

    >>> import agon
    >>> agon.list_challengers().columns.tolist()
    ['summary', 'source', 'maturity']
    """
    import pandas as pd

    return pd.DataFrame(_agon.challengers(), columns=["name", "summary", "source", "maturity"]).set_index("name")


def list_scores() -> pandas.DataFrame:
    """name, summary, kind of columns, formula and source of every score.

    >>> import agon
    >>> "discrete-bic" in agon.list_scores().index
    True
    """
    import pandas as pd

    return pd.DataFrame(_agon.scores(), columns=["name", "summary", "columns", "formula", "source"]).set_index("name")


def formats() -> list[str]:
    """Names of the formats in which graphs can be written and read.

    >>> import agon
    >>> "dot" in agon.formats()
    True
    """
    return _agon.formats()
