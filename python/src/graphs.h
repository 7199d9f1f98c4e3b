// python/src/graphs.h
//
// A graph as Python passes it: names, and edges as (a, b, glyph), with the glyphs of named_graph.h: "-->", "---", ...
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <tuple>
#include <vector>

#include "agon/graph/named_graph.h"

namespace agon::python {

struct GraphText {
  std::vector<std::string> names;
  std::vector<std::tuple<std::string, std::string, std::string>> edges;
  std::string place;             // what messages call it
  bool lists_every_node = true;  // otherwise columns that it does not name have no edges

  NamedGraph graph() const;  // UsageError for an unknown glyph
};

GraphText text_of(const NamedGraph& graph, const std::string& place);

void bind_graphs(nanobind::module_& module);

}  // namespace agon::python
