"""Frames of every make: an answer or an error of agon, and the same whatever the order of the columns.

hypothesis makes the frames, always the same ones.
"""

import datetime
import decimal
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import agon

SETTINGS = settings(
    max_examples=150, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)
OURS = (agon.InputError, agon.UsageError, agon.ScoreUndefined)

NAMES = st.one_of(
    st.sampled_from(
        ["a", "b", "a b", "ä", "名", "--drop", "$x$", '"', "<b>", "a,b", "None", "V1", "x\ny", "", " ", "a"]
    ),
    st.integers(-2, 3),
    st.floats(allow_nan=True, width=16),
    st.none(),
    st.tuples(st.sampled_from("pq"), st.integers(0, 1)),
    st.booleans(),
    st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 9)),
)


def _whole(rows, rng, dtype):
    top = 2 if "bool" in dtype else 100 if "8" in dtype else 40
    return pd.Series(rng.integers(0, top, rows)).astype(dtype)


def _words(rows, rng):
    return pd.Series(rng.choice(["x", "y", "z"], rows), dtype=object)


def _days(rows, rng):
    return pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 3, rows), unit="D"))


# Each makes a column of so many rows.
COLUMNS = {
    **{kind: (lambda rows, rng, kind=kind: _whole(rows, rng, kind)) for kind in
       ("bool", "int8", "uint8", "int64", "uint64", "Int64", "UInt8", "boolean", "int64[pyarrow]", "bool[pyarrow]")},
    **{kind: (lambda rows, rng, kind=kind: pd.Series(rng.normal(size=rows)).astype(kind)) for kind in
       ("float16", "float32", "float64", "Float64", "double[pyarrow]", "longdouble")},
    "words": _words,
    "string": lambda rows, rng: _words(rows, rng).astype("string"),
    "arrow words": lambda rows, rng: _words(rows, rng).astype("string[pyarrow]"),
    "category": lambda rows, rng: _words(rows, rng).astype("category"),
    "category with more levels": lambda rows, rng: pd.Series(pd.Categorical(_words(rows, rng), list("wxyz"))),
    "category of numbers": lambda rows, rng: _whole(rows, rng, "int64").astype("category"),
    "days": _days,
    "days in a zone": lambda rows, rng: _days(rows, rng).dt.tz_localize("Europe/Berlin"),
    "durations": lambda rows, rng: pd.Series(pd.to_timedelta(rng.integers(0, 3, rows), unit="h")),
    "months": lambda rows, rng: pd.Series(_days(rows, rng).dt.to_period("M")),
    "intervals": lambda rows, rng: pd.Series(pd.cut(rng.normal(size=rows), [-9, -1, 0, 1, 9])),
    "sparse": lambda rows, rng: pd.Series(pd.arrays.SparseArray(rng.integers(0, 2, rows).astype(float))),
    "decimals": lambda rows, rng: pd.Series([decimal.Decimal(int(k)) / 4 for k in rng.integers(0, 99, rows)], dtype=object),
    "mixed objects": lambda rows, rng: pd.Series([[1, "a", 2.5, None, True][k] for k in rng.integers(0, 5, rows)], dtype=object),
    "lists": lambda rows, rng: pd.Series([[int(k)] for k in rng.integers(0, 2, rows)], dtype=object),
    "complex": lambda rows, rng: pd.Series(rng.normal(size=rows) + 1j),
    "infinite": lambda rows, rng: pd.Series(np.where(rng.random(rows) < 0.1, np.inf, 1.5)),
    "huge": lambda rows, rng: pd.Series(rng.normal(size=rows) * 1e300),
    "tiny": lambda rows, rng: pd.Series(rng.normal(size=rows) * 1e-300),
    "constant": lambda rows, rng: pd.Series(np.full(rows, 7.0)),
    "gaps": lambda rows, rng: pd.Series(np.where(rng.random(rows) < 0.3, np.nan, rng.normal(size=rows))),
    "whole with gaps": lambda rows, rng: pd.Series(np.where(rng.random(rows) < 0.3, np.nan, rng.integers(0, 3, rows))),
    "all missing": lambda rows, rng: pd.Series([None] * rows, dtype=object),
    "identifiers": lambda rows, rng: pd.Series([f"id{k}" for k in range(rows)], dtype=object),
}  # fmt: skip


