"""Every algorithm of the catalog as a function of a table, with the result type of :func:`agon.discover`.

Made from the catalog by tools/regen. Each takes the options of ``agon run``, with underscores; docs/options.md
describes them.

>>> import agon
>>> agon.ges(agon.datasets.load("asia", rows=500)).record["run"]["algorithm"]
'ges'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._result import Result
from ._run import run

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import RunOptions

__all__ = [
    "ges", "boss", "tabu", "hc", "grandag", "pc", "fci", "direct_lingam", "ica_lingam", "notears", "golem", "rl_bic",
    "kcrl", "corl", "dag_gnn", "lp", "anm", "none", "file",
]  # fmt: skip


def ges(data: Any, **options: Unpack[RunOptions]) -> Result:
    """Greedy equivalence search: insert, delete and turn edges of CPDAGs.

    Chickering 2002, JMLR 3; Hauser & Buehlmann 2012, JMLR 13; tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.ges(table).nodes_
    ('praf', 'pmek')
    """
    return run("ges", data, "ges", {**options})


def boss(data: Any, **options: Unpack[RunOptions]) -> Result:
    """Best order score search, from GES and from random orders.

    Andrews et al. 2023, NeurIPS 36; tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.boss(table).nodes_
    ('praf', 'pmek')
    """
    return run("boss", data, "boss", {**options})


def tabu(data: Any, **options: Unpack[RunOptions]) -> Result:
    """Tabu search: hill climbing that may go down for a while.

    Glover 1989, ORSA J. Computing 1; tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.tabu(table).nodes_
    ('praf', 'pmek')
    """
    return run("tabu", data, "tabu", {**options})


def hc(data: Any, **options: Unpack[RunOptions]) -> Result:
    """Hill climbing: the best single edit until none improves.

    Heckerman et al. 1995, Machine Learning 20; tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.hc(table).nodes_
    ('praf', 'pmek')
    """
    return run("hc", data, "hc", {**options})


def grandag(data: Any, **options: Unpack[RunOptions]) -> Result:
    """Gradient-based neural DAG learning, its graph pruned as in CAM.

    Lachapelle et al. 2020, ICLR; tested: light.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.grandag(table).nodes_
    ('praf', 'pmek')
    """
    return run("grandag", data, "grandag", {**options})


def pc(data: Any, **options: Unpack[RunOptions]) -> Result:
    """Stable PC: tests of independence (G2, Fisher's z on ranks, or of blocks) decide which edges stay.

    Spirtes et al. 2000; Colombo & Maathuis 2014, JMLR 15; tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.pc(table).nodes_
    ('praf', 'pmek')
    """
    return run("pc", data, "pc", {**options})


def fci(data: Any, **options: Unpack[RunOptions]) -> Result:
    """FCI: tests of independence where variables may be hidden; its PAG made a DAG by rule.

    Spirtes et al. 2000; Zhang 2008, Artificial Intelligence 172; tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.fci(table).nodes_
    ('praf', 'pmek')
    """
    return run("fci", data, "fci", {**options})


def direct_lingam(data: Any, **options: Unpack[RunOptions]) -> Result:
    """DirectLiNGAM: linear, non-Gaussian; ordered from causes to effects by comparing pairs.

    Shimizu et al. 2011, JMLR 12; Hyvarinen & Smith 2013, JMLR 14; tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.direct_lingam(table).nodes_
    ('praf', 'pmek')
    """
    return run("direct-lingam", data, "direct_lingam", {**options})


def ica_lingam(data: Any, **options: Unpack[RunOptions]) -> Result:
    """ICA-LiNGAM: linear, non-Gaussian; the order from independent components.

    Shimizu et al. 2006, JMLR 7; tested: light.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.ica_lingam(table).nodes_
    ('praf', 'pmek')
    """
    return run("ica-lingam", data, "ica_lingam", {**options})


def notears(data: Any, **options: Unpack[RunOptions]) -> Result:
    """NOTEARS: a linear model by least squares under a smooth constraint on cycles.

    Zheng et al. 2018, NeurIPS 31; tested: light.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.notears(table).nodes_
    ('praf', 'pmek')
    """
    return run("notears", data, "notears", {**options})


def golem(data: Any, **options: Unpack[RunOptions]) -> Result:
    """GOLEM: the likelihood of a linear model with a soft penalty on cycles.

    Ng et al. 2020, NeurIPS 33; tested: light.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.golem(table).nodes_
    ('praf', 'pmek')
    """
    return run("golem", data, "golem", {**options})


def rl_bic(data: Any, **options: Unpack[RunOptions]) -> Result:
    """RL-BIC2: a policy over graphs learned by reinforcement on the table; its graph pruned by coefficients.

    Zhu et al. 2020, ICLR; tested: light.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.rl_bic(table, iterations=20).nodes_
    ('praf', 'pmek')
    """
    return run("rl-bic", data, "rl_bic", {**options})


def kcrl(data: Any, **options: Unpack[RunOptions]) -> Result:
    """KCRL: RL-BIC2 that pays for contradictions to the knowledge, which is enforced at the end alone.

    Hasan & Gani 2022, PMLR 182; tested: light.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.kcrl(table, iterations=20).nodes_
    ('praf', 'pmek')
    """
    return run("kcrl", data, "kcrl", {**options})


def corl(data: Any, **options: Unpack[RunOptions]) -> Result:
    """CORL: a policy over orders learned by reinforcement on the table; its graph pruned by coefficients.

    Wang et al. 2021, IJCAI; tested: light.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.corl(table, iterations=20).nodes_
    ('praf', 'pmek')
    """
    return run("corl", data, "corl", {**options})


def dag_gnn(data: Any, **options: Unpack[RunOptions]) -> Result:
    """DAG-GNN: a variational autoencoder around a weighted matrix under a smooth constraint on cycles.

    Yu et al. 2019, ICML; tested: light.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.dag_gnn(table, iterations=20).nodes_
    ('praf', 'pmek')
    """
    return run("dag-gnn", data, "dag_gnn", {**options})


def lp(data: Any, **options: Unpack[RunOptions]) -> Result:
    """Linear programs over parent sets, rounded to graphs, which single edits then climb from.

    Jaakkola et al. 2010, AISTATS; Bartlett & Cussens 2017, Artificial Intelligence 244; tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.lp(table).nodes_
    ('praf', 'pmek')
    """
    return run("lp", data, "lp", {**options})


def anm(data: Any, **options: Unpack[RunOptions]) -> Result:
    """Additive noise (RESIT): the variable whose residual is least dependent comes last.

    Hoyer et al. 2008, NIPS 21; Peters et al. 2014, JMLR 15; tested: light.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.anm(table).nodes_
    ('praf', 'pmek')
    """
    return run("anm", data, "anm", {**options})


def none(data: Any, **options: Unpack[RunOptions]) -> Result:
    """The empty graph; with knowledge the required edges.

    tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.none(table).nodes_
    ('praf', 'pmek')
    """
    return run("none", data, "none", {**options})


def file(data: Any, **options: Unpack[RunOptions]) -> Result:
    """The graph of start as it is; with knowledge, changed to satisfy it.

    tested: checked.

    >>> import agon
    >>> table = agon.datasets.load("sachs", rows=100)[["praf", "pmek"]]
    >>> agon.file(table, start=[("praf", "pmek")]).nodes_
    ('praf', 'pmek')
    """
    return run("file", data, "file", {**options})
