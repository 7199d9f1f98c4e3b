#include "agon/run/written_graph.h"

#include <fmt/format.h>

#include <sstream>

#include "agon/base/error.h"
#include "agon/base/grace.h"
#include "agon/base/suggest.h"
#include "agon/data/bif.h"
#include "agon/data/csv.h"
#include "agon/data/records.h"
#include "agon/graph/fit_network.h"
#include "agon/graph/formats.h"
#include "agon/report/html.h"
#include "agon/report/record_json.h"
#include "agon/run/effects.h"
#include "agon/run/written_files.h"

namespace agon {
namespace {

void add_edges(NamedGraph& graph, const PdagRecord& pdag) {
  for (const auto& [a, b] : pdag.directed) graph.edges.push_back({a, b});
  for (const auto& [a, b] : pdag.undirected) graph.edges.push_back({a, b, Mark::kTail, Mark::kTail});
}

// dag.csv, but dag.tetrad.txt where the extension does not say which format it is.
std::string graph_file(const std::string& stem, const GraphFormat& format) {
  const bool said_by_extension = "." + format.name == format.extension;
  return stem + (said_by_extension ? "" : "." + format.name) + format.extension;
}

// How long the effects of the page may take after a stop.
constexpr std::chrono::duration<double> kPageGrace{0.5};

// With more probabilities than this, a BIF file would fill the disk and help nobody.
constexpr double kMostProbabilities = 2e7;

// The graph with probabilities counted from the table, or "" when there are none to count.
std::string fitted_bif(const NamedGraph& graph, const Dataset& data, Journal& log) {
  if (!data.all_of(ColumnKind::kCategorical)) {
    log.note("the BIF file holds the graph without probabilities: there are continuous columns");
    return "";
  }
  const Dag dag = to_dag(graph, data.names(), data.source());
  if (network_size(data, dag) > kMostProbabilities) {
    log.warning("the BIF file holds the graph without probabilities: its tables would be too large");
    return "";
  }
  std::ostringstream text;
  write_bif(text, fit_network(data, dag));
  return text.str();
}

}  // namespace

std::vector<std::string> graphs_of(const RunRecord& record) {
  std::vector<std::string> all = {"dag", "cpdag"};
  if (record.has_knowledge()) all.push_back("mpdag");
  if (record.pag) all.push_back("pag");
  return all;
}

NamedGraph graph_of(const RunRecord& record, const std::string& which) {
  NamedGraph graph;
  for (const ColumnRecord& column : record.data.columns) graph.names.push_back(column.name);
  if (which == "dag") {
    for (const EdgeRecord& edge : record.edges) graph.edges.push_back({edge.from, edge.to});
  } else if (which == "cpdag") {
    add_edges(graph, record.cpdag);
  } else if (which == "mpdag") {
    add_edges(graph, record.mpdag);
  } else if (which == "pag" && record.pag) {
    graph.edges = *record.pag;
  } else {
    throw UsageError(fmt::format("this result has no graph {}", quoted(which)), "it has " + listed(graphs_of(record)));
  }
  return graph;
}

bool can_write(const std::string& which, const std::string& format_name) {
  const GraphFormat& format = graph_format(format_name);
  if (which == "dag") return true;
  return which == "pag" ? format.holds_marks : format.holds_undirected;
}

std::string written_graph(const RunResult& result, const std::string& which, const std::string& format, Journal& log) {
  const NamedGraph graph = graph_of(result.record, which);
  if (which == "dag" && format == "bif") {
    if (std::string fitted = fitted_bif(graph, result.data->table, log); !fitted.empty()) return fitted;
  }
  std::ostringstream text;
  for (const std::string& warning : write_graph(text, graph, format)) log.warning(warning);
  return text.str();
}

// The matrix of the score; a variable of several columns is called v[1], v[2], ..
std::string moments_csv(const BlockMoments& moments, const Dataset& data) {
  std::vector<std::string> names;
  for (Node v = 0; v < moments.size(); ++v) {
    const int width = moments.width(v);
    for (int c = 1; c <= width; ++c) {
      const std::string name = width == 1 ? data.column(v).name : fmt::format("{}[{}]", data.column(v).name, c);
      names.push_back(name.find_first_of(",\"\n\r#") == std::string::npos ? name : quoted_cell(name));
    }
  }
  std::string text;
  for (const std::string& name : names) text += "," + name;
  for (size_t a = 0; a < names.size(); ++a) {
    text += "\n" + names[a];
    for (size_t b = 0; b < names.size(); ++b) {
      text += fmt::format(",{:.12g}", moments.at(static_cast<int>(a), static_cast<int>(b)));
    }
  }
  return text + "\n";
}

std::string write_files(const RunResult& result, const OutputFiles& files, Journal& log, const Watch& watch) {
  WrittenFiles written(files.folder, files.prefix, log);
  written.write("result.json", write_record(result.record));
  std::string effects;
  const Dataset& table = (result.untreated ? result.untreated : result.data)->table;
  if (report_is_interactive() && fits_page(table)) {
    const EffectSource source(result.record, table, EffectSource::JustSearched());
    effects = page_effects(source, result.record.threads, with_grace(watch, kPageGrace));
  }
  const std::string page = written.write("report.html", html_report(result.record, PageKind::kInteractive, effects),
                                         report_is_interactive() ? "" : " (plain: built without Node)");
  if (!result.proof.empty()) written.write("proof.txt", result.proof);
  if (result.moments) written.write("moments.csv", moments_csv(*result.moments, result.data->table));
  if (result.data->table.has_drawn()) {
    std::ostringstream text;
    write_csv(text, result.data->table, ',', "weight");
    written.write("completed.csv", text.str());
  }
  for (const std::string& format : files.formats) {
    for (const std::string& which : graphs_of(result.record)) {
      if (!can_write(which, format)) continue;
      const std::string name = graph_file(which, graph_format(format));
      KeptJournal said;
      const std::string text = written_graph(result, which, format, said);
      for (const std::string& note : said.notes) log.note(note);
      for (const std::string& warning : said.warnings) log.warning(written.path(name) + ": " + warning);
      written.write(name, text);
    }
  }
  written.finish();
  return page;
}

}  // namespace agon
