#include "graphs.h"

#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <sstream>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/formats.h"
#include "agon/report/html.h"
#include "agon/report/json_texts.h"
#include "agon/report/record_json.h"
#include "agon/report/sentences.h"
#include "agon/report/summary.h"
#include "agon/run/effects.h"
#include "agon/run/front_end.h"
#include "agon/run/graph_sources.h"
#include "agon/run/recorded.h"
#include "table.h"

namespace agon::python {
namespace {

namespace nb = nanobind;

std::string written(const GraphText& graph, const std::string& format) {
  std::ostringstream text;
  write_graph(text, graph.graph(), format);
  return text.str();
}

std::string compared(const GraphText& truth, const GraphText& graph, uint64_t seed) {
  nb::gil_scoped_release release;
  KeptJournal log;
  return comparison_json_text(compare_graphs(truth.graph(), truth.place, graph.graph(), graph.place, seed, log));
}

// The CPDAG of a DAG.
GraphText class_of(const GraphText& graph) {
  KeptJournal log;
  const Dag dag = dag_of(graph.graph(), graph.names, graph.place, log);
  return text_of(named(cpdag_of(dag), graph.names), graph.place);
}

// With the table, the page shows effects too.
std::string page_of(const std::string& result, const std::string& place, const Table* table) {
  const RunRecord record = read_record(result, place);
  if (table == nullptr || !report_is_interactive()) return html_report(record);
  Dataset data = converted_as_recorded(table->data->table, record, place);
  if (!fits_page(data) || data.checksum() != record.data.checksum) return html_report(record);
  const EffectSource source(record, std::move(data), place);
  return html_report(record, PageKind::kInteractive, page_effects(source, hardware_threads()));
}

std::vector<std::tuple<std::string, std::string, std::string>> remarks_of(const std::string& result) {
  std::vector<std::tuple<std::string, std::string, std::string>> all;
  for (const EdgeRecord& edge : read_record(result, "result").edges) {
    all.emplace_back(edge.from, edge.to, remark(edge));
  }
  return all;
}

std::string summary_of(const std::string& result, bool full, int width) {
  const TextStyle style{.width = width, .spelling = as_python};
  return summary_text(read_record(result, "result"), style, full ? Detail::kFull : Detail::kBrief);
}

}  // namespace

NamedGraph GraphText::graph() const {
  NamedGraph out;
  out.names = names;
  out.lists_every_node = lists_every_node;
  for (const auto& [a, b, glyph] : edges) {
    const auto marks = marks_of(glyph);
    if (!marks) throw UsageError(fmt::format("{}: {} is no edge between {} and {}", place, quoted(glyph), a, b));
    if (a == b) throw InputError(place, fmt::format("{} has an edge to itself", quoted(a)));
    out.edges.push_back({a, b, marks->first, marks->second});
  }
  return out;
}

GraphText text_of(const NamedGraph& graph, const std::string& place) {
  const NamedGraph sorted = normalized(graph);
  GraphText out{sorted.names, {}, place, sorted.lists_every_node};
  for (const NamedEdge& edge : sorted.edges) out.edges.emplace_back(edge.a, edge.b, glyph(edge));
  return out;
}

void bind_graphs(nb::module_& module) {
  nb::class_<GraphText>(module, "GraphText", "A graph: names, and edges as (a, b, glyph) such as \"-->\" or \"---\".")
      .def(
          "__init__",
          [](GraphText* self, std::vector<std::string> names,
             std::vector<std::tuple<std::string, std::string, std::string>> edges, std::string place,
             bool lists_every_node) {
            new (self) GraphText{std::move(names), std::move(edges), std::move(place), lists_every_node};
          },
          nb::arg("names"), nb::arg("edges"), nb::arg("place"), nb::arg("lists_every_node"))
      .def_ro("names", &GraphText::names)
      .def_ro("edges", &GraphText::edges)
      .def_ro("place", &GraphText::place)
      .def("written", written, nb::arg("format"), "The graph in a text format.")
      .def("cpdag", class_of, "The CPDAG of a DAG.");
  module.def(
      "load_graph", [](const std::string& place) { return text_of(load_graph(place), place); }, nb::arg("place"),
      "A graph file, or the true graph of an embedded data set.");
  module.def(
      "parse_graph",
      [](const std::string& text, const std::string& place, const std::string& format) {
        return text_of(parse_graph(text, place, format), place);
      },
      nb::arg("text"), nb::arg("place"), nb::arg("format"));
  module.def("compare", compared, nb::arg("truth"), nb::arg("graph"), nb::arg("seed"), "Measures, as JSON text.");
  module.def("summary", summary_of, nb::arg("result"), nb::arg("full"), nb::arg("width"),
             "The text that the command line prints for a result.json, with options as Python spells them.");
  module.def("remarks", remarks_of, nb::arg("result"),
             "(from, to, remark) of every edge of a result.json: \"weak\", \"arrow unsure\", both, or nothing.");
  module.def("as_python", as_python, nb::arg("message"), "A message with options as Python spells them.");
  module.def("html_report", page_of, nb::arg("result"), nb::arg("place"), nb::arg("table").none(),
             "report.html of a result.json, with effects if its table is given.");
  module.def(
      "check_result", [](const std::string& text, const std::string& place) { read_record(text, place); },
      nb::arg("text"), nb::arg("place"), "InputError when the text is not a result.json.");
  module.def("write_file", write_file_atomically, nb::arg("path"), nb::arg("text"),
             nb::call_guard<nb::gil_scoped_release>(), "Whole or not at all.");
}

}  // namespace agon::python
