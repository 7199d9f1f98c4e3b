#include "agon/opponent/gran_dag.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "agon/base/crew.h"
#include "agon/opponent/acyclicity.h"
#include "agon/opponent/neighbour_selection.h"

namespace agon {
namespace {

using Real = float;

constexpr int kVariablesPerThread = 12;  // with fewer, waiting for each other costs more than another thread saves

// Batches of rows: every pass over the table visits its rows in a new random order.
class Batches {
 public:
  Batches(const StandardTable& table, std::vector<int> rows, int size, Rng rng)
      : table_(table), rows_(std::move(rows)), size_(std::min<int>(size, static_cast<int>(rows_.size()))), rng_(rng) {
    next_ = rows_.size();
    values_.resize(static_cast<size_t>(size_) * table.variables());
  }

  TableRows<Real> draw() {
    if (next_ + size_ > rows_.size()) {
      rng_.shuffle(rows_);
      next_ = 0;
    }
    const size_t p = table_.variables();
    for (int r = 0; r < size_; ++r) {
      const auto from = table_.value.begin() + static_cast<long>(rows_[next_ + r] * p);
      std::copy(from, from + static_cast<long>(p), values_.begin() + static_cast<long>(r * p));
    }
    next_ += size_;
    return {values_.data(), size_, static_cast<int>(p)};
  }

 private:
  const StandardTable& table_;
  std::vector<int> rows_;
  int size_;
  Rng rng_;
  size_t next_;
  std::vector<Real> values_;
};

std::vector<Real> copy_rows(const StandardTable& table, const std::vector<int>& rows) {
  std::vector<Real> out;
  const size_t p = table.variables();
  for (int row : rows) {
    out.insert(out.end(), table.value.begin() + static_cast<long>(row * p),
               table.value.begin() + static_cast<long>((row + 1) * p));
  }
  return out;
}

class Training {
 public:
  Training(const StandardTable& table, const std::vector<std::vector<int>>& inputs,
           const std::function<bool(int, int)>& keep, const GranDagOptions& options, Rng rng)
      : p_(table.variables()),
        keep_(keep),
        options_(options),
        net_(options.shape, inputs, rng.split("weights")),
        crew_(std::clamp(p_ / kVariablesPerThread, 1, std::max(1, options.threads))),
        work_(crew_.size()),
        loss_(p_),
        removed_(p_),
        mu_(options.mu),
        rate_(options.rate) {
    std::vector<int> rows(table.rows);
    std::iota(rows.begin(), rows.end(), 0);
    rng.split("holdout").shuffle(rows);
    const int held = static_cast<int>(options.holdout * table.rows);
    std::vector<int> kept(rows.begin() + held, rows.end());
    rows.resize(held);
    holdout_ = copy_rows(table, held > 0 ? rows : kept);
    train_ = copy_rows(table, kept);
    batches_.emplace(table, std::move(kept), options.batch, rng.split("batches"));
    term_.set_edges(net_.inputs());
    update_h();
  }

  double h() const { return h_; }
  int edges() const {
    int sum = 0;
    for (const auto& list : net_.inputs()) sum += static_cast<int>(list.size());
    return sum;
  }

  // One step of the optimiser; returns the loss of its batch.
  double step() {
    const TableRows<Real> rows = batches_->draw();
    const double scale = 1.0 / (static_cast<double>(rows.count) * p_);
    // If the edges form no cycle, h and its gradient are 0 and there are no blocks.
    const int blocks = term_.blocks();
    crew_.run(blocks + p_, [&](int piece, int worker) {
      if (piece < blocks) {
        term_.compute(piece, net_.connectivity());
      } else {
        loss_[piece - blocks] = net_.learn(piece - blocks, rows, scale, work_[worker]);
      }
    });
    const Real factor = static_cast<Real>(lambda_ + mu_ * term_.h());
    crew_.run(p_, [&](int i, int) {
      if (blocks > 0) net_.add_penalty(i, term_.gradient(i), factor);
      net_.rms_step(i, static_cast<Real>(rate_));
      net_.connect(i);
      removed_[i] = net_.clamp(i, static_cast<Real>(options_.clamp), keep_);
    });
    if (std::any_of(removed_.begin(), removed_.end(), [](int count) { return count > 0; })) {
      term_.set_edges(net_.inputs());
    }
    return std::accumulate(loss_.begin(), loss_.end(), 0.0) * scale;
  }

