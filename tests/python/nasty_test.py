#!/usr/bin/env python3
"""Nasty tables through every algorithm: each run answers with a graph or refuses with a sentence, in bounded time.

  nasty_test.py AGON            what `make test` runs: small tables through everything, large ones through a few
  nasty_test.py AGON --full     every table through every algorithm, minutes; prints one line per table
"""

import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

AGON = os.path.abspath(sys.argv[1])
FULL = "--full" in sys.argv
ONLY = [word for word in sys.argv[2:] if not word.startswith("-")]  # tables to run alone
SLOWNESS = float(os.environ.get("AGON_SLOWNESS", "1"))  # of a build with sanitizers
LONGEST = int(60 * SLOWNESS)  # seconds of the processor; a run that takes longer hangs


def csv_cell(text):
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n\r#') or text != text.strip() else text


def table(names, rows):
    lines = [",".join(csv_cell(name) for name in names)]
    lines += [",".join(csv_cell(cell) if isinstance(cell, str) else repr(cell) for cell in row) for row in rows]
    return "\n".join(lines) + "\n"


def normals(rng, n, p):
    """Columns x1 .. xp, each a noisy sum of the two before it."""
    rows = []
    for _ in range(n):
        row = []
        for j in range(p):
            row.append(rng.gauss(0, 1) + sum(0.6 * x for x in row[max(0, j - 2):]))
        rows.append(row)
    return rows


def binaries(rng, n, p):
    rows = []
    for _ in range(n):
        row = []
        for j in range(p):
            row.append(rng.randrange(2) if j == 0 or rng.random() < 0.4 else row[j - 1])
        rows.append(row)
    return rows


def names(p):
    return [f"x{j + 1}" for j in range(p)]


ODD_NAMES = ["with blank", 'a "quoted" one', "two\nlines", "größe/Δ-名前-🙂", "n" * 10000, "<script>alert(1)</script>",
             "semi;colon,comma|pipe", "$(reboot) `x` 'y' \\ %s {0}", "-->", "\u202eright to left", "true", "0"]


def tables():
    """name -> text, or (text, options). Each is a sentence of docs/reliability.md."""
    rng = random.Random(7)
    out = {}
    out["few rows, continuous"] = table(names(30), normals(rng, 12, 30))
    out["few rows, discrete"] = table(names(30), binaries(rng, 12, 30))
    out["one row, continuous"] = table(names(4), normals(rng, 1, 4))
    out["one row, discrete"] = table(names(4), binaries(rng, 1, 4))
    out["two rows, continuous"] = table(names(4), normals(rng, 2, 4))
    out["one column, continuous"] = table(names(1), normals(rng, 50, 1))
    out["one column, discrete"] = table(names(1), binaries(rng, 50, 1))
    out["all constant, numbers"] = table(names(4), [[1.5, 2.5, -3.25, 0.125]] * 20)
    out["all constant, labels"] = table(names(4), [["a", "b", "c", "d"]] * 20)
    some = normals(rng, 60, 4)
    out["some constant"] = table(names(6), [[*row, 7.5, -1.25] for row in some])
    out["duplicate columns, continuous"] = table(names(6), [[*row, row[0], row[0]] for row in some])
    flips = binaries(rng, 60, 4)
    out["duplicate columns, discrete"] = table(names(6), [[*row, row[0], 1 - row[0]] for row in flips])
    out["linearly dependent"] = table(names(6), [[*row, row[0] + row[1], 2 * row[2] - row[3] + 5] for row in some])
    out["ten thousand levels"] = table(names(3), [[f"id{i}", f"id{i * 7 % 10007}", i % 2] for i in range(10000)])
    out["near the limits of double"] = table(
        names(5), [[r[0] * 1e307, r[1] * 1e-307, r[2] * 5e-324 * 1e5, 1.7976931348623157e308 * (1 if r[3] > 0 else -1),
                    1e16 + i] for i, r in enumerate(some)])
    out["huge offsets"] = table(names(4), [[x + 1e12 for x in row] for row in some])
    out["extreme imbalance"] = table(names(4), [[int(i == 0), int(i == 0), int(i == 1), i % 2] for i in range(3000)])
    out["heavy tails"] = table(names(4), [[math.tan(math.pi * (rng.random() - 0.5)) ** 5 for _ in range(4)]
                                          for _ in range(60)])
    out["perfect determinism, discrete"] = table(
        names(5), [[a, b, a ^ b, a & b, a | b] for a, b in ((rng.randrange(2), rng.randrange(2)) for _ in range(80))])
    out["perfect determinism, continuous"] = table(names(4), [[x, x * x, x ** 3, math.exp(x)] for x in
                                                              (rng.gauss(0, 1) for _ in range(80))])
    out["odd names"] = table(ODD_NAMES, binaries(rng, 60, len(ODD_NAMES)))
    out["odd names, continuous"] = table(ODD_NAMES, normals(rng, 60, len(ODD_NAMES)))
    out["odd levels"] = table(names(3), [[rng.choice(ODD_NAMES[:8]), rng.choice("xy"), rng.choice("uv")] for _ in
                                         range(60)])
    cells = [[f"{a:.3f}", f"{b:.3f}", "x" if c > 0 else "y", "u" if d > 0 else "v"] for a, b, c, d in some]
    gaps = [[a if i % 3 else "NA", b if i % 3 == 0 else "NA", c, "NA", d] for i, (a, b, c, d) in enumerate(cells)]
    out["an empty column, an empty row, columns never seen together"] = table(names(5), [*gaps, ["NA"] * 5])
    out["a level seen once, levels that differ in case or blanks"] = table(
        names(5), [["once" if i == 5 else c, rng.choice(["yes", "Yes", " yes", "no"]), a, b, d]
                   for i, (a, b, c, d) in enumerate(cells)])
    out["text in numbers, numbers in text, dates, a third of the rows twice"] = table(
        names(6), [["<0.5" if i % 9 == 4 else a, rng.choice(["low", "high", "7"]), f"2024-02-{1 + i % 28:02d}", b, c, d]
                   for i, (a, b, c, d) in enumerate(cells + cells[:20])])
    out["weights of 0 and 1e12"] = (table([*names(4), "w"], [[*row, rng.choice([0, 1, 1e12])] for row in cells]),
                                    ["--weights", "w"])
    out["a covariance that is no covariance"] = (
        ",x,y,z\nx,1,0.9,-0.9\ny,0.9,1,0.9\nz,-0.9,0.9,1\n", ["--covariance", "--rows", "100"])
    out["mixed kinds"] = table(names(4), [[a, b, "x" if c > 0 else "y", "u" if d > 0 else "v"] for a, b, c, d in some])
    return out


