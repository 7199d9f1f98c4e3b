// agon/agent/double_dqn.h
//
// The Double-DQN update (van Hasselt, Guez & Silver 2016, AAAI, eq. 4): the online network chooses the next move, the
// target network says what it is worth,
//
//   y = r + gamma Q_target(s', a*),   a* = arg max over a valid in s' of Q_online(s', a)
//   y = r                             when s' is terminal or has no valid move
//
// Departure D1: the arg max runs over the *valid* moves of s' only (docs/departures.md).
//
//   using Transition = MoveOutputs<float>::Transition;
//   Mlp net({.inputs = p * p, .hidden = {512, 512}, .outputs = 3 * p * (p - 1)}, rng);
//   DoubleDqn<MoveOutputs<float>> dqn(net, {}, {.discount = 0.99});
//   Replay<Transition> replay(200000);
//   std::vector<const Transition*> batch;
//   replay.sample(512, rng, batch);             // replay.h
//   double loss = dqn.update(batch);            // one gradient step, then target = (1 - tau) target + tau online
//
// How Q is represented is a template parameter:
//
//   MoveOutputs   one output per move, Q(s, a) = net(s)[a]: the paper's network
//   MoveScorer    one network shared by all moves, Q(s, a) = known(s, a) + weight * clamp(net(features of (s, a))),
//                 for any number of moves; `known` is what needs no learning (the reward of the move), clamp cuts to
//                 [-bound, bound] or does nothing
//
// What may be relied on: the target network equals the online network at the start; the move chosen for the target is
// always one of those listed as valid, and the first of them in a tie.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "agon/nn/mlp.h"

namespace agon {

struct DqnOptions {
  double discount = 0.99;      // gamma, [0, 1]. The paper's config
  double target_rate = 0.005;  // tau, share of the online weights moved into the target per update, (0, 1]. The paper's
  double huber = 0;            // errors beyond this count linearly (Huber 1964), > 0; 0: squared error throughout
  AdamOptions adam = {};       // learning_rate 5e-4 is the paper's
};

// Q(s, a) = net(s)[a].
template <class Real>
struct MoveOutputs {
  struct Transition {
    NetVector<Real> state;
    int move = 0;  // index of an output
    Real reward = 0;
    bool terminal = false;
    NetVector<Real> next;         // state after the move; ignored when terminal
    std::vector<int> next_valid;  // outputs of the moves valid there
  };
  struct Work {
    NetMatrix<Real> inputs, online, by_output;
    MlpWork<Real> mlp;
  };
  using Batch = std::span<const Transition* const>;

  // What each next state is worth: Q_target at the arg max of Q_online; 0 where there is no next move.
  void next_values(const BasicMlp<Real>& online, const BasicMlp<Real>& target, Batch batch, Work& work,
                   std::vector<Real>& values) const;
  Real reachable(const Transition&, Real y) const { return y; }
  // Q_online of the moves taken, without the clamp; leaves in `work` what by_weights() needs.
  void taken_values(const BasicMlp<Real>& online, Batch batch, Work& work, std::vector<Real>& values) const;
  // Adds to `gradient` the derivative, by the weights, of a loss whose derivative by those values is `by_value`.
  void by_weights(const BasicMlp<Real>& online, Batch batch, const std::vector<Real>& by_value, Work& work,
                  NetVector<Real>& gradient) const;
};

// Q(s, a) = known(s, a) + weight * clamp(net(features)), clamp(z) = z cut to [-bound, bound], or z when bound is 0.
// Learning moves z towards the clamped target with the gradient of z itself, so an output beyond the bound is pulled
// back at full speed. With a tanh it would stay there: early targets of random play are far beyond any useful bound.
template <class Real>
struct MoveScorer {
  Real weight = 1;  // > 0
  Real bound = 0;

  struct Transition {
    NetVector<Real> features;  // of the move taken
    Real known = 0;
    Real reward = 0;
    bool terminal = false;
    NetMatrix<Real> next;        // features of the moves valid afterwards, one column each
    NetVector<Real> next_known;  // by column
  };
  struct Work {
    NetMatrix<Real> inputs, online, by_output;
    MlpWork<Real> mlp;
  };
  using Batch = std::span<const Transition* const>;

