#include "agon/opponent/boss.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "agon/data/simulate.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/test_graphs.h"
#include "agon/opponent/boss_plain.h"
#include "agon/opponent/boss_scout.h"
#include "agon/opponent/boss_sweeps.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/opponent/test_stops.h"
#include "agon/score/counting_score.h"
#include "agon/score/test_oracle.h"
#include "agon/score/test_scores.h"

namespace agon {
namespace {

Simulated linear_gaussian(int p, double degree, size_t rows, uint64_t seed) {
  Rng rng(seed);
  const auto parents = random_graph({.nodes = p, .average_degree = degree}, rng.split("graph"));
  return simulate_sem(parents, rows, {}, rng.split("data"));
}

Dataset random_categorical(int p, double degree, size_t rows, uint64_t seed) {
  Rng rng(seed);
  const auto parents = random_graph({.nodes = p, .average_degree = degree}, rng.split("graph"));
  return sample(random_bayes_net(parents, 2, 4, 1.0, rng.split("net")), rows, rng.split("data"), "net");
}

// Sweep by sweep from a random order, the orders, graphs and scores are those of the plain twin.
void expect_same_sweeps(const LocalScore& score, const OrderRules& rules, uint64_t seed, bool with_pairs = false) {
  Rng rng(seed);
  std::vector<Node> plain = random_order(score, rules, rng);
  OrderSearch search(score, rules, size_t{1} << 24, with_pairs);
  search.set_order(plain);
  for (;;) {
    ASSERT_NEAR(search.score(), plain_order_score(score, rules, plain, with_pairs), 1e-6);
    ASSERT_EQ(search.dag(), plain_order_dag(score, rules, plain, with_pairs));
    const int moved = plain_order_sweep(score, rules, plain, with_pairs);
    ASSERT_EQ(search.sweep(), moved);
    ASSERT_EQ(search.order(), plain);
    ASSERT_TRUE(search.check_invariants());
    if (moved == 0) break;
  }
}

// Required edges, forbidden edges and tiers that a random order allows.
OrderRules random_rules(const LocalScore& score, uint64_t seed) {
  const int p = score.size();
  Rng rng(seed);
  const std::vector<Node> order = random_order(score, {}, rng);
  OrderRules rules;
  rules.required.resize(p);
  rules.forbidden = BitRows(p);
  rules.tier.assign(p, -1);
  for (int i = 0; i < p; ++i) {
    if (rng.below(4) != 0) rules.tier[order[i]] = 3 * i / p;
    for (int k = 0; k < p; ++k) {
      if (i == k) continue;
      const int what = rng.below(10);
      if (what == 0 && i < k) rules.required[order[k]].push_back(order[i]);
      if (what == 1 || (what == 0 && i > k)) rules.forbidden.set(order[i], order[k]);
    }
  }
  for (auto& list : rules.required) std::sort(list.begin(), list.end());
  return rules;
}

TEST(BossOrder, SweepsLikeItsPlainTwin) {
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const int p = 4 + static_cast<int>(seed % 6);
    const auto gaussian = make_score("gaussian-bic", linear_gaussian(p, 3, 200, seed).data, {.penalty = 0.5});
    expect_same_sweeps(*gaussian, {}, seed);
    expect_same_sweeps(*gaussian, random_rules(*gaussian, seed), seed);
    const auto strict = make_score("gaussian-bic", linear_gaussian(p + 2, 4, 200, seed).data, {.penalty = 2});
    expect_same_sweeps(*strict, {}, seed, true);
    expect_same_sweeps(*strict, random_rules(*strict, seed), seed, true);
    const auto discrete = make_score("discrete-bic", random_categorical(p, 3, 500, seed));
    expect_same_sweeps(*discrete, {}, seed);
    expect_same_sweeps(*discrete, random_rules(*discrete, seed), seed);
  }
}

// On three threads: the same orders, bits, counts and evaluations as on one.
TEST(BossOrder, ScoutsChangeNothing) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const auto gaussian = make_score("gaussian-bic", linear_gaussian(90, 4, 300, seed).data, {.penalty = 2});
    const auto discrete = make_score("discrete-bic", random_categorical(80, 3, 400, seed));
    for (const LocalScore* score : {gaussian.get(), discrete.get()}) {
      for (const bool ruled : {false, true}) {
        const OrderRules rules = ruled ? random_rules(*score, seed) : OrderRules();
        const bool with_pairs = score == gaussian.get();
        Rng rng(seed);
        const std::vector<Node> start = random_order(*score, rules, rng);
        const size_t bytes = seed % 2 == 0 ? size_t{1} << 24 : size_t{1} << 16;
        OrderSearch alone(*score, rules, bytes, with_pairs), scouted(*score, rules, bytes, with_pairs);
        scouted.use_threads(3);
        alone.set_order(start);
        scouted.set_order(start);
        for (int moved = 1; moved > 0;) {
          moved = alone.sweep();
          ASSERT_EQ(scouted.sweep(), moved);
          ASSERT_EQ(scouted.order(), alone.order());
          ASSERT_EQ(scouted.score(), alone.score());
          ASSERT_EQ(scouted.dag(), alone.dag());
          ASSERT_EQ(scouted.evaluations(), alone.evaluations());
          ASSERT_EQ(scouted.counts().columns, alone.counts().columns);
          ASSERT_EQ(scouted.counts().hits, alone.counts().hits);
        }
      }
    }
  }
}

