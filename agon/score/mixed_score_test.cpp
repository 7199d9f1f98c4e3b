#include "agon/score/mixed_score.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "agon/graph/class_members.h"
#include "agon/graph/equivalence.h"
#include "agon/score/discrete_score.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/test_mixed_tables.h"

namespace agon {
namespace {

using testing::Family;

// The score on the columns as they are, with the floor given.
MixedBic raw_score(const Dataset& data, double floor, double penalty = 1) {
  ScoreOptions options{.penalty = penalty, .raw = true};
  return MixedBic(block_moments(data, options, {.tolerance = 1e-13, .most_steps = 500, .floor = floor}), options,
                  "mixed-bic");
}

double gain_of(const MixedBic& score, const Dataset& data, const char* parent, const char* child) {
  const Node a = data.index_of(parent), b = data.index_of(child);
  return score.local(b, std::vector<Node>{a}) - score.local(b, {});
}

// An edge costs max(m/2 ln n, 1/2 ln n + ln p), of which ln p is charged elsewhere. Three variables: ln p = ln 3.
//   6 rows, a category of 3 levels and a number: m = 2, max(ln 6, 1/2 ln 6 + ln 3) - ln 3 = 1/2 ln 6
//   60 rows:                                            max(ln 60, 1/2 ln 60 + ln 3) - ln 3 = ln 20
//   two numbers: 1/2 ln n as ever
TEST(MixedBic, FurtherParametersCountTowardsThePriceOfAnEdge) {
  for (const int times : {1, 10}) {
    std::vector<int> b;
    std::vector<double> x, y;
    for (int k = 0; k < 6 * times; ++k) {
      b.push_back(k % 6 / 2);
      x.push_back(k % 6);
      y.push_back(k % 4);
    }
    const Dataset data =
        make_dataset({categorical_column("B", b), continuous_column("x", x), continuous_column("y", y)}, "t");
    const MixedBic plain(data), priced(data, {.priced_edges = true});
    const double n = 6 * times;
    const double saved = gain_of(priced, data, "B", "x") - gain_of(plain, data, "B", "x");
    EXPECT_NEAR(saved, std::log(n) - (times == 1 ? 0.5 * std::log(6) : std::log(20)), 1e-9);
    EXPECT_NEAR(gain_of(priced, data, "x", "B") - gain_of(plain, data, "x", "B"), saved, 1e-9);
    EXPECT_EQ(gain_of(priced, data, "x", "y"), gain_of(plain, data, "x", "y"));
  }
}

// By definition: determinants of parts of R, taken by an eigendecomposition.
double by_definition(const BlockMoments& m, const std::vector<ColumnKind>& kinds, double penalty,
                     const Family& family) {
  const auto log_det = [&](const std::vector<Node>& nodes) {
    std::vector<int> columns;
    for (Node v : nodes) {
      for (int c = m.start[v]; c < m.start[v + 1]; ++c) columns.push_back(c);
    }
    if (columns.empty()) return 0.0;
    const auto size = static_cast<Eigen::Index>(columns.size());
    Eigen::MatrixXd block(size, size);
    for (Eigen::Index a = 0; a < size; ++a) {
      for (Eigen::Index b = 0; b < size; ++b) block(a, b) = m.at(columns[a], columns[b]);
    }
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(block).eigenvalues().array().log().sum();
  };
  std::vector<Node> all = family.parents;
  all.push_back(family.child);
  const double half = penalty * 0.5 * std::log(m.weight);
  const int width = m.width(family.child);
  if (width == 0) return 0;
  double sum = m.base[family.child] - half * (kinds[family.child] == ColumnKind::kContinuous ? 2 : width) -
               0.5 * m.weight * (log_det(all) - log_det(family.parents));
  for (Node q : family.parents) {
    if (m.width(q) > 0) sum -= half * width * m.width(q) * m.omega(family.child, q);
  }
  return sum;
}

// x = 1 .. 4 has variance 5/4: s0(x) = -2 (ln(2 pi 5/4) + 1) - ln 4. A is even: s0(A) = -4 ln 2 - 1/2 ln 4. The means
// 1.5 and 3.5 explain 1 of the variance of 5/4, r^2 = 4/5, so I = -1/2 ln(1/5) and the gain is 2 ln 5 - 1/2 ln 4.
TEST(MixedBic, TwoLevelsAndANumber) {
  const Dataset data = make_dataset({categorical_column("A", {0, 0, 1, 1}), continuous_column("x", {1, 2, 3, 4})}, "t");
  const MixedBic score = raw_score(data, 0);
  const Node a = data.index_of("A"), x = data.index_of("x");
  EXPECT_NEAR(score.local(x, {}), -7.508335597, 5e-10);
  EXPECT_NEAR(score.local(a, {}), -3.465735903, 5e-10);
  EXPECT_NEAR(gain_of(score, data, "A", "x"), 2.525728644, 5e-10);
  EXPECT_NEAR(gain_of(score, data, "x", "A"), 2.525728644, 5e-10);
  EXPECT_NEAR(score.local(a, {}) + score.local(x, std::vector<Node>{a}), -8.448342855, 1e-9);
  EXPECT_NEAR(gain_of(raw_score(data, 1e-6), data, "A", "x"), 2.525712644, 5e-10);
}

// The means 1.5, 3.5, 5.5 leave 1/4 of the variance 35/12: I = -1/2 ln(3/35); two parameters at 1/2 ln 6 each.
TEST(MixedBic, ThreeLevelsAndANumber) {
  const Dataset data =
      make_dataset({categorical_column("B", {0, 0, 1, 1, 2, 2}), continuous_column("x", {1, 2, 3, 4, 5, 6})}, "t");
  const MixedBic score = raw_score(data, 0);
  EXPECT_NEAR(gain_of(score, data, "B", "x"), 3 * std::log(35.0 / 3) - std::log(6.0), 1e-9);
  EXPECT_NEAR(gain_of(score, data, "x", "B"), 5.578447849, 5e-10);
}

// r = 1/2 between the two contrasts: 80 * -1/2 ln(3/4) = 40 ln(4/3). discrete-bic counts the entropy instead.
TEST(MixedBic, TwoByTwoCounts) {
  std::vector<int> a, b;
  for (const auto& [x, y, count] : {std::tuple{0, 0, 30}, {0, 1, 10}, {1, 0, 10}, {1, 1, 30}}) {
    for (int k = 0; k < count; ++k) a.push_back(x), b.push_back(y);
  }
  const Dataset data = make_dataset({categorical_column("a", a), categorical_column("b", b)}, "t");
  EXPECT_NEAR(gain_of(raw_score(data, 0), data, "a", "b"), 9.316269581, 5e-10);
  const DiscreteBic discrete(data);
  const Node from = data.index_of("a"), to = data.index_of("b");
  EXPECT_NEAR(discrete.local(to, std::vector<Node>{from}) - discrete.local(to, {}), 8.273949558, 5e-10);
}

// y on the three complete rows: slope 1/2, residual variance 1/2 about it (Anderson 1957). x has variance 5/4, so y has
// 5/16 + 1/2 and r^2 = (5/16) / (13/16) = 5/13. Seen together in 3 of 4 rows: the edge costs 4/3 of 1/2 ln 4.
TEST(MixedBic, AMissingCellIsIntegratedOut) {
  Column y = continuous_column("y", {-1, 1, 0, 0});
  y.missing.insert(3);
  const Dataset data = make_dataset({continuous_column("x", {-1, 0, 1, 2}), y}, "t");
  EXPECT_NEAR(gain_of(raw_score(data, 0), data, "x", "y"), 0.046819391, 5e-10);
  EXPECT_NEAR(gain_of(raw_score(data, 0), data, "y", "x"), 0.046819391, 5e-10);
}

// Where seen, v is uncorrelated with x. A score on the complete rows alone would let v explain x by 15.8 nats, because
// it hides the row with the 100.
TEST(MixedBic, AGapHidesNoRow) {
  Column v = continuous_column("v", {1, -2, 1, 0});
  v.missing.insert(3);
  const Dataset data = make_dataset({continuous_column("x", {1, 2, 3, 100}), v}, "t");
  EXPECT_NEAR(gain_of(raw_score(data, 0), data, "v", "x"), -0.924196241, 5e-10);
}

// r = 1 / (1 + e): the gain is -50 ln(1 - 1 / (1 + e)^2) - 1/2 ln 100.
TEST(MixedBic, ACopyIsWorthTheFloorOnceAndNothingMore) {
  std::vector<double> x;
  for (int row = 0; row < 100; ++row) x.push_back(std::sin(row * 1.7) + row * 0.01);
  const Dataset data =
      make_dataset({continuous_column("a", x), continuous_column("b", x), continuous_column("c", x)}, "t");
  const MixedBic score(data);
  EXPECT_NEAR(gain_of(score, data, "a", "b"), 653.815658780, 1e-5);
  const Node a = data.index_of("a"), b = data.index_of("b"), c = data.index_of("c");
  std::vector<Node> both = {std::min(a, b), std::max(a, b)};
  EXPECT_LT(score.local(c, both) - score.local(c, std::vector<Node>{a}), 50 * std::log(4.0 / 3));
}

struct MixedTable {
  Dataset data;
  ScoreOptions options;
};

MixedTable random_mixed_table(Rng& rng) {
  testing::MixedShape shape{.variables = 2 + rng.below(6), .rows = 60 + rng.below(150), .weights = rng.below(2) == 0};
  if (rng.below(2) == 0) {
    shape.gaps = 0.15;
  } else if (rng.below(2) == 0) {
    shape.most_levels = 40;  // wide blocks; with gaps, EM would come to rest at different steps of different codings
  }
  return {testing::random_mixed(shape, rng),
          {.penalty = 1.0 + rng.below(2), .basis = 1 + rng.below(2), .gap_columns = rng.below(3) == 0}};
}

TEST(MixedBic, EqualsItsDefinitionAndItsPlainTwins) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const MixedTable table = random_mixed_table(rng);
    const Dataset& data = table.data;
    const MixedBic score(data, table.options);
    std::vector<ColumnKind> kinds;
    for (const Column& column : data.columns()) kinds.push_back(column.kind);
    const Family family = testing::random_family(data.size(), 4, rng);
    const double now = score.local(family.child, family.parents);
    const double defined = by_definition(*score.moments(), kinds, table.options.penalty, family);
    RC_ASSERT(std::abs(now - defined) < 1e-7 * (1 + std::abs(now)));

