#!/usr/bin/env python3
"""Runs peers and agon on the same tables with equal penalties and puts them into one table. See README.md.

    run.py --agon build/agon --venvs build/peers-venv --out build/peers      the embedded networks
    run.py ... --data-dir DIR --data asia,sachs      tables DIR/NAME/data.csv with true graphs DIR/NAME/truth.csv
    run.py ... --peers xges,pgmpy                    some of the packages

Each finished cell is a file OUT/cells/NAME/ALGORITHM.json; a run that was stopped resumes where it was. To measure a
cell again delete its file. At the end OUT/peers.csv, OUT/peers.json and OUT/peers.md hold the cells asked for.
"""

import argparse
import csv
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from graphs import dag_of
from peers import PEERS
from table import write_tables

HERE = Path(__file__).resolve().parent
# xges forgets to ask for scipy, gcastle for torch.
REQUIREMENTS = {"causal-learn": [], "gcastle": ["torch"], "lingam": [], "pgmpy": [], "xges": ["scipy"]}
ROWS = {"asia": 10000, "lucas": 2000, "child": 1000, "alarm": 10000, "hepar2": 5000, "andes": 10000}  # as in the paper
MOST_LEVELS = 20  # a column with more distinct fractions makes its table continuous; hepar2 has midpoints of intervals
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}

# Family, title, arguments of agon. Each is run with --threads 1 --penalty 1 and the score of the table.
AGON = {
    "agon-ges": ("GES", "ges", ["run", "ges"]),
    "agon-boss": ("order search", "boss", ["run", "boss"]),
    "agon-hc": ("hill climbing", "hc", ["run", "hc"]),
    "agon-tabu": ("hill climbing", "tabu", ["run", "tabu"]),
    "agon-pc": ("PC", "pc", ["run", "pc"]),
    "agon-fci": ("FCI", "fci", ["run", "fci"]),
    "agon-direct-lingam": ("DirectLiNGAM", "direct-lingam", ["run", "direct-lingam"]),
    "agon-ica-lingam": ("ICA-LiNGAM", "ica-lingam", ["run", "ica-lingam"]),
    "agon-notears": ("NOTEARS", "notears", ["run", "notears"]),
    "agon-golem": ("GOLEM", "golem", ["run", "golem"]),
    "agon-prove": ("exact search", "discover --prove", ["discover", "--prove"]),
    "agon-discover": ("match", "discover", ["discover"]),
    "agon-discover-ges": ("match", "discover --opponent ges", ["discover", "--opponent", "ges"]),
}


def install(venvs, packages):
    """A virtual environment per package: together they hold each other at old versions. -> {package: version}"""
    versions = {}
    for package in packages:
        folder = venvs / package
        python = folder / "bin" / "python"
        ask = [python, "-c", f"from importlib.metadata import version; print(version('{package}'))"]
        if not (folder / "installed").exists():
            print(f"installing {package}", flush=True)
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            command = [python, "-m", "pip", "install", "--quiet", package, *REQUIREMENTS[package]]
            if subprocess.run(command).returncode != 0:
                print(f"{package} did not install", flush=True)
                continue
            (folder / "installed").touch()
        versions[package] = subprocess.run(ask, check=True, capture_output=True, text=True).stdout.strip()
    return versions


class Data:
    """A table with its columns shuffled, in a file that every competitor reads."""

    def __init__(self, name, args):
        self.name, self.truth = name, name  # the true graph of an embedded network goes by its name
        source = args.out / "data" / f"{name}.sampled.csv"
        if args.data_dir:
            source, self.truth = args.data_dir / name / "data.csv", args.data_dir / name / "truth.csv"
        else:
            source.parent.mkdir(parents=True, exist_ok=True)
            agon = [args.agon, "sample", name, "-n", str(ROWS[name]), "--seed", "0", "-o", source, "--quiet"]
            subprocess.run(agon, check=True)
        self.path = args.out / "data" / f"{name}.csv"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.rows, fractions = 0, {}  # column -> the fractions seen in it, few where they are names of categories
        # Row by row: what this process holds counts as memory of those it starts.
        with (
            open(source, encoding="utf-8", newline="") as file,
            open(self.path, "w", encoding="utf-8", newline="") as out,
        ):
            reader, writer = csv.reader(file), csv.writer(out, lineterminator="\n")
            header = next(reader)
            order = list(range(len(header)))
            random.Random(f"{args.seed} {name}").shuffle(order)
            self.columns = [header[k] for k in order]
            writer.writerow(self.columns)
            for row in reader:
                self.rows += 1
                writer.writerow([row[k] for k in order])
                for k, cell in enumerate(row):
                    if len(seen := fractions.setdefault(k, set())) <= MOST_LEVELS and is_fraction(cell):
                        seen.add(cell)
        self.kind = "continuous" if any(len(seen) > MOST_LEVELS for seen in fractions.values()) else "discrete"
        self.score = {"discrete": "discrete-bic", "continuous": "copula-bic"}[self.kind]

    def options(self):
        return ["--data-type", self.kind, "--score", self.score, "--penalty", "1", "--quiet"]


