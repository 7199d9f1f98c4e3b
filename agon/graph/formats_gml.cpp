// GML (Himsolt 1997), as networkx, igraph and DoWhy use it, and the structure of BIF networks.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "agon/base/error.h"
#include "agon/data/bif.h"
#include "agon/graph/formats_detail.h"

namespace agon::detail {
namespace {

struct GmlToken {
  enum Kind { kWord, kString, kOpen, kClose, kEnd } kind = kEnd;
  std::string text;
  size_t offset = 0;
};

class GmlLexer {
 public:
  explicit GmlLexer(const Source& source) : source_(source), text_(source.text) {}

  GmlToken next() {
    for (;;) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      if (at_ >= text_.size() || text_[at_] != '#') break;
      at_ = std::min(text_.find('\n', at_), text_.size());
    }
    GmlToken token;
    token.offset = at_;
    if (at_ >= text_.size()) return token;
    const char c = text_[at_];
    if (c == '[' || c == ']') {
      token.kind = c == '[' ? GmlToken::kOpen : GmlToken::kClose;
      token.text = c;
      ++at_;
    } else if (c == '"') {
      const size_t end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) source_.fail(at_, "a quote is opened and never closed");
      bool ok = true;
      token.kind = GmlToken::kString;
      token.text = decode_entities(text_.substr(at_ + 1, end - at_ - 1), true, ok);
      at_ = end + 1;
    } else {
      const size_t start = at_;
      while (at_ < text_.size() && !is_space(text_[at_]) &&
             std::string_view("[]\"").find(text_[at_]) == std::string_view::npos) {
        ++at_;
      }
      token.kind = GmlToken::kWord;
      token.text = std::string(text_.substr(start, at_ - start));
    }
    return token;
  }

 private:
  const Source& source_;
  std::string_view text_;
  size_t at_ = 0;
};

class GmlReader {
 public:
  explicit GmlReader(const Source& source) : source_(source), lexer_(source) {}

  NamedGraph read() {
    bool seen = false;
    each_pair(true, [&](const std::string& key, const GmlToken* value, size_t offset) {
      if (value) return;  // Creator, Version
      if (key != "graph") return skip_list(offset);
      if (seen) source_.fail(offset, "found a second graph, expected one in the file");
      seen = true;
      read_graph();
    });
    if (!seen) source_.fail(0, "found no graph [ ... ], expected GML");
    return build();
  }

 private:
  struct NodeEntry {
    std::string id, label, name;
    size_t offset;
  };
  struct EdgeEntry {
    std::string source, target, type;
    size_t offset;
  };

  // Calls fn(key, value, offset) for each pair of this list; value is null when a list begins, which fn must read.
  template <class Fn>
  void each_pair(bool top, Fn&& fn) {
    for (GmlToken key = lexer_.next();; key = lexer_.next()) {
      if (key.kind == GmlToken::kEnd && top) return;
      if (key.kind == GmlToken::kClose && !top) return;
      if (key.kind == GmlToken::kEnd) source_.fail(key.offset, "the file ends inside [ ... ]");
      if (key.kind != GmlToken::kWord) {
        source_.fail(key.offset, fmt::format("found {}, expected a key such as node or edge", quoted(key.text)));
      }
      const GmlToken value = lexer_.next();
      const std::string name = lower(key.text);
      if (value.kind == GmlToken::kOpen) {
        fn(name, static_cast<const GmlToken*>(nullptr), key.offset);
      } else if (value.kind == GmlToken::kWord || value.kind == GmlToken::kString) {
        raw_key_ = key.text;
        fn(name, &value, key.offset);
      } else {
        source_.fail(value.offset, fmt::format("the key {} has no value", quoted(key.text)));
      }
    }
  }

  void skip_list(size_t offset) {
    for (int depth = 1; depth > 0;) {
      const GmlToken token = lexer_.next();
      if (token.kind == GmlToken::kEnd) source_.fail(offset, "found a [ without its ]");
      depth += token.kind == GmlToken::kOpen ? 1 : token.kind == GmlToken::kClose ? -1 : 0;
    }
  }

  void read_graph() {
    each_pair(false, [&](const std::string& key, const GmlToken* value, size_t offset) {
      if (value && key == "directed") {
        directed_ = value->text != "0";
      } else if (value && key != "multigraph") {
        attributes_[raw_key_] = value->text;
      } else if (!value && key == "node") {
        NodeEntry node{"", "", "", offset};
        read_fields({{"id", &node.id}, {"label", &node.label}, {"name", &node.name}});
        nodes_.push_back(std::move(node));
      } else if (!value && key == "edge") {
        EdgeEntry edge{"", "", "", offset};
        read_fields({{"source", &edge.source}, {"target", &edge.target}, {"type", &edge.type}});
        edges_.push_back(std::move(edge));
      } else if (!value && key == "attribute") {
        std::string name, text;
        read_fields({{"key", &name}, {"value", &text}});
        attributes_[name] = text;
      } else if (!value) {
        skip_list(offset);
      }
    });
  }

  void read_fields(const std::vector<std::pair<std::string_view, std::string*>>& fields) {
    each_pair(false, [&](const std::string& key, const GmlToken* value, size_t offset) {
      if (!value) return skip_list(offset);
      for (const auto& [name, where] : fields) {
        if (key == name) *where = value->text;
      }
    });
  }

