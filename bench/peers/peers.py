"""One function per algorithm of a peer: a table in, edges out. Run by run.py, each call in a process of its own:

    VENV/bin/python peers.py NAME TABLE KIND CAP OUT

reads TABLE (CSV with a header), runs the algorithm NAME and writes to OUT, as JSON, the edges [from, to, is_directed]
by column number and the CPU seconds of the search. KIND is discrete or continuous. A search that takes more than CAP
seconds of CPU is killed by the kernel.

What an algorithm sees of a categorical table are codes: 0, 1, ... in the order of the sorted levels. Of a continuous
one: the normal scores of the ranks where it has a Gaussian score or a partial correlation, so that its score is agon's
copula-bic; the standardised values where it has a least-squares loss; the values themselves for LiNGAM.

A function here imports, compiles, and returns the search; the clock starts when that is called.
"""

import csv
import json
import random
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

ALPHA = 0.01  # level of every test of independence; agon's default


@dataclass
class Peer:
    package: str  # on PyPI; also the name of its virtual environment
    family: str  # rows of one family are compared with each other
    title: str
    settings: str  # what it maximises or tests, by kind of table where that matters, and its penalty
    prepare: Callable


PEERS = {}


def peer(name, package, family, title, settings):
    def register(prepare):
        PEERS[name] = Peer(package, family, title, settings, prepare)
        return prepare

    return register


# ---- causal-learn ---------------------------------------------------------------------------------------------------
# Its Gaussian BIC is -n/2 (1 + ln v) - lambda (parents + 1) ln n: lambda_value 0.5 is penalty 1.

GAUSSIAN = "Gaussian BIC (of codes; of normal scores)"


@peer("causal-learn-ges", "causal-learn", "GES", "GES", GAUSSIAN + ", lambda_value 0.5")
def causal_learn_ges(table):
    from causallearn.search.ScoreBased.GES import ges

    return lambda: marks(ges(table.normal, "local_score_BIC_from_cov", parameters={"lambda_value": 0.5})["G"].graph)


@peer("causal-learn-boss", "causal-learn", "order search", "BOSS", GAUSSIAN + ", lambda_value 0.5 (its default is 2)")
def causal_learn_boss(table):
    from causallearn.search.PermutationBased.BOSS import boss

    return lambda: marks(boss(table.normal, parameters={"lambda_value": 0.5}, verbose=False).graph)


@peer("causal-learn-grasp", "causal-learn", "order search", "GRaSP", GAUSSIAN + ", lambda_value 0.5 (its default is 2)")
def causal_learn_grasp(table):
    from causallearn.search.PermutationBased.GRaSP import grasp

    return lambda: marks(grasp(table.normal, parameters={"lambda_value": 0.5}, verbose=False).graph)


@peer("causal-learn-exact", "causal-learn", "exact search", "exact search", GAUSSIAN + ", A* with path extension")
def causal_learn_exact(table):
    from causallearn.search.ScoreBased.ExactSearch import bic_exact_search

    return lambda: arcs(bic_exact_search(table.normal)[0])


@peer("causal-learn-pc", "causal-learn", "PC", "PC", f"stable; G2 or Fisher's z, level {ALPHA}")
def causal_learn_pc(table):
    from causallearn.search.ConstraintBased.PC import pc

    test = "gsq" if table.discrete else "fisherz"
    return lambda: marks(pc(table.normal, ALPHA, test, show_progress=False).G.graph)


@peer("causal-learn-fci", "causal-learn", "FCI", "FCI", f"G2 or Fisher's z, level {ALPHA}")
def causal_learn_fci(table):
    from causallearn.search.ConstraintBased.FCI import fci

    test = "gsq" if table.discrete else "fisherz"
    return lambda: marks(fci(table.normal, test, ALPHA, show_progress=False)[0].graph)


@peer("causal-learn-direct-lingam", "causal-learn", "DirectLiNGAM", "DirectLiNGAM", "defaults")
def causal_learn_direct_lingam(table):
    from causallearn.search.FCMBased.lingam import DirectLiNGAM

    return lambda: effects(DirectLiNGAM(random_state=0), table)


@peer("causal-learn-ica-lingam", "causal-learn", "ICA-LiNGAM", "ICA-LiNGAM", "defaults")
def causal_learn_ica_lingam(table):
    from causallearn.search.FCMBased.lingam import ICALiNGAM

    return lambda: effects(ICALiNGAM(random_state=0), table)


# ---- lingam ---------------------------------------------------------------------------------------------------------


@peer("lingam-direct", "lingam", "DirectLiNGAM", "DirectLiNGAM", "defaults")
def lingam_direct(table):
    from lingam import DirectLiNGAM

    return lambda: effects(DirectLiNGAM(random_state=0), table)


