"""Causal graphs by competition.

Opponents (GES, BOSS, ...) propose DAGs, challengers edit them, and the graph with the best score is the champion. So
the answer never scores lower than an opponent's graph.

>>> import agon
>>> result = agon.discover(agon.datasets.load("asia", rows=1000), progress=False)
>>> result.edges_.columns.tolist()
['from', 'to', 'arrow', 'strength', 'p_edge', 'p_arrow', 'p_reverse']
"""

from . import _pickled as _pickled  # makes tables picklable
from . import algorithms as _algorithms
from . import convert, datasets
from ._agon import GuaranteeViolated, InputError, ScoreUndefined, Summary, Table, UsageError
from ._agon import version as __version__
from ._draw import Picture
from ._effects import Effect, NextSteps
from ._estimator import Champion
from ._graph import Graph
from ._league import League, RayExecutor, league
from ._progress import Progress
from ._result import Result
from ._run import DataWarning, discover
from ._summary import summarize
from ._table import table
from ._tools import GraphScore, compare, formats, list_algorithms, list_challengers, list_scores, sample, score
from .algorithms import *  # noqa: F403 (every algorithm of the catalog)

__all__ = [
    "Champion", "DataWarning", "Effect", "Graph", "GraphScore", "GuaranteeViolated", "InputError", "League", "NextSteps", "Picture", "Progress", "RayExecutor", "Result",
    "ScoreUndefined", "Summary", "Table", "UsageError", "__version__", "compare", "convert", "datasets", "discover", "formats",
    "league", "list_algorithms", "list_challengers", "list_scores", "sample", "score", "summarize", "table", *_algorithms.__all__,
]  # fmt: skip