  void update_h() {
    crew_.run(term_.blocks(), [&](int block, int) { term_.compute(block, net_.connectivity()); });
    h_ = term_.h();
  }

  double holdout_loss() {
    const int count = static_cast<int>(holdout_.size()) / p_;
    crew_.run(p_, [&](int i, int worker) { loss_[i] = net_.loss(i, {holdout_.data(), count, p_}, work_[worker]); });
    return std::accumulate(loss_.begin(), loss_.end(), 0.0) / (static_cast<double>(count) * p_);
  }

  // The end of a subproblem (appendix A.2 of the paper): sets new multipliers and restarts the optimiser.
  void raise() {
    lambda_ += mu_ * h_;
    if (h_ > options_.fall * last_h_) mu_ *= options_.mu_growth;
    last_h_ = h_;
    rate_ = options_.later_rate;
    for (int i = 0; i < p_; ++i) net_.forget_steps(i);
  }

  double penalty() const { return lambda_ * h_ + 0.5 * mu_ * h_ * h_; }
  double lambda() const { return lambda_; }
  double mu() const { return mu_; }

  std::vector<WeightedEdge> weighted_edges() {
    const int count = static_cast<int>(train_.size()) / p_, chunk = 256;
    std::vector<std::vector<double>> sums(p_);
    crew_.run(p_, [&](int i, int worker) {
      sums[i].assign(net_.inputs()[i].size(), 0.0);
      for (int first = 0; first < count; first += chunk) {
        net_.add_influence(i, {train_.data() + static_cast<size_t>(first) * p_, std::min(chunk, count - first), p_},
                           work_[worker], sums[i]);
      }
    });
    std::vector<WeightedEdge> out;
    for (int i = 0; i < p_; ++i) {
      for (size_t k = 0; k < sums[i].size(); ++k) out.push_back({{net_.inputs()[i][k], i}, sums[i][k] / count});
    }
    return out;
  }

