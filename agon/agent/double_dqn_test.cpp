#include "agon/agent/double_dqn.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/agent/replay.h"

namespace agon {
namespace {

using Outputs = MoveOutputs<double>;
using Scorer = MoveScorer<double>;

// Q(s) = W s + b with two inputs and three moves, and a target network that differs from it.
//
//          online W   b          target W   b
//   move 0  1   0     0           2   0     0
//   move 1  0   2     0           0   1     0.5
//   move 2  4   4     1           8   8     8        large: chosen if the mask is ignored
BasicMlp<double> linear(std::initializer_list<double> row_by_row, std::initializer_list<double> bias) {
  BasicMlp<double> net({.inputs = 2, .hidden = {}, .outputs = 3}, Rng(0));
  auto w = row_by_row.begin();
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 2; ++c) net.matrix(0)(r, c) = *w++;
    net.bias(0)[r] = bias.begin()[r];
  }
  return net;
}

NetVector<double> vec(std::initializer_list<double> x) {
  NetVector<double> v(static_cast<long>(x.size()));
  for (size_t k = 0; k < x.size(); ++k) v[static_cast<long>(k)] = x.begin()[k];
  return v;
}

// The three transitions worked through in the tests below.
std::vector<Outputs::Transition> hand_worked() {
  return {
      {vec({1, 0}), 0, 1.0, false, vec({1, 1}), {0, 1}},  // valid next: 0 and 1, not 2
      {vec({0, 1}), 1, -2.0, true, vec({9, 9}), {0, 1}},  // terminal: next is ignored
      {vec({2, 1}), 2, 0.5, false, vec({3, 3}), {}},      // nothing is valid afterwards
  };
}

std::vector<const Outputs::Transition*> pointers(const std::vector<Outputs::Transition>& all) {
  std::vector<const Outputs::Transition*> batch;
  for (const auto& t : all) batch.push_back(&t);
  return batch;
}

TEST(DoubleDqn, TargetNetworkEqualsTheOnlineNetworkAtTheStart) {
  const Mlp net({.inputs = 6, .hidden = {5}, .outputs = 4}, Rng(1));
  const DoubleDqn<MoveOutputs<float>> dqn(net, {}, {});
  EXPECT_EQ(dqn.online(), net);
  EXPECT_EQ(dqn.target(), net);
}

TEST(DoubleDqn, ValuesOfNextStatesByHand) {
  const auto online = linear({1, 0, 0, 2, 4, 4}, {0, 0, 1}), target = linear({2, 0, 0, 1, 8, 8}, {0, 0.5, 8});
  const auto all = hand_worked();
  Outputs::Work work;
  std::vector<double> values;
  Outputs{}.next_values(online, target, pointers(all), work, values);
  // Transition 0: online at (1, 1) is (1, 2, 9); among the valid {0, 1} the best is 1, and the target says 1 + 0.5
  // there. (The target's own maximum over them would give 2, and ignoring the mask 24.)
  EXPECT_EQ(values, (std::vector<double>{1.5, 0, 0}));
}

