import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def cli():
    """Runs the command line; `make test` names the binary."""
    binary = os.environ.get("AGON_BINARY", str(ROOT / "build" / "agon"))

    def run(*words):
        return subprocess.run([binary, *map(str, words)], capture_output=True, text=True, timeout=300)

    return run


@pytest.fixture(scope="session")
def root():
    return ROOT
