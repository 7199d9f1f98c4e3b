"""The package is typed: mypy in strict mode has nothing to say."""

import subprocess
import sys


def test_mypy(root):
    run = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir=/dev/null"], cwd=root, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout
