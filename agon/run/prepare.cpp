#include "agon/run/prepare.h"

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/opponent/independence.h"
#include "agon/report/table.h"
#include "agon/run/forecast.h"
#include "agon/run/graph_sources.h"

namespace agon {
namespace {

// For every pair of nodes a search keeps a gain and some bits, and Gaussian scores keep a correlation. It is better to
// refuse at the start than to run out of memory half-way.
void refuse_too_many_columns(const Dataset& data, double there) {
  const double p = data.size();
  const double needed = 24.0 * p * p;
  if (needed <= there) return;
  throw InputError(data.source(),
                   fmt::format("a search over {} needs about {} of memory; it may have {}",
                               counted(data.size(), "column"), memory_text(needed), memory_text(there)),
                   "leave columns out with --drop NAMES or --exclude-var FILE");
}

// Constant columns take no part in a search, so edges at them in a graph from outside are dropped.
void leave_out_constants(Dag& dag, const Dataset& data, Journal& log) {
  for (const Edge& edge : dag.edges()) {
    for (const Node end : {edge.from, edge.to}) {
      if (!data.column(end).is_isolated() || !dag.has_edge(edge.from, edge.to)) continue;
      dag.remove_edge(edge.from, edge.to);
      log.warning(fmt::format("left out of the start: {} -> {}, because {} is constant",
                              shown(data.column(edge.from).name), shown(data.column(edge.to).name),
                              shown(data.column(end).name)));
    }
  }
}

void read_start(const RunRequest& request, const GivenInput& given, Prepared& ready, Journal& log) {
  const Dataset& table = ready.data->table;
  ready.start = Dag(table.size());
  ready.start_place = request.start;
  if (request.start.empty()) return;
  ready.start = dag_of(given.start ? *given.start : load_graph(request.start), table.names(), request.start, log);
  leave_out_constants(ready.start, table, log);
  if (const auto broken = violations(ready.start, ready.knowledge, table.names()); !broken.empty()) {
    log.note(fmt::format("{}: does not fit the knowledge ({}); what does not fit is changed before the search",
                         request.start, listed(broken, 4)));
  }
}

}  // namespace

Prepared prepare(const RunRequest& request, GivenInput given, const Watch& watch, Journal& log) {
  Prepared ready;
  ready.data = given.data
                   ? given.data
                   : std::make_shared<const LoadedData>(request.data.load(log, DataSettings::Findings::kToLog, watch));
  refuse_too_many_columns(ready.data->table, request.memory());
  if (given.score) {
    ready.chosen = {given.score(ready.data->table), "as the caller wrote it"};
  } else {
    ready.chosen = request.score.make(ready.data, log);  // may convert columns to the other kind
  }
  ready.score_options = request.score.options();

  const std::vector<std::string> names = ready.data->table.names();
  const KnowledgeStatements* statements = given.knowledge ? &*given.knowledge : nullptr;
  ready.knowledge = request.knowledge.load(names, statements);
  ready.knowledge_sources = request.knowledge.sources(statements);
  read_start(request, given, ready, log);
  if (!request.truth.empty()) {  // read now, so that a bad file does not cost a search
    ready.truth = true_edges_of(given.truth ? *given.truth : load_graph(request.truth, request.data.folder()), names,
                                request.truth, log);
  }
  ready.truth_place = request.truth;
  return ready;
}

void check_plan(const Plan& plan, const Prepared& ready) {
  if (plan.asks_tests()) resolve_test(ready.data->table, plan.test.name);
  for (const OpponentEntry* algorithm : plan.algorithms) refuse_unfit_score(*algorithm, *ready.chosen.score);
}

}  // namespace agon