// What a scout brings need not be computed again; without room it brings nothing.
TEST(BossOrder, ScoutsBringWhatTheSearchWillAskFor) {
  const auto score = make_score("gaussian-bic", linear_gaussian(40, 4, 300, 1).data, {.penalty = 2});
  const OrderRules rules;
  const auto all_before = [](Node) { return 0; };
  for (const bool roomy : {true, false}) {
    const CountingScore counting(*score);
    ParentTrees trees(counting, rules, size_t{1} << 24, true);
    std::atomic<long> room = roomy ? 1 << 20 : 0;
    Scout scout(trees, 7, room);
    boss_walks::walk(scout, scout.root(), 0, 1, all_before);
    std::vector<ParentTrees::Column> found = scout.take();
    const size_t columns =
        static_cast<size_t>(std::ranges::count_if(found, [](const auto& c) { return c.gains.has_value(); }));
    EXPECT_EQ(columns > 2, roomy);
    trees.expect(std::move(found));
    const long before = counting.asked();
    const TreeIndex end = boss_walks::walk(trees, trees.root(7), 0, 1, all_before);
    EXPECT_EQ(counting.asked() == before, roomy);
    EXPECT_EQ(static_cast<size_t>(trees.counts().columns) == columns, roomy);
    EXPECT_GT(trees.grown_parents(end).size(), 1u);
  }
}

TEST(BossOrder, RandomOrdersRespectTheRules) {
  const auto score = make_score("gaussian-bic", linear_gaussian(12, 3, 200, 5).data);
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const OrderRules rules = random_rules(*score, seed);
    Rng rng(seed + 1000);
    const std::vector<Node> order = random_order(*score, rules, rng);
    ASSERT_EQ(order.size(), 12u);
    std::vector<int> place(12);
    for (int k = 0; k < 12; ++k) place[order[k]] = k;
    for (Node v = 0; v < 12; ++v) {
      for (Node q : rules.required[v]) EXPECT_LT(place[q], place[v]);
    }
  }
}

TEST(BossOrder, TakesBackWhatWasDoneSinceTheMark) {
  const auto score = make_score("gaussian-bic", linear_gaussian(20, 5, 300, 3).data);
  const OrderRules rules;
  OrderSearch search(*score, rules, size_t{1} << 24);
  Rng rng(1);
  search.set_order(random_order(*score, rules, rng));
  for (int round = 0; round < 20; ++round) {
    const std::vector<Node> order = search.order();
    const double before = search.score();
    search.mark();
    for (int k = 0; k < 5; ++k) search.move(search.order()[rng.below(20)], rng.below(20));
    search.improve(rng.below(20));
    ASSERT_TRUE(search.check_invariants());
    search.take_back();
    ASSERT_EQ(search.order(), order);
    ASSERT_EQ(search.score(), before);
    ASSERT_TRUE(search.check_invariants());
    search.improve(rng.below(20));
  }
}

