"""The path of a newcomer: what README.md says, done to the letter, with a table of their own."""

import os
import pathlib
import re
import shutil
import subprocess
import venv

import pytest


@pytest.fixture(scope="module")
def readme(root):
    return (root / "README.md").read_text()


def section(readme, title):
    return re.search(rf"^## {title}\n(.*?)(?=^## )", readme, re.DOTALL | re.MULTILINE).group(1)


def commands(text):
    """The indented lines."""
    return "\n".join(re.findall(r"^    (\S.*)$", text, re.MULTILINE))


def python(text):
    return "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))


@pytest.fixture(scope="module")
def newcomer(root, tmp_path_factory):
    """A folder with my.csv, and a function that runs a shell there in an empty virtual environment."""
    home = tmp_path_factory.mktemp("newcomer")
    shutil.copy(root / "examples" / "penguins.csv", home / "my.csv")
    venv.create(home / "venv", with_pip=True)
    environment = {
        **os.environ,
        "PATH": f"{home}/venv/bin:{os.environ['PATH']}",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "SKBUILD_BUILD_DIR": f"{home}/build",  # beside the sources it would be kept for the next time
    }
    for name in ("PYTHONPATH", "MAKEFLAGS", "MAKELEVEL"):
        environment.pop(name, None)

    def shell(script):
        run = ["bash", "-euo", "pipefail", "-c", script]
        done = subprocess.run(run, cwd=home, env=environment, capture_output=True, text=True, timeout=1500)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    return home, shell


def test_readme_comes_to_the_point(readme):
    before = readme[: readme.index("agon discover my.csv")]
    assert before.count("\n") <= 25


def test_the_command_line(readme, root, newcomer):
    home, shell = newcomer
    # `make` has built it: it finds nothing to do. `pip` has a test of its own.
    find = commands(section(readme, "Find the graph of your table")).replace("pip install .", "")
    said = shell(f"cd '{root}'\n{commands(section(readme, 'Install'))}\ncd '{home}'\n{find}")
    assert "-->" in said and "result/report.html" in said
    assert (home / "result" / "report.html").stat().st_size > 10_000
    shell(f"PATH='{root}/build':$PATH\nagon verify result my.csv")


def test_python(readme, root, newcomer):
    home, shell = newcomer
    find = section(readme, "Find the graph of your table")
    assert "pip install ." in commands(find)
    shell(f"cd '{root}'\npip install --quiet .")
    (home / "first.py").write_text(python(find) + python(section(readme, "From Python")))
    said = shell("python first.py")
    assert "species" in said and "True" in said
    assert (home / "report.html").stat().st_size > 10_000
    where = shell("python -c 'import agon; print(agon.__file__)'").strip()
    assert pathlib.Path(where).is_relative_to(home / "venv")


def test_a_small_answer_fits_on_a_screen(cli):
    done = cli("discover", "asia")
    assert (done.stdout + done.stderr).count("\n") <= 30
