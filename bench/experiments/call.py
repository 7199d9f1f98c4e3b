#!/usr/bin/env python3
"""Times agon.ges() on a table that is in memory: {"edges": [...], "seconds": CPU}, the least of several calls.

    call.py TABLE.csv '{"targets": "set"}' 5

A call does all that `agon run ges` does but start a process and read a file: it converts the frame, looks for copies and
curves, compares the ways to read the rows, searches, and makes the record of the result.
"""

import json
import sys
import time
import warnings

import agon
import pandas as pd


def main():
    warnings.simplefilter("ignore")
    path, options, runs = sys.argv[1], json.loads(sys.argv[2]), int(sys.argv[3])
    frame = pd.read_csv(path, keep_default_na=False, float_precision="round_trip")
    result = agon.ges(frame, **options)  # the first call loads what later ones find in memory
    seconds = []
    for _ in range(runs):
        begin = time.process_time()
        agon.ges(frame, **options)
        seconds.append(time.process_time() - begin)
    print(json.dumps({"edges": [list(edge) for edge in sorted(result.to_networkx().edges)], "seconds": min(seconds)}))


if __name__ == "__main__":
    main()
