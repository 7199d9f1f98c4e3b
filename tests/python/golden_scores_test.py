#!/usr/bin/env python3
"""Where the figures of golden_scores_test.cpp come from: the formulas by definition, in plain Python, no package.

    tests/python/golden_scores_test.py build/agon            prints the lines of the table in golden_scores_test.cpp
    tests/python/golden_scores_test.py build/agon --check    compares them with the table; exit code 1 when one differs
    tests/python/golden_scores_test.py build/agon --check asia child    only these data sets

The program is asked for rows alone (`agon sample`), and their SHA-256 is checked. The graphs are read from datasets/.
Nothing here shares code with agon: no counting tables, no correlation matrix, no cache.

Formulas, n rows, natural logarithm, r the number of levels that occur, c a configuration of the parents P of j:

  discrete-bic   sum over rows of ln(N_ca / N_c) - 1/2 ln n (r_j - 1) prod_{q in P} r_q          (Schwarz 1978)
  bdeu           sum_c lnG(A/q) - lnG(A/q + N_c) + sum_a lnG(A/(q r_j) + N_ca) - lnG(A/(q r_j)),
                 q = prod r_q, A = 10                                    (Heckerman, Geiger & Chickering 1995, eq. 28)
  discrete-bic-seen, bds   the same, with the number of configurations of P that occur in place of prod r_q
  bdeu-fitted    bdeu with the A of SIZES for which the best forest by discrete-bic scores highest
                                                      (Silander, Kontkanen & Myllymaki 2007; Chow & Liu 1968)
  qnml           sum over rows of ln(N_ca / N_c) - R(n, q r_j) + R(n, q)         (Silander and others 2018)
  qnml-edges     qnml with S in place of R, - |P| ln p, p the columns that vary;
                 S(n, K) = 4/5 R(n, K) for K <= b, 4/5 R(n, b) + K - b beyond, b = n / (e^2.5 - e^1.25)
  fnml           sum over rows of ln(N_ca / N_c) - sum_c R(N_c, r_j)             (Silander and others 2008)
                 R(n, K) = n (ln a + (a + 2) ln C - 1/C) - 1/2 ln(C + 2/a), R(n, 1) = 0,
                 a = K/n, C = 1/2 + 1/2 sqrt(1 + 4/a)
                                                                                 (Szpankowski & Weinberger 2012)
  gaussian-bic   -n/2 (ln(2 pi v) + 1) - 1/2 ln n (|P| + 2), v the mean squared residual of least squares with intercept
  copula-bic     the same on F^-1((average rank - 1/2) / n), each column restandardised (Liu et al. 2009)
"""

import argparse
import hashlib
import re
import subprocess
import sys
from collections import Counter
from math import exp, fsum, lgamma, log, pi, prod, sqrt
from pathlib import Path
from statistics import NormalDist

ROOT = Path(__file__).resolve().parents[2]
# Rows, and the first 16 digits of the SHA-256 of the CSV text.
DATA = {
    "asia": (10000, "6c8a122d2abb5f2b"),
    "lucas": (2000, "aeaef4051297959b"),
    "child": (1000, "d4af3d614c78bb29"),
    "alarm": (10000, "3391a0da36768c7c"),
    "hepar2": (5000, "4a5c39ae55b4eb3d"),
    "andes": (10000, "2d7f8ca28af384d4"),
    "sachs": (7466, "fc331dcd0bc1d876"),
}
# The nodes of sachs-net as the columns of sachs.csv are called.
SACHS = {"Raf": "praf", "Mek": "pmek", "Plcg": "plcg", "Erk": "p44/42", "Akt": "pakts473", "Jnk": "pjnk"}


def table_text(name, program):
    rows, known = DATA[name]
    if name == "sachs":
        text = (ROOT / "datasets/sachs.csv").read_text()
    else:
        command = [program, "sample", name, "--count", str(rows), "--seed", "0", "--quiet"]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    if digest != known:
        sys.exit(f"{name}: the rows have SHA-256 {digest}, expected {known}: the sampler or the network changed")
    return text


