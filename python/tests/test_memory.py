"""A float64 matrix is copied once, whatever the order of its memory.

Bytes are counted as they are asked for, not as the machine makes them resident. NumPy tells tracemalloc of every array
it makes. The library's columns come from malloc, which is told to map every block of 64 kB or more by itself: glibc then
counts the bytes that are mapped and the most that ever were.
"""

import subprocess
import sys
import textwrap

import pytest

PROGRAM = """
    import ctypes, re, os, sys, tempfile, tracemalloc
    import numpy as np
    import agon

    libc = ctypes.CDLL(None)

    class Mallinfo(ctypes.Structure):
        _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks "
                    "fordblks keepcost".split()]

    libc.mallinfo2.restype = Mallinfo
    M_MMAP_THRESHOLD = -3
    assert libc.mallopt(M_MMAP_THRESHOLD, 1 << 16) == 1

    def mapped():
        return libc.mallinfo2().hblkhd

    def most_mapped():  # malloc_stats writes to stderr, below Python
        with tempfile.TemporaryFile() as file:
            kept = os.dup(2)
            os.dup2(file.fileno(), 2)
            libc.malloc_stats()
            os.dup2(kept, 2)
            file.seek(0)
            return int(re.search(rb"max mmap bytes +=\\s*(\\d+)", file.read())[1])

    order, kind = sys.argv[1:]
    rows, columns = 200_000, 50
    names = [f"V{k + 1}" for k in range(columns)]
    cells = np.ones((rows, columns), order=order)
    step = np.arange(rows) % 997
    for k in range(columns):
        cells[:, k] = step * (k + 1) % 991
    given, named = cells, names
    if kind == "frame":
        import pandas as pd
        given, named = pd.DataFrame(cells, columns=names, copy=False), None
    agon.table(given[:100], names=named)  # what is loaded at the first call
    before = mapped()
    assert most_mapped() < before + cells.nbytes  # else an earlier peak would hide the one that is measured
    tracemalloc.start()
    table = agon.table(given, names=named)
    by_numpy = tracemalloc.get_traced_memory()[1]
    print(by_numpy / cells.nbytes, (mapped() - before) / cells.nbytes, (most_mapped() - before) / cells.nbytes)
    kept = np.concatenate([table.values(name) for name in names])
    assert np.array_equal(kept, cells.T.ravel()) and not any(np.shares_memory(table.values(n), cells) for n in names)
"""


@pytest.mark.parametrize("order, kind", [("C", "array"), ("F", "array"), ("F", "frame")])
def test_one_copy(order, kind):
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(PROGRAM), order, kind], capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    by_numpy, kept, most = map(float, run.stdout.split())  # in copies of the matrix
    assert by_numpy < 0.01  # no array on the way but a mask of one column
    assert 1 <= kept < 1.1
    assert 1 <= most < 1.1
