#include "agon/graph/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <ostream>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/graph/formats_detail.h"

namespace agon {
namespace {

using detail::Source;
using detail::Warnings;

struct Codec {
  GraphFormat format;
  NamedGraph (*parse)(const Source&);
  void (*write)(std::ostream&, const NamedGraph&, Warnings&);
};

const std::vector<Codec>& codecs() {
  // Columns: undirected edges, other marks, directed cycles, attributes, every node listed; in a matrix, 1 both ways is
  // one undirected edge, so a pair has one edge only.
  static const std::vector<Codec> table = {
      {{"csv", ".csv", "edge list: from,to[,type]", true, true, true, false, false},
       detail::parse_edge_list,
       detail::write_edge_list},
      {{"adjacency", ".csv", "0/1 matrix with names, rows cause columns", true, false, true, false, true, true},
       detail::parse_adjacency,
       detail::write_adjacency},
      {{"dot", ".dot", "Graphviz DOT", true, true, true, true, true}, detail::parse_dot, detail::write_dot},
      {{"graphml", ".graphml", "GraphML for igraph, networkx, Cytoscape, Gephi", true, true, true, true, true},
       detail::parse_graphml,
       detail::write_graphml},
      {{"gml", ".gml", "GML for networkx, igraph, DoWhy", true, true, true, true, true},
       detail::parse_gml,
       detail::write_gml},
      {{"json", ".json", "caugi JSON; also reads Tetrad, networkx and agon results", true, true, true, true, true},
       detail::parse_json,
       detail::write_json},
      {{"bif", ".bif", "structure of a BIF network, DAGs only", false, false, false, false, true},
       detail::parse_bif,
       detail::write_bif},
      {{"tetrad", ".txt", "Tetrad graph text", true, true, true, true, true},
       detail::parse_tetrad,
       detail::write_tetrad},
      {{"bnlearn", ".txt", "bnlearn model string, DAGs only", false, false, false, false, true},
       detail::parse_bnlearn,
       detail::write_bnlearn},
      {{"dagitty", ".dagitty", "dagitty model code: dag { A -> B }", true, true, true, false, true},
       detail::parse_dagitty,
       detail::write_dagitty},
  };
  return table;
}

const Codec& codec(const std::string& name) {
  std::vector<std::string> known;
  for (const Codec& entry : codecs()) {
    if (entry.format.name == name) return entry;
    known.push_back(entry.format.name);
  }
  const std::string near = did_you_mean(name, known);
  throw UsageError(fmt::format("no graph format is called {}", quoted(name)),
                   near.empty() ? "known formats: " + listed(known) : near);
}

// What of the edges the format cannot hold; "" if it holds them all.
std::string beyond(const GraphFormat& format, const NamedGraph& graph) {
  std::unordered_map<std::string_view, int> index;
  for (const std::string& name : graph.names) index.emplace(name, static_cast<int>(index.size()));
  std::vector<Edge> directed;
  for (const NamedEdge& edge : graph.edges) {
    if (edge.is_directed()) {
      directed.push_back({index.at(edge.a), index.at(edge.b)});
    } else if (edge.is_undirected()) {
      if (!format.holds_undirected) return "the undirected edge " + to_string(edge);
    } else if (!format.holds_marks) {
      return "the edge " + to_string(edge);
    }
  }
  if (!format.holds_cycles && !find_cycle(static_cast<int>(graph.names.size()), directed).empty()) {
    return "a graph with a cycle";
  }
  if (format.pairs_once) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const NamedEdge& edge : graph.edges) pairs.push_back(std::minmax(edge.a, edge.b));
    std::sort(pairs.begin(), pairs.end());
    if (const auto twice = std::adjacent_find(pairs.begin(), pairs.end()); twice != pairs.end()) {
      return fmt::format("two edges between {} and {}", agon::quoted(twice->first), agon::quoted(twice->second));
    }
  }
  return "";
}

// Before anything is written.
void check_edges(const NamedGraph& graph, const GraphFormat& format) {
  const std::string what = beyond(format, graph);
  if (what.empty()) return;
  std::vector<std::string> others;
  for (const GraphFormat& other : graph_formats()) {
    if (beyond(other, graph).empty()) others.push_back(other.name);
  }
  throw UsageError(fmt::format("the format {} cannot hold {}", format.name, what),
                   "formats that can: " + listed(others));
}

