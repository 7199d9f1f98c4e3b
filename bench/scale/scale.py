#!/usr/bin/env python3
"""How cost grows with the number of variables: agon beside Tetrad and XGES on the same tables, as one table with
exponents.

    scale.py --agon build/agon --draw build/wide_table --venvs build/peers-venv --out build/scale
    scale.py ... --kind categories --sizes 500,1000,2000        agon alone: the others get numbers
    scale.py ... --only ges,boss,discover --cap 900             some programs; CPU seconds of one search

README.md says what is equal for all. Tables and cells are files in OUT; a run that was stopped resumes where it was. To
measure something again delete its cell. A program that went over the cap at one size is not tried at larger ones.
"""

import argparse
import json
import math
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "peers")]
from run import install, measured  # noqa: E402  bench/peers
from tetrad_jar import JAR, fetched_tetrad  # noqa: E402

PROGRAMS = {
    "ges": "agon run ges",
    "boss": "agon run boss",
    "discover": "agon discover",
    "fges": "Tetrad's FGES",
    "tetrad-boss": "Tetrad's BOSS",
    "xges": "XGES",
}
PEERS = ("fges", "tetrad-boss", "xges")
AGON = {"ges": ["run", "ges"], "boss": ["run", "boss"], "discover": ["discover", "--bootstrap", "0"]}


def penalty_of(size, rows):
    """What the extended BIC charges a parent, ½ ln n + ln p, as a multiple of ½ ln n."""
    return round(1 + 2 * math.log(size) / math.log(rows), 4)


def score_options(size, args):
    """What makes agon maximise the score that all programs maximise; categories are searched with agon's default."""
    return ["--score", "gaussian-bic", "--penalty", str(penalty_of(size, args.rows))] if args.kind == "numbers" else []


def command_of(program, table, size, args, out):
    """-> (command, the file with the graph it finds)"""
    penalty = str(penalty_of(size, args.rows))
    if program in AGON:
        options = [*score_options(size, args), "--threads", str(args.threads), "--quiet", "--json"]
        return [args.agon, *AGON[program], table, *options], out / "printed"
    if program == "xges":
        python = args.venvs / "xges" / "bin" / "python"
        return [python, HERE / "xges_search.py", table, penalty, out / "found"], out / "found.csv"
    search = program.removeprefix("tetrad-")
    java = ["java", f"-Xmx{args.heap}", "-cp", args.jar, HERE / "TetradSearch.java"]
    return [*java, search, table, penalty, str(args.threads), out / "found"], out / "found.txt"


def cell_of(program, size, args):
    stem = args.out / f"{args.kind}-{size}-{args.rows}"
    table, truth = stem.with_suffix(".csv"), Path(f"{stem}-truth.csv")
    if not table.exists():
        subprocess.run([args.draw, args.kind, str(size), str(args.rows), "4", "1", args.out], check=True)
    out = args.out / "work"
    out.mkdir(exist_ok=True)
    (out / "found.json").unlink(missing_ok=True)
    command, graph = command_of(program, table, size, args, out)
    code, seconds, memory = measured(command, args.cap, 20 * args.cap, out / "printed")
    if code != 0:
        log = (out / "printed.log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        over = code in (-signal.SIGKILL, -signal.SIGXCPU)
        return {"status": "over" if over else "failed", "seconds": seconds, "memory": memory, "note": log[-1:]}
    if program in PEERS:
        seconds = json.loads((out / "found.json").read_text(encoding="utf-8"))["seconds"]
    if graph.name == "printed":
        graph = graph.rename(out / "result.json")
    shd = told_by([args.agon, "compare", truth, graph], "shd_cpdag")
    total = told_by([args.agon, "score", graph, table, *score_options(size, args)], "total")
    return {"status": "ok", "seconds": seconds, "memory": memory, "shd": shd, "total": total}


def told_by(command, key):
    """A value of the JSON that a command of agon prints, None if it refuses."""
    printed = subprocess.run([*command, "--json", "--quiet"], capture_output=True)
    return json.loads(printed.stdout)[key] if printed.returncode == 0 else None


def told(cell, before, size, size_before, best):
    """CPU seconds, exponent, peak, SHD and nats below the best score found of one cell, as text."""
    if cell is None:
        return ["not tried", "", "", "", ""]
    if cell["status"] != "ok":
        over = f"over {cell['seconds']:.0f}" if cell["status"] == "over" else "failed"
        return [over, "", f"{cell['memory']:.0f}", "", ""]
    seconds, exponent = cell["seconds"], ""
    if before is not None and before["status"] == "ok":
        exponent = f"{math.log(seconds / before['seconds']) / math.log(size / size_before):.1f}"
    digits = 2 if seconds < 10 else 1 if seconds < 100 else 0
    shd = "" if cell["shd"] is None else str(cell["shd"])
    below = "" if cell["total"] is None else f"{best - cell['total']:.1f}"
    return [f"{seconds:.{digits}f}", exponent, f"{cell['memory']:.0f}", shd, below]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agon", type=Path, required=True, help="the program")
    parser.add_argument("--draw", type=Path, required=True, help="the program wide_table")
    parser.add_argument("--venvs", type=Path, help="folder of virtual environments, for XGES")
    parser.add_argument("--tetrad", type=Path, help=f"the file {JAR} (default: fetched into OUT)")
    parser.add_argument("--out", type=Path, required=True, help="folder of tables and cells")
    parser.add_argument("--kind", choices=["numbers", "categories"], default="numbers")
    parser.add_argument("--sizes", default="500,1000,2000,5000,10000", help="numbers of variables")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--only", default=",".join(PROGRAMS), help="programs, commas between")
    parser.add_argument("--cap", type=int, default=600, help="CPU seconds of a search, all threads together")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--heap", default="8g", help="memory that Java may take")
    args = parser.parse_args()
    args.agon, args.draw, args.out = args.agon.resolve(), args.draw.resolve(), args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    programs = [name for name in args.only.split(",") if args.kind == "numbers" or name not in PEERS]
    args.jar = fetched_tetrad((args.tetrad or args.out / JAR).resolve()) if {"fges", "tetrad-boss"} & {*programs} else None
    if args.jar is None:
        programs = [name for name in programs if name not in ("fges", "tetrad-boss")]
    if "xges" in programs:
        args.venvs = args.venvs.resolve()
        if "xges" not in install(args.venvs, ["xges"]):
            programs.remove("xges")

    sizes = [int(size) for size in args.sizes.split(",")]
    cells = {}
    for size in sizes:
        for program in programs:
            if any(cells.get((program, other), {}).get("status", "ok") != "ok" for other in sizes if other < size):
                continue
            file = args.out / "cells" / f"{args.kind}-{args.rows}-{size}-{program}.json"
            if not file.exists():
                file.parent.mkdir(exist_ok=True)
                file.write_text(json.dumps(cell_of(program, size, args)) + "\n", encoding="utf-8")
            cells[program, size] = json.loads(file.read_text(encoding="utf-8"))
            print(f"{size:6} {program:12} {cells[program, size]}", flush=True)

    titles = ["variables", "program", "CPU s", "exponent", "peak MB", "SHD", "nats below the best"]
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for k, size in enumerate(sizes):
        totals = [cells.get((program, size), {}).get("total") for program in programs]
        best = max((total for total in totals if total is not None), default=0)
        for program in programs:
            before = cells.get((program, sizes[k - 1])) if k > 0 else None
            texts = told(cells.get((program, size)), before, size, sizes[k - 1], best)
            lines.append(f"| {size:,} | {PROGRAMS[program]} | {' | '.join(texts)} |")
    (args.out / f"{args.kind}-{args.rows}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
