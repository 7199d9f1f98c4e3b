#!/usr/bin/env python3
"""Plays the published Double DQN to its end, and beside it what it has to be compared with; prints a page.

    run.py --agon build/agon --data DIR --out build/published           every run that is missing, then the page
    run.py ... --only asia,lucas --players paper,twin                   some of them
    run.py ... --until 12:40                                            begin and go on with nothing after that (UTC)
    run.py ... --page                                                   the page of what there is, nothing is run

DIR/NAME/data.csv and truth.csv are the tables (README.md). A run is a folder in OUT with its result.json and cpu.json;
one that was stopped resumes from its checkpoint and ends as if it had never been. To measure something again delete
its folder.
"""

import argparse
import datetime
import json
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

EPISODES = 1000
COLUMNS = {"asia": 8, "sachs": 11, "lucas": 12, "child": 20, "alarm": 37}
SCORE = {"asia": "discrete-bic", "lucas": "discrete-bic"}  # the paper's rule: binary tables; copula-bic elsewhere
PROVED = {"asia", "lucas", "sachs", "child"}  # where the referee has a chance within seconds


def moves(table):
    return EPISODES * 20 * COLUMNS[table]


def command(table, opponent, player):
    same = ["--opponent", opponent]
    if player == "paper":
        return ["--preset", "paper", "--episodes", str(EPISODES), "--most-hours", "1000", *same]
    if player == "text":
        return ["--preset", "paper-text", "--episodes", str(EPISODES), "--most-hours", "1000", *same]
    if player == "twin":
        return ["--preset", "paper", "--no-learning", "--episodes", str(EPISODES), *same]
    same += ["--score", SCORE.get(table, "copula-bic"), "--bootstrap", "0"]
    if player == "flat":
        return ["--challenger", "flat", "--moves", str(moves(table)), "--patience", str(moves(table)), "--no-prove", *same]
    return [*(["--prove"] if table in PROVED else ["--no-prove"]), *same]  # auto, to its own end


def cells(only, players):
    """The runs in the order in which they are made: what is cheap and small first."""
    small, large = ["asia", "lucas", "sachs"], ["child", "alarm"]
    beside = ["twin", "flat", "auto"]
    out = [("asia", "grandag", 1, player) for player in [*beside, "paper"]]
    for opponent in ["grandag", "ges"]:
        out += [(table, opponent, 1, player) for table in small + large for player in beside]
    for opponent in ["ges", "grandag"]:
        out += [(table, opponent, 1, "paper") for table in small]
    out += [(table, opponent, 1, "paper") for table in large for opponent in ["grandag", "ges"]]
    out += [(table, opponent, 1, "text") for table in ["asia", "lucas"] for opponent in ["grandag", "ges"]]
    for seed in (2, 3):
        for opponent in ["grandag", "ges"]:
            out += [(table, opponent, seed, player) for table in small for player in [*beside, "paper"]]
    out = list(dict.fromkeys(out))
    return [c for c in out if (not only or c[0] in only) and (not players or c[3] in players)]


def folder(out, cell):
    return out / "-".join(map(str, cell))


def is_finished(place):
    """An interrupted agon writes the best it has, too: that is no answer."""
    if not (place / "result.json").exists() or not (place / "cpu.json").exists():
        return False
    return json.loads((place / "result.json").read_text())["run"]["stopped_by"] != "interrupted"


def run(args, cell, until):
    """True when the run is finished."""
    table, opponent, seed, player = cell
    place = folder(args.out, cell)
    if is_finished(place):
        return True
    place.mkdir(parents=True, exist_ok=True)
    left = None
    if until:
        left = (until - datetime.datetime.now(datetime.timezone.utc)).total_seconds()
        if left <= 0:
            return False
    data = Path(args.data) / table
    line = [args.agon, "discover", str(data / "data.csv"), "--truth", str(data / "truth.csv"), "--seed", str(seed)]
    line += ["--threads", "1", "--quiet", "--out", str(place), *command(table, opponent, player)]
    line += ["--checkpoint", str(place / "saved"), "--checkpoint-every", "20s"]
    spent = json.loads((place / "cpu.json").read_text())["seconds"] if (place / "cpu.json").exists() else 0.0
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(place / "log.txt", "a") as log:
        child = subprocess.Popen(line, stdout=log, stderr=log)
        try:
            child.wait(timeout=left)
        except subprocess.TimeoutExpired:
            child.kill()  # nothing but the work since the last checkpoint is lost, and it is not counted twice below
            child.wait()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    (place / "cpu.json").write_text(json.dumps({"seconds": spent, "moves": moves(table)}))
    if child.returncode not in (0, -signal.SIGKILL):
        sys.exit(f"{' '.join(line)} ended with {child.returncode}: see {place}/log.txt")
    return child.returncode == 0


