#include "agon/study/signature.h"

#include <fmt/format.h>

#include <numeric>

#include "agon/base/hash.h"
#include "agon/catalog/opponents.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/match/match.h"
#include "agon/score/scores.h"

namespace agon {
namespace {

// Passes every question on, and counts the local scores that are asked for.
class CountingScore final : public LocalScore {
 public:
  explicit CountingScore(const LocalScore& score) : score_(score) {}

  double local(Node child, Parents parents) const override {
    asked_ += 1;
    return score_.local(child, parents);
  }
  const ScoreTraits& traits() const override { return score_.traits(); }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const override {
    asked_ += size();
    return score_.addition_gains(child, parents, gains);
  }
  double removal_gains(Node child, Parents parents, std::span<double> gains) const override {
    asked_ += static_cast<long>(parents.size());
    return score_.removal_gains(child, parents, gains);
  }
  double column_gains(Node child, Parents parents, std::span<double> additions,
                      std::span<double> removals) const override {
    asked_ += size() + static_cast<long>(parents.size());
    return score_.column_gains(child, parents, additions, removals);
  }
  double positive_additions(Node child, Parents parents, std::vector<Candidate>& best) const override {
    asked_ += size();
    return score_.positive_additions(child, parents, best);
  }
  void pair_additions(Node child, Parents parents, std::vector<PairCandidate>& best) const override {
    asked_ += size();
    score_.pair_additions(child, parents, best);
  }
  long asked() const { return asked_; }

 private:
  const LocalScore& score_;
  mutable long asked_ = 0;  // one thread
};

Dataset with_rows_shuffled(const Dataset& data, uint64_t seed) {
  std::vector<size_t> order(data.rows());
  std::iota(order.begin(), order.end(), size_t{0});
  Rng rng(seed);
  rng.shuffle(order);
  return with_rows(data, order);
}

Dataset linear_table() {
  const Rng rng(11);
  const auto parents = random_graph({.nodes = 15, .average_degree = 3}, rng.split("graph"));
  return simulate_sem(parents, 400, {.noise_low = 0.5, .noise_high = 1.5}, rng.split("data")).data;
}

uint64_t hash_of(const Dag& dag, const std::vector<std::string>& names, uint64_t seed) {
  for (const Edge& edge : dag.edges()) {
    seed = hash_combine(seed, hash_text(names[edge.from]));
    seed = hash_combine(seed, hash_text(names[edge.to]));
  }
  return hash_combine(seed, static_cast<uint64_t>(dag.edge_count()));
}

struct Task {
  Dataset data;
  std::string score;
};

void play(const Task& task, Signature& out) {
  const auto made = make_score(task.score, task.data, {});
  const CountingScore score(*made);
  const Dag empty(task.data.size());
  const Knowledge nothing(task.data.size());
  const Watch watch;
  const std::vector<std::string> names = task.data.names();
  std::vector<Entrant> entrants;
  for (const std::string name : {"hc", "tabu", "ges", "boss"}) {
    entrants.push_back({name, [&, name](const Watch&) {
                          return opponent_entry(name).propose({.data = task.data,
                                                               .score = score,
                                                               .start = empty,
                                                               .knowledge = nothing,
                                                               .rng = Rng(1).split(name),
                                                               .watch = watch});
                        }});
  }
  MatchOptions options;
  options.moves = 6000;
  options.round_moves = 1000;
  const MatchResult match = play_match(score, entrants, options, nothing, Rng(1).split("match"), watch);
  for (const Proposal& proposal : match.opponents) {
    out.moves += proposal.result.steps;
    out.graphs = hash_of(proposal.result.dag, names, out.graphs);
  }
  out.moves += match.counts.moves;
  out.graphs = hash_of(match.champion, names, out.graphs);
  out.local_scores += score.asked();
}

}  // namespace

std::string Signature::name() const { return fmt::format("{}-{}", moves, hex64(graphs).substr(0, 8)); }

Signature run_signature(uint64_t row_seed) {
  std::vector<Task> tasks;
  tasks.push_back({embedded_table("asia", 1000, 1), "discrete-bic"});
  tasks.push_back({embedded_table("lucas", 800, 2), "bdeu"});
  tasks.push_back({embedded_table("child", 500, 3), "discrete-bic"});
  tasks.push_back({embedded_table("sachs", 600, 4), "copula-bic"});
  tasks.push_back({linear_table(), "gaussian-bic"});
  Signature out;
  for (Task& task : tasks) {
    if (row_seed > 0) task.data = with_rows_shuffled(task.data, row_seed);
    play(task, out);
  }
  return out;
}

}  // namespace agon
