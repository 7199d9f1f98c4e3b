#include "agon/score/nml_score.h"

#include <cmath>

#include "agon/score/discrete_score.h"

namespace agon {
namespace {

// Families of more cells than this are slow to count, beside which R costs nothing.
constexpr size_t kRegretTableSize = size_t{1} << 12;

// The tables of Fnml are as long as the rows for every number of levels that occurs, up to this.
constexpr size_t kChargeTableSize = size_t{1} << 16;

}  // namespace

template class DiscreteFamilyScore<Qnml>;
template class DiscreteFamilyScore<Fnml>;

Qnml::Qnml(const Dataset& data, const ScoreOptions& options, Regret regret)
    : DiscreteFamilyScore("qnml", data, options),
      x_log_x_(x_log_x_table(data.rows())),
      which_(regret),
      regret_(kRegretTableSize) {
  const double n = static_cast<double>(table_.rows());
  for (size_t k = 0; k < regret_.size(); ++k) {
    const double levels = static_cast<double>(k);
    regret_[k] = which_ == Regret::kStraight ? straight_regret(n, levels) : multinomial_regret(n, levels);
  }
}

Qnml::Terms Qnml::terms(Node child, double configurations, const FamilyCounts&) const {
  const double cells = configurations * table_.levels(child);
  if (cells < kRegretTableSize) {
    return {x_log_x_, regret_[static_cast<size_t>(cells)] - regret_[static_cast<size_t>(configurations)]};
  }
  const auto cost = which_ == Regret::kStraight ? straight_regret_of_levels : regret_of_levels;
  return {x_log_x_, cost(static_cast<double>(table_.rows()), configurations, table_.levels(child))};
}

Fnml::Fnml(const Dataset& data, const ScoreOptions& options)
    : DiscreteFamilyScore("fnml", data, options), x_log_x_(x_log_x_table(data.rows())) {
  traits_.score_equivalent = false;
  for (Node v = 0; v < data.size(); ++v) {
    const size_t levels = static_cast<size_t>(table_.levels(v));
    if (charge_.size() <= levels) charge_.resize(levels + 1);
    if (!charge_[levels].empty()) continue;
    charge_[levels].resize(std::min(kChargeTableSize, data.rows() + 1));
    for (uint32_t n = 0; n < charge_[levels].size(); ++n) {
      charge_[levels][n] = x_log_x(x_log_x_, n) + multinomial_regret(n, static_cast<double>(levels));
    }
  }
}

Fnml::Terms Fnml::terms(Node child, double, const FamilyCounts&) const {
  const int levels = table_.levels(child);
  return {x_log_x_, charge_[static_cast<size_t>(levels)], static_cast<double>(levels)};
}

WeightedQnml::WeightedQnml(const Dataset& data, const ScoreOptions& options, Regret regret)
    : WeightedDiscrete(data, options, "qnml", discrete_parent_cap(data)), which_(regret) {
  add_set_cells(data);
}

// n is the weight of what was counted: of the row set, or of the cells that one experiment set.
double WeightedQnml::value(const WeightedCounts& counts, Node child, double configurations, double) const {
  double n = 0;
  for (const double weight : counts.configurations) n += weight;
  const auto cost = which_ == Regret::kStraight ? straight_regret_of_levels : regret_of_levels;
  return log_likelihood(counts) - cost(n, configurations, rows_of(child).levels(child));
}

WeightedFnml::WeightedFnml(const Dataset& data, const ScoreOptions& options)
    : WeightedDiscrete(data, options, "fnml", discrete_parent_cap(data)) {
  traits_.score_equivalent = false;
  add_set_cells(data);
}

double WeightedFnml::value(const WeightedCounts& counts, Node child, double, double) const {
  double sum = log_likelihood(counts);
  for (const double n : counts.configurations) sum -= multinomial_regret(n, rows_of(child).levels(child));
  return sum;
}

}  // namespace agon
