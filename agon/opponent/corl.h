// agon/opponent/corl.h
//
// CORL: a policy over orders of the variables, learned by reinforcement on the one table (Wang, Du, Zhu, Ke, Chen, Hao
// & Wang 2021, IJCAI). An encoder (nn/layers.h) sees random rows, and a decoder builds the order node by node, causes
// first. What stands before a node are its possible parents, so no penalty on cycles is needed.
//
//   SearchResult r = corl(data, score, {.per_step = true}, Rng(0), watch, knowledge);
//
// With `per_step` each node is rewarded by -RSS/n given all before it; returns are discounted by 0.98, and a critic
// judges the input of the decoder. Otherwise the whole order is rewarded by -ln(sum RSS/n), less a running mean and a
// critic of the encoder's mean output. (The released programs call the first CORL1 and the second CORL2; their
// documentation says the reverse.) Gradients do not flow through time: every step of every episode is a sample of its
// own, with the state of the decoder held constant. All rewards of an order are one Cholesky factorisation.
//
// What may be relied on: the answer is acyclic and satisfies the knowledge (a node comes after its required causes, and
// forbidden edges are left out of its parents). One thread, the same bits on every machine. Columns are used as they
// are unless `standardise`. If cut short, it answers with the best order so far, and can be resumed (opponent.h). The
// training looks at `score` only if `own_score`. Departures from the paper: docs/departures.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/nn/layers.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/rl_reward.h"
#include "agon/score/local_score.h"

namespace agon {

struct CorlOptions {  // defaults are those of the authors' program
  bool per_step = true;
  Variances variances = Variances::kEqual;
  bool own_score = false;  // parents by forward selection with the score of the run; the answer is not pruned
  bool standardise = false;
  int batch = 64, rows = 64;               // orders of an iteration, a multiple of 8; rows that a token sees
  int width = 64, heads = 16, blocks = 3;  // of the encoder
  long iterations = 20'000;
  long patience = 0;  // end after so many iterations without a better order; 0: never
  double actor_rate = 1e-4, critic_rate = 1e-3;
  double discount = 0.98;
  double threshold = 0.3;  // of pruning, on raw coefficients
};

struct CorlForecast {
  double seconds = 0, bytes = 0;
};
CorlForecast corl_forecast(int variables, const CorlOptions& options);

// The policy: LSTM cell, glimpse and pointer. `Real` is float in training and double where gradients are checked.
template <class Real>
class OrderPolicy {
 public:
  // before[v]: the variables that must stand before v.
  OrderPolicy(const CorlOptions& options, int variables, std::vector<std::vector<int>> before, Rng rng);

  // Draws an order per episode. inputs as in EdgePolicy.
  void sample(const Real* inputs, Rng& rng);
  // The same orders again with the present weights and the decoder's states of the last sample(): for tests.
  void replay(const Real* inputs);
  int chosen(int step, int episode) const { return order_[step * batch_ + episode]; }
  Real log_probability(int step, int episode) const;
  // The gradient of the sum over steps and episodes of -weight[step * batch + episode] * ln p.
  void actor_gradient(const std::vector<Real>& weight);
  void step(double rate) {
    adam_.set_learning_rate(rate);
    adam_.step(weights_, gradient_, layout_.tensors(), 1);
  }
  void exchange_state(Archive& archive);  // weights and moments
  // The decoder's inputs, width x (steps * batch), and the mean of the encoder, width x batch: what critics see.
  const std::vector<Real>& states() const { return x_; }
  const std::vector<Real>& mean() const { return mean_; }

  NetVector<Real>& weights() { return weights_; }
  const NetVector<Real>& gradient() const { return gradient_; }

 private:
  struct Attention {  // scores v . tanh(Z W_r + q W_q) of the nodes, and their softmax
    Linear<Real> nodes, query;
    long v = 0;
    std::vector<Real> base, tanh, weight;  // Z W_r; by step; by step
    std::vector<Real> asked, by_base;      // q W_q of a step
  };
  void add(Attention& part);
  void encode(const Real* inputs);
  void decode(int step);
  void attend(Attention& part, const Real* query, int step);
  // by_score, tokens x batch, becomes the gradient by the weights of the part, by_base and by the query (added).
  void attend_back(Attention& part, const Real* query, int step, const std::vector<Real>& by_score, Real* by_query);
  long at(int channel, int step) const { return (static_cast<long>(channel) * d_ + step) * batch_; }
  void copy_step(const std::vector<Real>& all, int step, std::vector<Real>& one, int channels) const;

  int d_, batch_, width_;
  std::vector<std::vector<int>> before_;
  WeightLayout layout_;
  Encoder<Real> encoder_;
  Linear<Real> cell_;
  long cell_start_;
  Attention glimpse_, pointer_;
  NetVector<Real> weights_, gradient_;
  Adam<Real> adam_;
  EncoderWork<Real> work_;
  std::vector<Real> mean_, scratch_;
  std::vector<Real> x_, h_, c_;                        // before each step, width x (steps * batch)
  std::vector<Real> gates_, next_c_, next_h_, query_;  // of each step; gates after their functions: i, g, f, o
  std::vector<char> open_;                             // [step][node][episode]: may be chosen
  std::vector<int> order_;
};

// G_t = r_t + discount G_(t + 1), from the rewards of the places of an order.
std::vector<double> discounted_returns(const std::vector<double>& rewards, double discount);

SearchResult corl(const Dataset& data, const LocalScore& score, const CorlOptions& options = {}, Rng rng = Rng(0),
                  const Watch& watch = {}, const Knowledge& knowledge = {}, const SavedSearch& saved = {});

extern template class OrderPolicy<float>;
extern template class OrderPolicy<double>;

}  // namespace agon
