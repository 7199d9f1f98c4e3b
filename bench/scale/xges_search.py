"""XGES on a table of numbers, in the environment that bench/peers installs it into.

    xges_search.py TABLE.csv ALPHA OUT

OUT.csv is the CPDAG found as a list of edges, OUT.json the CPU seconds of score and search, without the reading and the
compiling.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
from xges import XGES

table, alpha, out = sys.argv[1], float(sys.argv[2]), Path(sys.argv[3])
with open(table, encoding="utf-8") as file:
    names = file.readline().strip().split(",")
    values = np.loadtxt(file, delimiter=",")
XGES(alpha=alpha).fit(np.random.default_rng(0).normal(size=(50, 4)), verbose=0)  # numba compiles
before = time.process_time()
found = XGES(alpha=alpha).fit(values, verbose=0).to_adjacency_matrix()
seconds = time.process_time() - before
lines = ["from,to,type"]
for a, b in zip(*np.nonzero(found)):
    if not found[b, a]:
        lines.append(f"{names[a]},{names[b]},directed")
    elif a < b:
        lines.append(f"{names[a]},{names[b]},undirected")
out.with_suffix(".csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
out.with_suffix(".json").write_text(json.dumps({"seconds": seconds}) + "\n", encoding="utf-8")