TEST(DoubleDqn, OneUpdateToTheLastDigit) {
  // discount 1/2, so with online = target (as at the start) the figures are exact in binary:
  //   t0: online at (1, 1) among {0, 1} is (1, 2): y = 1 + 2/2 = 2.       Q = 1 * 1 = 1.            error -1
  //   t1: y = -2.                                                         Q = 2 * 1 = 2.            error  4
  //   t2: y = 0.5.                                                        Q = 4 * 2 + 4 + 1 = 13.   error 12.5
  // Mean of error^2 / 2 over the three: (0.5 + 8 + 78.125) / 3. The gradient of W[move] is error / 3 * state, of
  // b[move] error / 3; moves 0, 1, 2 were taken at (1, 0), (0, 1), (2, 1).
  const auto net = linear({1, 0, 0, 2, 4, 4}, {0, 0, 1});
  const auto all = hand_worked();
  DoubleDqn<Outputs, double> dqn(net, {}, {.discount = 0.5, .target_rate = 0.25, .adam = {.learning_rate = 0.125}});
  std::vector<double> y;
  dqn.targets(pointers(all), y);
  EXPECT_EQ(y, (std::vector<double>{2, -2, 0.5}));
  NetVector<double> gradient;
  const double third = 1.0 / 3;
  EXPECT_DOUBLE_EQ(dqn.loss(pointers(all), gradient), (0.5 + 8 + 78.125) * third);
  const NetVector<double> expected = vec({-third, 0, 25 * third,              // first column of W
                                          0, 4 * third, 12.5 * third,         // second column
                                          -third, 4 * third, 12.5 * third});  // b
  for (int k = 0; k < 9; ++k) EXPECT_DOUBLE_EQ(gradient[k], expected[k]) << k;

  // Adam's first step is rate * gradient / (|gradient| + epsilon): one eighth against the sign, nothing where the
  // gradient is zero. Then the target moves a quarter of the way: 1/32.
  EXPECT_DOUBLE_EQ(dqn.update(pointers(all)), (0.5 + 8 + 78.125) * third);
  for (int k = 0; k < 9; ++k) {
    const double sign = expected[k] > 0 ? 1 : expected[k] < 0 ? -1 : 0;
    EXPECT_NEAR(dqn.online().weights()[k], net.weights()[k] - sign / 8, 1e-8) << k;
    EXPECT_NEAR(dqn.target().weights()[k], net.weights()[k] - sign / 32, 1e-8) << k;
  }
}

TEST(DoubleDqn, HuberLossCutsTheErrorsOff) {
  const auto net = linear({1, 0, 0, 2, 4, 4}, {0, 0, 1});
  const auto all = hand_worked();
  DoubleDqn<Outputs, double> dqn(net, {}, {.discount = 0.5, .huber = 2});
  NetVector<double> gradient;
  // Errors -1, 4, 12.5 (above): 1/2, then 2 (4 - 1) = 6 and 2 (12.5 - 1) = 23.
  EXPECT_DOUBLE_EQ(dqn.loss(pointers(all), gradient), (0.5 + 6 + 23) / 3);
  EXPECT_DOUBLE_EQ(gradient[6], -1.0 / 3);
  EXPECT_DOUBLE_EQ(gradient[7], 2.0 / 3);
  EXPECT_DOUBLE_EQ(gradient[8], 2.0 / 3);
}

TEST(DoubleDqn, AMoveOutsideTheMaskIsNeverUsed) {
  // Whatever an invalid output says, the targets stay the same.
  Rng rng(3);
  for (int round = 0; round < 50; ++round) {
    BasicMlp<double> online({.inputs = 4, .hidden = {5}, .outputs = 6}, rng.split("online", round));
    BasicMlp<double> target({.inputs = 4, .hidden = {5}, .outputs = 6}, rng.split("target", round));
    Outputs::Transition t{NetVector<double>::Zero(4), 0, 0.0, false, NetVector<double>(4), {}};
    for (double& x : t.next) x = rng.normal();
    for (int move = 0; move < 6; ++move) {
      if (rng.below(2) == 0) t.next_valid.push_back(move);
    }
    const Outputs::Transition* batch[] = {&t};
    Outputs::Work work;
    std::vector<double> before, after;
    Outputs{}.next_values(online, target, batch, work, before);
    for (int move = 0; move < 6; ++move) {
      if (std::find(t.next_valid.begin(), t.next_valid.end(), move) != t.next_valid.end()) continue;
      online.bias(1)[move] += 1000;
      target.bias(1)[move] -= 1000;
    }
    Outputs{}.next_values(online, target, batch, work, after);
    EXPECT_EQ(before, after);
    EXPECT_LT(std::abs(after[0]), 500);
  }
}

