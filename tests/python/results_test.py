#!/usr/bin/env python3
"""What agon writes, read by others: result.json against its published schema, DOT drawn by Graphviz, GML and GraphML
loaded by networkx. Usage: results_test.py AGON SCHEMA"""

import copy
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema
import networkx

AGON, SCHEMA = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
# Names that need quoting somewhere: blanks, quotes, markup, letters beyond ASCII, digits first.
ODD = ["two words", 'a "quoted" name', "</b><i>&amp;", "größe", "1st", "p44/42", "semi;colon", "back\\slash"]


def odd_table():
    lines = [",".join('"%s"' % name.replace('"', '""') for name in ODD)]
    for k in range(300):
        first = k * 7919 % 2
        lines.append(",".join(str(first ^ (k * (3 + 2 * j) % 10 == 0)) for j in range(len(ODD))))
    return "\n".join(lines) + "\n"


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="agon-python-")
        cls.folder = Path(cls.holder.name)
        (cls.folder / "odd.csv").write_text(odd_table(), encoding="utf-8")
        (cls.folder / "known.csv").write_text("from,to,type\nsmoke,lung,required\nxray,asia,forbidden\n")
        (cls.folder / "cyclic.csv").write_text("from,to\nasia,tub\ntub,smoke\nsmoke,asia\n")

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def run_agon(self, *words):
        done = subprocess.run([AGON, *words, "--quiet"], cwd=self.folder, capture_output=True, text=True, encoding="utf-8")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def result(self, *words):
        return json.loads(self.run_agon(*words, "--json"))

    def test_effects_fit_their_schema(self):
        schema = json.loads(SCHEMA.with_name("effects.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        self.run_agon("run", "ges", "asia", "--rows", "1000", "--out", "asia")
        self.run_agon("run", "ges", "sachs-experiments", "--out", "sachs")
        self.run_agon("run", "fci", "asia", "--rows", "1000", "--out", "hidden")
        for words in (
            ["effect", "asia", "asia", "--of", "smoke", "--on", "dysp"],
            ["effect", "asia", "asia", "--of", "smoke", "--on", "dysp", "--bootstrap", "2", "--threads", "1"],
            ["effect", "asia", "asia", "--of", "dysp", "--on", "asia", "--resample", "3"],
            ["effect", "sachs", "sachs-experiments", "--of", "PKC", "--on", "P38"],
            ["effect", "sachs", "sachs-experiments", "--of", "PKC,PKA", "--on", "P38"],
            ["effect", "hidden", "asia", "--of", "smoke", "--on", "dysp"],
            ["effects", "asia", "asia", "--on", "dysp"],
            ["effects", "sachs", "sachs-experiments", "--of", "PKC"],
            ["next", "asia", "--budget", "2"],
            ["next", "asia", "asia", "--of", "smoke", "--on", "dysp"],
        ):
            with self.subTest(words=words):
                answer = self.result(*words)
                errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(answer)]
                self.assertEqual(errors, [])

    def test_results_fit_the_schema(self):
        schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)

        def strict(part):  # nothing may be written that the schema does not describe
            if isinstance(part, dict):
                if "properties" in part:
                    part.setdefault("additionalProperties", False)
                for inner in part.values():
                    strict(inner)
            elif isinstance(part, list):
                for inner in part:
                    strict(inner)

        whole = copy.deepcopy(schema)
        strict(whole)
        validator = jsonschema.Draft202012Validator(whole)
        described = set()

        def keys(value, path=""):
            if isinstance(value, dict):
                for key, inner in value.items():
                    if path not in (".data.kinds", ".data.levels", ".run.options"):
                        described.add(path + "." + key)
                        keys(inner, path + "." + key)
            elif isinstance(value, list):
                for inner in value:
                    keys(inner, path)

        asia = ["discover", "asia", "--rows", "300", "--moves", "500"]
        for words in (
            [*asia, "--truth", "asia", "--bootstrap", "3"],
            [*asia, "--truth", "cyclic.csv", "--opponent", "hc", "--knowledge", "known.csv"],
            ["discover", "sachs", "--rows", "200", "--moves", "500", "--opponent", "none"],
            ["discover", "odd.csv", "--moves", "500"],
            ["run", "ges", "asia", "--rows", "300", "--bootstrap", "2", "--time-limit", "60s"],
            ["run", "fci", "asia", "--rows", "1000", "--data-seed", "3"],
            ["discover", "sachs-experiments", "--moves", "500"],
            ["run", "hc", "asia", "--rows", "300", "--posterior", "--posterior-steps", "2000"],
        ):
            with self.subTest(words=words):
                result = self.result(*words)
                errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(result)]
                self.assertEqual(errors, [])
                keys(result)
        for path in (".bootstrap.pairs.a", ".metrics.class_mean.sid", ".knowledge.tiers", ".mpdag.directed",
                     ".edges.by_knowledge", ".edges.shares.edge", ".certificate.lines", ".run.found_by",
                     ".posterior.sample.traces.scores", ".posterior.pairs.forward", ".edges.posterior.edge",
                     ".posterior.ancestors.probability", ".pag.edges", ".run.own_start", ".data.regimes.moved", ".score.treatments.used",
                     ".score.remark", ".edges.by_experiment", ".certificate.experiments.holds"):
            self.assertIn(path, described)  # the runs above do show what the schema describes

        broken = self.result(*asia)
        del broken["score"]["value"]
        broken["certificate"]["never_worse"] = "yes"
        self.assertEqual(len(list(validator.iter_errors(broken))), 2)

    def edges(self, folder):
        result = json.loads((self.folder / folder / "result.json").read_text(encoding="utf-8"))
        return result, {tuple(edge) for edge in result["dag"]["edges"]}

    def write(self, folder, *words):
        self.run_agon(*words, "--out", folder, "--format", "dot,gml,graphml")
        return self.edges(folder)

    def test_graphs_are_read_by_networkx_and_drawn_by_graphviz(self):
        tables = {"odd": ["run", "ges", "odd.csv"], "asia": ["run", "ges", "asia", "--rows", "1000"],
                  "alarm": ["run", "ges", "alarm", "--rows", "1000"], "andes": ["run", "ges", "andes", "--rows", "1000"]}
        for folder, words in tables.items():
            result, edges = self.write(folder, *words)
            names = set(result["data"]["kinds"])
            self.assertGreater(len(edges), 3)
            for read, extension in ((networkx.read_gml, "gml"), (networkx.read_graphml, "graphml")):
                with self.subTest(folder=folder, extension=extension):
                    graph = read(self.folder / folder / f"dag.{extension}")
                    self.assertTrue(graph.is_directed())
                    label = {node: data.get("name", node) for node, data in graph.nodes(data=True)}
                    self.assertEqual(set(label.values()), names)
                    self.assertEqual({(label[a], label[b]) for a, b in graph.edges()}, edges)
                    both = read(self.folder / folder / f"cpdag.{extension}")  # an undirected edge is two arcs
                    arcs = len(result["cpdag"]["directed"]) + 2 * len(result["cpdag"]["undirected"])
                    self.assertEqual(both.number_of_edges(), arcs)
            for stem in ("dag", "cpdag"):
                with self.subTest(folder=folder, stem=stem):
                    drawn = subprocess.run(["dot", "-Tsvg", self.folder / folder / f"{stem}.dot"], capture_output=True, text=True)
                    self.assertEqual((drawn.returncode, drawn.stderr), (0, ""))
                    self.assertEqual(len(re.findall(r'class="edge"', drawn.stdout)), len(edges))
                    self.assertEqual(len(re.findall(r'class="node"', drawn.stdout)), len(names))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
