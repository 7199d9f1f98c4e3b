#include "agon/opponent/dag_gnn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "agon/nn/dense_kernels.h"
#include "agon/opponent/linear_weights.h"
#include "agon/opponent/rl_answer.h"

namespace agon {
namespace {

constexpr double kMostC = 1e20;
constexpr int kMostOuterRounds = 100;

}  // namespace

double dag_gnn_acyclicity(const std::vector<double>& a, int variables, std::vector<double>* slope) {
  const int d = variables;
  const DenseKernels<double>& kernels = dense_kernels<double>();
  std::vector<double> square(a.size()), power(a.size(), 0.0), next(a.size()), scratch;
  for (int i = 0; i < d; ++i) {
    for (int j = 0; j < d; ++j) square[i * d + j] = (i == j ? 1 : 0) + a[i * d + j] * a[i * d + j] / d;
    power[i * d + i] = 1;
  }
  const auto times = [&](std::vector<double>& left, const std::vector<double>& right) {
    kernels.product({left.data(), d, 1}, {right.data(), d, 1}, d, d, d, false, next.data(), d, scratch);
    left.swap(next);
  };
  const std::vector<double> base = square;
  for (int exponent = d - 1; exponent > 0; exponent /= 2) {  // power = base^(d - 1)
    if (exponent % 2 == 1) times(power, square);
    if (exponent > 1) times(square, std::vector<double>(square));
  }
  if (slope != nullptr) {
    slope->resize(a.size());
    for (int i = 0; i < d; ++i) {
      for (int j = 0; j < d; ++j) (*slope)[i * d + j] = 2 * power[j * d + i] * a[i * d + j];
    }
  }
  times(power, base);
  double trace = -d;
  for (int i = 0; i < d; ++i) trace += power[i * d + i];
  return trace;
}

namespace {

class Lagrangian {
 public:
  Lagrangian(const StandardTable& table, const DagGnnOptions& options, std::vector<char> allowed, Rng rng,
             const Watch& watch, const SavedSearch& saved)
      : table_(table),
        options_(options),
        watch_(watch),
        saved_(saved),
        d_(table.variables()),
        net_(d_, options.units, std::move(allowed), rng.split("weights")),
        noise_rng_(rng.split("noise")) {
    if (saved.from == nullptr) return;
    Archive archive{std::string_view(*saved.from)};
    exchange_state(archive);
    archive.finish();
  }

  LearnedEdges learn() {
    while (at_.round < kMostOuterRounds && stopped_by_.empty()) {
      while (at_.c < kMostC) {
        const double elbo = subproblem();
        if (!stopped_by_.empty() || elbo > 2 * at_.best) break;
        if (at_.h <= at_.last_h / 4) break;
        at_.c *= 10;
      }
      if (!stopped_by_.empty()) break;
      at_.last_h = at_.h;
      at_.lambda += at_.c * at_.h;
      if (at_.h <= options_.h_end) stopped_by_ = "acyclic";
      if (at_.c >= kMostC) stopped_by_ = "c limit";
      ++at_.round;
    }
    if (stopped_by_.empty()) stopped_by_ = "round limit";
    const std::vector<double> a = net_.matrix();
    LearnedEdges out{.h = dag_gnn_acyclicity(a, d_, nullptr), .steps = at_.steps, .stopped_by = stopped_by_};
    for (int from = 0; from < d_; ++from) {
      for (int to = 0; to < d_; ++to) {
        const double weight = std::abs(a[from * d_ + to]);
        if (from != to && weight >= options_.threshold) {
          out.edges.push_back({{table_.node[from], table_.node[to]}, weight});
        }
      }
    }
    return out;
  }

  // If a stop was requested: where (SearchResult).
  const std::string& unfinished() const { return unfinished_; }

 private:
  // How far the training has come.
  struct Place {
    double lambda = 0, c = 1, h = 0;
    double last_h = std::numeric_limits<double>::infinity(), best = last_h;  // best: the lowest loss of an epoch
    int round = 0, epoch = 0, first = 0, batches = 0;
    double elbo = 0;  // of the batches of this epoch, without penalties
    long steps = 0;
  };

  // Everything that the next step depends on.
  void exchange_state(Archive& archive) {
    archive(at_);
    net_.exchange_state(archive);
    archive(noise_rng_);
  }

  std::string state() {
    Archive archive;
    exchange_state(archive);
    return archive.bytes();
  }

  double rate() const {  // 3e-3 / log10(c), within limits
    return at_.c <= 1 ? 1e-2 : std::clamp(3e-3 / std::log10(at_.c), 1e-4, 1e-2);
  }

