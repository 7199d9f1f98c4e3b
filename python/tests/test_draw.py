"""Pictures of results."""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest

import agon
from agon import _draw

SVG = "{http://www.w3.org/2000/svg}"


pytestmark = pytest.mark.filterwarnings("ignore:Glyph")


@pytest.fixture(scope="module")
def asia():
    return agon.discover("asia", rows=1000, bootstrap=10, moves=1000, progress=False)


def lines(picture):
    return ET.fromstring(picture.svg).findall(f"{SVG}g[@stroke]")


def test_an_edge_looks_like_what_is_known_of_it(asia):
    edges = asia.edges_
    drawn = {line.find(f"{SVG}title").text.partition(",")[0]: line for line in lines(asia.picture())}
    assert len(drawn) == len(edges)
    for edge in edges.itertuples(index=False):
        a, b, arrow = edge[0], edge[1], edge.arrow
        line = drawn.get(f"{a} --> {b}")
        if arrow == "open":
            line = drawn.get(f"{a} --- {b}", drawn.get(f"{b} --- {a}"))
        assert float(line.get("opacity")) == pytest.approx(0.25 + 0.75 * edge.p_edge, abs=1e-3)
        assert (line.find(f"{SVG}path").get("stroke-dasharray") is not None) == (arrow == "open")
        assert (line.find(f"{SVG}polygon") is None) == (arrow == "open")
    assert {"open", "fixed"} == set(edges["arrow"])
    names = [
        g.find(f"{SVG}text").text
        for g in ET.fromstring(asia.picture().svg).findall(f"{SVG}g")
        if g.find(f"{SVG}text") is not None
    ]
    assert sorted(names) == sorted(asia.nodes_)


def test_what_is_doubtful_and_what_is_known_are_marked():
    rng = np.random.default_rng(1)
    x = rng.normal(size=60)
    frame = pd.DataFrame({"x": x, "y": x + 2.2 * rng.normal(size=60), "z": rng.normal(size=60)})
    known = {"required": [("z", "x")]}
    found = agon.discover(frame, knowledge=known, bootstrap=10, moves=100, progress=False)
    remarks = {(a, b): text for a, b, text in agon._agon.remarks(found._text)}
    colours = {line.find(f"{SVG}title").text: line.get("stroke") for line in lines(found.picture())}
    assert any(remarks.values())
    for (a, b), text in remarks.items():
        (told,) = [told for told in colours if {a, b} == set(re.split(r" \S\S\S ", told.partition(",")[0]))]
        assert (colours[told] == _draw._AMBER) == bool(text) and told.endswith(text)
    assert "Amber" in found.picture().svg


def test_thresholds_and_the_number_of_edges(asia):
    edges = asia.edges_
    assert len(lines(asia.picture(most=2))) == 2
    assert f"2 of {len(edges)} edges, the strongest." in asia.picture(most=2).svg
    strongest = lines(asia.picture(most=1))[0].find(f"{SVG}title").text
    assert {edges.iloc[0]["from"], edges.iloc[0]["to"]} == set(re.split(r" \S\S\S ", strongest.partition(",")[0]))
    assert len(lines(asia.picture(min_strength=20))) == (edges["strength"] >= 20).sum()
    assert len(lines(asia.picture(min_share=0.9))) == (edges["p_edge"] >= 0.9).sum()
    assert len(lines(asia.picture("dag"))) == len(edges)
    assert all(line.find(f"{SVG}polygon") is not None for line in lines(asia.picture("dag")))
    with pytest.raises(agon.UsageError, match="cpdag"):
        asia.picture("cpdga")


def test_nodes_do_not_overlap_and_arrows_point_down():
    found = agon.ges("alarm", rows=1000)
    picture = found.picture(most=None)
    boxes = [(x - w / 2, y, x + w / 2) for _, x, y, w in picture._nodes]
    for k, (left, y, right) in enumerate(boxes):
        assert left >= 0 and right <= picture._width
        for other_left, other_y, other_right in boxes[:k]:
            assert y != other_y or right < other_left or other_right < left
    at = {name: y for name, _, y, _ in picture._nodes}
    assert all(at[a] < at[b] for a, b in found.dag_)
    assert picture.svg == found.picture(most=None).svg


