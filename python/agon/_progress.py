"""What a search says while it works: a bar, a callback, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Progress(NamedTuple):
    """A moment in a search, as a callback gets it."""

    phase: str
    steps: int
    edges: int
    score: float
    gain: float | None  # over the best opponent, once there is one
    budget: int  # most steps there may be; 0: not known
    unit: str  # what is counted: "move", "step", "resample"


class _Bar:
    """A tqdm bar that appears when a search takes longer than half a second: on a terminal and in a notebook, nowhere
    else."""

    def __init__(self) -> None:
        from tqdm.auto import tqdm

        notebook = tqdm.__module__.startswith("tqdm.notebook") or "notebook" in repr(getattr(tqdm, "__mro__", ""))
        self._bar: Any = tqdm(disable=False if notebook else None, delay=0.5, leave=False, bar_format=None)

    def __call__(self, *told: Any) -> None:
        progress, bar = Progress(*told), self._bar
        if bar.disable:
            return
        bar.total = progress.budget or None
        bar.unit = progress.unit
        bar.n = progress.steps
        bar.set_description_str(progress.phase, refresh=False)
        figures = f"best {progress.score:.3f}"
        if progress.gain is not None:
            figures += f", gain {progress.gain:+.3f}"
        bar.set_postfix_str(figures, refresh=True)

    def close(self) -> None:
        self._bar.close()


def listener(progress: bool | Callable[[Progress], object]) -> tuple[Callable[..., None] | None, Callable[[], None]]:
    """What the library calls, and what to do when the search has ended."""
    if progress is True:
        bar = _Bar()
        return bar, bar.close
    if callable(progress):
        told = progress
        return (lambda *args: (told(Progress(*args)), None)[1]), lambda: None
    return None, lambda: None