  // `epochs` passes; returns the loss without penalties of the last one.
  double subproblem() {
    double last = 0;
    for (; at_.epoch < options_.epochs; ++at_.epoch) {
      for (; at_.first < table_.rows; at_.first += options_.batch, ++at_.batches) {
        if (must_stop()) return last;
        at_.elbo += step(at_.first, std::min(options_.batch, table_.rows - at_.first));
        ++at_.steps;
      }
      last = at_.elbo / std::max(1, at_.batches);
      at_.best = std::min(at_.best, last);
      at_.elbo = at_.first = at_.batches = 0;
      if (at_.epoch % 10 == 0) {
        watch_.tell({fmt::format("DAG-GNN, loss {:.4g}, h {:.1e}, c {:.0e}", last, at_.h, at_.c), at_.steps, -1});
      }
    }
    at_.epoch = 0;
    at_.h = dag_gnn_acyclicity(net_.matrix(), d_, nullptr);
    return last;
  }

  bool must_stop() {
    if (watch_.stop_requested()) {
      stopped_by_ = watch_.stop_reason();
      unfinished_ = state();
      if (saved_.save) saved_.save(unfinished_);
      return true;
    }
    if (options_.max_steps > 0 && at_.steps >= options_.max_steps) stopped_by_ = "step limit";
    if (stopped_by_.empty() && saved_.wanted()) saved_.save(state());
    return !stopped_by_.empty();
  }

  double step(int first, int rows) {
    if (options_.sample) {
      noise_.resize(static_cast<size_t>(rows) * d_);
      for (float& e : noise_) e = static_cast<float>(noise_rng_.normal());
    }
    const double loss = net_.loss(table_.value.data() + static_cast<size_t>(first) * d_, rows,
                                  options_.sample ? noise_.data() : nullptr);
    at_.h = dag_gnn_acyclicity(net_.matrix(), d_, &slope_);
    for (double& s : slope_) s *= at_.lambda + at_.c * at_.h;
    net_.add_slope(slope_);
    net_.step(rate(), options_.sparsity);
    return loss;
  }

  const StandardTable& table_;
  const DagGnnOptions& options_;
  const Watch& watch_;
  const SavedSearch& saved_;
  int d_;
  DagGnnNet<float> net_;
  Rng noise_rng_;
  std::vector<float> noise_;
  std::vector<double> slope_;
  Place at_;
  std::string stopped_by_, unfinished_;
};

}  // namespace

double dag_gnn_forecast(int variables, double rows, const DagGnnOptions& o) {
  constexpr double kSubproblems = 19;  // what c = 1, 10, .. usually needs
  const double d = variables, batch = std::min(rows, static_cast<double>(o.batch));
  const double networks = 3e-10 * batch * d * o.units, products = 6 * batch * d * d / 25e9;
  const double power = 4 * std::log2(d + 1) * d * d * d / 40e9;
  const double step = 1.5e-5 + networks + products + power;
  const double steps = kSubproblems * o.epochs * std::ceil(rows / o.batch);
  return step * (o.max_steps > 0 ? std::min(steps, static_cast<double>(o.max_steps)) : steps);
}

SearchResult dag_gnn(const Dataset& data, const LocalScore& score, const DagGnnOptions& options, Rng rng,
                     const Watch& watch, const Knowledge& knowledge, const SavedSearch& saved) {
  const StandardTable table = options.standardise ? standardise(data) : as_it_is(data);
  const int d = table.variables();
  const bool limited = options.max_steps > 0 || watch.deadline;
  refuse_long("dag-gnn", d, dag_gnn_forecast(d, table.rows, options), 8.0 * table.rows * d, limited, watch);
  std::vector<char> allowed(static_cast<size_t>(d) * d, 0);
  for (int i = 0; i < d; ++i) allowed[i * d + i] = 1;
  for (const Edge& pair : allowed_pairs(table.node, knowledge)) allowed[pair.from * d + pair.to] = 1;
  LearnedEdges learned{.stopped_by = watch.stop_requested() ? watch.stop_reason() : "acyclic"};
  std::string unfinished;
  if (d > 1) {
    Lagrangian training(table, options, std::move(allowed), rng, watch, saved);
    learned = training.learn();
    unfinished = training.unfinished();
  }
  SearchResult out = answer_of_weights(data, score, knowledge, std::move(learned), table.categorical,
                                       {options.standardise, options.threshold});
  out.unfinished = std::move(unfinished);
  return out;
}

}  // namespace agon