  NamedGraph build() {
    GraphBuilder builder(source_);
    std::unordered_map<std::string, std::string> name_of;
    for (const NodeEntry& node : nodes_) {
      const std::string& name = !node.label.empty() ? node.label : !node.name.empty() ? node.name : node.id;
      builder.declare(name, node.offset);
      const std::string& id = node.id.empty() ? name : node.id;
      if (!name_of.emplace(id, name).second) {
        source_.fail(node.offset, fmt::format("the node id {} is used twice", quoted(id)));
      }
    }
    for (const EdgeEntry& edge : edges_) {
      const auto end = [&](const std::string& id) {
        const auto at = name_of.find(id);
        if (at == name_of.end()) {
          source_.fail(edge.offset, id.empty()
                                        ? "found an edge without source and target"
                                        : fmt::format("an edge names the node id {}, which no node has", quoted(id)));
        }
        return at->second;
      };
      const auto given = edge.type.empty() ? std::nullopt : marks_of_type(edge.type);
      const auto marks = given ? *given : std::pair{Mark::kTail, directed_ ? Mark::kArrow : Mark::kTail};
      builder.edge(end(edge.source), end(edge.target), marks.first, marks.second, edge.offset, true);
    }
    builder.graph().attributes = std::move(attributes_);
    return builder.take();
  }

  const Source& source_;
  GmlLexer lexer_;
  bool directed_ = false;  // what GML says when the file does not
  std::string raw_key_;
  std::vector<NodeEntry> nodes_;
  std::vector<EdgeEntry> edges_;
  std::map<std::string, std::string> attributes_;
};

// A GML string is plain ASCII; everything else, and " and &, stands as &#number;.
std::string gml_quoted(const std::string& text) {
  std::string out = "\"";
  uint32_t code = 0;
  for (size_t i = 0; i < text.size();) {
    i += utf8_at(text, i, code);
    if (code >= 0x20 && code < 0x7F && code != '"' && code != '&') {
      out += static_cast<char>(code);
    } else {
      out += fmt::format("&#{};", code);
    }
  }
  return out + '"';
}

}  // namespace

NamedGraph parse_gml(const Source& source) { return GmlReader(source).read(); }

// networkx has directed graphs and undirected ones, nothing in between: an undirected edge among directed ones is
// written as two arcs of type "undirected".
void write_gml(std::ostream& out, const NamedGraph& given, Warnings& warnings) {
  const NamedGraph graph = with_clean_names(with_clean_attributes(given, replace_broken_utf8, "gml", warnings),
                                            replace_broken_utf8, "gml", warnings);
  const bool typed =
      std::any_of(graph.edges.begin(), graph.edges.end(), [](const NamedEdge& edge) { return !edge.is_directed(); });
  out << "graph [\n  directed 1\n";
  for (const auto& [key, value] : graph.attributes) {
    out << fmt::format("  attribute [\n    key {}\n    value {}\n  ]\n", gml_quoted(key), gml_quoted(value));
  }
  std::unordered_map<std::string_view, int> id;
  for (const std::string& name : graph.names) {
    out << fmt::format("  node [\n    id {}\n    label {}\n  ]\n", id.size(), gml_quoted(name));
    id.emplace(name, static_cast<int>(id.size()));
  }
  const auto arc = [&](const NamedEdge& edge, const std::string& from, const std::string& to) {
    out << fmt::format("  edge [\n    source {}\n    target {}\n", id.at(from), id.at(to));
    if (typed) out << fmt::format("    type {}\n", gml_quoted(type_word(edge)));
    out << "  ]\n";
  };
  for (const NamedEdge& edge : graph.edges) {
    arc(edge, edge.a, edge.b);
    if (edge.is_undirected()) arc(edge, edge.b, edge.a);
  }
  out << "]\n";
}

// The structure of a network; its probabilities are read (and checked) by data/bif.h, then dropped.
NamedGraph parse_bif(const Source& source) {
  const BayesNet net = agon::parse_bif(source.text, source.place);
  NamedGraph graph;
  graph.names = net.names;
  for (const auto& [from, to] : net.edges()) graph.edges.push_back({from, to});
  return graph;
}

// A BIF file must have levels and probabilities. A graph has none, so each variable gets the one level "any": the file
// is legal, stays as small as the graph and claims nothing.
void write_bif(std::ostream& out, const NamedGraph& given, Warnings& warnings) {
  const auto clean = [](const std::string& name) { return trimmed(name).empty() ? std::string("_") : name; };
  const NamedGraph graph = with_clean_names(given, clean, "bif", warnings);
  BayesNet net;
  std::unordered_map<std::string_view, int> index;
  for (const std::string& name : graph.names) {
    index.emplace(name, net.size());
    net.names.push_back(name);
    net.levels.push_back({"any"});
    net.tables.push_back({1.0});
  }
  net.parents.resize(net.names.size());
  for (const NamedEdge& edge : graph.edges) {
    net.parents[static_cast<size_t>(index.at(edge.b))].push_back(index.at(edge.a));
  }
  agon::write_bif(out, net);
  warnings.push_back("bif: a graph has no probabilities, so every variable is written with one level");
}

}  // namespace agon::detail
