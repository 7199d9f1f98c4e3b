#include "agon/opponent/ges.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/graph/central_member.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"
#include "agon/opponent/ges_search.h"
#include "agon/opponent/test_operators.h"
#include "agon/opponent/test_stops.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/test_oracle.h"
#include "agon/score/test_scores.h"

namespace agon {
namespace {

Dataset linear_data(int nodes, double degree, size_t rows, uint64_t seed) {
  const Rng rng(seed);
  const auto parents = random_graph({.nodes = nodes, .average_degree = degree}, rng.split("graph"));
  return simulate_sem(parents, rows, {}, rng.split("data")).data;
}

using testing::expect_same_operators;
using testing::kKinds;
using testing::random_knowledge;
using testing::RandomScore;

TEST(GesSearch, EqualsFromScratchOnRandomWalks) {
  testing::OperatorWalk walk;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    walk.run(RandomScore(4 + static_cast<int>(seed % 5), seed), {}, 40, Rng(seed));
  }
  EXPECT_GT(walk.turns, 100);
  EXPECT_GT(walk.removals, 100);
}

TEST(GesSearch, EqualsFromScratchOnData) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const GaussianBic score(linear_data(14, 5, 200, seed), GaussianBic::Scale::kRaw, {.penalty = 0.5});
    GainStore store(score);
    GesSearch search(store, Cpdag(score.size()), 1 << 20);
    for (OperatorKind kind : {OperatorKind::kInsert, OperatorKind::kRemove, OperatorKind::kTurn, OperatorKind::kInsert,
                              OperatorKind::kRemove}) {
      while (std::optional<GesOperator> op = search.best(kind)) {
        const Cpdag before = Cpdag::trusted(search.pdag());
        for (OperatorKind k : kKinds) {
          expect_same_operators(search.all(k), operators_by_spec(score, before, k, search.tolerance()), 1e-6);
        }
        const std::optional<Cpdag> after = applied_by_spec(before, *op);
        ASSERT_TRUE(after);
        search.apply(*op);
        ASSERT_EQ(search.pdag(), after->pdag());
        // The gain must be that of the class: what a member of it gains.
        const double gained = total(score, *consistent_extension(*after)) - total(score, *consistent_extension(before));
        EXPECT_NEAR(op->gain, gained, 1e-6);
      }
    }
  }
}

// Whole searches on larger, denser graphs; only the CPDAG is compared.
TEST(GesCpdag, EqualsARebuildAfterEveryOperator) {
  long compared = 0;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const GaussianBic score(linear_data(50, 6, 150, seed), GaussianBic::Scale::kRaw, {.penalty = 0.6});
    GainStore store(score);
    GesSearch search(store, Cpdag(score.size()), 1 << 20);
    for (int round = 0; round < 3; ++round) {
      for (OperatorKind kind : kKinds) {
        while (std::optional<GesOperator> op = search.best(kind)) {
          testing::apply_and_compare(search, *op);
          if (HasFatalFailure()) return;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 600);
}

TEST(GesSearch, EqualsFromScratchWithKnowledge) {
  testing::OperatorWalk walk;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const int p = 4 + static_cast<int>(seed % 5);
    walk.run(RandomScore(p, seed), random_knowledge(p, Rng(seed).split("knowledge")), 30, Rng(seed));
  }
  EXPECT_GT(walk.refused, 1000);
}

// member_within finds a member exactly if one of the Dags of the class satisfies the knowledge. All of them are tried.
TEST(GesOperators, MemberWithinEqualsEnumeration) {
  const std::vector<Dag> dags = test::all_dags(4);
  int with = 0, without = 0;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const Knowledge knowledge = random_knowledge(4, Rng(seed));
    std::vector<Cpdag> reachable;
    for (const Dag& dag : dags) {
      if (satisfies(dag, knowledge)) reachable.push_back(cpdag_of(dag));
    }
    for (size_t k = 0; k < dags.size(); k += 3) {
      const Cpdag cpdag = cpdag_of(dags[k]);
      const std::optional<Dag> member = member_within(cpdag, knowledge);
      const bool expected = std::find(reachable.begin(), reachable.end(), cpdag) != reachable.end();
      ASSERT_EQ(member.has_value(), expected);
      ++(expected ? with : without);
      if (!member) continue;
      EXPECT_TRUE(satisfies(*member, knowledge));
      EXPECT_EQ(cpdag_of(*member), cpdag);
    }
  }
  EXPECT_GT(with, 100);
  EXPECT_GT(without, 100);
}

