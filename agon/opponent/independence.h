// agon/opponent/independence.h
//
// Tests of conditional independence: is column a independent of column b once the columns of a set are known? PC and
// FCI ask the data nothing else.
//
//   auto test = make_independence(data);                // G2 for categories, Fisher's z for numbers, blocks for both
//   double p = test->p_value(3, 5, std::vector<Node>{1, 2});
//   test->p_values(3, parents, others, ps);             // one column against several, given one set: work is shared
//
// The tests, n rows, S the set:
//   g2         G2 = 2 sum n_abs ln(n_abs n_s / (n_as n_bs)) over the levels of a, b and the configurations s of S
//   chi2       X2 = sum (n_abs - e)^2 / e, e = n_as n_bs / n_s
//              both against chi-square with sum over s of (levels of a seen in s - 1)(levels of b seen in s - 1)
//              degrees of freedom; levels that s does not show cannot vary (Spirtes, Glymour & Scheines 2000, ch. 5.5).
//              With fewer than `rows_per_dof` rows for every degree of freedom neither is near that distribution. Then
//              both are X2 with the mean and the variance that it has when the cells of a are shuffled among the rows
//              of each s (Haldane 1940, Biometrika 31), as a multiple of a chi-square variable. So a test keeps its
//              level on tables with many levels, and rows that share no s with others count for nothing
//   fisher-z   z = sqrt(n - |S| - 3) atanh(r), r the partial correlation of a and b given S, against the standard
//              normal (Fisher 1924), on the normal scores of the ranks (as copula-bic) or on the columns as they are
//
// What may be relied on: a p-value is in [0, 1], and a smaller one means a clearer dependence; p_value and p_values
// agree, and so do, up to rounding, (a, b) and (b, a); the order of rows does not matter; calls from several threads
// are safe.
//
// Where the data cannot tell, the answer is 1, independent: with too few rows for the test, where no order of the cells
// of a would give another X2, and where a or b is isolated (constant, or an identifier) or one member of S determines
// it. Where only several members of S together determine a or b, and there are `rows_per_dof` rows for every
// configuration, the answer is 0: an "either" of two causes has no variation left once both are known, but that does
// not make its effects independent of it. PC would lose all of them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/node_set.h"
#include "agon/score/discrete_table.h"

namespace agon {

class Independence {
 public:
  virtual ~Independence() = default;
  virtual int size() const = 0;  // p
  virtual std::string name() const = 0;
  // a and b must differ and must not be in `given`, which must be sorted.
  virtual double p_value(Node a, Node b, Parents given) const = 0;
  // out[k] = p_value(a, others[k], given). This default computes them one by one.
  virtual void p_values(Node a, Parents given, std::span<const Node> others, std::span<double> out) const;
};

struct TestStatistic {
  double value = 0;
  double dof = 0;
  double configurations = 0;      // of `given`, in the table
  double mean = 0, variance = 0;  // X2: what it would have if a were shuffled among the rows of each configuration
};

// What shuffling one column would make of X2 in one configuration: adds its mean and variance. `all` rows, so many
// levels of either column, and the sums of 1 / rows of a level.
void add_shuffled(TestStatistic& x2, double all, double levels_a, double levels_b, double inverse_a, double inverse_b);
// The p-value of X2 by the mean and the variance that it would have; `share` of it is counted.
double shuffled_tail(const TestStatistic& x2, double share = 1);

class DiscreteIndependence final : public Independence {
 public:
  enum class Kind { kG2, kChi2 };
  // `data` must be categorical throughout.
  explicit DiscreteIndependence(const Dataset& data, Kind kind = Kind::kG2, double rows_per_dof = 5);

  int size() const override { return table_.size(); }
  std::string name() const override { return kind_ == Kind::kG2 ? "g2" : "chi2"; }
  double p_value(Node a, Node b, Parents given) const override;
  void p_values(Node a, Parents given, std::span<const Node> others, std::span<double> out) const override;
  TestStatistic statistic(Node a, Node b, Parents given) const;

 private:
  void statistics(Kind kind, Node a, Parents given, std::span<const Node> others, std::span<TestStatistic> out) const;
  TestStatistic of_cells(Kind kind, std::span<const uint32_t> cells, int b_levels, int a_levels) const;
  TestStatistic counted_by_rows(Kind kind, Node a, Node b, Parents given) const;
  double n_log_n(uint32_t n) const;
  bool determines(Node from, Node to) const;  // does every level of `from` come with only one level of `to`?

  DiscreteTable table_;
  std::vector<Codes> codes_;
  std::vector<char> isolated_;
  Kind kind_;
  double rows_per_dof_;
  std::vector<double> n_log_n_;  // of small numbers
};

class FisherZ final : public Independence {
 public:
  enum class Scale { kRank, kRaw };
  // `data` must be continuous throughout.
  explicit FisherZ(const Dataset& data, Scale scale = Scale::kRank);
  FisherZ(std::vector<double> correlation, int nodes,
          double rows);  // [a][b]; for tests and for matrices from other sources

  int size() const override { return p_; }
  std::string name() const override { return scale_ == Scale::kRank ? "fisher-z" : "fisher-z-raw"; }
  double p_value(Node a, Node b, Parents given) const override;
  void p_values(Node a, Parents given, std::span<const Node> others, std::span<double> out) const override;
  // Where `given` determines a or b: 0 if one member of it does, 1 if several together do.
  double partial_correlation(Node a, Node b, Parents given) const;

 private:
  void partials(Node a, Parents given, std::span<const Node> others, std::span<double> out) const;
  double p_of(double partial, size_t given) const;

  int p_ = 0;
  double rows_ = 0;
  Scale scale_ = Scale::kRank;
  std::vector<double> correlation_;
};

// "g2" or "chi2" for a categorical table (with weights: weighted_independence.h), "fisher-z" or "fisher-z-raw" for a
// continuous one, "block" for any, with missing cells and weights (block_independence.h). "auto": the first of these
// that takes the table. The names of causal-cmd are accepted too: g-square-test, chi-square-test, fisher-z-test,
// dg-lr-test. Throws UsageError for a test that does not exist or does not fit the kinds of the columns, InputError for
// one that cannot use the missing cells, weights or experiments of the table. `threads` changes no answer.
std::string resolve_test(const Dataset& data, const std::string& name);  // the name in agon's spelling, never "auto"
std::unique_ptr<Independence> make_independence(const Dataset& data, const std::string& name = "auto", int threads = 1);

}  // namespace agon