@peer("lingam-ica", "lingam", "ICA-LiNGAM", "ICA-LiNGAM", "defaults")
def lingam_ica(table):
    from lingam import ICALiNGAM

    return lambda: effects(ICALiNGAM(random_state=0), table)


# ---- xges -----------------------------------------------------------------------------------------------------------
# Its Gaussian BIC is -n/2 (1 + ln v) - alpha/2 ln n (parents + 1): alpha 1 is penalty 1.


@peer("xges", "xges", "GES", "XGES", GAUSSIAN + ", alpha 1 (its default is 2)")
def xges_gaussian(table):
    import numpy as np
    from xges import XGES

    XGES(alpha=1).fit(np.random.default_rng(0).normal(size=(50, 4)), verbose=0)  # numba compiles
    return lambda: arcs(XGES(alpha=1).fit(table.normal, verbose=0).to_adjacency_matrix())


@peer("xges-discrete", "xges", "GES", "XGES with our scorer", "discrete BIC in numpy: its search, not its speed")
def xges_discrete(table):
    import numpy as np
    from xges import XGES
    from xges.scorer import ScorerInterface

    codes = np.ascontiguousarray(table.values.T.astype(np.int64))
    levels = [int(column.max()) + 1 for column in codes]

    class DiscreteBic(ScorerInterface):
        def __init__(self):
            super().__init__()
            self.n_variables, self.cache = len(codes), {}

        def local_score(self, target, parents):
            key = (target, tuple(sorted(parents)))
            if key not in self.cache:
                self.cache[key] = self.compute(*key)
            return self.cache[key]

        def compute(self, target, parents):
            rows, row = 1, np.zeros(codes.shape[1], np.int64)
            for parent in parents:
                rows, row = rows * levels[parent], row * levels[parent] + codes[parent]
            parameters = rows * (levels[target] - 1)
            if rows > 4 * row.size:  # count the configurations that occur alone
                row = np.unique(row, return_inverse=True)[1]
                rows = int(row.max()) + 1
            counts = np.bincount(row * levels[target] + codes[target], minlength=rows * levels[target])
            counts = counts.reshape(rows, levels[target]).astype(float)
            totals = counts.sum(axis=1)
            some, any_ = counts[counts > 0], totals[totals > 0]
            fit = (some * np.log(some)).sum() - (any_ * np.log(any_)).sum()
            return fit - 0.5 * np.log(row.size) * parameters

    return lambda: arcs(XGES().fit(table.values, scorer=DiscreteBic(), verbose=0).to_adjacency_matrix())


# ---- pgmpy ----------------------------------------------------------------------------------------------------------
# bic-d and bic-g are agon's discrete and Gaussian BIC at penalty 1.


@peer("pgmpy-hc", "pgmpy", "hill climbing", "HillClimbSearch", "bic-d or bic-g; tabu list of 100, its default")
def pgmpy_hill_climb(table):
    from pgmpy.causal_discovery import HillClimbSearch

    search = HillClimbSearch(scoring_method=table.pgmpy_score, show_progress=False)
    return lambda: fitted(search, table)


@peer("pgmpy-ges", "pgmpy", "GES", "GES", "bic-d or bic-g")
def pgmpy_ges(table):
    from pgmpy.causal_discovery import GES

    return lambda: fitted(GES(scoring_method=table.pgmpy_score), table)


@peer("pgmpy-pc", "pgmpy", "PC", "PC", f"stable; G2 or Fisher's z, level {ALPHA}, at most 5 held fixed (its default)")
def pgmpy_pc(table):
    from pgmpy.causal_discovery import PC

    test = "g_sq" if table.discrete else "fisher_z"
    search = PC(variant="stable", ci_test=test, significance_level=ALPHA, n_jobs=1, show_progress=False)
    return lambda: fitted(search, table)


# ---- gcastle --------------------------------------------------------------------------------------------------------
# Its GES has -(n (1 + ln v) + (parents + 1) ln n): twice agon's at penalty 1, with the same best graph.


@peer("gcastle-ges", "gcastle", "GES", "GES", GAUSSIAN + ", method scatter: penalty 1, all doubled")
def gcastle_ges(table):
    from castle.algorithms import GES

    return lambda: learned(GES(criterion="bic", method="scatter"), table.normal)


@peer("gcastle-pc", "gcastle", "PC", "PC", f"stable; G2 or Fisher's z, level {ALPHA}")
def gcastle_pc(table):
    from castle.algorithms import PC

    return lambda: learned(PC("stable", ALPHA, "g2" if table.discrete else "fisherz"), table.normal)


