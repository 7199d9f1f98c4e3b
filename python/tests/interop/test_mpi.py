"""A league on MPI, as docs/scale.md has it: one process hands out the tasks, two play."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import agon

pytest.importorskip("mpi4py")
ROOT = Path(__file__).resolve().parents[3]


def test_the_example_of_the_page(tmp_path):
    mpiexec = shutil.which("mpiexec", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if mpiexec is None:
        pytest.skip("there is no mpiexec")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "scale.md").read_text(), re.DOTALL)
    (script,) = (block for block in blocks if "MPIPoolExecutor" in block)
    (tmp_path / "league.py").write_text(script)
    command = [mpiexec, "-n", "3", sys.executable, "-m", "mpi4py.futures", "league.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    plain = agon.league("asia", ["ges", "hc"], bootstrap=2, moves=500)
    assert done.stdout.startswith(str(plain.champion_.score_))
    assert len(list((tmp_path / "league").glob("*.json"))) == 4
