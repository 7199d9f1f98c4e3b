#include "agon/opponent/hill_climbing.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/graph/live_dag.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

Dataset random_table(uint64_t seed, ColumnKind kind) {
  Rng rng(seed);
  if (kind == ColumnKind::kContinuous) return testing::random_continuous(9, 300, false, rng);
  return testing::random_categorical({.variables = 9, .rows = 300, .most_levels = 4}, rng);
}

// Every legal edit, by definition.
std::vector<EdgeMove> legal_moves(const Dag& dag) {
  const LiveDag live(dag);
  std::vector<EdgeMove> moves;
  for (Node from = 0; from < dag.size(); ++from) {
    for (Node to = 0; to < dag.size(); ++to) {
      for (MoveKind kind : {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse}) {
        if (live.is_legal({kind, from, to})) moves.push_back({kind, from, to});
      }
    }
  }
  return moves;
}

// Edges by name, so that results over differently ordered columns can be compared.
std::vector<std::pair<std::string, std::string>> named_edges(const Dag& dag, const Dataset& data) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Edge& e : dag.edges()) out.emplace_back(data.column(e.from).name, data.column(e.to).name);
  std::sort(out.begin(), out.end());
  return out;
}

template <class Search>
void for_each_score(Search check) {
  for (const testing::TestScore& entry : testing::all_scores()) {
    for (uint64_t seed = 0; seed < 4; ++seed) check(entry, seed, random_table(seed, entry.kind));
  }
}

TEST(HillClimbing, EndsWhereNoLegalEditGainsAndReportsItsScore) {
  for_each_score([](const testing::TestScore& entry, uint64_t, const Dataset& data) {
    const auto score = entry.make(data, {});
    for (const SearchResult& r : {hill_climb(*score, Dag(data.size())), tabu_search(*score, Dag(data.size()))}) {
      ASSERT_TRUE(is_acyclic(r.dag));
      EXPECT_GT(r.dag.edge_count(), 0);
      EXPECT_NEAR(r.score, total(*score, r.dag), 1e-9 * std::abs(r.score));
      for (EdgeMove move : legal_moves(r.dag)) {
        if (score->traits().constant[move.from] || score->traits().constant[move.to]) continue;
        EXPECT_LE(gain(*score, r.dag, move), tie_tolerance(*score)) << entry.name;
      }
    }
  });
}

TEST(TabuSearch, IsNeverWorseThanHillClimbing) {
  for_each_score([](const testing::TestScore& entry, uint64_t, const Dataset& data) {
    const auto score = entry.make(data, {});
    EXPECT_GE(tabu_search(*score, Dag(data.size())).score, hill_climb(*score, Dag(data.size())).score) << entry.name;
  });
}

TEST(HillClimbing, OrderOfColumnsAndThreadsChangeNothing) {
  for_each_score([](const testing::TestScore& entry, uint64_t seed, const Dataset& data) {
    Rng rng(seed + 100);
    const Dataset other = testing::shuffled_columns(data, rng);
    const auto a = entry.make(data, {}), b = entry.make(other, {});
    for (int threads : {1, 4}) {
      const SearchResult x = hill_climb(*a, Dag(data.size()), {.threads = 1});
      const SearchResult y = hill_climb(*b, Dag(data.size()), {.threads = threads});
      EXPECT_EQ(named_edges(x.dag, data), named_edges(y.dag, other));
      EXPECT_EQ(x.score, y.score);
    }
    EXPECT_EQ(named_edges(tabu_search(*a, Dag(data.size())).dag, data),
              named_edges(tabu_search(*b, Dag(data.size())).dag, other));
  });
}

TEST(HillClimbing, ATinyCacheChangesNothing) {
  for_each_score([](const testing::TestScore& entry, uint64_t, const Dataset& data) {
    const auto score = entry.make(data, {});
    const SearchResult roomy = tabu_search(*score, Dag(data.size()));
    const SearchResult tight = tabu_search(*score, Dag(data.size()), {.climb = {.cache_bytes = 1000}});
    EXPECT_EQ(roomy.dag, tight.dag);
    EXPECT_EQ(roomy.score, tight.score);
    EXPECT_GT(tight.counts.columns, roomy.counts.columns);
  });
}

