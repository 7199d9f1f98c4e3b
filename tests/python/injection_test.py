#!/usr/bin/env python3
"""Hostile names do no harm: strings that would be markup, script, shell or terminal codes elsewhere are names of columns,
of levels and of the file, and every output holds them as text. Usage: injection_test.py AGON"""

import html.parser
import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

import networkx

AGON = Path(sys.argv[1]).resolve()
HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "]]><x>",
    "-->",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "&lt;b&gt; &amp; &#60;",
    "<svg/onload=alert(1)>",
    "</title></style></textarea>",
    "{{7*7}} ${7*7} %s %n {0}",
    "$(touch hacked) `touch hacked` ; touch hacked | touch hacked",
    "'; DROP TABLE runs; --",
    "../../../../etc/passwd",
    'a" ]; evil [label="x',
    "a\\",
    'a\\" -> "b',
    "__proto__",
    "constructor",
    "=1+1",
    "\u202eright to left",
    "\u009b31mred",
    "\u2028line",
    "名前🙂",
]
FORMATS = ["csv", "adjacency", "dot", "graphml", "gml", "json", "bif", "tetrad", "bnlearn", "dagitty"]
FILE = "a $(touch hacked) <i>'\"& .csv"


def table():
    rng = random.Random(5)
    levels = [[HOSTILE[(3 * j + k) % len(HOSTILE)] for k in range(2)] for j in range(len(HOSTILE))]
    lines = [HOSTILE]
    for _ in range(300):
        row = [rng.randrange(2)]
        while len(row) < len(HOSTILE):
            row.append(row[-1] if rng.random() < 0.85 else rng.randrange(2))
        lines.append([levels[j][k] for j, k in enumerate(row)])
    quote = '"{}"'.format
    return "\n".join(",".join(quote(cell.replace('"', '""')) for cell in line) for line in lines) + "\n"


class Page(html.parser.HTMLParser):
    """What a browser would see: tags with their attributes, and text outside of scripts and styles."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.text, self.inside = [], "", ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside = tag

    def handle_endtag(self, tag):
        self.inside = ""

    def handle_data(self, data):
        if self.inside not in ("script", "style"):
            self.text += data


class Injection(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="agon-injection-")
        cls.folder = Path(cls.holder.name)
        (cls.folder / FILE).write_text(table(), encoding="utf-8")
        cls.run_agon("discover", FILE, "--moves", "500", "--out", "out", "--format", ",".join(FORMATS), "--penalty", "0.5",
                     "--truth", "truth.csv", truth=True)
        cls.result = json.loads((cls.folder / "out/result.json").read_text(encoding="utf-8"))

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    @classmethod
    def run_agon(cls, *words, truth=False):
        if truth:
            chain = ['"{}","{}"'.format(a.replace('"', '""'), b.replace('"', '""')) for a, b in zip(HOSTILE, HOSTILE[1:])]
            (cls.folder / "truth.csv").write_text("from,to\n" + "\n".join(chain) + "\n", encoding="utf-8")
        done = subprocess.run([AGON, *words], cwd=cls.folder, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done

    def edges(self):
        return {tuple(edge) for edge in self.result["dag"]["edges"]}

    def test_nothing_was_run(self):
        self.assertEqual([path.name for path in self.folder.rglob("hacked")], [])

    def test_json_keeps_the_names(self):
        self.assertEqual(sorted(self.result["data"]["kinds"]), sorted(HOSTILE))
        self.assertGreater(len(self.edges()), 10)

    def pages(self):
        yield (self.folder / "out/report.html").read_text(encoding="utf-8")
        yield self.run_agon("report", "out", "--plain", "-o", "-").stdout.decode("utf-8")

    def test_the_report_holds_text_alone(self):
        for text in self.pages():
            page = Page(text)
            names = {tag for tag, _ in page.tags}
            self.assertLessEqual(names & {"img", "svg", "iframe", "object", "embed", "link", "base", "form", "i", "x"},
                                 set(), names)
            scripts = [attributes for tag, attributes in page.tags if tag == "script"]
            self.assertIn(len(scripts), (0, 3))  # the result and the effects as data, and our own script
            for tag, attributes in page.tags:
                self.assertFalse([key for key in attributes if key.startswith("on")], (tag, attributes))
                self.assertFalse(str(attributes.get("href", "")).strip().startswith("javascript"), attributes)
                self.assertNotIn("src", attributes)
            policy = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
            self.assertEqual(len(policy), 1)
            self.assertIn("default-src 'none'", policy[0])
            self.assertNotIn("unsafe-eval", policy[0])
            for name in HOSTILE:
                self.assertIn(name, page.text)
            if not scripts:
                continue
            data = {key: re.search(rf'<script type="application/json" id="{key}">(.*?)</script>', text, re.S).group(1)
                    for key in ("result", "effects")}
            self.assertEqual(json.loads(data["result"])["dag"], self.result["dag"])
            for text_of in data.values():
                json.loads(text_of)
                self.assertNotIn("<", text_of)

    def test_graph_files_hold_the_names(self):
        folder = self.folder / "out"
        wanted = {(a, b) for a, b in self.edges()}
        graphml = xml.etree.ElementTree.parse(folder / "dag.graphml").getroot()
        space = "{http://graphml.graphdrawing.org/xmlns}"
        self.assertEqual({(e.get("source"), e.get("target")) for e in graphml.iter(space + "edge")}, wanted)
        gml = networkx.read_gml(folder / "dag.gml")
        self.assertEqual(set(gml.edges()), wanted)
        caugi = json.loads((folder / "dag.json").read_text(encoding="utf-8"))["graph"]
        self.assertEqual({(e["from"], e["to"]) for e in caugi["edges"]}, wanted)
        dot = subprocess.run(["dot", "-Tjson0", folder / "dag.dot"], capture_output=True)
        self.assertEqual(dot.returncode, 0, dot.stderr)
        drawn = json.loads(dot.stdout)
        names = [node["name"] for node in drawn["objects"]]
        self.assertEqual(len(drawn["edges"]), len(wanted))
        self.assertEqual(len(names), len(HOSTILE))
        self.assertNotIn("evil", names)
        for ending in ("dot", "graphml", "gml", "json"):  # we read them back, too
            back = self.run_agon("compare", "out/dag.csv", f"out/dag.{ending}", "--json", "--quiet")
            self.assertEqual(json.loads(back.stdout)["shd"], 0, ending)

    def test_terminals_get_no_codes(self):
        done = self.run_agon("discover", FILE, "--moves", "500", "--truth", "truth.csv")
        for text in (done.stdout, done.stderr):
            shown = text.decode("utf-8").replace(FILE, "")
            self.assertFalse([c for c in shown if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0 or
                              0x2028 <= ord(c) <= 0x202E])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
