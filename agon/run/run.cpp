#include "agon/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/grace.h"
#include "agon/catalog/scores.h"
#include "agon/graph/varsortability.h"
#include "agon/opponent/boss.h"
#include "agon/posterior/consensus.h"
#include "agon/posterior/posterior.h"
#include "agon/run/describe.h"
#include "agon/run/forecast.h"
#include "agon/run/prepare.h"
#include "agon/run/proving.h"
#include "agon/run/search.h"
#include "agon/score/edge_price.h"
#include "agon/version.h"

namespace agon {
namespace {

using Clock = Watch::Clock;

Clock::duration ticks(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// The certificate checks so many single edits in any case, and as many as it can within so many seconds of one core. It
// checks all of them where the score has a bound on what an addition gains. Else it says how many it did not look at.
constexpr long kSureNeighbours = 1'000'000;
constexpr double kNeighbourSeconds = 120;

// Logs how much time and memory the search will take, and returns the size of caches that fits the memory it may use.
size_t caches_that_fit(const Workload& work, double memory, const Dataset& data, Journal& log) {
  log.detail(forecast_text(work));
  const size_t caches = fitting_caches(work, memory, data.source());
  if (caches < work.cache_bytes) {
    log.note(fmt::format("caches are kept to {} so that the search fits {}: it may take longer, the answer is the same",
                         memory_text(static_cast<double>(caches)), memory_text(memory)));
  }
  return caches;
}

// How many resamples are searched, and what is known before the search about its cost.
struct Costs {
  int resamples = 0;
  double resampling_seconds = 0;
  double search_seconds = 0;  // of one core, without resamples
  size_t cache_bytes = 0;
};

bool can_resample(const Prepared& ready) {
  return ready.chosen.make_plain != nullptr && has_resamples(ready.data->table);
}

// There is no forecast for algorithms that do not search by the score.
Costs costs_of(const RunRequest& request, const Plan& plan, const Prepared& ready, Journal& log) {
  Costs costs{.resamples = std::max(0, request.bootstrap)};
  MatchOptions options = plan.match;
  if (request.kind == RunRequest::Kind::kAlone) {
    const OpponentEntry& algorithm = *plan.algorithms[0];
    if (!algorithm.searches || !algorithm.climbs) return costs;
    options.moves = 0;
  }
  const Dataset& data = ready.data->table;
  Workload work = workload_of(data, *ready.chosen.score, options, plan.algorithms, costs.resamples);
  if (request.bootstrap == RunRequest::kUsual && can_resample(ready)) {
    costs.resamples = affordable_resamples(work);
    work = workload_of(data, *ready.chosen.score, options, plan.algorithms, costs.resamples);
  }
  Workload alone = work;
  alone.resamples = 0;
  costs.search_seconds = forecast(alone).seconds;
  costs.resampling_seconds = costs.resamples * resample_seconds(work);
  costs.cache_bytes = caches_that_fit(work, request.memory(), data, log);
  return costs;
}

// How much of a time limit is kept for a proof that was asked for, the posterior and the bootstrap: half, or what a
// bootstrap that nobody asked for will take.
double share_after_search(const RunRequest& request, const Costs& costs, double limit) {
  if (request.proof && request.proof->prove) return limit / 2;
  if (request.posterior) return limit / 2;
  if (costs.resamples == 0) return 0;
  return request.bootstrap == RunRequest::kUsual ? std::min(limit / 2, costs.resampling_seconds) : limit / 2;
}

// How much of it is kept for what comes after the proof.
double share_after_proof(const RunRequest& request, const Costs& costs, double limit) {
  if (!request.proof->prove) return share_after_search(request, costs, limit);
  return request.posterior || costs.resamples > 0 ? limit / 4 : 0;
}

std::shared_ptr<Checkpoint> open_checkpoint(const RunRequest& request, const Plan& plan, const Prepared& ready,
                                            Journal& log) {
  if (!request.checkpoint || !request.settings.given("checkpoint")) return nullptr;
  return request.checkpoint->open(
      {ready.data->table.checksum(), ready.start, ready.knowledge, plan.match.challenger.local.proposal.network.get()},
      log);
}

// The seconds are those of a forecast, so that the limit does not depend on the clock. 0: none.
long neighbour_limit(const plain::Scorer& judge) {
  if (judge.size() == 0) return 0;
  const plain::Family first{0, {}};
  if (!judge.may_gain({&first, 1}, 0).empty()) return 0;
  return std::max(kSureNeighbours, std::lround(1e9 * kNeighbourSeconds / judge.work_per_family(2)));
}

Certificate certificate_of(const MatchResult& match, const plain::Scorer& judge, const Prepared& ready,
                           const Task& task) {
  Claim claim{.data = task.data, .scorer = judge, .knowledge = task.knowledge};
  claim.max_parents = task.score.traits().max_parents;
  claim.champion = match.champion;
  claim.candidates = match.candidates;
  claim.edge_budget = match.edge_budget;
  claim.ascent_cut = match.ascent_cut;
  for (const OpponentResult& opponent : match.opponents) claim.opponents.push_back(opponent.result.dag);
  task.watch.tell({"certificate", match.counts.moves, match.champion.edge_count(), match.score,
                   match.score - match.opponents[match.best_opponent].result.score, 0, "move"});
  const CertificateOptions options{
      .seed = task.seed, .threads = task.threads, .neighbour_limit = neighbour_limit(judge)};
  Certificate certificate = certify(claim, options, with_grace(task.watch));
  const ChosenScore& chosen = ready.chosen;
  certificate.gaps =
      check_gaps(chosen.untreated->table, task.data, chosen.missing, chosen.fit, chosen.score->moments(), judge);
  enforce(certificate, task.data.names());
  return certificate;
}

// Beyond so many columns the next score is not asked, so that it costs a fraction of the match.
constexpr int kMostForNextScore = 200;

// What BOSS, from the order of GES alone, says by the next score; nothing if it was stopped.
void add_next_score(RunRecord& record, const Prepared& ready, const Task& task, const Dag& answer) {
  if (!ready.chosen.next || task.data.size() > kMostForNextScore) return;
  const NextScore& next = *ready.chosen.next;
  const auto score = make_score(next.name, task.data, next.options);
  const BossOptions quick = {.random_starts = 0, .evaluations = 0, .threads = task.threads};
  const SearchResult found = boss(*score, quick, Rng(task.seed), task.watch, task.knowledge);
  if (task.watch.stop_requested()) return;
  record.score.next = describe_next_score(next.label, answer, found.dag, task.data.names());
}

// How much better any graph could be. It may change the champion of the match.
Proved prove(const RunRequest& request, const plain::Scorer& judge, const Prepared& ready, const Task& task,
             const Costs& costs, MatchResult& match, const Watch& watch) {
  const JudgedScore score{judge, task.score.traits().name, ready.chosen.options.penalty, task.data};
  const ProvingTask proving{score, task.knowledge, task.score, costs.search_seconds, request.memory(), task.threads};
  return prove_champion(*request.proof, proving, match, watch);
}

// What each edge loses, beside its strength.
void add_losses(RunRecord& record, const std::vector<EdgeLoss>& losses, const std::vector<std::string>& names) {
  const auto recorded = [](const LossBound& loss) { return LossRecord{loss.value, loss.proven}; };
  for (EdgeRecord& edge : record.edges) {
    const auto found = std::ranges::find_if(losses, [&](const EdgeLoss& loss) {
      return names[loss.edge.from] == edge.from && names[loss.edge.to] == edge.to;
    });
    if (found == losses.end()) continue;
    if (found->adjacency) edge.adjacency_loss = recorded(*found->adjacency);
    if (found->direction) edge.direction_loss = recorded(*found->direction);
  }
}

// What was asked for, the data and the score it was asked of, and the answer.
RunRecord record_of(const RunRequest& request, const Plan& plan, const Prepared& ready, const Task& task,
                    const Answer& answer) {
  const Dataset& data = task.data;
  RunRecord record;
  record.version = AGON_VERSION;
  record.data = ready.data->record;
  record.score.reason = ready.chosen.reason;
  record.score.edge_price = edge_price(task.score);
  record.score.matrix = describe_matrix(task.score, ready.chosen.options);
  for (const TreatmentTotal& total : ready.chosen.regimes.totals) {
    record.score.treatments.push_back({to_string(total.treatment), total.total,
                                       total.treatment == ready.chosen.regimes.used,
                                       describe_edges(total.dag, data.names())});
  }
  record.score.remark = ready.chosen.regimes.remark();
  if (!ready.chosen.missing.assumption().empty()) {
    record.data.missing.policy = to_string(ready.chosen.missing.used);
    record.data.missing.assumption = ready.chosen.missing.assumption();
  }
  describe_answer(record, data, task.score, answer.dag, ready.knowledge);
  if (answer.pag) record.pag = describe_pag(*answer.pag, data.names());
  record.knowledge.sources = ready.knowledge_sources;
  record.start = ready.start_place;
  record.seed = task.seed;
  record.threads = task.threads;
  record.moves = answer.moves;
  record.stopped_by = answer.stopped_by;
  record.story = plan.left_out;
  record.story.insert(record.story.end(), answer.story.begin(), answer.story.end());
  record.varsortability = answer.varsortability;
  record.options = request.settings.in_force();
  for (auto& [name, value] : record.options) {
    if (name == "basis" && record.score.matrix) value = int64_t{record.score.matrix->basis};  // the table may choose it
  }
  if (answer.match) {
    record.algorithm = "match";
    record.reason = match_reason(request, plan.match, task.score, plan.algorithms.size());
    record.own_start = true;
    record.match = describe_match(*answer.match, data.names(), ready.knowledge, task.score.traits().row_set);
  } else {
    record.algorithm = plan.algorithms[0]->name;
    record.reason = plan.algorithms[0]->summary;
    record.own_start = !plan.algorithms[0]->takes_start;
  }
  return record;
}

// A resample is scored with the same score and the same options as the table.
void add_bootstrap(RunRecord& record, int resamples, const RunRequest& request, const Plan& plan, const Prepared& ready,
                   const Task& task) {
  const ResampleSearch search = [&](const Dataset& rows, const Rng& rng, const Watch& watch) {
    MissingPlan missing = ready.chosen.missing;
    missing.seed = Rng(rng).split("gaps").next();
    std::optional<Dataset> filled;
    if (missing.changes_table()) filled = treated(rows, missing, {.watch = &watch}).data;
    const Dataset& table = filled ? *filled : rows;
    ScoreOptions options = ready.chosen.options;
    options.threads = 1;
    options.watch = &watch;
    const auto score = make_score(task.score.traits().name, table, options);
    const uint64_t seed = Rng(rng).next();
    return search_resample(request, plan, {table, *score, task.start, task.knowledge, seed, 1, watch});
  };
  const auto began = Clock::now();
  const Bootstrap bootstrap = bootstrap_edges(ready.chosen.untreated->table, search,
                                              {resamples, task.threads, task.checkpoint, task.score.traits().row_set},
                                              task.knowledge, Rng(task.seed).split("bootstrap"), task.watch);
  if (bootstrap.resamples == 0 && request.bootstrap == RunRequest::kUsual) return;
  describe_bootstrap(record, bootstrap, task.data.names());
  record.bootstrap->search = resample_search_name(request, plan);
  record.bootstrap->seconds = seconds_since(began);
  if (bootstrap.resamples < bootstrap.asked) record.bootstrap->stopped_by = task.watch.stop_reason();
}

// The candidates of a sample come from all graphs that the search brought about, the answer first.
void add_posterior(RunRecord& record, const RunRequest& request, const Answer& answer, const Prepared& ready,
                   const Task& task) {
  std::vector<Dag> graphs = {answer.dag};
  if (answer.match) {
    for (const OpponentResult& opponent : answer.match->opponents) graphs.push_back(opponent.result.dag);
  }
  PosteriorOptions options{.steps = static_cast<long>(request.posterior_steps),
                           .candidates = request.posterior_candidates,
                           .threads = task.threads};
  if (options.steps > 0) options.exact_nodes = 0;
  const auto began = Clock::now();
  const Posterior posterior =
      edge_posterior(task.score, task.knowledge, graphs, options, Rng(task.seed).split("posterior"), task.watch);
  const std::vector<ScoreEntry>& entries = score_entries();
  const auto entry = std::ranges::find(entries, task.score.traits().name, &ScoreEntry::name);
  const bool marginal = ready.chosen.make_plain && entry != entries.end() && entry->marginal_likelihood;
  describe_posterior(record, posterior, task.data.names(), marginal);
  if (!posterior.empty()) {
    const Dag trusted = consensus(posterior.nodes, posterior.arrow, task.score.traits().max_parents);
    record.posterior->consensus = describe_consensus(trusted, task.score, task.data.names(), task.knowledge);
  }
  record.posterior->seconds = seconds_since(began);
}

void refuse_wide_posterior(const RunRequest& request, const Dataset& data) {
  if (!request.posterior || data.size() <= kMostSampledNodes) return;
  throw InputError(
      data.source(),
      fmt::format("--posterior takes at most {} columns, and there are {}", kMostSampledNodes, data.size()),
      "omit --posterior; --bootstrap gives shares of edges");
}

// Lets the caller watch the match. All three outlive it.
void tell_of_play(MatchOptions& match, const RunContext& context, const Dataset& data) {
  if (context.on_champion) {
    match.on_champion = [&](const Dag& dag, double score, const std::string& found_by) {
      context.on_champion(describe_edges(dag, data.names()), score, found_by);
    };
  }
  if (context.on_round) {
    match.on_round = [&](const std::vector<ArmResult>& arms, const std::vector<double>& shares) {
      context.on_round(describe_arms(arms), shares);
    };
  }
}

Comparison comparison_of(const Prepared& ready, const Task& task, const Dag& dag, const Watch& watch) {
  const Dataset& data = task.data;
  Comparison comparison =
      compare_with_truth(ready.truth_place, ready.truth, dag, Rng(task.seed), task.score.traits().row_set, watch);
  const bool ordinary = !data.has_missing() && !data.has_weights() && !data.is_summary() && !data.has_regimes();
  if (ordinary && data.all_of(ColumnKind::kContinuous)) {
    comparison.varsortability = varsortability(data.size(), ready.truth, column_variances(data));
  }
  return comparison;
}

}  // namespace

RunResult run(RunRequest& request, GivenInput given, const RunContext& context) {
  const auto called = Clock::now();
  Journal& log = context.log;
  Watch watch = context.watch;

  // 1. What follows from the options alone: who takes part. Wrong options are refused before anything is read.
  Plan plan = make_plan(request, given);

  // 2. Read the table and the kinds of its columns, the score, the start, the knowledge, the truth.
  const Prepared ready = prepare(request, std::move(given), watch, log);
  const Dataset& data = ready.data->table;
  fit_plan(plan, request.kind, ready, log);
  if (!request.preset.empty() && plan.match.game.edge_budget == 0) plan.match.game.edge_budget = 2 * data.size();
  refuse_wide_posterior(request, data);
  if (!context.folder.empty()) make_writable_folder(context.folder);

  // 3. Forecast time and memory; find what an earlier run that was killed has already done.
  const Costs costs = costs_of(request, plan, ready, log);
  plan.match.cache_bytes = costs.cache_bytes;
  tell_of_play(plan.match, context, data);
  const std::shared_ptr<Checkpoint> checkpoint = open_checkpoint(request, plan, ready, log);
  const auto earlier = ticks(checkpoint ? checkpoint->seconds_before() : 0);
  const auto began = Clock::now() - earlier;
  const double limit = request.seconds();
  const auto until = [&](double seconds) {  // of the limit
    Watch limited = watch;
    if (limit > 0) limited.deadline = called - earlier + ticks(seconds);
    return limited;
  };
  watch = until(limit - share_after_search(request, costs, limit));

  // The certificate's scorer is made now, so that a table it cannot score is refused before play. The caller's own
  // score has none.
  std::unique_ptr<plain::Scorer> judge;
  if (request.kind == RunRequest::Kind::kMatch && ready.chosen.make_plain) judge = ready.chosen.make_plain();

  // 4. The search: opponents propose, challengers play, the champion is made 1-optimal; or one algorithm alone.
  const Task task{data,         *ready.chosen.score,    ready.start, ready.knowledge,
                  request.seed, request.thread_count(), watch,       checkpoint.get()};
  Answer answer = request.kind == RunRequest::Kind::kMatch ? play(plan, task) : run_alone(plan, task);
  check_satisfied(answer.dag, ready.knowledge, data.names());

  // 5. The referee: how much better any graph could be. A better one that it finds is the answer.
  std::optional<Proved> proved;
  if (judge) {
    proved = prove(request, *judge, ready, task, costs, *answer.match,
                   until(limit - share_after_proof(request, costs, limit)));
    answer.dag = answer.match->champion;
    check_satisfied(answer.dag, ready.knowledge, data.names());
    answer.story.insert(answer.story.end(), proved->story.begin(), proved->story.end());
  }

  // 6. The certificate: everything the match claims, derived again from the table.
  std::optional<Certificate> certificate;
  if (judge) {
    certificate = certificate_of(*answer.match, *judge, ready, task);
    certificate->optimum = proved->optimum;
  } else if (answer.match) {
    answer.story.insert(answer.story.begin(),
                        "the score is the caller's own, so nothing of it was derived again: there is no certificate");
  }
  if (answer.match && answer.match->ascent_cut) {
    answer.story.push_back(plan.match.as_visited
                               ? "the answer is the champion as play left it: a single edit may still improve it"
                               : "the limit cut the last ascent: a single edit may still improve the answer");
  }
  for (const std::string& sentence : answer.story) log.detail(sentence);

  // 7. The record; the posterior, the bootstrap and the comparison with a truth are added to it.
  RunResult result{
      record_of(request, plan, ready, task, answer), ready.data, ready.chosen.untreated, nullptr, nullptr, ""};
  if (proved) add_losses(result.record, proved->losses, data.names());
  if (proved) result.proof = std::move(proved->proof);
  if (const BlockMoments* moments = ready.chosen.score->moments(); moments != nullptr && moments->em) {
    result.moments = std::make_shared<const BlockMoments>(*moments);
  }
  RunRecord& record = result.record;
  record.command = context.command;
  record.certificate = std::move(certificate);
  record.seconds = seconds_since(began);
  if (record.certificate) add_next_score(record, ready, task, answer.dag);
  if (request.posterior) {
    watch = until(costs.resamples > 0 ? 0.75 * limit : limit);
    add_posterior(record, request, answer, ready, task);
  }
  if (costs.resamples > 0) {
    watch = until(limit);
    add_bootstrap(record, costs.resamples, request, plan, ready, task);
  }
  if (!ready.truth_place.empty()) record.comparison = comparison_of(ready, task, answer.dag, with_grace(until(limit)));
  if (!watch.stop_requested()) result.checkpoint = checkpoint;
  return result;
}

}  // namespace agon
