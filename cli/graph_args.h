// cli/graph_args.h
//
// Graphs named on the command line: files in any format that graph/ reads, or the true graph of an embedded data set.
// Nodes are matched by name; `place` is the word the user gave, for messages.
#pragma once

#include <string>
#include <vector>

#include "agon/graph/dag.h"
#include "agon/graph/named_graph.h"
#include "cli/console.h"

namespace agon::cli {

// `folder` is where external data sets are.
NamedGraph load_graph(const std::string& place, const std::string& folder = "");

// The graph as a Dag. A CPDAG gives a member of its class, and the log says so; a graph that has none is an InputError.
Dag dag_of(const NamedGraph& graph, const std::vector<std::string>& names, const std::string& place, Log& log);

// The edges of a truth, which may have cycles. A CPDAG gives those of a member, as above.
std::vector<Edge> true_edges_of(const NamedGraph& graph, const std::vector<std::string>& names,
                                const std::string& place, Log& log);

}  // namespace agon::cli
