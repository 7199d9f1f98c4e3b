#!/usr/bin/env python3
"""The BIF of a fitted network, read by pgmpy: a sound network with the same edges. Usage: pgmpy_test.py AGON"""

import subprocess
import sys
import tempfile
from pathlib import Path

from pgmpy.readwrite import BIFReader

AGON = Path(sys.argv[1]).resolve()

with tempfile.TemporaryDirectory(prefix="agon-pgmpy-") as name:
    folder = Path(name)
    for data in ("asia", "child", "alarm"):
        subprocess.run([AGON, "run", "ges", data, "--rows", "2000", "--out", data, "--format", "bif,csv", "--quiet"],
                       cwd=folder, check=True, stdout=subprocess.DEVNULL)
        lines = (folder / data / "dag.csv").read_text().splitlines()[1:]
        edges = {tuple(line.split(",")[:2]) for line in lines if not line.endswith(",node")}
        model = BIFReader(str(folder / data / "dag.bif")).get_model()
        assert set(model.edges()) == edges, f"{data}: other edges"
        assert model.check_model(), f"{data}: not a network"
        print(f"{data}: {len(edges)} edges and {len(model.get_cpds())} tables read by pgmpy, the same")
