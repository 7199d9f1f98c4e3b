// agon/score/discrete_family.h
//
// From the counts of a family to its score: what the scores for categorical tables share. A score says in its Terms
// what a cell, a configuration of the parents and a whole family add; the walk over the counts and the batch calls are
// written here, once.
//
//   cell(n)           a cell of n > 0 rows
//   configuration(n)  a configuration of n > 0 rows
//   constant()        once per family
//   kZeroForNothing   cell(0) and configuration(0) are 0 and cheap, so that empty cells need not be skipped
//   kPricedLikelihood the score is a log-likelihood and constant(), which depends on the levels alone
//
// The scores of discrete_score.h use the functions; those of nml_score.h and seen_score.h the class.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "agon/base/distributions.h"
#include "agon/score/discrete_table.h"
#include "agon/score/local_score.h"

namespace agon {

ScoreTraits discrete_traits(const std::string& name, const Dataset& data, const ScoreOptions& options);

// x ln x for x = 0 .. rows, or as far as a table of 8 MB reaches.
std::vector<double> x_log_x_table(size_t rows);

inline double x_log_x(std::span<const double> table, uint32_t n) {
  return n < table.size() ? table[n] : n * std::log(static_cast<double>(n));
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

inline double configurations(const DiscreteTable& table, Parents parents) {
  double product = 1;
  for (Node q : parents) product *= table.levels(q);
  return product;
}

// The batch calls, the same for every discrete score. terms_of(configurations, counts) gives the terms of a family with
// that many possible parent configurations and these counts. Either span may be empty if it is not wanted.
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
  const auto at_present = [&](const FamilyCounts& counts) { now = family_value(counts, terms_of(q, counts)); };
  const auto addition = [&](Node v, const FamilyCounts& counts) {
    additions[v] = family_value(counts, terms_of(q * table.levels(v), counts)) - now;
  };
  const auto removal = [&](size_t k, const FamilyCounts& counts) {
    removals[k] = family_value(counts, terms_of(q / table.levels(parents[k]), counts)) - now;
  };
  using Terms = decltype(terms_of(q, FamilyCounts{}));
  if constexpr (Terms::kPricedLikelihood) {
    const auto term = [terms = terms_of(q, FamilyCounts{})](uint32_t n) { return terms.cell(n); };
    const auto summed = [&](Node v, double likelihood) {
      additions[v] = likelihood + terms_of(q * table.levels(v), FamilyCounts{}).constant() - now;
    };
    if (removals.empty()) {
      table.sum_additions(child, parents, possible, at_present, DiscreteTable::AnySum{}, term, summed, addition);
    } else {
      table.sum_additions(child, parents, possible, at_present, DiscreteTable::AnySum{}, term, summed, addition,
                          removal);
    }
  } else if (removals.empty()) {
    table.count_neighbours(child, parents, possible, at_present, addition, nullptr);
  } else {
    table.count_neighbours(child, parents, possible, at_present, addition, removal);
  }
  return now;
}

// The additions that gain more than `least`, best first, for scores with kPricedLikelihood. No likelihood is above 1,
// so a family scores at most its constant and what the configurations counted so far have added. Once that is too
// little, the count can stop: families of many cells, which take longest to count, are the most expensive ones.
template <class TermsOf>
double gaining_additions(const DiscreteTable& table, const ScoreTraits& traits, Node child, Parents parents,
                         double least, std::vector<ParentGain>& best, TermsOf terms_of) {
  best.clear();
  const double q = configurations(table, parents);
  std::vector<Node> possible;
  for (Node v = 0; v < table.size(); ++v) {
    if (may_add(traits, child, parents, v)) possible.push_back(v);
  }
  double now = 0, enough = 0;
  const auto add = [&](Node v, double value) {
    if (value - now > least) best.push_back({value - now, v});
  };
  table.sum_additions(
      child, parents, possible,
      [&](const FamilyCounts& counts) {
        now = family_value(counts, terms_of(q));
        enough = now + least - 1e-9 * (1 + std::abs(now));  // rounding makes no difference to what is found
      },
      [&](Node v) { return enough - terms_of(q * table.levels(v)).constant(); },
      [terms = terms_of(q)](uint32_t n) { return terms.cell(n); },
      [&](Node v, double likelihood) { add(v, likelihood + terms_of(q * table.levels(v)).constant()); },
      [&](Node v, const FamilyCounts& counts) { add(v, family_value(counts, terms_of(q * table.levels(v)))); });
  sort_by_gain(best);
  return now;
}

// The configurations of the parents that occur.
inline double seen_configurations(const FamilyCounts& counts) {
  if (!counts.configurations.empty()) {
    return static_cast<double>(std::ranges::count_if(counts.configurations, [](uint32_t n) { return n > 0; }));
  }
  const size_t width = static_cast<size_t>(counts.child_levels);
  double seen = 0;
  for (const uint32_t *at = counts.cells.data(), *end = at + counts.cells.size(); at < end; at += width) {
    seen += std::any_of(at, at + width, [](uint32_t n) { return n > 0; });
  }
  return seen;
}

// A score that is no more than its terms: Own has a function terms(child, configurations, counts). The header of Own
// declares `extern template class DiscreteFamilyScore<Own>;` and its source defines it. Otherwise every source that
// makes such a score compiles it again, and the linker may keep the copy of one that is not optimised.
template <class Own>
class DiscreteFamilyScore : public LocalScore {
 public:
  double local(Node child, Parents parents) const final {
    const FamilyCounts counts = table_.count(child, parents);
    return family_value(counts, own().terms(child, configurations(table_, parents), counts));
  }
  const ScoreTraits& traits() const final { return traits_; }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const final {
    return column_gains(child, parents, gains, {});
  }
  double removal_gains(Node child, Parents parents, std::span<double> gains) const final {
    return column_gains(child, parents, {}, gains);
  }
  double column_gains(Node child, Parents parents, std::span<double> additions,
                      std::span<double> removals) const final {
    return all_gains(table_, traits_, child, parents, additions, removals,
                     [&](double q, const FamilyCounts& counts) { return own().terms(child, q, counts); });
  }
  double positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const final {
    return additions_above(0, child, parents, best);
  }
  // As positive_additions(), but only those that gain more than `least`, which must not be negative.
  double additions_above(double least, Node child, Parents parents, std::vector<ParentGain>& best) const {
    if constexpr (Own::Terms::kPricedLikelihood) {
      return gaining_additions(table_, traits_, child, parents, least, best,
                               [&](double q) { return own().terms(child, q, FamilyCounts{}); });
    } else {
      const double score = LocalScore::positive_additions(child, parents, best);
      std::erase_if(best, [&](const ParentGain& one) { return one.gain <= least; });
      return score;
    }
  }

 protected:
  DiscreteFamilyScore(const std::string& name, const Dataset& data, const ScoreOptions& options)
      : table_(data), traits_(discrete_traits(name, data, options)) {}

  DiscreteTable table_;
  ScoreTraits traits_;

 private:
  const Own& own() const { return static_cast<const Own&>(*this); }
};

}  // namespace agon
