#!/usr/bin/env python3
"""One answer of another program about one table, as JSON: {"directed": [...], "undirected": [...], "seconds": CPU}.

    peer.py gies TABLE.csv          gies.fit_bic, with its own defaults
    peer.py igsp TABLE.csv          causaldag's IGSP, alpha 1e-3 as in its tutorial
    peer.py ut-igsp TABLE.csv       the same without being told the targets

The column `set` of the table names the target of each row; rows of observation have none, or nothing. `seconds` is the
search alone: neither starting Python, importing packages nor reading the file.
"""

import csv
import json
import sys
import time
import warnings

import numpy as np

ALPHA = 1e-3


def read(path):
    """-> names, numbers [row][variable], and by row the batch it is from and what was set there."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    names = [name for name in lines[0] if name not in ("set", "experiment")]
    numbers = np.array([[float(line[name]) for name in names] for line in lines])
    batches = [line.get("experiment") or line["set"] for line in lines]
    targets = {batch: line["set"] for batch, line in zip(batches, lines)}
    return names, numbers, np.array(batches), {b: [] if t in ("", "none") else t.split(";") for b, t in targets.items()}


def environments(path):
    names, numbers, batches, targets = read(path)
    order = sorted(targets, key=lambda batch: (bool(targets[batch]), batch))
    data = [numbers[batches == batch] for batch in order]
    return names, data, [[names.index(t) for t in targets[batch]] for batch in order]


def gies_answer(names, data, targets):
    import gies

    begin = time.process_time()
    matrix, _ = gies.fit_bic(data, targets)
    seconds = time.process_time() - begin
    pairs = [(a, b) for a in range(len(names)) for b in range(len(names)) if matrix[a, b]]
    directed = [(names[a], names[b]) for a, b in pairs if not matrix[b, a]]
    undirected = [(names[a], names[b]) for a, b in pairs if matrix[b, a] and a < b]
    return {"directed": directed, "undirected": undirected, "seconds": seconds}


def igsp_answer(names, data, targets, known):
    import random

    from causaldag import igsp, unknown_target_igsp
    from conditional_independence import (
        MemoizedCI_Tester,
        MemoizedInvarianceTester,
        gauss_invariance_suffstat,
        gauss_invariance_test,
        partial_correlation_suffstat,
        partial_correlation_test,
    )

    random.seed(0)
    np.random.seed(0)
    # It takes one sample of observation: batches without targets are put together.
    observed = np.concatenate([rows for rows, hit in zip(data, targets) if not hit])
    others = [(rows, hit) for rows, hit in zip(data, targets) if hit]
    begin = time.process_time()
    ci = MemoizedCI_Tester(partial_correlation_test, partial_correlation_suffstat(observed), alpha=ALPHA)
    statistics = gauss_invariance_suffstat(observed, [rows for rows, _ in others])
    invariance = MemoizedInvarianceTester(gauss_invariance_test, statistics, alpha=ALPHA)
    nodes = set(range(len(names)))
    if known:
        graph = igsp([{"interventions": hit} for _, hit in others], nodes, ci, invariance)
    else:
        graph, _ = unknown_target_igsp([{"known_interventions": []} for _ in others], nodes, ci, invariance)
    seconds = time.process_time() - begin
    return {"directed": [(names[a], names[b]) for a, b in graph.arcs], "undirected": [], "seconds": seconds}


def main():
    warnings.simplefilter("ignore")
    program, path = sys.argv[1:]
    names, data, targets = environments(path)
    if program == "gies":
        found = gies_answer(names, data, targets)
    else:
        found = igsp_answer(names, data, targets, program == "igsp")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
