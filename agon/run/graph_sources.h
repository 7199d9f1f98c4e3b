// agon/run/graph_sources.h
//
// Graphs named by the user: files in any format that graph/ reads, or the true graph of an embedded data set.
// Nodes are matched by name; `place` is the word the user gave, for messages.
#pragma once

#include <string>
#include <vector>

#include "agon/data/bayes_net.h"
#include "agon/graph/dag.h"
#include "agon/graph/named_graph.h"
#include "agon/report/comparison.h"
#include "agon/run/journal.h"

namespace agon {

// `folder` is the folder of external data sets.
NamedGraph load_graph(const std::string& place, const std::string& folder = "");

// The graph as a Dag. For a CPDAG this is a member of its class, and the log says so. InputError when there is no
// member.
Dag dag_of(const NamedGraph& graph, const std::vector<std::string>& names, const std::string& place, Journal& log);

// The edges of a truth, which may have cycles. For a CPDAG they are those of a member, as above.
std::vector<Edge> true_edges_of(const NamedGraph& graph, const std::vector<std::string>& names,
                                const std::string& place, Journal& log);

// The measures of `graph` against `truth`, each matched to the other by name; the places are for messages.
Comparison compare_graphs(const NamedGraph& truth, const std::string& truth_place, const NamedGraph& graph,
                          const std::string& place, uint64_t seed, Journal& log);

// A network to sample from: an embedded one, or a BIF file.
BayesNet load_network(const std::string& name, Journal& log);

}  // namespace agon