    const double close = 1e-8 * (1 + std::abs(now));
    std::vector<double> fast(data.size()), plain(data.size());
    RC_ASSERT(std::abs(score.addition_gains(family.child, family.parents, fast) - now) < close);
    int room = std::max(4, static_cast<int>(data.total_weight() / 4)) - score.moments()->width(family.child);
    for (Node q : family.parents) room -= score.moments()->width(q);
    plain_addition_gains(score, family.child, family.parents, plain);
    for (Node v = 0; v < data.size(); ++v) {
      if (score.moments()->width(v) > room) plain[v] = kNoGain;
      RC_ASSERT(fast[v] == plain[v] || std::abs(fast[v] - plain[v]) < close);
    }
    std::vector<ParentGain> best, expected;
    score.positive_additions(family.child, family.parents, best);
    sort_positive(fast, expected);
    RC_ASSERT(best == expected);

    std::vector<double> removed(family.parents.size()), removed_plainly(family.parents.size());
    RC_ASSERT(std::abs(score.removal_gains(family.child, family.parents, removed) - now) < close);
    plain_removal_gains(score, family.child, family.parents, removed_plainly);
    for (size_t k = 0; k < removed.size(); ++k) RC_ASSERT(std::abs(removed[k] - removed_plainly[k]) < close);