 private:
  int p_;
  const std::function<bool(int, int)>& keep_;
  const GranDagOptions& options_;
  GranDagNet<Real> net_;
  Acyclicity<Real> term_;
  Crew crew_;
  std::vector<GranDagWork<Real>> work_;
  std::vector<double> loss_;
  std::vector<int> removed_;
  std::optional<Batches> batches_;
  std::vector<Real> holdout_, train_;  // the rows themselves, one after the other
  double lambda_ = 0, mu_, rate_, h_ = 0;
  double last_h_ = std::numeric_limits<double>::infinity();
};

}  // namespace

GranDagLearned learn_gran_dag(const StandardTable& table, const std::vector<std::vector<int>>& inputs,
                              const std::function<bool(int to, int from)>& keep, const GranDagOptions& options, Rng rng,
                              const Watch& watch) {
  Training training(table, inputs, keep, options, rng);
  GranDagLearned out;
  std::vector<double> objective;  // on the held-out rows, at each check
  double loss = 0;
  while (true) {
    out.stopped_by = watch.stop_reason();
    if (!out.stopped_by.empty()) break;
    if (out.steps % options.window == 0) {
      training.update_h();
      const double held = training.holdout_loss();
      out.checks.push_back({out.steps, out.steps > 0 ? loss / options.window : held, held, training.h(),
                            training.lambda(), training.mu(), training.edges()});
      loss = 0;
      objective.push_back(held + training.penalty());
      watch.tell({fmt::format("training networks, h {:.1e}", training.h()), out.steps, -1});
      if (training.h() <= options.h_end) {
        out.stopped_by = "acyclic";
        break;
      }
      // Settled: the last three checks are monotone, and the objective either hardly falls from the first to the last,
      // or rises.
      if (objective.size() >= 3) {
        const double *last = &objective.back(), first = last[-2], middle = last[-1];
        const bool steady = std::min(first, *last) < middle && middle < std::max(first, *last);
        const double slope = (*last - first) / options.window;
        if (steady && slope > -options.tolerance) {
          const double before = training.penalty();
          training.raise();
          objective.back() += training.penalty() - before;  // its value under the new multipliers
        }
      }
    }
    if (out.steps >= options.max_steps) {
      out.stopped_by = "step limit";
      break;
    }
    loss += training.step();
    ++out.steps;
  }
  training.update_h();
  out.h = training.h();
  out.edges = training.weighted_edges();
  return out;
}

SearchResult gran_dag(const Dataset& data, const LocalScore& score, const GranDagOptions& options, Rng rng,
                      const Watch& watch, const Knowledge& knowledge) {
  const StandardTable table = standardise(data);
  const int p = table.variables();
  SearchResult out;
  if (table.categorical > 0) {
    out.story.push_back(
        fmt::format("{} categorical of {} columns are used as standardised codes", table.categorical, p));
  }

  // 1. Inputs: everything the knowledge allows, or the best part of it.
  const auto edge = [&](int from, int to) { return Edge{table.node[from], table.node[to]}; };
  const auto may_enter = [&](int from, int to) { return from != to && knowledge.allows(edge(from, to)); };
  const auto is_required = [&](int to, int from) { return knowledge.is_required(edge(from, to)); };
  std::vector<std::vector<int>> inputs(p);
  if (p > options.select_above && !watch.stop_requested()) {
    inputs = select_neighbours(table, options.neighbours, may_enter, options.threads);
    size_t most = 0, sum = 0;
    for (const auto& list : inputs) {
      most = std::max(most, list.size());
      sum += list.size();
    }
    out.story.push_back(fmt::format("selected {:.1f} inputs per network, at most {}, of {}",
                                    static_cast<double>(sum) / p, most, p - 1));
    for (int to = 0; to < p; ++to) {
      for (int from = 0; from < p; ++from) {
        const auto place = std::lower_bound(inputs[to].begin(), inputs[to].end(), from);
        const bool there = place != inputs[to].end() && *place == from;
        if (from != to && !there && is_required(to, from)) inputs[to].insert(place, from);
      }
    }
  } else {
    for (int to = 0; to < p; ++to) {
      for (int from = 0; from < p; ++from) {
        if (may_enter(from, to)) inputs[to].push_back(from);
      }
    }
  }

  // 2. Training, if there is anything to learn.
  GranDagLearned learned;
  learned.stopped_by = watch.stop_requested() ? watch.stop_reason() : "acyclic";
  if (p > 1) learned = learn_gran_dag(table, inputs, is_required, options, rng, watch);
  out.steps = learned.steps;
  out.stopped_by = learned.stopped_by;
  const double loss = learned.checks.empty() ? 0 : learned.checks.back().holdout_loss;
  out.story.push_back(
      fmt::format("{} steps, h {:.2g}, mean -ln p of rows held out {:.4f}, {} edges left, stopped by: {}",
                  learned.steps, learned.h, loss, learned.edges.size(), learned.stopped_by));

  // 3. A Dag. Networks that were cut short still depend on everything, so one threshold for all edges is applied first.
  for (WeightedEdge& e : learned.edges) e.edge = edge(e.edge.from, e.edge.to);
  if (learned.h > options.h_end) {
    const int dropped = drop_until_acyclic(data.size(), learned.edges, knowledge);
    out.story.push_back(fmt::format("dropped the {} weakest edges, after which there is no cycle", dropped));
  }
  LeftOut left;
  out.dag = dag_from_weights(std::move(learned.edges), score, knowledge, &left);
  if (left.cycle > 0) out.story.push_back(fmt::format("{} weak edges left out that would close a cycle", left.cycle));
  if (left.over_cap + left.unscored > 0) {
    out.story.push_back(
        fmt::format("{} edges left out: {} beyond the most parents a node may have, {} whose parents "
                    "would determine the child",
                    left.over_cap + left.unscored, left.over_cap, left.unscored));
  }
  out.score = total(score, out.dag);
  return out;
}

}  // namespace agon
