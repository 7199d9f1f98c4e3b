// JSON: writes caugi's schema, reads it and the shapes of Tetrad, networkx (node-link) and our own results.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/json_text.h"
#include "agon/graph/formats_detail.h"

namespace agon::detail {
namespace {

using Json = nlohmann::json;
constexpr size_t kNoLine = Source::kNoLine;

Json parse_text(const Source& source) {
  try {
    return agon::parse_json<Json>(source.text, source.place);
  } catch (const Json::parse_error& error) {
    const size_t at = error.byte == 0 ? 0 : error.byte - 1;
    const std::string found(source.text.substr(std::min(at, source.text.size()), 20));
    source.fail(
        at, found.empty() ? "the JSON ends too early" : fmt::format("found {}, which is not JSON here", quoted(found)));
  } catch (const Json::exception&) {  // e.g. a number too large for a double
    source.fail(kNoLine, "found JSON with a value that cannot be used");
  }
}

// A scalar as text: names are usually strings, sometimes numbers.
std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

const Json* member(const Json& object, std::initializer_list<const char*> keys) {
  if (!object.is_object()) return nullptr;
  for (const char* key : keys) {
    if (const auto at = object.find(key); at != object.end()) return &*at;
  }
  return nullptr;
}

class JsonReader {
 public:
  explicit JsonReader(const Source& source) : source_(source), builder_(source) {}

  NamedGraph read(const Json& root) {
    const Json* graph = &root;
    if (const Json* inner = member(root, {"graph"}); inner && inner->is_object()) {
      if (member(*inner, {"nodes"})) {
        graph = inner;  // caugi, Tetrad
      } else if (member(root, {"nodes"})) {
        attributes(*inner);  // networkx
      }
    }
    if (const Json* given = member(root, {"attributes"})) attributes(*given);
    if (const Json* dag = member(root, {"dag"}); dag && dag->is_object()) {  // our result file
      graph = dag;
      if (const Json* data = member(root, {"data"})) {
        if (const Json* kinds = member(*data, {"kinds"}); kinds && kinds->is_object()) {
          for (const auto& [name, kind] : kinds->items()) declare(name, name);
          listed_ = true;
        }
      }
    }
    if (const Json* nodes = member(*graph, {"nodes"})) {
      if (!nodes->is_array()) fail("\"nodes\" is not a list");
      for (const Json& node : *nodes) read_node(node);
      listed_ = true;
    }
    const Json* directed = member(*graph, {"directed"});
    const bool default_undirected = directed && directed->is_boolean() && !directed->get<bool>();
    bool any = listed_;
    for (const char* key : {"edges", "links", "edgesSet"}) {
      const Json* edges = member(*graph, {key});
      if (!edges) continue;
      any = true;
      read_edges(*edges, key, default_undirected ? Mark::kTail : Mark::kArrow);
    }
    for (const char* key : {"directed", "undirected"}) {  // the cpdag of our result file
      const Json* edges = member(*graph, {key});
      if (!edges || !edges->is_array()) continue;
      any = true;
      read_edges(*edges, key, std::string_view(key) == "undirected" ? Mark::kTail : Mark::kArrow);
    }
    if (!any) fail("found no graph, expected \"nodes\" and \"edges\"");
    builder_.graph().lists_every_node = listed_;
    return builder_.take();
  }

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& hint = "") const {
    source_.fail(kNoLine, problem, hint);
  }

  void attributes(const Json& object) {
    if (!object.is_object()) return;
    for (const auto& [key, value] : object.items()) {
      if (value.is_primitive()) builder_.graph().attributes[key] = text_of(value);
    }
  }

  void declare(const std::string& name, const std::string& id) {
    builder_.declare(name, kNoLine);
    name_of_[id] = name;
  }

  void read_node(const Json& node) {
    if (node.is_object()) {
      const Json* name = member(node, {"name", "id", "label"});
      const Json* id = member(node, {"id", "name", "label"});
      if (!name || name->is_structured() || id->is_structured()) {
        fail("found a node without a name, expected \"name\" or \"id\"");
      }
      declare(text_of(*name), text_of(*id));
    } else if (node.is_array()) {
      fail("found a list in \"nodes\", expected names");
    } else {
      declare(text_of(node), text_of(node));
    }
  }

  // What an edge says of an end: a name, an id, or a node written out.
  std::string end_of(const Json* end) const {
    if (end && end->is_object()) end = member(*end, {"name", "id"});
    if (!end || end->is_structured() || end->is_null())
      fail("found an edge without two ends, expected \"from\" and \"to\"");
    const std::string id = text_of(*end);
    const auto at = name_of_.find(id);
    return at == name_of_.end() ? id : at->second;
  }