def columns_of(text):
    lines = [line.split(",") for line in text.splitlines()]
    return {name: [line[k] for line in lines[1:]] for k, name in enumerate(lines[0])}


def true_parents(name):
    """Lines NODE : LEVELS | PARENTS of datasets/NAME.net."""
    parents = {}
    for line in (ROOT / f"datasets/{'sachs-net' if name == 'sachs' else name}.net").read_text().splitlines():
        words = line.split()
        if line.startswith("#") or words[1:2] != [":"]:
            continue
        names = words[words.index("|") + 1 :] if "|" in words else []
        parents[words[0]] = names
    if name == "sachs":
        parents = {SACHS.get(v, v): [SACHS.get(q, q) for q in names] for v, names in parents.items()}
    return parents


def counts(columns, child, parents):
    cells = Counter(zip(columns[child], *(columns[q] for q in parents)))
    configurations = Counter()
    for (_, *c), count in cells.items():
        configurations[tuple(c)] += count
    return cells, configurations


def discrete_bic(columns, child, parents):
    cells, configurations = counts(columns, child, parents)
    n, levels = len(columns[child]), {v: len(set(columns[v])) for v in [child, *parents]}
    fit = fsum(count * log(count / configurations[tuple(c)]) for (_, *c), count in cells.items())
    return fit - 0.5 * log(n) * (levels[child] - 1) * prod(levels[q] for q in parents)


def bdeu(columns, child, parents, sample_size=10):
    cells, configurations = counts(columns, child, parents)
    r = len(set(columns[child]))
    q = prod(len(set(columns[v])) for v in parents)
    per_configuration, per_cell = sample_size / q, sample_size / (q * r)
    return fsum(lgamma(per_configuration) - lgamma(per_configuration + count) for count in configurations.values()) + fsum(
        lgamma(per_cell + count) - lgamma(per_cell) for count in cells.values()
    )


def fit(cells, configurations):
    return fsum(count * log(count / configurations[tuple(c)]) for (_, *c), count in cells.items())


def discrete_bic_seen(columns, child, parents):
    cells, configurations = counts(columns, child, parents)
    n, r = len(columns[child]), len(set(columns[child]))
    return fit(cells, configurations) - 0.5 * log(n) * (r - 1) * len(configurations)


def bds(columns, child, parents, sample_size=10):
    cells, configurations = counts(columns, child, parents)
    per_configuration = sample_size / len(configurations)
    per_cell = per_configuration / len(set(columns[child]))
    rows = fsum(lgamma(per_configuration) - lgamma(per_configuration + count) for count in configurations.values())
    return rows + fsum(lgamma(per_cell + count) - lgamma(per_cell) for count in cells.values())


def regret(n, levels):
    if levels == 1:
        return 0.0
    a = levels / n
    c = 0.5 + 0.5 * sqrt(1 + 4 / a)
    return n * (log(a) + (a + 2) * log(c) - 1 / c) - 0.5 * log(c + 2 / a)


def straight(n, levels):
    bend = max(1, n / (exp(2.5) - exp(1.25)))
    return 0.8 * regret(n, levels) if levels <= bend else 0.8 * regret(n, bend) + levels - bend


def qnml(columns, child, parents, cost=regret):
    cells, configurations = counts(columns, child, parents)
    n, r = len(columns[child]), len(set(columns[child]))
    q = prod(len(set(columns[v])) for v in parents)
    return fit(cells, configurations) - cost(n, q * r) + cost(n, q)


def qnml_edges(columns, child, parents):
    vary = sum(len(set(cells)) > 1 for cells in columns.values())
    return qnml(columns, child, parents, straight) - len(parents) * log(vary)


def fnml(columns, child, parents):
    cells, configurations = counts(columns, child, parents)
    r = len(set(columns[child]))
    return fit(cells, configurations) - fsum(regret(count, r) for count in configurations.values())


SIZES = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200]


