#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

#include "agon/agent/proposer.h"
#include "agon/agent/schedule.h"
#include "agon/base/error.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

constexpr ProposalKind kKinds[] = {ProposalKind::kUniform, ProposalKind::kDelta, ProposalKind::kRule,
                                   ProposalKind::kTrained};

struct Table {
  explicit Table(int p, uint64_t seed = 1, bool discrete = false)
      : rng(seed),
        data(discrete ? testing::random_categorical({.variables = p, .rows = 60, .most_levels = 3}, rng)
                      : testing::random_continuous(p, 200, false, rng)) {
    score = make_score(discrete ? "discrete-bic" : "gaussian-bic", data);
    cache = std::make_unique<ColumnCache>(*score);
    game = std::make_unique<Game>(*cache, Dag(p), GameOptions{}, nothing);
    for (int k = 0; k < 2 * p; ++k) {
      if (auto move = random_valid_move(*game, rng)) game->play(*move);
    }
  }
  Rng rng;
  Dataset data;
  std::unique_ptr<LocalScore> score;
  std::unique_ptr<ColumnCache> cache;
  Knowledge nothing;
  std::unique_ptr<Game> game;
};

RC_GTEST_PROP(Proposer, GivesValidEditsNearEachOtherWhateverTheKind, (uint64_t seed)) {
  Table t(3 + static_cast<int>(seed % 8), seed % 1000);
  for (ProposalKind kind : kKinds) {
    ProposalOptions options;
    options.kind = kind;
    options.locality = 1;
    Proposer proposer(t.game->size(), options);
    Rng rng(seed);
    std::vector<Undo> played;
    proposer.begin(6);
    for (int k = 0; k < 6; ++k) {
      const std::optional<EdgeMove> move = proposer.next(*t.game, rng);
      if (!move) break;
      RC_ASSERT(t.game->is_valid(*move));
      if (k > 0) {  // with locality 1 every later edit touches a node touched before
        const std::vector<Node>& touched = proposer.features().touched();
        const auto has = [&](Node v) { return std::find(touched.begin(), touched.end(), v) != touched.end(); };
        RC_ASSERT(has(move->from) || has(move->to));
      }
      played.push_back(t.game->play(*move));
      proposer.played(*move);
    }
    while (!played.empty()) {
      t.game->take_back(played.back());
      played.pop_back();
    }
  }
}

// With a network that learns during play, next() draws as it does without one and shows what it chose from; and a
// network that outweighs everything else decides.
RC_GTEST_PROP(Proposer, WhatIsLearnedIsAddedToTheScoreOfEachDraw, (uint64_t seed)) {
  Table t(4 + static_cast<int>(seed % 7), seed % 1000);
  const MlpShape shape{.inputs = kEditFeatures, .hidden = {6}, .outputs = 1};
  const Mlp learned(shape, Rng(seed).split("learned"));
  MlpShape untrained = shape;
  untrained.zero_last = true;
  const Mlp zero(untrained, Rng(seed));
  const double outweighs = 1e6;
  for (ProposalKind kind : kKinds) {
    ProposalOptions options;
    options.kind = kind;
    options.uniform_share = 0;
    Proposer alone(t.game->size(), options), with_zero(t.game->size(), options), led(t.game->size(), options);
    Rng rng(seed), same(seed), other(seed);
    for (Proposer* proposer : {&alone, &with_zero, &led}) proposer->begin(4);
    std::vector<Undo> played;
    for (int k = 0; k < 4; ++k) {
      const std::optional<EdgeMove> first = alone.next(*t.game, rng), second = with_zero.next(*t.game, same, &zero, 10);
      if (kind != ProposalKind::kUniform) {  // which by itself does not rank its draws
        RC_ASSERT(first == second);
        RC_ASSERT(rng.below(1 << 30) == same.below(1 << 30));
      }
      const std::optional<EdgeMove> move = led.next(*t.game, other, &learned, outweighs);
      if (!move) break;
      RC_ASSERT(t.game->is_valid(*move));
      const NetMatrix<float>& columns = led.columns();
      RC_ASSERT(columns.cols() >= 1 && columns.cols() <= options.shortlist);
      RC_ASSERT(led.chosen() >= 0 && led.chosen() < columns.cols());
      NetVector<float> plain(kEditFeatures);
      led.features().write(*t.game, *move, plain.data());
      RC_ASSERT(plain == columns.col(led.chosen()));  // the column of the move that was returned
      MlpWork<float> work;
      const float value = learned.forward_one(plain, work)[0];
      for (long c = 0; c < columns.cols(); ++c) {
        RC_ASSERT(value >= learned.forward_one(columns.col(c), work)[0] - 1e-3f);  // near ties may go either way
      }
      played.push_back(t.game->play(*move));
      for (Proposer* proposer : {&alone, &with_zero, &led}) proposer->played(*move);
    }
    for (size_t k = played.size(); k-- > 0;) t.game->take_back(played[k]);
  }
}