TEST(DoubleDqn, OutputsBehindAHiddenLayerHaveTheRightGradient) {
  Rng rng(9);
  const BasicMlp<double> net({.inputs = 3, .hidden = {5}, .outputs = 4}, rng);
  const auto state = [&] { return vec({rng.normal(), rng.normal(), rng.normal()}); };
  std::vector<Outputs::Transition> all;
  for (int k = 0; k < 6; ++k) {
    all.push_back(
        {state(), k % 4, rng.normal(), k == 2, state(), k == 4 ? std::vector<int>{} : std::vector<int>{1, 3}});
  }
  const auto batch = pointers(all);
  DoubleDqn<Outputs, double> dqn(net, {}, {.discount = 0.9});
  NetVector<double> gradient;
  const double at_net = dqn.loss(batch, gradient);
  std::vector<double> y;
  dqn.targets(batch, y);
  const auto loss_at = [&](const BasicMlp<double>& at) {  // y held fixed
    MlpWork<double> work;
    double sum = 0;
    for (size_t k = 0; k < 6; ++k) sum += std::pow(at.forward_one(all[k].state, work)[all[k].move] - y[k], 2) / 2;
    return sum / 6;
  };
  EXPECT_NEAR(at_net, loss_at(net), 1e-12);
  for (long k = 0; k < gradient.size(); ++k) {
    BasicMlp<double> above = net, below = net;
    above.weights()[k] += 1e-6;
    below.weights()[k] -= 1e-6;
    EXPECT_NEAR(gradient[k], (loss_at(above) - loss_at(below)) / 2e-6, 1e-7) << k;
  }
}

// f(x) = 2 x online, -x target, on one feature.
BasicMlp<double> slope(double by) {
  BasicMlp<double> net({.inputs = 1, .hidden = {}, .outputs = 1}, Rng(0));
  net.matrix(0)(0, 0) = by;
  return net;
}

TEST(DoubleDqn, SharedScorerByHand) {
  // Q = known + 3 f. Next moves have features 1, 2 and known 4, 0: online 4 + 6 = 10 and 0 + 12 = 12, so the second is
  // chosen, which the target values at 0 - 6.
  Scorer::Transition t{vec({1}), 1.0, 1.0, false, NetMatrix<double>(1, 2), vec({4, 0})};
  t.next << 1, 2;
  const Scorer::Transition* batch[] = {&t};
  Scorer::Work work;
  std::vector<double> values;
  const Scorer q{.weight = 3};
  q.next_values(slope(2), slope(-1), batch, work, values);
  EXPECT_EQ(values, std::vector<double>{-6});
  // Update with online = target: y = 1 + 12 / 2 = 7, Q = 1 + 3 * 2 = 7: no error. With known 0: error -1, and the
  // derivative by the slope is error * weight * feature = -3.
  DoubleDqn<Scorer, double> dqn(slope(2), q, {.discount = 0.5});
  NetVector<double> gradient;
  EXPECT_EQ(dqn.loss(batch, gradient), 0);
  t.known = 0;
  EXPECT_EQ(dqn.loss(batch, gradient), 0.5);
  EXPECT_EQ(gradient[0], -3);
  EXPECT_EQ(gradient[1], -3);
  t.terminal = true;  // y = 1, Q = 6
  EXPECT_EQ(dqn.loss(batch, gradient), 12.5);
}

