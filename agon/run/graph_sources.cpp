#include "agon/run/graph_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/bif.h"
#include "agon/data/embedded.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/formats.h"
#include "agon/run/external.h"

namespace agon {
namespace {

NamedGraph embedded_graph(const std::string& name) {
  NamedGraph graph;
  std::set<std::string> names;
  for (const auto& [from, to] : embedded_truth(name)) {
    graph.edges.push_back({from, to});
    names.insert({from, to});
  }
  for (const EmbeddedInfo& info : embedded_datasets()) {  // edges alone do not suffice: lucas has a node without edges
    if (info.name != name || info.kind != "network") continue;
    for (const std::string& node : embedded_network(name).names) names.insert(node);
  }
  graph.names.assign(names.begin(), names.end());
  return graph;
}

bool is_directed(const NamedGraph& graph) {
  return std::all_of(graph.edges.begin(), graph.edges.end(), [](const NamedEdge& edge) {
    return edge.is_directed() || (edge.at_a == Mark::kArrow && edge.at_b == Mark::kTail);
  });
}

// The nodes that are compared, in canonical order: those of the truth. A truth that is a mere list of edges may omit
// nodes without edges; then the other graph decides, or, if it is such a list too, both together.
std::vector<std::string> node_names(const NamedGraph& truth, const NamedGraph& graph) {
  std::set<std::string> names(truth.names.begin(), truth.names.end());
  if (!truth.lists_every_node) {
    if (graph.lists_every_node) names.clear();
    names.insert(graph.names.begin(), graph.names.end());
  }
  const std::vector<std::string> sorted(names.begin(), names.end());
  std::vector<std::string> ordered;
  for (int k : canonical_order(sorted)) ordered.push_back(sorted[k]);
  return ordered;
}

}  // namespace

NamedGraph load_graph(const std::string& place, const std::string& folder) {
  if (is_embedded(place)) return embedded_graph(place);
  if (is_external(place)) {
    const Dream4 dream4 = load_external(place, folder);
    NamedGraph graph;
    graph.names = dream4.data.names();
    for (const auto& [from, to] : dream4.truth) graph.edges.push_back({from, to});
    return graph;
  }
  std::error_code ignored;
  if (!std::filesystem::exists(place, ignored)) {
    std::vector<std::string> names;
    for (const EmbeddedInfo& info : embedded_datasets()) names.push_back(info.name);
    throw InputError(place, "no such graph file, and no embedded data set of that name", did_you_mean(place, names));
  }
  return read_graph(place);
}

Dag dag_of(const NamedGraph& graph, const std::vector<std::string>& names, const std::string& place, Journal& log) {
  if (is_directed(graph)) return to_dag(graph, names, place);
  if (const std::optional<Dag> member = consistent_extension(to_pdag(graph, names, place))) {
    log.note(fmt::format("{}: has undirected edges; a DAG of its class is taken", place));
    return *member;
  }
  throw InputError(place, "its undirected edges cannot be directed without a cycle or a new v-structure",
                   "give a DAG, or the CPDAG of one");
}

std::vector<Edge> true_edges_of(const NamedGraph& graph, const std::vector<std::string>& names,
                                const std::string& place, Journal& log) {
  return is_directed(graph) ? directed_edges(graph, names, place) : dag_of(graph, names, place, log).edges();
}

Comparison compare_graphs(const NamedGraph& truth, const std::string& truth_place, const NamedGraph& graph,
                          const std::string& place, uint64_t seed, Journal& log) {
  const std::vector<std::string> names = node_names(truth, graph);
  const std::vector<Edge> true_edges = true_edges_of(truth, names, truth_place, log);
  return compare_with_truth(truth_place, true_edges, dag_of(graph, names, place, log), Rng(seed));
}

BayesNet load_network(const std::string& name, Journal& log) {
  if (is_embedded(name)) return embedded_network(name);
  std::error_code ignored;
  if (!std::filesystem::exists(name, ignored)) {
    std::vector<std::string> names;
    for (const EmbeddedInfo& info : embedded_datasets()) {
      if (info.kind == "network") names.push_back(info.name);
    }
    throw InputError(name, "no such file, and no embedded network of that name", did_you_mean(name, names));
  }
  std::vector<std::string> warnings;
  BayesNet net = read_bif(name, &warnings);
  for (const std::string& warning : warnings) log.warning(warning);
  return net;
}

}  // namespace agon