TEST(Ges, KeepsToTheKnowledge) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const GaussianBic score(linear_data(9, 4, 300, seed), GaussianBic::Scale::kRaw);
    const Knowledge knowledge = random_knowledge(9, Rng(seed));
    const SearchResult fast = ges(score, {}, {}, knowledge), plain = ges(score, {.by_spec = true}, {}, knowledge);
    EXPECT_TRUE(satisfies(fast.dag, knowledge)) << "seed " << seed;
    EXPECT_EQ(*fast.cpdag, *plain.cpdag);
    EXPECT_EQ(*fast.cpdag, cpdag_of(fast.dag));
    EXPECT_EQ(fast.dag, central_member(mpdag_of(fast.dag, knowledge)));
    EXPECT_EQ(fast.score, total(score, fast.dag));
    EXPECT_GE(fast.score, total(score, repair(Dag(9), knowledge)));
    GainStore store(score);
    EXPECT_TRUE(satisfies(backward_phase(store, fast.dag, {}, {}, knowledge).dag, knowledge));
  }
}

// Where members of a class score differently (here by chance, otherwise in nearly singular models), the central one is
// not returned in place of a better one.
TEST(Ges, NamesTheCentralMemberUnlessItScoresLess) {
  int central = 0, other = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const RandomScore score(6, seed);
    const SearchResult r = ges(score, {.max_steps = 8});
    EXPECT_GE(r.score, total(score, *member_within(*r.cpdag, {})) - tie_tolerance(score));
    ++(r.dag == central_member(*r.cpdag) ? central : other);
  }
  EXPECT_GT(central, 5);
  EXPECT_GT(other, 5);
}

// Knowledge that is true of the graph does no harm: the class of the oracle is still found.
TEST(Ges, FindsTheClassOfTheOracleWithTrueTiers) {
  Rng rng(2);
  for (int round = 0; round < 60; ++round) {
    const int p = 3 + rng.below(10);
    const Dag truth = test::random_dag(p, std::min(1.0, rng.uniform(1.0, 3.0) / p), rng);
    std::vector<std::string> names;
    for (int v = 0; v < p; ++v) names.push_back("v" + std::to_string(v));
    KnowledgeBuilder builder(names);
    const std::vector<Node> order = topological_order(truth);
    for (int k = 0; k < p; ++k) builder.tier(3 * k / p, {names[order[k]]}, true, false, "test");
    const Knowledge knowledge = builder.build();
    const test::OracleScore score(truth, rng.split("weights", static_cast<uint64_t>(round)));
    const SearchResult r = ges(score, {}, {}, knowledge);
    ASSERT_EQ(score.mismatches(), 0);
    EXPECT_EQ(*r.cpdag, cpdag_of(truth)) << "round " << round;
    EXPECT_TRUE(satisfies(r.dag, knowledge));
  }
}

TEST(Ges, EqualsItsTwin) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const GaussianBic score(linear_data(12, 4, 300, seed), GaussianBic::Scale::kRaw);
    const SearchResult fast = ges(score), plain = ges(score, {.by_spec = true});
    EXPECT_EQ(*fast.cpdag, *plain.cpdag);
    EXPECT_EQ(fast.steps, plain.steps);
    EXPECT_DOUBLE_EQ(fast.score, plain.score);
    EXPECT_EQ(fast.story, plain.story);
  }
}

