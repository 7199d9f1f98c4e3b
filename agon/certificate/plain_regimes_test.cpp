#include "agon/certificate/plain_regimes.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <memory>

#include "agon/certificate/selection.h"
#include "agon/certificate/test_scorers.h"
#include "agon/data/row_sets.h"
#include "agon/score/test_discrete_scores.h"
#include "agon/score/test_regimes.h"
#include "agon/score/test_weights.h"
#include "agon/score/weighted_discrete.h"

namespace agon::plain {
namespace {

bool near_regime(double actual, double expected) {
  return actual == expected || std::abs(actual - expected) <= 1e-9 * (1 + std::abs(expected));
}

Dataset random_experiments(bool weighted, double gaps, Rng& rng) {
  const testing::TableShape shape = {.variables = 2 + rng.below(6), .rows = 5 + rng.below(200), .most_levels = 4};
  return testing::with_random_regimes(
      weighted ? testing::random_weighted(shape, gaps, rng) : testing::random_categorical(shape, rng), rng);
}

// Two derivations of the same rows.
TEST(PlainRegimes, RowsAreThoseOfTheSearch) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset data = random_experiments(true, 0, rng);
    const RowSets sets = row_sets(data);
    const Experiments experiments(data);
    RC_ASSERT(experiments.row_set() == sets.of);
    for (Node v = 0; v < data.size() && data.has_regimes(); ++v) {
      const FamilyRows& rows = experiments.rows_of(v);
      RC_ASSERT(rows.groups == sets.sets[sets.of[v]].groups);
      double weight = 0;
      for (size_t row = 0; row < data.rows(); ++row) {
        RC_ASSERT(rows.group_of(row) == sets.sets[sets.of[v]].group[data.regime_of(row)]);
        weight += rows.group_of(row) < 0 ? 0 : data.weight(row);
      }
      RC_ASSERT(near_regime(rows.weight, weight));
    }
  }));
}

TEST(PlainRegimes, CategoriesScoreAsInTheSearch) {
  EXPECT_TRUE(rc::check([](uint64_t seed, bool weighted) {
    Rng rng(seed);
    const Dataset data = random_experiments(weighted, rng.below(2) * 0.3, rng);
    const std::string name = testing::discrete_scores()[seed % testing::discrete_scores().size()];
    const auto plain = testing::plain_scorer(name, data);
    const auto score = testing::make_discrete(name, data, {});
    RC_ASSERT(plain->row_set() == score->traits().row_set);
    const testing::Family family = testing::random_family(data.size(), 4, rng);
    const Value local = plain->local(family.child, family.parents);
    if (local.score == kUndefined) {
      RC_ASSERT_THROWS_AS(score->local(family.child, family.parents), ScoreUndefined);
      return;
    }
    RC_ASSERT(near_regime(local.score, score->local(family.child, family.parents)));
    std::vector<double> gains(data.size());
    const double now = score->addition_gains(family.child, family.parents, gains);
    std::vector<Node> candidates;
    for (Node v = 0; v < data.size(); ++v) {
      if (may_add(score->traits(), family.child, family.parents, v)) candidates.push_back(v);
    }
    const std::vector<Value> additions = plain->additions(family.child, family.parents, candidates);
    for (size_t k = 0; k < candidates.size(); ++k) {
      RC_ASSERT(near_regime(additions[k].score, now + gains[candidates[k]]));
    }
  }));
}

// Every row drawn as often as it counts.
TEST(PlainRegimes, AResampleOfAllRowsIsTheTable) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Rng rng(seed);
    const Dataset data = random_experiments(false, 0, rng);
    const auto plain =
        testing::plain_scorer(testing::discrete_scores()[seed % testing::discrete_scores().size()], data);
    const testing::Family family = testing::random_family(data.size(), 4, rng);
    const auto resampler = plain->resampler({{family.child, family.parents}});
    const std::vector<uint32_t> once(data.rows(), 1);
    RC_ASSERT(near_regime(resampler->scores(once)[0], plain->local(family.child, family.parents).score));
  }));
}

}  // namespace
}  // namespace agon::plain
