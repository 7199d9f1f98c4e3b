#include "agon/run/prepare.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/capability.h"
#include "agon/match/cam_pruning.h"
#include "agon/opponent/independence.h"
#include "agon/report/table.h"
#include "agon/run/forecast.h"
#include "agon/run/graph_sources.h"
#include "agon/run/preset.h"
#include "agon/score/block_moments.h"
#include "agon/score/em.h"

namespace agon {
namespace {

// Of a time limit, what the examination of the table for what may spoil the search gets at most.
constexpr double kShareToExamine = 0.25;

// For every pair of nodes a search keeps a gain and some bits, and Gaussian scores keep a correlation; PC and FCI keep
// six bytes and some bits beside the correlation of their test. It is better to
// refuse at the start than to run out of memory half-way.
constexpr double kSearchedPairBytes = 24;
void refuse_too_many_columns(const Dataset& data, double there) {
  const double p = data.size();
  const double needed = kSearchedPairBytes * p * p;
  if (needed <= there) return;
  throw InputError(data.source(),
                   fmt::format("a search over {} needs about {} of memory; it may have {}, where {} would fit",
                               counted(data.size(), "column"), memory_text(needed), memory_text(there),
                               counted(static_cast<long>(std::sqrt(there / kSearchedPairBytes)), "column")),
                   "leave columns out with --drop NAMES or --exclude-var FILE");
}

// Constant columns take no part in a search, so edges at them in a graph from outside are dropped.
void leave_out_constants(Dag& dag, const Dataset& data, Journal& log) {
  for (const Edge& edge : dag.edges()) {
    for (const Node end : {edge.from, edge.to}) {
      if (!data.column(end).is_isolated() || !dag.has_edge(edge.from, edge.to)) continue;
      dag.remove_edge(edge.from, edge.to);
      log.warning(fmt::format("left out of the start: {} -> {}, because {} is {}", shown(data.column(edge.from).name),
                              shown(data.column(edge.to).name), shown(data.column(end).name),
                              data.column(end).identifier ? "an identifier" : "constant"));
    }
  }
}

// What was done about gaps, and what that assumes.
void tell_missing(const Prepared& ready, Journal& log) {
  const MissingPlan& plan = ready.chosen.missing;
  if (plan.assumption().empty()) return;
  log.detail(fmt::format("missing cells: {}. {}", to_string(plan.used), plan.assumption()));
  const BlockMoments* moments = ready.chosen.score->moments();
  if (moments == nullptr || !moments->em) return;
  if (!moments->em->converged) {
    log.note(
        fmt::format("EM was stopped after {}, still moving by {:.0e}: some relations can hardly be seen because of "
                    "missing cells, and count as weak",
                    counted(moments->em->steps, "step"), moments->em->movement));
  }
  if (moments->em->restricted) {
    log.note(
        fmt::format("EM regressed each gap on the {} columns most correlated with it: all of them would take too long",
                    EmOptions().most_regressors));
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

// What a check objects to, in one sentence without the name of the file; "" if it passes.
std::string refusal(const Dataset& data, const std::function<void()>& check) {
  const auto sentence = [&](std::string_view text) {
    const std::string place = data.source() + ": ";
    if (text.starts_with(place)) text.remove_prefix(place.size());
    return std::string(text.substr(0, text.find('\n')));
  };
  try {
    check();
  } catch (const InputError& error) {
    return sentence(error.what());
  } catch (const UsageError& error) {
    return sentence(error.what());
  }
  return "";
}

}  // namespace

Prepared prepare(const RunRequest& request, GivenInput given, const Watch& watch, Journal& log) {
  Prepared ready;
  Watch examining = watch;
  if (request.seconds() > 0) {
    const std::chrono::duration<double> most(kShareToExamine * request.seconds());
    examining.deadline = Watch::Clock::now() + std::chrono::duration_cast<Watch::Clock::duration>(most);
  }
  ready.data =
      given.data
          ? given.data
          : std::make_shared<const LoadedData>(request.data.load(log, DataSettings::Findings::kToLog, examining));
  refuse_too_many_columns(ready.data->table, request.memory());
  const bool by_preset = !request.preset.empty() && !request.settings.given("score");
  if (by_preset) request.settings.set("score", published_score(ready.data->table));
  if (given.score) {
    ready.chosen = {given.score(ready.data->table), "as the caller wrote it"};
  } else {
    const bool alone = request.kind == RunRequest::Kind::kAlone;
    const TreatmentRequest treatment{
        .missing = request.data.missing_policy(),
        .draws = request.data.draws(),
        .seed = request.seed,
        .threads = request.thread_count(),
        .watch = &watch,
        .seconds = request.seconds(),
        .effort = alone ? TreatmentSearch::Effort::kQuick : TreatmentSearch::Effort::kThorough,
        .code_text = by_preset};
    ready.chosen = request.score.make(ready.data, treatment, log);  // may change columns to suit the score
    if (by_preset) ready.chosen.reason = "by the paper's rule, as --preset asks";
    tell_missing(ready, log);
  }
  if (!ready.chosen.untreated) ready.chosen.untreated = ready.data;

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

void fit_plan(Plan& plan, RunRequest::Kind kind, const Prepared& ready, Journal& log) {
  const Dataset& data = ready.data->table;
  const auto check = [&](const OpponentEntry& algorithm) {
    Capabilities takes = algorithm.takes;
    takes.missing = true;  // algorithms that need every cell get a completed table (search.cpp)
    refuse_beyond(takes, data, "the algorithm " + algorithm.name);
    refuse_unfit_score(algorithm, *ready.chosen.score);
  };
  const auto fits = [&](const std::function<void()>& checks) {
    const std::string why = refusal(data, checks);
    if (why.empty()) return true;
    plan.left_out.push_back("left out: " + why);
    log.warning(plan.left_out.back());
    return false;
  };
  if (kind == RunRequest::Kind::kAlone) check(*plan.algorithms[0]);
  const std::vector<const OpponentEntry*> asked = std::exchange(plan.algorithms, {});
  for (const OpponentEntry* algorithm : asked) {
    if (fits([&] { check(*algorithm); })) plan.algorithms.push_back(algorithm);
  }
  if (plan.algorithms.empty()) check(*asked[0]);
  if (plan.asks_tests()) resolve_test(data, plan.test.name);
  plan.prunes = plan.prunes && fits([&] { refuse_beyond(kPrunedTables, data, "pruning"); });
}

}  // namespace agon