  Real clamp(Real z) const { return bound > 0 ? std::clamp(z, -bound, bound) : z; }
  Real value(Real known, Real z) const { return known + weight * clamp(z); }
  // The value nearest to y that Q of this transition's move can take.
  Real reachable(const Transition& t, Real y) const { return t.known + weight * clamp((y - t.known) / weight); }

  void next_values(const BasicMlp<Real>& online, const BasicMlp<Real>& target, Batch batch, Work& work,
                   std::vector<Real>& values) const;
  void taken_values(const BasicMlp<Real>& online, Batch batch, Work& work, std::vector<Real>& values) const;
  void by_weights(const BasicMlp<Real>& online, Batch batch, const std::vector<Real>& by_value, Work& work,
                  NetVector<Real>& gradient) const;
};

inline void exchange(Archive& archive, MoveScorer<float>::Transition& t) {
  archive(t.features);
  archive(t.known);
  archive(t.reward);
  archive(t.terminal);
  archive(t.next);
  archive(t.next_known);
}

extern template struct MoveOutputs<float>;
extern template struct MoveOutputs<double>;
extern template struct MoveScorer<float>;
extern template struct MoveScorer<double>;

template <class Q, class Real = float>
class DoubleDqn {
 public:
  using Transition = typename Q::Transition;
  using Batch = std::span<const Transition* const>;

  DoubleDqn(const BasicMlp<Real>& net, const Q& q, const DqnOptions& options)
      : options_(options), q_(q), online_(net), target_(net), adam_(options.adam, net.weights().size()) {}

  const BasicMlp<Real>& online() const { return online_; }
  const BasicMlp<Real>& target() const { return target_; }
  const Q& q() const { return q_; }
  const DqnOptions& options() const { return options_; }
  long updates() const { return adam_.steps(); }

  // Computes y for each transition.
  void targets(Batch batch, std::vector<Real>& y) {
    q_.next_values(online_, target_, batch, work_, y);
    const Real discount = static_cast<Real>(options_.discount);
    for (size_t k = 0; k < batch.size(); ++k) y[k] = batch[k]->reward + discount * y[k];
  }

  // The mean loss over the batch, 1/2 (Q - y)^2 or Huber's, and its derivative by the online weights. y is held fixed.
  double loss(Batch batch, NetVector<Real>& gradient) {
    targets(batch, y_);
    q_.taken_values(online_, batch, work_, value_);
    double sum = 0;
    const double share = 1.0 / static_cast<double>(batch.size());
    for (size_t k = 0; k < batch.size(); ++k) {
      const double error = static_cast<double>(value_[k]) - q_.reachable(*batch[k], y_[k]), size = std::abs(error),
                   h = options_.huber;
      const bool linear = h > 0 && size > h;
      sum += linear ? h * (size - h / 2) : error * error / 2;
      value_[k] = static_cast<Real>(share * (linear ? std::copysign(h, error) : error));
    }
    gradient.setZero(online_.weights().size());
    q_.by_weights(online_, batch, value_, work_, gradient);
    return share * sum;
  }

  // Makes one step of Adam on the online network, then moves the target network; returns the mean loss before the step.
  double update(Batch batch) {
    const double before = loss(batch, gradient_);
    adam_.step(online_.weights(), gradient_);
    polyak(target_.weights(), online_.weights(), static_cast<Real>(options_.target_rate));
    return before;
  }

  void exchange_state(Archive& archive) {
    const auto weights = online_.weights().size();
    archive(online_.weights());
    archive(target_.weights());
    Archive::demand(online_.weights().size() == weights && target_.weights().size() == weights);
    adam_.exchange_state(archive);
  }

 private:
  DqnOptions options_;
  Q q_;
  BasicMlp<Real> online_, target_;
  Adam<Real> adam_;
  typename Q::Work work_;
  std::vector<Real> y_, value_;
  NetVector<Real> gradient_;
};

}  // namespace agon