bool starts_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size() || lower(text.substr(0, word.size())) != word) return false;
  const char next = text.size() == word.size() ? ' ' : text[word.size()];
  return !((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || (next >= '0' && next <= '9') ||
           next == '_' || next == ',' || next == '.');
}

}  // namespace

const std::vector<GraphFormat>& graph_formats() {
  static const std::vector<GraphFormat> table = [] {
    std::vector<GraphFormat> formats;
    for (const Codec& entry : codecs()) formats.push_back(entry.format);
    return formats;
  }();
  return table;
}

const GraphFormat& graph_format(const std::string& name) { return codec(name).format; }

std::vector<std::string> write_graph(std::ostream& out, const NamedGraph& graph, const std::string& format) {
  const Codec& entry = codec(format);
  const NamedGraph sorted = normalized(graph);
  check_edges(sorted, entry.format);
  Warnings warnings;
  entry.write(out, sorted, warnings);
  if (!entry.format.holds_attributes && !graph.attributes.empty()) {
    warnings.push_back(fmt::format("{} has no place for attributes of the graph: {} left out", entry.format.name,
                                   graph.attributes.begin()->first));
  }
  return warnings;
}

std::string detect_format(std::string_view text, const std::string& place) {
  const std::string extension = lower(std::filesystem::path(place).extension().string());
  static const std::pair<std::string_view, std::string_view> kByExtension[] = {
      {".dot", "dot"}, {".gv", "dot"},    {".graphml", "graphml"}, {".xml", "graphml"},
      {".gml", "gml"}, {".json", "json"}, {".bif", "bif"},         {".dagitty", "dagitty"}};
  for (const auto& [ending, name] : kByExtension) {
    if (extension == ending) return std::string(name);
  }
  if (extension != ".csv" && extension != ".tsv") {
    // By content: skip blank lines and comments, then look at the first words.
    std::string_view rest = trimmed(text);
    while (!rest.empty() && (rest[0] == '#' || rest.starts_with("//") || rest.starts_with("/*"))) {
      const bool block = rest.starts_with("/*");
      const size_t end = rest.find(block ? "*/" : "\n");
      rest = end == std::string_view::npos ? "" : trimmed(rest.substr(end + (block ? 2 : 1)));
    }
    if (rest.starts_with('<')) return "graphml";
    if (rest.starts_with('{')) return "json";
    if (rest.starts_with('[')) return "bnlearn";
    const std::string_view first_line = rest.substr(0, rest.find('\n'));
    const size_t bracket = rest.find_first_of("{[");
    const bool opens = bracket != std::string_view::npos && rest[bracket] == '{';
    for (std::string_view word : {"digraph", "graph", "strict"}) {
      if (opens && starts_with_word(rest, word) && first_line.find(':') == std::string_view::npos) return "dot";
    }
    for (std::string_view word : {"dag", "pdag", "mag", "pag"}) {
      if (opens && starts_with_word(rest, word)) return "dagitty";
    }
    for (std::string_view word : {"network", "variable", "probability"}) {
      if (opens && starts_with_word(rest, word)) return "bif";
    }
    for (std::string_view word : {"graph", "creator", "version"}) {
      if (bracket != std::string_view::npos && !opens && starts_with_word(rest, word) &&
          first_line.find(':') == std::string_view::npos) {
        return "gml";
      }
    }
    const std::string opening = lower(rest.substr(0, 20000));
    if (opening.find("graph nodes:") != std::string::npos || opening.find("graph edges:") != std::string::npos) {
      return "tetrad";
    }
  }
  return detail::looks_like_adjacency(text) ? "adjacency" : "csv";
}

NamedGraph parse_graph(std::string_view text, const std::string& place, const std::string& format) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (trimmed(text).empty()) throw InputError(place, "the file is empty, expected a graph");
  if (text.find('\0') != std::string_view::npos) {
    throw InputError(place, "found a binary file, expected a graph as text");
  }
  const std::string name = format.empty() ? detect_format(text, place) : format;
  return codec(name).parse({text, place});
}

NamedGraph read_graph(const std::string& path, const std::string& format) {
  if (!format.empty()) codec(format);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw InputError(path, "is a directory, expected a graph file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) throw InputError(path, "cannot be opened for reading");
  std::string text;
  char buffer[1 << 16];
  size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, file.get())) > 0) text.append(buffer, got);
  if (std::ferror(file.get())) throw InputError(path, "cannot be read");
  return parse_graph(text, path, format);
}

}  // namespace agon
