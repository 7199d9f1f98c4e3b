#include "agon/graph/formats.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "agon/base/error.h"
#include "agon/base/rng.h"

namespace agon {

// Failures then show the graph.
static void PrintTo(const NamedGraph& graph, std::ostream* os) {
  for (const std::string& name : graph.names) *os << quoted(name, 200) << ' ';
  for (const NamedEdge& edge : graph.edges) *os << "\n  " << to_string(edge);
  for (const auto& [key, value] : graph.attributes) *os << "\n  " << key << " = " << value;
}

namespace {

const std::vector<std::string> kOddNames = {"a b",
                                            "a,b",
                                            "a;b",
                                            "\"",
                                            "say \"hi\"",
                                            "->",
                                            "-->",
                                            "a->b",
                                            "a -- b",
                                            "[x]",
                                            "(L)",
                                            "x|y",
                                            "x:y",
                                            "|",
                                            ":",
                                            "line\nbreak",
                                            "\n",
                                            "tab\tbed",
                                            "\xC3\xA9t\xC3\xA9",
                                            "\xE6\x97\xA5\xE6\x9C\xAC",
                                            "\xF0\x9F\x8D\x8E",
                                            "</script>",
                                            "&",
                                            "&amp;",
                                            "&#38;",
                                            "a&b",
                                            "<",
                                            "]]>",
                                            "\\",
                                            "a\\",
                                            "\\\"",
                                            "\\n",
                                            "#",
                                            "# x",
                                            "//c",
                                            "/*c*/",
                                            "1",
                                            "0",
                                            "1.",
                                            "-1.5",
                                            "true",
                                            "node",
                                            "from",
                                            "to",
                                            "type",
                                            " lead",
                                            "trail ",
                                            "'",
                                            "{",
                                            "}",
                                            "=",
                                            "digraph",
                                            "edge",
                                            "graph",
                                            "variable",
                                            "a.b",
                                            "a_b",
                                            "a-b",
                                            "o",
                                            "@",
                                            "%",
                                            "$x",
                                            "\r",
                                            "\x01",
                                            "\x7F",
                                            "\xFF\xFE",
                                            "\xC3",
                                            "strict",
                                            "subgraph",
                                            "name",
                                            "x_2",
                                            "x_"};

// Up to eight nodes, some with odd names; edges that the format can hold, at most one per pair unless cycles are held.
NamedGraph random_graph(Rng& rng, const GraphFormat& format) {
  NamedGraph graph;
  std::set<std::string> names;
  const int p = 1 + rng.below(8);
  while (static_cast<int>(names.size()) < p) {
    const int kind = rng.below(3);
    std::string name =
        kind == 0 ? "X" + std::to_string(rng.below(20)) : kOddNames[rng.below(static_cast<int>(kOddNames.size()))];
    if (kind == 2) name += kOddNames[rng.below(static_cast<int>(kOddNames.size()))];
    names.insert(name);
  }
  graph.names.assign(names.begin(), names.end());
  rng.shuffle(graph.names);
  for (int i = 0; i < p; ++i) {
    for (int j = i + 1; j < p; ++j) {
      if (rng.below(3) != 0) continue;
      const auto mark = [&] { return static_cast<Mark>(rng.below(3)); };
      const int kind = rng.below(4);
      NamedEdge edge{graph.names[i], graph.names[j]};
      if (kind == 1 && format.holds_undirected) edge.at_b = Mark::kTail;
      if (kind == 2 && format.holds_marks) edge = {edge.a, edge.b, mark(), mark()};
      if (kind == 3 && format.holds_cycles) std::swap(edge.at_a, edge.at_b);
      graph.edges.push_back(edge);
      if (kind == 3 && format.holds_marks && rng.below(2)) graph.edges.push_back({edge.b, edge.a, mark(), mark()});
    }
  }
  rng.shuffle(graph.edges);
  if (format.holds_attributes && rng.below(2)) {
    graph.attributes["BIC"] = "-1234.5";
    if (rng.below(2)) graph.attributes["made by"] = "a & b <c> \"d\" \xC3\xA9";
  }
  return graph;
}

std::string written(const NamedGraph& graph, const std::string& format, std::vector<std::string>* warnings = nullptr) {
  std::ostringstream out;
  const std::vector<std::string> said = write_graph(out, graph, format);
  if (warnings) *warnings = said;
  return out.str();
}

// The same graph up to a renaming: as many nodes, and the edges follow names in sorted order of the originals.
bool same_shape(const NamedGraph& x, const NamedGraph& y) {
  std::multiset<std::string> glyphs_x, glyphs_y;
  for (const NamedEdge& e : normalized(x).edges) glyphs_x.insert(glyph(e));
  for (const NamedEdge& e : normalized(y).edges) glyphs_y.insert(glyph(e));
  return x.names.size() == y.names.size() && glyphs_x == glyphs_y && x.attributes == y.attributes;
}

TEST(Formats, EveryWriterIsReadBack) {
  Rng rng(1);
  for (const GraphFormat& format : graph_formats()) {
    int exact = 0;
    for (int round = 0; round < 400; ++round) {
      const NamedGraph graph = random_graph(rng, format);
      std::vector<std::string> warnings;
      const std::string text = written(graph, format.name, &warnings);
      const NamedGraph back = parse_graph(text, "x" + format.extension, format.name);
      const bool renamed = std::any_of(warnings.begin(), warnings.end(),
                                       [](const std::string& w) { return w.find("cannot hold") != std::string::npos; });
      if (!renamed) {
        ASSERT_EQ(back, graph) << format.name << "\n" << text;
        ++exact;
      } else {
        ASSERT_TRUE(same_shape(back, graph)) << format.name << "\n" << text << warnings[0];
      }
      ASSERT_EQ(written(back, format.name), written(normalized(back), format.name));
    }
    EXPECT_GT(exact, 50) << format.name;
  }
}

TEST(Formats, FormatIsFoundFromContentAlone) {
  Rng rng(2);
  for (const GraphFormat& format : graph_formats()) {
    for (int round = 0; round < 100; ++round) {
      NamedGraph graph = random_graph(rng, format);
      graph.attributes.clear();
      const std::string text = written(graph, format.name);
      ASSERT_EQ(detect_format(text, "graph"), format.name) << text;
      ASSERT_EQ(detect_format(text, "graph" + format.extension), format.name) << text;
    }
  }
}

TEST(Formats, BytesDoNotDependOnOrder) {
  Rng rng(3);
  for (const GraphFormat& format : graph_formats()) {
    for (int round = 0; round < 50; ++round) {
      NamedGraph graph = random_graph(rng, format);
      const std::string text = written(graph, format.name);
      rng.shuffle(graph.names);
      rng.shuffle(graph.edges);
      for (NamedEdge& edge : graph.edges) {
        if (rng.below(2)) edge = {edge.b, edge.a, edge.at_b, edge.at_a};
      }
      ASSERT_EQ(written(graph, format.name), text) << format.name;
    }
  }
}

// Whatever the bytes: a graph or an InputError, and what was read can be written and read again.
TEST(Formats, MutatedFilesNeverCrash) {
  Rng rng(4);
  const std::string spice = "[]{}|:;,\"\\<>&#-o.\n\r\t =/*'\0x1\xFF\xC3";
  for (const GraphFormat& format : graph_formats()) {
    int read = 0;
    for (int round = 0; round < 1500; ++round) {
      std::string text = written(random_graph(rng, format), format.name);
      const int edits = 1 + rng.below(4);
      for (int k = 0; k < edits && !text.empty(); ++k) {
        const size_t at = static_cast<size_t>(rng.below(static_cast<int>(text.size())));
        const char c =
            rng.below(2) ? spice[rng.below(static_cast<int>(spice.size()))] : static_cast<char>(rng.below(256));
        switch (rng.below(4)) {
          case 0:
            text[at] = c;
            break;
          case 1:
            text.insert(at, 1, c);
            break;
          case 2:
            text.erase(at, 1 + rng.below(5));
            break;
          default:
            text.insert(at, text.substr(static_cast<size_t>(rng.below(static_cast<int>(text.size()))), 12));
        }
      }
      try {
        const NamedGraph graph = parse_graph(text, "x", round % 2 ? format.name : "");
        ++read;
        std::set<std::string> names(graph.names.begin(), graph.names.end());
        ASSERT_EQ(names.size(), graph.names.size());
        ASSERT_FALSE(names.contains(""));
        for (const NamedEdge& edge : graph.edges) {
          ASSERT_NE(edge.a, edge.b);
          ASSERT_TRUE(names.contains(edge.a) && names.contains(edge.b));
        }
        ASSERT_EQ(parse_graph(written(graph, "csv"), "x", "csv").edges.size(), normalized(graph).edges.size());
      } catch (const InputError& error) {
        ASSERT_NE(std::string(error.what()), "");
      }
    }
    EXPECT_GT(read, 20) << format.name;
  }
}

TEST(Formats, LargeAndHostileInputsEndQuickly) {
  for (const GraphFormat& format : graph_formats()) {
    for (const std::string piece :
         {"[", "{", "<a>", "\"", "(", "/*", "a -> ", "[a|", ",", "a,b\n", "&#", "<!--", "x "}) {
      std::string text;
      while (text.size() < 300000) text += piece;
      try {
        parse_graph(text, "x", format.name);
      } catch (const InputError&) {
      }
    }
  }
}

std::string error_of(const std::string& text, const std::string& format) {
  try {
    parse_graph(text, "file", format);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Formats, EdgeListsOfOtherPrograms) {
  NamedGraph want;
  want.names = {"A", "B", "C"};
  want.edges = {{"A", "B"}, {"B", "C"}};
  for (const std::string text :
       {"from,to\nA,B\nB,C\n", "A,B\nB,C\n", "source,target\nA,B\nB,C\n", "Parent,Child\r\nA,B\r\nB,C\r\n",
        "cause\teffect\nA\tB\nB\tC", "from;to\nA;B\nB;C\n", "A B\nB C\n", "A  B \n B\tC\n",
        "\"\",\"from\",\"to\"\n\"1\",\"A\",\"B\"\n\"2\",\"B\",\"C\"\n",
        "# made by hand\n\nfrom, to\nA, B\n\n# more\nB, C\n",
        "\xEF\xBB\xBF"
        "from,to\nA,B\nB,C\n",
        "A,B,-->\nC,B,<--\n", "A\tB\t1\nB\tC\t1\nA\tC\t0\n", "to,from,weight\nB,A,0.5\nC,B,2\n",
        "from,to,type\nA,B,directed\nB,C\n"}) {
    EXPECT_EQ(parse_graph(text, "truth.csv"), want) << text;
    EXPECT_FALSE(parse_graph(text, "truth.csv").lists_every_node);
  }
  EXPECT_TRUE(parse_graph("from,to\n", "truth.csv").edges.empty());
}

TEST(Formats, EdgeListComplaints) {
  EXPECT_EQ(error_of("from,to\nA,B\nA,B,C\n", "csv"), "file:3: found 3 columns beginning with \"A\", expected 2");
  EXPECT_EQ(error_of("from,to\nA,\n", "csv"), "file:2: found an edge from \"A\" to \"\", expected two names");
  EXPECT_EQ(error_of("from,to\nA,A\n", "csv"), "file:2: found an edge from \"A\" to itself");
  EXPECT_EQ(error_of("from,to\n\"A,B\n", "csv"),
            "file:2: a quoted cell opens here and is never closed\n  hint: double a quote inside a quoted cell");
  EXPECT_NE(error_of("A,B,maybe\n", "csv").find("file:1: found the type \"maybe\""), std::string::npos);
  EXPECT_EQ(error_of(" \n", "csv"), "file: the file is empty, expected a graph");
  EXPECT_EQ(error_of(std::string("A\0B", 3), "csv"), "file: found a binary file, expected a graph as text");
}

TEST(Formats, Adjacency) {
  NamedGraph want;
  want.names = {"A", "B", "C"};
  want.edges = {{"A", "B"}, {"B", "C", Mark::kTail, Mark::kTail}};
  EXPECT_EQ(written(want, "adjacency"), "# rows cause columns\n,A,B,C\nA,0,1,0\nB,0,0,1\nC,0,1,0\n");
  EXPECT_EQ(parse_graph(",A,B,C\nC,0,1,0\nB,0.0,0,1.0\nA,0,1,0\n", "m.csv"), want) << "rows in another order";
  EXPECT_EQ(parse_graph("A B C\nA 0 1 0\nB 0 0 1\nC 0 1 0\n", "m.txt", "adjacency"), want) << "no corner";
  EXPECT_EQ(parse_graph("# columns cause rows\n,A,B,C\nA,0,0,0\nB,1,0,1\nC,0,1,0\n", "m.csv"), want);
  EXPECT_EQ(error_of(",A,B\nA,0,2\nB,0,0\n", "adjacency"),
            "file:2: row \"A\", column \"B\": found \"2\", expected 0 or 1\n"
            "  hint: 1 in row a, column b says a causes b; 1 both ways says an undirected edge");
  EXPECT_EQ(error_of(",A,B\nA,0,1\n", "adjacency"), "file:1: column \"B\" has no row of that name");
  EXPECT_EQ(error_of(",A,B\nA,0,1\nb,0,0\n", "adjacency"),
            "file:3: row \"b\" has no column of that name\n  hint: did you mean B?");
  EXPECT_EQ(error_of(",A,B\nA,1,1\nB,0,0\n", "adjacency"), "file:2: \"A\" causes itself");
}

TEST(Formats, TetradText) {
  const std::string text =
      "Some words of the program.\n\nGraph Nodes:\nX1;X2,X3;(L1)\n\nGraph Edges:\n\n"
      "1. X1 --> X2 [X1 --> X2]:0.98;[no edge]:0.02;\n2. X2 --- X3\n3. X3 o-> L1 dd nl\n4. X1 <-> X3\n\n"
      "Graph Attributes:\nBIC: -1234.500000\n\nAmbiguous triples (i.e. those in doubt): \n<X1,X2,X3>\n";
  const NamedGraph graph = parse_graph(text, "g.txt");
  NamedGraph want;
  want.names = {"X1", "X2", "X3", "L1"};
  want.edges = {{"X1", "X2"},
                {"X2", "X3", Mark::kTail, Mark::kTail},
                {"X3", "L1", Mark::kCircle, Mark::kArrow},
                {"X1", "X3", Mark::kArrow, Mark::kArrow}};
  want.attributes["BIC"] = "-1234.500000";
  EXPECT_EQ(graph, want);
  EXPECT_EQ(written(want, "tetrad"),
            "Graph Nodes:\nL1;X1;X2;X3\n\nGraph Edges:\n1. X1 --> X2\n2. X1 <-> X3\n3. X2 --- X3\n4. X3 o-> L1\n\n"
            "Graph Attributes:\nBIC: -1234.500000\n");
  EXPECT_EQ(error_of("Graph Nodes:\nX1;X2\nGraph Edges:\n1. X1 --> X22\n", "tetrad"),
            "file:4: an edge names \"X22\", which is not in the list of nodes\n  hint: did you mean X2?");
  EXPECT_EQ(error_of("Graph Nodes:\nX1;X2\nGraph Edges:\n1. X1 ==> X2\n", "tetrad"),
            "file:4: found \"1. X1 ==> X2\", expected an edge such as \"1. A --> B\"\n"
            "  hint: names in this format cannot hold spaces");

  NamedGraph titled;  // an attribute named as Tetrad's sections are
  titled.names = {"X"};
  titled.attributes = {{"Underline style", "dotted"}};
  std::vector<std::string> warnings;
  const std::string copy = written(titled, "tetrad", &warnings);
  EXPECT_EQ(parse_graph(copy, "g.txt").attributes.at("_Underline style"), "dotted");
  EXPECT_EQ(warnings.size(), 1u);
}

TEST(Formats, NamesAFormatCannotHoldStayDistinct) {
  NamedGraph graph;
  graph.names = {"a b", "a,b", "a_b", "a_b_2"};
  graph.edges = {{"a b", "a,b"}, {"a_b", "a b"}};
  std::vector<std::string> warnings;
  EXPECT_EQ(written(graph, "tetrad", &warnings),
            "Graph Nodes:\na_b;a_b_2;a_b_3;a_b_4\n\nGraph Edges:\n1. a_b --> a_b_3\n2. a_b_3 --> a_b_4\n");
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0], "tetrad cannot hold the name \"a b\": written as a_b_3");
}

TEST(Formats, BnlearnModelString) {
  const NamedGraph graph = parse_graph("[A][S][T|A]\n [E|T:L][L|S]", "asia.txt");
  NamedGraph want;
  want.names = {"A", "S", "T", "E", "L"};
  want.edges = {{"A", "T"}, {"T", "E"}, {"L", "E"}, {"S", "L"}};
  EXPECT_EQ(graph, want);
  EXPECT_EQ(written(want, "bnlearn"), "[A][E|L:T][L|S][S][T|A]\n");
  EXPECT_EQ(error_of("[A][B|C]", "bnlearn"),
            "file:1: an edge names \"C\", which is not in the list of nodes\n  hint: did you mean A?");
  EXPECT_EQ(error_of("[A]\n[B", "bnlearn"), "file:2: found a [ without its ]");
  EXPECT_EQ(error_of("[A][A]", "bnlearn"), "file:1: the node \"A\" is listed twice");
  NamedGraph undirected = want;
  undirected.edges[0].at_b = Mark::kTail;
  std::ostringstream out;
  EXPECT_THROW(write_graph(out, undirected, "bnlearn"), UsageError);
  want.edges.push_back({"E", "S"});
  EXPECT_THROW(write_graph(out, want, "bnlearn"), UsageError) << "a cycle";
  EXPECT_EQ(out.str(), "");
}

TEST(Formats, JsonShapes) {
  NamedGraph want;
  want.names = {"A", "B", "C"};
  want.edges = {{"A", "B"}, {"B", "C", Mark::kTail, Mark::kTail}};
  EXPECT_EQ(parse_graph(written(want, "json"), "g.json"), want);
  EXPECT_NE(written(want, "json").find("\"class\": \"PDAG\""), std::string::npos);
  EXPECT_EQ(parse_graph(R"({"nodes":[{"name":"A","nodeType":{"ordinal":0}},{"name":"B"},{"name":"C"}],
      "edgesSet":[{"node1":{"name":"A"},"node2":{"name":"B"},"endpoint1":{"name":"Tail"},"endpoint2":{"name":"Arrow"}},
                  {"node1":{"name":"B"},"node2":{"name":"C"},"endpoint1":"TAIL","endpoint2":"TAIL"}],
      "ambiguousTriples":[]})",
                        "tetrad.json"),
            want);
  EXPECT_EQ(parse_graph(R"({"directed":true,"multigraph":false,"graph":{},"nodes":[{"id":"A"},{"id":"B"},{"id":"C"}],
      "links":[{"source":"A","target":"B"},{"source":"B","target":"C","type":"undirected"},
               {"source":"C","target":"B","type":"undirected"}]})",
                        "networkx.json"),
            want);
  EXPECT_EQ(parse_graph(R"({"schema":1,"data":{"kinds":{"A":"categorical","B":"categorical","C":"continuous"}},
      "dag":{"edges":[["A","B"],["B","C","---"]]}})",
                        "result.json"),
            want);
  EXPECT_EQ(parse_graph(R"({"nodes":["A","B","C"],"directed":[["A","B"]],"undirected":[["B","C"]]})", "c.json"), want);
  EXPECT_EQ(error_of("{\"nodes\": [\"A\"],\n \"edges\": [[\"A\", \"B\"]]}", "json"),
            "file: an edge names \"B\", which is not in the list of nodes\n  hint: did you mean A?");
  EXPECT_EQ(error_of("{\"nodes\":\n [\"A\",]}", "json"), "file:2: found \"]}\", which is not JSON here");
  EXPECT_EQ(error_of("{}", "json"), "file: found no graph, expected \"nodes\" and \"edges\"");
}

