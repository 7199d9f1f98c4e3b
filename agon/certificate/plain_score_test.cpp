#include "agon/certificate/plain_score.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "agon/certificate/plain_discrete.h"
#include "agon/certificate/plain_gaussian.h"
#include "agon/certificate/test_scorers.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/test_discrete_scores.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_weights.h"
#include "agon/score/weighted_discrete.h"

namespace agon {
namespace {

std::vector<Node> with(std::vector<Node> parents, Node v) {
  parents.insert(std::lower_bound(parents.begin(), parents.end(), v), v);
  return parents;
}

// Two computations of one number, as close as sums of rounded terms can be.
::testing::AssertionResult near_plain(double plain, double fast) {
  if (plain == fast || std::abs(plain - fast) <= 1e-9 * (1 + std::abs(fast))) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << plain << " and " << fast << " differ by " << plain - fast;
}

void expect_same_scores(const Dataset& data, const std::string& name, const ScoreOptions& options, Rng& rng) {
  std::unique_ptr<LocalScore> fast;
  if (std::ranges::count(testing::discrete_scores(), name) > 0) {
    fast = testing::make_discrete(name, data, options);
  } else {
    fast = make_score(name, data, options);
  }
  const auto plain = testing::plain_scorer(name, data, options.penalty, options.ess);
  for (int trial = 0; trial < 5; ++trial) {
    const Dag dag = testing::random_dag(data.size(), 0.4, rng);
    EXPECT_TRUE(near_plain(plain::total(*plain, dag).score, total(*fast, dag))) << name;
    for (Node v = 0; v < data.size(); ++v) {
      EXPECT_EQ(plain->is_constant(v), fast->traits().constant[v]);
      const std::vector<Node> parents = dag.parent_list(v);
      std::vector<Node> candidates;
      for (Node u = 0; u < data.size(); ++u) {
        if (u != v && !dag.has_edge(u, v) && !plain->is_constant(u) && !plain->is_constant(v)) candidates.push_back(u);
      }
      const std::vector<plain::Value> added = plain->additions(v, parents, candidates);
      for (size_t k = 0; k < candidates.size(); ++k) {
        const double fast_local = fast->local(v, with(parents, candidates[k]));
        EXPECT_TRUE(near_plain(added[k].score, fast_local)) << name;
        EXPECT_TRUE(near_plain(plain->local(v, with(parents, candidates[k])).score, fast_local)) << name;
      }
    }
  }
}

TEST(PlainScore, AgreesWithTheSearchOnCategoricalTables) {
  Rng rng(11);
  for (int trial = 0; trial < 12; ++trial) {
    const Dataset data = testing::random_categorical(
        {.variables = 7, .rows = 20 + 60 * trial, .most_levels = 2 + trial % 5, .copies = 1 + 30 * (trial % 2)}, rng);
    const ScoreOptions options{.penalty = rng.uniform(0.5, 3), .ess = rng.uniform(0.5, 20)};
    for (const std::string& name : testing::discrete_scores()) expect_same_scores(data, name, options, rng);
  }
}

// An identifier is an isolated node, and costs nothing: it has no part in any difference between graphs.
TEST(PlainScore, IdentifiersCountAsConstant) {
  Rng rng(19);
  for (const int copies : {1, 40}) {  // without and with merged rows
    std::vector<Column> columns =
        testing::random_categorical({.variables = 4, .rows = 80, .most_levels = 4, .copies = copies}, rng).columns();
    std::vector<int> names(columns[0].rows());
    for (size_t row = 0; row < names.size(); ++row) names[row] = static_cast<int>(row);
    columns.push_back(categorical_column("name", names));
    columns.back().identifier = true;
    const Dataset data = make_dataset(columns, "t");
    const Dataset weighted = make_dataset(columns, "t", {.weights = std::vector<double>(data.rows(), 2)});
    expect_same_scores(data, "discrete-bic", {}, rng);
    expect_same_scores(weighted, "bdeu", {}, rng);
    EXPECT_EQ(make_score("discrete-bic", data)->local(data.index_of("name"), {}), 0);
    EXPECT_EQ(WeightedDiscreteBic(weighted).local(data.index_of("name"), {}), 0);
  }
}

TEST(PlainScore, AgreesWithTheSearchOnTablesWithWeights) {
  Rng rng(16);
  for (int trial = 0; trial < 12; ++trial) {
    const testing::TableShape shape = {.variables = 7, .rows = 60 + 40 * trial, .most_levels = 2 + trial % 5};
    const Dataset data = trial % 3 == 0 ? testing::random_counted(shape, 30, rng).counted
                                        : testing::random_weighted(shape, trial % 3 == 1 ? 0 : 0.3, rng);
    const ScoreOptions options{.penalty = rng.uniform(0.5, 3), .ess = rng.uniform(0.5, 20)};
    for (const std::string& name : testing::discrete_scores()) expect_same_scores(data, name, options, rng);
  }
}

TEST(PlainScore, CountsStandForRepeatedRows) {
  Rng rng(17);
  const testing::CountedTable table = testing::random_counted({.variables = 5, .rows = 80}, 12, rng);
  for (const std::string& name : testing::discrete_scores()) {
    const auto counted = testing::plain_scorer(name, table.counted),
               expanded = testing::plain_scorer(name, table.expanded);
    EXPECT_EQ(counted->rows(), expanded->rows());
    for (int trial = 0; trial < 20; ++trial) {
      const Dag dag = testing::random_dag(5, 0.4, rng);
      EXPECT_TRUE(near_plain(plain::total(*counted, dag).score, plain::total(*expanded, dag).score));
    }
    const std::vector<Dag> graphs = {testing::random_dag(5, 0.4, rng), testing::random_dag(5, 0.4, rng)};
    EXPECT_TRUE(near_plain(counted->row_constant(graphs, 1), expanded->row_constant(graphs, 1)));
  }
}

TEST(PlainScore, SeesPairsNeverSeenTogetherAsTheSearchDoes) {
  Rng rng(18);
  std::vector<Column> columns =
      testing::random_categorical({.variables = 14, .rows = 60, .most_levels = 3}, rng).columns();
  for (size_t row = 0; row < 60; ++row) columns[row % 2].drawn.insert(row);  // columns 0 and 1, in turn
  const Dataset data = make_dataset(columns, "t");
  const WeightedDiscreteBic fast(data, {.penalty = 0});
  const auto plain = plain::discrete_bic(data, 0);
  int undefined = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const testing::Family family = testing::random_family(data.size(), 13, rng);
    const double score = plain->local(family.child, family.parents).score;
    undefined += score == plain::kUndefined;
    if (score == plain::kUndefined) {
      EXPECT_THROW(fast.local(family.child, family.parents), ScoreUndefined);
    } else {
      EXPECT_TRUE(near_plain(score, fast.local(family.child, family.parents)));
    }
  }
  EXPECT_GT(undefined, 10);
  EXPECT_LT(undefined, 190);
}

// Tables of counts too long to be kept dense, and more levels than fit a byte.
TEST(PlainScore, AgreesWithTheSearchOnManyLevels) {
  Rng rng(12);
  const Dataset data = testing::random_categorical({.variables = 6, .rows = 500, .most_levels = 400}, rng);
  expect_same_scores(data, "discrete-bic", {}, rng);
  expect_same_scores(data, "bdeu", {}, rng);
}

TEST(PlainScore, AgreesWithTheSearchOnContinuousTables) {
  Rng rng(13);
  for (int rows : {12, 40, 700, 3000}) {  // shorter and longer than the blocks of the factorisation
    const Dataset data = testing::random_continuous(8, rows, false, rng);
    const ScoreOptions options{.penalty = rng.uniform(0.5, 3)};
    expect_same_scores(data, "gaussian-bic", options, rng);
    expect_same_scores(data, "copula-bic", options, rng);
  }
}

TEST(PlainScore, AgreesWithTheSearchWithMoreColumnsThanRows) {
  Rng rng(14);
  const Dataset data = testing::random_continuous(40, 30, false, rng);
  const auto fast = make_score("gaussian-bic", data);
  const auto plain = plain::gaussian_bic(data, 1);
  for (int trial = 0; trial < 50; ++trial) {
    const testing::Family family = testing::random_family(40, 5, rng);
    EXPECT_TRUE(
        near_plain(plain->local(family.child, family.parents).score, fast->local(family.child, family.parents)));
  }
}

TEST(PlainScore, SeesDeterminedColumnsAsTheSearchDoes) {
  Rng rng(15);
  const Dataset data = testing::random_continuous(5, 200, true, rng);  // v5 copies v0, v6 = v1 + v2
  const auto fast = make_score("gaussian-bic", data);
  const auto plain = plain::gaussian_bic(data, 1);
  int undefined = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const testing::Family family = testing::random_family(data.size(), 5, rng);
    std::vector<Node> candidates;
    for (Node v = 0; v < data.size(); ++v) {
      const bool taken = std::find(family.parents.begin(), family.parents.end(), v) != family.parents.end();
      if (v != family.child && !taken) candidates.push_back(v);
    }
    const plain::Value value = plain->local(family.child, family.parents);
    if (value.score == plain::kUndefined) {
      ++undefined;
      EXPECT_THROW(fast->local(family.child, family.parents), ScoreUndefined);
      continue;
    }
    EXPECT_TRUE(near_plain(value.score, fast->local(family.child, family.parents)));
    std::vector<double> gains(data.size());
    const double now = fast->addition_gains(family.child, family.parents, gains);
    if (static_cast<int>(family.parents.size()) >= fast->traits().max_parents) continue;
    const std::vector<plain::Value> added = plain->additions(family.child, family.parents, candidates);
    for (size_t k = 0; k < candidates.size(); ++k) {
      if (added[k].score == plain::kUndefined) {
        EXPECT_EQ(gains[candidates[k]], kNoGain);
      } else {
        EXPECT_TRUE(near_plain(added[k].score, now + gains[candidates[k]]));
      }
    }
  }
  EXPECT_GT(undefined, 20);
}

