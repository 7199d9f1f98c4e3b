#include "agon/catalog/opponents.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "agon/base/error.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/graph/equivalence.h"
#include "agon/graph/measures.h"
#include "agon/score/counting_score.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

// What every entry promises, for every score and on awkward tables of every kind, so that a new entry is tested before
// its author writes a test.

struct Case {
  std::string name;
  Dataset data;
  bool free = true;  // every graph over it has a score: no copied columns, more rows than columns
};

// Tables of every kind that a score takes.
std::vector<Case> cases(const Capabilities& takes) {
  using testing::random_categorical;
  using testing::random_continuous;
  Rng rng(11);
  std::vector<Case> out;
  if (takes.continuous) {
    out.push_back({"plain", random_continuous(7, 120, false, rng)});
    out.push_back({"copies and sums", random_continuous(5, 60, true, rng), false});
    out.push_back({"fewer rows than columns", random_continuous(9, 6, false, rng), false});
    out.push_back({"one column", random_continuous(1, 30, false, rng)});
    std::vector<Column> columns = random_continuous(4, 50, false, rng).columns();
    columns.push_back(continuous_column("one", std::vector<double>(50, 1.0)));
    out.push_back({"a constant", make_dataset(std::move(columns), "t")});
  }
  if (takes.categorical) {
    out.push_back({"plain", random_categorical({.variables = 7, .rows = 200}, rng)});
    out.push_back({"fewer rows than columns", random_categorical({.variables = 9, .rows = 6}, rng)});
    out.push_back({"one column", random_categorical({.variables = 1, .rows = 30}, rng)});
    std::vector<Column> columns = random_categorical({.variables = 4, .rows = 80}, rng).columns();
    columns.push_back(columns[0]);
    columns.back().name = "copy";
    columns.push_back(categorical_column("one", std::vector<int>(80, 3)));
    out.push_back({"a copy and a constant", make_dataset(std::move(columns), "t")});
  }
  return out;
}

// Required edges and tiers along a random order, and forbidden edges of any kind, drawn by name.
Knowledge random_knowledge(const Dataset& data, Rng& rng) {
  std::vector<std::string> order = data.names();
  std::sort(order.begin(), order.end());
  rng.shuffle(order);
  KnowledgeBuilder builder(data.names());
  const int p = data.size();
  builder.require(order[0], order[p - 1], "test");
  builder.require(order[1], order[2], "test");
  builder.forbid(order[2], order[p - 1], "test");
  builder.forbid(order[p - 1], order[1], "test");
  builder.tier(1, {order[0], order[1]}, true, false, "test");
  builder.tier(2, {order.begin() + 2, order.end() - 1}, rng.below(2) == 0, false, "test");
  return builder.build(OnConflict::kRequiredWins);
}

// Calls `check(entry, case, score)` for every entry, score and table. A search over classes is not asked about a score
// that tells their members apart: refuse_unfit_score() keeps the two from meeting.
template <class Check>
void for_each_contract(Check check) {
  for (const ScoreEntry& score_entry : score_entries()) {
    for (const Case& c : cases(score_entry.takes)) {
      const auto score = score_entry.make(c.data, {});
      for (const OpponentEntry& entry : opponent_entries()) {
        if (entry.compares_classes && !score_entry.score_equivalent) continue;
        SCOPED_TRACE(entry.name + ", " + score_entry.name + ", " + c.name);
        check(entry, c, *score);
      }
    }
  }
}

SearchResult propose(const OpponentEntry& entry, const Dataset& data, const LocalScore& score, const Dag& start,
                     const Knowledge& knowledge = {}, int threads = 1, const Watch& watch = {}, uint64_t seed = 0,
                     const SearchResult* cut = nullptr) {
  return entry.propose({.data = data,
                        .score = score,
                        .start = start,
                        .knowledge = knowledge,
                        .rng = Rng(seed),
                        .threads = threads,
                        .training_steps = 120,  // the promises hold after any number of steps
                        .watch = watch,
                        .cut = cut});
}

void expect_sound(const SearchResult& found, const LocalScore& score) {
  EXPECT_TRUE(is_acyclic(found.dag));
  EXPECT_TRUE(std::isfinite(found.score));
  EXPECT_EQ(found.score, total(score, found.dag));
  EXPECT_FALSE(found.stopped_by.empty());
  EXPECT_FALSE(found.story.empty());
  if (found.cpdag) {
    EXPECT_EQ(*found.cpdag, cpdag_of(found.dag));
  }
}

