// What a search and its certificate see of a summary is what they see of the rows: every score that a summary can be
// asked for, on numbers, categories, both, and experiments, to the tie tolerance of the score.

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/error.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/plain_score.h"
#include "agon/data/summary.h"
#include "agon/match/bootstrap.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/score/test_mixed_tables.h"
#include "agon/score/test_regimes.h"

namespace agon {
namespace {

// In pieces, so that what is compared has been merged.
Dataset summarized(const Dataset& data, const SummarizeOptions& options = {}, size_t pieces = 3) {
  std::optional<Summary> sum;
  for (size_t k = 0; k < pieces; ++k) {
    std::vector<size_t> rows;
    for (size_t row = k * data.rows() / pieces; row < (k + 1) * data.rows() / pieces; ++row) rows.push_back(row);
    const Summary part = summarize(with_rows(data, rows), options);
    sum ? add(*sum, part) : void(sum = part);
  }
  return to_table(parse_summary(summary_text(*sum), "sums"), data.source()).data;
}

void expect_same_answers(const std::string& name, const Dataset& rows, const Dataset& sums,
                         const ScoreOptions& options) {
  SCOPED_TRACE(name);
  const ScoreEntry& entry = score_entry(name);
  const auto from_rows = entry.make(rows, options), from_sums = entry.make(sums, options);
  const auto judge = entry.make_plain(sums, options);
  Rng rng(17);
  for (int trial = 0; trial < 60; ++trial) {
    const auto [child, parents] = testing::random_family(rows.size(), 3, rng);
    const double expected = from_rows->local(child, parents), found = from_sums->local(child, parents);
    const double close = tie_tolerance(*from_rows);
    EXPECT_NEAR(found, expected, close) << child << " with " << parents.size() << " parents";
    EXPECT_NEAR(judge->local(child, parents).score, found, 1e-7 * (1 + std::abs(found)));
  }
  const Dag best = hill_climb(*from_rows, Dag(rows.size())).dag, same = hill_climb(*from_sums, Dag(rows.size())).dag;
  EXPECT_EQ(best, same);
}

Dataset of_one_kind(Rng& rng, ColumnKind kind) {
  for (;;) {
    Dataset data = testing::random_mixed({.variables = 4, .rows = 400, .most_levels = 3}, rng);
    if (data.all_of(kind)) return data;
  }
}

TEST(SummaryScores, OfNumbersAreThoseOfTheRows) {
  Rng rng(1);
  const Dataset data = of_one_kind(rng, ColumnKind::kContinuous);
  expect_same_answers("gaussian-bic", data, summarized(data), {});
  expect_same_answers("mixed-bic", data, summarized(data), {.raw = true});
}

TEST(SummaryScores, OfCategoriesAreThoseOfTheRows) {
  Rng rng(2);
  const Dataset data = of_one_kind(rng, ColumnKind::kCategorical);
  const Dataset sums = summarized(data);
  for (const char* name : {"discrete-bic", "bdeu", "qnml", "mixed-bic"}) expect_same_answers(name, data, sums, {});
}

TEST(SummaryScores, OfBothKindsAreThoseOfTheRows) {
  Rng rng(3);
  for (const bool weights : {false, true}) {
    const Dataset data = testing::random_mixed({.variables = 7, .rows = 500, .weights = weights}, rng);
    expect_same_answers("mixed-bic", data, summarized(data), {.raw = true});
    expect_same_answers("mixed-bic", data, summarized(data, {.moments = true}), {.raw = true});
  }
}

TEST(SummaryScores, OfIndicatorsAloneAreThoseOfTheRows) {
  Rng rng(4);
  const Dataset data = of_one_kind(rng, ColumnKind::kCategorical);
  expect_same_answers("mixed-bic", data, summarized(data, {.moments = true}), {.raw = true});
}

TEST(SummaryScores, OfExperimentsAreThoseOfTheRows) {
  Rng rng(5);
  for (int trial = 0; trial < 6; ++trial) {
    const Dataset plain = testing::random_mixed({.variables = 5, .rows = 400, .most_levels = 3}, rng);
    const Dataset data = testing::with_random_regimes(plain, rng);
    expect_same_answers("mixed-bic", data, summarized(data), {.raw = true});
  }
}

TEST(SummaryScores, PartsChangeNothing) {
  Rng rng(6);
  const Dataset data = testing::random_mixed({.variables = 6, .rows = 900}, rng);
  expect_same_answers("mixed-bic", data, summarized(data, {.parts = true}, 30), {.raw = true});
}

TEST(SummaryScores, TheDefaultIsOneThatItCanAnswer) {
  Rng rng(7);
  EXPECT_EQ(default_score(summarized(of_one_kind(rng, ColumnKind::kContinuous))).name, "gaussian-bic");
  EXPECT_EQ(default_score(summarized(testing::random_mixed({.rows = 300}, rng), {.moments = true})).name, "mixed-bic");
}

// The same shares, but for chance, whether rows are drawn or parts of them.
TEST(SummaryScores, TheBootstrapResamplesParts) {
  Rng rng(8);
  std::vector<double> x(4000), y(4000), z(4000);
  for (size_t row = 0; row < x.size(); ++row) {
    x[row] = rng.normal();
    y[row] = x[row] + rng.normal();
    z[row] = 0.06 * x[row] + rng.normal();  // an edge that resamples disagree about
  }
  const Dataset data =
      make_dataset({continuous_column("x", x), continuous_column("y", y), continuous_column("z", z)}, "t");
  const ResampleSearch search = [](const Dataset& rows, const Rng&, const Watch&) {
    return hill_climb(*make_score("gaussian-bic", rows), Dag(rows.size())).dag;
  };
  const auto share = [&](const Dataset& table) {
    const Bootstrap found = bootstrap_edges(table, search, {.resamples = 200}, Knowledge(3), Rng(4), {});
    return found.shares(table.index_of("x"), table.index_of("z")).edge;
  };
  const Dataset parts = summarized(data, {.parts = true}, 50);
  EXPECT_TRUE(has_resamples(parts));
  EXPECT_NEAR(share(parts), share(data), 0.15);  // four standard deviations of a difference of two such shares
  EXPECT_GT(share(parts), 0.3);
  EXPECT_LT(share(parts), 0.999);
  EXPECT_THROW(share(summarized(data, {.parts = true}, 19)), InputError);
  EXPECT_THROW(share(summarized(data)), InputError);
}

}  // namespace
}  // namespace agon
