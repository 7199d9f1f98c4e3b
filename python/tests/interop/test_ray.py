"""A league on Ray."""

import pytest

import agon

ray = pytest.importorskip("ray")

PLAN = {"opponents": ["ges", "tabu"], "seeds": 3, "moves": 100_000, "patience": 10**9}


def test_the_champion_is_the_same_on_ray():
    frame = agon.datasets.load("child", rows=300)
    plain = agon.league(frame, **PLAN)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        found = agon.league(frame, executor=agon.RayExecutor(), **PLAN)
    finally:
        ray.shutdown()
    assert found.champion_.record["dag"] == plain.champion_.record["dag"]
    assert found.champion_.score_ == plain.champion_.score_
