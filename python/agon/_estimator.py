"""The search as a scikit-learn estimator.

>>> import agon
>>> model = agon.Champion(moves=1000).fit(agon.datasets.load("asia", rows=500))
>>> model.adjacency_matrix_.shape
(8, 8)
"""

from __future__ import annotations

import datetime
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._agon import InputError, Table
from ._graph import Graph, no_such
from ._progress import Progress
from ._result import Result
from ._run import ScoreFunction, run

if TYPE_CHECKING:
    import pandas


def _as_matrix(X: Any) -> Any:
    """Checks that scikit-learn requires of an estimator, beyond those of :func:`agon.table`."""
    if isinstance(X, (str, Table, Mapping)) or any(hasattr(X, name) for name in ("columns", "__fspath__", "nnz")):
        return X
    cells = np.asarray(X)
    if cells.dtype.kind == "c":
        raise InputError("Complex data not supported")
    if cells.ndim == 1:
        raise InputError("Expected 2D array, got 1D array instead. Reshape your data: rows are observations")
    if cells.ndim == 2 and 0 in cells.shape:
        what = "sample(s)" if cells.shape[0] == 0 else "feature(s)"
        raise InputError(f"0 {what} (shape={cells.shape}) while a minimum of 1 is required.")
    if cells.ndim == 2 and cells.dtype == object:
        cells = cells.astype(np.float64)
    if cells.dtype.kind == "f" and np.isinf(cells).any():
        raise InputError("Input X contains infinity.")
    return cells


class Champion:
    """:func:`agon.discover` with its arguments as parameters and its answer as attributes.

    ``fit`` takes everything that :func:`agon.table` takes; ``y`` is ignored. Attributes after ``fit``: ``result_`` and,
    from it, ``dag_``, ``cpdag_``, ``edges_``, ``adjacency_matrix_``, ``score_``, ``opponent_score_``, ``certificate_``,
    ``history_``; ``n_features_in_``, and ``feature_names_in_`` if the columns have names of their own. The score is
    chosen by ``scoring``, because ``score`` means something else in scikit-learn. ``learn`` and ``causal_matrix`` are
    gCastle's names for ``fit`` and the adjacency matrix. ``options`` holds all further options of
    :func:`agon.discover`.

    >>> import agon
    >>> agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500)).n_features_in_
    8
    """

    def __init__(
        self,
        opponent: str | Sequence[str] | None = None,
        scoring: str | ScoreFunction = "auto",
        knowledge: Any = None,
        time_limit: float | str | datetime.timedelta | None = None,
        seed: int = 0,
        threads: int | None = None,
        start: Any = None,
        bootstrap: int | None = None,
        moves: int | None = None,
        penalty: float | str | None = None,
        max_parents: int | None = None,
        progress: bool | Callable[[Progress], object] = False,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.opponent = opponent
        self.scoring = scoring
        self.knowledge = knowledge
        self.time_limit = time_limit
        self.seed = seed
        self.threads = threads
        self.start = start
        self.bootstrap = bootstrap
        self.moves = moves
        self.penalty = penalty
        self.max_parents = max_parents
        self.progress = progress
        self.options = options

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name.

        >>> import agon
        >>> agon.Champion(seed=3).get_params()["seed"]
        3
        """
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Champion:
        """Set parameters by name; returns the estimator.

        >>> import agon
        >>> agon.Champion().set_params(seed=3)
        Champion(seed=3)
        """
        for name, value in params.items():
            if name not in self._names():
                raise no_such("parameter", name, self._names())
            setattr(self, name, value)
        return self

    def fit(self, X: Any, y: Any = None) -> Champion:
        """Find the graph of a table; returns the estimator.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0)
        >>> model.fit(agon.datasets.load("asia", rows=500)) is model
        True
        """
        given = {name: value for name, value in self.get_params().items() if name != "options"}
        scoring = given.pop("scoring")
        given["score"] = None if isinstance(scoring, str) and scoring == "auto" else scoring
        X = X.collect() if hasattr(X, "collect") and hasattr(X, "collect_schema") else X  # a lazy frame of polars
        result = run("", _as_matrix(X), "Champion", {**given, **(self.options or {})})
        self.result_ = result
        names = getattr(X, "columns", None)
        self.n_features_in_ = len(result.nodes_) if names is None else len(names)  # columns may be no variables
        if names is not None and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def learn(self, data: Any, columns: Sequence[str] | None = None, **options: Any) -> None:
        """gCastle's name for :meth:`fit`; ``columns`` names the columns of a matrix.

        >>> import agon, numpy as np
        >>> model = agon.Champion(moves=100, bootstrap=0)
        >>> model.learn(np.random.default_rng(0).normal(size=(50, 2)), columns=["x", "y"])
        >>> model.causal_matrix.shape
        (2, 2)
        """
        if columns is not None:
            import pandas as pd

            data = pd.DataFrame(np.asarray(data), columns=list(columns))
        if options:
            self.options = {**(self.options or {}), **options}
        self.fit(data)

    def _found(self) -> Result:
        if not hasattr(self, "result_"):
            raise AttributeError("the estimator is not fitted: call fit first")
        return self.result_

    @property
    def dag_(self) -> Graph:
        """See :attr:`agon.Result.dag_`.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500))
        >>> model.dag_ == model.result_.dag_
        True
        """
        return self._found().dag_

    @property
    def cpdag_(self) -> Graph:
        """See :attr:`agon.Result.cpdag_`.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500))
        >>> model.cpdag_ == model.result_.cpdag_
        True
        """
        return self._found().cpdag_

    @property
    def edges_(self) -> pandas.DataFrame:
        """See :attr:`agon.Result.edges_`.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500))
        >>> len(model.edges_) == len(model.dag_)
        True
        """
        return self._found().edges_

    @property
    def adjacency_matrix_(self) -> pandas.DataFrame:
        """See :attr:`agon.Result.adjacency_matrix_`.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500))
        >>> model.adjacency_matrix_.shape
        (8, 8)
        """
        return self._found().adjacency_matrix_

    @property
    def causal_matrix(self) -> Any:
        """See :attr:`agon.Result.causal_matrix`.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500))
        >>> model.causal_matrix.shape
        (8, 8)
        """
        return self._found().causal_matrix

    @property
    def score_(self) -> float:
        """See :attr:`agon.Result.score_`.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500))
        >>> model.score_ >= model.opponent_score_
        True
        """
        return self._found().score_

    @property
    def opponent_score_(self) -> float | None:
        """See :attr:`agon.Result.opponent_score_`.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500))
        >>> model.opponent_score_ <= model.score_
        True
        """
        return self._found().opponent_score_

    @property
    def certificate_(self) -> Mapping[str, Any] | None:
        """See :attr:`agon.Result.certificate_`.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500))
        >>> model.certificate_["never_worse"]
        True
        """
        return self._found().certificate_

    @property
    def history_(self) -> pandas.DataFrame:
        """See :attr:`agon.Result.history_`.

        >>> import agon
        >>> model = agon.Champion(moves=100, bootstrap=0).fit(agon.datasets.load("asia", rows=500))
        >>> model.history_["score"].is_monotonic_increasing
        True
        """
        return self._found().history_

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "result_")

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags

        tags = InputTags(two_d_array=True, categorical=True, string=True, sparse=False, allow_nan=True)
        return Tags(estimator_type=None, target_tags=TargetTags(required=False), input_tags=tags)

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        told = [f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name].default]
        return f"Champion({', '.join(told)})"