TEST(PlainScore, ConstantColumnsOfEitherKindScoreAsInTheSearch) {
  const std::vector<int> a = {0, 1, 0, 1, 1, 0, 1, 1}, b = {0, 1, 0, 1, 1, 0, 0, 1};
  const Dataset words = make_dataset(
      {categorical_column("a", a), categorical_column("b", b), categorical_column("one", std::vector<int>(8, 0)),
       continuous_column("flat", std::vector<double>(8, 1.5))},
      "t");
  const std::vector<double> x = {1, 2, 5, 3, 7, 8, 1, 0}, y = {2, 1, 4, 4, 4, 9, 0, 1};
  const Dataset numbers = make_dataset(
      {continuous_column("x", x), continuous_column("y", y), categorical_column("one", std::vector<int>(8, 0)),
       continuous_column("flat", std::vector<double>(8, 1.5))},
      "t");
  for (const auto& [data, name] :
       {std::pair{&words, "discrete-bic"}, {&words, "bdeu"}, {&numbers, "gaussian-bic"}, {&numbers, "copula-bic"}}) {
    const auto fast = make_score(name, *data);
    const auto plain = testing::plain_scorer(name, *data);
    Dag dag(4);
    dag.add_edge(data->index_of("flat"), data->index_of(data == &words ? "a" : "x"));
    dag.add_edge(data->index_of(data == &words ? "b" : "y"), data->index_of("one"));
    EXPECT_TRUE(near_plain(plain::total(*plain, Dag(4)).score, total(*fast, Dag(4)))) << name;
    EXPECT_TRUE(near_plain(plain::total(*plain, dag).score, total(*fast, dag))) << name;
    EXPECT_TRUE(plain->is_constant(data->index_of("flat")));
    EXPECT_TRUE(plain->is_constant(data->index_of("one")));
  }
}

