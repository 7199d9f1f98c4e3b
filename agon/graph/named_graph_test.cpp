#include "agon/graph/named_graph.h"

#include <gtest/gtest.h>

#include "agon/base/error.h"

namespace agon {
namespace {

const std::vector<std::string> kNodeNames = {"smoke", "lung", "xray", "asia"};

NamedGraph chain() {
  NamedGraph graph;
  graph.names = {"xray", "lung", "smoke"};
  graph.edges = {{"lung", "xray"}, {"lung", "smoke", Mark::kArrow, Mark::kTail}};
  graph.lists_every_node = false;
  return graph;
}

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NamedGraph, EqualityIsThatOfSets) {
  NamedGraph x = chain(), y = chain();
  std::swap(y.names[0], y.names[2]);
  y.edges[1] = {"smoke", "lung"};
  std::swap(y.edges[0], y.edges[1]);
  EXPECT_EQ(x, y);
  y.edges[0].at_b = Mark::kTail;
  EXPECT_NE(x, y);
  x.attributes["BIC"] = "1";
  EXPECT_NE(x, chain());
}

TEST(NamedGraph, GlyphsAreReadBack) {
  for (Mark a : {Mark::kTail, Mark::kArrow, Mark::kCircle}) {
    for (Mark b : {Mark::kTail, Mark::kArrow, Mark::kCircle}) {
      EXPECT_EQ(marks_of(glyph(a, b)), (std::pair{a, b}));
    }
  }
  EXPECT_FALSE(marks_of("=>"));
  EXPECT_FALSE(marks_of("-->>"));
  EXPECT_FALSE(marks_of(""));
}

TEST(NamedGraph, IsMatchedByName) {
  const Dag dag = to_dag(chain(), kNodeNames, "truth.csv");
  EXPECT_EQ(dag.edges(), (std::vector<Edge>{{0, 1}, {1, 2}}));
  NamedGraph back = named(dag, kNodeNames);
  EXPECT_EQ(back.names.size(), 4u) << "asia is a node without edges";
  EXPECT_EQ(to_dag(back, kNodeNames, ""), dag);
  EXPECT_EQ(to_string(back.edges[0]), "lung --> xray");
}

TEST(NamedGraph, NodesTheDataLacksAreNamed) {
  NamedGraph graph = chain();
  graph.names[1] = graph.edges[0].a = graph.edges[1].a = "lungs";
  EXPECT_EQ(error_of([&] { to_dag(graph, kNodeNames, "t.csv"); }),
            "t.csv: a node of the graph is not in the data: lungs\n  hint: lungs: did you mean lung?");
}

TEST(NamedGraph, VariablesAListOfNodesLacksAreNamed) {
  NamedGraph graph = chain();
  graph.lists_every_node = true;
  EXPECT_EQ(error_of([&] { to_dag(graph, kNodeNames, "t.txt"); }),
            "t.txt: the graph has 3 nodes, the data 4 variables; not in the graph: asia\n"
            "  hint: list them as nodes without edges, or give the graph as an edge list (from,to)");
}

TEST(NamedGraph, CyclesAreShownByName) {
  NamedGraph graph = chain();
  graph.edges.push_back({"xray", "smoke"});
  const std::string said = error_of([&] { to_dag(graph, kNodeNames, "t.csv"); });
  EXPECT_EQ(said, "t.csv: the graph has a cycle: smoke --> lung --> xray --> smoke");
  EXPECT_EQ(directed_edges(graph, kNodeNames, "t.csv").size(), 3u) << "edge measures remain possible";
}

TEST(NamedGraph, EdgesThatAreNotDirectedAreRefused) {
  NamedGraph graph = chain();
  graph.edges[0].at_a = Mark::kCircle;
  EXPECT_EQ(error_of([&] { directed_edges(graph, kNodeNames, "t.txt"); }),
            "t.txt: found the edge lung o-> xray, expected directed edges alone");
}

TEST(NamedGraph, UndirectedEdgesAreExtendedAndThatIsSaid) {
  Pdag pdag(4);
  pdag.add_undirected(0, 1);
  pdag.add_undirected(1, 2);
  pdag.add_directed(3, 2);
  const NamedGraph graph = named(pdag, kNodeNames);
  EXPECT_EQ(to_pdag(graph, kNodeNames, ""), pdag);
  std::vector<std::string> notes;
  const Dag dag = to_dag(graph, kNodeNames, "c.json", &notes);
  EXPECT_EQ(dag.edge_count(), 3);
  EXPECT_TRUE(dag.has_edge(3, 2));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0],
            "c.json: 2 undirected edges directed by a consistent extension: one member of the equivalence class");
  notes.clear();
  to_dag(chain(), kNodeNames, "", &notes);
  EXPECT_TRUE(notes.empty());

  NamedGraph square;  // a cycle of four undirected edges has no consistent extension
  square.names = kNodeNames;
  for (int i = 0; i < 4; ++i)
    square.edges.push_back({kNodeNames[i], kNodeNames[(i + 1) % 4], Mark::kTail, Mark::kTail});
  EXPECT_TRUE(is_acyclic(to_dag(square, kNodeNames, "s.csv", &notes)));
  EXPECT_EQ(notes[0], "s.csv: 4 undirected edges directed by a rule: the graph has no consistent extension");
}

TEST(NamedGraph, PagsAndDoubleEdgesAreRefused) {
  NamedGraph graph = chain();
  graph.edges[0].at_a = Mark::kArrow;
  EXPECT_EQ(error_of([&] { to_dag(graph, kNodeNames, "t.txt"); }),
            "t.txt: found the edge lung <-> xray, expected --> and --- alone\n"
            "  hint: graphs with hidden common causes or undetermined ends (PAGs) cannot be used here");
  graph = chain();
  graph.edges.push_back({"lung", "xray", Mark::kTail, Mark::kTail});
  EXPECT_EQ(error_of([&] { to_dag(graph, kNodeNames, "t.txt"); }), "t.txt: found two edges between lung and xray");
}

}  // namespace
}  // namespace agon