TEST(OpponentContract, AcyclicScoredAndTheSameForAnyThreads) {
  for_each_contract([](const OpponentEntry& entry, const Case& c, const LocalScore& score) {
    const Dag empty(c.data.size());
    const SearchResult found = propose(entry, c.data, score, empty);
    expect_sound(found, score);
    if (entry.climbs) {
      EXPECT_GE(found.score, total(score, empty) - 1e-9);
    }
    for (Node v = 0; v < c.data.size(); ++v) {
      EXPECT_LE(found.dag.parents(v).count(), score.traits().max_parents);
      if (!score.traits().constant[v]) continue;
      for (Node u = 0; u < c.data.size(); ++u) EXPECT_FALSE(found.dag.adjacent(u, v));
    }
    for (int threads : {2, 4}) {
      const SearchResult again = propose(entry, c.data, score, empty, {}, threads);
      EXPECT_EQ(again.dag, found.dag);
      EXPECT_EQ(again.score, found.score);
      EXPECT_EQ(again.steps, found.steps);
      EXPECT_EQ(again.story, found.story);
      EXPECT_EQ(again.stopped_by, found.stopped_by);
    }
  });
}

TEST(OpponentContract, TheSameForAnyOrderOfColumns) {
  Rng rng(5);
  for_each_contract([&](const OpponentEntry& entry, const Case& c, const LocalScore& score) {
    const Dataset turned = testing::shuffled_columns(c.data, rng);
    const auto same_score = make_score(score.traits().name, turned);
    const SearchResult a = propose(entry, c.data, score, Dag(c.data.size()));
    const SearchResult b = propose(entry, turned, *same_score, Dag(c.data.size()));
    const auto by_name = [](const Dag& dag, const Dataset& data) {
      std::set<std::pair<std::string, std::string>> edges;
      for (const Edge& e : dag.edges()) edges.insert({data.column(e.from).name, data.column(e.to).name});
      return edges;
    };
    EXPECT_EQ(by_name(a.dag, c.data), by_name(b.dag, turned));
    EXPECT_EQ(a.score, b.score);
    EXPECT_EQ(a.story, b.story);
  });
}

TEST(OpponentContract, KnowledgeIsKept) {
  Rng rng(7);
  for_each_contract([&](const OpponentEntry& entry, const Case& c, const LocalScore& score) {
    if (!c.free || c.data.size() < 4) return;
    const Knowledge known = random_knowledge(c.data, rng);
    const Dag start = entry.takes_start ? testing::random_dag(c.data.size(), 0.3, rng) : Dag(c.data.size());
    const SearchResult found = propose(entry, c.data, score, start, known);
    expect_sound(found, score);
    EXPECT_EQ(violations(found.dag, known, c.data.names()), std::vector<std::string>{});
    if (entry.climbs) {
      EXPECT_GE(found.score, total(score, repair(start, known)) - 1e-9);
    }
    EXPECT_EQ(propose(entry, c.data, score, start, known, 4).dag, found.dag);
  });
}

TEST(OpponentContract, AnExpiredDeadlineLeavesAUsableGraph) {
  Rng rng(9);
  for_each_contract([&](const OpponentEntry& entry, const Case& c, const LocalScore& score) {
    const Knowledge known = c.free && c.data.size() >= 4 ? random_knowledge(c.data, rng) : Knowledge(c.data.size());
    Watch watch;
    watch.deadline = Watch::Clock::now() - std::chrono::seconds(1);
    const SearchResult late = propose(entry, c.data, score, Dag(c.data.size()), known, 2, watch);
    expect_sound(late, score);
    EXPECT_EQ(late.stopped_by, entry.searches ? "time limit" : "no search");
    EXPECT_TRUE(satisfies(late.dag, known));

    const std::atomic<bool> yes{true};
    watch.interrupted = &yes;
    const SearchResult interrupted = propose(entry, c.data, score, Dag(c.data.size()), known, 2, watch);
    expect_sound(interrupted, score);
    EXPECT_EQ(interrupted.stopped_by, entry.searches ? "interrupted" : "no search");
  });
}

