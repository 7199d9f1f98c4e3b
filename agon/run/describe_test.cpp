#include "agon/run/describe.h"

#include <gtest/gtest.h>

#include <set>

#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/run/search.h"

namespace agon {
namespace {

// a -> b <- c, and d apart, beside a - b, b - c - d: no collider, so that both arrows at b are open there.
TEST(Describe, TellsHowTheNextScoreDiffers) {
  Dag dag(4), other(4);
  dag.add_edge(0, 1);
  dag.add_edge(2, 1);
  other.add_edge(0, 1);
  other.add_edge(1, 2);
  other.add_edge(2, 3);
  const NextScoreRecord next = describe_next_score("bdeu", dag, other, {"d", "c", "b", "a"});
  EXPECT_EQ(next.name, "bdeu");
  EXPECT_TRUE(next.missing.empty());
  EXPECT_EQ(next.extra, (std::vector<NamePair>{{"a", "b"}}));
  EXPECT_EQ(next.otherwise, (std::vector<NamePair>{{"b", "c"}, {"c", "d"}}));
  EXPECT_EQ(describe_next_score("bdeu", other, dag, {"d", "c", "b", "a"}).missing, next.extra);
}

TEST(Describe, DescribesTheAnswerByName) {
  const Dataset data = embedded_table("asia", 1000);
  const auto score = make_score("auto", data);
  Dag dag(data.size());
  for (const auto& [from, to] : embedded_truth("asia")) dag.add_edge(data.index_of(from), data.index_of(to));

  RunRecord record;
  describe_answer(record, data, *score, dag);
  EXPECT_EQ(record.score.name, "qnml-edges");
  EXPECT_DOUBLE_EQ(record.score.value, total(*score, dag));
  EXPECT_DOUBLE_EQ(record.score.empty, total(*score, Dag(data.size())));

  // The class of asia: three edges may point either way.
  const std::vector<NamePair> open = {{"asia", "tub"}, {"bronc", "smoke"}, {"lung", "smoke"}};
  EXPECT_EQ(record.cpdag.undirected, open);
  EXPECT_EQ(record.mpdag.undirected, open);
  EXPECT_EQ(record.cpdag.directed.size(), 5u);

  ASSERT_EQ(record.edges.size(), 8u);
  for (size_t k = 0; k < record.edges.size(); ++k) {
    const EdgeRecord& edge = record.edges[k];
    if (k > 0) {
      EXPECT_LT(NamePair(record.edges[k - 1].from, record.edges[k - 1].to), NamePair(edge.from, edge.to));
    }
    Dag without = dag;
    without.remove_edge(data.index_of(edge.from), data.index_of(edge.to));
    EXPECT_NEAR(edge.strength, total(*score, dag) - total(*score, without), 1e-8) << edge.from << edge.to;
    const bool listed =
        std::set(record.cpdag.directed.begin(), record.cpdag.directed.end()).contains({edge.from, edge.to});
    EXPECT_EQ(edge.fixed, listed) << edge.from << edge.to;
    EXPECT_FALSE(edge.by_knowledge);
  }
}

// A score that says which rows each family is scored on, and else answers as another does.
class WithRowSets final : public LocalScore {
 public:
  WithRowSets(const LocalScore& score, std::vector<int> row_set) : score_(score), traits_(score.traits()) {
    traits_.row_set = std::move(row_set);
  }
  const ScoreTraits& traits() const override { return traits_; }
  double local(Node child, Parents parents) const override { return score_.local(child, parents); }

