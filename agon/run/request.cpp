#include "agon/run/request.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/memory.h"
#include "agon/base/parallel.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/base/units.h"
#include "agon/catalog/options.h"
#include "agon/report/table.h"
#include "agon/run/forecast.h"
#include "agon/run/preset.h"

namespace agon {
namespace {

std::string names_of(const std::vector<const OpponentEntry*>& entries) {
  std::vector<std::string> names;
  for (const OpponentEntry* entry : entries) names.push_back(entry->name);
  return joined(names, ",");
}

// The opponents of a match: those asked for; otherwise the graph that was given, or else the default ones.
std::vector<const OpponentEntry*> chosen_opponents(const RunRequest& request, bool own_score) {
  const std::vector<std::string>& names = request.opponents;
  const bool has_start = request.settings.given("start");
  using enum PlaysUnasked;
  if (names.empty()) return default_opponents(has_start ? kOnStart : own_score ? kOnOwnScore : kUsually);
  std::vector<const OpponentEntry*> chosen;
  bool takes_start = false;
  for (const std::string& name : names) {
    const OpponentEntry& entry = opponent_entry(name);
    if (std::find(chosen.begin(), chosen.end(), &entry) != chosen.end()) {
      throw UsageError(fmt::format("--opponent names {} twice", name));
    }
    if (entry.needs_start() && !has_start) {
      throw UsageError(fmt::format("the opponent {} needs --start GRAPH", name));
    }
    takes_start = takes_start || entry.takes_start;
    chosen.push_back(&entry);
  }
  if (has_start && !takes_start) {
    throw UsageError("--start has no effect on these opponents: " + listed(names),
                     "omit --opponent, or add file to it: the graph you have, to be improved");
  }
  return chosen;
}

// An option that has no effect on the algorithm that runs alone is an error.
void refuse_what_has_no_effect(const OpponentEntry& algorithm, const Settings& settings) {
  std::vector<std::string> starters;
  for (const OpponentEntry& entry : opponent_entries()) {
    if (entry.takes_start) starters.push_back(entry.name);
  }
  if (settings.given("start") && !algorithm.takes_start) {
    throw UsageError(fmt::format("--start has no effect on {}: {}", algorithm.name, algorithm.summary),
                     "algorithms that begin at a given graph: " + listed(starters));
  }
  if (algorithm.needs_start() && !settings.given("start")) {
    throw UsageError(fmt::format("the algorithm {} needs --start GRAPH", algorithm.name));
  }
  for (const std::string option : {"max-parents", "time-limit", "bootstrap"}) {
    if (settings.given(option) && !algorithm.searches) {
      throw UsageError(fmt::format("--{} has no effect on {}, which does not search", option, algorithm.name));
    }
  }
  if (settings.given("checkpoint") && !algorithm.resumes) {
    std::vector<std::string> resumable;
    for (const OpponentEntry& entry : opponent_entries()) {
      if (entry.resumes) resumable.push_back(entry.name);
    }
    throw UsageError(fmt::format("--checkpoint has no effect on {}, which cannot be resumed", algorithm.name),
                     "algorithms that can be: " + listed(resumable));
  }
}

// Without --posterior the record is what it would be if there were no such option.
void settle_posterior(RunRequest& request, const std::vector<const OpponentEntry*>& algorithms) {
  for (const std::string option : {"posterior-steps", "posterior-candidates"}) {
    if (request.posterior) break;
    if (request.settings.given(option)) throw UsageError(fmt::format("--{} has no effect without --posterior", option));
    request.settings.leave_out(option);
  }
  if (!request.posterior) return request.settings.leave_out("posterior");
  if (request.kind == RunRequest::Kind::kAlone && algorithms[0]->allows_hidden) {
    throw UsageError(fmt::format("--posterior is over DAGs, and {} allows for hidden causes", algorithms[0]->name));
  }
  if (request.bootstrap == RunRequest::kUsual) request.bootstrap = 0;
}

void check_values(const RunRequest& request) {
  request.seconds();
  request.memory();
}

void refuse_with_own_score(const RunRequest& request) {
  if (request.bootstrap > 0) {
    throw UsageError("--bootstrap has no effect on a score of your own: it is bound to the rows it was made with",
                     "a score of `agon list scores` can be computed on other rows");
  }
  if (const std::vector<std::string> options = request.score.given(); !options.empty()) {
    throw UsageError(fmt::format("--{} has no effect on a score of your own", options[0]));
  }
}

}  // namespace

RunRequest::RunRequest(Settings& given, Kind which)
    : settings(given), kind(which), data(given), score(given, ScoreSettings::Purpose::kSearch), knowledge(given) {
  given.option(start, {.name = "start",
                       .value = "GRAPH",
                       .help = "graph to start from: a file, or the name of an embedded data set for its true graph",
                       .otherwise = "the empty graph",
                       .common = true});
  if (kind == Kind::kMatch) bootstrap = kUsual;
  given.option(
      bootstrap,
      {.name = "bootstrap",
       .value = "N",
       .help = "resample the rows N times, search each resample, and give every edge its share of "
               "them; 0: do not",
       .range = at_least(0),
       .otherwise = kind == Kind::kMatch ? fmt::format("{} or {} where that takes seconds, else 0; with --posterior 0",
                                                       kUsualResamples[0], kUsualResamples[1])
                                         : "",
       .aliases = {"numberResampling"},
       .common = true});
  given.option(posterior, {.name = "posterior",
                           .help = "give every edge, arrow and causal path its posterior probability over all DAGs: "
                                   "exact up to 12 columns, sampled beyond"});
  given.option(posterior_steps, {.name = "posterior-steps",
                                 .value = "N",
                                 .help = "steps of each chain of --posterior, which then samples in any case",
                                 .range = at_least(1),
                                 .otherwise = "until the chains agree, with a limit"});
  given.option(posterior_candidates, {.name = "posterior-candidates",
                                      .value = "N",
                                      .help = "how many columns may be parents of a column in a sample of --posterior",
                                      .range = at_least(1).at_most(16),
                                      .otherwise = "12, fewer beyond 100 columns"});
  given.option(time_limit, {.name = "time-limit",
                            .value = "T",
                            .help = "stop after this long with the best so far: 60s, 2m, 500ms; --bootstrap and "
                                    "--posterior get half of it, and the opponents of a match at most half of what is "
                                    "left",
                            .otherwise = "none",
                            .common = true});
  given.option(memory_limit,
               {.name = "memory-limit",
                .value = "SIZE",
                .group = OptionGroup::kResources,
                .help = "memory the search may use, as 500M or 2G: caches are made smaller until it fits, "
                        "which costs time and changes no answer; what cannot fit is refused",
                .otherwise = "what the machine has"});
  given.option(threads, threads_option());
  given.option(seed, seed_option());
  given.option(truth, {.name = "truth",
                       .value = "GRAPH",
                       .group = OptionGroup::kOutput,
                       .help = "known graph (file, or name of an embedded data set) to compare the answer with",
                       .common = true});
  test.emplace(given, kind == Kind::kAlone);
  learner.emplace(given);
  checkpoint.emplace(given);
  if (kind == Kind::kAlone) return;
  given.option(preset, preset_option());
  challenger.emplace(given);
  proof.emplace(given);
  given.option(opponents,
               {.name = "opponent",
                .value = "NAME,...",
                .help = "who proposes the graphs to beat, see `agon list opponents`",
                .otherwise = fmt::format("{}; with --start: {}", names_of(default_opponents(PlaysUnasked::kUsually)),
                                         names_of(default_opponents(PlaysUnasked::kOnStart))),
                .common = true});
  given.option(prune, {.name = "prune",
                       .value = "HOW",
                       .help = "after play, regress each node on its parents, and let graphs without the insignificant "
                               "ones be candidates",
                       .choices = {"none", "cam"}});
}

double RunRequest::seconds() const { return time_limit.empty() ? 0 : parse_duration(time_limit); }

int RunRequest::thread_count() const { return threads > 0 ? threads : hardware_threads(); }

double RunRequest::memory() const {
  return memory_limit.empty() ? agon::memory_limit() : parse_size(memory_limit, "memory-limit");
}

Plan make_plan(RunRequest& request, const GivenInput& given) {
  Plan plan;
  if (request.kind == RunRequest::Kind::kMatch) {
    apply_preset(request.settings, request.preset);
    request.challenger->fill(plan.match);
    plan.prunes = request.prune == "cam";
    plan.algorithms = chosen_opponents(request, given.score != nullptr);
    request.proof->check();
  } else {
    plan.alone = true;
    plan.algorithms = {&opponent_entry(request.algorithm)};
    refuse_what_has_no_effect(*plan.algorithms[0], request.settings);
  }
  request.checkpoint->check(given.score != nullptr);
  plan.test = request.test->options(plan.algorithms);
  plan.learner = request.learner->options(plan.algorithms);
  settle_posterior(request, plan.algorithms);
  request.knowledge.check(given.knowledge ? &*given.knowledge : nullptr);
  check_values(request);
  if (given.score) refuse_with_own_score(request);
  return plan;
}

std::string match_reason(const RunRequest& request, const MatchOptions& options, const LocalScore& score,
                         size_t opponent_count) {
  const std::string opponents = request.settings.given("opponent") ? "opponents as --opponent asks"
                                : request.settings.given("start")
                                    ? "the graph of --start is the opponent, --opponent chooses others"
                                    : "opponents by default, --opponent chooses others";
  const long moves = planned_moves(score, options, opponent_count);
  const std::string budget = options.moves >= 0 ? fmt::format("at most {}, as --moves asks", counted(moves, "move"))
                                                : fmt::format("at most {} for {}, --moves or --time-limit changes that",
                                                              counted(moves, "move"), counted(score.size(), "column"));
  return opponents + "; " + budget;
}

}  // namespace agon
