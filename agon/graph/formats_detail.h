// agon/graph/formats_detail.h
//
// What the readers and writers of graph files share. Only formats*.cpp and knowledge_file.cpp include it.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agon/base/text.h"
#include "agon/graph/named_graph.h"

namespace agon::detail {

// A text and where it came from, for readers that report errors by offset.
struct Source {
  std::string_view text;
  std::string place;
  static constexpr size_t kNoLine = std::string_view::npos;
  // Throws InputError at place:line of that offset, or at the place alone for kNoLine.
  [[noreturn]] void fail(size_t offset, const std::string& problem, const std::string& hint = "") const;
};

// Collects nodes and edges and keeps the promises of NamedGraph; errors name the line.
class GraphBuilder {
 public:
  explicit GraphBuilder(const Source& source) : source_(source) {}

  void declare(const std::string& name, size_t offset);  // error when it was declared before
  void mention(const std::string& name, size_t offset);  // declares it unless it is there
  bool knows(const std::string& name) const { return index_.contains(name); }
  // Ends must be there already (`strict`) or are mentioned. Repeats of an edge are dropped.
  void edge(const std::string& a, const std::string& b, Mark at_a, Mark at_b, size_t offset, bool strict);
  NamedGraph& graph() { return graph_; }
  NamedGraph take() { return std::move(graph_); }

 private:
  const Source& source_;
  NamedGraph graph_;
  std::unordered_map<std::string, uint64_t> index_;
  std::unordered_set<uint64_t> seen_;
};

// New names for those a format cannot hold: `clean(name)` gives the nearest name it can; repeats get _2, _3, ...
// Returns the graph renamed and adds one warning per changed name (a few, then a count).
NamedGraph with_clean_names(const NamedGraph& graph, const std::function<std::string(const std::string&)>& clean,
                            const std::string& format, std::vector<std::string>& warnings);
// The same for the attributes of the graph: their keys and values.
NamedGraph with_clean_attributes(const NamedGraph& graph, const std::function<std::string(const std::string&)>& clean,
                                 const std::string& format, std::vector<std::string>& warnings);

// Some programs number their nodes and put the name into a label (causal-learn's DOT, Gephi's GraphML). When every node
// is called by a plain number and the labels are distinct and not empty, the labels become the names; otherwise the
// graph stays as it is. `label_of` has every node.
NamedGraph with_labels(NamedGraph graph, const std::unordered_map<std::string, std::string>& label_of);

// Replaces by '_' every byte for which bad(byte) holds.
std::string replace_bytes(std::string name, const std::function<bool(unsigned char)>& bad);

// The word for an edge in a `type` column: "directed", "undirected", or its glyph; and back.
std::string type_word(const NamedEdge& edge);
std::optional<std::pair<Mark, Mark>> marks_of_type(std::string_view word);

// Which columns of a table of edges hold cause, effect and (or -1) type, from its header: from/to, source/target,
// parent/child, cause/effect and the like. Nothing when the row is not such a header.
struct EdgeColumns {
  int from = -1, to = -1, type = -1;
};
std::optional<EdgeColumns> edge_columns(const std::vector<std::string>& header);

using Warnings = std::vector<std::string>;

NamedGraph parse_edge_list(const Source& source);
NamedGraph parse_adjacency(const Source& source);
bool looks_like_adjacency(std::string_view text);
void write_edge_list(std::ostream& out, const NamedGraph& graph, Warnings& warnings);
void write_adjacency(std::ostream& out, const NamedGraph& graph, Warnings& warnings);

NamedGraph parse_dot(const Source& source);
NamedGraph parse_dagitty(const Source& source);
void write_dot(std::ostream& out, const NamedGraph& graph, Warnings& warnings);
void write_dagitty(std::ostream& out, const NamedGraph& graph, Warnings& warnings);

NamedGraph parse_graphml(const Source& source);
void write_graphml(std::ostream& out, const NamedGraph& graph, Warnings& warnings);

NamedGraph parse_gml(const Source& source);
void write_gml(std::ostream& out, const NamedGraph& graph, Warnings& warnings);

NamedGraph parse_json(const Source& source);
void write_json(std::ostream& out, const NamedGraph& graph, Warnings& warnings);

NamedGraph parse_tetrad(const Source& source);
void write_tetrad(std::ostream& out, const NamedGraph& graph, Warnings& warnings);

NamedGraph parse_bnlearn(const Source& source);
void write_bnlearn(std::ostream& out, const NamedGraph& graph, Warnings& warnings);

NamedGraph parse_bif(const Source& source);
void write_bif(std::ostream& out, const NamedGraph& graph, Warnings& warnings);

}  // namespace agon::detail
