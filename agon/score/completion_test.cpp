#include "agon/score/completion.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "agon/score/test_gaps.h"

namespace agon {
namespace {

using testing::GapShape;
using testing::random_with_gaps;

Column with_gaps(Column column, const std::vector<size_t>& rows) {
  for (const size_t row : rows) column.missing.insert(row);
  return column;
}

// Columns a and b with the counts 30, 10, 10, 30, and a last row with a = 0 and no b.
Dataset eighty_and_one() {
  std::vector<int> a, b;
  for (const auto& [x, y, count] : {std::tuple(0, 0, 30), {0, 1, 10}, {1, 0, 10}, {1, 1, 30}}) {
    for (int k = 0; k < count; ++k) a.push_back(x), b.push_back(y);
  }
  a.push_back(0);
  b.push_back(0);
  return make_dataset({categorical_column("a", a), with_gaps(categorical_column("b", b), {80})}, "eighty and one");
}

// Only b has gaps, so its regression on a is that of the complete rows (Anderson 1957). The indicator of a = 0 and the
// constant span all functions of a: the conditional mean of the indicator of b is its share among rows of equal a, 3/4.
TEST(Completion, ProbabilitiesAreConditionalShares) {
  const Dataset data = eighty_and_one();
  const int draws = 10000;
  const Completion drawn = complete_by_draws(data, draws, 1);
  EXPECT_EQ(drawn.rows, 1u);
  EXPECT_EQ(drawn.cells, 1u);
  EXPECT_GT(drawn.steps, 1);
  ASSERT_EQ(drawn.data.rows(), 80u + draws);
  EXPECT_NEAR(drawn.data.total_weight(), 81, 1e-9);
  const Node b = data.index_of("b");
  int zeros = 0;
  for (size_t row = 80; row < drawn.data.rows(); ++row) {
    EXPECT_TRUE(drawn.data.column(b).drawn[row]);
    zeros += drawn.data.column(b).codes[row] == 0;
  }
  EXPECT_NEAR(static_cast<double>(zeros) / draws, 0.75, 5 * std::sqrt(0.75 * 0.25 / draws));
  EXPECT_EQ(complete_by_means(data).data.column(b).codes[80], 0u);  // the likelier level
}

// c is a copy of b wherever both are seen. In a row without either, whichever is drawn first decides the other.
TEST(Completion, LaterGapsFollowEarlierDraws) {
  std::vector<int> b, c;
  for (int k = 0; k < 90; ++k) b.push_back(k % 3), c.push_back(k % 3);
  const Dataset data =
      make_dataset({with_gaps(categorical_column("b", b), {7}), with_gaps(categorical_column("c", c), {7})}, "copies");
  const Completion drawn = complete_by_draws(data, 300, 2);
  std::set<uint32_t> levels;
  for (size_t row = 0; row < drawn.data.rows(); ++row) {
    EXPECT_EQ(drawn.data.column(0).codes[row], drawn.data.column(1).codes[row]);
    if (drawn.data.column(0).drawn[row]) levels.insert(drawn.data.column(0).codes[row]);
  }
  EXPECT_EQ(levels.size(), 3u);  // a level is absent from 300 draws with probability 3 (2/3)^300
}

// Oracle of em_test.cpp: the line is y = x / 2.
TEST(Completion, AMeanIsOnTheLine) {
  const Dataset data = make_dataset(
      {continuous_column("x", {-1, 0, 1, 2}), with_gaps(continuous_column("y", {-1, 1, 0, 9}), {3})}, "four");
  const Completion even = complete_by_means(data, {.tolerance = 1e-12, .most_steps = 500});
  const Column& y = even.data.column(data.index_of("y"));
  EXPECT_EQ(even.data.rows(), 4u);
  EXPECT_FALSE(even.data.has_weights());
  EXPECT_NEAR(y.values[3], 1, 1e-5);
  EXPECT_EQ(y.values[1], 1);
  EXPECT_TRUE(y.drawn[3]);
  EXPECT_EQ(y.drawn.count(), 1u);
}

TEST(Completion, ACompleteTableRemains) {
  Rng rng(1);
  const Dataset data = random_with_gaps({.gaps = 0, .weights = true}, rng);
  for (const Completion& same : {complete_by_draws(data, 10, 1), complete_by_means(data)}) {
    EXPECT_EQ(same.data.checksum(), data.checksum());
    EXPECT_EQ(same.rows, 0u);
    EXPECT_EQ(same.steps, 0);
  }
}

TEST(Completion, ColumnsWithoutABlock) {
  Column name = with_gaps(categorical_column("name", {0, 1, 2, 3}), {3});
  name.identifier = true;
  const Dataset data = make_dataset(
      {with_gaps(continuous_column("constant", {5, 5, 5, 5}), {0}), name,
       with_gaps(continuous_column("no number", {1, 2, 3, 4}), {0, 1, 2, 3}),
       with_gaps(categorical_column("no level", {0, 1, 0, 1}), {0, 1, 2, 3}), continuous_column("x", {1, 2, 3, 4})},
      "four");
  for (const Completion& all : {complete_by_draws(data, 10, 1), complete_by_means(data)}) {
    ASSERT_EQ(all.data.rows(), 4u);  // nothing to draw
    EXPECT_TRUE(all.data.check_invariants());
    EXPECT_FALSE(all.data.has_missing());
    EXPECT_EQ(all.cells, 10u);
    EXPECT_EQ(all.data.column(data.index_of("constant")).values[0], 5);
    EXPECT_EQ(all.data.column(data.index_of("no number")).values[2], 0);
    EXPECT_EQ(all.data.column(data.index_of("no level")).levels, std::vector<std::string>{"(missing)"});
    const Column& names = all.data.column(data.index_of("name"));
    EXPECT_TRUE(names.identifier);
    EXPECT_EQ(names.levels.size(), 3u);
  }
}

TEST(Completion, NeitherThreadsNorOrderOfColumnsMatter) {
  Rng rng(4);
  const Dataset data = random_with_gaps({.variables = 8, .rows = 300, .weights = true}, rng);
  std::vector<Column> columns = data.columns();
  std::reverse(columns.begin(), columns.end());
  const Dataset turned = make_dataset(std::move(columns), "turned", data.row_info());
  const std::string draws = complete_by_draws(data, 5, 9).data.checksum();
  const std::string means = complete_by_means(data).data.checksum();
  for (const int threads : {2, 5}) {
    EXPECT_EQ(complete_by_draws(data, 5, 9, {.threads = threads}).data.checksum(), draws);
    EXPECT_EQ(complete_by_means(data, {.threads = threads}).data.checksum(), means);
  }
  EXPECT_EQ(complete_by_draws(turned, 5, 9).data.checksum(), draws);
  EXPECT_EQ(complete_by_means(turned).data.checksum(), means);
  EXPECT_NE(complete_by_draws(data, 5, 10).data.checksum(), draws);
}

TEST(Completion, RegimesGoWithTheirRows) {
  RowInfo info;
  info.regimes = {{.name = "drug", .targets = {"a"}}, {.name = "none"}};
  for (int row = 0; row < 81; ++row) info.regime.push_back(row == 80 ? 0 : 1);
  const Dataset plain = eighty_and_one();
  const Dataset data = make_dataset(plain.columns(), "eighty and one", info);
  const Completion drawn = complete_by_draws(data, 3, 1);
  ASSERT_EQ(drawn.data.rows(), 83u);
  for (size_t row = 0; row < 83; ++row)
    EXPECT_EQ(drawn.data.regimes()[drawn.data.regime_of(row)].name, row < 80 ? "none" : "drug");
}

// The draw of one gap from the definition: regress its block on all columns that are known, with their covariance
// inverted for this gap alone.
struct PlainGap {
  Eigen::VectorXd mean;
  double deviation;  // of the first column
};

PlainGap plain_gap(const Blocks& blocks, const EmFit& fit, Node v, const std::vector<Node>& known,
                   const Eigen::VectorXd& x) {
  const Eigen::Index q = blocks.columns();
  const Eigen::Map<const Eigen::MatrixXd> s(fit.covariance.data(), q, q);
  const Eigen::Map<const Eigen::VectorXd> m(fit.mean.data(), q);
  std::vector<int> own, others;
  for (int k = 0; k < blocks.width(v); ++k) own.push_back(blocks.start(v) + k);
  for (const Node o : known) {
    for (int k = 0; k < blocks.width(o); ++k) others.push_back(blocks.start(o) + k);
  }
  const Eigen::Index size = static_cast<Eigen::Index>(others.size());
  const Eigen::MatrixXd floored = s(others, others) + kFloor * Eigen::MatrixXd::Identity(size, size);
  Eigen::MatrixXd slopes = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(own.size()), size);
  if (size > 0) slopes = floored.ldlt().solve(s(others, own)).transpose();
  const Eigen::MatrixXd left = s(own, own) - slopes * s(others, own);
  return {m(own) + slopes * (x(others) - m(others)), std::sqrt(std::max(0.0, left(0, 0)))};
}

// A cell with the same content as the twin draws: the code, or the number.
double plain_draw(const Blocks& blocks, Node v, const PlainGap& gap, Rng& rng, Eigen::VectorXd& x) {
  const Column& column = blocks.data().column(v);
  std::vector<double> block(static_cast<size_t>(blocks.width(v)));
  const bool categorical = column.kind == ColumnKind::kCategorical;
  double u = categorical ? rng.uniform() : gap.mean[0] + gap.deviation * rng.normal(), out = 0, best = 1e300, sum = 0;
  std::vector<double> p(column.levels.size(), -1);
  for (const bool draw : {false, true}) {  // the probabilities first, then the choice
    for (uint32_t level = 0; categorical && level < p.size(); ++level) {
      size_t row = 0;
      while (column.is_missing(row) || column.codes[row] != level) ++row;
      blocks.fill_row(v, row, block.data());
      double c_m = 0;
      for (size_t k = 0; k < block.size(); ++k) c_m += block[k] * gap.mean[static_cast<Eigen::Index>(k)];
      if (!draw) sum += p[level] = std::max(0.0, blocks.shares(v)[level] * (1 + c_m));
      if (draw && u >= 0) {
        out = level;
        std::copy(block.begin(), block.end(), x.data() + blocks.start(v));
        u -= p[level] / sum;
      }
    }
  }
  for (size_t row = 0; !categorical && row < column.rows(); ++row) {
    if (column.is_missing(row)) continue;
    blocks.fill_row(v, row, block.data());
    if (std::abs(block[0] - u) >= best) continue;
    best = std::abs(block[0] - u);
    out = column.values[row];
    std::copy(block.begin(), block.end(), x.data() + blocks.start(v));
  }
  return out;
}

RC_GTEST_PROP(Completion, DrawsAreThoseOfTheDefinition, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  GapShape shape;
  shape.variables = *rc::gen::inRange(2, 7);
  shape.rows = *rc::gen::inRange(20, 60);
  shape.categorical = *rc::gen::element(0.0, 0.5, 1.0);
  shape.weights = *rc::gen::arbitrary<bool>();
  const Dataset data = random_with_gaps(shape, rng);
  const EmOptions options{.most_steps = 20};
  const int draws = 3;
  const Completion drawn = complete_by_draws(data, draws, 11, options);
  const Blocks blocks(data, {});
  const EmFit fit = fit_em(blocks, options);
  RC_ASSERT(drawn.data.check_invariants());
  size_t at = 0;
  for (size_t row = 0; row < data.rows(); ++row) {
    std::vector<Rng> streams;
    bool any = false;
    for (Node v = 0; v < data.size(); ++v) {
      streams.push_back(Rng(11).split(data.column(v).name, row));
      any = any || (blocks.width(v) > 0 && blocks.is_missing(v, row));
    }
    for (int copy = 0; copy < (any ? draws : 1); ++copy, ++at) {
      RC_ASSERT(drawn.data.weight(at) == data.weight(row) / (any ? draws : 1));
      Eigen::VectorXd x = Eigen::VectorXd::Zero(blocks.columns());
      std::vector<Node> known;
      for (Node v = 0; v < data.size(); ++v) {
        if (blocks.width(v) == 0 || blocks.is_missing(v, row)) continue;
        blocks.fill_row(v, row, x.data() + blocks.start(v));
        known.push_back(v);
      }
      for (Node v = 0; v < data.size(); ++v) {
        const Column& column = drawn.data.column(v);
        const bool categorical = column.kind == ColumnKind::kCategorical;
        RC_ASSERT(column.drawn[at] == data.column(v).is_missing(row));
        const double cell = categorical ? column.codes[at] : column.values[at];
        if (!data.column(v).is_missing(row)) {
          RC_ASSERT(cell == (categorical ? data.column(v).codes[row] : data.column(v).values[row]));
        } else if (blocks.width(v) > 0) {
          RC_ASSERT(cell == plain_draw(blocks, v, plain_gap(blocks, fit, v, known, x), streams[v], x));
          known.push_back(v);
        }
      }
    }
  }
  RC_ASSERT(at == drawn.data.rows());
}

RC_GTEST_PROP(Completion, MeansAreThoseOfTheDefinition, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const Dataset data = random_with_gaps({.variables = *rc::gen::inRange(2, 7), .rows = 40, .categorical = 0.3}, rng);
  const EmOptions options{.most_steps = 20};
  const Completion even = complete_by_means(data, options);
  const Blocks blocks(data, {.raw = true});
  const EmFit fit = fit_em(blocks, options);
  for (Node v = 0; v < data.size(); ++v) {
    const Column& column = data.column(v);
    if (blocks.width(v) == 0 || column.kind == ColumnKind::kCategorical) continue;
    double sum = 0, count = 0;
    for (size_t row = 0; row < data.rows(); ++row) {
      if (!column.is_missing(row)) sum += column.values[row], ++count;
    }
    for (size_t row = 0; row < data.rows(); ++row) {
      if (!column.is_missing(row)) continue;
      Eigen::VectorXd x = Eigen::VectorXd::Zero(blocks.columns());
      std::vector<Node> known;
      for (Node o = 0; o < data.size(); ++o) {
        if (blocks.width(o) == 0 || blocks.is_missing(o, row)) continue;
        blocks.fill_row(o, row, x.data() + blocks.start(o));
        known.push_back(o);
      }
      const double expected = sum / count + blocks.deviation(v) * plain_gap(blocks, fit, v, known, x).mean[0];
      RC_ASSERT(std::abs(even.data.column(v).values[row] - expected) < 1e-7);
    }
  }
}

}  // namespace
}  // namespace agon