TEST(Formats, Dot) {
  NamedGraph want;
  want.names = {"A", "B", "C", "D e"};
  want.edges = {
      {"A", "B"}, {"B", "C"}, {"C", "D e", Mark::kTail, Mark::kTail}, {"A", "D e", Mark::kCircle, Mark::kArrow}};
  want.attributes["rankdir"] = "LR";
  const NamedGraph graph = parse_graph(
      "// a comment\nstrict digraph \"g\" {\n rankdir=LR; /* more */ node [shape=box];\n# a line\n A -> B:n -> C "
      "[weight=2];"
      "\n C -> \"D\" + \" e\" [dir=none, color=\"red\"]\n A -> \"D e\" [dir=both, arrowtail=odot, arrowhead=normal];}",
      "g.dot");
  EXPECT_EQ(graph, want);
  EXPECT_FALSE(graph.lists_every_node) << "nodes are only mentioned";
  NamedGraph path;
  path.names = {"a", "b", "c"};
  path.edges = {{"a", "b", Mark::kTail, Mark::kTail}, {"b", "c", Mark::kTail, Mark::kTail}};
  EXPECT_EQ(parse_graph("graph { a -- b -- c }", "g.dot"), path);
  EXPECT_EQ(parse_graph("digraph { a; b; c; edge [dir=none] a -> b b -> c }", "g.gv"), path);
  EXPECT_EQ(parse_graph("digraph { 0 [label=a]; 1 [label=b]; 2 [label=c]; 0 -> 1 [arrowhead=none, arrowtail=none, "
                        "dir=both]; 1 -> 2 [dir=none]; }",
                        "causal-learn.dot"),
            path);
  EXPECT_EQ(written(path, "dot"),
            "digraph {\n  \"a\";\n  \"b\";\n  \"c\";\n  \"a\" -> \"b\" [dir=none];\n  \"b\" -> \"c\" [dir=none];\n}\n");
  EXPECT_EQ(error_of("digraph {\n a -> <b> }", "dot"),
            "file:2: found an HTML name <...>, expected plain or quoted names\n"
            "  hint: write the graph with names in double quotes");
  EXPECT_EQ(error_of("digraph {\n subgraph x { a } }", "dot"),
            "file:2: found a subgraph, expected nodes and edges alone\n  hint: list the edges one by one");
  EXPECT_EQ(error_of("digraph { a -> }", "dot"), "file:1: found \"}\", expected the node at the end of an edge");
  EXPECT_EQ(error_of("digraph { a -> b", "dot"), "file:1: the graph ends without its }");
}