RC_GTEST_PROP(EditFeatures, AreOfOrderOneAndKnowTheEditsBefore, (uint64_t seed)) {
  Table t(3 + static_cast<int>(seed % 8), seed % 1000);
  EditFeatures features(t.game->size());
  features.begin(5);
  Rng rng(seed);
  std::vector<float> column(kEditFeatures);
  for (int k = 0; k < 5; ++k) {
    const std::optional<EdgeMove> move = random_valid_move(*t.game, rng);
    if (!move) break;
    features.write(*t.game, *move, column.data());
    for (float x : column) RC_ASSERT(std::isfinite(x) && std::abs(x) <= 8);
    RC_ASSERT(column[0] + column[1] + column[2] == 1.0f);  // one kind
    RC_ASSERT(column[27] == (k == 0 ? 1.0f : 0.0f));       // the first edit
    t.game->play(*move);
    features.played(*move);
    EdgeMove back = inverse(*move);
    features.write(*t.game, back, column.data());
    RC_ASSERT(column[20] == 1.0f && column[21] == 1.0f);  // both ends touched
    RC_ASSERT(column[22] == 1.0f);                        // this pair was edited
  }
  features.begin(2);
  RC_ASSERT(!features.any_touched());
}

// The gain that removing from -> to may free: the best addition u -> from with u = to or a descendant of it, or to -> v
// with v a parent of from. Computed here from the local scores of every such pair, with paths found by walking.
double plain_freed_gain(const LocalScore& score, const Dag& dag, Node from, Node to) {
  const auto gain_of = [&](Node u, Node v) {
    std::vector<Node> before, after;
    for (Node q = 0; q < dag.size(); ++q) {
      if (dag.has_edge(q, v)) before.push_back(q);
      if (dag.has_edge(q, v) || q == u) after.push_back(q);
    }
    return score.local(v, after) - score.local(v, before);
  };
  double freed = 0;
  std::vector<Node> walk{to};
  std::vector<bool> seen(dag.size(), false);
  seen[to] = true;
  while (!walk.empty()) {
    const Node u = walk.back();
    walk.pop_back();
    freed = std::max(freed, gain_of(u, from));
    for (Node next = 0; next < dag.size(); ++next) {
      if (!dag.has_edge(u, next) || seen[next]) continue;
      seen[next] = true;
      walk.push_back(next);
    }
  }
  for (Node v = 0; v < dag.size(); ++v) {
    if (dag.has_edge(v, from)) freed = std::max(freed, gain_of(to, v));
  }
  return freed;
}

TEST(EditFeatures, FreedGainIsThatOfThePlainSearch) {
  constexpr int kFreed = 19;  // its index in the list of edit_features.h
  int edges = 0, freeing = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Table t(4 + static_cast<int>(seed % 7), seed, seed % 4 < 2);
    if (seed % 2 == 0) ascend(*t.game);  // there, blocked gains are all that is left
    EditFeatures features(t.game->size());
    features.begin(3);
    std::vector<float> column(kEditFeatures);
    for (const Edge& e : t.game->dag().edges()) {
      const double plain = plain_freed_gain(*t.score, t.game->dag(), e.from, e.to);
      for (MoveKind kind : {MoveKind::kRemove, MoveKind::kReverse}) {
        features.write(*t.game, {kind, e.from, e.to}, column.data());
        EXPECT_NEAR(column[kFreed], plain > 0 ? plain / (10 + plain) : 0, 1e-5) << seed;
      }
      ++edges;
      freeing += plain > 0.01;
    }
    for (EdgeMove move : t.game->valid_moves()) {
      if (move.kind != MoveKind::kAdd) continue;
      features.write(*t.game, move, column.data());
      EXPECT_EQ(column[kFreed], 0);
    }
  }
  EXPECT_GT(edges, 300);
  EXPECT_GT(freeing, 100);
  EXPECT_LT(freeing, edges - 50);
}

