"""Tables with a known graph: mixed kinds, curves, interactions, missing cells. NumPy alone; a seed fixes every byte.

    columns, edges = mixed("logit", rows=500, rng=generator("logit", 500, 1))
    write_table("1.csv", gaps(columns, "mar", 0.15, rng))
    write_graph("1.truth.csv", columns, edges)

`columns` is a dict from name to values: floats for a continuous variable, small integers for a categorical one. A
missing cell is NaN or -1. `edges` are pairs of names. Columns are written in an order of their own, which says nothing
about causes.
"""

import csv
import hashlib

import numpy as np

FAMILIES = ("logit", "weak", "interactions", "curved")
# Of a standard normal variable, each has mean 0 and variance 1, or nearly; a table standardises them over its rows.
CURVES = (
    lambda z: (z**2 - 1) / np.sqrt(2),
    lambda z: np.sqrt(2) * np.sin(2 * z),
    lambda z: np.where(z > 0.3, 1.0, -1.0),
    lambda z: (np.abs(z) - 0.8) / 0.6,
)


def generator(*key):
    """A random stream of its own for every key."""
    digest = hashlib.sha256(" ".join(map(str, key)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "little"))


def random_dag(size, degree, rng):
    """Parents of each node, for nodes in causal order: every pair is an edge with the same chance."""
    return [np.flatnonzero(rng.random(node) < degree / (size - 1)) for node in range(size)]


def mixed(family, rows, rng, size=10, degree=2.5):
    """A table of `size` variables, half of them categorical with 2 to 4 levels, and its edges.

    logit         continuous child: linear with weights of size 0.5 to 1 and unit noise, standardised; a categorical
                  parent enters by evenly spaced numbers for its levels, in random order, standardised over the rows;
                  categorical child: softmax, slopes of a standard deviation between 1 and 1.8, level effects of 1.2
    weak          the same with all effects halved
    interactions  a mean, slopes and a variance for each configuration of the categorical parents, slopes of one sign;
                  categorical child: a probability table drawn from Dirichlet(1/2), continuous parents cut in three
    curved        squares, sines, steps and absolute values in place of lines, standardised over the rows
    """
    parents = random_dag(size, degree, rng)
    categorical = rng.permutation(size) < size // 2
    levels = np.where(categorical, rng.integers(2, 5, size), 0)
    draw = interacting if family == "interactions" else additive
    values = []
    for node in range(size):
        values.append(draw(family, [values[q] for q in parents[node]], levels[parents[node]], levels[node], rows, rng))
    names = [f"x{k + 1}" for k in rng.permutation(size)]
    order = rng.permutation(size)
    edges = [(names[q], names[node]) for node in range(size) for q in parents[node]]
    return {names[node]: values[node] for node in order}, edges


def standardised(x):
    spread_of_x = x.std()
    return (x - x.mean()) / spread_of_x if spread_of_x > 0 else np.zeros(len(x))


def drawn(probabilities, rng):
    """One level a row, from a matrix of probabilities."""
    return (rng.random((len(probabilities), 1)) > probabilities.cumsum(axis=1)[:, :-1]).sum(axis=1)


def signed(low, high, shape, rng):
    return rng.uniform(low, high, shape) * rng.choice([-1, 1], shape)


def spread(values, count, rng):
    """Evenly spaced numbers, one a level, in random order: of mean 0 and variance 1 over the rows."""
    return standardised(rng.permutation(np.arange(count, dtype=float))[values])[:, None]


def additive(family, parents, parent_levels, levels, rows, rng):
    scale = 0.5 if family == "weak" else 1.0
    outputs = levels if levels else 1
    total = np.zeros((rows, outputs))
    slope = rng.uniform(1, 1.8)
    for values, count in zip(parents, parent_levels):
        if count:
            if levels:
                total += scale * rng.normal(0, 1.2, (count, levels))[values]
            else:
                total += scale * signed(0.5, 1, 1, rng) * spread(values, count, rng)
        else:
            seen = standardised(CURVES[rng.integers(len(CURVES))](values)) if family == "curved" else values
            weights = rng.normal(0, slope, levels) if levels else signed(0.5, 1, 1, rng)
            total += scale * np.outer(seen, weights)
    if not levels:
        return standardised(total[:, 0] + rng.normal(size=rows))
    odds = np.exp(total - total.max(axis=1, keepdims=True))
    return drawn(odds / odds.sum(axis=1, keepdims=True), rng)


