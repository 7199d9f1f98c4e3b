#include "agon/score/weighted_discrete.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "agon/base/distributions.h"
#include "agon/score/blocks.h"
#include "agon/score/discrete_score.h"

namespace agon {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The free parameters of a family in all groups, its neighbours included. With omega this is the sum over sets that
// weighted_discrete.h defines, where a set {j} u S is the bit mask S over the parents, and
//
//   largest(S) = max(largest(S without a), largest(S without b), omega_ab),   a, b the two smallest members of S
//
// since every pair of {j} u S but a, b lies in one of the two smaller sets.
class Parameters {
 public:
  Parameters(const WeightedRows& rows, const std::vector<double>& omega, Node child, Parents parents)
      : rows_(rows), omega_(omega), child_(child), parents_(parents) {
    configurations_ = rows.groups();
    for (const Node q : parents) configurations_ *= rows.levels(q);
    plain_ = (rows.levels(child) - 1) * configurations_;
    if (omega.empty() || too_many(parents.size())) return;
    const size_t sets = size_t{1} << parents.size();
    product_.assign(sets, rows.groups() * (rows.levels(child) - 1.0));
    largest_.assign(sets, 1);
    for (size_t set = 1; set < sets; ++set) {
      const int a = std::countr_zero(set);
      const size_t without_a = set & (set - 1);
      product_[set] = product_[without_a] * (rows.levels(parents[a]) - 1);
      if (without_a == 0) {
        largest_[set] = pair(child, parents[a]);
        continue;
      }
      const int b = std::countr_zero(without_a);
      const size_t without_b = set & ~(size_t{1} << b);
      largest_[set] = std::max({largest_[without_a], largest_[without_b], pair(parents[a], parents[b])});
    }
  }

  double configurations() const { return configurations_; }

  double now() const {
    if (omega_.empty()) return plain_;
    return too_many(parents_.size()) ? kInfinity : sum_over([](size_t) { return true; });
  }

  double without(size_t k) const {
    if (omega_.empty()) return plain_ / rows_.levels(parents_[k]);
    if (too_many(parents_.size())) return kInfinity;  // one more than the cap: the caller's family was undefined too
    return sum_over([bit = size_t{1} << k](size_t set) { return (set & bit) == 0; });
  }

  // `now` and the sets that hold v.
  double with(Node v, double now) {
    if (omega_.empty()) return plain_ * rows_.levels(v);
    if (too_many(parents_.size() + 1)) return kInfinity;
    to_v_.resize(largest_.size());
    double sum = 0;
    for (size_t set = 0; set < largest_.size(); ++set) {
      const Node nearest = set == 0 ? child_ : parents_[std::countr_zero(set)];
      to_v_[set] = std::max(set == 0 ? 0 : to_v_[set & (set - 1)], pair(v, nearest));
      sum += charge(product_[set] * (rows_.levels(v) - 1), std::max(largest_[set], to_v_[set]));
    }
    return now + sum;
  }

 private:
  static bool too_many(size_t parents) { return parents > kMostChargedParents; }
  // A variable of one level has no parameters, seen or not.
  static double charge(double product, double omega) { return product == 0 ? 0 : product * omega; }
  double pair(Node a, Node b) const { return omega_[static_cast<size_t>(a) * rows_.size() + b]; }

  template <class Counts>
  double sum_over(Counts counts) const {
    double sum = 0;
    for (size_t set = 0; set < product_.size(); ++set) {
      if (counts(set)) sum += charge(product_[set], largest_[set]);
    }
    return sum;
  }

  const WeightedRows& rows_;
  const std::vector<double>& omega_;
  Node child_;
  Parents parents_;
  double configurations_;
  double plain_ = 0;                       // without omega
  std::vector<double> product_, largest_;  // by set
  std::vector<double> to_v_;               // by set: the largest omega between v and a member
};

const char* why_undefined(Parents parents) {
  return parents.size() > kMostChargedParents ? "a family has too many parents for a table with drawn cells"
                                              : "two variables of a family were never seen in one row";
}

double x_log_x(double x) { return x > 0 ? x * std::log(x) : 0; }

}  // namespace

int discrete_bic_parent_cap(const Dataset& data) {
  return data.has_drawn() ? std::min(discrete_parent_cap(data), kMostChargedParents) : discrete_parent_cap(data);
}

WeightedDiscrete::WeightedDiscrete(const Dataset& data, const ScoreOptions& options, const char* name, int parent_cap) {
  const RowSets sets = row_sets(data);
  for (const RowSet& set : sets.sets) rows_.emplace_back(data, set);
  if (rows_.empty()) rows_.emplace_back(data);
  const RowSet everything{std::vector<int>(data.regimes().size(), 0), 1};
  total_ = data.has_regimes() ? WeightedRows(data, everything).total() : rows_[0].total();
  traits_.row_set = sets.of;
  traits_.name = name;
  traits_.max_parents = options.max_parents > 0 ? options.max_parents : parent_cap;
  for (const Column& column : data.columns()) traits_.constant.push_back(column.is_isolated());
}