  Mark endpoint(const Json& value) const {
    const Json* inner = value.is_object() ? member(value, {"name"}) : &value;
    const std::string word = inner ? lower(text_of(*inner)) : "";
    if (word == "tail") return Mark::kTail;
    if (word == "arrow") return Mark::kArrow;
    if (word == "circle") return Mark::kCircle;
    fail(fmt::format("found the endpoint {}, expected Tail, Arrow or Circle", quoted(word)));
  }

  void read_edges(const Json& edges, const std::string& key, Mark default_head) {
    if (!edges.is_array()) fail(fmt::format("{} is not a list", quoted(key)));
    for (const Json& edge : edges) {
      const bool pair = edge.is_array() && edge.size() >= 2;
      if (!pair && !edge.is_object())
        fail(fmt::format("found {} as an edge, expected two ends", quoted(edge.dump(-1, ' ', true))));
      const std::string a = end_of(pair ? &edge[0] : member(edge, {"from", "source", "node1"}));
      const std::string b = end_of(pair ? &edge[1] : member(edge, {"to", "target", "node2"}));
      std::pair<Mark, Mark> marks{Mark::kTail, default_head};
      const Json* type = pair ? (edge.size() > 2 ? &edge[2] : nullptr) : member(edge, {"edge", "type"});
      if (type && type->is_string()) {
        const auto given = marks_of_type(type->get<std::string>());
        if (!given)
          fail(fmt::format("found the edge type {}, expected -->, ---, <-> or the like", quoted(text_of(*type))));
        marks = *given;
      }
      const Json* at_a = member(edge, {"endpoint1"});
      const Json* at_b = member(edge, {"endpoint2"});
      if (at_a && at_b) marks = {endpoint(*at_a), endpoint(*at_b)};
      builder_.edge(a, b, marks.first, marks.second, kNoLine, listed_);
    }
  }

  const Source& source_;
  GraphBuilder builder_;
  std::unordered_map<std::string, std::string> name_of_;  // ids to names, where they differ
  bool listed_ = false;
};

// The class of caugi's that holds these edges.
std::string class_of(const NamedGraph& graph) {
  std::unordered_map<std::string_view, int> index;
  for (const std::string& name : graph.names) index.emplace(name, static_cast<int>(index.size()));
  std::vector<Edge> directed;
  size_t undirected = 0;
  for (const NamedEdge& edge : graph.edges) {
    if (edge.is_directed()) directed.push_back({index.at(edge.a), index.at(edge.b)});
    if (edge.is_undirected()) ++undirected;
  }
  const bool others = directed.size() + undirected < graph.edges.size();
  if (others || !find_cycle(static_cast<int>(graph.names.size()), directed).empty()) return "UNKNOWN";
  return undirected ? "PDAG" : "DAG";
}

}  // namespace

NamedGraph parse_json(const Source& source) {
  const Json root = parse_text(source);
  if (!root.is_object()) source.fail(0, "found JSON that is not an object, expected {\"graph\": ...}");
  return JsonReader(source).read(root);
}

void write_json(std::ostream& out, const NamedGraph& given, Warnings& warnings) {
  const NamedGraph graph = with_clean_names(with_clean_attributes(given, replace_broken_utf8, "json", warnings),
                                            replace_broken_utf8, "json", warnings);
  const auto text = [](const std::string& s) { return Json(s).dump(); };
  out << "{\n"
         "  \"$schema\": \"https://caugi.org/schemas/caugi-v1.schema.json\",\n"
         "  \"format\": \"caugi\",\n"
         "  \"version\": \"1.0.0\",\n"
         "  \"graph\": {\n"
      << "    \"class\": " << text(class_of(graph)) << ",\n    \"nodes\": [";
  for (size_t i = 0; i < graph.names.size(); ++i) out << (i ? ", " : "") << text(graph.names[i]);
  out << "],\n    \"edges\": [";
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const NamedEdge& edge = graph.edges[i];
    const bool flip = glyph(edge) == "o--";  // caugi knows --o alone
    out << (i ? ",\n      " : "\n      ")
        << fmt::format("{{\"from\": {}, \"to\": {}, \"edge\": \"{}\"}}", text(flip ? edge.b : edge.a),
                       text(flip ? edge.a : edge.b), flip ? "--o" : glyph(edge));
  }
  out << (graph.edges.empty() ? "]\n  }" : "\n    ]\n  }");
  if (!graph.attributes.empty()) {
    out << ",\n  \"attributes\": {";
    bool first = true;
    for (const auto& [key, value] : graph.attributes) {
      out << (first ? "\n    " : ",\n    ") << text(key) << ": " << text(value);
      first = false;
    }
    out << "\n  }";
  }
  out << "\n}\n";
}

}  // namespace agon::detail