TEST(DoubleDqn, BoundedScorerHasTheRightGradient) {
  Rng rng(8);
  const Scorer q{.weight = 0.9, .bound = 0.5};
  const MlpShape shape{.inputs = 3, .hidden = {4}, .outputs = 1};
  BasicMlp<double> net(shape, rng);
  std::vector<Scorer::Transition> all;
  std::vector<const Scorer::Transition*> batch;
  for (int k = 0; k < 5; ++k) {
    Scorer::Transition t{vec({rng.normal(), rng.normal(), rng.normal()}), rng.normal(), rng.normal(), k == 2, {}, {}};
    t.next = NetMatrix<double>::NullaryExpr(3, k, [&] { return rng.normal(); });  // the first has no next move
    t.next_known = NetVector<double>::NullaryExpr(k, [&] { return rng.normal(); });
    all.push_back(t);
  }
  for (const auto& t : all) batch.push_back(&t);
  DoubleDqn<Scorer, double> dqn(net, q, {.discount = 0.9});
  NetVector<double> gradient;
  dqn.loss(batch, gradient);
  std::vector<double> y;
  dqn.targets(batch, y);
  const auto loss_at = [&](const BasicMlp<double>& at) {  // y held fixed
    Scorer::Work work;
    std::vector<double> value;
    q.taken_values(at, batch, work, value);
    double sum = 0;
    for (size_t k = 0; k < 5; ++k) sum += std::pow(value[k] - q.reachable(all[k], y[k]), 2) / 2;
    return sum / 5;
  };
  for (long k = 0; k < gradient.size(); ++k) {
    BasicMlp<double> above = net, below = net;
    above.weights()[k] += 1e-6;
    below.weights()[k] -= 1e-6;
    EXPECT_NEAR(gradient[k], (loss_at(above) - loss_at(below)) / 2e-6, 1e-7) << k;
  }
}

TEST(DoubleDqn, BoundedScorerCutsTargetsAndItsOwnValues) {
  // Q = known + clamp(2 x) to [-1, 1]. At feature 3 the network says 6, which counts as 1; the target 1 + 8 + 1 is
  // beyond known + 1 = 2 and is cut to it. The network's own 6 is not cut in learning: error 1 + 6 - 2 = 5.
  Scorer::Transition t{vec({3}), 1.0, 1.0, false, NetMatrix<double>(1, 1), vec({8})};
  t.next << 3;
  const Scorer::Transition* batch[] = {&t};
  const Scorer q{.weight = 1, .bound = 1};
  DoubleDqn<Scorer, double> dqn(slope(2), q, {.discount = 1});
  std::vector<double> y;
  dqn.targets(batch, y);
  EXPECT_EQ(y, std::vector<double>{1 + 8 + 1});
  NetVector<double> gradient;
  EXPECT_EQ(dqn.loss(batch, gradient), 12.5);
  EXPECT_EQ(gradient[0], 15);
}

TEST(DoubleDqn, LearnsTheValuesOfATwoStepCorridor) {
  // States 0 -> 1 -> end; move 0 continues (reward 0, then 1), move 1 ends at once (reward 0.5). With discount 0.9 the
  // values are Q(0) = (0.9, 0.5), Q(1) = (1, 0.5). Output 2 is never valid.
  const auto state = [](int s) { return vec({s == 0 ? 1.0 : 0.0, s == 1 ? 1.0 : 0.0}); };
  Replay<Outputs::Transition> replay(4);
  replay.add({state(0), 0, 0, false, state(1), {0, 1}});
  replay.add({state(0), 1, 0.5, true, {}, {}});
  replay.add({state(1), 0, 1, true, {}, {}});
  replay.add({state(1), 1, 0.5, true, {}, {}});
  DoubleDqn<Outputs, double> dqn(linear({0, 0, 0, 0, 9, 9}, {0, 0, 9}), {},
                                 {.discount = 0.9, .target_rate = 0.05, .adam = {.learning_rate = 0.02}});
  Rng rng(1);
  std::vector<const Outputs::Transition*> batch;
  for (int k = 0; k < 2000; ++k) {
    replay.sample(8, rng, batch);
    dqn.update(batch);
  }
  MlpWork<double> work;
  EXPECT_NEAR(dqn.online().forward_one(state(0), work)[0], 0.9, 0.01);
  EXPECT_NEAR(dqn.online().forward_one(state(0), work)[1], 0.5, 0.01);
  EXPECT_NEAR(dqn.online().forward_one(state(1), work)[0], 1, 0.01);
}

}  // namespace
}  // namespace agon
