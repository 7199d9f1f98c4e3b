"""tools/header-examples finds examples and nothing else, and all examples of this tree compile.

header_examples_test.py COMPILER [FLAG...]
"""

import importlib.machinery
import importlib.util
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parent.parent.parent / "tools" / "header-examples"

HEADER = """// agon/base/x.h
//
// What it is.
//
//   Rng rng(0);
//   for (...) rng.uniform();        // a comment; not code
//   if (rng.below(2)) ...
//   rng.below(6)                    // 0 .. 5
//
//   name     what a table says
//   other    more of it
//
//   - a list, whose lines may end;
//     so
//
// Prose that is not indented;
//   and goes on indented;
//
//   watch.report = [](const Progress& p) { ... };
#pragma once

//   int not_in_the_leading_comment;
"""


def load_tool():
    loader = importlib.machinery.SourceFileLoader("header_examples", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("header_examples", loader))
    loader.exec_module(module)
    return module


def expect(got, expected):
    if got != expected:
        sys.exit(f"got      {got}\nexpected {expected}")


def main():
    tool = load_tool()
    with tempfile.TemporaryDirectory() as folder:
        header = pathlib.Path(folder) / "x.h"
        header.write_text(HEADER)
        found = [(start, [tool.as_cpp(line).strip() for line in example]) for start, example in tool.examples(header)]
    expect(
        found,
        [
            (5, ["Rng rng(0);", "for (;;) rng.uniform();", "if (rng.below(2)) {}", "rng.below(6);"]),
            (19, ["watch.report = [](const Progress& p) {  };"]),
        ],
    )
    compiler, *flags = sys.argv[1:]
    sys.exit(subprocess.run([TOOL, "--compiler", compiler, *(f"--flag={f}" for f in flags)], check=False).returncode)


if __name__ == "__main__":
    main()
