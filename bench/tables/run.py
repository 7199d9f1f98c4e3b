#!/usr/bin/env python3
"""Runs agon on simulated tables of both kinds and with missing cells, and prints SHDs beside the figures to reach.

    run.py --agon build/agon --out build/tables                       everything
    run.py ... --only families,missing                                some of: families missing networks gaussian tetrad
    run.py ... --graphs 4                                             fewer graphs, for a first look

README.md says what is simulated and what each figure is. Tables and answers are files in OUT, one for each run; a run
that was stopped resumes where it was. To measure something again delete its file.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from joint import Cell, joint
from simulate import FAMILIES, gaps, generator, linear_gaussian, mixed, write_graph, write_table

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from tetrad_jar import JAR, fetched_tetrad

# The figures that an exact search reached on generators of this description: mean SHD of CPDAGs, of AIM_GRAPHS graphs.
# A reading of "interactions" was chosen on tables 1 to 24 and tried on tables 25 to 48, so others are measured.
FAMILY_FIRST = 101
FAMILY_ROWS = {500: 72, 2000: 72, 8000: 30}  # rows -> graphs
AIM_GRAPHS = {500: 24, 2000: 24, 8000: 10}
FAMILY_TARGETS = {
    "boss --basis 1 --penalty 1": {
        "logit": (1.5, 1.4, 0.5),
        "weak": (4.0, 2.3, 0.2),
        "interactions": (5.5, 4.4, 3.7),
        "curved": (7.5, 6.5, 5.7),
    },
    "boss --basis 3 --penalty 1": {
        "logit": (1.7, 0.3, 0.4),
        "weak": (5.2, 2.9, 0.2),
        "interactions": (5.5, 3.3, 2.8),
        "curved": (2.7, 1.5, 1.4),
    },
    "boss --basis 1 --penalty 2": {
        "logit": (1.3, 0.9, 0.4),
        "weak": (5.1, 1.7, 0.3),
        "interactions": (6.2, 4.8, 2.9),
    },
}
MISSING_GRAPHS = 12
# Rows, mechanism, rate -> SHD that the exact search reached on the complete table, and with EM and weights.
MISSING_TARGETS = {
    (500, "mcar", 0.05): (1.4, 2.2),
    (500, "mcar", 0.15): (2.3, 1.9),
    (500, "mcar", 0.30): (0.7, 1.8),
    (2000, "mcar", 0.05): (1.9, 2.2),
    (2000, "mcar", 0.15): (0.5, 0.7),
    (2000, "mcar", 0.30): (0.8, 2.2),
    (500, "mar", 0.15): (3.3, 4.3),
    (500, "mar", 0.30): (1.7, 6.3),
    (2000, "mar", 0.15): (1.9, 1.7),
    (2000, "mar", 0.30): (1.8, 3.3),
    (2000, "mnar", 0.30): (0.8, 4.7),
}
NETWORK_SAMPLES = 3
# Network, rows, rate -> SHD to reach: complete table, draws (with weights where they were tried), a level
# "missing", complete rows.
NETWORK_TARGETS = {
    ("alarm", 5000, 0.1): ("24", "26", "26", "45"),
    ("alarm", 5000, 0.3): ("24", "33", "45", "none"),
    ("asia", 5000, 0.1): ("2.3", "2.3 (3.7)", "", "2.3"),
    ("asia", 5000, 0.3): ("2.3", "2.0 (1.0)", "", "4.0"),
    ("child", 2000, 0.1): ("4.0", "13 (9.7)", "", "19"),
    ("child", 2000, 0.3): ("4.0", "19 (19)", "", "none"),
}
GAUSSIAN_GRAPHS = 10
# Published means of Tetrad's BOSS with the degenerate Gaussian score, penalty 1: SHD of CPDAGs, CPU seconds.
TETRAD_TABLES = 20
TETRAD_TARGETS = {("cg", 20): (26.8, 0.5), ("cg", 100): (140, 2.4), ("lh", 20): (12.8, 0.7), ("lh", 100): (70.6, 3.8)}


def cpu_seconds(command):
    """-> (exit code, CPU seconds of the process, what it printed, the first line of its complaint)"""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    before = os.times()
    printed, complaint = process.communicate()
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return process.returncode, spent, printed, (complaint.strip().splitlines() or [""])[0]


def answer(args, label, table, truth, words):
    """One run of agon, kept in a file: {"shd", "seconds", "value", "truth_value"} or {"refused": sentence}."""
    file = table.with_name(f"{table.stem}.{label.replace(' ', '').replace('/', '')}.json")
    if file.exists():
        return json.loads(file.read_text(encoding="utf-8"))
    command, *options = words
    start = [args.agon, "discover"] if command == "discover" else [args.agon, "run", command]
    common = ["--threads", "1", "--quiet", "--json"]
    code, seconds, printed, complaint = cpu_seconds([*start, table, "--truth", truth, *options, *common])
    if code:
        found = {"refused": complaint}
    else:
        record = json.loads(printed)
        found = {
            "shd": record["metrics"]["shd_cpdag"],
            "edges": len(record["dag"]["edges"]),
            "seconds": seconds,
            "score": record["score"]["name"],
            "value": record["score"].get("champion", record["score"]["value"]),
        }
        code, _, printed, _ = cpu_seconds([args.agon, "score", truth, table, *options, "--quiet", "--json"])
        if code == 0:
            found["truth_value"] = json.loads(printed)["total"]
    file.write_text(json.dumps(found) + "\n", encoding="utf-8")
    return found


def proven(args, label, table, words):
    """Whether the graph of this run is proven to be the optimum of its score over all graphs; kept in a file, too."""
    file = table.with_name(f"{table.stem}.{label.replace(' ', '')}.proven.json")
    if not file.exists():
        command, *options = words
        start = [args.agon, "discover", table, "--opponent", command, "--moves", "0", "--bootstrap", "0", "--prove"]
        code, _, printed, complaint = cpu_seconds([*start, *options, "--threads", "1", "--quiet", "--json"])
        if code:
            raise SystemExit(f"{table}: {complaint}")
        record = json.loads(printed)
        optimum, score = record["certificate"]["optimum"], record["score"]
        known = optimum["status"] == "proven" and optimum["max_parents"] is None
        kept = score["opponent"] >= optimum["upper_bound"] - optimum["epsilon"] - optimum["rounding"]
        file.write_text(json.dumps({"proven": known, "optimal": known and kept}) + "\n", encoding="utf-8")
    return json.loads(file.read_text(encoding="utf-8"))


def mean(values, digits=1):
    """'1.5 ± 0.4': mean and standard error."""
    if len(values) < 2:
        return f"{values[0]:.{digits}f}" if values else "none"
    error = statistics.stdev(values) / len(values) ** 0.5
    return f"{statistics.mean(values):.{digits}f} ± {error:.{digits}f}"


def told(answers):
    refused = [a["refused"] for a in answers if "refused" in a]
    done = [a for a in answers if "shd" in a]
    text = mean([a["shd"] for a in done]) if done else "refused"
    return text + (f" ({len(refused)} refused)" if refused and done else "")


def behind(answers):
    """In how many tables the true graph scores higher than the graph found: there the search is to blame."""
    both = [a for a in answers if "truth_value" in a]
    return f"{sum(a['truth_value'] > a['value'] + 1e-6 for a in both)} of {len(both)}"


def table_of(lines, header):
    return "\n".join(["| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *lines]]) + "\n"


def made(folder, number, draw, *settings):
    """The files of a table and its graph, drawn unless they are there."""
    table, truth = folder / f"{number}.csv", folder / f"{number}.truth.csv"
    if not truth.exists():
        folder.mkdir(parents=True, exist_ok=True)
        columns, edges, complete = draw(number, *settings)
        write_table(table, columns)
        if complete is not None:
            write_table(folder / f"{number}.complete.csv", complete)
        write_graph(truth, columns, edges)
    return table, truth


def draw_family(number, family, rows):
    return *mixed(family, rows, generator(family, rows, number)), None


def families(args):
    lines, cells, optima = [], {}, []
    for family in FAMILIES:
        for at, (rows, graphs) in enumerate(FAMILY_ROWS.items()):
            line, shds, aims = [family, f"{rows:,}"], [], []
            for label, targets in FAMILY_TARGETS.items():
                answers = []
                for number in range(FAMILY_FIRST, FAMILY_FIRST + min(graphs, args.graphs)):
                    table, truth = made(args.out / f"{family}-{rows}", number, draw_family, family, rows)
                    answers.append(answer(args, label, table, truth, label.split()))
                    optima.append(proven(args, label, table, label.split()))
                aims.append(targets[family][at] if family in targets else None)
                shds.append([a["shd"] for a in answers])
                line += [told(answers), told_far(shds[-1], aims[-1], AIM_GRAPHS[rows]), behind(answers)]
            cells[family, rows] = Cell(list(zip(*shds)), aims, AIM_GRAPHS[rows])
            lines.append(line)
            print(*line, sep="  ", flush=True)
    header = ["family", "rows"]
    for label in FAMILY_TARGETS:
        header += [f"`{label}`", "to reach", "truth ahead"]
    exact = f"\noptimum proven: {sum(o['proven'] for o in optima)} of {len(optima)} runs; found by boss alone: "
    exact += f"{sum(o['optimal'] for o in optima)}\n"
    return "## Mixed tables without gaps\n\n" + table_of(lines, header) + exact + joint_lines(cells)


def told_far(values, aim, graphs):
    """'1.5 (+0.4)': what is to be reached, and how far ours is from it in standard errors of the difference."""
    if aim is None:
        return ""
    error = statistics.stdev(values) * (1 / len(values) + 1 / graphs) ** 0.5 if len(values) > 1 else 0
    return f"{aim} ({(statistics.mean(values) - aim) / error if error > 0 else 0:+.1f})"


def joint_lines(cells):
    """All cells together, and each family by itself. Needs more graphs than the aims have."""
    if any(len(cell.rows) <= cell.graphs + 1 for cell in cells.values()):
        return ""
    text = f"\nall cells: {joint(cells).said()}\n"
    for family in FAMILIES:
        text += f"{family}: {joint({key: cell for key, cell in cells.items() if key[0] == family}).said()}\n"
    return text


def draw_missing(number, rows, mechanism, rate):
    key = (rows, mechanism, rate, number)
    columns, edges = mixed("logit", rows, generator("missing", *key))
    return gaps(columns, mechanism, rate, generator("gaps", *key)), edges, columns


def missing(args):
    lines = []
    for (rows, mechanism, rate), targets in MISSING_TARGETS.items():
        answers = {"complete table": [], "with gaps": [], "drop-rows": []}
        words = ["boss", "--basis", "1", "--penalty", "1"]
        folder = args.out / f"{mechanism}-{rows}-{round(100 * rate)}"
        for number in range(1, min(MISSING_GRAPHS, args.graphs) + 1):
            table, truth = made(folder, number, draw_missing, rows, mechanism, rate)
            complete = table.with_name(f"{number}.complete.csv")
            answers["complete table"].append(answer(args, "boss", complete, truth, words))
            answers["with gaps"].append(answer(args, "boss", table, truth, words))
            dropped = answer(args, "drop-rows", table, truth, [*words, "--missing", "drop-rows"])
            answers["drop-rows"].append(dropped)
        line = [f"{rows:,}", f"{mechanism.upper()} {round(100 * rate)} %", told(answers["complete table"])]
        line += [str(targets[0]), told(answers["with gaps"]), str(targets[1]), told(answers["drop-rows"])]
        lines.append([*line, behind(answers["with gaps"])])
        print(*lines[-1], sep="  ", flush=True)
    header = ["rows", "gaps", "complete table", "exact search", "with gaps", "to reach", "complete rows", "truth ahead"]
    return "## Mixed tables with gaps\n\n" + table_of(lines, header)


def sampled(args, network, rows, number, rate):
    """Rows of an embedded network, whole and with cells missing completely at random: the files of both."""
    folder = args.out / f"{network}-{rows}"
    whole, holed = folder / f"{number}.complete.csv", folder / f"{number}.{round(100 * rate)}.csv"
    if not whole.exists():
        folder.mkdir(parents=True, exist_ok=True)
        drawing = [args.agon, "sample", network, "--count", str(rows), "--seed", str(number), "--quiet"]
        subprocess.run([*drawing, "--output", whole], check=True)
    if not holed.exists():
        header, *lines = whole.read_text(encoding="utf-8").splitlines()
        rng = generator("networks", network, rows, rate, number)
        blank = [["" if rng.random() < rate else cell for cell in line.split(",")] for line in lines]
        holed.write_text("\n".join([header, *map(",".join, blank)]) + "\n", encoding="utf-8")
    return whole, holed


def networks(args):
    lines = []
    for (network, rows, rate), targets in NETWORK_TARGETS.items():
        answers = {"complete table": [], "draws": [], "level": [], "drop-rows": []}
        for number in range(1, min(NETWORK_SAMPLES, args.graphs) + 1):
            whole, holed = sampled(args, network, rows, number, rate)
            for name, of_it in answers.items():
                gaps_as = [] if name == "complete table" else ["--missing", name]
                words = ["boss", "--score", "discrete-bic", *gaps_as]
                of_it.append(answer(args, name, holed if gaps_as else whole, network, words))
        lines.append([f"{network}, {rows:,}", f"{round(100 * rate)} %"])
        for of_it, target in zip(answers.values(), targets):
            lines[-1] += [told(of_it), target]
        print(*lines[-1], sep="  ", flush=True)
    header = ["network, rows", "missing", "complete table", "to reach", "`draws`", "to reach", "`level`", "to reach"]
    return "## Networks of categories with gaps\n\n" + table_of(lines, [*header, "complete rows", "to reach"])


def draw_gaussian(number):
    columns, edges = linear_gaussian(1000, generator("gaussian", number))
    return gaps(columns, "mcar", 0.10, generator("gaussian gaps", number)), edges, columns


def gaussian(args):
    lines = []
    for penalty in ("1", "2"):
        full, holed = [], []
        for number in range(1, min(GAUSSIAN_GRAPHS, args.graphs) + 1):
            table, truth = made(args.out / "gaussian", number, draw_gaussian)
            words = ["boss", "--penalty", penalty]
            full.append(answer(args, f"p{penalty}", table.with_name(f"{number}.complete.csv"), truth, words))
            holed.append(answer(args, f"p{penalty}", table, truth, words))
        bars = [1.5 * a["shd"] + 3 for a in full if "shd" in a]
        within = sum(h["shd"] <= 1.5 * f["shd"] + 3 for f, h in zip(full, holed) if "shd" in f and "shd" in h)
        seconds = [a["seconds"] for a in holed if "shd" in a]
        lines.append([penalty, told(full), told(holed), mean(bars), f"{within} of {len(holed)}", mean(seconds, 2)])
        print(*lines[-1], sep="  ", flush=True)
    header = ["penalty", "complete table", "10 % missing", "1.5 × complete + 3", "tables within", "CPU s"]
    return "## Linear Gaussian, 50 columns, 150 edges, 1,000 rows\n\n" + table_of(lines, header)


def jar_of(args):
    """Tetrad, fetched once; None without Java."""
    jar = fetched_tetrad(args.tetrad or args.out / JAR)
    if jar is None:
        print("no Java: Tetrad's simulations are left out", flush=True)
    return jar


def draw_tetrad(args, jar, simulation, size, count):
    """Folder of tables, true graphs and Tetrad's answers."""
    folder = args.out / f"{simulation}-{size}"
    if not (folder / f"{args.first + count - 1}.tetrad.json").exists():
        drawing = ["java", "-cp", jar, HERE / "Tetrad.java", simulation, str(size), str(count), folder, str(args.first)]
        subprocess.run(drawing, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder


def answer_of_tetrad(args, folder, number):
    judged = [args.agon, "compare", folder / f"{number}.truth.txt", folder / f"{number}.tetrad.txt"]
    measures = json.loads(subprocess.run([*judged, "--json", "--quiet"], check=True, capture_output=True).stdout)
    seconds = json.loads((folder / f"{number}.tetrad.json").read_text(encoding="utf-8"))["seconds"]
    return {"shd": measures["shd_cpdag"], "edges": measures["counts"]["predicted"], "seconds": seconds}


def tetrad(args):
    jar = jar_of(args)
    if not jar:
        return ""
    count = min(TETRAD_TABLES, args.graphs)
    numbers = range(args.first, args.first + count)
    lines = []
    for (simulation, size), (shd, seconds) in TETRAD_TARGETS.items():
        folder = draw_tetrad(args, jar, simulation, size, count)
        theirs = [answer_of_tetrad(args, folder, number) for number in numbers]
        named = {"Tetrad's BOSS": theirs}
        for label in ("boss", "boss --penalty 2", "boss --basis 2", "discover"):
            files = [(folder / f"{number}.csv", folder / f"{number}.truth.txt") for number in numbers]
            named[f"`{label}`"] = [answer(args, label, *pair, label.split()) for pair in files]
        lines.append([simulation.upper(), str(size), "published", str(shd), "", "", str(seconds), ""])
        for name, ours in named.items():
            pairs = [(our["shd"], their["shd"]) for our, their in zip(ours, theirs) if "shd" in our]
            line = ["", "", name, told(ours), mean([a - b for a, b in pairs]) if ours is not theirs else ""]
            for key, digits in (("edges", 1), ("seconds", 2)):
                line.append(mean([a[key] for a in ours if key in a], digits))
            lines.append([*line, behind(ours) if ours is not theirs else ""])
            print(simulation, size, *lines[-1][2:], sep="  ", flush=True)
    header = ["simulation", "columns", "program", "SHD", "minus Tetrad's", "edges", "CPU s", "truth ahead"]
    return "## Tetrad's simulations, 1,000 rows\n\n" + table_of(lines, header)


SECTIONS = {"families": families, "missing": missing, "networks": networks, "gaussian": gaussian, "tetrad": tetrad}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agon", type=Path, required=True, help="the program")
    parser.add_argument("--out", type=Path, required=True, help="folder of tables and answers")
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections, commas between (default: all)")
    parser.add_argument("--graphs", type=int, default=100, help="most graphs of a setting (default: as README.md says)")
    parser.add_argument("--first", type=int, default=1, help="number of the first of Tetrad's tables (default: 1)")
    parser.add_argument("--tetrad", type=Path, help=f"the file {JAR} (default: fetched into OUT)")
    args = parser.parse_args()
    args.agon, args.out = args.agon.resolve(), args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.only.split(","):
        text = SECTIONS[name](args)
        (args.out / f"{name}.md").write_text(text, encoding="utf-8")
    print("\n".join((args.out / f"{name}.md").read_text(encoding="utf-8") for name in args.only.split(",")))


if __name__ == "__main__":
    main()
