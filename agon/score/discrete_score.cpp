#include "agon/score/discrete_score.h"

#include <cmath>

namespace agon {
namespace {

constexpr size_t kLogTableSize = size_t{1} << 20;

ScoreTraits discrete_traits(const std::string& name, const Dataset& data, const ScoreOptions& options) {
  ScoreTraits traits;
  traits.name = name;
  traits.max_parents = options.max_parents > 0 ? options.max_parents : discrete_parent_cap(data);
  for (const Column& column : data.columns()) traits.constant.push_back(column.is_isolated());
  return traits;
}

// The sum over a dense table: one term per non-empty cell and one per non-empty configuration. The child has `r`
// levels, or, where r is 0, `levels`, known only at run time. Where the term of an empty cell is exactly zero it is
// added too, which saves a branch.
template <int r, class Terms>
double dense_value(const std::vector<uint32_t>& cells, int levels, const Terms& terms) {
  const size_t width = static_cast<size_t>(r > 0 ? r : levels);
  double sum = 0;
  for (const uint32_t *at = cells.data(), *end = at + cells.size(); at < end; at += width) {
    uint32_t rows = 0;
    double in_configuration = 0;
    for (size_t a = 0; a < width; ++a) {
      if (!Terms::kZeroForNothing && at[a] == 0) continue;
      rows += at[a];
      in_configuration += terms.cell(at[a]);
    }
    if (Terms::kZeroForNothing || rows > 0) sum += in_configuration + terms.configuration(rows);
  }
  return sum;
}

// The value of a family: one term per non-empty cell, one per non-empty configuration, and a constant.
template <class Terms>
double family_value(const FamilyCounts& counts, const Terms& terms) {
  const int r = counts.child_levels;
  double sum = 0;
  if (!counts.configurations.empty()) {
    for (uint32_t n : counts.cells) sum += terms.cell(n);
    for (uint32_t n : counts.configurations) sum += terms.configuration(n);
  } else {
    sum = r == 2   ? dense_value<2>(counts.cells, r, terms)
          : r == 3 ? dense_value<3>(counts.cells, r, terms)
          : r == 4 ? dense_value<4>(counts.cells, r, terms)
                   : dense_value<0>(counts.cells, r, terms);
  }
  return sum + terms.constant();
}

double configurations(const DiscreteTable& table, Parents parents) {
  double product = 1;
  for (Node q : parents) product *= table.levels(q);
  return product;
}

// The batch calls, the same for every discrete score. terms_of(configurations) gives the terms of a family with that
// many parent configurations. Either span may be empty if it is not wanted.
template <class TermsOf>
double all_gains(const DiscreteTable& table, const ScoreTraits& traits, Node child, Parents parents,
                 std::span<double> additions, std::span<double> removals, TermsOf terms_of) {
  const double q = configurations(table, parents);
  std::vector<Node> possible;
  for (Node v = 0; v < static_cast<Node>(additions.size()); ++v) {
    additions[v] = kNoGain;
    if (may_add(traits, child, parents, v)) possible.push_back(v);
  }
  double now = 0;
  const auto at_present = [&](const FamilyCounts& counts) { now = family_value(counts, terms_of(q)); };
  const auto addition = [&](Node v, const FamilyCounts& counts) {
    additions[v] = family_value(counts, terms_of(q * table.levels(v))) - now;
  };
  if (removals.empty()) {
    table.count_neighbours(child, parents, possible, at_present, addition, nullptr);
  } else {
    table.count_neighbours(child, parents, possible, at_present, addition, [&](size_t k, const FamilyCounts& counts) {
      removals[k] = family_value(counts, terms_of(q / table.levels(parents[k]))) - now;
    });
  }
  return now;
}

}  // namespace

int discrete_parent_cap(const Dataset& data) { return std::max(1, data.size() - 1); }

struct DiscreteBic::Terms {
  static constexpr bool kZeroForNothing = true;
  std::span<const double> table;
  double penalty;
  double x_log_x(uint32_t n) const { return n < table.size() ? table[n] : n * std::log(static_cast<double>(n)); }
  double cell(uint32_t n) const { return x_log_x(n); }
  double configuration(uint32_t n) const { return -x_log_x(n); }
  double constant() const { return -penalty; }
};

DiscreteBic::DiscreteBic(const Dataset& data, const ScoreOptions& options)
    : table_(data),
      traits_(discrete_traits("discrete-bic", data, options)),
      penalty_(options.penalty * 0.5 * std::log(static_cast<double>(data.rows()))) {
  x_log_x_.resize(std::min(kLogTableSize, data.rows() + 1));
  for (size_t n = 2; n < x_log_x_.size(); ++n) x_log_x_[n] = static_cast<double>(n) * std::log(static_cast<double>(n));
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
  return all_gains(table_, traits_, child, parents, additions, removals, [&](double q) { return terms(child, q); });
}

struct Bdeu::Terms {
  static constexpr bool kZeroForNothing = false;  // it is zero, but costs a logarithm of the gamma function
  double per_cell, per_configuration;
  double log_gamma_cell, log_gamma_configuration;
  static double log_gamma(double x) {
    int sign = 0;
    return lgamma_r(x, &sign);  // the thread-safe one
  }
  double cell(uint32_t n) const { return n == 0 ? 0 : log_gamma(per_cell + n) - log_gamma_cell; }
  double configuration(uint32_t n) const { return log_gamma_configuration - log_gamma(per_configuration + n); }
  double constant() const { return 0; }
};

Bdeu::Bdeu(const Dataset& data, const ScoreOptions& options)
    : table_(data), traits_(discrete_traits("bdeu", data, options)), ess_(options.ess) {}

Bdeu::Terms Bdeu::terms(Node child, double configurations) const {
  const double per_configuration = ess_ / configurations;
  const double per_cell = per_configuration / table_.levels(child);
  return {per_cell, per_configuration, Terms::log_gamma(per_cell), Terms::log_gamma(per_configuration)};
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
  return all_gains(table_, traits_, child, parents, additions, removals, [&](double q) { return terms(child, q); });
}

}  // namespace agon
