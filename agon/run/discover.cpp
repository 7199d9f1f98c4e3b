#include "agon/run/discover.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/match/bootstrap.h"
#include "agon/match/cam_pruning.h"
#include "agon/match/match.h"
#include "agon/opponent/independence.h"
#include "agon/report/table.h"
#include "agon/run/forecast.h"
#include "agon/score/own_score.h"

namespace agon {
namespace {

// Past this many single edits the certificate checks the first of them and says that it did not check all: at about a
// thousand columns the check would take longer than the match.
constexpr long kMostNeighbours = 1'000'000;

// The certificate is made even after an interruption or at the end of the time: it is part of the answer.
Certificate certified(const MatchResult& match, const Task& task) {
  Claim claim{.data = task.data, .score = task.score.traits().name, .knowledge = task.knowledge};
  claim.penalty = task.score_options.penalty;
  claim.sample_size = task.score_options.sample_size;
  claim.max_parents = task.score.traits().max_parents;
  claim.champion = match.champion;
  claim.candidates = match.candidates;
  claim.edge_budget = match.edge_budget;
  for (const Proposal& proposal : match.opponents) claim.opponents.push_back(proposal.result.dag);
  task.watch.tell({"certificate", match.counts.moves, match.champion.edge_count(), match.score,
                   match.score - match.opponents[match.best_opponent].result.score, 0, "move"});
  const Certificate certificate =
      certify(claim, {.seed = task.seed, .threads = task.threads, .neighbour_limit = kMostNeighbours});
  enforce(certificate, task.data.names());
  return certificate;
}

Answer play(const std::vector<const OpponentEntry*>& opponents, const TestOptions& test, const MatchOptions& options,
            const Task& task) {
  const Rng rng(task.seed);
  std::vector<Entrant> entrants;
  for (const OpponentEntry* opponent : opponents) {
    entrants.push_back({opponent->name, [&task, &test, &rng, &options, opponent](const Watch& match_watch) {
                          Watch watch = match_watch;
                          watch.report = [&match_watch, opponent](Progress progress) {
                            progress.phase = opponent->name + ", " + progress.phase;
                            match_watch.tell(progress);
                          };
                          return opponent->propose({.data = task.data,
                                                    .score = task.score,
                                                    .start = task.start,
                                                    .knowledge = task.knowledge,
                                                    .rng = rng.split(opponent->name),
                                                    .threads = task.threads,
                                                    .test = test,
                                                    .cache_bytes = options.cache_bytes,
                                                    .watch = watch});
                        }});
  }
  const MatchResult match = play_match(task.score, entrants, options, task.knowledge, rng.split("match"), task.watch);

  Answer answer;
  if (task.score.traits().name != kOwnScore) {
    answer.certificate = certified(match, task);
  } else {
    answer.story.push_back(
        "the score is the caller's own, so nothing of it was derived again: there is no certificate");
  }
  answer.dag = match.champion;
  answer.algorithm = "match";
  answer.reason = "opponents propose, the challenger edits, the best is the champion";
  answer.own_start = true;
  answer.moves = match.counts.moves;
  answer.stopped_by = match.stopped_by;
  for (const Proposal& proposal : match.opponents) {
    for (const std::string& sentence : proposal.result.story) answer.story.push_back(proposal.name + ": " + sentence);
  }
  answer.match = describe_match(match, task.data.names(), task.knowledge);
  return answer;
}

void refuse_what_has_no_effect(const OpponentEntry& opponent, const Settings& settings) {
  std::vector<std::string> starters;
  for (const OpponentEntry& entry : opponent_entries()) {
    if (entry.takes_start) starters.push_back(entry.name);
  }
  if (settings.given("start") && !opponent.takes_start) {
    throw UsageError(fmt::format("--start has no effect on {}: {}", opponent.name, opponent.summary),
                     "algorithms that begin at a given graph: " + listed(starters));
  }
  if (opponent.takes_start && !opponent.searches && !settings.given("start")) {
    throw UsageError(fmt::format("the algorithm {} needs --start GRAPH", opponent.name));
  }
  for (const std::string option : {"max-parents", "time-limit", "bootstrap"}) {
    if (settings.given(option) && !opponent.searches) {
      throw UsageError(fmt::format("--{} has no effect on {}, which does not search", option, opponent.name));
    }
  }
}

SearchResult propose(const OpponentEntry& opponent, const TestOptions& test, size_t caches, const Task& task) {
  return opponent.propose({.data = task.data,
                           .score = task.score,
                           .start = task.start,
                           .knowledge = task.knowledge,
                           .rng = Rng(task.seed),
                           .threads = task.threads,
                           .test = test,
                           .cache_bytes = caches,
                           .watch = task.watch});
}

Answer run_alone(const OpponentEntry& opponent, const TestOptions& test, size_t caches, const Task& task) {
  SearchResult found = propose(opponent, test, caches, task);
  Answer answer;
  answer.dag = std::move(found.dag);
  answer.pag = std::move(found.pag);
  answer.algorithm = opponent.name;
  answer.reason = opponent.summary;
  answer.own_start = !opponent.takes_start;
  answer.moves = found.steps;
  answer.stopped_by = std::move(found.stopped_by);
  answer.story = std::move(found.story);
  answer.varsortability = found.varsortability;
  return answer;
}

// An opponent that works on classes (boss ends with ges) goes round in circles when two members of a class score
// differently.
void refuse_unequal_members(const OpponentEntry& opponent, const LocalScore& score) {
  if ((opponent.name != "ges" && opponent.name != "boss") || score.traits().score_equivalent) return;
  throw UsageError(fmt::format("{} needs a score that is the same for every member of a class, and this one does not "
                               "say so",
                               opponent.name),
                   "tabu and hc take any score");
}

// Tells what a search will take, and with which caches it fits the memory it may use.
size_t caches_that_fit(const Workload& work, double memory, const Prepared& ready, Journal& log) {
  log.note(forecast_text(work));
  const size_t caches = fitting_caches(work, memory, ready.data->table.source());
  if (caches < work.cache_bytes) {
    log.note(fmt::format("caches are kept to {} so that the search fits {}: it may take longer, the answer is the same",
                         memory_text(static_cast<double>(caches)), memory_text(memory)));
  }
  return caches;
}

}  // namespace

DiscoverSettings::DiscoverSettings(Settings& settings)
    : settings_(settings), search_(settings), test_(settings), challenger_(settings), checkpoint_(settings) {
  settings.list("opponent", opponents_);
  settings.value("prune", prune_);
}

std::vector<const OpponentEntry*> DiscoverSettings::chosen_opponents(bool own_score) const {
  std::vector<std::string> names = opponents_;
  if (names.empty() && settings_.given("start")) names = {"file"};
  if (names.empty() && own_score) names = {"tabu"};
  if (names.empty()) names = {"ges", "boss"};
  std::vector<const OpponentEntry*> chosen;
  bool takes_start = false;
  for (const std::string& name : names) {
    const OpponentEntry& entry = opponent_entry(name);
    if (std::find(chosen.begin(), chosen.end(), &entry) != chosen.end()) {
      throw UsageError(fmt::format("--opponent names {} twice", name));
    }
    if (entry.takes_start && !entry.searches && !settings_.given("start")) {
      throw UsageError(fmt::format("the opponent {} needs --start GRAPH", name));
    }
    takes_start = takes_start || entry.takes_start;
    chosen.push_back(&entry);
  }
  if (settings_.given("start") && !takes_start) {
    throw UsageError("--start has no effect on these opponents: " + listed(names),
                     "leave --opponent away, or add file to it: the graph you have, to be improved");
  }
  return chosen;
}

// Why these opponents and this much play, for the reader.
std::string DiscoverSettings::why_so(const MatchOptions& options, int columns) const {
  const std::string opponents = settings_.given("opponent") ? "opponents as --opponent asks"
                                : settings_.given("start")
                                    ? "the graph of --start is the opponent, --opponent chooses others"
                                    : "opponents by default, --opponent chooses others";
  const long moves = options.moves < 0 ? default_moves(columns) : options.moves;
  const std::string budget = options.moves >= 0 ? fmt::format("at most {}, as --moves asks", counted(moves, "move"))
                                                : fmt::format("at most {} for {}, --moves or --time-limit changes that",
                                                              counted(moves, "move"), counted(columns, "column"));
  return opponents + "; " + budget;
}

Found DiscoverSettings::run(GivenInput given, const std::string& command, const Watch& watch, Journal& log,
                            const BeforeSearch& before) {
  MatchOptions options;
  challenger_.fill(options);
  if (prune_ != "cam" && prune_ != "none") {
    throw UsageError(fmt::format("--prune {} is unknown; expected cam or none", quoted(prune_)));
  }
  const std::vector<const OpponentEntry*> opponents = chosen_opponents(given.score != nullptr);
  const TestOptions test = test_.options(opponents);
  checkpoint_.check(given.score != nullptr);
  const Prepared ready = search_.prepare(std::move(given), log);
  if (asks_tests(opponents)) resolve_test(ready.data->table, test.name);  // before others have worked in vain
  for (const OpponentEntry* opponent : opponents) refuse_unequal_members(*opponent, *ready.chosen.score);
  if (before) before(ready);
  const Workload work = workload_of(ready.data->table, *ready.chosen.score, options, opponents, search_.resamples());
  options.cache_bytes = caches_that_fit(work, search_.memory(), ready, log);
  const std::shared_ptr<Checkpoint> checkpoint = checkpoint_.open(
      {ready.data->table.checksum(), ready.start, ready.knowledge, options.challenger.local.proposal.network}, log);
  const auto search = [&](const Task& task) {
    options.threads = task.threads;
    options.checkpoint = task.checkpoint;
    if (prune_ == "cam") {
      options.prune = [&task](const Dag& dag) {
        return pruned_candidates(task.data, dag, {.threads = task.threads}, task.knowledge);
      };
    }
    Answer answer = play(opponents, test, options, task);
    answer.match->reason = why_so(options, task.data.size());
    return answer;
  };
  const auto resample = [&options](const Task& task) {
    return quick_match(task.score, task.knowledge, Rng(task.seed), task.watch,
                       std::min(options.cache_bytes / 8, size_t{32} << 20));
  };
  return search_.run(ready, {search, resample, "boss and a short play", checkpoint}, command, watch, log);
}

Found RunSettings::run(const std::string& algorithm, GivenInput given, const std::string& command, const Watch& watch,
                       Journal& log, const BeforeSearch& before) {
  const OpponentEntry& opponent = opponent_entry(algorithm);
  refuse_what_has_no_effect(opponent, settings_);
  const TestOptions test = test_.options({&opponent});
  const Prepared ready = search_.prepare(std::move(given), log);
  refuse_unequal_members(opponent, *ready.chosen.score);
  if (before) before(ready);
  size_t caches = 0;  // of a search by the score; what the others take is not known
  if (opponent.searches && opponent.climbs) {
    const Workload work =
        workload_of(ready.data->table, *ready.chosen.score, {.moves = 0}, {&opponent}, search_.resamples());
    caches = caches_that_fit(work, search_.memory(), ready, log);
  }
  return search_.run(ready,
                     {[&](const Task& task) { return run_alone(opponent, test, caches, task); },
                      [&](const Task& task) { return propose(opponent, test, caches, task).dag; }, opponent.name},
                     command, watch, log);
}

}  // namespace agon
