// GraphML, as networkx, igraph, Cytoscape and Gephi write it. Our own files name each node twice (as its id and as its
// `name`) because programs differ in which they show, and write an undirected edge as two arcs with type "undirected",
// because networkx refuses files that mix directed="true" and "false".
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "agon/base/error.h"
#include "agon/graph/formats_detail.h"

namespace agon::detail {
namespace {

struct Tag {
  std::string name;  // without a namespace prefix
  std::vector<std::pair<std::string, std::string>> attributes;
  const std::string* find(std::string_view key) const {
    for (const auto& [name_here, value] : attributes) {
      if (name_here == key) return &value;
    }
    return nullptr;
  }
};

// Walks through the tags and texts of an XML document. Checks that tags nest; knows no DTD beyond skipping it.
class Xml {
 public:
  enum Event { kOpen, kClose, kText, kEnd };
  explicit Xml(const Source& source) : source_(source), text_(source.text) {}

  Tag tag;           // after kOpen, kClose
  std::string text;  // after kText
  size_t offset = 0;

  Event next() {
    if (close_next_) {  // <a/> closes itself
      close_next_ = false;
      tag.name = open_.back();
      open_.pop_back();
      return kClose;
    }
    for (;;) {
      offset = at_;
      if (at_ >= text_.size()) {
        if (!open_.empty()) source_.fail(at_, fmt::format("the file ends inside <{}>", open_.back()));
        return kEnd;
      }
      if (text_[at_] != '<') {
        const size_t end = std::min(text_.find('<', at_), text_.size());
        text = decoded(text_.substr(at_, end - at_));
        at_ = end;
        return kText;
      }
      if (starts("<!--")) {
        skip_past("-->", "a comment");
      } else if (starts("<![CDATA[")) {
        const size_t start = at_ + 9;
        skip_past("]]>", "a CDATA section");
        text = std::string(text_.substr(start, at_ - 3 - start));
        return kText;
      } else if (starts("<?")) {
        skip_past("?>", "a processing instruction");
      } else if (starts("<!")) {
        skip_doctype();
      } else {
        return read_tag();
      }
    }
  }

 private:
  bool starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  std::string decoded(std::string_view raw) const {
    bool ok = true;
    std::string out = decode_entities(raw, false, ok);
    if (!ok) {
      source_.fail(offset, fmt::format("found an & that starts no known entity in {}", quoted(std::string(raw))),
                   "write &amp; for a plain &");
    }
    return out;
  }

  void skip_past(std::string_view mark, const char* what) {
    const size_t end = text_.find(mark, at_);
    if (end == std::string_view::npos) source_.fail(at_, fmt::format("{} is opened and never closed", what));
    at_ = end + mark.size();
  }

  void skip_doctype() {
    bool in_subset = false;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '[') in_subset = true;
      if (text_[at_] == ']') in_subset = false;
      if (text_[at_] == '>' && !in_subset) {
        ++at_;
        return;
      }
    }
    source_.fail(offset, "a <! declaration is opened and never closed");
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  std::string word() {
    const size_t start = at_;
    while (at_ < text_.size() && !is_space(text_[at_]) &&
           std::string_view("<>/=\"'").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    return std::string(text_.substr(start, at_ - start));
  }

  Event read_tag() {
    ++at_;
    const bool closing = at_ < text_.size() && text_[at_] == '/';
    if (closing) ++at_;
    tag = {};
    tag.name = word();
    if (tag.name.empty()) source_.fail(offset, "found a < that starts no tag", "write &lt; for a plain <");
    if (const size_t colon = tag.name.rfind(':'); colon != std::string::npos) tag.name.erase(0, colon + 1);
    for (;;) {
      skip_blanks();
      if (at_ >= text_.size()) source_.fail(offset, fmt::format("the tag <{} is never closed", tag.name));
      if (text_[at_] == '>') {
        ++at_;
        break;
      }
      if (starts("/>") && !closing) {
        at_ += 2;
        close_next_ = true;
        break;
      }
      read_attribute();
    }
    if (!closing) {
      open_.push_back(tag.name);
      return kOpen;
    }
    if (open_.empty() || open_.back() != tag.name) {
      source_.fail(offset, fmt::format("found </{}>, expected {}", tag.name,
                                       open_.empty() ? "no closing tag" : "</" + open_.back() + ">"));
    }
    open_.pop_back();
    return kClose;
  }

  void read_attribute() {
    const std::string key = word();
    skip_blanks();
    if (key.empty() || at_ >= text_.size() || text_[at_] != '=') {
      source_.fail(at_, fmt::format("found {} in the tag <{}>, expected key=\"value\"",
                                    quoted(std::string(text_.substr(at_, 10))), tag.name));
    }
    ++at_;
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    const size_t end = quote == '"' || quote == '\'' ? text_.find(quote, at_ + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      source_.fail(at_, fmt::format("the attribute {} of <{}> has no value in quotes", quoted(key), tag.name));
    }
    tag.attributes.emplace_back(key, decoded(text_.substr(at_ + 1, end - at_ - 1)));
    at_ = end + 1;
  }

  const Source& source_;
  std::string_view text_;
  size_t at_ = 0;
  bool close_next_ = false;
  std::vector<std::string> open_;
};

class GraphmlReader {
 public:
  explicit GraphmlReader(const Source& source) : source_(source), xml_(source) {}

