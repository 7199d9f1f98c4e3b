#include "agon/opponent/golem.h"

#include <fmt/format.h>

#include <cmath>

#include "agon/nn/adam.h"
#include "agon/opponent/linear_weights.h"

namespace agon {
namespace {

// Weights below this do not count as edges in h: their squares are too small to affect its gradient beside l1.
constexpr double kTiny = 1e-3;

}  // namespace

LearnedWeights learn_golem(LinearModel& model, const GolemOptions& options, const Watch& watch) {
  LearnedWeights out;
  const size_t n = model.pairs().size();
  std::vector<double>& w = out.weights;
  w.assign(n, 0.0);
  std::vector<double> slope(n), mean(n), square(n);
  for (const bool own : {false, true}) {
    if (own && !options.own_variances) break;
    const double l1 = own ? options.l1_nv : options.l1_ev;
    std::fill(mean.begin(), mean.end(), 0.0);
    std::fill(square.begin(), square.end(), 0.0);
    for (long step = 0; step < options.steps; ++step) {
      if (watch.stop_requested()) break;
      std::fill(slope.begin(), slope.end(), 0.0);
      const double likelihood = own ? model.likelihood_nv(w, slope) : model.likelihood_ev(w, slope);
      out.h = model.acyclicity(
          w, [&](double) { return options.l2; }, slope, kTiny);
      out.objective = likelihood + options.l2 * out.h;
      const double rate =
          options.rate * (0.01 + 0.99 * 0.5 * (1 + std::cos(M_PI * static_cast<double>(step) / options.steps)));
      for (size_t k = 0; k < n; ++k) slope[k] += w[k] > 0 ? l1 : w[k] < 0 ? -l1 : 0;
      dense_kernels<double>().adam(slope.data(), 1, static_cast<long>(n),
                                   adam_step<double>({.learning_rate = rate}, step + 1), mean.data(), square.data(),
                                   w.data());
      ++out.steps;
      if (step % 100 == 0) {
        watch.tell({fmt::format("{}, h {:.1e}", own ? "variances of their own" : "equal variances", out.h),
                    out.steps,
                    -1,
                    0,
                    {},
                    options.own_variances ? 2 * options.steps : options.steps});
      }
    }
  }
  out.stopped_by = watch.stop_requested() ? watch.stop_reason() : "steps done";
  return out;
}

SearchResult golem(const Dataset& data, const LocalScore& score, const GolemOptions& options, const Watch& watch,
                   const Knowledge& knowledge) {
  return linear_answer(data, score, {options.standardise, options.threshold}, knowledge,
                       [&](LinearModel& model) { return learn_golem(model, options, watch); });
}

}  // namespace agon