def interacting(_, parents, parent_levels, levels, rows, rng):
    cell = np.zeros(rows, dtype=int)
    cells = 1
    continuous = []
    for values, count in zip(parents, parent_levels):
        if not count and not levels:
            continuous.append(values)
            continue
        if not count:
            values, count = np.searchsorted(np.quantile(values, [1 / 3, 2 / 3]), values), 3
        cell, cells = cell * count + values, cells * count
    if levels:
        return drawn(rng.dirichlet(np.full(levels, 0.5), cells)[cell], rng)
    x = rng.normal(0, 1, cells)[cell] + rng.uniform(0.5, 1.5, cells)[cell] * rng.normal(size=rows)
    for values in continuous:
        x = x + (rng.choice([-1, 1]) * rng.uniform(0.5, 1, cells))[cell] * values
    return standardised(x)


def linear_gaussian(rows, rng, size=50, edges_per_node=3):
    """Weights of size 0.5 to 1 and unit noise, standardised; exactly `edges_per_node` edges a node on average."""
    pairs = [(q, node) for node in range(size) for q in range(node)]
    chosen = [pairs[k] for k in sorted(rng.choice(len(pairs), edges_per_node * size, replace=False))]
    x = rng.normal(size=(size, rows))
    for node in range(size):
        for q in (q for q, child in chosen if child == node):
            x[node] += signed(0.5, 1, 1, rng) * x[q]
        x[node] = standardised(x[node])
    names = [f"x{k + 1}" for k in rng.permutation(size)]
    return {names[node]: x[node] for node in rng.permutation(size)}, [(names[a], names[b]) for a, b in chosen]


def gaps(columns, mechanism, rate, rng):
    """The table with missing cells, `rate` of them in all.

    mcar: in every cell with the same chance. mar and mnar: in half of the columns at twice the rate, with a chance that
    depends on a column without gaps (mar) or on the value itself (mnar).
    """
    names = sorted(columns)
    rows = len(columns[names[0]])
    hidden = {name: np.zeros(rows, dtype=bool) for name in names}
    if mechanism == "mcar":
        hidden = {name: rng.random(rows) < rate for name in names}
    else:
        shuffled = rng.permutation(names)
        victims, seen = shuffled[: len(names) // 2], shuffled[len(names) // 2 :]
        for name in victims:
            cause = columns[name if mechanism == "mnar" else rng.choice(seen)]
            hidden[name] = rng.random(rows) < chances(cause, 2 * rate, rng)
    return {name: blanked(values, hidden[name]) for name, values in columns.items()}


def blanked(values, hidden):
    return np.where(hidden, np.nan if values.dtype.kind == "f" else -1, values)


def chances(cause, rate, rng):
    """A logistic function of the cause, steep and of either sign, with mean `rate`."""
    if cause.dtype.kind == "f":
        drive = 2 * rng.choice([-1, 1]) * standardised(cause)
    else:
        drive = rng.permutation(np.linspace(-2, 2, cause.max() + 1))[cause]
    low, high = -20.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if (1 / (1 + np.exp(-drive - middle))).mean() < rate else (low, middle)
    return 1 / (1 + np.exp(-drive - low))


def write_table(path, columns):
    def cell(value):
        if isinstance(value, (float, np.floating)):
            return "" if np.isnan(value) else repr(float(value))
        return "" if value < 0 else f"l{value}"

    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*([cell(value) for value in values] for values in columns.values())))


def write_graph(path, columns, edges):
    alone = sorted(set(columns) - {name for edge in edges for name in edge})
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["from", "to", "type"])
        writer.writerows([a, b, "directed"] for a, b in edges)
        writer.writerows([name, "", "node"] for name in alone)
