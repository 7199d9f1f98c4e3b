"""Pictures of a result: SVG text, matplotlib axes, Graphviz.

All three show the same: an edge fades with its share of the bootstrap's resamples; an open arrow is a dashed line
without a head; what is weak or unsure is amber, and what the knowledge fixed is violet. Arrows point downwards, in the
order of the DAG that was found.
"""

from __future__ import annotations

import html
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _agon

if TYPE_CHECKING:
    from ._graph import Graph
    from ._result import Result

MOST_EDGES = 60  # that a picture shows unless told otherwise
_MOST_LONELY = 40  # nodes without an edge
_LONGEST_NAME = 24
_SOLID, _AMBER, _VIOLET, _TEAL = "#1f3b57", "#b06000", "#6a3fa0", "#0b746e"
_HIGH, _GAP_X, _GAP_Y, _MARGIN, _FONT = 26.0, 22.0, 46.0, 14.0, 12.0

Point = tuple[float, float]


@dataclass(frozen=True)
class Stroke:
    """One edge and how it looks; ``at_a`` and ``at_b`` are "tail", "arrow" or "circle"."""

    a: str
    b: str
    at_a: str
    at_b: str
    strength: float
    share: float  # of the resamples that have the edge; NaN without bootstrap
    arrow: str
    remark: str

    @property
    def colour(self) -> str:
        """Amber where something is doubtful, violet where the knowledge decided, teal where experiments did."""
        decided = {"by knowledge": _VIOLET, "by experiment": _TEAL}
        return _AMBER if self.remark else decided.get(self.arrow, _SOLID)

    @property
    def opacity(self) -> float:
        """From a quarter to all of the ink, by the share."""
        return 1.0 if math.isnan(self.share) else round(0.25 + 0.75 * self.share, 3)

    @property
    def is_dashed(self) -> bool:
        """Is the direction open?"""
        return self.at_a == self.at_b == "tail"

    @property
    def told(self) -> str:
        """The edge in words, for a tooltip."""
        glyph = {"tail": "-", "arrow": ">", "circle": "o"}
        left = {"tail": "-", "arrow": "<", "circle": "o"}[self.at_a]
        words = [f"{self.a} {left}-{glyph[self.at_b]} {self.b}"]
        if self.arrow:
            words.append(self.arrow)
        if not math.isnan(self.strength):
            words.append(f"strength {self.strength:.1f}")
        if not math.isnan(self.share):
            words.append(f"in {self.share:.0%} of the resamples")
        return ", ".join([*words, self.remark] if self.remark else words)


def strokes(
    result: Result, graph: Graph, min_strength: float | None, min_share: float | None, most: int | None
) -> tuple[list[Stroke], int]:
    """The edges to draw, the strongest first, and how many were left out."""
    known = {frozenset((row[0], row[1])): row for row in result.edges_.itertuples(index=False, name=None)}
    remarks = {frozenset((a, b)): text for a, b, text in _agon.remarks(result._text)}
    drawn = []
    for a, b, at_a, at_b in graph.ends():
        pair = frozenset((a, b))
        _, _, arrow, strength, share, *_ = known.get(pair, ("", "", "", math.nan, math.nan))
        if graph.marked:  # of a PAG; the rest is about a DAG that was made from it
            arrow, strength, remark = "", math.nan, ""
        else:
            remark = remarks.get(pair, "")
        if (min_strength is not None and strength < min_strength) or (min_share is not None and share < min_share):
            continue
        drawn.append(Stroke(a, b, at_a, at_b, strength, share, arrow, remark))
    drawn.sort(key=lambda s: (-s.strength if not math.isnan(s.strength) else 0.0, s.a, s.b))
    kept = drawn if most is None else drawn[: max(most, 0)]
    return kept, len(graph) - len(kept)


# -- where things are -------------------------------------------------------------------------------------------------


def _name(text: str) -> str:
    if len(text) <= _LONGEST_NAME:
        return text
    half = _LONGEST_NAME // 2
    return f"{text[:half]}…{text[-(_LONGEST_NAME - half - 1) :]}"


def _wide(text: str) -> float:
    """About as wide as the text is drawn: capitals are wider than small letters, and ideographs twice as wide."""
    return 16.0 + _FONT * sum(1.1 if ord(c) > 0x2E7F else 0.72 if c.isupper() else 0.56 for c in _name(text))


@dataclass
class _Box:
    """A node, or the place where a long edge passes a layer (without a name)."""

    name: str | None
    layer: int
    wide: float
    above: list[_Box] = field(default_factory=list)
    below: list[_Box] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0