def is_fraction(cell):
    try:
        return not float(cell).is_integer()
    except ValueError:
        return False


def measured(command, cap, wall, output):
    """Runs a command, killed after `cap` CPU seconds (0: it sees to that itself) or `wall` seconds; what it prints goes
    to the file `output`, its log beside it. -> (exit code, CPU seconds, peak megabytes)"""

    def limit():
        if cap:
            resource.setrlimit(resource.RLIMIT_CPU, (cap, cap))

    with open(output, "wb") as out, open(f"{output}.log", "wb") as log:
        process = subprocess.Popen(command, stdout=out, stderr=log, env={**os.environ, **ONE_THREAD}, preexec_fn=limit)
    end = time.monotonic() + wall
    try:
        while not (done := os.wait4(process.pid, os.WNOHANG))[0]:
            if time.monotonic() > end:
                process.kill()
            time.sleep(0.01)
    except BaseException:
        process.kill()
        raise
    _, status, usage = done
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def run_agon(name, data, args, work):
    """-> (exit code, CPU seconds of the process, peak megabytes, edges)"""
    command = [args.agon, *AGON[name][2], data.path, *data.options(), "--threads", "1", "--json"]
    code, seconds, memory = measured(command, args.cap + 1, 20 * args.cap, work / "result.json")
    edges = []
    if code == 0:
        node = {column: k for k, column in enumerate(data.columns)}
        found = json.loads((work / "result.json").read_text(encoding="utf-8"))
        edges = [[node[a], node[b], True] for a, b in found["dag"]["edges"]]
    return code, seconds, memory, edges


def run_peer(name, data, args, work):
    """-> (exit code, CPU seconds of the search, peak megabytes of the process, edges)"""
    python = args.venvs / PEERS[name].package / "bin" / "python"
    found = work / "found.json"
    found.unlink(missing_ok=True)
    command = [python, HERE / "peers.py", name, data.path, data.kind, str(args.cap), found]
    code, seconds, memory = measured(command, 0, 20 * args.cap + 120, work / "printed")
    edges = []
    if code == 0:
        answer = json.loads(found.read_text(encoding="utf-8"))
        seconds, edges = answer["seconds"], answer["edges"]
    return code, seconds, memory, edges


def ask(args, *words):
    """The JSON that a command of agon prints, or the first line of its complaint."""
    done = subprocess.run([args.agon, *words, "--json", "--quiet"], capture_output=True, text=True, encoding="utf-8")
    return json.loads(done.stdout) if done.returncode == 0 else done.stderr.strip().splitlines()[0]


def judged(data, edges, args, work):
    """Scores and compares an answer with agon, by the same way for all."""
    dag, consistent = dag_of(len(data.columns), edges)
    graph = work / "graph.csv"
    with open(graph, "w", encoding="utf-8", newline="") as file:
        rows = [[data.columns[a], data.columns[b], "directed"] for a, b in dag]
        alone = set(range(len(data.columns))) - {v for edge in dag for v in edge}
        rows += [[data.columns[v], "", "node"] for v in sorted(alone)]
        csv.writer(file, lineterminator="\n").writerows([["from", "to", "type"], *rows])
    scored = ask(args, "score", graph, data.path, *data.options()[:-1])
    compared = ask(args, "compare", data.truth, graph)
    cell = {"edges": len(dag), "consistent": consistent}
    if isinstance(scored, str) or isinstance(compared, str):
        cell["note"] = scored if isinstance(scored, str) else compared
    if isinstance(scored, dict):
        cell["bic"] = scored["total"]
    if isinstance(compared, dict):
        cell |= {key: compared[key] for key in ("shd_cpdag", "shd", "skeleton_f1")}
    return cell