    std::vector<double> both(data.size()), both_removed(family.parents.size());
    RC_ASSERT(std::abs(score.column_gains(family.child, family.parents, both, both_removed) - now) < close);
    RC_ASSERT(both == fast);
    for (size_t k = 0; k < removed.size(); ++k) RC_ASSERT(std::abs(both_removed[k] - removed[k]) < close);
  }));
}

// Every variable of more than a column or two taken as wide, against none.
TEST(MixedBic, WideVariablesAreTakenApartWithoutLoss) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const MixedTable table = random_mixed_table(rng);
    const BlockMoments moments = block_moments(table.data, table.options);
    const MixedBic plain(moments, table.options, "plain", moments.columns());
    const MixedBic apart(moments, table.options, "apart", rng.below(3));
    for (int k = 0; k < 5; ++k) {
      const Family family = testing::random_family(plain.size(), 4, rng);
      const double now = plain.local(family.child, family.parents), close = 1e-8 * (1 + std::abs(now));
      const auto same = [&](std::span<const double> a, std::span<const double> b) {
        for (size_t i = 0; i < a.size(); ++i) RC_ASSERT(a[i] == b[i] || std::abs(a[i] - b[i]) < close);
      };
      RC_ASSERT(std::abs(apart.local(family.child, family.parents) - now) < close);
      std::vector<double> expected(plain.size()), found(plain.size());
      plain.addition_gains(family.child, family.parents, expected);
      RC_ASSERT(std::abs(apart.addition_gains(family.child, family.parents, found) - now) < close);
      same(expected, found);
      std::vector<ParentGain> best, positive;
      apart.positive_additions(family.child, family.parents, best);
      sort_positive(found, positive);
      RC_ASSERT(best == positive);
      expected.resize(family.parents.size()), found.resize(family.parents.size());
      plain.removal_gains(family.child, family.parents, expected);
      RC_ASSERT(std::abs(apart.removal_gains(family.child, family.parents, found) - now) < close);
      same(expected, found);
      std::vector<double> additions(plain.size());
      RC_ASSERT(std::abs(apart.column_gains(family.child, family.parents, additions, found) - now) < close);
      same(expected, found);
    }
  }));
}

