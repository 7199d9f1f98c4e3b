"""The examples of docs/python.md run from top to bottom, and docs/tutorial.md shows what its own prints."""

import re
import shutil


def test_the_tour(root):
    blocks = re.findall(r"```python\n(.*?)```", (root / "docs" / "python.md").read_text(), re.DOTALL)
    assert len(blocks) > 6
    exec(compile("\n".join(blocks), "docs/python.md", "exec"), {"__name__": "tour"})


def test_the_tutorial(root, tmp_path, monkeypatch, capsys):
    page = (root / "docs" / "tutorial.md").read_text()
    known = re.search(r"```text known.txt\n(.*?)```", page, re.DOTALL).group(1)
    code, shown = re.search(r"```python\n(.*?)```.*?```text\n(.*?)```", page, re.DOTALL).groups()
    shutil.copy(root / "examples" / "penguins.csv", tmp_path)
    (tmp_path / "known.txt").write_text(known)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "docs/tutorial.md", "exec"), {"__name__": "tutorial"})
    assert capsys.readouterr().out == shown
