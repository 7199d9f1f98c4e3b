#include "agon/certificate/plain_mixed.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "agon/certificate/test_mixed.h"
#include "agon/score/mixed_score.h"
#include "agon/score/test_mixed_tables.h"

namespace agon {
namespace {

using plain::MixedOptions;
using plain::MixedScorer;
using testing::mixed_near;
using testing::random_mixed;

const MixedOptions kRawWithoutFloor = {.raw = true, .floor = 0};

Column with_gaps(Column column, const std::vector<size_t>& rows) {
  for (size_t row : rows) column.missing.insert(row);
  return column;
}

// What the edge from -> to gains in a graph without other edges.
double gain(const plain::Scorer& scorer, Node from, Node to) {
  return scorer.local(to, std::vector<Node>{from}).score - scorer.local(to, {}).score;
}

Dag one_edge(Node from, Node to) {
  Dag dag(2);
  dag.add_edge(from, to);
  return dag;
}

// Two columns a and b.
struct Pair {
  Dataset data;
  Node a, b;
  Pair(Column first, Column second, RowInfo info = {}) {
    const std::string first_name = first.name, second_name = second.name;
    data = make_dataset({std::move(first), std::move(second)}, "t", std::move(info));
    a = data.index_of(first_name);
    b = data.index_of(second_name);
  }
};

// 1. A = a, a, b, b; x = 1, 2, 3, 4; n = 4. The variance of x is 5/4, the means of x by level are 1.5 and 3.5, so that
// level explains 1 of 5/4: I = -1/2 ln(1 - 4/5) = 1/2 ln 5.
//   s0(x) = -2 (ln(2 pi 5/4) + 1) - 1/2 ln 4 * 2,  s0(A) = 4 ln(1/2) - 1/2 ln 4, gain = 4 I - 1/2 ln 4 = 2 ln 5 - ln 2
// With the floor e, the correlation r = sqrt(4/5) becomes r / (1 + e): gain = -2 ln(1 - 4/5 / (1 + e)^2) - ln 2.
TEST(PlainMixed, ScoresALevelAndANumber) {
  const Pair t(categorical_column("A", {0, 0, 1, 1}), continuous_column("x", {1, 2, 3, 4}));
  const MixedScorer scorer(t.data, kRawWithoutFloor);
  EXPECT_NEAR(scorer.local(t.b, {}).score, -7.508335597, 5e-10);
  EXPECT_NEAR(scorer.local(t.a, {}).score, -3.465735903, 5e-10);
  EXPECT_NEAR(gain(scorer, t.a, t.b), 2.525728644, 5e-10);
  EXPECT_NEAR(gain(scorer, t.b, t.a), 2.525728644, 5e-10);
  EXPECT_NEAR(plain::total(scorer, one_edge(t.a, t.b)).score, -8.448342855, 5e-10);
  EXPECT_NEAR(plain::total(scorer, one_edge(t.b, t.a)).score, -8.448342855, 5e-10);
  const MixedScorer floored(t.data, {.raw = true});
  EXPECT_NEAR(gain(floored, t.a, t.b), 2.525712644, 5e-10);
  EXPECT_NEAR(gain(floored, t.a, t.b), -2 * std::log(1 - 0.8 / std::pow(1 + 1e-6, 2)) - std::log(2), 1e-12);
}

// 2. B = a, a, b, b, c, c; x = 1 .. 6; n = 6. The variance of x is 35/12; within levels 1/4 is left. So
// I = -1/2 ln(3/35), and the edge costs 2 columns times 1: gain = 6 I - 1/2 ln 6 * 2 = 3 ln(35/3) - ln 6.
TEST(PlainMixed, ScoresThreeLevelsAndANumber) {
  const Pair t(categorical_column("B", {0, 0, 1, 1, 2, 2}), continuous_column("x", {1, 2, 3, 4, 5, 6}));
  const MixedScorer scorer(t.data, kRawWithoutFloor);
  EXPECT_NEAR(gain(scorer, t.a, t.b), 5.578447849, 5e-10);
  EXPECT_NEAR(gain(scorer, t.b, t.a), 5.578447849, 5e-10);
  EXPECT_NEAR((gain(scorer, t.a, t.b) + std::log(6)) / 6, 1.228367886, 5e-10);
}

// 3. Levels seen 3, 2 and 1 times. The first column must separate the commonest level from the others, 1 : -1 by the
// shares 1/2 and 1/2; the second is 0 there, and x and y at the others with 2x + y = 0 and (2x^2 + y^2)/6 = 1.
// Two columns of 100 levels beside two numbers, q = 200: with one parent given, c = 1 or 99 columns of it are
// eliminated from all q, so wide parents cost about 99^2 q multiplications and pairs of wide blocks 198^3 / 3 more.
TEST(PlainMixed, WorkPerFamilyGrowsWithTheWidthOfBlocks) {
  std::vector<int> wide, turned;
  std::vector<double> x, y;
  for (int row = 0; row < 1000; ++row) {
    wide.push_back(row % 100);
    turned.push_back(row / 7 % 100);
    x.push_back(std::sin(row));
    y.push_back(std::cos(3.0 * row));
  }
  const Dataset narrow = make_dataset({continuous_column("x", x), continuous_column("y", y)}, "t");
  const Dataset both = make_dataset({continuous_column("x", x), continuous_column("y", y),
                                     categorical_column("a", wide), categorical_column("b", turned)},
                                    "t");
  const MixedScorer of_narrow(narrow, {}), of_both(both, {});
  EXPECT_EQ(of_narrow.work_per_family(1), 3000 + 5 * 1000);
  EXPECT_GT(of_both.work_per_family(1), 0.5 * std::pow(198, 3) / 3 / 4 / 2);  // of 4 ordered pairs 1 is wide and wide
  EXPECT_GT(of_both.work_per_family(2), of_both.work_per_family(1) + 0.25 * 99 * 99 * 200);
}

TEST(PlainMixed, CodesLevelsAsTheSearchDoes) {
  const Dataset data =
      make_dataset({categorical_column("k", {1, 2, 2, 0, 2, 1}), continuous_column("x", {0, 1, 2, 3, 4, 5})}, "t");
  const plain::BlockColumns columns(data, {});
  const Node k = data.index_of("k");
  ASSERT_EQ(columns.width(k), 2);
  const double expected[3][2] = {{-1, -2}, {-1, 1}, {1, 0}};
  for (size_t row = 0; row < 6; ++row) {
    for (int c = 0; c < 2; ++c) {
      EXPECT_NEAR(columns.cell(row, k, c), expected[data.column(k).codes[row]][c], 1e-14) << row << " " << c;
    }
  }
}

// 4. A 2 x 2 table of 30, 10, 10, 30: the correlation is 1/2, so 80 I = -40 ln(3/4); the price 1/2 ln 80.
TEST(PlainMixed, ScoresTwoLevelsByTheirCorrelation) {
  std::vector<int> a, b;
  for (int row = 0; row < 80; ++row) {
    a.push_back(row < 40);
    b.push_back(row < 30 || row >= 70);
  }
  const Pair t(categorical_column("a", a), categorical_column("b", b));
  EXPECT_NEAR(gain(MixedScorer(t.data, kRawWithoutFloor), t.a, t.b), 9.316269581, 5e-10);
  // The same table as four rows with weights.
  const Pair grouped(categorical_column("a", {1, 1, 0, 0}), categorical_column("b", {1, 0, 0, 1}),
                     {.weights = {30, 10, 30, 10}});
  EXPECT_NEAR(gain(MixedScorer(grouped.data, kRawWithoutFloor), grouped.a, grouped.b), 9.316269581, 5e-10);
}

// 5. x = -1, 0, 1, 2; y = -1, 1, 0, missing. Where y is missing it depends on x alone, so maximum likelihood factors
// (Anderson 1957): p(x) from all rows, mean 1/2 and variance 5/4; y given x from the first three, slope 1/2, residual
// variance 2/3 - 1/4 * 2/3 = 1/2. The variance of y is 1/4 * 5/4 + 1/2 = 13/16, r^2 = (1/2)^2 (5/4) / (13/16) = 5/13
// and I = 1/2 ln(13/8). Both were seen in 3 of 4 rows: the price is 1/2 ln 4 * 4/3.
TEST(PlainMixed, MissingCellsAreIntegratedOut) {
  const Pair t(continuous_column("x", {-1, 0, 1, 2}), with_gaps(continuous_column("y", {-1, 1, 0, 7}), {3}));
  MixedOptions options = kRawWithoutFloor;
  options.em_steps = 100;
  const MixedScorer scorer(t.data, options);
  EXPECT_NEAR(gain(scorer, t.a, t.b), 0.046819391, 5e-10);
  EXPECT_NEAR(gain(scorer, t.b, t.a), 2 * std::log(13.0 / 8) - std::log(4) * 2 / 3, 1e-12);
  EXPECT_FALSE(scorer.em()->likelihood_fell);
  // y alone: the variance 2/3 of its seen cells, in 4 rows.
  EXPECT_NEAR(scorer.local(t.b, {}).score, -2 * (std::log(4 * std::numbers::pi / 3) + 1) - std::log(4), 1e-12);
}

// 8. A column and its copy, 100 rows: r = 1 / (1 + e), gain = -50 ln(1 - (1 + e)^-2) - 1/2 ln 100.
TEST(PlainMixed, ACopyGainsWhatTheFloorAllows) {
  std::vector<double> x;
  for (int row = 0; row < 100; ++row) x.push_back(row);
  const Pair t(continuous_column("x", x), continuous_column("y", x));
  EXPECT_NEAR(gain(MixedScorer(t.data, {}), t.a, t.b), 653.815658780, 1e-7);
  const Dataset three =
      make_dataset({continuous_column("x", x), continuous_column("y", x), continuous_column("z", x)}, "t");
  const MixedScorer scorer(three, {});  // a second copy has next to nothing to add
  EXPECT_LT(scorer.local(0, std::vector<Node>{1, 2}).score - scorer.local(0, std::vector<Node>{1}).score, 50);
  EXPECT_GT(scorer.local(0, std::vector<Node>{1, 2}).rounding, 1e-8);
}

// 9. x = 1, 2, 3, 100 and v = 1, -2, 1, missing: uncorrelated where both were seen, so the slope of v on x is 0 in all
// rows, and I = 0. Scored on its own three rows, v would seem to explain away the 100.
TEST(PlainMixed, AGapDoesNotExplainTheValueBesideIt) {
  const Pair t(continuous_column("x", {1, 2, 3, 100}), with_gaps(continuous_column("v", {1, -2, 1, 0}), {3}));
  MixedOptions options = kRawWithoutFloor;
  options.em_steps = 500;
  const MixedScorer scorer(t.data, options);
  EXPECT_NEAR(gain(scorer, t.b, t.a), -0.924196241, 5e-10);
  EXPECT_NEAR(gain(scorer, t.a, t.b), -0.924196241, 5e-10);
}

// 10. Rows of weight w score as w rows, whatever else the table holds.
RC_GTEST_PROP(PlainMixed, AWeightIsARepeatedRow, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_mixed({.rows = 40, .gaps = *rc::gen::element(0.0, 0.2), .weights = true}, rng);
  std::vector<size_t> rows;
  for (size_t row = 0; row < data.rows(); ++row) rows.insert(rows.end(), static_cast<size_t>(data.weight(row)), row);
  std::vector<Column> columns = with_rows(data, rows).columns();
  const Dataset expanded = make_dataset(std::move(columns), "expanded");
  ASSERT_EQ(static_cast<double>(expanded.rows()), data.total_weight());
  const MixedOptions options = {
      .raw = *rc::gen::arbitrary<bool>(), .basis = *rc::gen::inRange(1, 4), .gap_columns = false, .em_steps = 20};
  const MixedScorer a(data, options), b(expanded, options);
  const Dag dag = testing::random_dag(data.size(), 0.4, rng);
  EXPECT_TRUE(mixed_near(plain::total(a, dag).score, plain::total(b, dag).score));
}

// Scores of a random graph must agree between two tables with the same names, node by node through the names.
void expect_same_total(const Dataset& data, const Dataset& other, const std::vector<std::string>& other_names,
                       const MixedOptions& options, Rng& rng) {
  const MixedScorer a(data, options), b(other, options);
  const Dag dag = testing::random_dag(data.size(), 0.4, rng);
  Dag image(other.size());
  for (const Edge& e : dag.edges()) {
    image.add_edge(other.index_of(other_names[e.from]), other.index_of(other_names[e.to]));
  }
  EXPECT_TRUE(mixed_near(plain::total(a, dag).score, plain::total(b, image).score));
}

MixedOptions some_options() {
  return {.penalty = *rc::gen::element(0.5, 1.0, 2.0),
          .raw = *rc::gen::arbitrary<bool>(),
          .basis = *rc::gen::inRange(1, 4),
          .gap_columns = false,
          .em_steps = 15};
}

testing::MixedShape some_shape() {
  return {
      .rows = *rc::gen::inRange(40, 120), .gaps = *rc::gen::element(0.0, 0.15), .weights = *rc::gen::arbitrary<bool>()};
}

Dataset without_gaps_in_labels(const Dataset& data) {
  std::vector<Column> columns = data.columns();
  for (Column& column : columns) {
    if (column.kind == ColumnKind::kCategorical) column.missing = {};
  }
  return make_dataset(std::move(columns), data.source(), data.row_info());
}

RC_GTEST_PROP(PlainMixed, OrderOfRowsDoesNotMatter, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_mixed(some_shape(), rng);
  expect_same_total(data, testing::shuffled_rows(data, rng), data.names(), some_options(), rng);
}

// Other names mean another canonical order of the columns, and other labels another order of the levels.
RC_GTEST_PROP(PlainMixed, NamesAndLabelsDoNotMatter, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_mixed(some_shape(), rng);
  std::vector<Column> columns = data.columns();
  std::vector<std::string> names;
  for (Column& column : columns) {
    column.name += "'s other name";
    names.push_back(column.name);
    for (size_t l = 0; l < column.levels.size(); ++l) column.levels[l] = std::string(1, static_cast<char>('z' - l));
  }
  const Dataset other = make_dataset(std::move(columns), "t", data.row_info());
  expect_same_total(data, other, names, some_options(), rng);
}

RC_GTEST_PROP(PlainMixed, AnIncreasingChangeOfAColumnDoesNotMatter, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_mixed(some_shape(), rng);
  MixedOptions options = some_options();
  options.raw = false;
  std::vector<Column> columns = data.columns();
  for (Column& column : columns) {
    for (double& x : column.values) x = std::isnan(x) ? x : std::exp(x / 10);
  }
  const Dataset other = make_dataset(std::move(columns), "t", data.row_info());
  expect_same_total(data, other, data.names(), options, rng);
}

RC_GTEST_PROP(PlainMixed, AnIsolatedColumnChangesNothing, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_mixed(some_shape(), rng);
  std::vector<Column> columns = data.columns();
  columns.push_back(with_gaps(continuous_column("flat", std::vector<double>(data.rows(), 2.5)), {0, 3}));
  columns.push_back(categorical_column("one", std::vector<int>(data.rows(), 0)));
  columns.push_back(columns[0]);
  columns.back().name = "label";
  columns.back().identifier = true;
  const Dataset other = make_dataset(std::move(columns), "t", data.row_info());
  const MixedOptions options = some_options();
  expect_same_total(data, other, data.names(), options, rng);
  const MixedScorer scorer(other, options);
  for (const char* name : {"flat", "one", "label"}) {
    const Node v = other.index_of(name), x = other.index_of("v1");
    EXPECT_TRUE(scorer.is_constant(v));
    EXPECT_EQ(scorer.local(v, {}).score, 0);
    EXPECT_EQ(scorer.additions(x, {}, std::vector<Node>{v})[0].score, plain::kUndefined);
    EXPECT_EQ(scorer.additions(v, {}, std::vector<Node>{x})[0].score, plain::kUndefined);
  }
}

RC_GTEST_PROP(PlainMixed, EquivalentGraphsScoreTheSame, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_mixed(some_shape(), rng);
  const MixedScorer scorer(data, some_options());
  const Dag dag = testing::random_dag(data.size(), 0.4, rng);
  const double total = plain::total(scorer, dag).score;
  // Turning a covered edge, whose ends have the same other parents, leads to an equivalent graph (Chickering 1995).
  for (const Edge& e : dag.edges()) {
    std::vector<Node> other = dag.parent_list(e.to);
    std::erase(other, e.from);
    if (other != dag.parent_list(e.from)) continue;
    Dag image = dag;
    image.remove_edge(e.from, e.to);
    image.add_edge(e.to, e.from);
    EXPECT_TRUE(mixed_near(plain::total(scorer, image).score, total));
  }
}

RC_GTEST_PROP(PlainMixed, AdditionsAreLocalScores, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_mixed(some_shape(), rng);
  const MixedScorer scorer(data, some_options());
  const testing::Family family = testing::random_family(data.size(), 3, rng);
  std::vector<Node> candidates;
  for (Node v = 0; v < data.size(); ++v) {
    if (v != family.child && !std::binary_search(family.parents.begin(), family.parents.end(), v)) {
      candidates.push_back(v);
    }
  }
  const std::vector<plain::Value> added = scorer.additions(family.child, family.parents, candidates);
  for (size_t k = 0; k < candidates.size(); ++k) {
    if (added[k].score == plain::kUndefined) continue;  // beyond the cap, see below
    std::vector<Node> parents = family.parents;
    parents.insert(std::lower_bound(parents.begin(), parents.end(), candidates[k]), candidates[k]);
    EXPECT_TRUE(mixed_near(added[k].score, scorer.local(family.child, parents).score));
  }
}

TEST(PlainMixed, BasisOneIsNoBasisAndTwoValuesHaveNoSquare) {
  Rng rng(3);
  std::vector<double> x, y;
  for (int row = 0; row < 60; ++row) {
    x.push_back(rng.normal());
    y.push_back(rng.below(2) + (row % 2 == 0 ? x.back() : 0) > 0.5);
  }
  const Pair t(continuous_column("x", x), continuous_column("y", y));
  EXPECT_EQ(plain::BlockColumns(t.data, {.basis = 1}).columns(), 2);
  const plain::BlockColumns three(t.data, {.basis = 3});
  EXPECT_EQ(three.width(t.a), 3);
  EXPECT_EQ(three.width(t.b), 1);
}

// On continuous tables only the floor separates the two.
TEST(PlainMixed, WithoutAFloorItIsTheScoreOfContinuousTables) {
  Rng rng(5);
  for (int rows : {30, 300, 1500}) {  // shorter and longer than a slab of rows
    const Dataset data = testing::random_continuous(7, rows, false, rng);
    const auto copula = plain::copula_bic(data, 1.5), gaussian = plain::gaussian_bic(data, 1.5);
    const MixedScorer mixed(data, {.penalty = 1.5, .floor = 0}), raw(data, {.penalty = 1.5, .raw = true, .floor = 0});
    const MixedScorer low(data, {.penalty = 1.5, .floor = 1e-10});
    for (int trial = 0; trial < 5; ++trial) {
      const Dag dag = testing::random_dag(7, 0.4, rng);
      EXPECT_TRUE(mixed_near(plain::total(mixed, dag).score, plain::total(*copula, dag).score));
      EXPECT_TRUE(mixed_near(plain::total(raw, dag).score, plain::total(*gaussian, dag).score));
      EXPECT_TRUE(mixed_near(plain::total(low, dag).score, plain::total(*copula, dag).score, 1e-6));
      EXPECT_FALSE(mixed_near(plain::total(MixedScorer(data, {.penalty = 1.5, .floor = 0.1}), dag).score,
                              plain::total(*copula, dag).score, 1e-6));
    }
  }
}

// Blocks are orthonormal over the cells seen; with marks for gaps, over all rows.
RC_GTEST_PROP(PlainMixed, BlocksAreOrthonormal, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_mixed(some_shape(), rng);
  MixedOptions options = some_options();
  options.gap_columns = *rc::gen::arbitrary<bool>();
  const plain::BlockColumns columns(data, options);
  for (Node v = 0; v < data.size(); ++v) {
    const int m = columns.width(v);
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(m + 1, m + 1);
    for (size_t row = 0; row < data.rows(); ++row) {
      if (columns.is_hidden(row, v)) continue;
      Eigen::VectorXd x = Eigen::VectorXd::Ones(m + 1);
      for (int c = 0; c < m; ++c) x(c) = columns.cell(row, v, c);
      products += data.weight(row) * x * x.transpose();
    }
    products /= products(m, m);
    EXPECT_LT((products - Eigen::MatrixXd::Identity(m + 1, m + 1)).cwiseAbs().maxCoeff(), 1e-11);
  }
}

// y is 0 or 1, and x is missing exactly where y is 1: the mark tells y, and nothing is left for EM.
TEST(PlainMixed, AMarkedGapIsAColumnOfItsOwn) {
  const Pair t(with_gaps(continuous_column("x", {1, 2, 3, 4, 0, 0, 0, 0}), {4, 5, 6, 7}),
               categorical_column("y", {0, 0, 0, 0, 1, 1, 1, 1}));
  const MixedScorer scorer(t.data, {.gap_columns = true});
  EXPECT_FALSE(scorer.em().has_value());
  // The mark is a copy of y's column: 8 rows of -1/2 ln(1 - (1 + e)^-2), for 2 columns at 1/2 ln 8.
  const double copy = -4 * std::log(1 - std::pow(1 + 1e-6, -2));
  EXPECT_TRUE(mixed_near(gain(scorer, t.a, t.b), copy - std::log(8), 1e-8));
  // By itself x is scored on its seen cells, scaled to 8 rows.
  EXPECT_NEAR(scorer.local(t.a, {}).score, -4 * (std::log(2 * std::numbers::pi) + 1) - std::log(8), 1e-12);
}

TEST(PlainMixed, ColumnsNeverSeenTogetherHaveNoEdge) {
  Rng rng(8);
  std::vector<double> x, y, z;
  for (int row = 0; row < 40; ++row) {
    x.push_back(rng.normal());
    y.push_back(rng.normal());
    z.push_back(x.back() + y.back());
  }
  std::vector<size_t> first, second;
  for (size_t row = 0; row < 20; ++row) {
    first.push_back(row);
    second.push_back(row + 20);
  }
  const Dataset data = make_dataset({with_gaps(continuous_column("x", x), first),
                                     with_gaps(continuous_column("y", y), second), continuous_column("z", z)},
                                    "t");
  const MixedScorer scorer(data, {});
  const Node a = data.index_of("x"), b = data.index_of("y"), c = data.index_of("z");
  EXPECT_EQ(scorer.local(a, std::vector<Node>{b}).score, plain::kUndefined);
  const std::vector<plain::Value> added = scorer.additions(a, {}, std::vector<Node>{b, c});
  EXPECT_EQ(added[0].score, plain::kUndefined);
  EXPECT_GT(added[1].score, plain::kUndefined);
  // Each was seen with z in half of the rows: the edge costs twice the usual price.
  const MixedScorer free(data, {.penalty = 0});
  EXPECT_NEAR(gain(free, c, a) - gain(scorer, c, a), 2 * 0.5 * std::log(40), 1e-9);
}

TEST(PlainMixed, DrawnCellsCountAsGapsInThePrice) {
  Column drawn = continuous_column("y", {3, 1, 2, 5, 4, 6, 8, 7});
  drawn.drawn.insert(2);
  drawn.drawn.insert(3);
  const Pair t(continuous_column("x", {1, 2, 3, 4, 5, 6, 7, 8}), drawn);
  const MixedScorer scorer(t.data, {}), free(t.data, {.penalty = 0});
  EXPECT_NEAR(gain(free, t.a, t.b) - gain(scorer, t.a, t.b), 8.0 / 6 * 0.5 * std::log(8), 1e-12);
}

TEST(PlainMixed, AFamilyHoldsAtMostAQuarterAsManyColumnsAsRows) {
  Rng rng(9);
  std::vector<Column> columns;
  for (int v = 0; v < 8; ++v) {
    std::vector<double> x;
    for (int row = 0; row < 20; ++row) x.push_back(rng.normal());
    columns.push_back(continuous_column("v" + std::to_string(v), x));
  }
  const Dataset data = make_dataset(std::move(columns), "t");  // at most 5 columns
  const MixedScorer scorer(data, {});
  EXPECT_GT(scorer.additions(0, std::vector<Node>{1, 2, 3}, std::vector<Node>{4})[0].score, plain::kUndefined);
  EXPECT_EQ(scorer.additions(0, std::vector<Node>{1, 2, 3, 4}, std::vector<Node>{5})[0].score, plain::kUndefined);
  EXPECT_GT(scorer.local(0, std::vector<Node>{1, 2, 3, 4, 5}).score, plain::kUndefined);  // what is there is scored
  const MixedScorer squares(data, {.basis = 2});
  EXPECT_EQ(squares.additions(0, std::vector<Node>{1}, std::vector<Node>{2})[0].score, plain::kUndefined);
}

// Every row drawn as often as it counts is the whole table again. With gaps, the moments of the filled rows are those
// of the next step of EM.
RC_GTEST_PROP(PlainMixed, ResamplingEveryRowIsTheScoreItself, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  MixedOptions options = some_options();
  options.gap_columns = *rc::gen::arbitrary<bool>();
  const Dataset data =
      options.gap_columns ? without_gaps_in_labels(random_mixed(some_shape(), rng)) : random_mixed(some_shape(), rng);
  const MixedScorer scorer(data, options);
  ++options.em_steps;
  const MixedScorer next(data, options);
  std::vector<uint32_t> weights;
  for (size_t row = 0; row < data.rows(); ++row) weights.push_back(static_cast<uint32_t>(data.weight(row)));
  std::vector<plain::Family> families;
  const Dag dag = testing::random_dag(data.size(), 0.4, rng);
  for (Node v = 0; v < data.size(); ++v) families.push_back(plain::family_of(dag, v));
  const std::vector<double> scores = scorer.resampler(families)->scores(weights);
  for (size_t f = 0; f < families.size(); ++f) {
    EXPECT_TRUE(mixed_near(scores[f], next.local(families[f].child, families[f].parents).score)) << f;
  }
}

// The search's score and this one have nothing in common but the definition.
RC_GTEST_PROP(PlainMixed, AgreesWithTheSearch, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const MixedOptions drawn = some_options();
  ScoreOptions options{.penalty = drawn.penalty};
  options.raw = drawn.raw;
  options.basis = drawn.basis;
  options.gap_columns = *rc::gen::arbitrary<bool>();
  const Dataset data =
      options.gap_columns ? without_gaps_in_labels(random_mixed(some_shape(), rng)) : random_mixed(some_shape(), rng);
  const agon::MixedBic fast(data, options);
  const auto& em = fast.moments()->em;
  const MixedScorer plain(data, {.penalty = options.penalty,
                                 .raw = options.raw,
                                 .basis = options.basis,
                                 .gap_columns = options.gap_columns,
                                 .em_steps = em ? em->steps : -1});
  EXPECT_EQ(plain.columns().starts(), fast.moments()->start);
  if (em) {
    EXPECT_FALSE(plain.em()->likelihood_fell);
    EXPECT_NEAR(plain.em()->movement, em->movement, 1e-9);
  }
  const int q = plain.columns().columns();
  for (int a = 0; a < q; ++a) {
    for (int b = 0; b < q; ++b) EXPECT_NEAR(plain.matrix()(a, b), fast.moments()->at(a, b), 1e-8);
  }
  const Dag dag = testing::random_dag(data.size(), 0.4, rng);
  EXPECT_TRUE(mixed_near(plain::total(plain, dag).score, total(fast, dag), 1e-8));
  for (Node v = 0; v < data.size(); ++v) {
    EXPECT_EQ(plain.is_constant(v), fast.traits().constant[v]);
    const std::vector<Node> parents = dag.parent_list(v);
    std::vector<Node> candidates;
    for (Node u = 0; u < data.size(); ++u) {
      if (may_add(fast.traits(), v, parents, u)) candidates.push_back(u);
    }
    std::vector<double> gains(data.size());
    const double now = fast.addition_gains(v, parents, gains);
    const std::vector<plain::Value> added = plain.additions(v, parents, candidates);
    for (size_t k = 0; k < candidates.size(); ++k) {
      EXPECT_TRUE(mixed_near(added[k].score, now + gains[candidates[k]], 1e-8));
    }
  }
}

// Wide blocks, few patterns of gaps, and a row in which nothing was seen.
TEST(PlainMixed, AgreesWithTheSearchOnManyLevels) {
  Rng rng(14);
  std::vector<double> x;
  std::vector<int> k;
  for (int row = 0; row < 600; ++row) {
    k.push_back(rng.below(60));
    x.push_back(rng.normal() + k.back() % 5);
  }
  std::vector<size_t> gaps;
  for (size_t row = 0; row < 600; row += 7) gaps.push_back(row);
  const Pair t(with_gaps(continuous_column("x", x), {7, 8}), with_gaps(categorical_column("k", k), gaps));
  const agon::MixedBic fast(t.data);
  const MixedScorer plain(t.data, {.em_steps = fast.moments()->em->steps});
  for (const auto& [from, to] : {std::pair{t.a, t.b}, {t.b, t.a}}) {
    EXPECT_TRUE(mixed_near(plain.local(to, std::vector<Node>{from}).score, fast.local(to, std::vector<Node>{from})));
  }
}

}  // namespace
}  // namespace agon
