#include "agon/referee/acyclic_mixture.h"

#include <gtest/gtest.h>

#include <map>

#include "agon/base/rng.h"

namespace agon {
namespace {

// All choices of a pattern or none for each node, as indices; -1: none.
std::vector<std::vector<int>> acyclic_choices(const std::vector<Pattern>& patterns, int size) {
  std::vector<std::vector<int>> out;
  std::vector<int> now(static_cast<size_t>(size), -1);
  const auto is_acyclic = [&] {
    uint32_t placed = 0;
    for (int round = 0; round < size; ++round) {
      for (int v = 0; v < size; ++v) {
        const uint32_t parents = now[v] < 0 ? 0 : patterns[now[v]].parents;
        if ((parents & ~placed) == 0) placed |= uint32_t{1} << v;
      }
    }
    return placed == (uint32_t{1} << size) - 1;
  };
  const auto choose = [&](auto&& self, int v) -> void {
    if (v == size) {
      if (is_acyclic()) out.push_back(now);
      return;
    }
    now[v] = -1;
    self(self, v + 1);
    for (size_t k = 0; k < patterns.size(); ++k) {
      if (patterns[k].child != v) continue;
      now[v] = static_cast<int>(k);
      self(self, v + 1);
    }
    now[v] = -1;
  };
  choose(choose, 0);
  return out;
}

std::vector<Pattern> random_patterns(Rng& rng, int size, int count) {
  std::map<std::pair<int, uint32_t>, double> shares;
  for (int k = 0; k < count; ++k) {
    const int child = rng.below(size);
    const uint32_t parents = (1 + static_cast<uint32_t>(rng.below((1 << size) - 1))) & ~(uint32_t{1} << child);
    if (parents != 0) shares[{child, parents}] = rng.uniform();
  }
  std::vector<double> sum(static_cast<size_t>(size), 0);
  for (const auto& [key, share] : shares) sum[static_cast<size_t>(key.first)] += share;
  std::vector<Pattern> out;
  for (const auto& [key, share] : shares) {
    out.push_back({key.first, key.second, share / std::max(1.0, sum[static_cast<size_t>(key.first)])});
  }
  return out;
}

double value(const std::vector<int>& choice, const std::vector<double>& weights) {
  double sum = 0;
  for (const int k : choice) sum += k < 0 ? 0 : weights[static_cast<size_t>(k)];
  return sum;
}

TEST(AcyclicChoice, IsTheBestOfAllChoices) {
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    const int size = 2 + rng.below(4);
    const std::vector<Pattern> patterns = random_patterns(rng, size, 3 * size);
    std::vector<double> weights;
    for (size_t k = 0; k < patterns.size(); ++k) weights.push_back(rng.below(25));
    double best = 0;
    for (const auto& choice : acyclic_choices(patterns, size)) best = std::max(best, value(choice, weights));
    AcyclicChoice choice(size);
    std::vector<int> chosen;
    EXPECT_EQ(choice.best(patterns, weights, &chosen), best);
    EXPECT_EQ(value(chosen, weights), best);
  }
}

// A node that is forced to have a set of parents adds nothing, and the others choose so that no cycle arises.
TEST(AcyclicChoice, RespectsAForcedNode) {
  Rng rng(2);
  for (int round = 0; round < 100; ++round) {
    const int size = 3 + rng.below(2);
    std::vector<Pattern> patterns = random_patterns(rng, size, 3 * size);
    std::vector<double> weights;
    for (size_t k = 0; k < patterns.size(); ++k) weights.push_back(rng.below(25));
    AcyclicChoice choice(size);
    const double found = choice.best(patterns, weights, nullptr, 0, 0b10);
    patterns.push_back({0, 0b10, 0});
    weights.push_back(0);
    const int forced = static_cast<int>(patterns.size()) - 1;
    double best = -1;
    for (const auto& each : acyclic_choices(patterns, size)) {
      if (each[0] == forced) best = std::max(best, value(each, weights));
    }
    EXPECT_EQ(found, best);
  }
}

// A mixture of acyclic choices has no facet that it violates.
TEST(Facet, IsNotFoundForAMixture) {
  Rng rng(3);
  for (int round = 0; round < 60; ++round) {
    const int size = 3 + rng.below(2);
    std::vector<Pattern> patterns = random_patterns(rng, size, 3 * size);
    const auto choices = acyclic_choices(patterns, size);
    for (Pattern& pattern : patterns) pattern.share = 0;
    for (int k = 0; k < 5; ++k) {
      for (const int at : choices[static_cast<size_t>(rng.below(static_cast<int>(choices.size())))]) {
        if (at >= 0) patterns[static_cast<size_t>(at)].share += 0.2;
      }
    }
    AcyclicChoice choice(size);
    EXPECT_TRUE(facet(patterns, choice, 5e-3).empty());
  }
}

// What is found holds for every acyclic choice, and the point violates it; and something is found often.
TEST(Facet, HoldsForAllChoicesAndNotForThePoint) {
  Rng rng(4);
  int found = 0;
  for (int round = 0; round < 100; ++round) {
    const int size = 3 + rng.below(3);
    const std::vector<Pattern> patterns = random_patterns(rng, size, 3 * size);
    AcyclicChoice choice(size);
    const std::vector<double> weights = facet(patterns, choice, 5e-3);
    if (weights.empty()) continue;
    ++found;
    double sum = 0;
    for (size_t k = 0; k < patterns.size(); ++k) sum += weights[k] * patterns[k].share;
    EXPECT_GT(sum, 1 + 4e-3);
    for (const auto& each : acyclic_choices(patterns, size)) EXPECT_LE(value(each, weights), 1 + 1e-4);
  }
  EXPECT_GT(found, 20);
}

TEST(Facet, OfATwoCycle) {
  const std::vector<Pattern> patterns = {{0, 0b10, 0.9}, {1, 0b01, 0.9}};
  AcyclicChoice choice(2);
  const std::vector<double> weights = facet(patterns, choice, 5e-3);
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_NEAR(weights[0], 1, 1e-9);
  EXPECT_NEAR(weights[1], 1, 1e-9);
}

}  // namespace
}  // namespace agon
