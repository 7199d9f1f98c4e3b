"""What the package shows: the stub is checked-in text. So are its options and algorithms, which run_tests check."""

import doctest
import importlib
import pkgutil
import subprocess
import sys
import types

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


def public():
    """(name, object) of everything public, but for the members of Table, which is compiled."""
    for name in agon.__all__:
        thing = getattr(agon, name)
        if name.startswith("__"):
            continue
        yield name, thing
        if isinstance(thing, types.ModuleType):
            for inner, value in vars(thing).items():
                if callable(value) and getattr(value, "__module__", "") == thing.__name__ and not inner.startswith("_"):
                    yield f"{name}.{inner}", value
        elif thing.__module__.startswith("agon.") and thing.__module__ != "agon._agon" and isinstance(thing, type):
            for base in (base for base in thing.__mro__ if base.__module__.startswith("agon.")):
                for inner, value in vars(base).items():
                    if not inner.startswith("_") and (callable(value) or isinstance(value, (property, classmethod))):
                        yield f"{name}.{inner}", value


def test_everything_public_has_a_docstring_with_an_example():
    everything = dict(public())
    assert len(everything) > 100
    for name, thing in everything.items():
        assert ">>> " in (thing.__doc__ or ""), name


def test_the_example_of_a_table_has_all_its_members():
    for name in dir(agon.Table):
        if not name.startswith("_"):
            assert getattr(agon.Table, name).__doc__, name
            assert f"table.{name}" in agon.Table.__doc__, name


@pytest.mark.parametrize("thing", [agon.Table, agon.InputError, agon.UsageError, agon.ScoreUndefined], ids=str)
def test_examples_of_compiled_classes(thing):
    example = doctest.DocTestParser().get_doctest(thing.__doc__, {}, thing.__name__, None, None)
    assert example.examples
    assert doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(example).failed == 0


def test_the_reference_is_up_to_date(root):
    run = subprocess.run(
        [sys.executable, root / "tools" / "python-reference", "--check"], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


def test_the_words_of_the_documents(root):
    """One vocabulary: arrows are fixed or open, and a share is no confidence."""
    pages = [*(root / "python" / "agon").glob("*.py*"), root / "docs" / "python.md", root / "docs" / "api.md"]
    for page in pages:
        for word in ("compelled", "reversible", "confidence"):
            assert word not in page.read_text(), f"{page}: {word}"


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
