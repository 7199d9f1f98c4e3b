"""A league on Ray."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import agon

ray = pytest.importorskip("ray")

ROOT = Path(__file__).resolve().parents[3]
PLAN = {"opponents": ["ges", "tabu"], "seeds": 3, "moves": 100_000, "patience": 10**9}


def test_the_example_of_the_page(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "scale.md").read_text(), re.DOTALL)
    (script,) = (block for block in blocks if "RayExecutor" in block)
    (tmp_path / "league.py").write_text(script)
    done = subprocess.run([sys.executable, "league.py"], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    plain = agon.league("asia", ["ges", "hc"], bootstrap=2, moves=500)
    assert done.stdout.startswith(str(plain.champion_.score_))
    assert len(list((tmp_path / "league").glob("*.json"))) == 4


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
