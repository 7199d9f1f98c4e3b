#include "agon/study/signature.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agon/agent/challengers.h"
#include "agon/base/hash.h"
#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/certificate.h"
#include "agon/data/bins.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/match/bootstrap.h"
#include "agon/match/cam_pruning.h"
#include "agon/match/match.h"
#include "agon/score/counting_score.h"

namespace agon {
namespace {

Dataset with_rows_shuffled(const Dataset& data, uint64_t seed) {
  std::vector<size_t> order(data.rows());
  std::iota(order.begin(), order.end(), size_t{0});
  Rng rng(seed);
  rng.shuffle(order);
  return with_rows(data, order);
}

// ---------------------------------------------------------------------------------------------------------- tables

Dataset linear_table() {
  const Rng rng(11);
  const auto parents = random_graph({.nodes = 15, .average_degree = 3}, rng.split("graph"));
  return simulate_sem(parents, 400, {.noise_low = 0.5, .noise_high = 1.5}, rng.split("data")).data;
}

// Linear, with noise that is far from Gaussian: made for LiNGAM, and easy for the others.
Dataset skewed_table() {
  const std::vector<std::vector<int>> parents = {{}, {0}, {0, 1}, {}, {2, 3}};
  return simulate_sem(parents, 300, {.noise = Noise::kExponential, .weight_low = 0.9, .weight_high = 1.4}, Rng(3)).data;
}

// x -> y -> z with nonlinear effects, and w isolated: made for ANM and GraN-DAG.
Dataset bent_table() {
  const std::vector<std::vector<int>> parents = {{}, {0}, {1}, {}};
  return simulate_sem(parents, 200, {.mechanism = Mechanism::kQuadratic, .noise_low = 0.5, .noise_high = 0.5}, Rng(5))
      .data;
}

// Every third column of the linear table in three levels.
Dataset mixed_table() {
  const Dataset numbers = linear_table(), levels = with_bins(numbers, 3);
  std::vector<Column> columns;
  for (const int node : numbers.file_order()) {
    columns.push_back((columns.size() % 3 == 0 ? levels : numbers).column(node));
  }
  return make_dataset(std::move(columns), "mixed");
}

struct ScoredTable {
  Dataset data;
  std::string score;
};

// ------------------------------------------------------------------------------------------------------------ hashes

uint64_t hash_of(const Dag& dag, const std::vector<std::string>& names, uint64_t seed) {
  for (const Edge& edge : dag.edges()) {
    seed = hash_combine(seed, hash_text(names[edge.from]));
    seed = hash_combine(seed, hash_text(names[edge.to]));
  }
  return hash_combine(seed, static_cast<uint64_t>(dag.edge_count()));
}

uint64_t hash_of(const Pag& pag, const std::vector<std::string>& names, uint64_t seed) {
  for (Node a = 0; a < pag.size(); ++a) {
    for (Node b = 0; b < pag.size(); ++b) {
      if (!pag.adjacent(a, b)) continue;
      seed = hash_combine(seed, hash_text(names[a]));
      seed = hash_combine(seed, hash_text(names[b]));
      seed = hash_combine(seed, static_cast<uint64_t>(pag.mark(a, b)));
    }
  }
  return seed;
}

// ------------------------------------------------------------------------------------------------------------- parts

constexpr long kTrainingSteps = 3000;  // enough for GraN-DAG to find the same graph for any order of these rows
constexpr int64_t kIterations = 20;    // of algorithms that learn, or steps where an iteration is one step

// It uses neither a score nor tests. Its steps are those of an optimiser, and their number depends on rounding, so its
// edges are counted instead.
bool fits_a_model(const OpponentEntry& entry) { return !entry.climbs && !entry.tests; }

class SignatureWork {
 public:
  explicit SignatureWork(const SignatureOptions& options) : options_(options) {}

  // hc, tabu, ges and boss propose, then challengers play; the champion is certified.
  void play(const ScoredTable& task) {
    const auto made = make_score(task.score, task.data, {});
    const CountingScore score(*made);
    const Knowledge nothing(task.data.size());
    const std::vector<std::string> names = task.data.names();
    std::vector<Entrant> entrants;
    for (const std::string name : {"hc", "tabu", "ges", "boss"}) {
      entrants.push_back({name, [&, name](const Watch&, const OpponentResults& earlier) {
                            return answer_of(opponent_entry(name), task, score, earlier);
                          }});
    }
    MatchOptions options{.moves = 6000, .round_moves = 1000, .threads = options_.threads};
    const MatchResult match = play_match(score, entrants, options, nothing, Rng(1).split("match"));
    for (const OpponentResult& opponent : match.opponents) record(opponent.name, opponent.result, names);
    SignaturePart& part = this->part("match");
    part.moves += match.counts.moves;
    part.graphs = hash_of(match.champion, names, part.graphs);
    out_.local_scores += score.asked();
    certify_match(task, match, made->traits().max_parents);
  }