@st.composite
def frames(draw):
    rows = draw(st.sampled_from([0, 1, 2, 5, 40, 60]))
    kinds = draw(st.lists(st.sampled_from(sorted(COLUMNS)), min_size=0, max_size=5))
    names = draw(st.lists(NAMES, min_size=len(kinds), max_size=len(kinds)))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    frame = (
        pd.concat([COLUMNS[kind](rows, rng) for kind in kinds], axis=1) if kinds else pd.DataFrame(index=range(rows))
    )
    frame.columns = pd.Index(names, dtype=object)
    frame.index = draw(st.sampled_from([range(rows), [0] * rows, [f"r{k}" for k in range(rows)]]))
    return frame


def answer(data, **options):
    """The edges and the score, or the error that agon raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing but our own warnings may be given
        warnings.simplefilter("ignore", agon.DataWarning)
        try:
            found = agon.hc(data, bootstrap=0, **options)
        except OURS as error:
            assert str(error)
            return type(error).__name__
    assert np.isfinite(found.score_)
    assert len(found.nodes_) == len(set(found.nodes_))
    return found.record["dag"], found.record["cpdag"], found.score_, found.record["data"]["checksum"]


@SETTINGS
@given(frames(), st.randoms(use_true_random=False))
def test_any_frame_is_answered_or_refused(frame, random):
    found = answer(frame)
    places = list(range(frame.shape[1]))
    random.shuffle(places)
    assert answer(frame.iloc[:, places]) == found  # the order of the columns does not matter
    held = frame.copy(deep=True)
    answer(frame)
    pd.testing.assert_frame_equal(frame, held)  # and nothing was changed


LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "every other": lambda cells: np.repeat(np.repeat(cells, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards twice": lambda cells: np.ascontiguousarray(cells[::-1, ::-1])[::-1, ::-1],
    "transposed": lambda cells: np.ascontiguousarray(cells.T).T,
    "other bytes": lambda cells: cells.astype(cells.dtype.newbyteorder()),
}


@SETTINGS
@given(
    st.sampled_from(
        ["float64", "float32", "int64", "int16", "uint8", "bool", "object", "U3", "datetime64[D]", "float16"]
    ),
    st.sampled_from(sorted(LAYOUTS)),
    st.sampled_from([(0, 0), (0, 3), (3, 0), (1, 1), (1, 4), (50, 1), (50, 3)]),
    st.booleans(),
    st.integers(0, 9),
)
def test_any_layout_of_a_matrix_gives_one_answer(dtype, layout, shape, read_only, seed):
    cells = np.random.default_rng(seed).integers(0, 7, shape)
    plain = cells.astype(dtype)
    given_so = LAYOUTS[layout](plain) if dtype != "object" or layout != "other bytes" else plain
    given_so = np.asanyarray(given_so)
    if read_only:
        given_so.flags.writeable = False
    assert np.array_equal(given_so, plain)
    found = answer(given_so)
    assert found == answer(plain)
    if isinstance(found, tuple) and dtype == "float64":
        named = pd.DataFrame(plain, columns=[f"V{k + 1}" for k in range(shape[1])])
        assert answer(named)[:2] == found[:2]


@pytest.mark.parametrize("package", ["polars", "arrow"])
def test_other_frames_agree_with_pandas(package):
    import polars as pl
    import pyarrow as pa

    @SETTINGS
    @given(frames())
    def check(frame):
        frame = frame.set_axis([f"c{k}" for k in range(frame.shape[1])], axis=1).reset_index(drop=True)
        try:
            other = pl.from_pandas(frame) if package == "polars" else pa.Table.from_pandas(frame, preserve_index=False)
        except Exception:
            return  # that package does not take it
        answer(other)

    check()