def _order(dag: Graph) -> list[str]:
    """The nodes, causes first; by name where the arrows leave it open."""
    left = {name: 0 for name in dag.nodes}
    effects: dict[str, list[str]] = {name: [] for name in dag.nodes}
    for a, b in dag.directed:
        left[b] += 1
        effects[a].append(b)
    ready = sorted(name for name, count in left.items() if count == 0)
    order = []
    while ready:
        name = ready.pop(0)
        order.append(name)
        for effect in effects[name]:
            left[effect] -= 1
            if left[effect] == 0:
                ready.append(effect)
        ready.sort()
    return order


def _layers(edges: Sequence[tuple[str, str]], order: Sequence[str]) -> dict[str, int]:
    """The longest path that leads to each node with an edge; ``edges`` go forward in the order. A node without a cause
    is moved down to its effects."""
    above: dict[str, list[str]] = {}
    for a, b in edges:
        above.setdefault(a, [])
        above.setdefault(b, []).append(a)
    layer: dict[str, int] = {}
    for name in order:
        if name in above:
            layer[name] = 1 + max((layer[cause] for cause in above[name]), default=-1)
    below: dict[str, list[int]] = {}
    for a, b in edges:
        below.setdefault(a, []).append(layer[b])
    for name, causes in above.items():
        if not causes:
            layer[name] = min(below[name]) - 1  # close to its first effect
    return layer


def _chains(edges: Sequence[tuple[str, str]], layer: dict[str, int]) -> tuple[list[list[_Box]], list[list[_Box]]]:
    """Boxes by layer, and for every edge the boxes that it passes."""
    boxes = {name: _Box(name, depth, _wide(name)) for name, depth in layer.items()}
    rows: list[list[_Box]] = [[] for _ in range(max(layer.values(), default=-1) + 1)]
    for box in boxes.values():
        rows[box.layer].append(box)
    chains = []
    for a, b in edges:
        chain = [boxes[a]]
        for depth in range(layer[a] + 1, layer[b]):
            chain.append(_Box(None, depth, 6.0))
            rows[depth].append(chain[-1])
        chain.append(boxes[b])
        for upper, lower in zip(chain, chain[1:]):
            upper.below.append(lower)
            lower.above.append(upper)
        chains.append(chain)
    return rows, chains


def _mean(boxes: Sequence[_Box], otherwise: float) -> float:
    return sum(box.x for box in boxes) / len(boxes) if boxes else otherwise


def _spread(row: list[_Box], wished: list[float]) -> None:
    """Places the boxes of a layer in their order, near what they wish, without overlaps."""
    right, left = [0.0] * len(row), [0.0] * len(row)
    for k, box in enumerate(row):
        right[k] = wished[k]
        if k:
            right[k] = max(wished[k], right[k - 1] + (row[k - 1].wide + box.wide) / 2 + _GAP_X)
    for k in range(len(row) - 1, -1, -1):
        left[k] = wished[k]
        if k + 1 < len(row):
            left[k] = min(wished[k], left[k + 1] - (row[k + 1].wide + row[k].wide) / 2 - _GAP_X)
    for box, one, other in zip(row, right, left):
        box.x = (one + other) / 2  # the mean of two placements without overlaps has none either


def _settle(rows: list[list[_Box]]) -> None:
    """Sugiyama's method in brief: a few sweeps that put every box near the mean of its neighbours."""
    for row in rows:
        _spread(row, [0.0] * len(row))
    for sweep in range(12):
        downwards = sweep % 2 == 0
        for row in rows if downwards else reversed(rows):
            wished = {id(box): _mean(box.above if downwards else box.below, box.x) for box in row}
            if sweep < 8:
                row.sort(key=lambda box: wished[id(box)])
            _spread(row, [wished[id(box)] for box in row])
    for depth, row in enumerate(rows):
        for box in row:
            box.y = depth * (_HIGH + _GAP_Y)


# -- the picture ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Line:
    stroke: Stroke
    points: tuple[Point, ...]  # from a border to a border, downwards
    starts_at_a: bool