def result(out, cell):
    """Of a run that is finished, or of one that was interrupted (kill -INT) and told what it had by then."""
    place = folder(out, cell)
    if not (place / "result.json").exists():
        return None
    record = json.loads((place / "result.json").read_text())
    spent = json.loads((place / "cpu.json").read_text())["seconds"] if (place / "cpu.json").exists() else None
    return record | {"cpu": spent}


def visited(record):
    """Episodes played, the gain of the best graph visited in them, and its episode; None when none beat the first."""
    for sentence in record["run"]["story"]:
        found = re.match(r"paper: the best graph visited in (\S+) episodes? scores \S+, (\S+) above .* episode (\d+)", sentence)
        if found:
            return int(found[1].replace(",", "")), float(found[2]), int(found[3])
        found = re.match(r"paper: no graph visited in (\S+) episodes?", sentence)
        if found:
            return int(found[1].replace(",", "")), 0.0, None
    return None, None, None


def gain(record):
    return record["score"]["champion"] - record["score"]["opponent"]


def page(args):
    head = "| table | from | seed | score of A₀ | variant | episodes | best visited above A₀ | in episode |"
    head += " champion above A₀ | CPU s | twin: best visited | champion | flat | auto | auto: CPU s | optimum |"
    lines = [head, "|---" * (head.count("|") - 1) + "|"]
    unfinished = []
    for cell in cells(args.only, None):
        table, opponent, seed, player = cell
        if player not in ("paper", "text"):
            continue
        record = result(args.out, cell)
        if not is_finished(folder(args.out, cell)):
            unfinished.append(" ".join(map(str, cell)))
        twin, flat, auto = (result(args.out, (table, opponent, seed, other)) for other in ("twin", "flat", "auto"))
        some = record or twin or flat or auto
        if some is None or (record is None and player == "text"):
            continue
        shown = [table, opponent, str(seed), f"{some['score']['opponent']:.2f}", "code" if player == "paper" else "text"]
        if record:
            episodes, rise, episode = visited(record)
            shown += [str(episodes), f"{rise:.2f}", str(episode or ""), f"{gain(record):.2f}"]
            shown += [f"{record['cpu']:.0f}" if record["cpu"] else ""]
        else:
            shown += ["not run", "", "", "", ""]
        shown += [f"{visited(twin)[1]:.2f}", f"{gain(twin):.2f}"] if twin else ["", ""]
        shown += [f"{gain(flat):.2f}" if flat else ""]
        if auto:
            optimum = auto["certificate"]["optimum"]["status"]
            shown += [f"{gain(auto):.2f}", f"{auto['cpu']:.1f}", optimum if optimum != "not attempted" else ""]
        else:
            shown += ["", "", ""]
        lines.append("| " + " | ".join(shown) + " |")
    if unfinished:
        lines += ["", "Not finished: " + ", ".join(unfinished) + "."]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agon", default="build/agon")
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", type=Path, default=Path("build/published"))
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--players", type=lambda text: text.split(","))
    parser.add_argument("--until")
    parser.add_argument("--page", action="store_true")
    args = parser.parse_args()
    until = None
    if args.until:
        hour, minute = map(int, args.until.split(":"))
        until = datetime.datetime.now(datetime.timezone.utc).replace(hour=hour, minute=minute, second=0)
    if not args.page:
        for cell in cells(args.only, args.players):
            if not run(args, cell, until):
                break
            print(*cell, "done", file=sys.stderr, flush=True)
    print(page(args), end="")


if __name__ == "__main__":
    main()
