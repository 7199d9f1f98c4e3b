// agon/graph/formats.h
//
// Graphs as files: ten text formats, each both written and read. docs/formats.md shows an example of each.
//
//   NamedGraph g = read_graph("truth.csv");              // format inferred from the name, then from the content
//   for (const std::string& w : write_graph(out, g, "tetrad")) ...   // what the format cannot hold
//   for (const GraphFormat& f : graph_formats()) ...     // what `agon list formats` prints
//
// What may be relied on: reading what was written gives an equal NamedGraph (nodes, edges, marks, and attributes if the
// format has a place for them). Names that a format cannot hold are changed, stay distinct, and the warnings say so.
// Nodes and edges are written sorted by name. Readers accept any bytes: in time and memory proportional to the file
// they return a graph or throw an InputError that gives path:line, what was found and what was expected.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "agon/graph/named_graph.h"

namespace agon {

struct GraphFormat {
  std::string name;         // "csv", "dot", ...: what --format takes
  std::string extension;    // of files we write, with the dot
  std::string description;  // one line
  bool holds_undirected;    // a CPDAG can be written
  bool holds_marks;         // also <-> and circles
  bool holds_cycles;        // directed cycles can be written
  bool holds_attributes;    // attributes of the graph survive
  bool lists_every_node;    // nodes without edges are always visible
  bool pairs_once = false;  // two edges between the same nodes cannot be written
};

const std::vector<GraphFormat>& graph_formats();
const GraphFormat& graph_format(const std::string& name);  // UsageError with a suggestion when there is none

// Writes the graph and returns warnings: names that had to be changed, attributes that were omitted. UsageError when
// the format cannot hold its edges (e.g. undirected ones in a bnlearn string), naming formats that can.
std::vector<std::string> write_graph(std::ostream& out, const NamedGraph& graph, const std::string& format);

// `place` names the source in messages; its extension is the first hint at the format when none is given.
NamedGraph parse_graph(std::string_view text, const std::string& place, const std::string& format = "");
NamedGraph read_graph(const std::string& path, const std::string& format = "");

// The name of the format this text is in, judged by the extension of `place`, then by how the text begins.
std::string detect_format(std::string_view text, const std::string& place);

}  // namespace agon