TEST(Ges, FindsTheClassOfTheOracle) {
  Rng rng(1);
  for (int round = 0; round < 400; ++round) {
    const int p = 2 + rng.below(14);
    const Dag truth = test::random_dag(p, std::min(1.0, rng.uniform(0.5, 4.0) / p), rng);
    const test::OracleScore score(truth, rng.split("weights", static_cast<uint64_t>(round)));
    const SearchResult result = ges(score, {.turning = round % 2 == 0});
    ASSERT_EQ(score.mismatches(), 0) << "the weights of round " << round << " are too near to cancelling";
    ASSERT_EQ(*result.cpdag, cpdag_of(truth)) << "round " << round;
  }
}

TEST(Ges, DoesNotSeeTheOrderOfColumns) {
  const Dataset data = linear_data(20, 4, 300, 11);
  std::vector<Column> columns = data.columns();
  Rng(1).shuffle(columns);
  const Dataset shuffled = make_dataset(std::move(columns), "test");
  const SearchResult a = ges(*make_score("auto", data)), b = ges(*make_score("auto", shuffled));
  EXPECT_EQ(data.names(), shuffled.names());
  EXPECT_EQ(a.dag, b.dag);
  EXPECT_EQ(a.score, b.score);
}

TEST(Ges, ThreadsChangeNothing) {
  const GaussianBic score(linear_data(150, 4, 200, 12), GaussianBic::Scale::kRaw);
  const SearchResult one = ges(score), three = ges(score, {.threads = 3});
  EXPECT_EQ(one.dag, three.dag);
  EXPECT_EQ(one.score, three.score);
  EXPECT_EQ(one.story, three.story);
  EXPECT_EQ(one.counts.columns, three.counts.columns);
  EXPECT_EQ(one.counts.hits, three.counts.hits);
}

TEST(Ges, ResultIsWhatItSays) {
  const Dataset data = embedded_table("asia", 2000);
  const auto score = make_score("auto", data);
  const SearchResult r = ges(*score);
  EXPECT_DOUBLE_EQ(r.score, total(*score, r.dag));
  EXPECT_EQ(*r.cpdag, cpdag_of(r.dag));
  EXPECT_EQ(r.stopped_by, "no operator improves");
  EXPECT_GE(r.story.size(), 3u);
  EXPECT_GT(r.counts.columns, 0);
}

TEST(Ges, BackwardPhaseTakesOffWhatDoesNotHelp) {
  const GaussianBic score(linear_data(10, 3, 500, 3), GaussianBic::Scale::kRaw, {.penalty = 2});
  Dag full(10);
  for (Node a = 0; a < 10; ++a) {
    for (Node b = a + 1; b < 10; ++b) full.add_edge(a, b);
  }
  GainStore store(score);
  const SearchResult fast = backward_phase(store, full);
  const SearchResult plain = backward_phase(store, full, {.by_spec = true});
  EXPECT_EQ(*fast.cpdag, *plain.cpdag);
  EXPECT_GT(fast.score, total(score, full));
  EXPECT_LT(fast.dag.edge_count(), 45);
  EXPECT_DOUBLE_EQ(fast.score, total(score, fast.dag));
}

TEST(Ges, KeepsTheCapOnParents) {
  const GaussianBic score(linear_data(20, 8, 1000, 5), GaussianBic::Scale::kRaw, {.max_parents = 2});
  const SearchResult r = ges(score);
  EXPECT_GT(r.dag.edge_count(), 15);
  for (Node v = 0; v < r.dag.size(); ++v) EXPECT_LE(r.dag.parents(v).count(), 2);
}

TEST(Ges, LeavesConstantColumnsAlone) {
  std::vector<Column> columns = linear_data(5, 3, 100, 2).columns();
  columns.push_back(continuous_column("still", std::vector<double>(100, 3.5)));
  const Dataset data = make_dataset(std::move(columns), "test");
  const GaussianBic score(data, GaussianBic::Scale::kRaw);
  const SearchResult r = ges(score);
  const Node still = data.index_of("still");
  EXPECT_TRUE(r.dag.parents(still).empty());
  EXPECT_TRUE(r.dag.children(still).empty());
  EXPECT_GT(r.dag.edge_count(), 0);
}

