"""Data sets that come with agon; they need no files and no network.

>>> from agon import datasets
>>> frame = datasets.load("asia", rows=100)
>>> frame.shape
(100, 8)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _agon
from ._graph import Graph, graph_of_text

if TYPE_CHECKING:
    import pandas


def list_all() -> pandas.DataFrame:
    """name, kind, nodes, edges, rows, source and licence of every data set.

    >>> from agon import datasets
    >>> int(datasets.list_all().loc["asia", "nodes"])
    8
    """
    import pandas as pd

    return pd.DataFrame(
        _agon.datasets(), columns=["name", "kind", "nodes", "edges", "rows", "source", "licence"]
    ).set_index("name")


def frame_of(table: _agon.Table) -> pandas.DataFrame:
    """A table of the library as a DataFrame, with columns of categories and of float64.

    >>> import agon
    >>> agon.datasets.frame_of(agon.table({"x": [0.5, 1.5], "y": [True, False]})).columns.tolist()
    ['x', 'y']
    """
    import pandas as pd

    columns = {}
    for name in table.names:
        if table.kind(name) == "categorical":
            columns[name] = pd.Categorical.from_codes(table.values(name), categories=table.levels(name))
        else:
            columns[name] = table.values(name)
    return pd.DataFrame(columns, copy=True)


def load(name: str, rows: int | None = None, seed: int = 0) -> pandas.DataFrame:
    """A data set by name: a sample from a network (``seed`` chooses which), or the rows that were measured.

    >>> from agon import datasets
    >>> datasets.load("asia", rows=3, seed=1)["smoke"].tolist()
    ['yes', 'yes', 'yes']
    """
    options: list[tuple[str, int]] = [] if rows is None else [("rows", rows)]
    if seed:
        options.append(("data-seed", seed))
    return frame_of(_agon.read_table(name, options))


def truth(name: str) -> Graph:
    """The graph that is held to be the true one of a data set.

    >>> from agon import datasets
    >>> len(datasets.truth("asia").directed)
    8
    """
    return graph_of_text(_agon.load_graph(name))
