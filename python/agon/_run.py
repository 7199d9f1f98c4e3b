"""From a call to a result."""

from __future__ import annotations

import datetime
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _agon
from ._agon import UsageError
from ._graph import graph_given, no_such, pairs_of
from ._progress import Progress, listener
from ._result import Result
from ._table import DATA_OPTIONS, as_options, table_for_run

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import DiscoverOptions

ScoreFunction = Callable[[str, tuple[str, ...]], float]

_KNOWLEDGE = ("required", "forbidden", "tiers")
_MOST_WARNINGS = 10


class DataWarning(UserWarning):
    """Something about a table, or about an answer, that may be a mistake. ``Result.warnings_`` keeps them too.

    >>> import agon, warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     result = agon.ges({"a": [0, 1] * 30, "b": [0, 1] * 30})
    >>> print(caught[0].message)
    "b" is a copy of "a". Edges to either score the same; pass drop=["b"] to leave it out.
    """


def warn(result: Result, depth: int) -> None:
    """Issues the warnings of a result, a few at most, for the line so many calls up."""
    told = list(dict.fromkeys(result.warnings_))
    for text in told[:_MOST_WARNINGS]:
        warnings.warn(text, DataWarning, stacklevel=depth + 1)
    if len(told) > _MOST_WARNINGS:
        left = len(told) - _MOST_WARNINGS
        warnings.warn(
            f"... and {left} more warnings; warnings_ of the result lists all", DataWarning, stacklevel=depth + 1
        )


def _duration(limit: float | str | datetime.timedelta) -> str:
    if isinstance(limit, datetime.timedelta):
        limit = limit.total_seconds()
    if isinstance(limit, str):
        return limit
    try:
        return f"{float(limit):.9g}s"
    except (TypeError, ValueError):
        raise UsageError(f'time_limit is seconds, text such as "2m", or a timedelta, not {limit!r}') from None


def _knowledge(given: Any) -> tuple[_agon.Knowledge | None, list[str]]:
    """Knowledge given as statements, and knowledge given as files."""
    if given is None:
        return None, []
    if isinstance(given, Mapping):
        for key in given:
            if key not in _KNOWLEDGE:
                raise no_such("part of knowledge", key, _KNOWLEDGE)
        required, forbidden = (pairs_of(given.get(key, []), f"knowledge, {key}") for key in _KNOWLEDGE[:2])
        tiers = given.get("tiers", [])
        if isinstance(tiers, str) or any(isinstance(tier, str) for tier in tiers):
            raise UsageError('knowledge, tiers: they are lists of names, such as [["a"], ["b", "c"]]')
        return _agon.Knowledge(required, forbidden, [[str(name) for name in tier] for tier in tiers]), []
    if isinstance(given, (list, tuple)):
        return None, [str(path) for path in given]
    return None, [str(given)]


def statements(given: Any) -> _agon.Knowledge | None:
    """Knowledge given as statements alone."""
    known, files = _knowledge(given)
    if files:
        raise UsageError('knowledge is taken as statements here: {"required": [(a, b)], ...}')
    return known


