"""Whether the means of two experiments of one description agree, in all their cells together.

    cells = {("logit", 500): Cell(rows, aims, graphs), ...}
    joint(cells).said()

`rows` has a line for each of our graphs, with what was measured on it in every column; `aims` are the means of the other
experiment, of `graphs` graphs. Its spread is not known and is taken to be ours: far = (mean - aim) / (s sqrt(1/n + 1/m)).
The sum of the squares of `far` says how well they agree, its mean whether ours lie above. Columns share graphs, and counts
of errors are skewed, so what chance makes of both is found by drawing: m of our own graphs in the place of the other
experiment, compared with the others of ours, many times. `share` is how often the sum is at least as large as that of the
aims, `share_above` how often the mean is at least as high: small if they differ.
"""

from dataclasses import dataclass

import numpy as np

DRAWS = 10_000


@dataclass
class Cell:
    rows: np.ndarray  # [graph][column]
    aims: tuple  # by column; None where there is none
    graphs: int  # of the other experiment


@dataclass
class Joint:
    sum_of_squares: float
    cells: int
    share: float
    mean: float
    share_above: float
    within: int  # cells within one standard error of the difference, either way
    within_by_chance: float
    not_above: int  # cells at most one standard error above
    not_above_by_chance: float

    def said(self):
        return (
            f"sum of squares {self.sum_of_squares:.1f} over {self.cells} cells, as large in {self.share:.0%} of draws; mean"
            f" {self.mean:+.2f}, as high in {self.share_above:.0%}; within one standard error {self.within} (by chance"
            f" {self.within_by_chance:.1f}), at most one above {self.not_above} (by chance {self.not_above_by_chance:.1f})"
        )


def distances(ours, theirs_mean, theirs_count, spread):
    error = spread * np.sqrt(1 / len(ours) + 1 / theirs_count)
    return np.divide(ours.mean(axis=0) - theirs_mean, error, out=np.zeros(ours.shape[1]), where=error > 0)


def joint(cells, seed=1):
    rng = np.random.default_rng(seed)
    parts = []
    for cell in cells.values():
        used = [k for k, aim in enumerate(cell.aims) if aim is not None]
        rows = np.asarray(cell.rows, dtype=float)[:, used]
        parts.append((rows, np.array([cell.aims[k] for k in used]), cell.graphs, rows.std(axis=0, ddof=1)))

    def measured(far):
        return (far**2).sum(), far.mean(), (np.abs(far) <= 1).sum(), (far <= 1).sum()

    found = measured(np.concatenate([distances(rows, aims, m, s) for rows, aims, m, s in parts]))

    def drawn():
        far = []
        for rows, _, m, s in parts:
            order = rng.permutation(len(rows))
            far.append(distances(rows[order[m:]], rows[order[:m]].mean(axis=0), m, s))
        return measured(np.concatenate(far))

    by_chance = np.array([drawn() for _ in range(DRAWS)])
    return Joint(
        sum_of_squares=float(found[0]),
        cells=sum(len(aims) for _, aims, _, _ in parts),
        share=float((by_chance[:, 0] >= found[0]).mean()),
        mean=float(found[1]),
        share_above=float((by_chance[:, 1] >= found[1]).mean()),
        within=int(found[2]),
        within_by_chance=float(by_chance[:, 2].mean()),
        not_above=int(found[3]),
        not_above_by_chance=float(by_chance[:, 3].mean()),
    )
