"""docs/scale.md's league on Dask, with its two workers."""

import re
import subprocess
import sys

import pytest

import agon


def test_the_league_on_dask(root, tmp_path):
    pytest.importorskip("distributed")
    blocks = re.findall(r"```python\n(.*?)```", (root / "docs" / "scale.md").read_text(), re.DOTALL)
    (script,) = (block for block in blocks if "LocalCluster" in block)
    (tmp_path / "league.py").write_text(script)
    done = subprocess.run([sys.executable, "league.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    plain = agon.league("asia", ["ges", "hc"], bootstrap=2, moves=500)
    assert done.stdout.startswith(str(plain.champion_.score_))
    assert len(list((tmp_path / "league").glob("*.json"))) == 4
