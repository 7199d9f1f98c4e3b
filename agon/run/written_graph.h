// agon/run/written_graph.h
//
// The graphs of a result as text, in any format of agon/graph/formats.h.
//
//   for (const std::string& which : graphs_of(found)) written_graph(found, which, "dot", log);
#pragma once

#include <string>
#include <vector>

#include "agon/run/search.h"

namespace agon {

// "dag" and "cpdag"; "mpdag" when there was knowledge; "pag" of an algorithm that finds one.
std::vector<std::string> graphs_of(const Found& found);

NamedGraph graph_of(const Found& found, const std::string& which);  // UsageError when the result has no such graph

// Can the format hold this kind of graph?
bool can_write(const Found& found, const std::string& which, const std::string& format);

// A BIF file holds the DAG with probabilities counted from the table where all columns are categorical; else the graph
// alone, and the log says so. Names that a format cannot hold are changed, and the log says so too.
std::string written_graph(const Found& found, const std::string& which, const std::string& format, Journal& log);

}  // namespace agon