TEST(Formats, Dagitty) {
  NamedGraph want;
  want.names = {"A", "B", "C", "x y"};
  want.edges = {
      {"A", "B"}, {"C", "B"}, {"A", "C", Mark::kArrow, Mark::kArrow}, {"C", "x y", Mark::kCircle, Mark::kArrow}};
  EXPECT_EQ(
      parse_graph("dag {\nbb=\"-5,-5,5,5\"\nA [exposure,pos=\"-2.2,-1.5\"]\nA -> B <- C\nA <-> C ; C @-> \"x y\"\n}",
                  "m.txt"),
      want);
  want.edges.pop_back();
  EXPECT_EQ(written(want, "dagitty"),
            "dag {\n\"A\"\n\"B\"\n\"C\"\n\"x y\"\n\"A\" -> \"B\"\n\"A\" <-> \"C\"\n\"C\" -> \"B\"\n}\n");
}

TEST(Formats, GraphMl) {
  NamedGraph want;
  want.names = {"A", "B & co", "C"};
  want.edges = {{"A", "B & co"}, {"B & co", "C", Mark::kTail, Mark::kTail}};
  const std::string networkx =
      "<?xml version='1.0' encoding='utf-8'?>\n<!DOCTYPE graphml [ <!ELEMENT a> ]>\n<!-- c -->\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\"><key id=\"d0\" for=\"edge\" attr.name=\"type\"/>"
      "<graph edgedefault=\"directed\"><node id=\"A\"/><node id=\"B &amp; co\" /><node id='C'></node>\n"
      "<edge source=\"A\" target=\"B &#38; co\"/><edge source=\"B &amp; co\" target=\"C\"><data "
      "key=\"d0\">undirected</data></edge>"
      "<edge source=\"C\" target=\"B &amp; co\"><data key=\"d0\">undirected</data></edge></graph></graphml>";
  EXPECT_EQ(parse_graph(networkx, "g.graphml"), want);
  const std::string igraph =
      "<graphml><key id=\"v_name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>"
      "<graph id=\"G\" edgedefault=\"directed\"><node id=\"n0\"><data key=\"v_name\">A</data></node>"
      "<node id=\"n1\"><data key=\"v_name\"><![CDATA[B & co]]></data></node><node id=\"n2\"><data "
      "key=\"v_name\">C</data></node>"
      "<edge source=\"n0\" target=\"n1\"></edge><edge source=\"n1\" target=\"n2\" "
      "directed=\"false\"/></graph></graphml>";
  EXPECT_EQ(parse_graph(igraph, "g.xml"), want);
  EXPECT_EQ(error_of("<graphml>\n<graph><node id=\"A\"/></graph>\n</graphm>", "graphml"),
            "file:3: found </graphm>, expected </graphml>");
  EXPECT_EQ(error_of("<graphml><graph><node/></graph></graphml>", "graphml"),
            "file:1: found <node> without id=\"...\"");
  EXPECT_EQ(error_of("<a>\n<b c=\"&x;\"/></a>", "graphml"),
            "file:2: found an & that starts no known entity in \"&x;\"\n  hint: write &amp; for a plain &");
}

