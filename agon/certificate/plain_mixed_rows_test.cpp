// mixed-bic row by row: densities and their gradients, resamples, and what is assumed about rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "agon/certificate/plain_mixed.h"
#include "agon/certificate/test_mixed.h"
#include "agon/score/test_mixed_tables.h"

namespace agon {
namespace {

using plain::MixedOptions;
using plain::MixedScorer;
using testing::mixed_near;
using testing::random_mixed;

// The mean log-density of a row under a graph, less that under the empty graph, is the information of the edges.
TEST(PlainMixedRows, RowDensitiesSumToTheInformation) {
  Rng rng(10);
  const Dataset data = random_mixed({.rows = 300, .weights = true}, rng);
  const MixedScorer scorer(data, {.penalty = 0, .basis = 2, .floor = 0});
  const Dag dag = testing::random_dag(data.size(), 0.5, rng);
  const plain::MixedModel model = scorer.fit(dag), empty = scorer.fit(Dag(data.size()));
  double sum = 0;
  Eigen::VectorXd x(scorer.columns().columns());
  for (size_t row = 0; row < data.rows(); ++row) {
    scorer.columns().fill_row(row, x.data());
    sum += data.weight(row) * (model.log_density(x) - empty.log_density(x));
  }
  EXPECT_TRUE(mixed_near(sum, plain::total(scorer, dag).score - plain::total(scorer, Dag(data.size())).score));
}

TEST(PlainMixedRows, GradientIsThatOfCentralDifferences) {
  Rng rng(11);
  const Dataset data = random_mixed({.rows = 300}, rng);
  const MixedScorer scorer(data, {});
  const std::vector<Dag> graphs = {testing::random_dag(data.size(), 0.5, rng), Dag(data.size())};
  const plain::MixedModel model = scorer.fit(graphs[0]);
  double largest = 0;
  Eigen::VectorXd x(scorer.columns().columns());
  for (size_t row = 0; row < data.rows(); ++row) {
    scorer.columns().fill_row(row, x.data());
    largest = std::max({largest, model.gradient(x).norm(), scorer.fit(graphs[1]).gradient(x).norm()});
  }
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    const double h = 1e-5;
    Eigen::VectorXd up = x, down = x;
    up(k) += h;
    down(k) -= h;
    const double slope = (model.log_density(up) - model.log_density(down)) / (2 * h);
    EXPECT_NEAR(model.gradient(x)(k), slope, 1e-6 * (1 + std::abs(slope)));
  }
  EXPECT_DOUBLE_EQ(scorer.row_constant(graphs, 1), largest);
  EXPECT_DOUBLE_EQ(scorer.row_constant(graphs, 3), largest);
}

// A resample written out as a table of its own gets the same scores; in raw scale, where no ranks change.
TEST(PlainMixedRows, ResamplingIsScoringTheDrawnTable) {
  Rng rng(12);
  const Dataset data = random_mixed({.rows = 400}, rng);
  std::vector<uint32_t> weights(400);
  std::vector<size_t> drawn;
  for (int draw = 0; draw < 400; ++draw) {
    drawn.push_back(rng.below(400));
    ++weights[drawn.back()];
  }
  const Dataset table = with_rows(data, drawn);
  const MixedOptions options = {.raw = true, .basis = 2};
  const MixedScorer whole(data, options), fresh(table, options);
  const std::vector<plain::Family> families = {{0, {}}, {1, {0}}, {2, {0, 1, 3}}, {3, {1, 2}}, {4, {0, 5}}, {5, {}}};
  const std::vector<double> scores = whole.resampler(families)->scores(weights);
  for (size_t f = 0; f < families.size(); ++f) {
    EXPECT_TRUE(mixed_near(scores[f], fresh.local(families[f].child, families[f].parents).score)) << f;
  }
}

TEST(PlainMixedRows, SaysWhatItAssumes) {
  Rng rng(13);
  const auto text = [](const Dataset& data) {
    std::string out;
    for (const std::string& line : MixedScorer(data, {}).assumptions()) out += line + "\n";
    return out;
  };
  const std::string mixed = text(random_mixed({}, rng));
  EXPECT_NE(mixed.find("more than its entropy"), std::string::npos);
  EXPECT_EQ(mixed.find("missing"), std::string::npos);
  std::vector<Column> columns = testing::random_continuous(4, 60, false, rng).columns();
  columns[0].missing.insert(7);
  const Dataset gaps = make_dataset(std::move(columns), "t");
  EXPECT_EQ(text(gaps).find("entropy"), std::string::npos);
  EXPECT_NE(text(gaps).find("missing at random"), std::string::npos);
  EXPECT_NE(text(gaps).find("only the bootstrap share"), std::string::npos);
  EXPECT_EQ(MixedScorer(gaps, {}).row_constant({Dag(4)}, 1), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace agon
