"""The examples of docs/python.md run from top to bottom."""

import re


def test_the_tour(root):
    blocks = re.findall(r"```python\n(.*?)```", (root / "docs" / "python.md").read_text(), re.DOTALL)
    assert len(blocks) > 6
    exec(compile("\n".join(blocks), "docs/python.md", "exec"), {"__name__": "tour"})
