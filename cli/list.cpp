#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "agon/agent/challengers.h"
#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/graph/d_separation.h"
#include "agon/graph/formats.h"
#include "agon/graph/named_graph.h"
#include "agon/report/table.h"
#include "agon/run/graph_sources.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/options_page.h"

namespace agon::cli {
namespace {

// What the appendix of the paper says about a graph: mean degree, mean size of a Markov blanket, largest in-degree.
// Empty for a graph that is not here.
std::array<std::string, 3> shape(const EmbeddedInfo& info) {
  if (!is_embedded(info.name)) return {};
  const NamedGraph truth = load_graph(info.name);
  const Dag dag = to_dag(truth, truth.names, info.name);
  double blankets = 0;
  int most_parents = 0;
  for (Node v = 0; v < dag.size(); ++v) {
    blankets += markov_blanket(dag, v).count();
    most_parents = std::max(most_parents, dag.parents(v).count());
  }
  return {fmt::format("{:.2f}", 2.0 * dag.edge_count() / dag.size()), fmt::format("{:.2f}", blankets / dag.size()),
          std::to_string(most_parents)};
}

std::string datasets() {
  Table table({"data set", "kind", ">nodes", ">edges", ">degree", ">blanket", ">in-degree", ">parameters", ">rows",
               "~licence"});
  std::string notes;
  for (const EmbeddedInfo& info : embedded_datasets()) {
    const auto [degree, blanket, most_parents] = shape(info);
    table.row({info.name, info.kind, std::to_string(info.nodes), std::to_string(info.edges), degree, blanket,
               most_parents, info.parameters ? with_commas(info.parameters) : "",
               with_commas(static_cast<long long>(info.rows)), info.licence});
    notes += fmt::format("  {}: {}\n", info.name, info.source);
    if (!info.note.empty()) notes += fmt::format("    {}\n", info.note);
  }
  return table.text(output_style()) +
         "\nDegree and blanket are means over the nodes, in-degree is the largest.\n"
         "Networks are sampled: --rows N, --data-seed S. External sets are read from --folder DIR.\n" +
         notes;
}

std::string opponents() {
  Table table({"algorithm", "~what it does", "~source", "tested"});
  for (const OpponentEntry& entry : opponent_entries()) {
    table.row({entry.name, entry.summary, entry.source, to_string(entry.maturity)});
  }
  return table.text(output_style());
}

std::string challengers() {
  Table table({"challenger", "~what it does", "~source", "tested", ">cost of a move"});
  for (const ChallengerEntry& entry : challenger_entries()) {
    double least = HUGE_VAL, most = 0;
    for (const Arm& arm : entry.arms(entry.defaults)) {
      least = std::min(least, arm.cost);
      most = std::max(most, arm.cost);
    }
    table.row({entry.name, entry.summary, entry.source, to_string(entry.maturity),
               least == most ? fmt::format("{:g}", most) : fmt::format("{:g} to {:g}", least, most)});
  }
  return table.text(output_style()) +
         "\nCosts are relative to a move of the simplest player, which draws edits at random.\n";
}

std::string scores() {
  Table table({"score", "columns", "~local score of j with parents P; larger is better", "~source"});
  for (const ScoreEntry& entry : score_entries()) {
    table.row({entry.name, column_kinds(entry.takes), entry.formula, entry.source});
  }
  std::vector<std::string> symbols, defaults;
  for (const ScoreParameter& parameter : score_parameters()) {
    if (!parameter.symbol.empty())
      symbols.push_back(fmt::format("{} is --{}", parameter.symbol, parameter.option.name));
  }
  for (const ScoreEntry& entry : score_entries()) {
    if (entry.default_for != DefaultFor::kNone) defaults.push_back(entry.name);
  }
  std::string notes;
  for (const ScoreEntry& entry : score_entries()) notes += fmt::format("  {}: {}\n", entry.name, entry.summary);
  return table.text(output_style()) + fmt::format("\n{}. Unless told otherwise: {}, by the columns and rows.\n{}",
                                                  joined(symbols, ", "), joined(defaults, " or "), notes);
}

std::string formats() {
  Table table({"format", "file", "~what it is", "CPDAGs", "cycles"});
  for (const GraphFormat& format : graph_formats()) {
    table.row({format.name, format.extension, format.description, format.holds_undirected ? "yes" : "no",
               format.holds_cycles ? "yes" : "no"});
  }
  return table.text(output_style());
}

struct Listing {
  std::string name;
  std::string (*text)();
};
const std::vector<Listing> kListings = {{"datasets", datasets}, {"opponents", opponents}, {"challengers", challengers},
                                        {"scores", scores},     {"formats", formats},     {"options", options_page}};

int run(const std::string& what) {
  std::vector<std::string> names;
  for (const Listing& listing : kListings) {
    if (listing.name == what) {
      print(listing.text());
      return kOk;
    }
    names.push_back(listing.name);
  }
  if (!what.empty()) {
    const std::string near = did_you_mean(what, names);
    throw UsageError(fmt::format("there is no list of {}", quoted(what)),
                     near.empty() ? "there are lists of " + listed(names) : near);
  }
  std::string all;
  for (const Listing& listing : kListings) {
    if (listing.text == options_page) continue;  // it is a page of its own
    all += (all.empty() ? "" : "\n") + listing.text();
  }
  print(all);
  return kOk;
}

}  // namespace

Action set_up_list(CLI::App& app) {
  auto what = std::make_shared<std::string>();
  Binding(app).positional("WHAT", *what,
                          "datasets, opponents, challengers, scores, formats or options; by default all but the last",
                          Binding::kOptional);
  return [what](const std::string&) { return run(*what); };
}

}  // namespace agon::cli
