"""A league gives the same champion whoever plays its matches, and resumes where it was stopped."""

import json
import os
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

import agon
from agon import _league

PLAN = {"opponents": ["ges", ["hc", "tabu"]], "seeds": [0, 7], "bootstrap": 3, "moves": 2000}


@pytest.fixture(scope="module")
def frame():
    return agon.datasets.load("child", rows=150)


@pytest.fixture(scope="module")
def plain(frame):
    return agon.league(frame, **PLAN)


def same(left, right):
    assert left.champion_.record["dag"] == right.champion_.record["dag"]
    assert left.champion_.score_ == right.champion_.score_
    assert left.edges_.equals(right.edges_)
    figures = ["opponent", "seed", "score", "opponent_score", "edges", "moves"]
    assert left.table_[figures].equals(right.table_[figures])


class Lossy:
    """An executor that loses some of its tasks, as a cluster loses workers."""

    def __init__(self, lost):
        self.lost, self.count = set(lost), 0

    def submit(self, fn, *args):
        self.count += 1
        future = Future()
        if self.count in self.lost:
            future.set_exception(ConnectionError("worker lost"))
        else:
            future.set_result(fn(*args))
        return future


def test_the_champion_is_the_best_of_all(plain):
    assert len(plain.results_) == 4
    assert plain.champion_.score_ == plain.table_["score"].max()
    assert plain.table_["opponent"].tolist() == ["ges", "ges", "hc,tabu", "hc,tabu"]
    assert plain.edges_["p_edge"].between(0, 1).all()
    assert "4 matches" in repr(plain)


def test_executors_make_no_difference(frame, plain):
    with ThreadPoolExecutor(2) as threads:
        same(agon.league(frame, executor=threads, **PLAN), plain)
    with ProcessPoolExecutor(2) as processes:
        same(agon.league(frame, executor=processes, **PLAN), plain)


def test_a_lost_worker_costs_one_task(frame, plain):
    lossy = Lossy({2, 3})
    same(agon.league(frame, executor=lossy, **PLAN), plain)
    assert lossy.count == 7 + 2
    with pytest.raises(ConnectionError):
        agon.league(frame, executor=Lossy(range(100)), retries=1, **PLAN)


def test_a_folder_resumes(frame, plain, tmp_path):
    with pytest.raises(ConnectionError):
        agon.league(frame, executor=Lossy({4}), retries=0, folder=tmp_path, **PLAN)
    assert len(os.listdir(tmp_path)) == 6  # all but the lost one had come back, and are kept
    counted = Lossy(())
    same(agon.league(frame, executor=counted, folder=tmp_path, **PLAN), plain)
    assert counted.count == 1
    again = Lossy(())
    same(agon.league(frame, executor=again, folder=tmp_path, **PLAN), plain)
    assert again.count == 0

    spoiled = tmp_path / sorted(os.listdir(tmp_path))[0]
    spoiled.write_text(spoiled.read_text()[:100])
    same(agon.league(frame, executor=again, folder=tmp_path, **PLAN), plain)
    assert again.count == 1
    assert all(json.loads(path.read_text())["schema"] == 2 for path in tmp_path.iterdir())


def test_an_executor_that_breaks_keeps_what_came_back(frame, plain, tmp_path):
    class Breaks(Lossy):
        def submit(self, fn, *args):
            if self.count == 3:
                raise RuntimeError("the pool is broken")
            return super().submit(fn, *args)

    with pytest.raises(RuntimeError, match="broken"):
        agon.league(frame, executor=Breaks(()), folder=tmp_path, **PLAN)
    assert len(os.listdir(tmp_path)) == 3
    same(agon.league(frame, folder=tmp_path, **PLAN), plain)


def test_tasks_are_named_by_their_inputs(frame):
    task = _league._Task(("ges",), 0, None, (("moves", 10),))
    assert task.key("a") == _league._Task(("ges",), 0, None, (("moves", 10),)).key("a")
    others = [
        _league._Task(("hc",), 0, None, (("moves", 10),)), _league._Task(("ges",), 1, None, (("moves", 10),)),
        _league._Task(("ges",), 0, 1, (("moves", 10),)), _league._Task(("ges",), 0, None, (("moves", 11),)),
    ]  # fmt: skip
    assert len({task.key("a"), task.key("b"), *(other.key("a") for other in others)}) == 6


def test_what_makes_no_sense_is_refused(frame):
    with pytest.raises(agon.UsageError, match="opponent"):
        agon.league(frame, opponents=[])
    with pytest.raises(agon.UsageError, match="seed"):
        agon.league(frame, seeds=0)
    with pytest.raises(agon.UsageError, match="score"):
        agon.league(frame, score=lambda child, parents: 0.0)
    with pytest.raises(agon.UsageError, match="gess"), ThreadPoolExecutor(1) as threads:
        agon.league(frame, opponents=["gess"], executor=threads)
