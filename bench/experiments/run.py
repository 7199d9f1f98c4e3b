#!/usr/bin/env python3
"""Runs agon on tables of observation and experiments with a known graph, beside gies, causaldag and causal-learn.

    run.py --agon build/agon --out build/experiments                   everything
    run.py ... --only treatments,contexts                              some of: treatments peers contexts sachs
    run.py ... --graphs 4                                              fewer graphs, for a first look

README.md says what is simulated and what each figure is. Tables and answers are files in OUT, one for each run; a run
that was stopped resumes where it was. To measure something again delete its file.
"""

import argparse
import csv
import json
import re
import resource
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np
from draw import KINDS, centred, experiments, generator, write_graph, write_numbers
from joint import Cell, joint  # beside simulate.py, which draw.py knows where to find

HERE = Path(__file__).resolve().parent

# SHD of the DAG that an exact search reached: 10 variables, 500 rows of observation, 5 experiments of 200, 12 graphs.
# Pooled, targets, targets + within, within, contexts, chosen by score. How far means moved is not known of that study.
# Below it is what brings the first column nearest to these figures, and nothing else was looked at to choose it.
TREATMENT_TARGETS = {
    KINDS[0]: (5.8, 0.4, 0.3, 1.4, 0.8, 0.4),
    KINDS[1]: (1.6, 0.4, 0.3, 1.7, 1.6, 0.4),
    KINDS[2]: (6.2, 0.3, 8.6, 1.3, 0.5, 2.7),
    KINDS[3]: (20.3, 17.8, 0.8, 2.0, 5.8, 0.8),
}
TARGET_GRAPHS = 12
TREATMENT_MOVED, TREATMENT_DRIFT = 2.5, 0.9
TREATMENT_FIRST, TREATMENT_GRAPHS = 101, 144  # graphs 1 to 48 had a part in choosing that and the default penalty
PEER_TABLES = 20  # of each size
PEER_SIZES = (10, 30)
CONTEXT_GRAPHS = 12
CONTEXT_ROWS = (50, 200, 1000)


# ---- running programs -----------------------------------------------------------------------------------------------


def run(command):
    """-> (CPU seconds of the process, what it printed, what it said beside)"""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)  # in microseconds; os.times() counts ticks of 10 ms
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stderr}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, done.stdout, done.stderr


def kept(file, make):
    if not file.exists():
        file.write_text(json.dumps(make()) + "\n", encoding="utf-8")
    return json.loads(file.read_text(encoding="utf-8"))


def ask(args, table, label, command, *options, runs=1):
    """An answer of agon: edges, class, totals of the ways to read the rows, seconds of search and process.

    Of several runs the times are those of the one that took least.
    """

    def made():
        words = [args.agon, *command, table, *options, "--threads", "1", "--verbose", "--json"]
        spent, printed, said = min((run(words) for _ in range(runs)), key=lambda done: done[0])
        record = json.loads(printed)
        totals = re.findall(r"rows read as ([a-z +]+): the best graph found scores (-?[0-9.]+)", said)
        return {
            "edges": record["dag"]["edges"],
            "cpdag": record["cpdag"],
            "metrics": record.get("metrics"),
            "value": record["score"]["value"],
            "totals": {name: float(total) for name, total in totals},
            "used": [way["name"] for way in record["score"].get("treatments", []) if way["used"]],
            "search": record["run"].get("seconds"),
            "process": spent,
        }

    return kept(table.with_name(f"{table.stem}.{label}.json"), made)


def ask_peer(table, program, runs=1):
    """Its answer, with the CPU seconds of its search and of its process: the least of several runs, each."""
    words = [sys.executable, "-B", HERE / "peer.py", program, table]

    def made():
        done = [(spent, json.loads(printed)) for spent, printed, _ in (run(words) for _ in range(runs))]
        seconds = min(answer["seconds"] for _, answer in done)
        return done[0][1] | {"seconds": seconds, "process": min(spent for spent, _ in done)}

    return kept(table.with_name(f"{table.stem}.{program}.json"), made)