TEST(Formats, Gml) {
  NamedGraph want;
  want.names = {"A", "\xC3\xA9", "C"};
  want.edges = {{"A", "\xC3\xA9"}, {"\xC3\xA9", "C"}};
  EXPECT_EQ(parse_graph("Creator \"igraph\"\nVersion 1\ngraph\n[\n  directed 1\n  node\n  [\n    id 0\n    name \"A\"\n"
                        "    graphics [ x 1.0 y 2 ]\n  ]\n  node [ id 1 name \"&#233;\" ]\n node [ id 2 name \"C\" ]\n"
                        "  edge [ source 0 target 1 ]\n edge [ source 1 target 2 weight 3 ]\n]\n",
                        "g.txt"),
            want);
  EXPECT_EQ(parse_graph(
                "graph[directed 1 node[id \"A\" label \"A\"]node[id \"B\" label \"\xC3\xA9\"]node[id \"C\" label \"C\"]"
                "edge[source \"A\" target \"B\"]edge[source \"B\" target \"C\"]]",
                "dowhy.gml"),
            want);
  EXPECT_EQ(parse_graph("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]", "u.gml").edges[0].at_b,
            Mark::kTail)
      << "undirected unless the file says otherwise";
  EXPECT_EQ(error_of("graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]", "gml"),
            "file:3: an edge names the node id \"2\", which no node has");
}

