// Times scores and edits on the embedded data. Each fast path is timed in the same run as its plain twin, so that the
// ratios are meaningful even on a noisy machine. CPU time of one core.
//
//   local scores/s   gains of single additions over the parent sets that hill climbing visits
//                    plain: each family counted row by row (discrete) or fitted by itself (Gaussian)
//   edits/s          make a legal move, refresh the gains, take it back; columns found in the cache
//                    plain: copy the graph, edit, look for a cycle, score both graphs from scratch
//   hill climbing    from the empty graph; `in columns` is the share of that time spent in the score's batch calls
#include <fmt/format.h>

#include <cmath>
#include <string>

#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/graph/live_dag.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/score/delta_table.h"
#include "bench/clock.h"

namespace {

using namespace agon;
using bench::cpu_seconds;
using bench::least_seconds;

// Forwards to another score, and records the time spent and the families asked for.
class ObservedScore final : public LocalScore {
 public:
  explicit ObservedScore(const LocalScore& score) : score_(score) {}
  double local(Node child, Parents parents) const override { return score_.local(child, parents); }
  const ScoreTraits& traits() const override { return score_.traits(); }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const override {
    families.push_back({child, {parents.begin(), parents.end()}});
    const double start = cpu_seconds();
    const double now = score_.addition_gains(child, parents, gains);
    seconds += cpu_seconds() - start;
    return now;
  }
  double removal_gains(Node child, Parents parents, std::span<double> gains) const override {
    const double start = cpu_seconds();
    const double now = score_.removal_gains(child, parents, gains);
    seconds += cpu_seconds() - start;
    return now;
  }
  mutable std::vector<std::pair<Node, std::vector<Node>>> families;
  mutable double seconds = 0;

 private:
  const LocalScore& score_;
};

// Discrete BIC as one would first write it: a table of counts filled row by row.
class PlainDiscreteBic final : public LocalScore {
 public:
  PlainDiscreteBic(const Dataset& data, const ScoreTraits& traits) : data_(data), traits_(traits) {}
  const ScoreTraits& traits() const override { return traits_; }
  double local(Node child, Parents parents) const override {
    const size_t r = data_.column(child).levels.size();
    size_t configurations = 1;
    for (Node q : parents) configurations *= data_.column(q).levels.size();
    std::vector<double> cells(configurations * r), rows(configurations);
    for (size_t row = 0; row < data_.rows(); ++row) {
      size_t configuration = 0;
      for (Node q : parents) configuration = configuration * data_.column(q).levels.size() + data_.column(q).codes[row];
      ++cells[configuration * r + data_.column(child).codes[row]];
      ++rows[configuration];
    }
    double sum = 0;
    for (size_t c = 0; c < cells.size(); ++c) {
      if (cells[c] > 0) sum += cells[c] * std::log(cells[c] / rows[c / r]);
    }
    return sum - 0.5 * std::log(static_cast<double>(data_.rows())) * static_cast<double>(r - 1) *
                     static_cast<double>(configurations);
  }

