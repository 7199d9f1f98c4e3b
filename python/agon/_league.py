"""Many matches on many machines: a league.

The tasks of a league run on any executor with the interface of ``concurrent.futures``: a process pool,
``dask.distributed.Client.get_executor()``, ``mpi4py.futures.MPIPoolExecutor``, :class:`agon.RayExecutor`. A task is a
pure function of its inputs; its name is a hash of them, and its result is a file of that name in ``folder``. So a lost
worker costs only one task, and a league that is started again resumes where it stopped.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from . import _agon
from ._agon import InputError, UsageError
from ._result import Result
from ._run import run, warn
from ._table import table

if TYPE_CHECKING:
    import pandas


_READING = ("names", "discrete", "continuous", "missing", "draws", "counts", "weights", "drop")


class ExecutorLike(Protocol):
    """What an executor must offer."""

    def submit(self, fn: Any, /, *args: Any) -> Any:
        """Start ``fn(*args)`` somewhere; returns a Future."""


@dataclass(frozen=True)
class _Task:
    """One run: on the table, or on a resample of its rows (``resample`` is its number)."""

    opponent: tuple[str, ...]
    seed: int
    resample: int | None
    options: tuple[tuple[str, Any], ...]

    def key(self, source: str) -> str:
        inputs = [_agon.version, _agon.build, source, self.opponent, self.seed, self.resample, self.options]
        return hashlib.sha256(json.dumps(inputs, default=str).encode()).hexdigest()[:32]


def _played(task: _Task, data: Any, reading: Mapping[str, Any]) -> str:
    """What a worker does; returns the text of a result.json."""
    source = table(data, **reading)
    if task.resample is not None:
        source = source.resampled(task.resample)
    options = {"opponent": list(task.opponent), "seed": task.seed, **dict(task.options)}
    return run("", source, "league", options, silent=True)._text


class League:
    """What a league found: ``champion_``, the best result; ``results_``, those of all matches.

    >>> import agon
    >>> found = agon.league("asia", ["ges", "hc"], moves=100)
    >>> len(found.results_), found.champion_.score_ == max(result.score_ for result in found.results_)
    (2, True)
    """

    def __init__(self, matches: list[tuple[_Task, Result]], drawings: list[Result], nodes: Sequence[str]) -> None:
        #: The results of the matches, in the order of opponents and seeds.
        self.results_: list[Result] = [result for _, result in matches]
        self._tasks = [task for task, _ in matches]
        self._drawings = drawings
        best = max(range(len(matches)), key=lambda k: (self.results_[k].score_, -len(self.results_[k].dag_), -k))
        #: The best graph by score; ties go to fewer edges, then to the match that comes first.
        self.champion_: Result = Result(
            self.results_[best]._text, outcome=self.results_[best]._outcome, nodes=list(nodes)
        )

    @property
    def table_(self) -> pandas.DataFrame:
        """One row per match: opponent, seed, score, opponent_score, edges, moves, seconds.

        >>> import agon
        >>> agon.league("asia", ["ges", "hc"], moves=100).table_["opponent"].tolist()
        ['ges', 'hc']
        """
        import pandas as pd

        rows = []
        for task, result in zip(self._tasks, self.results_):
            spent = result.record["run"]
            figures = (result.score_, result.opponent_score_, len(result.dag_), spent["moves"], spent["seconds"])
            rows.append((",".join(task.opponent), task.seed, *figures))
        return pd.DataFrame(rows, columns=["opponent", "seed", "score", "opponent_score", "edges", "moves", "seconds"])

    @property
    def edges_(self) -> pandas.DataFrame:
        """The champion's edges, as :attr:`Result.edges_`; the shares are those of the league's own resamples, and NaN
        without ``bootstrap``.

        >>> import agon
        >>> found = agon.league("asia", ["hc"], bootstrap=3, moves=100)
        >>> bool(found.edges_["p_edge"].between(0, 1).all())
        True
        """
        edges = self.champion_.edges_
        if self._drawings:
            classes = [drawing.mpdag_ for drawing in self._drawings]
            arrows = [set(graph.directed) for graph in classes]
            pairs = [{frozenset(edge) for edge in graph} for graph in classes]
            ends = list(zip(edges["from"], edges["to"]))
            edges["p_edge"] = [float(np.mean([frozenset(pair) in held for held in pairs])) for pair in ends]
            edges["p_arrow"] = [float(np.mean([pair in held for held in arrows])) for pair in ends]
            edges["p_reverse"] = [float(np.mean([pair[::-1] in held for held in arrows])) for pair in ends]
        return edges

    def __repr__(self) -> str:
        return f"<agon.League: {len(self.results_)} matches, {len(self._drawings)} drawings; {self.champion_!r}>"


def _kept(folder: Path | None, key: str) -> Result | None:
    if folder is None:
        return None
    try:
        return Result.load(folder / f"{key}.json")
    except (OSError, InputError, ValueError):
        return None  # missing or damaged: the match is played again


def _seeds(seeds: int | Iterable[int]) -> list[int]:
    return list(range(seeds)) if isinstance(seeds, int) else [int(seed) for seed in seeds]


def _many(
    tasks: list[tuple[str, _Task]], call: tuple[Any, ...], executor: ExecutorLike, retries: int, done: Any
) -> None:
    """Run all tasks on the executor. A task that fails is submitted again, up to `retries` times; if it fails once
    more, the results that have come back by then are kept before its error is raised."""
    left = {key: retries for key, _ in tasks}
    running: dict[Future[str], tuple[str, _Task]] = {}

    def keep_what_came_back() -> list[Future[str]]:
        failed = []
        for future in [future for future in running if future.done()]:
            if future.cancelled() or future.exception() is not None:
                failed.append(future)
            else:
                done(running.pop(future)[0], future.result())
        return failed

    try:
        for key, task in tasks:
            running[executor.submit(_played, task, *call)] = (key, task)
        while running:
            wait(running, return_when=FIRST_COMPLETED)
            for future in keep_what_came_back():
                key, task = running.pop(future)
                try:
                    future.result()
                except (InputError, UsageError):
                    raise  # it would fail again
                except Exception:
                    if left[key] == 0:
                        raise
                    left[key] -= 1
                    running[executor.submit(_played, task, *call)] = (key, task)
    except BaseException:
        for future in running:
            future.cancel()
        keep_what_came_back()
        raise


def league(
    data: Any,
    opponents: Sequence[str | Sequence[str]] = ("ges", "boss", "tabu"),
    seeds: int | Iterable[int] = 1,
    bootstrap: int = 0,
    executor: ExecutorLike | Executor | None = None,
    folder: str | os.PathLike[str] | None = None,
    retries: int = 3,
    **options: Any,
) -> League:
    """Play a match for every opponent and every seed, and find the best graph of all.

    >>> import agon
    >>> found = agon.league(agon.datasets.load("asia", rows=300), ["ges", "hc"], seeds=2, moves=500)
    >>> len(found.results_), bool(found.champion_.score_ == found.table_["score"].max())
    (4, True)

    Parameters
    ----------
    data
        As for :func:`agon.table`. It is sent to every worker; if the workers share a disk, a path is cheaper.
    opponents
        Names, or lists of names for matches against several at once.
    seeds
        How many (counted from 0), or a list of seeds.
    bootstrap
        How many resamples of the rows to search, each by a match against the first opponent, for
        ``edges_.p_edge`` and its neighbours.
    executor
        Its ``submit`` takes a function and arguments and returns a future. None: one task after another, here.
    folder
        Where results are kept, one file per task, written whole or not at all. A league with the same inputs reuses the
        results that are already there.
    retries
        How often a task whose worker was lost is submitted again.
    **options
        As for :func:`agon.discover`; ``threads`` is 1 with an executor unless given.

    The champion does not depend on the executor, on the number of workers, or on which of them were lost.
    """
    reading = {name: options.pop(name) for name in _READING if name in options}
    if callable(options.get("score")):
        raise UsageError("a league takes a score by name: the name of a task cannot tell two functions apart")
    options.setdefault("threads", 1 if executor is not None else None)
    options = {name: value for name, value in options.items() if value is not None}
    options["bootstrap"] = 0  # of a single match; the league draws its own
    source = table(data, **reading)
    place = None if folder is None else Path(folder)
    if place is not None:
        place.mkdir(parents=True, exist_ok=True)

    sides = [(side,) if isinstance(side, str) else tuple(side) for side in opponents]
    if not sides:
        raise UsageError("a league needs an opponent")
    # Threads do not change an answer, so they are not part of a task's name.
    fixed = tuple(sorted((name, value) for name, value in options.items() if name not in ("threads", "progress")))
    matches = [_Task(side, seed, None, fixed) for side in sides for seed in _seeds(seeds)]
    drawings = [_Task(sides[0], 0, number, fixed) for number in range(bootstrap)]
    if not matches:
        raise UsageError("a league needs a seed")

    keys = {task: task.key(f"{source.checksum} {source.options}") for task in matches + drawings}
    results: dict[str, Result] = {}
    for key in keys.values():
        kept = _kept(place, key)
        if kept is not None:
            results[key] = kept

    def done(key: str, text: str) -> None:
        results[key] = Result(text, nodes=source.names)
        if place is not None:
            _agon.write_file(str(place / f"{key}.json"), text)

    missing = [(key, task) for task, key in keys.items() if key not in results]
    how = {name: value for name, value in options.items() if name == "threads"}
    if executor is None:
        for key, task in missing:
            done(
                key, _played(_Task(task.opponent, task.seed, task.resample, (*task.options, *how.items())), source, {})
            )
    else:
        sent: Any = data if isinstance(data, (str, os.PathLike)) else source
        again = reading if isinstance(data, (str, os.PathLike)) else {}
        threaded = [(key, _Task(t.opponent, t.seed, t.resample, (*t.options, *how.items()))) for key, t in missing]
        _many(threaded, (sent, again), executor, retries, done)
    found = League(
        [(task, results[keys[task]]) for task in matches], [results[keys[task]] for task in drawings], source.names
    )
    warn(found.champion_, depth=2)
    return found


class RayExecutor:
    """``submit`` over Ray: ``agon.league(df, executor=agon.RayExecutor())`` after ``ray.init()``.

    >>> import agon
    >>> executor = agon.RayExecutor()
    >>> agon.league("asia", executor=executor)  # doctest: +SKIP
    """

    def submit(self, fn: Any, /, *args: Any) -> Future[str]:
        """Start a Ray task; returns its future.

        >>> import agon
        >>> agon.RayExecutor().submit(len, "abc").result()  # doctest: +SKIP
        3
        """
        import ray

        future: Future[str] = ray.remote(fn).remote(*args).future()
        return future
