#include "agon/run/compare_treatments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"

namespace agon {
namespace {

TreatmentChoice choice_of(const Dataset& data) {
  return choose_treatment(data, [](const Dataset& table) { return make_score("copula-bic", table); }, {});
}

enum class Drift { kNone, kByBatch };
enum class Kind { kSet, kMoved };

// a -> b -> c -> d; 300 rows observed, and 300 each in which b and c were set or moved.
Dataset chain(Drift drift, Kind kind, uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<double>> cells(4);
  RowInfo info{.regimes = {{.name = "seen", .batch = "seen"},
                           {.name = "b", .targets = {"b"}, .batch = "b"},
                           {.name = "c", .targets = {"c"}, .batch = "c"}}};
  for (uint32_t k = 0; k < 3; ++k) {
    double shift[4];
    for (double& s : shift) s = drift == Drift::kByBatch ? 3 * rng.normal() : 0;
    for (int row = 0; row < 300; ++row) {
      double cause = 0;
      for (uint32_t v = 0; v < 4; ++v) {
        const bool target = k > 0 && v == k;
        double x = rng.normal();
        if (!target || kind == Kind::kMoved) x += 0.9 * cause;
        if (target) x += 2;
        cells[v].push_back(x + shift[v]);
        cause = x;
      }
      info.regime.push_back(k);
    }
  }
  std::vector<Column> columns;
  for (int v = 0; v < 4; ++v)
    columns.push_back(continuous_column(std::string(1, static_cast<char>('a' + v)), cells[v]));
  return make_dataset(std::move(columns), "chain", std::move(info));
}

TEST(Regimes, TargetsAloneWhereMeansDoNotDrift) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const TreatmentChoice choice = choice_of(chain(Drift::kNone, Kind::kSet, seed));
    EXPECT_EQ(choice.used, (RegimeTreatment{.targets = true}));
    EXPECT_EQ(choice.totals.size(), 4u);
    EXPECT_EQ(choice.remark(), "");
  }
}

TEST(Regimes, BatchesTooWhereMeansDrift) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(choice_of(chain(Drift::kByBatch, Kind::kSet, seed)).used, (RegimeTreatment{true, true}));
  }
}

TEST(Regimes, SaysWhenTheInterventionsLookSoft) {
  const TreatmentChoice choice = choice_of(chain(Drift::kByBatch, Kind::kMoved, 1));
  EXPECT_TRUE(choice.used.targets);  // the user's word
  EXPECT_NE(choice.remark().find("the interventions look soft"), std::string::npos) << choice.remark();
}

// Soft interventions that were declared perfect: the treatment that fits best judges the graphs of those that are kept.
TEST(Regimes, WhatFitsBestJudgesTheGraphs) {
  const auto make = [](const Dataset& table) { return make_score("copula-bic", table); };
  int judged = 0;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    const Dataset data = chain(Drift::kNone, Kind::kMoved, seed);
    const TreatmentChoice choice = choose_treatment(data, make, {});
    ASSERT_TRUE(choice.used.targets);
    if (choice.best().targets) continue;
    ++judged;
    const Dataset table = with_treatment(data, choice.best());
    const auto judge = make(table);
    double used = 0, other = 0;
    for (const TreatmentTotal& one : choice.totals) {
      if (one.treatment.targets) (one.treatment == choice.used ? used : other) = total(*judge, one.dag);
    }
    EXPECT_GE(used, other);
  }
  EXPECT_GT(judged, 4);
}

TEST(Regimes, NothingIsComparedWithoutTargetsOrBatches) {
  RowInfo info{.regimes = {{.name = "first"}, {.name = "second"}}};
  for (int row = 0; row < 40; ++row) info.regime.push_back(row % 2);
  std::vector<double> x, y;
  Rng rng(5);
  for (int row = 0; row < 40; ++row) {
    x.push_back(rng.normal());
    y.push_back(rng.normal());
  }
  const TreatmentChoice choice =
      choice_of(make_dataset({continuous_column("x", x), continuous_column("y", y)}, "t", std::move(info)));
  EXPECT_EQ(choice.used, RegimeTreatment{});
  EXPECT_TRUE(choice.totals.empty());
}

// GES alone decides only what the thorough comparison decides too.
TEST(Regimes, TheQuickComparisonChoosesAlike) {
  const auto make = [](const Dataset& table) { return make_score("copula-bic", table); };
  for (const Drift drift : {Drift::kNone, Drift::kByBatch}) {
    for (const Kind kind : {Kind::kSet, Kind::kMoved}) {
      for (uint64_t seed = 1; seed <= 5; ++seed) {
        const Dataset data = chain(drift, kind, seed);
        const TreatmentChoice quick = choose_treatment(data, make, {.effort = TreatmentSearch::Effort::kQuick});
        const TreatmentChoice thorough = choose_treatment(data, make, {});
        EXPECT_EQ(quick.used, thorough.used) << seed;
        ASSERT_EQ(quick.totals.size(), thorough.totals.size());
        for (size_t k = 0; k < quick.totals.size(); ++k) {
          EXPECT_LE(quick.totals[k].total, thorough.totals[k].total + 1e-9);
          const auto score = make(with_treatment(data, quick.totals[k].treatment));
          EXPECT_NEAR(total(*score, quick.totals[k].dag), quick.totals[k].total, 1e-9);
        }
      }
    }
  }
}

// Without batches one treatment keeps the targets, so GES alone is thorough enough, also where the other one is ahead:
// as here, where targets were moved and then every mean was taken out.
TEST(Regimes, WhereOneTreatmentKeepsTheTargetsItIsUsed) {
  const auto make = [](const Dataset& table) { return make_score("copula-bic", table); };
  int behind = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    Dataset data = chain(Drift::kNone, Kind::kMoved, seed);
    RowInfo info = data.row_info();
    for (Regime& regime : info.regimes) regime.batch.clear();
    std::vector<Column> columns;
    for (const int node : data.file_order()) {
      Column& column = columns.emplace_back(data.column(node));
      for (size_t first = 0; first < data.rows(); first += 300) {
        double sum = 0;
        for (size_t row = first; row < first + 300; ++row) sum += column.values[row];
        for (size_t row = first; row < first + 300; ++row) column.values[row] -= sum / 300;
      }
    }
    data = make_dataset(std::move(columns), "t", std::move(info));
    const TreatmentChoice choice = choose_treatment(data, make, {.effort = TreatmentSearch::Effort::kQuick});
    ASSERT_EQ(choice.totals.size(), 2u);
    EXPECT_EQ(choice.used, (RegimeTreatment{.targets = true, .within = false}));
    behind += !choice.best().targets;
  }
  EXPECT_GT(behind, 0);
}

// The proven optima of the four treatments of the nine experiments at penalty 1: an exact search over all graphs gives
// them.
TEST(Regimes, SachsReachesTheFourOptima) {
  const TreatmentChoice choice = choice_of(embedded_table("sachs-experiments"));
  ASSERT_EQ(choice.totals.size(), 4u);
  const double expected[] = {-98641.961, -79429.401, -92778.492, -79474.630};
  const char* names[] = {"pooled", "within", "targets", "targets + within"};
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(to_string(choice.totals[k].treatment), names[k]);
    EXPECT_NEAR(choice.totals[k].total, expected[k], 1e-3);
  }
  EXPECT_EQ(choice.used, (RegimeTreatment{true, true}));
  EXPECT_EQ(choice.remark(), "without targets the fit is better by 45 nats: the interventions look soft");
}

}  // namespace
}  // namespace agon
