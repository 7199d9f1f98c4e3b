#include "agon/score/seen_score.h"

#include <cmath>

#include "agon/score/discrete_score.h"

namespace agon {
namespace {

double seen(const std::vector<double>& configurations) {
  return static_cast<double>(std::ranges::count_if(configurations, [](double n) { return n > 0; }));
}

}  // namespace

template class DiscreteFamilyScore<DiscreteBicSeen>;
template class DiscreteFamilyScore<Bds>;

DiscreteBicSeen::DiscreteBicSeen(const Dataset& data, const ScoreOptions& options)
    : DiscreteFamilyScore("discrete-bic-seen", data, options),
      penalty_(options.penalty * 0.5 * std::log(static_cast<double>(data.rows()))),
      x_log_x_(x_log_x_table(data.rows())) {
  traits_.score_equivalent = false;
}

DiscreteBicSeen::Terms DiscreteBicSeen::terms(Node child, double, const FamilyCounts&) const {
  return {x_log_x_, penalty_ * (table_.levels(child) - 1)};
}

Bds::Bds(const Dataset& data, const ScoreOptions& options)
    : DiscreteFamilyScore("bds", data, options), ess_(options.ess) {
  traits_.score_equivalent = false;
}

Bds::Terms Bds::terms(Node child, double, const FamilyCounts& counts) const {
  const double per_configuration = ess_ / seen_configurations(counts);
  const double per_cell = per_configuration / table_.levels(child);
  return {per_cell, per_configuration, log_gamma(per_cell), log_gamma(per_configuration)};
}

WeightedDiscreteBicSeen::WeightedDiscreteBicSeen(const Dataset& data, const ScoreOptions& options)
    : WeightedDiscrete(data, options, "discrete-bic-seen", discrete_parent_cap(data)),
      penalty_(options.penalty * 0.5 * std::log(total_)) {
  traits_.score_equivalent = false;
  add_set_cells(data);
}

double WeightedDiscreteBicSeen::value(const WeightedCounts& counts, Node child, double, double) const {
  return log_likelihood(counts) - penalty_ * (rows_of(child).levels(child) - 1) * seen(counts.configurations);
}

WeightedBds::WeightedBds(const Dataset& data, const ScoreOptions& options)
    : WeightedDiscrete(data, options, "bds", discrete_parent_cap(data)), ess_(options.ess) {
  traits_.score_equivalent = false;
  add_set_cells(data);
}

double WeightedBds::value(const WeightedCounts& counts, Node child, double, double) const {
  return marginal_likelihood(counts, child, ess_ / seen(counts.configurations));
}

}  // namespace agon
