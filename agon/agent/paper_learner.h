// agon/agent/paper_learner.h
//
// The network of the published challenger and its Double-DQN update, made affordable. The network is that of the paper,
// p^2 inputs, hidden layers of ReLUs, 3p(p - 1) outputs, and the update is that of double_dqn.h. What is saved is work
// whose result nobody reads:
//
//   - a state is a graph, a few edges among p^2 inputs: its first layer is a sum of columns, and that of the next state
//     differs from it by one column or two;
//   - the target network is asked for one output per transition, the online network for the outputs of valid moves;
//   - one output per transition is trained, so only its weights have a gradient;
//   - weights of an input or an output that no batch has had yet are still as they were drawn, in both networks and for
//     Adam, and are passed over.
//
// The products between hidden layers are those of dense_kernels.h, with the same bits on every x86-64.
//
//   PaperLearner learner(8, Mlp({.inputs = 64, .hidden = {512, 512}, .outputs = 168, .leak = 0}, rng), {});
//   PaperMemory memory;                                     // what a move did, in compact form
//   const PaperMemory* batch[] = {&memory};
//   double loss = learner.update(batch);                    // one gradient step, then the target network follows
//
// What may be relied on: the same weights, up to rounding, as DoubleDqn<MoveOutputs<float>> (double_dqn.h) gives for
// the same transitions; paper_learner_test.cpp compares them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "agon/graph/dag.h"
#include "agon/nn/dense_kernels.h"
#include "agon/nn/mlp.h"

namespace agon {

// The index of an edge among the inputs, and of a move among the outputs: 3 * pair(from, to) + kind.
int paper_input(int nodes, Edge edge);
int paper_output(int nodes, EdgeMove move);

// A transition. The moves valid afterwards are mostly additions: these take one bit for each ordered pair.
struct PaperMemory {
  std::vector<int> inputs;  // of the edges before the move
  EdgeMove move{MoveKind::kAdd, 0, 0};
  float reward = 0;
  std::vector<uint64_t> next_additions;  // by paper_output() / 3
  std::vector<int> next_others;          // outputs of the removals and reversals

  void set_next(const std::vector<EdgeMove>& valid, int nodes);

  friend void exchange(Archive& archive, PaperMemory& memory) {
    archive(memory.inputs);
    archive(memory.move);
    archive(memory.reward);
    archive(memory.next_additions);
    archive(memory.next_others);
  }
};

enum class PaperOptimizer { kAdam, kSgd };

struct PaperLearning {
  double discount = 0.99;      // gamma
  double target_rate = 0.005;  // tau
  PaperOptimizer optimizer = PaperOptimizer::kAdam;
  double learning_rate = 5e-4;
  double clip = 0;        // a longer gradient is shortened to this norm; 0: never
  int rate_steps = 0;     // after so many updates, again and again, the rate is multiplied by rate_decay; 0: never
  double rate_decay = 1;  // (0, 1]
};

// The weights: a column for each input, the layers between as they are in an Mlp, a row for each output.
class PaperNetwork {
 public:
  explicit PaperNetwork(const Mlp& net);
  Mlp as_mlp() const;

  const std::vector<int>& hidden() const { return hidden_; }
  long size() const { return static_cast<long>(weights.size()); }

  // Where parts begin among the weights.
  long column(int input) const { return static_cast<long>(input) * hidden_[0]; }
  long row(int output) const { return rows_ + static_cast<long>(output) * hidden_.back(); }
  long matrix(int layer) const { return layer_[layer]; }  // from hidden layer `layer` - 1 to `layer`, from 1 on
  long bias(int layer) const {
    return layer_[layer] + (layer == 0 ? 0 : static_cast<long>(hidden_[layer]) * hidden_[layer - 1]);
  }
  long output_bias() const { return output_bias_; }

  std::vector<float> weights;

 private:
  int inputs_, outputs_;
  std::vector<int> hidden_;
  std::vector<long> layer_;  // by hidden layer; of the first one there is the bias alone
  long rows_ = 0, output_bias_ = 0;
};

// The first layer of the network, W x + b, of a graph with adjacency x that is edited move by move.
class FirstLayer {
 public:
  void rebuild(const PaperNetwork& net, const Dag& dag);  // after the weights or the whole graph changed
  void play(const PaperNetwork& net, int nodes, EdgeMove move);
  std::span<const float> value() const { return value_; }

 private:
  std::vector<float> value_;
};

class PaperLearner {
 public:
  PaperLearner(int nodes, const Mlp& start, const PaperLearning& options);

  // The arg max of Q_online over `valid`, the first in a tie; at least one must be.
  EdgeMove best(const FirstLayer& first, const std::vector<EdgeMove>& valid);
  // One step on the mean of (Q - y)^2 over the batch; returns that mean, as it was before the step.
  double update(std::span<const PaperMemory* const> batch);

  const PaperNetwork& online() const { return online_; }
  const PaperNetwork& target() const { return target_; }
  long updates() const { return updates_; }
  void exchange_state(Archive& archive);

 private:
  using Batch = std::span<const PaperMemory* const>;
  using Activation = std::vector<std::vector<float>>;  // by hidden layer, one column for each transition

  static constexpr long kChunk = 1024;  // weights that are stepped at a time

  void product(const DenseMatrix<float>& a, const DenseMatrix<float>& b, int m, int k, int n, float* c, long stride);
  static float output(const PaperNetwork& net, int output, const float* hidden);
  void first_layer(const PaperNetwork& net, Batch batch, std::vector<float>& out) const;
  void play_moves(const PaperNetwork& net, Batch batch, std::vector<float>& out) const;
  void hidden_layers(const PaperNetwork& net, Activation& all, int columns);
  void targets(Batch batch);
  double backward(Batch batch);
  void step();
  template <class Visit>
  void for_each_part(const std::vector<char>& inputs, const std::vector<char>& outputs, Visit visit) const;

  int nodes_;
  PaperLearning options_;
  PaperNetwork online_, target_;
  std::vector<float> gradient_, mean_, square_;  // laid out as the weights; the last two are Adam's
  std::vector<char> input_met_, output_met_;     // a batch has had it, so that its weights may have changed
  std::vector<char> input_here_, output_here_;   // the present batch has it
  long updates_ = 0;

  Activation now_, next_;  // of the states before and after the moves
  std::vector<float> additions_, back_, back_next_, y_, scratch_;
};

}  // namespace agon
