#include "agon/agent/paper_learner.h"

#include <gtest/gtest.h>

#include "agon/agent/double_dqn.h"
#include "agon/agent/schedule.h"
#include "agon/score/test_scores.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

using Twin = DoubleDqn<MoveOutputs<float>>;

// The dense form of a transition, as the twin takes it.
Twin::Transition dense(const PaperMemory& memory, int p) {
  Twin::Transition t;
  t.state.setZero(static_cast<long>(p) * p);
  for (int k : memory.inputs) t.state[k] = 1;
  t.move = paper_output(p, memory.move);
  t.reward = memory.reward;
  t.next = t.state;
  const Edge edge{memory.move.from, memory.move.to};
  t.next[paper_input(p, edge)] = memory.move.kind == MoveKind::kAdd ? 1 : 0;
  if (memory.move.kind == MoveKind::kReverse) t.next[paper_input(p, {edge.to, edge.from})] = 1;
  for (int pair = 0; pair < p * (p - 1); ++pair) {
    if (memory.next_additions[pair / 64] >> (pair % 64) & 1) t.next_valid.push_back(3 * pair);
  }
  t.next_valid.insert(t.next_valid.end(), memory.next_others.begin(), memory.next_others.end());
  std::ranges::sort(t.next_valid);
  t.terminal = t.next_valid.empty();
  return t;
}

