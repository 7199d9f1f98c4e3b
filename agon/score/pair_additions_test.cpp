// LocalScore::pair_additions: pairs that gain only together, compared with the definition over local().
#include <gtest/gtest.h>

#include <cmath>

#include "agon/data/simulate.h"
#include "agon/score/test_scores.h"

namespace agon {
namespace {

// Every pair by the definition. `one_parent` is the penalty of one parent.
std::vector<PairGain> plain_pairs(const LocalScore& score, Node child, const std::vector<Node>& parents,
                                  double one_parent) {
  const auto gain = [&](std::vector<Node> added) {
    added.insert(added.end(), parents.begin(), parents.end());
    std::sort(added.begin(), added.end());
    return score.local(child, added) - score.local(child, parents);
  };
  std::vector<PairGain> out;
  for (Node a = 0; a < score.size(); ++a) {
    for (Node b = a + 1; b < score.size(); ++b) {
      if (!may_add(score.traits(), child, parents, a) || !may_add(score.traits(), child, parents, b)) continue;
      const double at_a = gain({a}), at_b = gain({b}), both = gain({a, b});
      if (at_a > 0 || at_b > 0 || std::max(at_a, at_b) < -0.75 * one_parent || both <= 0) continue;
      out.push_back({both, a, b});
    }
  }
  sort_by_gain(out);
  return out;
}

TEST(PairAdditions, GaussianPairsAreThoseOfTheDefinition) {
  size_t found = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const auto parents = random_graph({.nodes = 15, .average_degree = 6}, rng.split("graph"));
    const Dataset data = simulate_sem(parents, 200, {}, rng.split("data")).data;
    for (const char* name : {"gaussian-bic", "copula-bic"}) {
      const auto score = make_score(name, data, {.penalty = 2});
      for (Node child = 0; child < 15; ++child) {
        std::vector<Node> given;
        for (Node v = 0; v < 15; ++v) {
          if (v != child && rng.below(5) == 0) given.push_back(v);
        }
        std::vector<PairGain> pairs;
        score->pair_additions(child, given, pairs);
        const auto plain = plain_pairs(*score, child, given, std::log(200.0));
        ASSERT_EQ(pairs.size(), plain.size()) << name << " seed " << seed << " child " << child;
        for (size_t k = 0; k < pairs.size(); ++k) {
          EXPECT_EQ(pairs[k].first, plain[k].first);
          EXPECT_EQ(pairs[k].second, plain[k].second);
          EXPECT_NEAR(pairs[k].gain, plain[k].gain, 1e-8);
        }
        found += pairs.size();
      }
    }
  }
  EXPECT_GT(found, 50u);  // the test looked at something
}

}  // namespace
}  // namespace agon