  NamedGraph read() {
    int depth_in_data = -1;  // tags opened inside <data>, or -1 outside
    std::string data_key, data_text;
    for (Xml::Event event = xml_.next(); event != Xml::kEnd; event = xml_.next()) {
      if (depth_in_data >= 0) {  // what other programs nest there (drawings) is passed over
        if (event == Xml::kText && depth_in_data == 0) data_text += xml_.text;
        if (event == Xml::kOpen) ++depth_in_data;
        if (event == Xml::kClose && --depth_in_data < 0) end_data(data_key, data_text);
        continue;
      }
      if (event == Xml::kOpen && xml_.tag.name == "data") {
        depth_in_data = 0;
        const std::string* key = xml_.tag.find("key");
        data_key = key ? *key : "";
        data_text.clear();
      } else if (event == Xml::kOpen) {
        open(xml_.tag);
      } else if (event == Xml::kClose) {
        if (xml_.tag.name == "node" || xml_.tag.name == "edge") inside_ = kGraph;
        if (xml_.tag.name == "graph") inside_ = kNothing;
      }
    }
    if (!seen_graph_) source_.fail(0, "found no <graph>, expected GraphML");
    return build();
  }

 private:
  enum Inside { kNothing, kGraph, kNode, kEdge };
  struct Node {
    std::string id, name, label;
    size_t offset;
  };
  struct Arc {
    std::string from, to, type;
    bool directed;
    size_t offset;
  };

  std::string need(const Tag& tag, const char* key) const {
    const std::string* value = tag.find(key);
    if (!value) source_.fail(xml_.offset, fmt::format("found <{}> without {}=\"...\"", tag.name, key));
    return *value;
  }

  void open(const Tag& tag) {
    if (tag.name == "key") {
      const std::string* name = tag.find("attr.name");
      const std::string id = need(tag, "id");
      key_name_[id] = name ? *name : id;
    } else if (tag.name == "graph") {
      if (seen_graph_) {
        source_.fail(xml_.offset, inside_ == kNothing ? "found a second graph, expected one in the file"
                                                      : "found a graph inside a node, expected nodes and edges alone");
      }
      seen_graph_ = true;
      inside_ = kGraph;
      const std::string* given = tag.find("edgedefault");
      directed_ = !given || *given != "undirected";
    } else if (tag.name == "node" && inside_ == kGraph) {
      inside_ = kNode;
      nodes_.push_back({need(tag, "id"), "", "", xml_.offset});
    } else if (tag.name == "edge" && inside_ == kGraph) {
      inside_ = kEdge;
      const std::string* given = tag.find("directed");
      arcs_.push_back(
          {need(tag, "source"), need(tag, "target"), "", given ? *given == "true" : directed_, xml_.offset});
    } else if (tag.name == "hyperedge") {
      source_.fail(xml_.offset, "found a hyperedge, expected edges with two ends");
    }
  }

  void end_data(const std::string& key, const std::string& text) {
    const auto at = key_name_.find(key);
    const std::string& name = at == key_name_.end() ? key : at->second;
    if (inside_ == kGraph) graph_attributes_[name] = text;
    if (inside_ == kNode && lower(name) == "name") nodes_.back().name = text;
    if (inside_ == kNode && lower(name) == "label") nodes_.back().label = text;
    if (inside_ == kEdge && lower(name) == "type") arcs_.back().type = text;
  }