@peer("gcastle-direct-lingam", "gcastle", "DirectLiNGAM", "DirectLiNGAM", "defaults")
def gcastle_direct_lingam(table):
    from castle.algorithms import DirectLiNGAM

    return lambda: learned(DirectLiNGAM(), table.values)


@peer("gcastle-ica-lingam", "gcastle", "ICA-LiNGAM", "ICA-LiNGAM", "defaults")
def gcastle_ica_lingam(table):
    from castle.algorithms import ICALiNGAM

    return lambda: learned(ICALiNGAM(random_state=0), table.values)


@peer("gcastle-notears", "gcastle", "NOTEARS", "NOTEARS", "standardised; lambda1 0.1, threshold 0.3: defaults")
def gcastle_notears(table):
    from castle.algorithms import Notears

    return lambda: learned(Notears(), table.standardised)


@peer(
    "gcastle-golem",
    "gcastle",
    "GOLEM",
    "GOLEM",
    "standardised; 10,000 steps (its default of 100,000 takes minutes), else defaults",
)
def gcastle_golem(table):
    from castle.algorithms import GOLEM

    return lambda: learned(GOLEM(num_iter=10000), table.standardised)


# ---- from the graphs of the peers to edges [from, to, is_directed] --------------------------------------------------


def marks(graph):
    """causal-learn: graph[j, i] is the mark at j of the edge between i and j: -1 tail, 1 arrow, 2 circle.

    A PAG keeps its one-sided arrows (--> and o->); every other edge becomes undirected, as agon makes of its own."""
    edges = []
    for i in range(len(graph)):
        for j in range(i):
            if graph[i, j] != 0:
                at_i, at_j = graph[i, j] == 1, graph[j, i] == 1
                edges.append([j, i, True] if at_i and not at_j else [i, j, bool(at_j and not at_i)])
    return edges


def arcs(matrix):
    """matrix[i, j] is not 0: i -> j; both ways: undirected."""
    edges = []
    for i in range(len(matrix)):
        for j in range(i):
            if matrix[i, j] or matrix[j, i]:
                edges.append([i, j, not matrix[j, i]] if matrix[i, j] else [j, i, True])
    return [[a, b, bool(directed)] for a, b, directed in edges]


def effects(model, table):
    """LiNGAM: adjacency_matrix_[to, from]; the packages' own pruning sets coefficients to 0."""
    model.fit(table.values)
    return arcs(model.adjacency_matrix_.T)


def fitted(search, table):
    """pgmpy: the rows of its matrix may stand in another order than the columns of the table."""
    search.fit(table.frame())
    found = search.adjacency_matrix_.reindex(index=table.names, columns=table.names, fill_value=0)
    return arcs(found.to_numpy())


def learned(learner, values):
    import numpy as np

    learner.learn(values)
    return arcs(np.asarray(learner.causal_matrix))


# ---- the table ------------------------------------------------------------------------------------------------------


class Table:
    """A table as the peers take it. Column names are V0, V1, ...: formulas of some peers cannot hold others."""

    def __init__(self, path, kind):
        import numpy as np

        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
        self.discrete = kind == "discrete"
        self.names = [f"V{k}" for k in range(len(rows[0]))]
        if self.discrete:
            self.values = np.column_stack([codes(column) for column in zip(*rows)]).astype(float)
        else:
            self.values = np.array(rows, float)
        self.normal = self.values if self.discrete else np.column_stack([normal_scores(c) for c in self.values.T])
        deviation = self.values.std(axis=0)
        self.standardised = (self.values - self.values.mean(axis=0)) / (deviation + (deviation == 0))
        self.pgmpy_score = "bic-d" if self.discrete else "bic-g"

    def frame(self):
        import pandas

        if self.discrete:
            return pandas.DataFrame(self.values.astype(int), columns=self.names).astype("category")
        return pandas.DataFrame(self.normal, columns=self.names)


def normal_scores(column):
    """Normal scores of the average ranks, restandardised, as in agon's copula-bic."""
    import numpy as np

    _, place, count = np.unique(column, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[place]
    z = np.array([NormalDist().inv_cdf((r - 0.5) / len(column)) for r in rank])
    return (z - z.mean()) / (z.std() or 1)


def codes(column):
    """Levels that are all numbers are sorted as numbers, others as text."""
    try:
        order = sorted(set(column), key=float)
    except ValueError:
        order = sorted(set(column))
    code = {level: k for k, level in enumerate(order)}
    return [code[cell] for cell in column]


def main(name, path, kind, cap, out):
    import numpy as np

    random.seed(0)
    np.random.seed(0)
    table = Table(path, kind)
    search = PEERS[name].prepare(table)
    begin = time.process_time()
    limit = int(begin + float(cap)) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    edges = search()
    seconds = time.process_time() - begin
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"edges": edges, "seconds": seconds}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