TEST(HillClimbing, KeepsToTheKnowledge) {
  for_each_score([](const testing::TestScore& entry, uint64_t seed, const Dataset& data) {
    const auto score = entry.make(data, {});
    const Dag free = hill_climb(*score, Dag(data.size())).dag;
    // Forbid half of what the free search found, require the reverse of one edge, and put two variables into tiers.
    KnowledgeBuilder builder(data.names());
    const auto edges = free.edges();
    const auto name = [&](Node v) { return data.column(v).name; };
    for (size_t k = 1; k < edges.size(); k += 2) builder.forbid(name(edges[k].from), name(edges[k].to), "test");
    if (!edges.empty()) builder.require(name(edges[0].to), name(edges[0].from), "test");
    const Knowledge knowledge = builder.build();
    ASSERT_FALSE(satisfies(free, knowledge));
    for (const SearchResult& r :
         {hill_climb(*score, free, {}, {}, knowledge), tabu_search(*score, free, {}, {}, knowledge)}) {
      EXPECT_TRUE(satisfies(r.dag, knowledge)) << entry.name << " seed " << seed;
      EXPECT_TRUE(is_acyclic(r.dag));
    }
  });
}

TEST(HillClimbing, StopsWhenAsked) {
  const Dataset data = random_table(1, ColumnKind::kCategorical);
  const auto score = make_score("discrete-bic", data);
  EXPECT_EQ(hill_climb(*score, Dag(data.size()), {.max_steps = 2}).stopped_by, "step limit");
  EXPECT_EQ(hill_climb(*score, Dag(data.size()), {.max_steps = 2}).steps, 2);
  Watch late;
  late.deadline = Watch::Clock::now();
  const SearchResult r = tabu_search(*score, Dag(data.size()), {}, late);
  EXPECT_EQ(r.stopped_by, "time limit");
  EXPECT_EQ(r.dag, Dag(data.size()));
  const std::atomic<bool> flag{true};
  Watch interrupted;
  interrupted.interrupted = &flag;
  EXPECT_EQ(hill_climb(*score, Dag(data.size()), {}, interrupted).stopped_by, "interrupted");
}

// On thousands of columns the gains of the first edits are most of the work, so they obey a stop too.
TEST(HillClimbing, AStopBeforeTheFirstEditLeavesTheStart) {
  const Dataset data = random_table(1, ColumnKind::kCategorical);
  const auto score = make_score("discrete-bic", data);
  KnowledgeBuilder builder(data.names());
  builder.require(data.names()[0], data.names()[1], "test");
  const Knowledge knowledge = builder.build();
  Dag start(data.size());
  start.add_edge(2, 3);
  const std::atomic<bool> flag{true};
  Watch interrupted;
  interrupted.interrupted = &flag;
  for (const int threads : {1, 4}) {
    const HillClimbOptions options{.threads = threads};
    for (const SearchResult& r : {hill_climb(*score, start, options, interrupted, knowledge),
                                  tabu_search(*score, start, {.climb = options}, interrupted, knowledge)}) {
      EXPECT_EQ(r.dag, repair(start, knowledge));
      EXPECT_EQ(r.score, total(*score, r.dag));
      EXPECT_EQ(r.stopped_by, "interrupted");
      EXPECT_EQ(r.steps, 0);
      EXPECT_EQ(r.counts.columns, 0);
    }
  }
}

// Columns that copy others except for a little noise, and few rows: models on the verge of being undefined.
TEST(HillClimbing, EndsOnNearlyCollinearColumns) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    const int rows = 5 + rng.below(40);
    std::vector<Column> columns;
    for (int v = 0; v < 8; ++v) {
      const double noise = std::pow(10, rng.uniform(-8, -3));
      std::vector<double> x;
      for (int row = 0; row < rows; ++row) {
        x.push_back(v < 3 ? rng.normal() : columns[v % 3].values[row] + noise * rng.normal());
      }
      columns.push_back(continuous_column("v" + std::to_string(v), x));
    }
    const Dataset data = make_dataset(columns, "t");
    for (const char* name : {"gaussian-bic", "copula-bic"}) {
      const auto score = make_score(name, data);
      const SearchResult climbed = hill_climb(*score, Dag(8), {.max_steps = 2000});
      EXPECT_EQ(climbed.stopped_by, "no edit improves") << seed;
      EXPECT_GE(tabu_search(*score, Dag(8), {.patience = 30}).score, climbed.score) << seed;
    }
  }
}

TEST(HillClimbing, ConstantAndSingleColumns) {
  const Dataset one = make_dataset({categorical_column("only", {0, 1, 1, 0})}, "t");
  EXPECT_EQ(tabu_search(*make_score("auto", one), Dag(1)).dag, Dag(1));
  const Dataset flat = make_dataset({continuous_column("x", {1, 1, 1}), continuous_column("y", {2, 2, 2})}, "t");
  EXPECT_EQ(tabu_search(*make_score("auto", flat), Dag(2)).dag, Dag(2));
}

}  // namespace
}  // namespace agon