// Transitions of random play.
std::vector<PaperMemory> random_play(int p, int count, Rng& rng) {
  const Dataset data = testing::random_continuous(p, 80, false, rng);
  const auto score = make_score("gaussian-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game game(cache, testing::random_dag(p, 0.3, rng), {}, nothing);
  std::vector<PaperMemory> all(static_cast<size_t>(count));
  for (PaperMemory& memory : all) {
    for (const Edge& e : game.dag().edges()) memory.inputs.push_back(paper_input(p, e));
    memory.move = *random_valid_move(game, rng);
    memory.reward = static_cast<float>(game.play(memory.move).reward);
    memory.set_next(game.valid_moves(), p);
  }
  all[0].set_next({}, p);  // as after the last move of a game that nobody can continue
  return all;
}

Mlp random_network(int p, const std::vector<int>& hidden, Rng& rng) {
  Mlp net({.inputs = p * p, .hidden = hidden, .outputs = 3 * p * (p - 1), .leak = 0}, rng.split("network"));
  for (float& w : net.weights()) w += 0.05f * static_cast<float>(rng.normal());  // biases too
  return net;
}

double distance(const Mlp& a, const Mlp& b) { return (a.weights() - b.weights()).cwiseAbs().maxCoeff(); }

TEST(PaperLearner, LearnsAsItsDenseTwin) {
  Rng rng(1);
  for (const std::vector<int>& hidden : {std::vector<int>{13}, {24, 17}, {40, 33, 20}}) {
    const int p = 6;
    const auto memories = random_play(p, 300, rng);
    const Mlp start = random_network(p, hidden, rng);
    PaperLearner learner(p, start, {.discount = 0.9, .target_rate = 0.1, .learning_rate = 1e-3});
    Twin twin(start, {}, {.discount = 0.9, .target_rate = 0.1, .adam = {.learning_rate = 1e-3}});
    EXPECT_EQ(distance(learner.online().as_mlp(), start), 0);
    for (int update = 0; update < 20; ++update) {
      std::vector<const PaperMemory*> batch;
      std::vector<Twin::Transition> all;
      std::vector<const Twin::Transition*> twin_batch;
      for (int k = 0; k < 32; ++k) batch.push_back(&memories[static_cast<size_t>(rng.below(k == 0 ? 1 : 300))]);
      for (const PaperMemory* memory : batch) all.push_back(dense(*memory, p));
      for (const auto& t : all) twin_batch.push_back(&t);
      // The paper's loss is the squared error, the twin's half of it; Adam's steps do not depend on the factor.
      const double loss = learner.update(batch);
      EXPECT_NEAR(loss, 2 * twin.update(twin_batch), 1e-4 * loss);
      ASSERT_LT(distance(learner.online().as_mlp(), twin.online()), 2e-4) << update;
      ASSERT_LT(distance(learner.target().as_mlp(), twin.target()), 2e-4) << update;
    }
    EXPECT_EQ(learner.updates(), 20);
    EXPECT_GT(distance(learner.online().as_mlp(), start), 5e-3);
  }
}

TEST(PaperLearner, SgdClipAndScheduleByHand) {
  // One step each. With plain SGD the weights move by rate * gradient, so the steps tell the gradient itself.
  Rng rng(2);
  const int p = 4;
  const auto memories = random_play(p, 16, rng);
  const Mlp start = random_network(p, {9, 7}, rng);
  std::vector<const PaperMemory*> batch;
  for (const PaperMemory& memory : memories) batch.push_back(&memory);
  const auto moved = [&](const PaperLearning& options, int updates) {
    PaperLearner learner(p, start, options);
    for (int k = 0; k < updates; ++k) learner.update(batch);
    return NetVector<float>(learner.online().as_mlp().weights() - start.weights());
  };
  PaperLearning sgd{.optimizer = PaperOptimizer::kSgd, .learning_rate = 1e-2};
  const NetVector<float> plain = moved(sgd, 1);
  Twin twin(start, {}, {});
  std::vector<Twin::Transition> all;
  std::vector<const Twin::Transition*> twin_batch;
  for (const PaperMemory& memory : memories) all.push_back(dense(memory, p));
  for (const auto& t : all) twin_batch.push_back(&t);
  NetVector<float> gradient;
  twin.loss(twin_batch, gradient);
  EXPECT_LT((plain + 2e-2f * gradient).norm(), 1e-4 * plain.norm());  // the paper's loss is twice the twin's

  sgd.clip = 2 * gradient.norm() / 3;  // a third of the gradient of the paper's loss
  EXPECT_LT((3 * moved(sgd, 1) - plain).norm(), 1e-4 * plain.norm());
  sgd.clip = 4 * gradient.norm();  // longer than it: nothing is cut
  EXPECT_LT((moved(sgd, 1) - plain).norm(), 1e-6 * plain.norm());

  // A rate that falls to nothing after the first update: the second moves nothing.
  sgd.clip = 0;
  sgd.rate_steps = 1;
  sgd.rate_decay = 1e-12;
  EXPECT_LT((moved(sgd, 2) - plain).norm(), 1e-5 * plain.norm());
}

TEST(PaperLearner, ChoosesTheBestValidMove) {
  Rng rng(3);
  const int p = 5;
  const Dataset data = testing::random_continuous(p, 80, false, rng);
  const auto score = make_score("gaussian-bic", data);
  ColumnCache cache(*score);
  const Knowledge nothing;
  Game game(cache, testing::random_dag(p, 0.3, rng), {}, nothing);
  const Mlp net = random_network(p, {11, 8}, rng);
  PaperLearner learner(p, net, {});
  FirstLayer first;
  first.rebuild(learner.online(), game.dag());
  MlpWork<float> work;
  for (int step = 0; step < 60; ++step) {
    NetVector<float> x = NetVector<float>::Zero(p * p);
    for (const Edge& e : game.dag().edges()) x[paper_input(p, e)] = 1;
    const NetVector<float>& q = net.forward_one(x, work);
    const auto valid = game.valid_moves();
    float most = q[paper_output(p, valid[0])];
    for (const EdgeMove move : valid) most = std::max(most, q[paper_output(p, move)]);
    EXPECT_NEAR(q[paper_output(p, learner.best(first, valid))], most, 1e-4);
    const EdgeMove move = *random_valid_move(game, rng);
    game.play(move);
    first.play(learner.online(), p, move);
  }
}

TEST(PaperLearner, ContinuesFromItsArchive) {
  Rng rng(4);
  const int p = 5;
  const auto memories = random_play(p, 64, rng);
  const Mlp start = random_network(p, {10, 10}, rng);
  std::vector<const PaperMemory*> batch;
  for (const PaperMemory& memory : memories) batch.push_back(&memory);
  PaperLearner whole(p, start, {}), before(p, start, {}), after(p, start, {});
  for (int k = 0; k < 3; ++k) whole.update(batch), before.update(batch);
  Archive writer;
  before.exchange_state(writer);
  Archive reader(writer.bytes());
  after.exchange_state(reader);
  reader.finish();
  for (int k = 0; k < 3; ++k) whole.update(batch), after.update(batch);
  EXPECT_EQ(whole.online().weights, after.online().weights);
  EXPECT_EQ(whole.target().weights, after.target().weights);
}

}  // namespace
}  // namespace agon
