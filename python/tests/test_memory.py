"""A float64 matrix of a million rows and fifty columns is copied once, whatever the order of its memory."""

import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
    import gc, sys
    import numpy as np
    import agon

    def peak():  # resident bytes at most so far
        with open("/proc/self/status") as status:
            return 1024 * next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))

    order, kind = sys.argv[1:]
    cells = np.ones((1_000_000, 50), order=order)
    step = np.arange(1_000_000) % 997
    for k in range(50):
        cells[:, k] = step * (k + 1) % 991
    if kind == "frame":
        import pandas as pd
        given, names = pd.DataFrame(cells, columns=[f"V{k + 1}" for k in range(50)], copy=False), None
    else:
        given, names = cells, [f"V{k + 1}" for k in range(50)]
    agon.table(given[:100], names=names)  # what is loaded at the first call
    gc.collect()
    before = peak()
    table = agon.table(given, names=names)
    print((peak() - before) / cells.nbytes)
"""


@pytest.mark.parametrize("order, kind", [("C", "array"), ("F", "array"), ("F", "frame")])
def test_one_copy(order, kind):
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), order, kind], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert 0.9 < float(run.stdout) < 1.1  # copies of the matrix