TEST(Proposer, PicksByTheNetworkItIsGiven) {
  Table t(8);
  ProposalOptions options;
  options.uniform_share = 0;
  options.shortlist = 16;
  options.sharpness = 1000;
  Mlp network({.inputs = kEditFeatures, .hidden = {}, .outputs = 1, .zero_last = true}, Rng(0));
  network.matrix(0)(0, 1) = 1;  // removals
  options.network = std::make_shared<const Mlp>(network);
  std::map<MoveKind, int> count;
  Rng rng(2);
  Proposer proposer(8, options);
  for (int k = 0; k < 200; ++k) {
    proposer.begin(1);
    ++count[proposer.next(*t.game, rng)->kind];
  }
  EXPECT_GT(count[MoveKind::kRemove], 190);  // all but those where none of 16 draws was a removal
  network.matrix(0)(0, 1) = -1;
  options.network = std::make_shared<const Mlp>(network);
  Proposer other(8, options);
  count.clear();
  for (int k = 0; k < 200; ++k) {
    other.begin(1);
    ++count[other.next(*t.game, rng)->kind];
  }
  EXPECT_EQ(count[MoveKind::kRemove], 0);
}

// A network of the shipped shape has a fast path of its own, which must rank as forward_one() does: with a sharpness so
// high that it leaves no choice, the edit picked is the best by forward_one().
RC_GTEST_PROP(Proposer, TheRoadOfTheShippedShapeRanksAsForwardOneDoes, (uint64_t seed)) {
  Table t(5 + static_cast<int>(seed % 6), seed % 1000);
  ProposalOptions options;
  options.uniform_share = 0;
  options.sharpness = 1e6;
  options.network =
      std::make_shared<const Mlp>(MlpShape{.inputs = kEditFeatures, .hidden = {32}, .outputs = 1}, Rng(seed));
  Proposer proposer(t.game->size(), options);
  Rng rng(seed);
  MlpWork<float> work;
  proposer.begin(1);
  RC_ASSERT(proposer.next(*t.game, rng).has_value());
  const auto value = [&](long c) { return options.network->forward_one(proposer.columns().col(c), work)[0]; };
  const float chosen = value(proposer.chosen());
  for (long c = 0; c < proposer.columns().cols(); ++c) RC_ASSERT(chosen >= value(c) - 1e-4f);
}

TEST(Proposal, TheShippedWeightsFitAndTellEditsApart) {
  const Mlp& net = shipped_proposal();
  EXPECT_EQ(net.shape().inputs, kEditFeatures);
  EXPECT_EQ(net.shape().outputs, 1);
  NetVector<float> fresh = NetVector<float>::Zero(kEditFeatures);
  fresh[2] = 1;  // a reversal
  NetVector<float> again = fresh;
  again[22] = 1;  // of a pair that was edited already
  MlpWork<float> work;
  for (const Mlp* ranker : {&net, &rule_proposal()}) {
    const float first = ranker->forward_one(fresh, work)[0], second = ranker->forward_one(again, work)[0];
    EXPECT_GT(first, second);
  }
}

TEST(Proposal, BadFilesAndOptionsAreRefusedByName) {
  EXPECT_THROW(parse_proposal("# only remarks", "p.mlp"), InputError);
  EXPECT_THROW(parse_proposal("mlp 1\ninputs 2 hidden outputs 1 leak 0\n0\n0\n0\n", "p.mlp"), InputError);
  const Mlp linear({.inputs = kEditFeatures, .hidden = {}, .outputs = 1}, Rng(3));
  EXPECT_EQ(*parse_proposal("# a remark\n# another\n" + to_text(linear), "p.mlp"), linear);
  ProposalOptions bad;
  bad.shortlist = 0;
  bad.sharpness = -1;
  try {
    check(bad);
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_STREQ(e.what(), "proposal: --shortlist must be 1 or more; --sharpness must be more than 0");
  }
}

}  // namespace
}  // namespace agon
