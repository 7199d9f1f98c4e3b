#include "agon/run/written_graph.h"

#include <fmt/format.h>

#include <sstream>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/bif.h"
#include "agon/graph/fit_network.h"
#include "agon/graph/formats.h"

namespace agon {
namespace {

NamedGraph named(const PdagRecord& pdag, const DataRecord& data) {
  NamedGraph graph;
  for (const ColumnRecord& column : data.columns) graph.names.push_back(column.name);
  for (const auto& [a, b] : pdag.directed) graph.edges.push_back({a, b});
  for (const auto& [a, b] : pdag.undirected) graph.edges.push_back({a, b, Mark::kTail, Mark::kTail});
  return graph;
}

// Past this many probabilities a BIF file would fill the disk and help nobody.
constexpr double kMostProbabilities = 2e7;

// The graph with probabilities counted from the table, or "" when there are none to count.
std::string fitted_bif(const Dag& dag, const Dataset& data, Journal& log) {
  if (!data.all_of(ColumnKind::kCategorical)) {
    log.note("the BIF file holds the graph without probabilities: there are continuous columns");
    return "";
  }
  if (network_size(data, dag) > kMostProbabilities) {
    log.warning("the BIF file holds the graph without probabilities: its tables would be too large");
    return "";
  }
  std::ostringstream text;
  write_bif(text, fit_network(data, dag));
  return text.str();
}

}  // namespace

std::vector<std::string> graphs_of(const Found& found) {
  std::vector<std::string> all = {"dag", "cpdag"};
  if (!found.record.knowledge.sources.empty()) all.push_back("mpdag");
  if (found.pag) all.push_back("pag");
  return all;
}

NamedGraph graph_of(const Found& found, const std::string& which) {
  const std::vector<std::string> names = found.data->table.names();
  if (which == "dag") return named(found.dag, names);
  if (which == "cpdag") return named(found.record.cpdag, found.record.data);
  if (which == "mpdag") return named(found.record.mpdag, found.record.data);
  if (which == "pag" && found.pag) return named(*found.pag, names);
  throw UsageError(fmt::format("this result has no graph {}", quoted(which)), "it has " + listed(graphs_of(found)));
}

bool can_write(const Found& found, const std::string& which, const std::string& format_name) {
  const GraphFormat& format = graph_format(format_name);
  if (which == "dag") return true;
  return which == "pag" ? format.holds_marks && found.pag : format.holds_undirected;
}

std::string written_graph(const Found& found, const std::string& which, const std::string& format, Journal& log) {
  if (which == "dag" && format == "bif") {
    if (std::string fitted = fitted_bif(found.dag, found.data->table, log); !fitted.empty()) return fitted;
  }
  std::ostringstream text;
  for (const std::string& warning : write_graph(text, graph_of(found, which), format)) log.warning(warning);
  return text.str();
}

}  // namespace agon
