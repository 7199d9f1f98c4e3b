#!/usr/bin/env python3
"""Writes a table drawn from a random sparse linear Gaussian graph, as docs/results/proofs.md uses them.

    bench/sparse_numbers.py SEED FILE [--columns 50] [--degree 2] [--rows 1000] [--truth FILE]

Edges: columns * degree / 2 of them, drawn from all pairs along a random order; weights from 0.5 to 1.5 of either sign;
standard deviations of the noise from 0.7 to 1.3. Numbers A of that page has the seed 1, numbers B the seed 2.
--truth writes the edges as well, as `make peers DATA_DIR=` wants them.
"""
import argparse
import random


def write_table(seed, columns, degree, rows, path, truth=None):
    rng = random.Random(seed)
    order = list(range(columns))
    rng.shuffle(order)
    pairs = [(order[i], order[j]) for i in range(columns) for j in range(i + 1, columns)]
    edges = rng.sample(pairs, int(columns * degree / 2))
    weight = {edge: rng.choice([-1, 1]) * rng.uniform(0.5, 1.5) for edge in edges}
    noise = [rng.uniform(0.7, 1.3) for _ in range(columns)]
    parents = {v: [a for a, b in edges if b == v] for v in range(columns)}
    with open(path, "w") as file:
        file.write(",".join(f"x{v}" for v in range(columns)) + "\n")
        for _ in range(rows):
            x = [0.0] * columns
            for v in order:
                x[v] = rng.gauss(0, noise[v]) + sum(weight[a, v] * x[a] for a in parents[v])
            file.write(",".join(f"{value:.6f}" for value in x) + "\n")
    if truth:
        with open(truth, "w") as file:
            file.write("from,to\n" + "".join(f"x{a},x{b}\n" for a, b in sorted(edges)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("file")
    parser.add_argument("--columns", type=int, default=50)
    parser.add_argument("--degree", type=float, default=2)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--truth")
    args = parser.parse_args()
    write_table(args.seed, args.columns, args.degree, args.rows, args.file, args.truth)
