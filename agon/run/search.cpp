#include "agon/run/search.h"

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/base/memory.h"
#include "agon/base/parallel.h"
#include "agon/base/suggest.h"
#include "agon/graph/varsortability.h"
#include "agon/report/result_json.h"
#include "agon/report/table.h"
#include "agon/run/forecast.h"
#include "agon/run/graph_sources.h"
#include "agon/score/scores.h"
#include "agon/version.h"

namespace agon {
namespace {

// A search keeps, for every pair of nodes, a gain and some bits, and Gaussian scores a correlation. Refusing at the
// door is better than being killed half-way.
void refuse_too_many_columns(const Dataset& data, double there) {
  const double p = data.size();
  const double needed = 24.0 * p * p;
  if (needed <= there) return;
  throw InputError(data.source(),
                   fmt::format("a search over {} needs about {} of memory; it may have {}",
                               counted(data.size(), "column"), memory_text(needed), memory_text(there)),
                   "leave columns out with --drop NAMES or --exclude-var FILE");
}

// Constant columns take no part in a search, whatever a graph from outside says.
void leave_out_constants(Dag& dag, const Dataset& data, Journal& log) {
  for (const Edge& edge : dag.edges()) {
    for (const Node end : {edge.from, edge.to}) {
      if (!data.column(end).is_constant() || !dag.has_edge(edge.from, edge.to)) continue;
      dag.remove_edge(edge.from, edge.to);
      log.warning(fmt::format("left out of the start: {} -> {}, because {} is constant",
                              shown(data.column(edge.from).name), shown(data.column(edge.to).name),
                              shown(data.column(end).name)));
    }
  }
}

}  // namespace

SearchSettings::SearchSettings(Settings& settings)
    : settings_(settings), data_(settings), score_(settings, ScoreSettings::Purpose::kSearch), knowledge_(settings) {
  settings.value("start", start_);
  settings.value("bootstrap", bootstrap_);
  settings.value("time-limit", time_limit_);
  settings.value("memory-limit", memory_limit_);
  settings.value("threads", threads_);
  settings.value("seed", seed_);
  settings.value("truth", truth_);
}

void SearchSettings::check() const {
  if (bootstrap_ < 0) throw UsageError("--bootstrap must be 0 or more");
  if (settings_.given("threads") && threads_ < 1) throw UsageError("--threads must be 1 or more");
  time_limit();
  memory();
}

double SearchSettings::time_limit() const { return time_limit_.empty() ? 0 : parse_duration(time_limit_); }

double SearchSettings::memory() const {
  return memory_limit_.empty() ? memory_limit() : parse_size(memory_limit_, "memory-limit");
}

// Everything that can be refused is refused before the work begins.
Prepared SearchSettings::prepare(GivenInput given, Journal& log) const {
  const KnowledgeStatements* statements = given.knowledge ? &*given.knowledge : nullptr;
  knowledge_.check(statements);
  check();
  if (given.score && bootstrap_ > 0) {
    throw UsageError("--bootstrap has no effect on a score of your own: it is bound to the rows it was made with",
                     "a score of `agon list scores` can be computed on other rows");
  }
  for (const std::string option : {"score", "penalty", "ess"}) {
    if (given.score && settings_.given(option)) {
      throw UsageError(fmt::format("--{} has no effect on a score of your own", option));
    }
  }
  Prepared ready;
  ready.data = given.data ? given.data : std::make_shared<const LoadedData>(data_.load(log));
  refuse_too_many_columns(ready.data->table, memory());
  if (given.score) {
    ready.chosen = {given.score(ready.data->table), "as the caller wrote it"};
  } else {
    ready.chosen = score_.make(ready.data, log);
  }
  ready.score_options = score_.options();
  const Dataset& table = ready.data->table;
  const std::vector<std::string> names = table.names();
  ready.start = Dag(table.size());
  if (!start_.empty()) ready.start = dag_of(given.start ? *given.start : load_graph(start_), names, start_, log);
  leave_out_constants(ready.start, table, log);
  ready.start_place = start_;
  ready.knowledge = knowledge_.load(names, statements);
  ready.knowledge_sources = knowledge_.sources(statements);
  if (const auto broken = violations(ready.start, ready.knowledge, names); !start_.empty() && !broken.empty()) {
    log.note(fmt::format("{}: does not fit the knowledge ({}); what does not fit is changed before the search", start_,
                         listed(broken, 4)));
  }
  if (!truth_.empty()) {  // read now, so that a bad file does not cost a search
    ready.truth = true_edges_of(given.truth ? *given.truth : load_graph(truth_, data_.folder()), names, truth_, log);
  }
  ready.truth_place = truth_;
  return ready;
}

// The score of a resample has the name and the options of the score of the table.
void SearchSettings::run_bootstrap(RunRecord& record, const SearchWork& work, const Task& task) const {
  const ResampleSearch search = [&](const Dataset& rows, const Rng& rng, const Watch& watch) {
    const auto score = make_score(task.score.traits().name, rows, task.score_options);
    const uint64_t seed = Rng(rng).next();
    return work.resample({rows, *score, task.score_options, task.start, task.knowledge, seed, 1, watch});
  };
  const auto began = Watch::Clock::now();
  const Bootstrap bootstrap = bootstrap_edges(task.data, search, {bootstrap_, task.threads, task.checkpoint},
                                              task.knowledge, Rng(task.seed).split("bootstrap"), task.watch);
  describe_bootstrap(record, bootstrap, task.data.names());
  record.bootstrap->search = work.resample_name;
  record.bootstrap->seconds = std::chrono::duration<double>(Watch::Clock::now() - began).count();
  if (bootstrap.resamples < bootstrap.asked) record.bootstrap->stopped_by = task.watch.stop_reason();
}

Found SearchSettings::run(const Prepared& ready, const SearchWork& work, const std::string& command, Watch watch,
                          Journal& log) const {
  const Dataset& data = ready.data->table;
  const LocalScore& score = *ready.chosen.score;
  const auto ticks = [](double seconds) {
    return std::chrono::duration_cast<Watch::Clock::duration>(std::chrono::duration<double>(seconds));
  };
  const auto began = Watch::Clock::now() - ticks(work.checkpoint ? work.checkpoint->seconds_before() : 0);
  const double limit = time_limit();
  if (limit > 0) watch.deadline = began + ticks(bootstrap_ > 0 ? limit / 2 : limit);
  const int threads = threads_ > 0 ? threads_ : hardware_threads();
  const Task task{data,    score, ready.score_options,  ready.start, ready.knowledge, seed_,
                  threads, watch, work.checkpoint.get()};
  Answer answer = work.search(task);
  check_satisfied(answer.dag, ready.knowledge, data.names());
  for (const std::string& sentence : answer.story) log.note(sentence);

  Found found;
  found.data = ready.data;
  RunRecord& record = found.record;
  record.version = AGON_VERSION;
  record.data = ready.data->record;
  record.score.reason = ready.chosen.reason;
  describe_answer(record, data, score, answer.dag, ready.knowledge);
  record.knowledge.sources = ready.knowledge_sources;
  record.command = command;
  record.algorithm = answer.algorithm;
  record.algorithm_reason = answer.reason;
  record.start = ready.start_place;
  record.own_start = answer.own_start;
  record.seed = seed_;
  record.threads = threads;
  record.moves = answer.moves;
  record.seconds = std::chrono::duration<double>(Watch::Clock::now() - began).count();
  record.stopped_by = answer.stopped_by;
  record.story = answer.story;
  record.varsortability = answer.varsortability;
  record.match = std::move(answer.match);
  record.options = settings_.in_force();
  if (bootstrap_ > 0) {
    if (limit > 0) watch.deadline = began + ticks(limit);
    run_bootstrap(record, work, task);
  }

  if (!ready.truth_place.empty()) {
    found.comparison = compare_with_truth(ready.truth_place, ready.truth, answer.dag, Rng(seed_));
    if (data.all_of(ColumnKind::kContinuous)) {
      found.comparison->varsortability = varsortability(data.size(), ready.truth, column_variances(data));
    }
  }
  found.certificate = std::move(answer.certificate);
  found.pag = std::move(answer.pag);
  if (!watch.stop_requested()) found.checkpoint = work.checkpoint;
  found.dag = std::move(answer.dag);
  return found;
}

std::string Found::json() const {
  return result_json(record, comparison ? &*comparison : nullptr, certificate ? &*certificate : nullptr);
}

}  // namespace agon