 private:
  const Dataset& data_;
  const ScoreTraits& traits_;
};

void time_table(const std::string& name, const Dataset& data, const std::string& score_name, double penalty) {
  const auto score = make_score(score_name, data, {.penalty = penalty});
  const int p = data.size();
  SearchResult climbed;
  const double climb_seconds = least_seconds([&] { climbed = hill_climb(*score, Dag(p)); });
  ObservedScore observed(*score);
  hill_climb(observed, Dag(p));

  std::vector<double> gains(p);
  long asked = 0;
  for (const auto& [child, parents] : observed.families) asked += p - 1 - static_cast<long>(parents.size());
  const double fast = least_seconds([&] {
    for (const auto& [child, parents] : observed.families) score->addition_gains(child, parents, gains);
  });
  // The plain twin is slow, so it is asked about every k-th family only, until half a second is used.
  const PlainDiscreteBic plain_discrete(data, score->traits());
  const LocalScore& plain =
      data.all_of(ColumnKind::kCategorical) ? static_cast<const LocalScore&>(plain_discrete) : *score;
  long plain_asked = 0;
  const double plain_start = cpu_seconds();
  const size_t stride = 1 + observed.families.size() / 17;
  for (size_t k = 0; k < observed.families.size() && (k == 0 || cpu_seconds() - plain_start < 0.5); k += stride) {
    const auto& [child, parents] = observed.families[k];
    plain_addition_gains(plain, child, parents, gains);
    plain_asked += p - 1 - static_cast<long>(parents.size());
  }
  const double plain_seconds = cpu_seconds() - plain_start;

  // Edits around the climbed graph, each made and taken back.
  Rng rng(1);
  LiveDag live(climbed.dag);
  std::vector<EdgeMove> moves;
  while (moves.size() < 500) {
    const auto edges = live.dag().edges();
    const Edge e = edges[rng.below(static_cast<int>(edges.size()))];
    const int kind = rng.below(3);
    EdgeMove move{MoveKind::kRemove, e.from, e.to};
    if (kind == 0) move = {MoveKind::kAdd, rng.below(p), rng.below(p)};
    if (kind == 1) move = {MoveKind::kReverse, e.from, e.to};
    if (live.is_legal(move) && gain(*score, live.dag(), move) > kNoGain) moves.push_back(move);
  }
  ColumnCache cache(*score);
  DeltaTable deltas(cache, live.dag());
  const auto there_and_back = [&] {
    for (EdgeMove move : moves) {
      for (EdgeMove m : {move, inverse(move)}) {
        live.apply(m);
        deltas.refresh(live.dag(), m);
      }
    }
  };
  there_and_back();  // fills the cache
  const double edit_seconds = least_seconds(there_and_back);
  double sum = 0;
  int plain_edits = 0;
  const double edits_start = cpu_seconds();
  for (; plain_edits < 500 && (plain_edits == 0 || cpu_seconds() - edits_start < 0.5); ++plain_edits) {
    Dag copy = live.dag();
    copy.apply(moves[plain_edits]);
    if (is_acyclic(copy)) sum += total(plain, copy) - total(plain, live.dag());
  }
  const double plain_edit_seconds = (cpu_seconds() - edits_start) / plain_edits;
  if (!std::isfinite(sum)) fmt::print("the plain twin met a score that is not finite\n");

  const double fast_rate = static_cast<double>(asked) / fast,
               plain_rate = static_cast<double>(plain_asked) / plain_seconds;
  const double edit = edit_seconds / (2.0 * static_cast<double>(moves.size()));
  fmt::print(
      "{:<14} {:>6} x {:<5} {:>9.0f} {:>9.0f} {:>7.0f}x {:>8.2f} {:>9.1f} {:>8.0f}x {:>9.2f} {:>6} {:>7} {:>8.1f} "
      "{:>6.0f}%\n",
      name, data.rows(), p, fast_rate / 1e3, plain_rate / 1e3, fast_rate / plain_rate, edit * 1e6,
      plain_edit_seconds * 1e6, plain_edit_seconds / edit, climb_seconds * 1e3, climbed.steps, climbed.counts.columns,
      1e6 * fast / static_cast<double>(observed.families.size()),
      100 * std::min(1.0, observed.seconds / climb_seconds));
  std::fflush(stdout);
}

}  // namespace

int main() {
  fmt::print("{:<14} {:>14} {:>28} {:>28} {:>42}\n", "", "", "local scores, 1000/s", "edit with warm cache, us",
             "hill climbing");
  fmt::print("{:<14} {:>14} {:>9} {:>9} {:>8} {:>8} {:>9} {:>9} {:>9} {:>6} {:>7} {:>8} {:>7}\n", "data", "rows x vars",
             "fast", "plain", "ratio", "fast", "plain", "ratio", "ms", "edits", "columns", "us/col", "in cols");
  for (const char* name : {"asia", "lucas", "child", "alarm", "hepar2", "andes"}) {
    time_table(name, embedded_table(name), "discrete-bic", 1);
  }
  time_table("sachs", embedded_table("sachs"), "copula-bic", 1);
  for (int p : {100, 300}) {
    const auto parents = random_graph({.nodes = p, .average_degree = 4}, Rng(1).split("graph"));
    const Dataset data = simulate_sem(parents, 1000, {}, Rng(1).split("data")).data;
    time_table(fmt::format("gaussian-{}", p), data, "gaussian-bic", 2);
  }
}