def large_tables():
    rng = random.Random(11)
    out = {"one row a million times": table(names(4), [[1, 0, 1, 0]] * 1_000_000),
           "two rows half a million times": table(names(4), [[1, 0, 1, 0], [0, 0, 1, 1]] * 500_000),
           "three thousand columns, discrete": table(names(3000), binaries(rng, 40, 3000))}
    if FULL or ONLY:
        out["three thousand columns, continuous"] = table(names(3000), normals(rng, 40, 3000))
    return out


def no_constant(name):
    raise ValueError(f"{name} in JSON")


def finite(value, path="result"):
    if isinstance(value, dict):
        for key, inner in value.items():
            finite(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            finite(inner, path)
    elif isinstance(value, float):
        assert math.isfinite(value), f"{path} is {value}"


def is_acyclic(edges):
    children, waiting = {}, {}
    for a, b in edges:
        children.setdefault(a, []).append(b)
        waiting[b] = waiting.get(b, 0) + 1
        waiting.setdefault(a, 0)
    ready = [v for v, count in waiting.items() if count == 0]
    done = 0
    while ready:
        done += 1
        for child in children.get(ready.pop(), []):
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)
    return done == len(waiting)


def attempt(job):
    """Runs one command; returns (label, words, seconds, what happened, complaint or None)."""
    label, words = job
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = subprocess.Popen(["prlimit", f"--cpu={LONGEST}", AGON, *words], stdin=subprocess.DEVNULL, stdout=out,
                                 stderr=err)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = code = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        answer, message = out.read(), err.read().decode("utf-8", "replace")
    seconds = used.ru_utime + used.ru_stime
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return label, words, seconds, "hangs", f"no answer within {LONGEST} s of the processor"
    if code == 3:
        ok = message.strip() and len(message) < 5000
        return label, words, seconds, "refused: " + message.strip().splitlines()[0][:150], None if ok else message
    if code != 0:
        return label, words, seconds, f"exit code {code}", f"exit code {code}: {message[:600]}"
    try:
        result = json.loads(answer, parse_constant=no_constant)
        finite(result)
        assert is_acyclic(map(tuple, result["dag"]["edges"])), "the graph has a cycle"
        if result.get("certificate"):
            assert result["certificate"]["never_worse"] is True, "worse than an opponent"
    except (ValueError, AssertionError, KeyError) as error:
        return label, words, seconds, "bad result", f"{error!r}: {answer[:300]!r}"
    return label, words, seconds, f"{len(result['dag']['edges'])} edges", None


def main():
    listed = subprocess.run([AGON, "list", "opponents"], capture_output=True, check=True, text=True).stdout
    algorithms = [line.split()[0] for line in listed.splitlines()[1:] if line.strip()]
    algorithms.remove("file")  # needs --start
    quick = ["ges", "hc", "pc", "none"]
    jobs = []
    with tempfile.TemporaryDirectory(prefix="agon-nasty-") as folder:
        all_tables = [(label, text, False) for label, text in tables().items()]
        all_tables += [(label, text, True) for label, text in large_tables().items()]
        for number, (label, text, large) in enumerate(all_tables):
            if ONLY and label not in ONLY:
                continue
            text, options = (text, []) if isinstance(text, str) else text
            path = os.path.join(folder, f"{number}.csv")
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            limit = ["--time-limit", "1s" if FULL or large else "300ms", "--threads", "1", "--json", "--quiet"]
            for algorithm in algorithms if FULL or ONLY or not large else quick:
                jobs.append((label, ["run", algorithm, path, *options, *(limit[2:] if algorithm == "none" else limit)]))
            jobs.append((label, ["discover", path, *options, "--moves", "2000", *limit]))
        failures, outcomes = 0, {}
        with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
            for label, words, seconds, what, complaint in pool.map(attempt, jobs):
                outcomes.setdefault(label, []).append((seconds, words, what))
                if complaint:
                    failures += 1
                    print(f"FAILED {label}: agon {' '.join(words)}\n  {complaint}")
        for label, runs in outcomes.items():
            slowest = max(runs)
            refusals = sorted({what for _, _, what in runs if what.startswith("refused")})
            print(f"{label}: {len(runs)} runs, {len(runs) - sum(w.startswith('refused') for _, _, w in runs)} answered, "
                  f"slowest {slowest[0]:.1f} s of the processor ({slowest[1][1] if slowest[1][0] == 'run' else 'discover'})")
            if FULL:
                for refusal in refusals:
                    print("    " + refusal)
    print(f"{len(jobs)} runs, {failures} failures")
    return 1 if failures or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
