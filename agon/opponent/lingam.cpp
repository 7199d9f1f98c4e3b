#include "agon/opponent/lingam.h"

#include <fmt/format.h>

namespace agon {
namespace {

// The regression after the search may take as long as the search for the order. It must end within the time limit of
// the search. If that has passed already, it has this long for the part that is ordered.
constexpr auto kGrace = std::chrono::seconds(1);

Watch graceful(const Watch& watch) {
  Watch out;
  out.interrupted = watch.was_interrupted() ? nullptr : watch.interrupted;
  out.deadline = watch.deadline;
  if (watch.stop_requested()) out.deadline = Watch::Clock::now() + kGrace;
  return out;
}

SearchResult from_order(const Dataset& data, const StandardTable& table, const CausalOrder& found,
                        const std::string& how, const LocalScore& score, int threads, const Watch& watch,
                        const Knowledge& knowledge) {
  SearchResult out;
  if (table.categorical > 0) {
    out.story.push_back(
        fmt::format("{} categorical of {} columns are used as standardised codes", table.categorical, data.size()));
  }
  out.story.push_back(how);
  // If cut short, what is not ordered is not regressed either: edges from an arbitrary order would be arbitrary too.
  std::vector<int> order = found.order;
  order.resize(found.reasoned);
  const Watch left_over = graceful(watch);
  std::vector<WeightedEdge> edges = regress_in_order(correlations(table), order, knowledge, threads, left_over);
  const size_t count = edges.size();
  LeftOut left;
  out.dag = dag_from_weights(std::move(edges), score, knowledge, &left);
  out.story.push_back(fmt::format("regression in that order keeps {} edges{}", count,
                                  left.over_cap + left.unscored + left.cycle == 0
                                      ? ""
                                      : fmt::format(", of which {} exceed the most parents, determine a column or "
                                                    "contradict a required edge",
                                                    left.over_cap + left.unscored + left.cycle)));
  out.steps = found.steps;
  out.stopped_by = left_over.stop_requested() ? watch.stop_reason() : found.stopped_by;
  out.score = total(score, out.dag);
  return out;
}

}  // namespace

SearchResult direct_lingam(const Dataset& data, const LocalScore& score, const LingamOptions& options,
                           const Watch& watch, const Knowledge& knowledge) {
  const StandardTable table = standardise(data);
  const CausalOrder found = direct_order(table, options, watch, knowledge);
  return from_order(data, table, found,
                    fmt::format("{} of {} variables ordered by pairs", found.reasoned, table.variables()), score,
                    options.threads, watch, knowledge);
}

SearchResult ica_lingam(const Dataset& data, const LocalScore& score, const LingamOptions& options, Rng rng,
                        const Watch& watch, const Knowledge& knowledge) {
  const StandardTable table = standardise(data);
  const CausalOrder found = ica_order(table, options, rng, watch, knowledge);
  return from_order(
      data, table, found,
      fmt::format("{} iterations of FastICA on all rows, {}", found.steps, found.converged ? "settled" : "not settled"),
      score, options.threads, watch, knowledge);
}

}  // namespace agon
