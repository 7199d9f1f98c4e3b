"""What the package shows: the stub is checked-in text. So are its options and algorithms, which run_tests check."""

import doctest
import importlib
import pkgutil
import subprocess
import sys

import pytest

import agon
from agon import _agon


def test_the_stub_is_up_to_date(root):
    run = subprocess.run([sys.executable, root / "tools" / "python-stub", "--check"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_every_algorithm_is_a_function():
    for name, *_ in _agon.opponents():
        assert callable(getattr(agon, name.replace("-", "_"))), name
    assert agon.list_algorithms().index.tolist() == [name for name, *_ in _agon.opponents()]


def test_everything_public_has_a_docstring():
    for name in agon.__all__:
        if not name.startswith("__"):
            assert getattr(agon, name).__doc__, name
    for name in dir(agon.Result):
        if not name.startswith("_") and name != "record":
            assert getattr(agon.Result, name).__doc__, name


MODULES = [name for _, name, _ in pkgutil.iter_modules(agon.__path__) if name != "_agon"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    tested = doctest.testmod(importlib.import_module(f"agon.{name}"))
    assert tested.failed == 0


def test_example_of_the_package():
    assert doctest.testmod(agon).failed == 0


def test_an_option_with_a_keyword_for_a_name():
    found = agon.discover("asia", rows=200, challenger="flat", lambda_=0.01, moves=100, progress=False)
    assert found.record["run"]["options"]["lambda"] == 0.01
