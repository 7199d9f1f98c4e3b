#include "agon/score/discrete_score.h"

#include <algorithm>
#include <cmath>

#include "agon/score/discrete_family.h"

namespace agon {

int discrete_parent_cap(const Dataset& data) { return std::max(1, data.size() - 1); }

struct DiscreteBic::Terms {
  static constexpr bool kZeroForNothing = true, kPricedLikelihood = true;
  std::span<const double> table;
  double penalty;
  double cell(uint32_t n) const { return x_log_x(table, n); }
  double configuration(uint32_t n) const { return -x_log_x(table, n); }
  double constant() const { return -penalty; }
};

DiscreteBic::DiscreteBic(const Dataset& data, const ScoreOptions& options)
    : table_(data),
      traits_(discrete_traits("discrete-bic", data, options)),
      penalty_(options.penalty * 0.5 * std::log(static_cast<double>(data.rows()))) {
  x_log_x_ = x_log_x_table(data.rows());
}

DiscreteBic::Terms DiscreteBic::terms(Node child, double configurations) const {
  return {x_log_x_, penalty_ * (table_.levels(child) - 1) * configurations};
}

double DiscreteBic::local(Node child, Parents parents) const {
  return family_value(table_.count(child, parents), terms(child, configurations(table_, parents)));
}

double DiscreteBic::addition_gains(Node child, Parents parents, std::span<double> gains) const {
  return column_gains(child, parents, gains, {});
}

double DiscreteBic::removal_gains(Node child, Parents parents, std::span<double> gains) const {
  return column_gains(child, parents, {}, gains);
}

double DiscreteBic::column_gains(Node child, Parents parents, std::span<double> additions,
                                 std::span<double> removals) const {
  return all_gains(table_, traits_, child, parents, additions, removals,
                   [&](double q, const FamilyCounts&) { return terms(child, q); });
}

double DiscreteBic::positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const {
  return gaining_additions(table_, traits_, child, parents, 0, best, [&](double q) { return terms(child, q); });
}

struct Bdeu::Terms {
  static constexpr bool kPricedLikelihood = false;
  static constexpr bool kZeroForNothing = false;  // it is zero, but costs a logarithm of the gamma function
  double per_cell, per_configuration;
  double log_gamma_cell, log_gamma_configuration;
  double cell(uint32_t n) const { return n == 0 ? 0 : log_gamma(per_cell + n) - log_gamma_cell; }
  double configuration(uint32_t n) const { return log_gamma_configuration - log_gamma(per_configuration + n); }
  double constant() const { return 0; }
};

Bdeu::Bdeu(const Dataset& data, const ScoreOptions& options, const char* name)
    : table_(data), traits_(discrete_traits(name, data, options)), ess_(options.ess) {}

Bdeu::Terms Bdeu::terms(Node child, double configurations) const {
  const double per_configuration = ess_ / configurations;
  const double per_cell = per_configuration / table_.levels(child);
  return {per_cell, per_configuration, log_gamma(per_cell), log_gamma(per_configuration)};
}

double Bdeu::local(Node child, Parents parents) const {
  return family_value(table_.count(child, parents), terms(child, configurations(table_, parents)));
}

double Bdeu::addition_gains(Node child, Parents parents, std::span<double> gains) const {
  return column_gains(child, parents, gains, {});
}

double Bdeu::removal_gains(Node child, Parents parents, std::span<double> gains) const {
  return column_gains(child, parents, {}, gains);
}

double Bdeu::column_gains(Node child, Parents parents, std::span<double> additions, std::span<double> removals) const {
  return all_gains(table_, traits_, child, parents, additions, removals,
                   [&](double q, const FamilyCounts&) { return terms(child, q); });
}

}  // namespace agon