TEST(Formats, Bif) {
  const NamedGraph graph = parse_graph(
      "network x {}\nvariable A { type discrete [ 2 ] { y, n }; }\nvariable B { type discrete [ 2 ] { y, n }; }\n"
      "probability ( A ) { table 0.5, 0.5; }\nprobability ( B | A ) { (y) 0.5, 0.5; (n) 0.5, 0.5; }\n",
      "net");
  NamedGraph want;
  want.names = {"A", "B"};
  want.edges = {{"A", "B"}};
  EXPECT_EQ(graph, want);
}

TEST(Formats, AttributesThatCannotBeHeldAreSaid) {
  NamedGraph graph;
  graph.names = {"A"};
  graph.attributes["made\x90 by"] = "a\xFF";
  for (const char* format : {"json", "gml", "graphml"}) {
    std::ostringstream out;
    EXPECT_EQ(write_graph(out, graph, format).size(), 1u) << format;
    EXPECT_EQ(parse_graph(out.str(), "copy", format).attributes.at("made_ by"), "a_") << format;
  }
}

TEST(Formats, UnknownFormatAndUnreadableFiles) {
  std::ostringstream out;
  try {
    write_graph(out, {}, "bnlaern");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "no graph format is called \"bnlaern\"\n  hint: did you mean bnlearn?");
  }
  EXPECT_THROW(read_graph("no/such/file.csv"), InputError);
  EXPECT_THROW(read_graph(std::filesystem::temp_directory_path().string()), InputError);
}

}  // namespace
}  // namespace agon
