// agon/graph/named_graph.h
//
// What a graph file holds, before it is matched to data: nodes by name, edges with a mark at each end.
//
//   NamedGraph truth = read_graph("truth.csv");             // formats.h
//   Dag dag = to_dag(truth, data.names(), "truth.csv");     // nodes matched BY NAME, never by position
//   write_graph(out, named(dag, data.names()), "dot");
//
// Marks follow the usual drawing of causal graphs, so a PAG survives being read and written again:
//
//   a --> b   tail at a, arrow at b         a <-> b   arrows at both ends (a hidden common cause)
//   a --- b   tails at both ends            a o-> b   circle at a: not determined
//
// What may be relied on: names are not empty and occur once; each edge joins two different nodes of the list; no edge
// occurs twice. A pair may carry two edges (a --> b and b --> a): truths with cycles exist.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agon/graph/dag.h"
#include "agon/graph/pdag.h"

namespace agon {

using NamePair = std::pair<std::string, std::string>;  // (from, to), or two ends in any order

enum class Mark { kTail, kArrow, kCircle };

struct NamedEdge {
  std::string a;
  std::string b;
  Mark at_a = Mark::kTail;
  Mark at_b = Mark::kArrow;

  bool is_directed() const { return at_a == Mark::kTail && at_b == Mark::kArrow; }  // a --> b; see normalized()
  bool is_undirected() const { return at_a == Mark::kTail && at_b == Mark::kTail; }
  auto operator<=>(const NamedEdge&) const = default;
};

struct NamedGraph {
  std::vector<std::string> names;
  std::vector<NamedEdge> edges;
  std::map<std::string, std::string> attributes;  // of the whole graph, e.g. "BIC" -> "-1234.5"
  // True when the source names every node, as most formats do; false for a bare list of edges, which cannot show a node
  // without one. Not part of equality.
  bool lists_every_node = true;

  // The same graph: names and edges are sets, and an edge is the same written from either end.
  bool operator==(const NamedGraph& other) const;
};

// The form in which equal graphs are equal member by member: names sorted; each edge written from its less pointed end
// (a --> b never b <-- a; ties by name); edges sorted by (a, b) and without repeats. Writers emit this form, so bytes
// do not depend on the order of columns.
NamedGraph normalized(NamedGraph graph);

// "-->", "---", "<->", "o->", "o-o", "o--" and their mirror images, as Tetrad draws them.
std::string glyph(Mark at_a, Mark at_b);
inline std::string glyph(const NamedEdge& edge) { return glyph(edge.at_a, edge.at_b); }
// The marks of a glyph (also "->", "--", "<-" as in DOT), or nothing when it is not one.
std::optional<std::pair<Mark, Mark>> marks_of(std::string_view glyph);

// "a --> b, names in quotes where they need it": for messages.
std::string to_string(const NamedEdge& edge);

// `names` are the names of the data by node. All of these throw InputError (with `place`, usually the path) when the
// graph has nodes the data lacks, naming them with a suggestion; or, when the graph lists every node, lacks some of the
// data's. A bare edge list may omit variables: they have no edges.

// Edge by edge, cycles allowed: a cyclic truth still has measures of edges. Error when an edge is not directed.
std::vector<Edge> directed_edges(const NamedGraph& graph, const std::vector<std::string>& names,
                                 const std::string& place);

// Directed and undirected edges, as in a CPDAG. Error for other marks and for two edges between the same nodes.
Pdag to_pdag(const NamedGraph& graph, const std::vector<std::string>& names, const std::string& place);

// The Dag of the file. Undirected edges are directed by a consistent extension, and where none exists by the rule of
// dag_by_rule(); `notes` then gains a line that says so. Error for a cycle of directed edges, shown by its names.
Dag to_dag(const NamedGraph& graph, const std::vector<std::string>& names, const std::string& place,
           std::vector<std::string>* notes = nullptr);

NamedGraph named(const Dag& dag, const std::vector<std::string>& names);
NamedGraph named(const Pdag& pdag, const std::vector<std::string>& names);  // a Cpdag too

}  // namespace agon
