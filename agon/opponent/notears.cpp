#include "agon/opponent/notears.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "agon/opponent/linear_weights.h"

namespace agon {

double default_l1(size_t rows) { return std::clamp(20.0 / static_cast<double>(rows), 0.02, 0.1); }

LearnedWeights learn_notears(LinearModel& model, const NotearsOptions& options, const Watch& watch) {
  LearnedWeights out;
  out.weights.assign(model.pairs().size(), 0.0);
  double rho = 1, alpha = 0, h = std::numeric_limits<double>::infinity();
  std::vector<double> scratch(out.weights.size());
  const auto h_of = [&](const std::vector<double>& w) {
    return model.acyclicity(
        w, [](double) { return 0.0; }, scratch);
  };
  for (int round = 0;; ++round) {
    if (round == options.max_rounds) out.stopped_by = "round limit";
    if (watch.stop_requested()) out.stopped_by = watch.stop_reason();
    if (!out.stopped_by.empty()) break;
    std::vector<double> w;
    double now = h;
    while (true) {
      w = out.weights;
      const auto objective = [&](const std::vector<double>& x, std::vector<double>& slope) {
        std::fill(slope.begin(), slope.end(), 0.0);
        const double loss = model.least_squares(x, slope);
        const double term = model.acyclicity(
            x, [&](double value) { return alpha + rho * value; }, slope);
        return loss + alpha * term + 0.5 * rho * term * term;
      };
      const OwlQnResult solved = minimise(objective, options.l1, w, options.inner, watch);
      out.steps += solved.steps;
      out.objective = solved.value;
      now = h_of(w);
      watch.tell({fmt::format("least squares, h {:.1e}", now), out.steps, -1});
      if (now <= 0.25 * h || rho >= options.rho_end || watch.stop_requested()) break;
      rho *= 10;
    }
    out.weights = w;
    h = now;
    alpha += rho * h;
    if (h <= options.h_end) {
      out.stopped_by = "acyclic";
    } else if (rho >= options.rho_end) {
      out.stopped_by = "rho limit";
    }
  }
  out.h = h_of(out.weights);
  return out;
}

SearchResult notears(const Dataset& data, const LocalScore& score, const NotearsOptions& options, const Watch& watch,
                     const Knowledge& knowledge) {
  NotearsOptions chosen = options;
  if (chosen.l1 < 0) chosen.l1 = default_l1(data.rows());
  return linear_answer(data, score, {options.standardise, options.threshold}, knowledge,
                       [&](LinearModel& model) { return learn_notears(model, chosen, watch); });
}

}  // namespace agon