def fitted_size(columns):
    """Kruskal's algorithm over the pairs that gain, then the size of highest marginal likelihood."""
    alone = {v: discrete_bic(columns, v, []) for v in columns}
    names = sorted(columns)
    gains = [(discrete_bic(columns, b, [a]) - alone[b], a, b) for k, b in enumerate(names) for a in names[:k]]
    tree, neighbours = {v: v for v in names}, {v: [] for v in names}
    for gain, a, b in sorted(gains, reverse=True):
        if gain > 0 and tree[a] != tree[b]:
            neighbours[a].append(b)
            neighbours[b].append(a)
            tree = {v: tree[a] if of == tree[b] else of for v, of in tree.items()}
    parents, waiting = {}, []
    for root in names:
        waiting.append((root, []))
        while waiting:
            v, above = waiting.pop()
            if v not in parents:
                parents[v] = above
                waiting += [(u, [v]) for u in neighbours[v] if u not in parents]
    return max(SIZES, key=lambda size: fsum(bdeu(columns, v, parents[v], size) for v in names))


def residual_variance(y, regressors):
    """Mean squared residual of least squares with intercept: modified Gram-Schmidt on the rows, every step twice."""
    n = len(y)
    basis = []
    for x in [[1.0] * n, *regressors, y]:
        x = list(x)
        for _ in range(2):
            for b in basis:
                share = fsum(s * t for s, t in zip(b, x))
                x = [s - share * t for s, t in zip(x, b)]
        length = sqrt(fsum(s * s for s in x))
        basis.append([s / length for s in x])
    return length * length / n


def gaussian_bic(columns, child, parents):
    n = len(columns[child])
    v = residual_variance(columns[child], [columns[q] for q in parents])
    return -n / 2 * (log(2 * pi * v) + 1) - 0.5 * log(n) * (len(parents) + 2)


def normal_scores(values):
    n = len(values)
    first, last = {}, {}
    for place, x in enumerate(sorted(values), start=1):
        first.setdefault(x, place)
        last[x] = place
    inverse = NormalDist().inv_cdf
    z = [inverse(((first[x] + last[x]) / 2 - 0.5) / n) for x in values]
    mean = fsum(z) / n
    deviation = sqrt(fsum((x - mean) ** 2 for x in z) / n)
    return [(x - mean) / deviation for x in z]


def figures(name, columns):
    """(score, of the true graph, of the empty graph)"""
    parents = true_parents(name)
    if name != "sachs":
        scores = [("discrete-bic", discrete_bic, columns), ("bdeu", bdeu, columns)]
        seen = [("discrete-bic-seen", discrete_bic_seen, columns), ("bds", bds, columns)]
        scores += [*seen, ("qnml", qnml, columns), ("qnml-edges", qnml_edges, columns), ("fnml", fnml, columns)]
        if len(columns) <= 20:  # the pairs of more columns take long here
            size = fitted_size(columns)
            scores.append(("bdeu-fitted", lambda c, v, p: bdeu(c, v, p, size), columns))
    else:
        raw = {v: [float(x) for x in cells] for v, cells in columns.items()}
        copula = {v: normal_scores(x) for v, x in raw.items()}
        scores = [("gaussian-bic", gaussian_bic, raw), ("copula-bic", gaussian_bic, copula)]
    for label, local, table in scores:
        yield label, fsum(local(table, v, parents[v]) for v in table), fsum(local(table, v, []) for v in table)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("agon", help="the program, for the rows")
    parser.add_argument("names", nargs="*", metavar="DATA")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_intermixed_args()
    checked_in = (ROOT / "tests/golden_scores_test.cpp").read_text()
    differ = 0
    for name in args.names or DATA:
        for label, truth, empty in figures(name, columns_of(table_text(name, args.agon))):
            line = f'{{"{name}", "{label}", {truth:.6f}, {empty:.6f}}},'
            if not args.check:
                print(line)
                continue
            known = re.search(rf'{{"{name}",\s*"{label}",\s*([-\d.]+),\s*([-\d.]+)}}', checked_in)
            if known is None or max(abs(float(known[1]) - truth), abs(float(known[2]) - empty)) > 2e-6:
                differ += 1
                print(f"computed {line} checked in: {known[0] if known else 'nothing'}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