def ask_call(table, label, options, runs):
    """CPU seconds of agon.ges() in Python with the table in memory, the least of several runs, and what it found."""
    words = [sys.executable, "-B", HERE / "call.py", table, json.dumps(options), runs]
    return kept(table.with_name(f"{table.stem}.{label}.call.json"), lambda: json.loads(run(words)[1]))


# ---- comparing ------------------------------------------------------------------------------------------------------


def marks(directed, undirected=()):
    """Of every adjacent pair: which way the edge points, or that it is open."""
    out = {frozenset(edge): tuple(edge) for edge in directed}
    out.update({frozenset(edge): "open" for edge in undirected})
    return out


def shd(one, other):
    return sum(one.get(pair) != other.get(pair) for pair in one.keys() | other.keys())


def mean(values, digits=1):
    if len(values) < 2:
        return f"{values[0]:.{digits}f}" if values else "none"
    return f"{statistics.mean(values):.{digits}f} ± {statistics.stdev(values) / len(values) ** 0.5:.{digits}f}"


def table_of(lines, header):
    return "\n".join("| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *lines]) + "\n"


# ---- sections -------------------------------------------------------------------------------------------------------


def drawn(folder, number, kind, seed=None, **shape):
    """A table, and its files: as it is, less the means of its batches, and with an indicator for each experiment."""
    folder.mkdir(parents=True, exist_ok=True)
    table = experiments(kind, generator(seed or folder.name, number), **shape)
    raw, middle, told = (folder / f"{number}{suffix}.csv" for suffix in ("", "-centred", "-indicators"))
    truth = folder / f"{number}.truth.csv"
    if not truth.exists():
        write_numbers(raw, table.columns, [("set", table.labels)])
        write_numbers(middle, centred(table), [("set", table.labels)])
        indicators = [
            (f"experiment {k}", ["on" if label == target else "off" for label in table.labels])
            for k, target in enumerate(table.targets, 1)
        ]
        write_numbers(told, table.columns, indicators)
        write_graph(truth, table.columns, table.edges)
    return table, raw, middle, told


def indicators_of(table):
    return ",".join(f"experiment {k}" for k in range(1, len(table.targets) + 1))


def system(edges):
    """Without the arrows of contexts."""
    return marks([edge for edge in edges if not edge[0].startswith("experiment ")])


def apart(values, target):
    """How far a mean is from that of another study of TARGET_GRAPHS graphs, in standard errors of the difference.

    The other study's spread is not known, and is taken to be the one found here.
    """
    error = statistics.stdev(values) * (1 / len(values) + 1 / TARGET_GRAPHS) ** 0.5 if len(values) > 1 else 0
    return (statistics.mean(values) - target) / error if error > 0 else 0.0


def beaten_by_truth(args, table, label, answer, *options):
    """Whether the true graph scores higher than the one found: then the search is at fault, not the score."""
    words = [args.agon, "score", table.with_name(f"{table.stem.split('-')[0]}.truth.csv"), table, *options, "--json"]
    value = kept(table.with_name(f"{table.stem}.{label}.truth.json"), lambda: json.loads(run(words)[1])["total"])
    return value > answer["value"] + 1e-6 * abs(value)


def treatments(args):
    """The ways to read the rows with the price of an edge that agon takes by default, and at the textbook's penalty."""
    return "## Ways to read the rows\n\n" + "\n".join(treatments_at(args, penalty) for penalty in ("auto", "1"))


def treatments_at(args, penalty):
    columns = ("pooled", "targets", "targets + within", "within", "contexts", "chosen")
    extra = ("soft targets", "chosen, copula-bic")
    lines, near, shds, aims = [], {}, [], []
    priced = ("--penalty", penalty)
    gaussian = ("--score", "gaussian-bic", *priced)
    lines_only = ("--scale", "raw", "--basis", "1")  # as gaussian-bic is
    for kind in KINDS:
        found = {name: [] for name in (*columns, *extra)}
        used, ahead, beaten = {}, {}, 0
        for number in range(TREATMENT_FIRST, TREATMENT_FIRST + min(args.graphs, TREATMENT_GRAPHS)):
            shape = {"size": 10, "degree": 2.5, "observed": 500, "each": 200, "targets": 5}
            shape |= {"moved": TREATMENT_MOVED, "drift": TREATMENT_DRIFT}
            folder = args.out / f"ways-{KINDS.index(kind) + 1}"
            table, raw, middle, told = drawn(folder, number, kind, seed="ways", **shape)
            boss, alike = ("run", "boss"), ("--targets", "set", "--within", "none")

            def asked(file, label, *options):
                return ask(args, file, f"{label}-{penalty}", boss, *options)

            answers = {
                "pooled": asked(raw, "pooled", *gaussian, "--drop", "set"),
                "targets": asked(raw, "targets", *gaussian, *alike),
                "targets + within": asked(middle, "both", *gaussian, *alike),
                "within": asked(middle, "within", *gaussian, "--drop", "set"),
                "contexts": asked(told, "raw-contexts-b1", *priced, *lines_only, "--context", indicators_of(table)),
                "chosen": asked(raw, "chosen", *gaussian, "--targets", "set"),
                "soft targets": asked(raw, "soft", *gaussian, *alike, "--intervention", "soft"),
                "chosen, copula-bic": asked(raw, "copula", *priced, "--targets", "set"),
            }
            for name, answer in answers.items():
                found[name].append(shd(system(answer["edges"]), marks(table.edges)))
            one, two = f"targets-{penalty}", f"both-{penalty}"
            beaten += beaten_by_truth(args, raw, one, answers["targets"], *gaussian, *alike)
            beaten += beaten_by_truth(args, middle, two, answers["targets + within"], *gaussian, *alike)
            totals = answers["chosen"]["totals"]
            for name in answers["chosen"]["used"]:
                used[name] = used.get(name, 0) + 1
            best = max(totals, key=totals.get)
            ahead[best] = ahead.get(best, 0) + 1
        lines.append([kind])
        for name in columns:
            target = TREATMENT_TARGETS[kind][columns.index(name)]
            shds.append(found[name])
            aims.append(target)
            far = apart(found[name], target)
            near[kind, name] = far
            lines[-1] += [mean(found[name]), f"{target} ({far:+.1f})"]
        lines[-1] += [mean(found[name]) for name in extra]
        for counts in (used, ahead):
            lines[-1].append(", ".join(f"{name} {count}" for name, count in sorted(counts.items())))
        lines[-1].append(str(beaten))
        print(penalty, *lines[-1], sep="  ", flush=True)
    header = ["interventions"]
    for name in columns:
        header += [name, "to reach"]
    header += [*extra, "chosen", "best of all four", "beaten by the truth"]
    counts = [sum(far <= 1 for far in near.values()), sum(abs(far) <= 1 for far in near.values()), len(near)]
    said = "{0} of {2} cells at most one standard error above the aim, {1} within one of it either way\n".format(*counts)
    if min(args.graphs, TREATMENT_GRAPHS) > TARGET_GRAPHS + 1:  # the four kinds share their graphs
        cells = {"all": Cell(list(zip(*shds)), aims, TARGET_GRAPHS)}
        said += f"all cells: {joint(cells).said()}\n"
    return f"### --penalty {penalty}\n\n{table_of(lines, header)}\n{said}"


def class_of(table):
    """The class that the experiments leave of the true graph, by gies."""
    from gies.utils import replace_unprotected

    names = sorted(table.columns)
    matrix = np.zeros((len(names), len(names)))
    for a, b in table.edges:
        matrix[names.index(a), names.index(b)] = 1
    matrix = replace_unprotected(matrix, [[], *([names.index(target)] for target in table.targets)])
    pairs = [(a, b) for a in range(len(names)) for b in range(len(names)) if matrix[a, b]]
    directed = [(names[a], names[b]) for a, b in pairs if not matrix[b, a]]
    return marks(directed, [(names[a], names[b]) for a, b in pairs if matrix[b, a]])


def peers(args):
    lines = []
    for size in PEER_SIZES:
        shds, search, process, call = {}, {}, {}, {}
        for number in range(1, min(args.graphs, PEER_TABLES) + 1):
            targets = 5 + (number - 1) % 6
            shape = {"size": size, "degree": 2.5, "observed": 200, "each": 200, "targets": targets}
            table, raw, middle, _ = drawn(args.out / f"peers-{size}", number, KINDS[0], **shape)
            truth = raw.with_name(f"{number}.truth.csv")
            common = ("--targets", "set")
            same, gaussian = ("--within", "none"), ("--score", "gaussian-bic")
            answers = {
                "`run ges`, gaussian-bic": ask(args, raw, "ges", ("run", "ges"), *common, *gaussian, runs=5),
                "`run ges`, rows centred": ask(args, middle, "ges", ("run", "ges"), *common, *same, *gaussian, runs=5),
                "`run ges`": ask(args, raw, "ges-default", ("run", "ges"), *common, runs=5),
                "`discover`": ask(args, raw, "discover", ("discover",), *common, "--truth", truth),
            }
            calls = {
                "`run ges`, gaussian-bic": (raw, "ges", {"score": "gaussian-bic"}),
                "`run ges`, rows centred": (middle, "ges", {"score": "gaussian-bic", "within": "none"}),
                "`run ges`": (raw, "ges-default", {}),
            }
            of_truth = class_of(table)
            for name, (file, label, options) in calls.items():
                called = ask_call(file, label, {"targets": "set", "threads": 1, **options}, 5)
                assert called["edges"] == answers[name]["edges"], (raw, name)
                call.setdefault(name, []).append(called["seconds"])
            for name, answer in answers.items():
                found = shd(marks(answer["cpdag"]["directed"], answer["cpdag"]["undirected"]), of_truth)
                # Two programs agree on the class of the truth. It is compared with where no time is measured.
                assert not answer["metrics"] or found == answer["metrics"]["shd_cpdag"], (raw, name)
                shds.setdefault(name, []).append(found)
                search.setdefault(name, []).append(answer["search"])
                process.setdefault(name, []).append(answer["process"])
            answer = ask_peer(raw, "gies", runs=5 if size == PEER_SIZES[0] else 1)
            shds.setdefault("gies", []).append(shd(marks(answer["directed"], answer["undirected"]), of_truth))
            search.setdefault("gies", []).append(answer["seconds"])
            process.setdefault("gies", []).append(answer["process"])
        for name in ("gies", *(name for name in shds if name != "gies")):
            line = [str(size), name, mean(shds[name])]
            ours = name != "gies"
            line.append(mean([a - b for a, b in zip(shds[name], shds["gies"])]) if ours else "")
            line.append(f"{1000 * statistics.mean(search[name]):,.1f}" if name != "`discover`" else "")
            line.append(f"{1000 * statistics.mean(call[name]):,.1f}" if name in call else "")
            line.append(f"{1000 * statistics.mean(process[name]):,.1f}")
            for theirs, spent in ((search, search), (search, call), (process, process), (search, process)):
                ratio = ours and name in spent and (spent is not search or name != "`discover`")
                factor = sum(theirs["gies"]) / sum(spent[name]) if ratio else 0.0
                line.append(f"{factor:,.{0 if factor >= 100 else 1}f}" if ratio else "")
            lines.append(line)
            print(*line, sep="  ", flush=True)
    header = ["variables", "program", "SHD of the classes", "minus gies's", "search, ms", "call, ms", "process, ms"]
    header += ["search / search", "gies's search / call", "process / process", "gies's search / process"]
    return "## Beside gies\n\n" + table_of(lines, header)


CONTEXT_PROGRAMS = {
    "agon boss": (("run", "boss"), ()),
    "agon boss, raw": (("run", "boss"), ("--scale", "raw")),
    "agon pc": (("run", "pc"), ()),
    "agon fci": (("run", "fci"), ()),
    "JCI, FCI": None,  # answers of peer.py
    "JCI, PC": None,
    "JCI, FCI, pooled": None,
}


def contexts(args):
    """By program: targets found, false arrows per table, and pairs of variables wrongly joined or not joined."""
    lines = []
    for kind in KINDS:
        for each in CONTEXT_ROWS:
            line = [kind, str(each)]
            tables = context_tables(args, kind, each)
            for program in CONTEXT_PROGRAMS:
                line += context_figures(args, tables, program)
            lines.append(line)
            print(*lines[-1], sep="  ", flush=True)
    header = ["interventions", "rows each"]
    for program in CONTEXT_PROGRAMS:
        header += [f"{program}: found", "false", "pairs"] + (["SHD"] if program.startswith("agon boss") else [])
    return "## Experiments whose targets are not known\n\n" + table_of(lines, header)


def context_answer(args, table, told, program):
    """Edges of any kind, as pairs; an edge between a context and a variable comes from the context."""
    if CONTEXT_PROGRAMS[program] is None:
        return json.loads(jci_file(told).read_text(encoding="utf-8"))[program]["edges"]
    command, options = CONTEXT_PROGRAMS[program]
    label = program.replace(" ", "-").replace(",", "")
    return ask(args, told, label, command, "--context", indicators_of(table), *options)["edges"]


def jci_file(told):
    return told.with_name(f"{told.stem}.jci.json")


def context_tables(args, kind, each):
    """Tables and their files. Joint causal inference answers them all in one process, which imports for seconds."""
    shape = {"size": 10, "degree": 2.5, "observed": 500, "each": each, "targets": 5}
    folder = args.out / f"contexts-{KINDS.index(kind) + 1}-{each}"
    pairs = []
    for number in range(1, min(args.graphs, CONTEXT_GRAPHS) + 1):
        table, _, _, told = drawn(folder, number, kind, **shape)
        pairs.append((table, told))
    missing = [told for _, told in pairs if not jci_file(told).exists()]
    if missing:
        lines = run([sys.executable, "-B", HERE / "peer.py", "jci", *missing])[1].splitlines()
        for told, line in zip(missing, lines):
            jci_file(told).write_text(line + "\n", encoding="utf-8")
    return pairs


def context_figures(args, tables, program):
    right, asked, wrong, pairs, rest = 0, 0, [], [], []
    for table, told in tables:
        edges = context_answer(args, table, told, program)
        hits = {frozenset((f"experiment {k}", target)) for k, target in enumerate(table.targets, 1)}
        acts = {frozenset(edge) for edge in edges if sum(end.startswith("experiment ") for end in edge) == 1}
        asked += len(hits)
        right += len(hits & acts)
        wrong.append(len(acts - hits))
        within = [edge for edge in edges if not any(end.startswith("experiment ") for end in edge)]
        pairs.append(len({frozenset(edge) for edge in within} ^ {frozenset(edge) for edge in table.edges}))
        rest.append(shd(marks(within), marks(table.edges)))
    figures = [f"{right} of {asked}", mean(wrong, 2), mean(pairs)]
    return figures + ([mean(rest)] if program.startswith("agon boss") else [])


def normal_scores(values):
    ranks = np.array([values.searchsorted(x, "left") + values.searchsorted(x, "right") + 1 for x in values]) / 2
    return np.array([statistics.NormalDist().inv_cdf(rank / (len(values) + 1)) for rank in ranks])


def scored(values):
    """Normal scores, in the order of the rows; ties share one."""
    order = np.argsort(values, kind="stable")
    out = np.empty(len(values))
    out[order] = normal_scores(values[order])
    return out


SCALES = {"raw": lambda x: x, "logarithms": np.log, "normal scores": scored}


def sachs_tables(args):
    """The cells of Sachs et al. 2005 with their experiment and its target, on three scales.

    All nine experiments, and the first seven: 5,846 rows, the number that publications on IGSP and DCDI name.
    """
    with open(HERE.parents[1] / "datasets" / "sachs.csv", encoding="utf-8", newline="") as file:
        names, *cells = csv.reader(file)
    with open(HERE.parents[1] / "datasets" / "sachs-experiments.csv", encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    numbers = np.array(cells, dtype=float).T
    labels = [line["experiment"] for line in lines for _ in range(int(line["rows"]))]
    targets = [line["targets"] or "none" for line in lines for _ in range(int(line["rows"]))]
    for rows in (len(labels), sum(int(line["rows"]) for line in lines[:7])):
        for scale, change in SCALES.items():
            file = args.out / f"sachs-{rows}-{scale.replace(' ', '-')}.csv"
            columns = {name: change(values[:rows]) for name, values in zip(names, numbers)}
            write_numbers(file, columns, [("experiment", labels[:rows]), ("set", targets[:rows])])
            yield rows, scale, file


def sachs(args):
    lines = []

    def line(program, rows, scale, read, directed, undirected, open_edges, seconds):
        file = args.out / "sachs-answer.csv"
        with open(file, "w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(["from", "to", "type"])
            writer.writerows([*edge, "directed"] for edge in directed)
            writer.writerows([*edge, "undirected"] for edge in undirected)
        words = [args.agon, "compare", "sachs", file, "--json", "--quiet"]
        judged = json.loads(run(words)[1])
        counts = judged["counts"]
        parts = " / ".join(str(counts[key]) for key in ("correct", "reversed", "extra", "missing"))
        edges = len(directed) + len(undirected)
        lines.append([program, f"{rows:,}", scale, read, f"{edges} ({open_edges})", parts, str(judged["shd"])])
        lines[-1] += [f"{judged['skeleton_f1']:.2f}", f"{1000 * seconds:,.1f}"]
        print(*lines[-1], sep="  ", flush=True)

    for rows, scale, file in sachs_tables(args):
        common = ("--targets", "set", "--within", "experiment")
        asked = {"agon `run ges`, gaussian-bic": ("ges", ("run", "ges"), "--score", "gaussian-bic")}
        if scale == "raw":
            asked["agon `discover`, as it is"] = ("discover", ("discover",), "--bootstrap", "0")
            asked["agon `run ges`, copula-bic"] = ("ges-default", ("run", "ges"))
        for program, (label, command, *options) in asked.items():
            answer = ask(args, file, label, command, *common, *options)
            spent = answer["search"] if command[0] == "run" else answer["process"]
            line(program, rows, scale, answer["used"][0], answer["edges"], [], len(answer["cpdag"]["undirected"]), spent)
        for program in ("gies", "igsp", "ut-igsp"):
            answer = ask_peer(file, program)
            undirected = answer["undirected"]
            line(program, rows, scale, "", answer["directed"], undirected, len(undirected), answer["seconds"])
    header = ["program", "rows", "scale", "rows read as", "edges (open)", "right / reversed / extra / missing", "SHD"]
    header += ["skeleton F1", "ms"]
    return "## Sachs\n\n" + table_of(lines, header)


SECTIONS = {"treatments": treatments, "peers": peers, "contexts": contexts, "sachs": sachs}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agon", type=Path, required=True, help="the program")
    parser.add_argument("--out", type=Path, required=True, help="folder of tables and answers")
    parser.add_argument("--only", default=",".join(SECTIONS), help="sections, commas between (default: all)")
    parser.add_argument("--graphs", type=int, default=1000, help="most graphs of a setting (default: as README.md says)")
    args = parser.parse_args()
    args.agon, args.out = args.agon.resolve(), args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    for name in args.only.split(","):
        (args.out / f"{name}.md").write_text(SECTIONS[name](args), encoding="utf-8")
    print("\n".join((args.out / f"{name}.md").read_text(encoding="utf-8") for name in args.only.split(",")))


if __name__ == "__main__":
    main()