def cell_of(name, data, versions, smaller, args):
    """One cell: an algorithm on a table. `smaller`: the cells of this algorithm on tables with fewer columns."""
    if name in AGON:
        family, title, program, version = *AGON[name][:2], "agon", versions["agon"]
    else:
        peer = PEERS[name]
        family, title, program, version = peer.family, peer.title, peer.package, versions[peer.package]
    cell = {
        "data": data.name,
        "algorithm": name,
        "family": family,
        "program": program,
        "version": version,
        "title": title,
        "cap": args.cap,
        "seed": args.seed,
        "rows": data.rows,
        "columns": len(data.columns),
        "kind": data.kind,
        "score": data.score,
    }
    over = [other["data"] for other in smaller if other["kind"] == data.kind and other["status"] == "over"]
    if over:
        return cell | {"status": "over", "note": f"not tried: over the cap on {over[0]}"}
    work = args.out / "work"
    work.mkdir(parents=True, exist_ok=True)
    code, seconds, memory, edges = (run_agon if name in AGON else run_peer)(name, data, args, work)
    cell |= {"seconds": seconds, "memory_mb": memory}
    if code in (-signal.SIGKILL, -signal.SIGXCPU) and seconds >= args.cap:
        return cell | {"status": "over"}
    if code == -signal.SIGKILL:
        return cell | {
            "status": "failed",
            "note": f"stopped by the clock after {seconds:.0f} s of CPU: machine too busy",
        }
    if code != 0:
        log = (work / ("result.json.log" if name in AGON else "printed.log")).read_text(
            encoding="utf-8", errors="replace"
        )
        return cell | {"status": "failed", "note": (log.strip().splitlines() or ["no message"])[-1][:200]}
    return cell | {"status": "ok"} | judged(data, edges, args, work)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agon", type=Path, required=True, help="the program")
    parser.add_argument("--venvs", type=Path, required=True, help="folder of virtual environments, made when missing")
    parser.add_argument("--out", type=Path, required=True, help="folder of cells and tables")
    parser.add_argument(
        "--data-dir", type=Path, help="folder of NAME/data.csv and NAME/truth.csv (default: embedded networks)"
    )
    parser.add_argument("--data", help="names of tables, commas between (default: all there are)")
    parser.add_argument("--peers", default=",".join(REQUIREMENTS), help="packages, commas between (default: all five)")
    parser.add_argument("--cap", type=int, default=60, help="CPU seconds of a search (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="of the shuffling of columns (default 1)")
    args = parser.parse_args()
    args.agon, args.venvs, args.out = args.agon.resolve(), args.venvs.resolve(), args.out.resolve()

    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=HERE, capture_output=True, text=True).stdout
    versions = {"agon": commit.strip(), **install(args.venvs, args.peers.split(","))}
    names = args.data.split(",") if args.data else None
    if args.data_dir:
        args.data_dir = args.data_dir.resolve()
        names = names or sorted(folder.name for folder in args.data_dir.iterdir() if (folder / "data.csv").exists())
    tables = sorted((Data(name, args) for name in names or ROWS), key=lambda data: len(data.columns))
    algorithms = [*AGON, *(name for name, peer in PEERS.items() if peer.package in versions)]

    smaller = {name: [] for name in algorithms}
    for data in tables:
        for name in algorithms:
            if name == "xges-discrete" and data.kind != "discrete":
                continue
            file = args.out / "cells" / data.name / f"{name}.json"
            if not file.exists():
                cell = cell_of(name, data, versions, smaller[name], args)
                file.parent.mkdir(parents=True, exist_ok=True)
                part = file.with_suffix(".part")
                part.write_text(json.dumps(cell, indent=1) + "\n", encoding="utf-8")
                part.rename(file)
                print(f"{data.name:8} {name:27} {cell['status']:6} {cell.get('seconds', 0):8.2f} s", flush=True)
            smaller[name].append(json.loads(file.read_text(encoding="utf-8")))
    write_tables([cell for cells in smaller.values() for cell in cells], args.out)


if __name__ == "__main__":
    main()