TEST(PlainScore, NormalQuantilesAreThoseOfTheSearch) {
  for (double u : {1e-300, 1e-12, 0.001, 0.3, 0.5, 0.9, 0.999999}) {
    const double expected = normal_quantile(u);
    EXPECT_NEAR(plain::normal_quantile(u), expected, 1e-13 * (1 + std::abs(expected)));
  }
}

TEST(PlainScore, RowLikelihoodsSumToTheLikelihoodTerm) {
  Rng rng(17);
  const Dataset data = testing::random_categorical({.variables = 5, .rows = 300, .most_levels = 4}, rng);
  const plain::DiscreteScorer free(data, plain::Priced{0});
  for (int trial = 0; trial < 10; ++trial) {
    const testing::Family family = testing::random_family(5, 3, rng);
    double sum = 0;
    for (double term : free.row_log_likelihood(family.child, family.parents)) sum += term;
    EXPECT_TRUE(near_plain(sum, free.local(family.child, family.parents).score));
  }
}

TEST(PlainScore, GaussianRowLikelihoodsSumToTheLikelihoodTerm) {
  Rng rng(18);
  const Dataset data = testing::random_continuous(6, 300, false, rng);
  const plain::GaussianScorer free(data, plain::GaussianScorer::Scale::kCopula, 0);
  const Dag dag = testing::random_dag(6, 0.5, rng);
  const plain::GaussianModel model = free.fit(dag);
  double sum = 0;
  for (size_t row = 0; row < data.rows(); ++row) {
    std::vector<double> x;
    for (Node v = 0; v < 6; ++v) x.push_back(free.standardised(v, row));
    sum += model.log_likelihood(x);
  }
  EXPECT_TRUE(near_plain(sum, plain::total(free, dag).score));
}