// Whoever says where it was stopped continues from there, and answers as if it had never been stopped.
TEST(OpponentContract, WhatWasStoppedCanBeResumed) {
  std::set<std::string> resumed;
  for_each_contract([&](const OpponentEntry& entry, const Case& c, const LocalScore& score) {
    const Dag empty(c.data.size());
    const std::atomic<bool> yes{true};
    Watch stopped;
    stopped.interrupted = &yes;
    const SearchResult cut = propose(entry, c.data, score, empty, {}, 2, stopped);
    if (cut.unfinished.empty()) return;
    resumed.insert(entry.name);
    const SearchResult whole = propose(entry, c.data, score, empty);
    const SearchResult again = propose(entry, c.data, score, empty, {}, 2, {}, 0, &cut);
    EXPECT_EQ(again.dag, whole.dag);
    EXPECT_EQ(again.score, whole.score);
    EXPECT_EQ(again.story, whole.story);
    EXPECT_TRUE(whole.unfinished.empty() && again.unfinished.empty());
  });
  EXPECT_EQ(resumed, (std::set<std::string>{"boss", "corl", "dag-gnn", "ges", "kcrl", "rl-bic"}));
}

TEST(Opponents, OnlySomeDrawLots) {
  const Dataset data = embedded_table("child", 200);
  const auto score = make_score("auto", data);
  const Dag empty(data.size());
  for (const OpponentEntry& entry : opponent_entries()) {
    const SearchResult one = propose(entry, data, *score, empty, {}, 1, {}, 1),
                       two = propose(entry, data, *score, empty, {}, 1, {}, 2);
    const bool same = one.dag == two.dag && one.steps == two.steps && one.story == two.story;
    EXPECT_EQ(same, !entry.draws) << entry.name;
  }
}

TEST(Opponents, GranDagFindsNonlinearGraphs) {
  // Ten nodes, ten edges expected, MLP mechanisms: mean SHD 3.6 over seeds 0 to 9. Three of them here.
  double shd = 0;
  for (uint64_t seed : {0, 3, 5}) {
    const Rng rng(seed);
    const auto parents = random_graph({.nodes = 10, .average_degree = 2}, rng.split("graph"));
    const Simulated s = simulate_sem(parents, 1000, {.mechanism = Mechanism::kMlp}, rng.split("data"));
    const auto score = make_score("copula-bic", s.data);
    const Dag empty(10);
    const Watch watch;
    const SearchResult r = opponent_entry("grandag").propose(
        {.data = s.data, .score = *score, .start = empty, .knowledge = {}, .rng = rng, .watch = watch});
    EXPECT_EQ(r.stopped_by, "acyclic");
    shd += measure(dag_from_parents(s.parents).edges(), r.dag).shd / 3.0;
  }
  EXPECT_LE(shd, 5);
}

TEST(Opponents, AnyAnswerIsAStartForAnyOther) {
  const Dataset data = embedded_table("asia", 500);
  const auto score = make_score("auto", data);
  const Dag empty(data.size());
  for (const OpponentEntry& first : opponent_entries()) {
    const SearchResult given = propose(first, data, *score, empty);
    for (const OpponentEntry& then : opponent_entries()) {
      if (!then.takes_start) continue;
      const SearchResult found = propose(then, data, *score, given.dag);
      EXPECT_GE(found.score, given.score - 1e-9) << first.name << " then " << then.name;
      if (!then.searches) {
        EXPECT_EQ(found.dag, given.dag);
      }
    }
  }
}

// A match of these opponents without play; `told`: each is given what those before it found.
MatchResult match_of(const std::vector<const OpponentEntry*>& entries, const Dataset& data, const LocalScore& score,
                     const Dag& start, bool told) {
  std::vector<Entrant> entrants;
  for (const OpponentEntry* entry : entries) {
    entrants.push_back({entry->name, [&, entry, told](const Watch& watch, const OpponentResults& earlier) {
                          return entry->propose({.data = data,
                                                 .score = score,
                                                 .start = start,
                                                 .knowledge = {},
                                                 .rng = Rng(3),
                                                 .watch = watch,
                                                 .earlier = told ? earlier : OpponentResults{}});
                        }});
  }
  return play_match(score, entrants, {.moves = 0}, {}, Rng(1));
}

void expect_same(const SearchResult& a, const SearchResult& b) {
  EXPECT_EQ(a.dag, b.dag);
  EXPECT_EQ(a.score, b.score);
  EXPECT_EQ(a.steps, b.steps);
  EXPECT_EQ(a.story, b.story);
  EXPECT_EQ(a.stopped_by, b.stopped_by);
}

