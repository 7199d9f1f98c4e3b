"""Sums of a Spark DataFrame are those of its rows; two executors' worth of partitions, on this machine."""

import os
import sys

import numpy as np
import pandas as pd
import pytest

import agon

pyspark = pytest.importorskip("pyspark")

QUICK = {"moves": 300, "bootstrap": 0, "progress": False}


@pytest.fixture(scope="module")
def spark():
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # the executors' Python, with agon
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    session = builder.config("spark.sql.shuffle.partitions", "4").getOrCreate()
    yield session
    session.stop()


def test_of_both_kinds(spark):
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue"], 3000)
    x = 3.0 * (colour == "red") + rng.normal(size=3000)
    frame = pd.DataFrame({"x": x, "colour": colour, "y": 0.5 * x + rng.normal(size=3000)})
    rows = agon.discover(frame, score="mixed-bic", scale="raw", penalty="auto", **QUICK)
    summary = agon.summarize(spark.createDataFrame(frame).repartition(5))
    found = agon.discover(summary, **QUICK)
    assert (summary.rows, summary.form) == (3000, "moments")
    assert found.score_ == pytest.approx(rows.score_, rel=1e-10)
    assert set(found.dag_) == set(rows.dag_)


def test_of_categories(spark):
    frame = agon.datasets.load("asia", rows=2000)
    rows = agon.discover(frame, **QUICK)
    summary = agon.summarize(spark.createDataFrame(frame.astype(str)).repartition(3))
    assert summary.form == "counts"
    assert agon.discover(summary, **QUICK).score_ == pytest.approx(rows.score_, rel=1e-10)
    kept = agon.summarize(spark.createDataFrame(frame.astype(str)).repartition(3), parts=True, moments=True)
    assert kept.parts == 3