TEST(Boss, FindsTheClassOfTheGraphThatAnswers) {
  Rng rng(11);
  int unlucky = 0;
  for (int round = 0; round < 300; ++round) {
    const int p = 2 + rng.below(14);
    const Dag truth = test::random_dag(p, std::min(1.0, rng.uniform(0.5, 4.0) / p), rng);
    const test::OracleScore score(truth, rng.split("weights", round));
    const SearchResult r = boss(score, {.random_starts = 1, .evaluations = 0}, rng.split("boss", round));
    if (score.mismatches() > 0 && ++unlucky < 5) continue;  // weights that nearly cancel: not the score of the graph
    ASSERT_EQ(*r.cpdag, cpdag_of(truth)) << "round " << round << ", " << p << " nodes";
  }
}

// GES finds the oracle's class by itself, so the orders must be tested alone: sweeps from a random order, then the
// backward phase (Andrews et al. 2023, section 3.3).
TEST(Boss, OrdersAloneFindTheClassOfTheGraphThatAnswers) {
  Rng rng(12);
  int unlucky = 0;
  const OrderRules rules;
  for (int round = 0; round < 300; ++round) {
    const int p = 2 + rng.below(14);
    const Dag truth = test::random_dag(p, std::min(1.0, rng.uniform(0.5, 4.0) / p), rng);
    const test::OracleScore score(truth, rng.split("weights", round));
    OrderSearch search(score, rules, size_t{1} << 24);
    search.set_order(random_order(score, rules, rng));
    sweep_orders(search);
    GainStore store(score);
    const SearchResult r = backward_phase(store, search.dag());
    if (score.mismatches() > 0 && ++unlucky < 5) continue;  // weights that nearly cancel: not the score of the graph
    ASSERT_EQ(*r.cpdag, cpdag_of(truth)) << "round " << round << ", " << p << " nodes";
  }
}

TEST(Boss, AnswerIsTheSameForAnyThreadsAndMemory) {
  const auto score = make_score("gaussian-bic", linear_gaussian(25, 5, 400, 8).data);
  BossOptions options{.random_starts = 3, .evaluations = 10000};
  const SearchResult one = boss(*score, options, Rng(4));
  EXPECT_EQ(one.score, total(*score, one.dag));
  EXPECT_EQ(*one.cpdag, cpdag_of(one.dag));
  for (int threads : {2, 4}) {
    options.threads = threads;
    const SearchResult other = boss(*score, options, Rng(4));
    EXPECT_EQ(other.dag, one.dag);
    EXPECT_EQ(other.story, one.story);
  }
  options.store_bytes = 1000;
  const SearchResult small = boss(*score, options, Rng(4));
  EXPECT_EQ(small.dag, one.dag);
  EXPECT_EQ(small.story, one.story);
  EXPECT_GT(small.counts.columns, one.counts.columns);
}

TEST(Boss, IsNeverBelowGes) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const auto gaussian = make_score("copula-bic", linear_gaussian(15, 5, 300, seed).data);
    const auto discrete = make_score("discrete-bic", random_categorical(12, 4, 800, seed));
    for (const LocalScore* score : {gaussian.get(), discrete.get()}) {
      const SearchResult r = boss(*score, {.random_starts = 1, .evaluations = 2000}, Rng(seed));
      EXPECT_GE(r.score, ges(*score).score - tie_tolerance(*score));
      EXPECT_EQ(r.score, total(*score, r.dag));
    }
  }
}

void expect_same(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(a.dag, b.dag);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.cpdag, b.cpdag);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.counts.columns, b.counts.columns);
  EXPECT_EQ(a.counts.hits, b.counts.hits);
  EXPECT_EQ(a.stopped_by, b.stopped_by);
  EXPECT_EQ(a.story, b.story);
}

// Given the result of GES, the answer is the same to the last sentence, and the score is asked for fewer local scores:
// exactly as many fewer as GES asks for.
TEST(Boss, TakesAFinishedGesForItsFirstStep) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const Dataset numbers = linear_gaussian(9, 3, 200, seed).data, words = random_categorical(8, 3, 400, seed);
    for (const Dataset* data : {&numbers, &words}) {
      const auto score = make_score("auto", *data);
      KnowledgeBuilder builder(data->names());
      if (seed % 2 == 1) builder.forbid(data->column(0).name, data->column(1).name, "test");
      if (seed % 2 == 1) builder.require(data->column(2).name, data->column(3).name, "test");
      const Knowledge knowledge = builder.build();
      const CountingScore alone(*score), first(*score), second(*score);
      BossOptions options{.random_starts = 2, .evaluations = 1000};
      const SearchResult whole = boss(alone, options, Rng(seed), {}, knowledge);
      const SearchResult found = ges(first, {.store_bytes = options.store_bytes}, {}, knowledge);
      options.ges = &found;
      expect_same(boss(second, options, Rng(seed), {}, knowledge), whole);
      EXPECT_GT(first.asked(), 0);
      EXPECT_EQ(first.asked() + second.asked(), alone.asked());
    }
  }
}