TEST(Ges, SurvivesColumnsThatDetermineEachOther) {
  std::vector<Column> columns = linear_data(5, 3, 100, 2).columns();
  Column copy = columns[0], sum = columns[1];
  copy.name = "copy";
  sum.name = "sum";
  for (size_t k = 0; k < sum.values.size(); ++k) sum.values[k] += columns[2].values[k];
  columns.push_back(copy);
  columns.push_back(sum);
  const Dataset data = make_dataset(std::move(columns), "test");
  const GaussianBic score(data, GaussianBic::Scale::kRaw);
  const SearchResult r = ges(score);
  EXPECT_DOUBLE_EQ(r.score, total(score, r.dag));
}

TEST(Ges, StopsWhenAsked) {
  const GaussianBic score(linear_data(20, 4, 300, 9), GaussianBic::Scale::kRaw);
  const SearchResult few = ges(score, {.max_steps = 7});
  EXPECT_EQ(few.steps, 7);
  EXPECT_EQ(few.stopped_by, "step limit");
  EXPECT_EQ(few.dag.edge_count(), 7);
  std::atomic<bool> interrupted = true;
  Watch watch;
  watch.interrupted = &interrupted;
  const SearchResult none = ges(score, {}, watch);
  EXPECT_EQ(none.stopped_by, "interrupted");
  EXPECT_EQ(none.dag, Dag(20));
}

TEST(Ges, NeedsNoMemory) {  // a store that is cleared at every step changes nothing
  const GaussianBic score(linear_data(30, 4, 300, 9), GaussianBic::Scale::kRaw);
  const SearchResult a = ges(score), b = ges(score, {.store_bytes = 1});
  EXPECT_EQ(*a.cpdag, *b.cpdag);
  EXPECT_EQ(a.score, b.score);
}

TEST(Ges, SaysWhenTheCapOnCliquesWasReached) {
  const GaussianBic score(linear_data(10, 6, 500, 4), GaussianBic::Scale::kRaw);
  const SearchResult r = ges(score, {.max_cliques = 2});
  EXPECT_NE(r.story.back().find("cliques"), std::string::npos);
  EXPECT_DOUBLE_EQ(r.score, total(score, r.dag));
}

TEST(Ges, TakesTablesOfNoAndOneColumn) {
  const Dataset one = make_dataset({continuous_column("a", {1, 2, 3, 5})}, "test");
  EXPECT_EQ(ges(GaussianBic(one, GaussianBic::Scale::kRaw)).dag, Dag(1));
}

TEST(Ges, EndsAsItWouldHaveEndedWhenItIsStoppedAndResumed) {
  for (uint64_t seed = 0; seed < 4; ++seed) {
    const Dataset data = linear_data(20, 4, 300, seed);
    const auto score = make_score("gaussian-bic", data);
    KnowledgeBuilder builder(data.names());
    if (seed % 2 == 1) builder.forbid(data.column(0).name, data.column(1).name, "test");
    if (seed % 2 == 1) builder.require(data.column(2).name, data.column(3).name, "test");
    const Knowledge knowledge = builder.build();
    const SearchResult whole = ges(*score, {}, {}, knowledge);
    EXPECT_TRUE(whole.unfinished.empty());
    const auto search = [&](const LocalScore& clock, const Watch& watch, const SearchResult* cut) {
      GainStore store(clock);
      return cut ? resume_ges(store, *cut, {}, watch, knowledge)
                 : ges_from(store, Dag(data.size()), {}, watch, knowledge);
    };
    const testing::StoppedSearch stopped(*score, search, 97);
    EXPECT_GE(stopped.results.size(), 8u);
    for (size_t k = 0; k + 1 < stopped.results.size(); ++k) {
      const SearchResult& cut = stopped.results[k];
      EXPECT_EQ(cut.stopped_by, "interrupted");
      EXPECT_EQ(cut.score, total(*score, cut.dag));
      EXPECT_TRUE(satisfies(cut.dag, knowledge));
      EXPECT_GE(stopped.results[k + 1].score, cut.score - tie_tolerance(*score));
    }
    testing::expect_same_end(stopped.results.back(), whole);
  }
}

}  // namespace
}  // namespace agon