TEST(PlainScore, GradientIsThatOfCentralDifferences) {
  Rng rng(19);
  const Dataset data = testing::random_continuous(7, 200, true, rng);  // two dependent columns: equations drop parents
  const plain::GaussianScorer scorer(data, plain::GaussianScorer::Scale::kRaw, 1);
  for (int trial = 0; trial < 10; ++trial) {
    Dag dag = testing::random_dag(5, 0.5, rng);
    Dag wide(data.size());
    for (const Edge& e : dag.edges())
      wide.add_edge(data.index_of("v" + std::to_string(e.from)), data.index_of("v" + std::to_string(e.to)));
    const plain::GaussianModel model = scorer.fit(wide);
    std::vector<double> x;
    for (Node v = 0; v < data.size(); ++v) x.push_back(rng.normal());
    const std::vector<double> gradient = model.gradient(x);
    for (Node v = 0; v < data.size(); ++v) {
      const double h = 1e-5;
      std::vector<double> up = x, down = x;
      up[v] += h;
      down[v] -= h;
      const double slope = (model.log_likelihood(up) - model.log_likelihood(down)) / (2 * h);
      EXPECT_NEAR(gradient[v], slope, 1e-6 * (1 + std::abs(slope)));
    }
  }
}

TEST(PlainScore, LargestGradientIsTakenOverRowsAndGraphs) {
  Rng rng(20);
  const Dataset data = testing::random_continuous(5, 600, false, rng);  // more than one block of rows
  const plain::GaussianScorer scorer(data, plain::GaussianScorer::Scale::kCopula, 1);
  const std::vector<Dag> graphs = {testing::random_dag(5, 0.5, rng), testing::random_dag(5, 0.5, rng), Dag(5)};
  double largest = 0;
  for (const Dag& dag : graphs) {
    for (size_t row = 0; row < data.rows(); ++row) {
      std::vector<double> x;
      for (Node v = 0; v < 5; ++v) x.push_back(scorer.standardised(v, row));
      double squares = 0;
      for (double g : scorer.fit(dag).gradient(x)) squares += g * g;
      largest = std::max(largest, std::sqrt(squares));
    }
  }
  EXPECT_DOUBLE_EQ(scorer.row_constant(graphs, 1), largest);
  EXPECT_DOUBLE_EQ(scorer.row_constant(graphs, 4), largest);
}

// A resample written out as a table of its own gets the same score, provided that all levels occur in it.
TEST(PlainScore, ResamplingIsScoringTheDrawnTable) {
  Rng rng(21);
  const Dataset words = testing::random_categorical({.variables = 4, .rows = 400, .most_levels = 3}, rng);
  const Dataset numbers = testing::random_continuous(4, 400, false, rng);
  std::vector<uint32_t> weights(400);
  std::vector<size_t> drawn;
  for (int draw = 0; draw < 400; ++draw) {
    drawn.push_back(rng.below(400));
    ++weights[drawn.back()];
  }
  for (const auto& [data, name] : {std::pair{&words, "discrete-bic"}, {&words, "bdeu"}, {&numbers, "gaussian-bic"}}) {
    std::vector<Column> columns;
    for (int node : data->file_order()) {
      Column column = data->column(node);
      Codes codes;
      for (size_t row = 0; row < drawn.size(); ++row) {
        if (column.kind == ColumnKind::kCategorical)
          codes.push_back(column.codes[drawn[row]]);
        else
          column.values[row] = data->column(node).values[drawn[row]];
      }
      column.codes = codes;
      columns.push_back(std::move(column));
    }
    const Dataset table = make_dataset(std::move(columns), "drawn");
    for (Node v = 0; v < 4; ++v) ASSERT_EQ(table.column(v).levels, data->column(v).levels);
    const auto whole = testing::plain_scorer(name, *data), fresh = testing::plain_scorer(name, table);
    std::vector<plain::Family> families = {{0, {}}, {1, {0}}, {2, {0, 1, 3}}, {3, {1, 2}}};
    const std::vector<double> scores = whole->resampler(families)->scores(weights);
    for (size_t f = 0; f < families.size(); ++f) {
      EXPECT_TRUE(near_plain(scores[f], fresh->local(families[f].child, families[f].parents).score))
          << name << " " << f;
    }
  }
}

TEST(PlainScore, ResamplesOfFewDistinctRowsAreScored) {
  Rng rng(22);
  const Dataset data = testing::random_continuous(3, 600, false, rng);
  const auto scorer = plain::gaussian_bic(data, 1);
  const std::vector<plain::Family> families = {{2, {0, 1}}};
  for (size_t distinct : {3, 255, 256, 599}) {
    std::vector<uint32_t> weights(600);
    for (size_t row = 0; row < 600; ++row) ++weights[row % distinct];
    std::vector<Column> columns;
    for (int node : data.file_order()) {
      Column column = data.column(node);
      for (size_t row = 0; row < 600; ++row) column.values[row] = data.column(node).values[row % distinct];
      columns.push_back(std::move(column));
    }
    const Dataset table = make_dataset(std::move(columns), "drawn");
    const double expected = plain::gaussian_bic(table, 1)->local(2, families[0].parents).score;
    EXPECT_TRUE(near_plain(scorer->resampler(families)->scores(weights)[0], expected)) << distinct;
  }
}

}  // namespace
}  // namespace agon