  // Every entry of the catalog proposes a graph, from a table on which its answer is clear; those that learn, which
  // need minutes for that, have a turn of their own. An algorithm that fits a model is given no categories: it would
  // treat them as numbers, and its answer would depend on near-ties.
  void propose(const ScoredTable& task) {
    const auto made = make_score(task.score, task.data, {});
    const CountingScore score(*made);
    for (const OpponentEntry& entry : opponent_entries()) {
      if (!entry.learns.empty()) continue;
      if (fits_a_model(entry) && task.data.all_of(ColumnKind::kCategorical)) continue;
      record(entry.name, answer_of(entry, task, score), task.data.names());
    }
    out_.local_scores += score.asked();
  }

  // A few steps of every algorithm that learns on the table. What it finds by then is chance, but the same on every
  // machine, as what they compute with promises (agon/nn). Its rows are its inputs, so they stay in their order.
  void learn(const ScoredTable& task) {
    const auto made = make_score(task.score, task.data, {});
    const CountingScore score(*made);
    for (const OpponentEntry& entry : opponent_entries()) {
      if (!entry.learns.empty()) record(entry.name, answer_of(entry, task, score), task.data.names());
    }
    out_.local_scores += score.asked();
  }

  // Every challenger alone, from the empty graph.
  void challenge(const ScoredTable& task) {
    const auto made = make_score(task.score, task.data, {});
    const CountingScore score(*made);
    const OpponentEntry& none = opponent_entry("none");
    for (const ChallengerEntry& entry : challenger_entries()) {
      if (!entry.competitors.empty()) continue;  // those that play in it are here by themselves
      MatchOptions options{.moves = 1500, .round_moves = 250, .threads = options_.threads};
      options.challenger = entry.defaults;
      options.challenger.paper.hidden = {32};
      options.challenger.paper.batch = 32;
      const std::vector<Entrant> entrants{
          {"none", [&](const Watch&, const OpponentResults&) { return answer_of(none, task, score); }}};
      const MatchResult match = play_match(score, entrants, options, {}, Rng(2).split("match"));
      SignaturePart& part = this->part("challenger " + entry.name);
      part.moves += match.counts.moves;
      part.graphs = hash_of(match.champion, task.data.names(), part.graphs);
    }
    out_.local_scores += score.asked();
  }

  // What pruning leaves of a graph in which all pairs of the first columns have an edge.
  void prune(const ScoredTable& task) {
    Dag dense(task.data.size());
    for (Node to = 0; to < task.data.size(); ++to) {
      for (Node from = std::max(0, to - 4); from < to; ++from) dense.add_edge(from, to);
    }
    SignaturePart& part = this->part("pruning");
    for (const Dag& pruned : pruned_candidates(task.data, dense, {.threads = options_.threads})) {
      part.moves += dense.edge_count() - pruned.edge_count();
      part.graphs = hash_of(pruned, task.data.names(), part.graphs);
    }
  }

  // The rows of a resample are shuffled after they have been drawn, so that the same rows are drawn in any order.
  void resample(const ScoredTable& task) {
    const ResampleSearch search = [&](const Dataset& drawn, const Rng& rng, const Watch& watch) {
      const Dataset data = options_.row_seed > 0 ? with_rows_shuffled(drawn, options_.row_seed) : drawn;
      return quick_match(*make_score(task.score, data, {}), {}, rng, watch);
    };
    const Bootstrap found =
        bootstrap_edges(task.data, search, {.resamples = 5, .threads = options_.threads}, {}, Rng(4));
    const auto times = [&](double share) { return static_cast<uint64_t>(std::lround(share * found.resamples)); };
    SignaturePart& part = this->part("bootstrap");
    for (const auto& [pair, shares] : found.pairs) {
      part.moves += static_cast<long>(times(shares.edge));
      part.graphs = hash_combine(part.graphs, hash_text(task.data.names()[pair.first]));
      part.graphs = hash_combine(part.graphs, hash_text(task.data.names()[pair.second]));
      for (const double share : {shares.forward, shares.backward, shares.open}) {
        part.graphs = hash_combine(part.graphs, times(share));
      }
    }
  }