void WeightedDiscrete::add_set_cells(const Dataset& data) {
  set_cells_.assign(data.size(), 0);
  for (int k = 0; k < static_cast<int>(data.regimes().size()); ++k) {
    if (data.targets(k).empty() || data.regimes()[k].intervention != Intervention::kPerfect) continue;
    RowSet alone{std::vector<int>(data.regimes().size(), -1), 1};
    alone.group[k] = 0;
    const WeightedRows rows(data, alone);
    for (const Node v : data.targets(k)) {
      set_cells_[v] += value(rows.count(rows.partition({}), v), v, 1, rows.levels(v) - 1);
    }
  }
}

double WeightedDiscrete::local(Node child, Parents parents) const { return column_gains(child, parents, {}, {}); }

double WeightedDiscrete::addition_gains(Node child, Parents parents, std::span<double> gains) const {
  return column_gains(child, parents, gains, {});
}

double WeightedDiscrete::removal_gains(Node child, Parents parents, std::span<double> gains) const {
  return column_gains(child, parents, {}, gains);
}

double WeightedDiscrete::column_gains(Node child, Parents parents, std::span<double> additions,
                                      std::span<double> removals) const {
  const WeightedRows& rows = rows_of(child);
  Parameters parameters(rows, omega_, child, parents);
  const double free = parameters.now(), q = parameters.configurations();
  if (free == kInfinity) throw ScoreUndefined(why_undefined(parents));
  WeightedRows::Partition by_parents = rows.partition(parents);
  const double now = value(rows.count(by_parents, child), child, q, free);
  if (!additions.empty()) {
    WeightedRows::Additions count(rows, by_parents, child);
    for (Node v = 0; v < static_cast<Node>(additions.size()); ++v) {
      additions[v] = kNoGain;
      if (!may_add(traits_, child, parents, v)) continue;
      const double more = parameters.with(v, free);
      if (more < kInfinity) additions[v] = value(count.with(v), child, q * rows.levels(v), more) - now;
    }
  }
  const double total = now + set_cells_[child];
  if (removals.empty()) return total;
  // Rows that agree on the child and all parents stay together when a parent is dropped.
  rows.refine(by_parents, child);
  std::vector<Node> family(parents.begin(), parents.end());
  family.push_back(child);
  const WeightedRows merged = rows.merged_by(by_parents, family);
  for (size_t k = 0; k < parents.size(); ++k) {
    std::vector<Node> kept(parents.begin(), parents.end());
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(k));
    const WeightedCounts counts = merged.count(merged.partition(kept), child);
    removals[k] = value(counts, child, q / rows.levels(parents[k]), parameters.without(k)) - now;
  }
  return total;
}

double WeightedDiscrete::log_likelihood(const WeightedCounts& counts) {
  double sum = 0;
  for (const double n : counts.cells) sum += x_log_x(n);
  for (const double n : counts.configurations) sum -= x_log_x(n);
  return sum;
}

double WeightedDiscrete::marginal_likelihood(const WeightedCounts& counts, Node child, double per_configuration) const {
  const double per_cell = per_configuration / rows_of(child).levels(child);
  const double log_gamma_configuration = log_gamma(per_configuration), log_gamma_cell = log_gamma(per_cell);
  double sum = 0;
  for (const double n : counts.cells) {
    if (n > 0) sum += log_gamma(per_cell + n) - log_gamma_cell;
  }
  for (const double n : counts.configurations) {
    if (n > 0) sum += log_gamma_configuration - log_gamma(per_configuration + n);
  }
  return sum;
}

WeightedDiscreteBic::WeightedDiscreteBic(const Dataset& data, const ScoreOptions& options)
    : WeightedDiscrete(data, options, "discrete-bic", discrete_bic_parent_cap(data)),
      penalty_(options.penalty * 0.5 * std::log(total_)) {
  add_set_cells(data);
  if (!data.has_drawn()) return;
  traits_.max_parents = std::min(traits_.max_parents, kMostChargedParents);
  omega_ = seen_together(data);
  for (double& share : omega_) share = share > 0 ? 1 / share : kInfinity;
}

double WeightedDiscreteBic::value(const WeightedCounts& counts, Node, double, double parameters) const {
  return log_likelihood(counts) - penalty_ * parameters;
}

WeightedBdeu::WeightedBdeu(const Dataset& data, const ScoreOptions& options, const char* name)
    : WeightedDiscrete(data, options, name, discrete_parent_cap(data)), ess_(options.ess) {
  add_set_cells(data);
}

double WeightedBdeu::value(const WeightedCounts& counts, Node child, double configurations, double) const {
  return marginal_likelihood(counts, child, ess_ / configurations);
}

}  // namespace agon