TEST(Boss, AnswerIsTheSameForAnyOrderOfColumns) {
  const Dataset data = linear_gaussian(12, 4, 300, 21).data;
  std::vector<Column> columns(data.columns().rbegin(), data.columns().rend());
  const Dataset turned = make_dataset(columns, "t");
  const BossOptions options{.random_starts = 2, .evaluations = 2000};
  EXPECT_EQ(boss(*make_score("auto", data), options, Rng(1)).dag,
            boss(*make_score("auto", turned), options, Rng(1)).dag);
}

TEST(Boss, KeepsToTheKnowledge) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    const Dataset data = linear_gaussian(12, 4, 300, seed).data;
    const auto score = make_score("gaussian-bic", data);
    const BossOptions options{.random_starts = 2, .evaluations = 2000};
    const Dag free = boss(*score, options, Rng(seed)).dag;
    // Contradict what the free search found: reverse one edge, forbid every third, and set tiers by node, with one node
    // free.
    KnowledgeBuilder builder(data.names());
    const auto name = [&](Node v) { return data.column(v).name; };
    const auto edges = free.edges();
    const Edge turned = edges[seed % edges.size()];
    for (size_t k = 0; k < edges.size(); k += 3) {
      if (edges[k] != turned) builder.forbid(name(edges[k].from), name(edges[k].to), "test");
    }
    builder.require(name(turned.to), name(turned.from), "test");
    if (seed % 2 == 0) builder.tier(1, {name(turned.to)}, true, false, "test");
    if (seed % 2 == 0) builder.tier(2, {name(turned.from)}, false, false, "test");
    const Knowledge knowledge = builder.build(OnConflict::kRequiredWins);
    ASSERT_FALSE(satisfies(free, knowledge));
    const SearchResult r = boss(*score, options, Rng(seed), {}, knowledge);
    EXPECT_TRUE(satisfies(r.dag, knowledge)) << "seed " << seed;
    EXPECT_TRUE(is_acyclic(r.dag));
    EXPECT_EQ(r.score, total(*score, r.dag));
    EXPECT_GE(r.score, hill_climb(*score, repair(Dag(12), knowledge), {}, {}, knowledge).score - 1e-6);
  }
}

TEST(Boss, LeavesConstantsAloneAndTakesTinyTables) {
  std::vector<double> x, y;
  Rng rng(2);
  for (int i = 0; i < 100; ++i) {
    x.push_back(rng.normal());
    y.push_back(x.back() + rng.normal());
  }
  const Dataset data = make_dataset(
      {continuous_column("x", x), continuous_column("one", std::vector<double>(100, 1.0)), continuous_column("y", y)},
      "t");
  const auto score = make_score("gaussian-bic", data);
  const SearchResult r = boss(*score);
  EXPECT_EQ(r.dag.edge_count(), 1);
  EXPECT_TRUE(r.dag.adjacent(data.index_of("x"), data.index_of("y")));
  const Dataset single = make_dataset({continuous_column("x", x)}, "t");
  EXPECT_EQ(boss(*make_score("gaussian-bic", single)).dag.edge_count(), 0);
}

TEST(Boss, StopsWhenAskedAndKeepsTheBestSoFar) {
  const auto score = make_score("gaussian-bic", linear_gaussian(30, 5, 400, 9).data);
  std::atomic<bool> stop = true;
  Watch watch;
  watch.interrupted = &stop;
  const SearchResult r = boss(*score, {}, Rng(0), watch);
  EXPECT_EQ(r.stopped_by, "interrupted");
  EXPECT_EQ(r.score, total(*score, r.dag));
}