 private:
  const LocalScore& score_;
  ScoreTraits traits_;
};

TEST(Describe, ClassesAreThoseThatExperimentsLeave) {
  const Dataset data = embedded_table("asia", 200);
  const auto score = make_score("auto", data);
  Dag dag(data.size());
  for (const auto& [from, to] : embedded_truth("asia")) dag.add_edge(data.index_of(from), data.index_of(to));
  std::vector<int> row_set(static_cast<size_t>(data.size()), 0);
  row_set[static_cast<size_t>(data.index_of("lung"))] = 1;

  RunRecord record;
  describe_answer(record, data, WithRowSets(*score, row_set), dag);
  const std::vector<NamePair> open = {{"asia", "tub"}, {"bronc", "smoke"}};
  EXPECT_EQ(record.cpdag.undirected, open);
  EXPECT_EQ(record.mpdag.undirected, open);
  for (const EdgeRecord& edge : record.edges) {
    if (edge.to == "lung") {
      EXPECT_TRUE(edge.fixed && !edge.by_knowledge);
    }
  }
  MatchResult match;
  match.opponents.resize(1);
  match.opponents[0].result.dag = dag;
  EXPECT_EQ(describe_match(match, data.names(), {}, row_set).opponents[0].mpdag.undirected, open);
}

TEST(Describe, TellsWhatTheKnowledgeCompels) {
  const Dataset data = embedded_table("asia", 200);
  const auto score = make_score("auto", data);
  Dag dag(data.size());
  for (const auto& [from, to] : embedded_truth("asia")) dag.add_edge(data.index_of(from), data.index_of(to));
  KnowledgeBuilder builder(data.names());
  builder.require("smoke", "lung", "test");
  builder.forbid("dysp", "asia", "test");
  builder.tier(1, {"asia"}, true, false, "test");
  builder.tier(2, {"tub", "xray"}, true, false, "test");

  RunRecord record;
  describe_answer(record, data, *score, dag, builder.build());
  EXPECT_EQ(record.knowledge.required, 1);
  EXPECT_EQ(record.knowledge.forbidden, 3);  // what follows from the required edge is not counted
  EXPECT_EQ(record.knowledge.tiers, 2u);
  EXPECT_TRUE(record.knowledge.satisfied);
  EXPECT_EQ(record.cpdag.undirected.size(), 3u);
  EXPECT_EQ(record.mpdag.undirected, (std::vector<NamePair>{{"bronc", "smoke"}}));
  EXPECT_EQ(record.mpdag.directed.size(), 7u);
  for (const EdgeRecord& edge : record.edges) {
    EXPECT_EQ(edge.by_knowledge, edge.from == "asia" || edge.to == "lung") << edge.from << edge.to;
  }
}

TEST(Describe, DescribesColumnsInNameOrder) {
  const Dataset data = make_dataset(
      {continuous_column("b", {1.5, 2.5, 9.0}), categorical_column("a", {0, 1, 2}), categorical_column("c", {4, 4, 4})},
      "t");
  const DataRecord record = describe_data(data);
  ASSERT_EQ(record.columns.size(), 3u);
  EXPECT_EQ(record.columns[0].name, "a");
  EXPECT_EQ(record.columns[0].levels, 3u);
  EXPECT_EQ(record.columns[1].kind, ColumnKind::kContinuous);
  EXPECT_TRUE(record.columns[2].constant);
  EXPECT_EQ(record.checksum, data.checksum());
}

TEST(Describe, GivesEdgesTheirPosterior) {
  Posterior posterior;
  posterior.nodes = 3;
  posterior.arrow = {0, 0.5, 0, 0.25, 0, 0.004, 0.125, 0.001, 0};
  posterior.path = {0, 0.625, 0.005, 0.25, 0, 0, 0.125, 0.25, 0};
  posterior.sample.samples = 1500;
  posterior.sample.traces = {{"a random graph", std::vector<double>(1000, -1.5)}};
  RunRecord record;
  record.edges = {{"z1", "n0", false, 1}, {"a2", "n0", true, 1}};
  describe_posterior(record, posterior, {"n0", "z1", "a2"}, true);
  EXPECT_EQ(record.edges[0].posterior, (PairPosterior{0.75, 0.25, 0.5}));
  EXPECT_EQ(record.edges[1].posterior, (PairPosterior{0.125, 0.125, 0}));
  ASSERT_EQ(record.posterior->pairs.size(), 2u);  // of a2 and z1 there is too little
  EXPECT_EQ(record.posterior->pairs[0].a, "a2");
  EXPECT_EQ(record.posterior->pairs[1].posterior, (PairPosterior{0.75, 0.5, 0.25}));
  EXPECT_TRUE(record.posterior->pairs[1].shown);
  ASSERT_EQ(record.posterior->paths.size(), 4u);
  EXPECT_EQ(record.posterior->paths[0].from, "a2");
  EXPECT_EQ(record.posterior->sample->traces[0].scores.size(), 200u);
  EXPECT_TRUE(record.posterior->marginal);
}

TEST(Describe, GivesEdgesTheSharesOfTheBootstrap) {
  Bootstrap b;
  b.asked = b.resamples = 8;
  b.pairs[{0, 1}] = {.edge = 1, .forward = 0.25, .backward = 0, .open = 0.75};
  b.pairs[{1, 2}] = {.edge = 0.25, .forward = 0, .backward = 0.25, .open = 0};  // 2 -> 1
  RunRecord record;
  const std::vector<std::string> names = {"n0", "z1", "a2", "n3", "n4", "n5", "n6", "n7"};
  record.edges = {{"n0", "z1", false, 1}, {"n3", "n4", true, 1}};
  describe_bootstrap(record, b, names);
  EXPECT_EQ(record.edges[0].shares->forward, 0.25);
  EXPECT_EQ(record.edges[1].shares->edge, 0);
  ASSERT_EQ(record.bootstrap->pairs.size(), 2u);
  EXPECT_EQ(record.bootstrap->pairs[0].a, "a2");
  EXPECT_EQ(record.bootstrap->pairs[0].shares.forward, 0.25);
  EXPECT_FALSE(record.bootstrap->pairs[0].shown);
  EXPECT_TRUE(record.bootstrap->pairs[1].shown);
}

TEST(Describe, SaysWhatTheTimeLimitDidToAnOpponent) {
  OpponentResult opponent{.name = "boss", .result = {}};
  opponent.result.story = {"kept -12.5"};
  EXPECT_EQ(story_of(opponent), (std::vector<std::string>{"boss: kept -12.5"}));
  opponent.cut = true;
  const std::string cut = "boss was cut at half of the time limit, to leave time for play";
  EXPECT_EQ(story_of(opponent), (std::vector<std::string>{"boss: kept -12.5", cut}));
  opponent.resumed = true;
  EXPECT_EQ(story_of(opponent).back(), cut + "; resumed, it finished");
  opponent.result.unfinished = "somewhere";
  EXPECT_EQ(story_of(opponent).back(), cut + "; resumed, it was cut again");
}

}  // namespace
}  // namespace agon
