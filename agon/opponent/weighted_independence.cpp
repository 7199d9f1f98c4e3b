#include "agon/opponent/weighted_independence.h"

#include <algorithm>
#include <cmath>

#include "agon/base/distributions.h"
#include "agon/score/blocks.h"

namespace agon {
namespace {

// The weight of each class, and for each the class of a coarser partition that holds it.
struct Margin {
  std::vector<double> weight;
  std::vector<uint32_t> within;
};

Margin margin_of(const WeightedRows& rows, const WeightedRows::Partition& fine, const WeightedRows::Partition& coarse) {
  Margin out{std::vector<double>(fine.classes, 0), std::vector<uint32_t>(fine.classes, 0)};
  for (size_t row = 0; row < rows.merged(); ++row) {
    out.weight[fine.of_row[row]] += rows.weights()[row];
    out.within[fine.of_row[row]] = coarse.of_row[row];
  }
  return out;
}

// By coarser class: the sum of 1 / weight of the classes in it.
std::vector<double> inverses(const Margin& margin, uint32_t coarse) {
  std::vector<double> out(coarse, 0);
  for (size_t c = 0; c < margin.weight.size(); ++c) out[margin.within[c]] += 1 / margin.weight[c];
  return out;
}

// How many classes lie in each coarser one.
std::vector<double> members(const Margin& margin, uint32_t coarse) {
  std::vector<double> out(coarse, 0);
  for (const uint32_t c : margin.within) out[c] += 1;
  return out;
}

}  // namespace

WeightedIndependence::WeightedIndependence(const Dataset& data, Kind kind, double rows_per_dof)
    : rows_(data), kind_(kind), rows_per_dof_(rows_per_dof), seen_(seen_together(data)) {
  for (const Column& column : data.columns()) isolated_.push_back(column.is_isolated());
}

// With n_s, n_as, n_bs and n_abs the weights of the classes by S, by a and S, by b and S, and by all of them:
//
//   G2 = 2 sum n_abs ln(n_abs / e)      X2 = sum n_abs^2 / e - sum n_s      e = n_as n_bs / n_s
//
// over the classes that occur. X2 is the usual sum of (n - e)^2 / e multiplied out: cells without a row are in it.
TestStatistic WeightedIndependence::statistic(Kind kind, Node a, Node b, Parents given) const {
  const WeightedRows::Partition by_s = rows_.partition(given);
  WeightedRows::Partition by_a = by_s, by_b = by_s;
  rows_.refine(by_a, a);
  rows_.refine(by_b, b);
  WeightedRows::Partition by_all = by_a;
  rows_.refine(by_all, b);
  const Margin of_s = margin_of(rows_, by_s, by_s), of_a = margin_of(rows_, by_a, by_s);
  const Margin of_b = margin_of(rows_, by_b, by_s);
  const Margin all_in_a = margin_of(rows_, by_all, by_a), all_in_b = margin_of(rows_, by_all, by_b);
  const std::vector<double> seen_a = members(of_a, by_s.classes), seen_b = members(of_b, by_s.classes);

  const std::vector<double> inverse_a = inverses(of_a, by_s.classes), inverse_b = inverses(of_b, by_s.classes);
  // X2 by shuffling needs the weight of two rows.
  const auto counts = [&](uint32_t s) { return kind == Kind::kG2 || of_s.weight[s] >= 2; };

  TestStatistic out;
  out.configurations = by_s.classes;
  for (uint32_t s = 0; s < by_s.classes; ++s) {
    if (!counts(s)) continue;
    const double dof = (seen_a[s] - 1) * (seen_b[s] - 1);
    out.dof += dof;
    if (kind != Kind::kChi2 || dof == 0) continue;
    out.value -= of_s.weight[s];
    add_shuffled(out, of_s.weight[s], seen_a[s], seen_b[s], inverse_a[s], inverse_b[s]);
  }
  for (size_t cell = 0; cell < all_in_a.weight.size(); ++cell) {
    const uint32_t in_a = all_in_a.within[cell], in_b = all_in_b.within[cell], s = of_a.within[in_a];
    if (!counts(s) || seen_a[s] < 2 || seen_b[s] < 2) continue;
    const double n = all_in_a.weight[cell], expected = of_a.weight[in_a] / of_s.weight[s] * of_b.weight[in_b];
    out.value += kind == Kind::kG2 ? 2 * n * std::log(n / expected) : n / expected * n;
  }
  out.value = std::max(out.value, 0.0);
  return out;
}

bool WeightedIndependence::determines(Node from, Node to) const {
  WeightedRows::Partition levels = rows_.partition(std::span(&from, 1));
  const uint32_t before = levels.classes;
  rows_.refine(levels, to);
  return levels.classes == before;
}

double WeightedIndependence::p_value(Node a, Node b, Parents given) const {
  if (isolated_[a] || isolated_[b]) return 1;
  const TestStatistic found = statistic(a, b, given);
  const double share = seen(a, b), n = rows_.total() * share;
  const auto alone = [&](Node v) { return determines(v, a) || determines(v, b); };
  if (found.dof > 0 && n >= rows_per_dof_ * found.dof) return chi_square_tail(found.value * share, found.dof);
  if (found.dof > 0) return shuffled_tail(statistic(Kind::kChi2, a, b, given), share);
  const bool enough = n > 0 && n >= rows_per_dof_ * found.configurations;
  return given.empty() || !enough || std::ranges::any_of(given, alone) ? 1 : 0;
}

}  // namespace agon
