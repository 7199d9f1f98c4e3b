"""The cells of a run as CSV, as JSON and as tables in Markdown."""

import csv
import json

from peers import PEERS

FAMILIES = [
    "match",
    "GES",
    "order search",
    "hill climbing",
    "exact search",
    "PC",
    "FCI",
    "DirectLiNGAM",
    "ICA-LiNGAM",
    "NOTEARS",
    "GOLEM",
]
FIELDS = [
    "data",
    "rows",
    "columns",
    "kind",
    "score",
    "family",
    "algorithm",
    "program",
    "version",
    "cap",
    "seed",
    "status",
    "seconds",
    "memory_mb",
    "edges",
    "consistent",
    "shd_cpdag",
    "shd",
    "skeleton_f1",
    "bic",
    "note",
]


def write_tables(cells, out):
    order = {cell["data"]: (cell["columns"], cell["data"]) for cell in cells}
    cells.sort(key=lambda c: (order[c["data"]], FAMILIES.index(c["family"]), c["program"] != "agon"))
    (out / "peers.json").write_text(json.dumps(cells, indent=1) + "\n", encoding="utf-8")
    with open(out / "peers.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(cells)
    names = sorted(order, key=order.get)
    parts = [data_table(name, [c for c in cells if c["data"] == name]) for name in names]
    parts += [ahead(cells, names), settings(cells)]
    (out / "peers.md").write_text("\n".join(parts), encoding="utf-8")
    print(out / "peers.md")


def data_table(name, cells):
    """The SHD is that of CPDAGs; of DAGs where the true graph has cycles and thus no CPDAG."""
    first = cells[0]
    cyclic = any(c["status"] == "ok" and c.get("shd_cpdag") is None for c in cells)
    lines = [
        f"## {name}: {first['rows']:,} rows, {first['columns']} columns, {first['score']}",
        "",
        f"| family | program | algorithm | CPU s | {'SHD of DAGs' if cyclic else 'CPDAG SHD'} | skeleton F1 | BIC |"
        " edges | peak MB |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    best = max(c["bic"] for c in cells if "bic" in c)
    family = None
    for c in cells:
        shown = c["family"] if c["family"] != family else ""
        family = c["family"]
        row = [shown, c["program"], c["title"]]
        if c["status"] == "ok":
            bic = f"{c['bic']:.1f}" if "bic" in c else "none"
            if "bic" in c and c["bic"] > best - 0.05:
                bic = f"**{bic}**"
            row += [
                seconds(c),
                str(c["shd" if cyclic else "shd_cpdag"]),
                f"{c['skeleton_f1']:.3f}",
                bic,
                f"{c['edges']}{'' if c['consistent'] else '*'}",
                f"{c['memory_mb']:.0f}",
            ]
        else:
            told = {"over": f"> {c['cap']}", "failed": "failed"}[c["status"]]
            row += [told + ("†" if "note" in c and c["status"] == "over" else ""), "", "", "", "", ""]
        lines.append("| " + " | ".join(row) + " |")
    notes = [
        f"{c['program']} {c['title']}: `{c['note']}`"
        for c in cells
        if c["status"] == "failed" or "bic" not in c and c["status"] == "ok"
    ]
    return "\n".join(lines + [""] + [f"- {note}" for note in notes] + ([""] if notes else []))


def seconds(cell):
    return (
        f"{cell['seconds']:.3f}"
        if cell["seconds"] < 0.0995
        else f"{cell['seconds']:.2g}"
        if cell["seconds"] < 10
        else f"{cell['seconds']:.0f}"
    )


def ahead(cells, names):
    """Every cell of a peer that is better than agon's best of the same family, in SHD, score or CPU time."""
    lines = [
        "## Where a peer is ahead of agon",
        "",
        "Against the row of agon in the same family (of two, the better): every measure in which the peer is better.",
        "",
        "| data | family | peer | ahead in | behind in |",
        "|---|---|---|---|---|",
    ]
    for name in names:
        ok = [c for c in cells if c["data"] == name and c["status"] == "ok" and "bic" in c]
        for c in ok:
            ours = [o for o in ok if o["program"] == "agon" and o["family"] == c["family"]]
            if c["program"] == "agon" or not ours:
                continue
            shd = "shd" if c["shd_cpdag"] is None else "shd_cpdag"
            measures = [
                ("SHD", c[shd], min(o[shd] for o in ours), -1, "d"),
                ("BIC", c["bic"], max(o["bic"] for o in ours), 1, ".1f"),
                ("CPU s", c["seconds"], min(o["seconds"] for o in ours), -1, ".3f"),
            ]
            told = {1: [], -1: []}
            for what, theirs, our, sign, form in measures:
                gain = sign * (theirs - our)
                if abs(gain) > 0.05 or what == "CPU s":
                    told[1 if gain > 0 else -1].append(f"{what} {theirs:{form}} to {our:{form}}")
            if told[1]:
                lines.append(
                    f"| {name} | {c['family']} | {c['program']} {c['title']} | {'; '.join(told[1])} |"
                    f" {'; '.join(told[-1])} |"
                )
    return "\n".join(lines) + "\n"


def settings(cells):
    """Version and settings of every peer that ran."""
    versions = {cell["program"]: cell["version"] for cell in cells}
    lines = ["## Versions and settings", "", "| program | version | algorithm | settings |", "|---|---|---|---|"]
    for peer in PEERS.values():
        if peer.package in versions:
            lines.append(f"| {peer.package} | {versions[peer.package]} | {peer.title} | {peer.settings} |")
    return "\n".join(lines) + "\n"