// BOSS begins with GES. When the two default opponents take part, GES is run once, not twice, and both answer as if
// each had been alone.
TEST(Opponents, TheDefaultOnesRunGesOnce) {
  const std::vector<const OpponentEntry*> both = default_opponents(PlaysUnasked::kUsually);
  for (const char* name : {"asia", "sachs"}) {
    const Dataset data = embedded_table(name, 400);
    const auto score = make_score("auto", data);
    const Dag empty(data.size());
    const CountingScore ges_alone(*score), apart(*score), together(*score);
    propose(opponent_entry("ges"), data, ges_alone, empty);
    const MatchResult twice = match_of(both, data, apart, empty, false);
    const MatchResult once = match_of(both, data, together, empty, true);
    ASSERT_EQ(once.opponents.size(), 2u);
    for (size_t k = 0; k < 2; ++k) expect_same(once.opponents[k].result, twice.opponents[k].result);
    EXPECT_EQ(once.champion, twice.champion);
    EXPECT_GT(ges_alone.asked(), 0);
    EXPECT_EQ(together.asked() + ges_alone.asked(), apart.asked()) << name;
  }
}

// What GES found from another start is not what BOSS would have found.
TEST(Opponents, BossTakesNoOtherGesForItsOwn) {
  const Dataset data = embedded_table("asia", 400);
  const auto score = make_score("auto", data);
  const OpponentEntry& boss = opponent_entry("boss");
  OpponentResults wrong{{"ges", {}, 0}};
  wrong[0].result.dag = Dag(data.size());
  wrong[0].result.score = total(*score, wrong[0].result.dag);
  wrong[0].result.story = {"something else"};
  Dag start(data.size());
  start.add_edge(0, 1);
  const Dag empty(data.size());
  const Watch watch;
  const auto told = [&](const Dag& from, const OpponentResults& earlier) {
    return boss.propose({.data = data,
                         .score = *score,
                         .start = from,
                         .knowledge = {},
                         .rng = Rng(0),
                         .watch = watch,
                         .earlier = earlier});
  };
  const SearchResult own = propose(boss, data, *score, empty);
  expect_same(told(start, wrong), own);
  EXPECT_EQ(told(empty, wrong).story.front(), "something else");  // otherwise the check above would show nothing

  // What GES found before it was stopped is resumed.
  const std::atomic<bool> yes{true};
  Watch stopped;
  stopped.interrupted = &yes;
  const OpponentResults cut{{"ges", propose(opponent_entry("ges"), data, *score, empty, {}, 1, stopped), 0}};
  ASSERT_FALSE(cut[0].result.unfinished.empty());
  expect_same(told(empty, cut), own);
}

TEST(Opponents, WhoPlaysUnasked) {
  const auto names = [](PlaysUnasked when) {
    std::vector<std::string> list;
    for (const OpponentEntry* entry : default_opponents(when)) list.push_back(entry->name);
    return list;
  };
  EXPECT_EQ(names(PlaysUnasked::kUsually), (std::vector<std::string>{"ges", "boss"}));
  EXPECT_EQ(names(PlaysUnasked::kOnStart), (std::vector<std::string>{"file"}));
  EXPECT_EQ(names(PlaysUnasked::kOnOwnScore), (std::vector<std::string>{"tabu"}));
  for (const OpponentEntry* entry : default_opponents(PlaysUnasked::kOnOwnScore)) EXPECT_FALSE(entry->compares_classes);
  for (const OpponentEntry* entry : default_opponents(PlaysUnasked::kOnStart)) EXPECT_TRUE(entry->needs_start());
}

TEST(Opponents, ThoseThatCompareClassesRefuseAScoreThatTellsMembersApart) {
  class Unequal final : public LocalScore {
   public:
    Unequal() { traits_.score_equivalent = false, traits_.constant = {false, false}; }
    double local(Node child, Parents) const override { return child; }
    const ScoreTraits& traits() const override { return traits_; }

   private:
    ScoreTraits traits_;
  };
  const Dataset data = embedded_table("asia", 50);
  const auto equal = make_score("auto", data);
  for (const OpponentEntry& entry : opponent_entries()) {
    EXPECT_NO_THROW(refuse_unfit_score(entry, *equal));
    if (entry.compares_classes) {
      EXPECT_THROW(refuse_unfit_score(entry, Unequal()), UsageError) << entry.name;
    } else {
      EXPECT_NO_THROW(refuse_unfit_score(entry, Unequal()));
    }
  }
}

TEST(Opponents, UnknownNamesGetASuggestion) {
  try {
    opponent_entry("tabo");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean tabu?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace agon