def _said(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"<{type(value).__name__}>"


def run(algorithm: str, data: Any, call: str, options: dict[str, Any], silent: bool = False) -> Result:
    """Run one algorithm, or a match if its name is empty; ``options`` are those of :func:`discover`. The warnings about
    the table are issued unless ``silent``."""
    given = {name: value for name, value in options.items() if value is not None}
    said = ", ".join(["data"] + [f"{name}={_said(value)}" for name, value in given.items() if name != "progress"])
    progress = given.pop("progress", False)
    reading = {
        name: given.pop(name) for name in list(given) if name == "names" or name.replace("_", "-") in DATA_OPTIONS
    }
    source, reading = table_for_run(data, reading)

    score = given.pop("score", None)
    knowledge, files = _knowledge(given.pop("knowledge", None))
    graphs: dict[str, _agon.GraphText | None] = {}
    for name in ("start", "truth"):
        graph = given.pop(name, None)
        graphs[name] = None if graph is None else graph_given(graph, name)
        if graph is not None:
            given[name] = graph if isinstance(graph, str) else f"{name} given"
    if files:
        given["knowledge"] = files
    if score is not None and not callable(score):
        given["score"] = score
    if "time_limit" in given:
        given["time_limit"] = _duration(given["time_limit"])
    if isinstance(given.get("opponent"), str):
        given["opponent"] = given["opponent"].split(",")
    own = score if callable(score) else None
    if own is not None:
        given.setdefault("threads", 1)  # the interpreter's lock would serialise more

    tell, done = listener(progress)
    try:
        outcome = _agon.run(
            algorithm, source, as_options({**reading, **given}), graphs["start"], graphs["truth"], knowledge, own,
            bool(getattr(own, "score_equivalent", False)), f"agon.{call}({said})", tell,
        )  # fmt: skip
    finally:
        done()
    result = Result(outcome.json, outcome=outcome, nodes=source.names)
    if not silent:
        warn(result, depth=3)
    return result


def discover(
    data: Any,
    opponent: str | Sequence[str] | None = None,
    score: str | ScoreFunction = "auto",
    knowledge: Any = None,
    time_limit: float | str | datetime.timedelta | None = None,
    seed: int = 0,
    threads: int | None = None,
    start: Any = None,
    bootstrap: int | None = None,
    progress: bool | Callable[[Progress], object] = True,
    **options: Unpack[DiscoverOptions],
) -> Result:
    """Find the causal graph of a table: opponents propose, a challenger edits, the best graph by score is the answer.

    >>> import agon
    >>> result = agon.discover(agon.datasets.load("asia", rows=500), progress=False)
    >>> bool(result.score_ >= result.opponent_score_)
    True

    Parameters
    ----------
    data : DataFrame (pandas, polars), pyarrow Table, matrix, mapping, path, name of a data set, or :class:`agon.Table`
        See :func:`agon.table`; its ``names``, ``discrete``, ``continuous``, ``missing``, ``counts``, ``weights``,
        ``targets``, ``experiment`` and ``within`` may be given here too.
    opponent : str or list of str
        Algorithms that propose graphs to beat. Default: ges and boss; with ``start``, that graph; with a score of your
        own, tabu.
    score : str or callable
        A name from ``agon.list_scores()``, "auto" (by the kinds of the columns), or a function of (child, parents), as
        names, that returns a float; larger is better. A function is slow: it is called once for every family that is
        considered, on one thread, and its scores cannot be certified. Set ``function.score_equivalent = True`` if
        Markov-equivalent graphs get the same score, so that ges and boss may be used.
    knowledge : mapping, path or list of paths
        ``{"required": [(a, b)], "forbidden": [(a, b)], "tiers": [[a], [b, c]]}``, or files in Tetrad's format or CSV.
    time_limit : seconds, "2m", or timedelta
        Stop after this long and return the best so far. Ctrl-C does the same at once; a second Ctrl-C raises
        KeyboardInterrupt.
    seed, threads
        The same data, options and seed give the same graph for any number of threads, here and on the command line.
    start : graph
        A graph to improve: pairs, networkx, adjacency matrix (DataFrame), :class:`agon.Graph`, file.
    bootstrap : int
        How many resamples to search, for ``edges_.p_edge`` and its neighbours. Default: 50 or 20 where that takes
        seconds, otherwise 0.
    progress : bool or callable
        True: a bar on a terminal or in a notebook. A function is called with an :class:`agon.Progress` now and then.
    **options
        Every other option of ``agon discover``, with underscores: ``moves``, ``penalty``, ``max_parents``, ``prune``,
        ``challenger``, ``truth``, ...; docs/options.md describes each.
    """
    return run("", data, "discover", {
        "opponent": opponent, "score": None if score == "auto" else score, "knowledge": knowledge,
        "time_limit": time_limit, "seed": seed, "threads": threads, "start": start,
        "bootstrap": bootstrap, "progress": progress, **options,
    })  # fmt: skip
