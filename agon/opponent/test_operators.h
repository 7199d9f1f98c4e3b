// What the tests of greedy equivalence search share: problems, a score that lets every operator occur, and comparisons
// of the incremental search with its plain twin.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "agon/base/hash.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/ges_search.h"

namespace agon::testing {

// A pseudo-random number for every family, so that about half of all valid operators gain, whatever the graph.
class RandomScore final : public LocalScore {
 public:
  RandomScore(int nodes, uint64_t seed, std::vector<int> row_set = {}) : seed_(seed) {
    traits_.name = "random";
    traits_.row_set = std::move(row_set);
    traits_.max_parents = nodes;
    traits_.constant.assign(nodes, false);
  }
  const ScoreTraits& traits() const override { return traits_; }
  double local(Node child, Parents parents) const override {
    uint64_t h = hash_combine(seed_, static_cast<uint64_t>(child));
    for (Node q : parents) h = hash_combine(h, static_cast<uint64_t>(q));
    return static_cast<double>(h >> 11) * 0x1p-53;
  }

 private:
  uint64_t seed_;
  ScoreTraits traits_;
};

constexpr OperatorKind kKinds[] = {OperatorKind::kInsert, OperatorKind::kRemove, OperatorKind::kTurn};

inline void expect_same_operators(const std::vector<GesOperator>& fast, const std::vector<GesOperator>& plain,
                                  double tolerance) {
  // A gain that equals the tolerance may fall on either side by rounding; none does with the seeds used here.
  ASSERT_EQ(fast.size(), plain.size());
  for (size_t k = 0; k < fast.size(); ++k) {
    EXPECT_EQ(fast[k].y, plain[k].y);
    EXPECT_EQ(fast[k].x, plain[k].x);
    EXPECT_EQ(fast[k].clique, plain[k].clique);
    EXPECT_NEAR(fast[k].gain, plain[k].gain, tolerance);
  }
}

// About one pair in four forbidden, a few required: drawn along a random order, so that a Dag exists.
inline Knowledge random_knowledge(int p, Rng rng) {
  std::vector<std::string> names;
  for (int v = 0; v < p; ++v) names.push_back("v" + std::to_string(v));
  std::vector<int> order(p);
  for (int v = 0; v < p; ++v) order[v] = v;
  rng.shuffle(order);
  KnowledgeBuilder builder(names);
  for (int i = 0; i < p; ++i) {
    for (int j = i + 1; j < p; ++j) {
      const double u = rng.uniform();
      if (u < 0.05) builder.require(names[order[i]], names[order[j]], "test");
      if (u > 0.75) builder.forbid(names[order[j]], names[order[i]], "test");
      if (u > 0.9) builder.forbid(names[order[i]], names[order[j]], "test");
    }
  }
  return builder.build();
}

// Makes an operator in the search, and twice beside it with an undo after each. What comes out is what a rebuild gives,
// and after undo() the graph is as before.
inline void apply_and_compare(GesSearch& search, const GesOperator& op, const std::vector<int>& row_set = {}) {
  const std::optional<Cpdag> after = applied_by_spec(search.pdag(), op, row_set);
  ASSERT_TRUE(after);
  GesCpdag trial(Cpdag::trusted(search.pdag()), row_set);
  for (int time = 0; time < 2; ++time) {
    if (op.kind == OperatorKind::kInsert) trial.insert(op.x, op.y, op.clique);
    if (op.kind == OperatorKind::kRemove) trial.remove(op.x, op.y, op.clique);
    if (op.kind == OperatorKind::kTurn) trial.turn(op.x, op.y, op.clique);
    ASSERT_EQ(trial.pdag(), after->pdag());
    trial.undo();
    ASSERT_EQ(trial.pdag(), search.pdag());
  }
  search.apply(op);
  ASSERT_EQ(search.pdag(), after->pdag());
}

// A walk from the class of repair(Dag(p), knowledge) that applies a random valid operator of a random kind at a time,
// and compares the incremental search with the plain twin at every step. It visits many kinds of structure that a
// search on real data seldom does.
struct OperatorWalk {
  int removals = 0, turns = 0;
  int refused = 0;  // operators, because of the knowledge

  void run(const LocalScore& score, const Knowledge& knowledge, int steps, Rng rng) {
    const std::vector<int>& row_set = score.traits().row_set;
    GainStore store(score);
    GesSearch search(store, cpdag_of(repair(Dag(score.size()), knowledge), row_set), 1 << 20, knowledge);
    for (int step = 0; step < steps; ++step) {
      const Cpdag before = Cpdag::trusted(search.pdag());
      const std::optional<Dag> member = member_within(before, knowledge, row_set);
      ASSERT_TRUE(member);
      ASSERT_EQ(cpdag_of(*member, row_set), before);
      std::vector<GesOperator> choices;
      for (OperatorKind kind : kKinds) {
        std::vector<GesOperator> plain = operators_by_spec(score, before, kind, search.tolerance());
        refused += static_cast<int>(std::erase_if(plain, [&](const GesOperator& op) {
          return !knowledge.empty() && !is_admissible_by_spec(before, op, knowledge, row_set);
        }));
        expect_same_operators(search.all(kind), plain, 1e-9);
        const GesOperator* chosen = choose(plain, search.tolerance());
        const std::optional<GesOperator> best = search.best(kind);
        ASSERT_EQ(best.has_value(), chosen != nullptr);
        if (!chosen) continue;
        EXPECT_EQ(std::tie(best->y, best->x, best->clique), std::tie(chosen->y, chosen->x, chosen->clique));
        if (kind == OperatorKind::kRemove && rng.below(3) > 0) continue;
        choices.push_back(plain[rng.below(static_cast<int>(plain.size()))]);
      }
      if (choices.empty()) break;
      const GesOperator op = choices[rng.below(static_cast<int>(choices.size()))];
      removals += op.kind == OperatorKind::kRemove;
      turns += op.kind == OperatorKind::kTurn;
      const std::optional<Cpdag> after = applied_by_spec(before, op, row_set);
      ASSERT_TRUE(after) << "a valid operator has an extension";
      search.apply(op);
      ASSERT_EQ(search.pdag(), after->pdag()) << "step " << step;
    }
  }
};

}  // namespace agon::testing
