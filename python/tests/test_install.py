"""`pip install .` in a clean virtual environment, then the example of the README."""

import os
import pathlib
import re
import subprocess
import venv


def example(root):
    section = (root / "README.md").read_text().split("## From Python")[1]
    return re.search(r"```python\n(.*?)```", section, re.DOTALL).group(1)


def test_the_example_of_the_readme_after_pip_install(root, tmp_path):
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    environment.pop("PYTHONPATH", None)
    pip = [python, "-m", "pip", "install", "--quiet", f"--config-settings=build-dir={tmp_path}/build"]
    subprocess.run([*pip, str(root)], check=True, env=environment, timeout=1500)
    run = subprocess.run(
        [python, "-c", example(root)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    assert "from" in run.stdout and "True" in run.stdout
    assert (tmp_path / "report.html").stat().st_size > 10_000
    where = subprocess.run(
        [python, "-c", "import agon; print(agon.__file__)"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert pathlib.Path(where.stdout.strip()).is_relative_to(tmp_path / "venv")
