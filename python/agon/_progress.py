"""How a search reports its progress: a bar, a callback, or not at all."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple


class Progress(NamedTuple):
    """The state of a search, as a callback receives it.

    >>> import agon
    >>> phases = []
    >>> result = agon.discover("asia", rows=500, progress=lambda progress: phases.append(progress.phase))
    """

    phase: str
    steps: int
    edges: int
    score: float
    gain: float | None  # over the best opponent, once there is one
    budget: int  # the largest number of steps; 0: not known
    unit: str  # what is counted: "move", "step", "resample"


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


class _Bar:
    """A tqdm bar that appears when a search takes longer than half a second, but only on a terminal or in a
    notebook."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._since = time.monotonic()
        self._scale: tuple[str, int] | None = None

    def _begin(self, progress: Progress) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without widgets gets a bar of text
            from tqdm.auto import tqdm
        silent = False if _in_notebook() else None  # None: silent where there is no terminal
        self._bar = tqdm(
            disable=silent, leave=False, dynamic_ncols=True, desc=progress.phase, total=progress.budget or None
        )

    def __call__(self, *told: Any) -> None:
        progress = Progress(*told)
        if time.monotonic() < self._since + 0.5:
            return
        if self._bar is None:
            self._begin(progress)
        bar = self._bar
        if bar.disable:
            return
        if self._scale != (progress.phase, progress.budget):
            self._scale = (progress.phase, progress.budget)
            bar.total = None
            bar.unit = " " + progress.unit
            bar.set_description_str(progress.phase, refresh=False)
            bar.reset(total=progress.budget or None)
        bar.n = progress.steps
        figures = f"best {progress.score:.3f}"
        if progress.gain is not None:
            figures += f", gain {progress.gain:+.3f}"
        bar.set_postfix_str(figures, refresh=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def listener(progress: bool | Callable[[Progress], object]) -> tuple[Callable[..., None] | None, Callable[[], None]]:
    """The function that the library calls, and the one to call when the search has ended."""
    if progress is True:
        bar = _Bar()
        return bar, bar.close
    if callable(progress):
        told = progress
        return (lambda *args: (told(Progress(*args)), None)[1]), lambda: None
    return None, lambda: None
