#include "agon/graph/named_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/graph/equivalence.h"

namespace agon {
namespace {

// How pointed an end is: edges are written from the end with the smaller figure, so --> o-> o-- and never <-- <-o --o.
int written_later(Mark mark) { return mark == Mark::kCircle ? 0 : mark == Mark::kTail ? 1 : 2; }

// A name as one word of a sentence: quoted when it holds what would read as a part of the sentence.
std::string as_word(const std::string& name) {
  const std::string in_quotes = quoted(name, 60);
  const bool plain = in_quotes == '"' + name + '"' && name.find_first_of(" ,;\"<>") == std::string::npos;
  return plain ? name : in_quotes;
}

std::string shown_list(const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string& name : names) parts.push_back(as_word(name));
  return listed(parts);
}

using NodeOf = std::unordered_map<std::string_view, Node>;

// Where each name of the data stands; throws unless graph and data fit together.
NodeOf match(const NamedGraph& graph, const std::vector<std::string>& names, const std::string& place) {
  NodeOf node_of;
  for (size_t v = 0; v < names.size(); ++v) node_of.emplace(names[v], static_cast<Node>(v));
  std::vector<std::string> unknown;
  std::vector<bool> found(names.size());
  for (const std::string& name : graph.names) {
    const auto at = node_of.find(name);
    if (at == node_of.end()) {
      unknown.push_back(name);
    } else {
      found[at->second] = true;
    }
  }
  if (!unknown.empty()) {
    const std::string near = did_you_mean(unknown.front(), names);
    throw InputError(place,
                     fmt::format("{} of the graph {} not in the data: {}", unknown.size() == 1 ? "a node" : "nodes",
                                 unknown.size() == 1 ? "is" : "are", shown_list(unknown)),
                     near.empty() ? "the data has " + shown_list(names) : as_word(unknown.front()) + ": " + near);
  }
  if (graph.lists_every_node) {
    std::vector<std::string> absent;
    for (size_t v = 0; v < names.size(); ++v) {
      if (!found[v]) absent.push_back(names[v]);
    }
    std::sort(absent.begin(), absent.end());
    if (!absent.empty()) {
      throw InputError(place,
                       fmt::format("the graph has {} nodes, the data {} variables; not in the graph: {}",
                                   graph.names.size(), names.size(), shown_list(absent)),
                       "list them as nodes without edges, or give the graph as an edge list (from,to)");
    }
  }
  return node_of;
}

}  // namespace

bool NamedGraph::operator==(const NamedGraph& other) const {
  const NamedGraph x = normalized(*this), y = normalized(other);
  return x.names == y.names && x.edges == y.edges && x.attributes == y.attributes;
}

NamedGraph normalized(NamedGraph graph) {
  std::sort(graph.names.begin(), graph.names.end());
  for (NamedEdge& edge : graph.edges) {
    const int at_a = written_later(edge.at_a), at_b = written_later(edge.at_b);
    if (at_a > at_b || (at_a == at_b && edge.b < edge.a)) {
      std::swap(edge.a, edge.b);
      std::swap(edge.at_a, edge.at_b);
    }
  }
  std::sort(graph.edges.begin(), graph.edges.end());
  graph.edges.erase(std::unique(graph.edges.begin(), graph.edges.end()), graph.edges.end());
  return graph;
}

std::string glyph(Mark at_a, Mark at_b) {
  const char left = at_a == Mark::kTail ? '-' : at_a == Mark::kArrow ? '<' : 'o';
  const char right = at_b == Mark::kTail ? '-' : at_b == Mark::kArrow ? '>' : 'o';
  return {left, '-', right};
}

