"""Linear Gaussian tables of observation and experiments, with a known graph. NumPy alone; a seed fixes every byte.

    table = experiments("perfect, mean moved", rng, size=10, degree=2.5, observed=500, each=200, targets=5)
    table.columns, table.labels, table.edges, table.targets

Every experiment has one target. `labels` says by row what was set, "none" for observation.
"""

import csv
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "tables"))
from simulate import generator, random_dag, signed, write_graph  # noqa: E402, F401

KINDS = (
    "perfect, mean moved",
    "perfect, mean kept",
    "soft: mean moved, parents kept",
    "perfect, and every mean drifts by batch",
)
WEIGHTS = (0.5, 1.0)  # size of the effect of a parent; the noise of every variable has variance 1
MOVED = 2.0  # how far the mean of a target moves, up or down
DRIFT = 1.0  # standard deviation of the drift of a variable's mean in a batch


@dataclass
class Table:
    columns: dict  # name -> numbers
    labels: list  # by row: the target's name, or "none"
    edges: list  # pairs of names
    targets: list  # names


def experiments(kind, rng, size, degree, observed, each, targets, moved=MOVED, drift=DRIFT):
    parents = random_dag(size, degree, rng)
    weights = [signed(*WEIGHTS, len(causes), rng) for causes in parents]
    names = [f"x{k + 1}" for k in rng.permutation(size)]
    hit = rng.permutation(size)[:targets]
    far = (moved, drift)
    batches = [batch(kind, parents, weights, None, observed, far, rng)]
    batches += [batch(kind, parents, weights, target, each, far, rng) for target in hit]
    cells = np.concatenate(batches, axis=1)
    labels = ["none"] * observed + [names[target] for target in hit for _ in range(each)]
    edges = [(names[q], names[node]) for node in range(size) for q in parents[node]]
    columns = {names[node]: cells[node] for node in rng.permutation(size)}
    return Table(columns, labels, edges, [names[target] for target in hit])


def batch(kind, parents, weights, target, rows, far, rng):
    """[variable][row] of one experiment, or of observation where there is no target."""
    moved, spread = far
    cells = rng.normal(size=(len(parents), rows))
    for node, causes in enumerate(parents):
        drift = spread * rng.normal() if "drifts" in kind else 0.0
        cut = node == target and kind.startswith("perfect")
        if not cut:
            cells[node] += weights[node] @ cells[causes]
        if node == target and "moved" in kind:
            cells[node] += moved * rng.choice([-1, 1])
        cells[node] += drift
    return cells


def centred(table):
    """Every column less its mean in each batch: "within" for a score of Gaussian rows."""
    labels = np.array(table.labels)
    out = {}
    for name, values in table.columns.items():
        values = values.copy()
        for label in set(table.labels):
            values[labels == label] -= values[labels == label].mean()
        out[name] = values
    return out


def write_numbers(path, columns, texts=()):
    """Numbers, then columns of text: (name, cells)."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*columns, *(name for name, _ in texts)])
        cells = [[repr(float(value)) for value in values] for values in columns.values()]
        writer.writerows(zip(*cells, *(cells for _, cells in texts)))
