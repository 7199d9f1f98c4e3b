#include "agon/agent/proposal.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <map>

#include "agon/agent/schedule.h"
#include "agon/base/error.h"
#include "agon/score/scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

constexpr ProposalKind kKinds[] = {ProposalKind::kUniform, ProposalKind::kDelta, ProposalKind::kRule,
                                   ProposalKind::kTrained};

struct Table {
  explicit Table(int p, uint64_t seed = 1) : rng(seed), data(testing::random_continuous(p, 200, false, rng)) {
    score = make_score("gaussian-bic", data);
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
      if (k > 0) {  // with locality 1 every edit touches a node touched before
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
    RC_ASSERT(column[22] == 1.0f);                        // this very pair
  }
  features.begin(2);
  RC_ASSERT(!features.any_touched());
}

TEST(Proposer, PicksByTheNetworkItIsGiven) {
  Table t(8);
  ProposalOptions options;
  options.uniform_share = 0;
  options.candidates = 16;
  options.sharpness = 1000;
  options.network = Mlp({.inputs = kEditFeatures, .hidden = {}, .outputs = 1, .zero_last = true}, Rng(0));
  options.network.matrix(0)(0, 1) = 1;  // removals
  std::map<MoveKind, int> count;
  Rng rng(2);
  Proposer proposer(8, options);
  for (int k = 0; k < 200; ++k) {
    proposer.begin(1);
    ++count[proposer.next(*t.game, rng)->kind];
  }
  EXPECT_GT(count[MoveKind::kRemove], 190);  // all but those where none of 16 draws was one
  options.network.matrix(0)(0, 1) = -1;
  Proposer other(8, options);
  count.clear();
  for (int k = 0; k < 200; ++k) {
    other.begin(1);
    ++count[other.next(*t.game, rng)->kind];
  }
  EXPECT_EQ(count[MoveKind::kRemove], 0);
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
  EXPECT_EQ(parse_proposal("# a remark\n# another\n" + to_text(linear), "p.mlp"), linear);
  ProposalOptions bad;
  bad.candidates = 0;
  bad.sharpness = -1;
  try {
    check(bad);
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("candidates 0"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("sharpness -1"), std::string::npos);
  }
}

}  // namespace
}  // namespace agon
