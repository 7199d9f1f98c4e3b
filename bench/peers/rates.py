#!/usr/bin/env python3
"""Iterations per second of RL-BIC2 and CORL: gCastle's and agon's, on the same table, in turn, one thread each.

    build/peers-venv/gcastle/bin/python bench/peers/rates.py --agon build/agon [--columns 12] [--rounds 3]

The table: 5000 rows, each pair of columns joined with probability 0.5, weights uniform on +-[0.5, 2], standard normal
noise. What is counted is CPU time: that of a longer run less that of a shorter one, over the difference in iterations, so
that imports, reading and the first caches do not count. Prints a row per program and round.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

import numpy as np

PEER = """
import sys, os, json, logging, warnings
import numpy as np
import torch
logging.disable(logging.CRITICAL)
warnings.filterwarnings("ignore")
torch.set_num_threads(1)
from castle.algorithms import RL, CORL
table = np.loadtxt(sys.argv[2], delimiter=",", skiprows=1)
steps = int(sys.argv[3])
if sys.argv[1] == "rl-bic":
    RL(nb_epoch=steps, seed=1).learn(table)
else:
    CORL(iteration=steps, embed_dim=64, encoder_heads=16, input_dim=64, random_seed=1).learn(table)
"""


def table(columns, seed):
    rng = np.random.default_rng(seed)
    x = np.zeros((5000, columns))
    for v in range(columns):
        x[:, v] = rng.normal(size=5000)
        for u in range(v):
            if rng.random() < 0.5:
                x[:, v] += x[:, u] * rng.uniform(0.5, 2) * rng.choice([-1, 1])
    return x[:, rng.permutation(columns)]


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | one)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rate(command_of, few, many):
    seconds = cpu_seconds(command_of(many)) - cpu_seconds(command_of(few))
    return (many - few) / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agon", default="build/agon")
    parser.add_argument("--columns", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=30, help="of gCastle; agon does ten times as many")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "table.csv")
        names = ",".join(f"x{k}" for k in range(args.columns))
        np.savetxt(path, table(args.columns, 1), delimiter=",", header=names, comments="")
        for turn in range(args.rounds):
            for rival in ("rl-bic", "corl"):
                peer = rate(lambda n: [sys.executable, "-c", PEER, rival, path, str(n)], 2, args.iterations)
                own = rate(lambda n: [args.agon, "run", rival, path, "--iterations", str(n), "--threads", "1", "--quiet"],
                           20, 10 * args.iterations)
                print(json.dumps({"columns": args.columns, "round": turn, "rival": rival, "gcastle": round(peer, 2),
                                  "agon": round(own, 2)}), flush=True)


if __name__ == "__main__":
    main()