class Picture:
    """A drawn graph. A notebook shows it; ``svg`` is its text, and ``save`` writes it.

    >>> import agon
    >>> picture = agon.ges("asia", rows=500).picture()
    >>> picture.svg.startswith("<svg ")
    True
    """

    def __init__(self, nodes: Sequence[tuple[str, float, float, float]], lines: Sequence[_Line], caption: str) -> None:
        self._nodes = nodes  # name, x and y of the middle, width
        self._lines = lines
        self._caption = caption
        self._width = max(
            [x + wide / 2 for _, x, _, wide in nodes] + [x for line in lines for x, _ in line.points] + [80]
        )
        self._width = max(self._width + _MARGIN, 2 * _MARGIN + 0.5 * _FONT * min(len(caption), 60))
        rows = math.ceil(0.5 * _FONT * len(caption) / (self._width - 2 * _MARGIN)) if caption else 0
        self._high = max([y + _HIGH / 2 for _, _, y, _ in nodes] + [0]) + _MARGIN + rows * 1.4 * _FONT
        self._caption_rows = rows

    def _caption_lines(self) -> list[str]:
        import textwrap

        return textwrap.wrap(self._caption, max(20, int((self._width - 2 * _MARGIN) / (0.5 * _FONT))))

    @property
    def svg(self) -> str:
        """The picture as SVG: one element without scripts, styles or references.

        >>> import agon
        >>> agon.ges("asia", rows=500).picture().svg.endswith("</svg>")
        True
        """
        captions = self._caption_lines()
        high = self._high + max(0, len(captions) - self._caption_rows) * 1.4 * _FONT
        out = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width:.0f} {high:.0f}" role="img" '
            f'width="{self._width:.0f}" style="max-width:100%;height:auto" font-family="sans-serif" '
            f'font-size="{_FONT:.0f}">',
            f'<rect width="{self._width:.0f}" height="{high:.0f}" fill="#ffffff"/>',
        ]
        for line in self._lines:
            stroke = line.stroke
            dashes = ' stroke-dasharray="5 4"' if stroke.is_dashed else ""
            out.append(
                f'<g opacity="{stroke.opacity:g}" stroke="{stroke.colour}" fill="{stroke.colour}">'
                f"<title>{html.escape(stroke.told)}</title>"
                f'<path d="{_path(line.points)}" fill="none" stroke-width="1.6"{dashes}/>'
            )
            for mark, (x, y), down in _ends(line):
                if mark == "arrow":
                    corners = " ".join(f"{px:.1f},{py:.1f}" for px, py in _head(x, y, down))
                    out.append(f'<polygon points="{corners}"/>')
                elif mark == "circle":
                    out.append(
                        f'<circle cx="{x:.1f}" cy="{y - 4 * down:.1f}" r="4" fill="#ffffff" stroke-width="1.4"/>'
                    )
            out.append("</g>")
        for name, x, y, wide in self._nodes:
            out.append(
                f'<g><title>{html.escape(name)}</title><rect x="{x - wide / 2:.1f}" y="{y - _HIGH / 2:.1f}" '
                f'width="{wide:.1f}" height="{_HIGH:.0f}" rx="7" fill="#f4f6f8" stroke="#8494a4"/>'
                f'<text x="{x:.1f}" y="{y + 0.35 * _FONT:.1f}" text-anchor="middle" fill="#12202e">'
                f"{html.escape(_name(name))}</text></g>"
            )
        y = high - _MARGIN / 2 - 1.4 * _FONT * (len(captions) - 1)
        for k, text in enumerate(captions):
            out.append(
                f'<text x="{_MARGIN:.0f}" y="{y + 1.4 * _FONT * k:.1f}" fill="#55636f" font-size="11">'
                f"{html.escape(text)}</text>"
            )
        return "".join([*out, "</svg>"])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the SVG to a file.

        >>> import agon, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "asia.svg")
        >>> agon.ges("asia", rows=500).picture().save(path)
        >>> os.path.exists(path)
        True
        """
        _agon.write_file(os.fspath(path), self.svg + "\n")

    def plot(self, ax: Any = None) -> Any:
        """Draw into matplotlib's axes, new ones unless given; returns the axes.

        >>> import agon, matplotlib
        >>> matplotlib.use("Agg")
        >>> axes = agon.ges("asia", rows=500).picture().plot()
        >>> sorted(text.get_text() for text in axes.texts)[:2]
        ['asia', 'bronc']
        """
        from matplotlib import pyplot
        from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon
        from matplotlib.path import Path

        if ax is None:
            _, ax = pyplot.subplots(figsize=(self._width / 72, self._high / 72), layout="constrained")
        ax.set_xlim(0, self._width)
        ax.set_ylim(self._high, 0)
        ax.set_aspect("equal")
        ax.axis("off")
        size = ax.get_window_extent().size * 72 / ax.figure.dpi  # in points
        scale = float(min(size[0] / self._width, size[1] / self._high))
        for line in self._lines:
            stroke = line.stroke
            look: dict[str, Any] = {"color": stroke.colour, "alpha": stroke.opacity, "linewidth": 1.6 * scale}
            bends = [line.points[0], *(point for bend in _bends(line.points) for point in bend)]
            codes = [Path.MOVETO, *[Path.CURVE4] * (len(bends) - 1)]
            dashes = "--" if stroke.is_dashed else "-"
            ax.add_patch(PathPatch(Path(bends, codes), fill=False, linestyle=dashes, zorder=1, **look))
            for mark, (x, y), down in _ends(line):
                if mark == "arrow":
                    ax.add_patch(Polygon(_head(x, y, down), zorder=2, **{**look, "linewidth": 0}))
                elif mark == "circle":
                    ring = Circle((x, y - 4 * down), 4, edgecolor=stroke.colour, facecolor="white", zorder=2)
                    ring.set_linewidth(1.4 * scale)
                    ax.add_patch(ring)
        for name, x, y, wide in self._nodes:
            box = FancyBboxPatch(
                (x - wide / 2 + 4, y - _HIGH / 2 + 4), wide - 8, _HIGH - 8, boxstyle="round,pad=4", facecolor="#f4f6f8",
                edgecolor="#8494a4", linewidth=scale, zorder=3,
            )  # fmt: skip
            ax.add_patch(box)
            label = _name(name).replace("$", r"\$")
            ax.text(x, y, label, ha="center", va="center", fontsize=0.9 * _FONT * scale, color="#12202e", zorder=4)
        captions = self._caption_lines()
        if captions:
            ax.set_title(
                "\n".join(captions).replace("$", r"\$"), fontsize=9 * scale, color="#55636f", y=-0.02, va="top"
            )
        return ax

    def _repr_html_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<agon.Picture: {len(self._lines)} edges between {len(self._nodes)} variables>"


def _bends(points: Sequence[Point]) -> list[tuple[Point, Point, Point]]:
    """Cubic curves through the points, upright at each of them."""
    out = []
    for (x, y), (to_x, to_y) in zip(points, points[1:]):
        half = (y + to_y) / 2
        out.append(((x, half), (to_x, half), (to_x, to_y)))
    return out


def _path(points: Sequence[Point]) -> str:
    words = [f"M{points[0][0]:.1f},{points[0][1]:.1f}"]
    for bend in _bends(points):
        words.append("C" + " ".join(f"{x:.1f},{y:.1f}" for x, y in bend))
    return "".join(words)


def _head(x: float, y: float, down: int) -> list[Point]:
    return [(x, y), (x - 4.2, y - 9 * down), (x + 4.2, y - 9 * down)]


def _ends(line: _Line) -> list[tuple[str, Point, int]]:
    """Mark, place, and whether the line comes from above (1) or from below (-1), of both ends."""
    stroke, first, last = line.stroke, line.points[0], line.points[-1]
    upper, lower = (stroke.at_a, stroke.at_b) if line.starts_at_a else (stroke.at_b, stroke.at_a)
    return [(upper, first, -1), (lower, last, 1)]


def _ports(chains: Sequence[list[_Box]]) -> list[tuple[Point, ...]]:
    """The points of every edge: those that meet at a box are spread over its width, in the order they come from."""
    at: dict[tuple[int, bool], list[tuple[float, int]]] = {}
    for k, chain in enumerate(chains):
        at.setdefault((id(chain[0]), True), []).append((chain[1].x, k))
        at.setdefault((id(chain[-1]), False), []).append((chain[-2].x, k))
    shift: dict[tuple[int, bool], float] = {}
    for (_, starts), met in at.items():
        met.sort()
        for place, (_, k) in enumerate(met):
            chain = chains[k]
            room = 0.6 * (chain[0] if starts else chain[-1]).wide
            shift[k, starts] = min(room / len(met), 12.0) * (place - (len(met) - 1) / 2)
    out = []
    for k, chain in enumerate(chains):
        start = (chain[0].x + shift[k, True], chain[0].y + _HIGH / 2)
        end = (chain[-1].x + shift[k, False], chain[-1].y - _HIGH / 2)
        passed = []
        for box in chain[1:-1]:  # upright beside the nodes of the layer
            passed += [(box.x, box.y - _HIGH / 2), (box.x, box.y + _HIGH / 2)]
        out.append((start, *passed, end))
    return out


def _lonely(names: Sequence[str], top: float, width: float) -> list[tuple[str, float, float, float]]:
    """Nodes without an edge, in lines below the others."""
    out: list[tuple[str, float, float, float]] = []
    x, y = 0.0, top
    for name in names:
        wide = _wide(name)
        if x > 0 and x + wide > max(width, 480.0):
            x, y = 0.0, y + _HIGH + 12
        out.append((name, x + wide / 2, y, wide))
        x += wide + _GAP_X
    return out


def _caption(kept: Sequence[Stroke], left_out: int, hidden: int) -> str:
    said = []
    if left_out:
        said.append(f"{len(kept)} of {len(kept) + left_out} edges, the strongest.")
    if hidden:
        said.append(f"{hidden} variables without an edge here are not shown.")
    if any(stroke.is_dashed for stroke in kept):
        said.append("Dashed: the direction is open.")
    if any("circle" in (stroke.at_a, stroke.at_b) for stroke in kept):
        said.append("Circle: this end is open.")
    if any(stroke.remark for stroke in kept):
        said.append("Amber: weak or unsure.")
    if any(stroke.arrow == "by knowledge" for stroke in kept):
        said.append("Violet: fixed by knowledge.")
    if any(stroke.arrow == "by experiment" for stroke in kept):
        said.append("Teal: fixed by experiments.")
    if any(not math.isnan(stroke.share) for stroke in kept):
        said.append("Faint: in few resamples.")
    return " ".join(said)


def picture(
    result: Result,
    graph: Graph,
    min_strength: float | None = None,
    min_share: float | None = None,
    most: int | None = MOST_EDGES,
) -> Picture:
    """The layout of a graph of the result."""
    kept, left_out = strokes(result, graph, min_strength, min_share, most)
    order = _order(result.dag_)
    rank = {name: k for k, name in enumerate(order)}
    forward = [(s.a, s.b) if rank[s.a] < rank[s.b] else (s.b, s.a) for s in kept]
    rows, chains = _chains(forward, _layers(forward, order))
    _settle(rows)
    points = _ports(chains)
    boxes = [box for row in rows for box in row if box.name is not None]
    edge_xs = [x for line in points for x, _ in line]
    shift = _MARGIN - min([box.x - box.wide / 2 for box in boxes] + [x - 6 for x in edge_xs] + [0.0])
    nodes = [(str(box.name), box.x + shift, box.y + _MARGIN + _HIGH / 2, box.wide) for box in boxes]
    moved = [tuple((x + shift, y + _MARGIN + _HIGH / 2) for x, y in line) for line in points]

    placed = {name for name, *_ in nodes}
    alone = [name for name in graph.nodes if name not in placed]
    shown = alone if len(alone) <= _MOST_LONELY else []
    top = max([y for _, _, y, _ in nodes] + [-_HIGH + _MARGIN / 2 - 4]) + _HIGH + 14 if shown else 0.0
    wide = max([x + w / 2 for _, x, _, w in nodes] + [0.0])
    nodes += [(name, x + _MARGIN, y, w) for name, x, y, w in _lonely(shown, top, wide)]
    lines = [_Line(s, path, pair == (s.a, s.b)) for s, path, pair in zip(kept, moved, forward)]
    return Picture(nodes, lines, _caption(kept, left_out, len(alone) - len(shown)))


# -- Graphviz ---------------------------------------------------------------------------------------------------------


class Dot(str):
    """DOT text where the package graphviz is not installed; ``source`` is the text, as graphviz.Source has it."""

    @property
    def source(self) -> str:
        """The text."""
        return str(self)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "")
    return f'"{escaped}"'


def dot(
    result: Result,
    graph: Graph,
    min_strength: float | None = None,
    min_share: float | None = None,
    most: int | None = None,
) -> str:
    """The graph as DOT, with the looks of the other pictures."""
    kept, _ = strokes(result, graph, min_strength, min_share, most)
    marks = {"tail": "none", "arrow": "normal", "circle": "odot"}
    lines = [
        "digraph agon {",
        '  node [shape=box, style="rounded,filled", fillcolor="#f4f6f8", color="#8494a4", fontname="sans-serif"];',
    ]
    lines += [f"  {_quoted(name)};" for name in graph.nodes]
    for s in kept:
        look = [
            f'color="{s.colour}{round(255 * s.opacity):02x}"', "dir=both", f"arrowtail={marks[s.at_a]}",
            f"arrowhead={marks[s.at_b]}", f"tooltip={_quoted(s.told)}",
        ]  # fmt: skip
        if s.is_dashed:
            look.append("style=dashed")
        lines.append(f"  {_quoted(s.a)} -> {_quoted(s.b)} [{', '.join(look)}];")
    return "\n".join([*lines, "}", ""])