std::optional<std::pair<Mark, Mark>> marks_of(std::string_view glyph) {
  if (glyph == "->") return std::pair{Mark::kTail, Mark::kArrow};
  if (glyph == "<-") return std::pair{Mark::kArrow, Mark::kTail};
  if (glyph == "--") return std::pair{Mark::kTail, Mark::kTail};
  if (glyph.size() != 3 || glyph[1] != '-') return std::nullopt;
  const auto mark = [](char c, char arrow) -> std::optional<Mark> {
    if (c == '-') return Mark::kTail;
    if (c == arrow) return Mark::kArrow;
    if (c == 'o' || c == 'O') return Mark::kCircle;
    return std::nullopt;
  };
  const auto left = mark(glyph[0], '<'), right = mark(glyph[2], '>');
  if (!left || !right) return std::nullopt;
  return std::pair{*left, *right};
}

std::string to_string(const NamedEdge& edge) {
  return fmt::format("{} {} {}", as_word(edge.a), glyph(edge), as_word(edge.b));
}

std::vector<Edge> directed_edges(const NamedGraph& graph, const std::vector<std::string>& names,
                                 const std::string& place) {
  const NodeOf node_of = match(graph, names, place);
  std::vector<Edge> edges;
  for (const NamedEdge& edge : normalized(graph).edges) {
    if (!edge.is_directed()) {
      throw InputError(place, fmt::format("found the edge {}, expected directed edges alone", to_string(edge)));
    }
    edges.push_back({node_of.at(edge.a), node_of.at(edge.b)});
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

Pdag to_pdag(const NamedGraph& graph, const std::vector<std::string>& names, const std::string& place) {
  const NodeOf node_of = match(graph, names, place);
  Pdag pdag(static_cast<int>(names.size()));
  for (const NamedEdge& edge : normalized(graph).edges) {
    if (!edge.is_directed() && !edge.is_undirected()) {
      throw InputError(place, fmt::format("found the edge {}, expected --> and --- alone", to_string(edge)),
                       "graphs with hidden common causes or undetermined ends (PAGs) cannot be used here");
    }
    const Node a = node_of.at(edge.a), b = node_of.at(edge.b);
    if (pdag.adjacent(a, b)) {
      throw InputError(place, fmt::format("found two edges between {} and {}", as_word(edge.a), as_word(edge.b)));
    }
    if (edge.is_directed()) {
      pdag.add_directed(a, b);
    } else {
      pdag.add_undirected(a, b);
    }
  }
  return pdag;
}

Dag to_dag(const NamedGraph& graph, const std::vector<std::string>& names, const std::string& place,
           std::vector<std::string>* notes) {
  const int p = static_cast<int>(names.size());
  const NodeOf node_of = match(graph, names, place);
  std::vector<Edge> directed;
  for (const NamedEdge& edge : normalized(graph).edges) {
    if (edge.is_directed()) directed.push_back({node_of.at(edge.a), node_of.at(edge.b)});
  }
  if (const std::vector<Node> cycle = find_cycle(p, directed); !cycle.empty()) {
    std::string text;
    for (Node v : cycle) text += as_word(names[v]) + " --> ";
    throw InputError(place, "the graph has a cycle: " + text + as_word(names[cycle.front()]));
  }
  if (directed.size() == graph.edges.size()) return *dag_from_edges(p, directed);

  const Pdag pdag = to_pdag(graph, names, place);
  const std::optional<Dag> extension = consistent_extension(pdag);
  if (notes) {
    notes->push_back(fmt::format("{}: {} undirected edge{} directed by {}", place, pdag.undirected_count(),
                                 pdag.undirected_count() == 1 ? "" : "s",
                                 extension ? "a consistent extension: one member of the equivalence class"
                                           : "a rule: the graph has no consistent extension"));
  }
  return extension ? *extension : dag_by_rule(pdag);
}

NamedGraph named(const Dag& dag, const std::vector<std::string>& names) { return named(Pdag(dag), names); }

NamedGraph named(const Pdag& pdag, const std::vector<std::string>& names) {
  NamedGraph graph;
  graph.names = names;
  for (const Edge& edge : pdag.directed_edges()) graph.edges.push_back({names[edge.from], names[edge.to]});
  for (const Edge& edge : pdag.undirected_edges()) {
    graph.edges.push_back({names[edge.from], names[edge.to], Mark::kTail, Mark::kTail});
  }
  return normalized(std::move(graph));
}

}  // namespace agon