def test_a_pag_has_its_marks():
    found = agon.fci("sachs", rows=500)
    picture = found.picture()
    circles = sum("o" in glyph[0] + glyph[-1] for _, glyph, _ in found.pag_.marked)
    assert circles > 0 and len(lines(picture)) == len(found.pag_)
    assert len(re.findall("<circle", picture.svg)) == sum(g.count("o") for _, g, _ in found.pag_.marked)


def test_names_are_escaped_everywhere():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    odd = ["<script>alert(1)</script>", 'a"b\\c & $x$ line\nbreak', "一二三" * 20]
    found = agon.ges({odd[0]: x, odd[1]: x + rng.normal(size=200), odd[2]: x + rng.normal(size=200)})
    page = found._repr_html_()
    assert "<script" not in page and "&lt;script&gt;" in page
    told = "".join(ET.fromstring(found.picture().svg).itertext())
    assert odd[0] in told and odd[2] in told  # whole, in the tooltip
    dot = found.to_graphviz().source
    assert '"a\\"b\\\\c & $x$ line\\nbreak"' in dot
    found.plot().figure.canvas.draw()


def test_a_large_graph_is_cut_to_its_strongest_edges():
    rng = np.random.default_rng(0)
    cells = rng.normal(size=(400, 60))
    for k in range(2, 60):
        cells[:, k] += cells[:, rng.integers(0, k, 12)].sum(axis=1)
    found = agon.hc(cells, max_parents=12, penalty=1.0)
    assert len(found.dag_) > 300
    page = found._repr_html_()
    assert len(lines(found.picture())) == 60 and len(page) < 100_000
    assert f"60 of {len(found.dag_)} edges, the strongest." in page
    assert page.count("<tr>") <= 62


def test_a_notebook_and_a_terminal_show_the_answer(asia):
    page = asia._repr_html_()
    assert "<svg" in page and "<table" in page and "<script" not in page
    assert not re.search(r"(href|src|url\()", page)  # nothing is fetched
    assert str(asia).count("-->") == (asia.edges_["arrow"] != "open").sum()
    assert "\n" not in repr(asia)
    assert max(map(len, asia.summary(width=70).splitlines())) <= 70
    assert len(asia.summary(full=True)) > len(asia.summary())


def test_the_summary_is_what_the_terminal_prints(cli, tmp_path):
    asia = agon.discover("asia", rows=500, moves=1000, progress=False)
    printed = cli("discover", "asia", "--rows", 500, "--moves", 1000).stdout
    shown = asia.summary(width=0)
    table = printed.partition("\n\n")[0]
    assert table in shown and table.count("\n") >= 7


def test_matplotlib_draws_the_same(asia):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    axes = asia.plot()
    assert {text.get_text() for text in axes.texts} == set(asia.nodes_)
    figure, mine = pyplot.subplots()
    assert asia.plot("dag", ax=mine, most=3) is mine
    figure.canvas.draw()
    pyplot.close("all")


def test_without_the_other_packages(asia, monkeypatch):
    monkeypatch.setitem(sys.modules, "graphviz", None)
    text = asia.to_graphviz()
    assert isinstance(text, str) and text.source == text and text.startswith("digraph")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert isinstance(asia.plot(), agon.Picture)


def test_graphviz_reads_it(asia):
    import graphviz

    source = asia.to_graphviz("cpdag")
    assert isinstance(source, graphviz.Source)
    assert source.source.count(" -> ") == len(asia.cpdag_)
    assert source.source.count("style=dashed") == len(asia.cpdag_.undirected)
    if shutil.which("dot"):
        drawn = subprocess.run(
            ["dot", "-Tplain"], input=source.source, capture_output=True, text=True, check=True
        ).stdout
        assert {line.split()[1] for line in drawn.splitlines() if line.startswith("node")} == set(asia.nodes_)