  NamedGraph build() {
    GraphBuilder builder(source_);
    std::unordered_map<std::string, std::string> name_of, label_of;
    for (const Node& node : nodes_) {
      const std::string& name = node.name.empty() ? node.id : node.name;
      builder.declare(name, node.offset);
      if (!name_of.emplace(node.id, name).second) {
        source_.fail(node.offset, fmt::format("the node id {} is used twice", quoted(node.id)));
      }
      if (node.name.empty() && !node.label.empty()) label_of.emplace(name, node.label);
    }
    for (const Arc& arc : arcs_) {
      const auto marks = arc.type.empty() || (!marks_of_type(arc.type))
                             ? std::pair{Mark::kTail, arc.directed ? Mark::kArrow : Mark::kTail}
                             : *marks_of_type(arc.type);
      const auto end = [&](const std::string& id) {
        const auto at = name_of.find(id);
        return at == name_of.end() ? id : at->second;
      };
      builder.edge(end(arc.from), end(arc.to), marks.first, marks.second, arc.offset, true);
    }
    NamedGraph graph = builder.take();
    graph.attributes = graph_attributes_;
    return label_of.size() == graph.names.size() ? with_labels(std::move(graph), label_of) : graph;
  }

  const Source& source_;
  Xml xml_;
  Inside inside_ = kNothing;
  bool seen_graph_ = false;
  bool directed_ = true;
  std::unordered_map<std::string, std::string> key_name_;
  std::vector<Node> nodes_;
  std::vector<Arc> arcs_;
  std::map<std::string, std::string> graph_attributes_;
};

// XML 1.0 has no place for control characters, not even as &#1;, nor for U+FFFE and U+FFFF.
std::string xml_name(const std::string& name) {
  std::string out;
  uint32_t code = 0;
  for (size_t i = 0; i < name.size();) {
    const size_t length = utf8_at(name, i, code);
    const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
    if (length == 0 || control || code == 0xFFFE || code == 0xFFFF) {
      out += '_';
    } else {
      out.append(name, i, length);
    }
    i += std::max<size_t>(length, 1);
  }
  return out;
}

}  // namespace

NamedGraph parse_graphml(const Source& source) { return GraphmlReader(source).read(); }

void write_graphml(std::ostream& out, const NamedGraph& given, Warnings& warnings) {
  const NamedGraph graph =
      with_clean_names(with_clean_attributes(given, xml_name, "graphml", warnings), xml_name, "graphml", warnings);
  const bool typed =
      std::any_of(graph.edges.begin(), graph.edges.end(), [](const NamedEdge& edge) { return !edge.is_directed(); });
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
         "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
         "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n";
  if (typed) out << "  <key id=\"type\" for=\"edge\" attr.name=\"type\" attr.type=\"string\"/>\n";
  int number = 0;
  for (const auto& [key, value] : graph.attributes) {
    out << fmt::format("  <key id=\"g{}\" for=\"graph\" attr.name=\"{}\" attr.type=\"string\"/>\n", number++,
                       xml_escaped(key));
  }
  out << "  <graph edgedefault=\"directed\">\n";
  number = 0;
  for (const auto& [key, value] : graph.attributes) {
    out << fmt::format("    <data key=\"g{}\">{}</data>\n", number++, xml_escaped(value));
  }
  for (const std::string& name : graph.names) {
    const std::string safe = xml_escaped(name);
    out << fmt::format("    <node id=\"{0}\"><data key=\"name\">{0}</data></node>\n", safe);
  }
  const auto arc = [&](const NamedEdge& edge, const std::string& from, const std::string& to) {
    out << fmt::format("    <edge source=\"{}\" target=\"{}\"", xml_escaped(from), xml_escaped(to));
    if (typed) {
      out << fmt::format("><data key=\"type\">{}</data></edge>\n", xml_escaped(type_word(edge)));
    } else {
      out << "/>\n";
    }
  };
  for (const NamedEdge& edge : graph.edges) {
    arc(edge, edge.a, edge.b);
    if (edge.is_undirected()) arc(edge, edge.b, edge.a);
  }
  out << "  </graph>\n</graphml>\n";
}

}  // namespace agon::detail