TEST(MixedBic, EquivalentDagsScoreTheSame) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const MixedTable table = random_mixed_table(rng);
    const MixedBic score(table.data, table.options);
    const Dag dag = testing::random_dag(table.data.size(), 0.4, rng);
    const Dag other = random_member(cpdag_of(dag), rng);
    RC_ASSERT(std::abs(total(score, dag) - total(score, other)) < 1e-7 * (1 + std::abs(total(score, dag))));
  }));
}

// The order of rows and columns, the names and the order of levels, an increasing change of a number, a column that
// does not vary, and rows written as often as their weight says: none of them matters.
TEST(MixedBic, DoesNotDependOnHowTheTableIsWritten) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const MixedTable table = random_mixed_table(rng);
    const Dataset& data = table.data;
    std::vector<Column> columns;
    std::vector<size_t> rows;
    for (size_t row = 0; row < data.rows(); ++row) {
      for (int k = 0; k < static_cast<int>(data.weight(row)); ++k) rows.push_back(row);
    }
    rng.shuffle(rows);
    const Dataset expanded = with_rows(data, rows);
    for (const Column& old : expanded.columns()) {
      Column column = old;
      for (std::string& level : column.levels) level = std::to_string(rng.below(1000000)) + "x" + level;
      for (double& x : column.values) x = std::exp(x / 3);
      columns.push_back(std::move(column));
    }
    columns.push_back(categorical_column("constant", std::vector<int>(rows.size(), 0)));
    rng.shuffle(columns);
    const Dataset other = make_dataset(std::move(columns), "other", {.weights = std::vector<double>(rows.size(), 1)});
    const MixedBic a(data, table.options), b(other, table.options);
    const Family family = testing::random_family(data.size(), 3, rng);
    Family renamed{other.index_of(data.column(family.child).name), {}};
    for (Node q : family.parents) renamed.parents.push_back(other.index_of(data.column(q).name));
    std::sort(renamed.parents.begin(), renamed.parents.end());
    const double one = a.local(family.child, family.parents), two = b.local(renamed.child, renamed.parents);
    RC_ASSERT(std::abs(one - two) < (data.has_missing() ? 1e-5 : 1e-8) * (1 + std::abs(one)));
  }));
}

// The empty graph scores as the two old scores together; without categories, every graph as copula-bic but for the
// floor.
TEST(MixedBic, ContainsTheScoresOfOneKind) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset numbers = testing::random_continuous(4, 80, false, rng);
    const GaussianBic copula(numbers, GaussianBic::Scale::kCopula);
    const MixedBic mixed(numbers);
    const Family family = testing::random_family(4, 3, rng);
    const double expected = copula.local(family.child, family.parents);
    RC_ASSERT(std::abs(mixed.local(family.child, family.parents) - expected) < 0.5);  // what the floor may take

    const Dataset labels = testing::random_categorical({.variables = 3, .rows = 80}, rng);
    const DiscreteBic discrete(labels);
    RC_ASSERT(std::abs(MixedBic(labels).local(0, {}) - discrete.local(0, {})) < 1e-9 * (1 + 80));
  }));
}

TEST(MixedBic, ABasisOfOnePowerIsNone) {
  Rng rng(5);
  const Dataset data = testing::random_mixed({}, rng);
  EXPECT_EQ(MixedBic(data).local(0, std::vector<Node>{1, 2}),
            MixedBic(data, {.basis = 1}).local(0, std::vector<Node>{1, 2}));
}

// The inverse of a copy's matrix has 59 pivots near a million: their product is beyond the range of doubles.
TEST(MixedBic, RemovesACopyOfManyLevels) {
  std::vector<int> codes;
  for (int row = 0; row < 600; ++row) codes.push_back(row * 7 % 60);
  const Dataset data = make_dataset({categorical_column("a", codes), categorical_column("b", codes)}, "copy");
  const MixedBic score(data);
  const std::vector<Node> parents = {1};
  std::vector<double> gains(1);
  EXPECT_NEAR(score.removal_gains(0, parents, gains), score.local(0, parents), 1e-4);
  EXPECT_NEAR(gains[0], score.local(0, {}) - score.local(0, parents), 1e-4);
}

}  // namespace
}  // namespace agon
