"""How far from the truth `agon discover` is by default, beside the textbook BIC. Standard library alone.

    python3 bench/truth/run.py --agon build/agon --networks sachs-net,lucas,DIR/hailfinder.bif --rows 1000,5000 \
        --seeds 501,502 --out cells.csv
    python3 bench/truth/run.py --table cells.csv

Samples rows of each network, shuffles the columns and runs `agon discover` twice: as it is, and with --score
discrete-bic. Resamples and the proof are turned off, since they take most of the time; the rest is the default. A line
of the file is a network, rows, a seed, a score, the SHD between CPDAGs and the seconds of CPU time. Lines that are in the
file already are not made again, so that a run can be resumed. --table prints the table of docs/results/scores.md.
"""

import argparse
import collections
import csv
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

SCORES = {"default": [], "discrete-bic": ["--score", "discrete-bic"]}


def sample(agon, network, rows, seed):
    """A table of the network, as CSV, with its columns in an order of their own."""
    made = subprocess.run([agon, "sample", network, "-n", str(rows), "--seed", str(seed), "--quiet"],
                          check=True, capture_output=True, text=True)
    lines = list(csv.reader(made.stdout.splitlines()))
    order = list(range(len(lines[0])))
    random.Random(seed).shuffle(order)
    return "".join(",".join(line[k] for k in order) + "\n" for line in lines)


def discover(agon, table, network, options):
    """SHD between CPDAGs, and the CPU time of the run."""
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        file.write(table)
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run([agon, "discover", file.name, "--truth", network, "--bootstrap", "0", "--no-prove",
                              "--threads", "1", "--json", "--quiet", *options],
                             check=True, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(run.stdout)["metrics"]["shd_cpdag"], seconds


def name_of(network):
    return os.path.splitext(os.path.basename(network))[0]


def run(args):
    done = set()
    if os.path.exists(args.out):
        with open(args.out, newline="") as file:
            done = {tuple(row[:4]) for row in csv.reader(file)}
    for network in args.networks.split(","):
        for rows in args.rows.split(","):
            for seed in args.seeds.split(","):
                for score, options in SCORES.items():
                    cell = (name_of(network), rows, seed, score)
                    if cell in done:
                        continue
                    shd, seconds = discover(args.agon, sample(args.agon, network, rows, seed), network, options)
                    with open(args.out, "a", newline="") as file:
                        csv.writer(file).writerow([*cell, shd, f"{seconds:.1f}"])


def mean(values):
    return sum(values) / len(values)


def table(path):
    cells = collections.defaultdict(dict)
    with open(path, newline="") as file:
        for network, rows, seed, score, shd, _ in csv.reader(file):
            cells[network, int(rows), seed][score] = int(shd)
    both = {key: by for key, by in cells.items() if len(by) == len(SCORES)}
    groups = collections.defaultdict(list)
    for (network, rows, _), by in both.items():
        groups[network, rows].append(by)
        groups[network, None].append(by)
        groups["all", None].append(by)
    print("| network | rows | samples | discrete-bic | default | | worst by default |\n|---|---|---|---|---|---|---|")
    for (network, rows), bys in sorted(groups.items(), key=lambda g: (g[0][0] == "all", g[0][0], g[0][1] or 10**9)):
        bic, own = mean([by["discrete-bic"] for by in bys]), mean([by["default"] for by in bys])
        change = f"{100 * (own / bic - 1):+.0f} %" if bic else ""
        print(f"| {network} | {rows or 'all'} | {len(bys)} | {bic:.1f} | {own:.1f} | {change} |"
              f" {max(by['default'] for by in bys)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--agon", default="build/agon")
    parser.add_argument("--networks", default="asia,sachs-net,lucas,child")
    parser.add_argument("--rows", default="1000,5000")
    parser.add_argument("--seeds", default="501,502")
    parser.add_argument("--out", default="cells.csv")
    parser.add_argument("--table", metavar="CELLS")
    args = parser.parse_args()
    if args.table:
        table(args.table)
    else:
        run(args)


if __name__ == "__main__":
    sys.exit(main())