  Signature result() && { return std::move(out_); }

 private:
  SignaturePart& part(const std::string& name) {
    const auto at = std::ranges::find(out_.parts, name, &SignaturePart::name);
    return at != out_.parts.end() ? *at : out_.parts.emplace_back(SignaturePart{name, 0, 0});
  }

  SearchResult answer_of(const OpponentEntry& entry, const ScoredTable& task, const LocalScore& score,
                         std::span<const OpponentResult> earlier = {}) const {
    Dag start(task.data.size());
    if (!entry.searches) {
      for (Node v = 1; v < start.size(); ++v) start.add_edge(v - 1, v);
    }
    const Knowledge nothing(task.data.size());
    const Watch watch;
    return entry.propose({.data = task.data,
                          .score = score,
                          .start = start,
                          .knowledge = nothing,
                          .rng = Rng(1).split(entry.name),
                          .threads = options_.threads,
                          .training_steps = entry.learns.empty() ? kTrainingSteps : 0,
                          .learner = {.iterations = kIterations},
                          .watch = watch,
                          .earlier = earlier});
  }

  void record(const std::string& name, const SearchResult& found, const std::vector<std::string>& names) {
    SignaturePart& part = this->part(name);
    part.moves += fits_a_model(opponent_entry(name)) ? found.dag.edge_count() : found.steps;
    part.graphs = hash_of(found.dag, names, part.graphs);
    if (found.pag) part.graphs = hash_of(*found.pag, names, part.graphs);
  }

  void certify_match(const ScoredTable& task, const MatchResult& match, int max_parents) {
    const Knowledge nothing(task.data.size());
    const auto judge = score_entry(task.score).make_plain(task.data, {});
    Claim claim{.data = task.data,
                .scorer = *judge,
                .max_parents = max_parents,
                .champion = match.champion,
                .candidates = match.candidates,
                .knowledge = nothing,
                .edge_budget = match.edge_budget};
    for (const OpponentResult& opponent : match.opponents) claim.opponents.push_back(opponent.result.dag);
    const Certificate c = certify(claim, {.resamples = 5, .threads = options_.threads});
    SignaturePart& part = this->part("certificate");
    part.moves += c.neighbours_checked;
    for (const bool holds : {c.never_worse, c.acyclic, c.within_budget, c.knowledge_kept, c.one_optimal}) {
      part.graphs = hash_combine(part.graphs, holds);
    }
    part.graphs = hash_combine(part.graphs, static_cast<uint64_t>(c.selection.candidates));
  }

  SignatureOptions options_;
  Signature out_;
};

}  // namespace

long Signature::moves() const {
  long sum = 0;
  for (const SignaturePart& part : parts) sum += part.moves;
  return sum;
}

uint64_t Signature::graphs() const {
  uint64_t hash = 0;
  for (const SignaturePart& part : parts) hash = hash_combine(hash_combine(hash, hash_text(part.name)), part.graphs);
  return hash;
}

std::string Signature::name() const { return fmt::format("{}-{}", moves(), hex64(graphs()).substr(0, 8)); }

Signature run_signature(const SignatureOptions& options) {
  const auto ready = [&](Dataset data, const std::string& score) {
    return ScoredTable{options.row_seed > 0 ? with_rows_shuffled(data, options.row_seed) : std::move(data), score};
  };
  SignatureWork work(options);
  work.play(ready(embedded_table("asia", 1000, 1), "discrete-bic"));
  work.play(ready(embedded_table("lucas", 800, 2), "bdeu"));
  work.play(ready(embedded_table("child", 500, 3), "discrete-bic"));
  work.play(ready(embedded_table("sachs", 600, 4), "copula-bic"));
  work.play(ready(linear_table(), "gaussian-bic"));
  work.play(ready(embedded_table("asia", 1000, 8), "qnml-edges"));
  work.play(ready(mixed_table(), "mixed-bic"));
  work.propose(ready(embedded_table("asia", 500, 5), "discrete-bic"));
  work.propose(ready(skewed_table(), "gaussian-bic"));
  work.propose(ready(bent_table(), "gaussian-bic"));
  work.learn({skewed_table(), "gaussian-bic"});
  work.challenge(ready(embedded_table("asia", 500, 6), "discrete-bic"));
  work.prune(ready(linear_table(), "gaussian-bic"));
  work.resample({embedded_table("lucas", 500, 7), "discrete-bic"});
  return std::move(work).result();
}

}  // namespace agon
