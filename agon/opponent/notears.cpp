#include "agon/opponent/notears.h"

#include <fmt/format.h>

#include <limits>

namespace agon {

NotearsLearned learn_notears(LinearModel& model, const NotearsOptions& options, const Watch& watch) {
  NotearsLearned out;
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
  const Covariance c = covariance(data, options.standardise);
  LinearModel model(c.value, allowed_pairs(c.node, knowledge));
  const NotearsLearned learned = learn_notears(model, options, watch);
  SearchResult out;
  if (c.categorical > 0) {
    out.story.push_back(fmt::format("{} categorical of {} columns are used as {}codes", c.categorical, data.size(),
                                    options.standardise ? "standardised " : ""));
  }
  std::vector<WeightedEdge> edges = strong_edges(model, learned.weights, c.node, options.threshold);
  out.story.push_back(fmt::format("{} steps, h {:.2g}, {} edges weigh at least {:g}, stopped by: {}", learned.steps,
                                  learned.h, edges.size(), options.threshold, learned.stopped_by));
  LeftOut left;
  out.dag = dag_from_weights(std::move(edges), score, knowledge, &left);
  if (left.cycle + left.over_cap + left.unscored > 0) {
    out.story.push_back(
        fmt::format("{} edges left out that would close a cycle, {} beyond the most parents, {} whose "
                    "parents would determine the child",
                    left.cycle, left.over_cap, left.unscored));
  }
  out.steps = learned.steps;
  out.stopped_by = learned.stopped_by;
  out.score = total(score, out.dag);
  return out;
}

}  // namespace agon
