#!/usr/bin/env python3
"""Counts the matches after which the composite Score against the truth is lower than the opponent's, by data set.

    safety.py docs/results/paper-files.csv docs/results/paper.csv

The CSV files are those of `agon bench --suite paper`. The score of the data never falls in any of these matches
(bic_above_opponent); the paper says that the composite Score does not fall either.
"""

import csv
import sys


def pairs(path):
    with open(path, newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["score"]]
    alone = {(row["data"], row["algorithm"]): row for row in rows}
    for row in rows:
        if row["opponent"] and (row["data"], row["opponent"]) in alone:
            yield alone[row["data"], row["opponent"]], row


def main():
    for path in sys.argv[1:]:
        by_data = {}
        for before, after in pairs(path):
            fall = float(before["score"]) - float(after["score"])
            rise = float(after["bic_above_opponent"])
            assert rise > -1e-6 * abs(float(after["bic"])), after  # the promise that does hold
            by_data.setdefault(after["data"], []).append((fall, after["opponent"], before, after, rise))
        falls = [item for items in by_data.values() for item in items if item[0] > 1e-9]
        print(f"{path}: the Score falls in {len(falls)} of {sum(map(len, by_data.values()))} pairs\n")
        print("| data set | pairs | Score falls | largest fall | from | Score before | after | score of the data rose by |")
        print("|---|---|---|---|---|---|---|---|")
        for data, items in by_data.items():
            down = [item for item in items if item[0] > 1e-9]
            line = f"| {data} | {len(items)} | {len(down)} |"
            if down:
                fall, opponent, before, after, rise = max(down, key=lambda item: item[0])
                line += f" {fall:.2f} | {opponent} | {float(before['score']):.2f} | {float(after['score']):.2f} | {rise:,.1f} |"
            else:
                line += " | | | | |"
            print(line)
        print()


if __name__ == "__main__":
    main()
