#!/usr/bin/env python3
"""One answer of another program about one table, as JSON: {"directed": [...], "undirected": [...], "seconds": CPU}.

    peer.py gies TABLE.csv          gies.fit_bic, with its own defaults
    peer.py igsp TABLE.csv          causaldag's IGSP, alpha 1e-3 as in its tutorial
    peer.py ut-igsp TABLE.csv       the same without being told the targets
    peer.py jci TABLE.csv ...       causal-learn's FCI and PC with the assumptions of joint causal inference

The column `set` of the table names the target of each row; rows of observation have none, or nothing. For jci columns
named "experiment ..." say by row whether it is on or off; it takes several tables, and prints a line for each, with an
answer for each of its programs. `seconds` is the search alone: neither starting Python, importing packages nor reading
the file.
"""

import contextlib
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


# Joint causal inference (Mooij, Magliacane & Claassen 2020, JMLR 21), all three assumptions: nothing causes a context, no
# hidden variable causes a context and a variable, and contexts depend on each other. They are knowledge here: no edge into
# a context, and contexts always adjacent. The level is that of the authors' own program.
JCI_ALPHA = 0.01


def jci_test(data, contexts, by_context):
    """A test for causal-learn: partial correlations with Fisher's z.

    `by_context` as in the authors' program: where contexts are conditioned on, the rest is tested in each of their
    configurations apart, and the p-values are combined by Fisher's method. Otherwise contexts are numbers as others are.
    """
    from causallearn.utils.cit import CIT_Base
    from scipy.stats import chi2, norm

    _, regime = np.unique(data[:, contexts], axis=0, return_inverse=True)
    regime = regime.ravel()
    levels = [data[regime == r][0] for r in range(regime.max() + 1)]
    moments = []  # by regime: rows, sums, sums of products
    for r in range(len(levels)):
        rows = data[regime == r]
        moments.append((len(rows), rows.sum(axis=0), rows.T @ rows))

    def p_value(x, y, given, regimes):
        names = [x, y, *given]
        n = sum(moments[r][0] for r in regimes)
        total = sum(moments[r][1] for r in regimes)[names]
        products = sum(moments[r][2] for r in regimes)[np.ix_(names, names)]
        covariance = products / n - np.outer(total / n, total / n)
        spread = np.sqrt(np.maximum(np.diag(covariance), 0))
        if (spread < 1e-9).any() or n - len(given) - 3 < 1:
            return None  # constant among these rows
        inverse = np.linalg.pinv(covariance / np.outer(spread, spread))
        r = -inverse[0, 1] / np.sqrt(abs(inverse[0, 0] * inverse[1, 1]))
        z = np.arctanh(np.clip(r, -1 + 1e-12, 1 - 1e-12)) * np.sqrt(n - len(given) - 3)
        return 2 * norm.sf(abs(z))

    class Test(CIT_Base):
        method = "jci"
        known = {}

        def __call__(self, x, y, given=None):
            given = sorted(given or [])
            key = (*sorted((int(x), int(y))), *map(int, given))
            if key not in self.known:
                self.known[key] = self.asked(int(x), int(y), [int(v) for v in given])
            return self.known[key]

        def asked(self, x, y, given):
            if x in contexts and y in contexts:
                return 0.0
            apart = [v for v in given if v in contexts] if by_context else []
            groups = {}
            for r, level in enumerate(levels):
                groups.setdefault(tuple(level[apart]), []).append(r)
            rest = [v for v in given if v not in apart]
            values = [p_value(x, y, rest, regimes) for regimes in groups.values()]
            values = [max(p, 1e-300) for p in values if p is not None]
            return chi2.sf(-2 * sum(np.log(values)), 2 * len(values)) if values else 1.0

    return Test


def jci_answers(path):
    """FCI and PC with the test of the authors, and FCI with partial correlations over all rows."""
    from causallearn.graph.GraphNode import GraphNode
    from causallearn.search.ConstraintBased.FCI import fci
    from causallearn.search.ConstraintBased.PC import pc
    from causallearn.utils.cit import register_ci_test
    from causallearn.utils.PCUtils.BackgroundKnowledge import BackgroundKnowledge

    with open(path, encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    names = list(lines[0])
    contexts = [k for k, name in enumerate(names) if name.startswith("experiment ")]
    told = {"on": 1.0, "off": 0.0}
    data = np.array([[told[line[n]] if n.startswith("experiment ") else float(line[n]) for n in names] for line in lines])
    register_ci_test("by context", jci_test(data, contexts, by_context=True))
    register_ci_test("pooled", jci_test(data, contexts, by_context=False))
    knowledge = BackgroundKnowledge()
    for k, name in enumerate(names):
        for context in contexts:
            if k not in contexts:
                knowledge.add_forbidden_by_node(GraphNode(name), GraphNode(names[context]))
    options = {"background_knowledge": knowledge, "show_progress": False, "node_names": names}
    return {
        "JCI, FCI": jci_edges(lambda: fci(data, "by context", JCI_ALPHA, **options)[0]),
        "JCI, PC": jci_edges(lambda: pc(data, JCI_ALPHA, "by context", **options).G),
        "JCI, FCI, pooled": jci_edges(lambda: fci(data, "pooled", JCI_ALPHA, **options)[0]),
    }


def jci_edges(search):
    """The pairs that are joined. An edge between a context and a variable can only come from the context."""
    begin = time.process_time()
    edges = search().get_graph_edges()
    seconds = time.process_time() - begin
    return {"edges": [[edge.get_node1().get_name(), edge.get_node2().get_name()] for edge in edges], "seconds": seconds}


def main():
    warnings.simplefilter("ignore")
    program, path, *more = sys.argv[1:]
    if program == "jci":
        for table in (path, *more):
            with contextlib.redirect_stdout(sys.stderr):  # causal-learn prints what it orients
                found = jci_answers(table)
            print(json.dumps(found), flush=True)
        return
    names, data, targets = environments(path)
    if program == "gies":
        found = gies_answer(names, data, targets)
    else:
        found = igsp_answer(names, data, targets, program == "igsp")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
