"""The bar of a long search: on a terminal and in a notebook, and nowhere else."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

SEARCH = """
import warnings, agon
warnings.simplefilter("ignore", agon.DataWarning)
agon.discover("alarm", rows=500, moves=10**8, patience=10**8, time_limit=2, bootstrap=0)
"""
# What tells a notebook apart: a shell of this class. Without widgets tqdm draws with text there.
NOTEBOOK = """
import sys, types
class ZMQInteractiveShell: pass
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=ZMQInteractiveShell)
"""


def test_a_terminal_has_a_bar_that_goes_away():
    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    run = subprocess.Popen([sys.executable, "-c", SEARCH], stderr=its, stdout=subprocess.PIPE)
    os.close(its)
    shown = b""
    try:
        while part := os.read(mine, 4096):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(mine)
    out, _ = run.communicate()
    assert run.returncode == 0 and out == b""
    assert b"play: " in shown and b" move" in shown and b"best -" in shown and b"gain +" in shown
    assert shown.split(b"\r")[-1].strip() == b""  # the line is blank again


def test_no_bar_in_a_file():
    run = subprocess.run([sys.executable, "-c", SEARCH], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_a_notebook_has_a_bar():
    run = subprocess.run([sys.executable, "-c", NOTEBOOK + SEARCH], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "play: " in run.stderr and "best -" in run.stderr


def test_no_bar_where_none_is_wanted():
    quiet = NOTEBOOK + SEARCH.replace("bootstrap=0", "bootstrap=0, progress=False")
    run = subprocess.run([sys.executable, "-c", quiet], capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