// Stopped in every step of the search, and resumed with nothing but what the result says.
TEST(Boss, EndsAsItWouldHaveEndedWhenItIsStoppedAndResumed) {
  const Dataset numbers = linear_gaussian(16, 5, 300, 3).data, words = random_categorical(10, 4, 500, 3);
  std::set<std::string> places;
  for (const Dataset* data : {&numbers, &words}) {
    const auto score = make_score("auto", *data);
    KnowledgeBuilder builder(data->names());
    builder.forbid(data->column(0).name, data->column(1).name, "test");
    builder.require(data->column(2).name, data->column(3).name, "test");
    const Knowledge knowledge = builder.build();
    BossOptions options{.random_starts = 3, .evaluations = 1500};
    const SearchResult whole = boss(*score, options, Rng(5), {}, knowledge);
    EXPECT_TRUE(whole.unfinished.empty());
    for (const long questions : {61, 97, 131, 167, 199, 233}) {
      options.threads = questions < 200 ? 1 : 3;
      const auto search = [&](const LocalScore& clock, const Watch& watch, const SearchResult* cut) {
        options.cut = cut;
        return boss(clock, options, Rng(5), watch, knowledge);
      };
      const testing::StoppedSearch stopped(*score, search, questions);
      EXPECT_GT(stopped.results.size(), 3u);
      for (const SearchResult& cut : stopped.results) {
        places.insert(cut.story[cut.story.size() - 2]);
        EXPECT_EQ(cut.score, total(*score, cut.dag));
        EXPECT_EQ(*cut.cpdag, cpdag_of(cut.dag));
        EXPECT_TRUE(satisfies(cut.dag, knowledge));
      }
      testing::expect_same_end(stopped.results.back(), whole);
    }
  }
  EXPECT_TRUE(places.contains("stopped in the search for a first graph"));
  EXPECT_TRUE(places.contains("stopped in the sweeps over orders"));
  EXPECT_TRUE(places.contains("stopped in the iterated search over orders"));
  EXPECT_TRUE(places.contains("stopped with the operators of GES"));
}

// A step of the search over orders may be long, so it asks its watch too, and then it was never made.
TEST(Boss, AStepThatIsStoppedChangesNothing) {
  const auto score = make_score("gaussian-bic", linear_gaussian(20, 5, 300, 4).data);
  std::atomic<bool> stop{false};
  long last = 0;
  const CountingScore clock(*score, [&](long asked) {
    if (asked >= last) stop = true;
  });
  Watch watch;
  watch.interrupted = &stop;
  const OrderRules rules;
  Rng rng(3);
  OrderSearch search(clock, rules, size_t{1} << 24, true);
  search.set_order(random_order(*score, rules, rng));
  int stopped = 0;
  for (Node v = 0; v < 20; ++v) {
    const std::vector<Node> order = search.order();
    const long evaluations = search.evaluations();
    stop = false;
    last = clock.asked() + 1;
    if (!search.improve(v, watch)) {
      ++stopped;
      EXPECT_EQ(search.order(), order);
      EXPECT_EQ(search.evaluations(), evaluations);
    }
    ASSERT_TRUE(search.check_invariants());
  }
  EXPECT_GT(stopped, 5);
}

TEST(Boss, TakesRequiredEdgesOfConstantsIntoItsOrders) {
  Rng rng(6);
  std::vector<Column> columns = {continuous_column("one", std::vector<double>(100, 1.5))};
  std::vector<double> values(100, 0.0);
  for (const char* name : {"a", "b", "c", "d"}) {
    for (double& x : values) x += rng.normal();
    columns.push_back(continuous_column(name, values));
  }
  const Dataset data = make_dataset(std::move(columns), "t");
  const auto score = make_score("gaussian-bic", data);
  KnowledgeBuilder builder(data.names());
  builder.require("c", "one", "test");  // so c must come before a, through a variable that takes no part by itself
  builder.require("one", "a", "test");
  const Knowledge knowledge = builder.build();
  const SearchResult r = boss(*score, {.evaluations = 5000}, Rng(0), {}, knowledge);
  EXPECT_TRUE(satisfies(r.dag, knowledge));
  EXPECT_TRUE(is_acyclic(r.dag));
  EXPECT_GE(r.dag.edge_count(), 5);
  EXPECT_EQ(r.score, total(*score, r.dag));
}

}  // namespace
}  // namespace agon
