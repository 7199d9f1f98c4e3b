#!/usr/bin/env python3
"""DirectLiNGAM of the lingam package on a table of whole numbers, as an array of integers and of floats.

    pip install lingam pandas
    whole_numbers.py DIR/asia/data.csv DIR/asia/truth.csv

The package keeps the type of the array it is given. It replaces columns by residuals in the course of the search for
an order, and in an array of integers residuals are cut to whole numbers: 0 nearly everywhere for columns of 0 and 1.
Then nothing is left to compare, and the order is nearly that of the columns in the file. Prints TPR, FDR, SHD and the
order for both types, with weights of at most 0.3 left out as gCastle does, and for five other orders of the columns.
"""

import argparse
import warnings

import lingam
import numpy as np
import pandas as pd

THRESHOLD = 0.3


def measured(table, truth, kind):
    model = lingam.DirectLiNGAM()
    model.fit(table.astype(kind).to_numpy())
    names = list(table.columns)
    weights = model.adjacency_matrix_  # [to][from]
    found = {(names[j], names[i]) for i, j in zip(*np.nonzero(np.abs(weights) > THRESHOLD))}
    right = len(found & truth)
    turned = sum((b, a) in truth for a, b in found)
    shd = len(found) + len(truth) - 2 * right - turned
    fdr = 1 - right / len(found) if found else 0.0
    score = (right / len(truth) + 1 - fdr + 1 / (1 + shd)) / 3
    order = " ".join(names[k] for k in model.causal_order_)
    return f"TPR {right / len(truth):.2f}  FDR {fdr:.2f}  SHD {shd}  Score {score:.2f}  order: {order}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("truth")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    table = pd.read_csv(args.data)
    edges = pd.read_csv(args.truth)
    truth = set(zip(edges["from"], edges["to"]))
    for kind in ("int64", "float64"):
        print(f"{kind:8}", measured(table, truth, kind))
    rng = np.random.default_rng(1)
    for _ in range(5):
        other = [str(name) for name in rng.permutation(table.columns)]
        print("int64, columns in another order:", measured(table[other], truth, "int64"))


if __name__ == "__main__":
    main()
