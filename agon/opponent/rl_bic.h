// agon/opponent/rl_bic.h
//
// RL-BIC2: a policy over graphs learned by reinforcement on the one table (Zhu, Ng & Chen 2020, ICLR). An encoder
// (nn/layers.h) sees random rows, a decoder turns the d outputs into a probability per possible edge, graphs are
// sampled, and those with a good score and few cycles are made more likely.
//
//   SearchResult r = rl_bic(data, score, {}, Rng(0), watch, knowledge);
//
//   reward   -(S + lambda1 [cyclic] + lambda2 h + beta contradictions)     S, h: rl_reward.h
//   actor    mean of (reward - running mean - critic) times the cross entropy of the sample, minus entropy
//   critic   its squared error; its gradient reaches the encoder too
//
// Every 1000 iterations the penalties on cycles rise. The best graph is nearly a complete DAG: the method finds an
// order, and pruning by regression coefficients finds the edges.
//
// KCRL (Hasan & Gani 2022, PMLR 182) is the option `soft_knowledge`: required and forbidden edges are no rules for the
// policy, but every contradiction costs up to 1 of the 5 units of S.
//
// What may be relied on: the answer is acyclic and satisfies the knowledge, with KCRL by repair at the end. One thread,
// the same bits on every machine. Columns are used as they are unless `standardise`. If cut short, it answers with the
// best graph so far, and can be resumed (opponent.h). The training looks at `score` only if `own_score`. Departures
// from the paper: docs/departures.md.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/nn/layers.h"
#include "agon/opponent/edge_decoder.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/rl_reward.h"
#include "agon/score/local_score.h"

namespace agon {

struct RlBicOptions {  // defaults are those of the authors' program
  Regression regression = Regression::kLinear;
  Variances variances = Variances::kEqual;
  bool own_score = false;       // reward with the score of the run instead of a regression; the answer is not pruned
  bool soft_knowledge = false;  // KCRL
  bool standardise = false;
  int batch = 64;  // graphs of an iteration, a multiple of 8
  int rows = 0;    // of the table that a token sees; 0: 64, and 128 from 30 variables on or with processes
  int width = 64, heads = 16, blocks = 6;  // of the encoder
  EdgeDecoderKind decoder = EdgeDecoderKind::kPair;
  int units = 16;  // hidden, of a pair
  // What a trained number, added to every logit, begins with. Absent: -10 from 30 variables on, two parents a node with
  // the score of the run, else there is no such number.
  std::optional<double> bias = {};
  long iterations = 0;  // 0: 20,000; quadratic 30,000; from 30 variables on 40,000; KCRL 10,000
  long patience = 0;    // end after so many iterations without a better graph; 0: never
  int penalty_every = 1000;
  double rate = 1e-3;      // times 0.96 every 5000 iterations
  double threshold = 0.3;  // of pruning, on raw coefficients
};

// What a run will take, from the shape of the table alone.
struct LearnerForecast {
  double seconds = 0, bytes = 0;
};
LearnerForecast rl_bic_forecast(int variables, double rows, const RlBicOptions& options);

// The policy: probabilities of edges from rows, and the gradient of its losses. `Real` is float in training and double
// where gradients are checked.
template <class Real>
class EdgePolicy {
 public:
  // fixed[child * d + parent]: -1 never an edge, 1 always, 0 the policy decides. bias: what logits begin with, a
  // trained number if `with_bias`.
  EdgePolicy(const RlBicOptions& options, int variables, int rows, std::vector<signed char> fixed, bool with_bias,
             double bias, Rng rng);

  // inputs: `rows` x (variables * batch), value k of token i in episode b at (k * variables + i) * batch + b.
  void forward(const Real* inputs);
  const std::vector<Real>& logits() const { return logits_; }  // [child][parent][episode]
  const std::vector<Real>& judged() const { return judged_; }  // the critic, by episode
  // Draws graphs: sample[(child * d + parent) * batch + episode].
  void sample(Rng& rng, std::vector<char>& sample);
  // The gradients of both losses for a sample with these advantages (constants).
  void actor_gradient(const std::vector<char>& sample, const std::vector<Real>& advantage, Real entropy);
  void critic_gradient(const std::vector<Real>& advantage);
  // Two steps of Adam on the same moments, actor then critic.
  void step(double rate);

  void exchange_state(Archive& archive);  // weights and moments

  NetVector<Real>& weights() { return weights_; }
  const NetVector<Real>& actor() const { return by_actor_; }
  const NetVector<Real>& critic() const { return by_critic_; }

 private:
  bool decides(int pair) const { return fixed_[pair] == 0; }

  int d_, batch_;
  std::vector<signed char> fixed_;
  WeightLayout layout_;
  std::unique_ptr<EdgeDecoder<Real>> decoder_;
  long bias_;  // -1: none
  Encoder<Real> encoder_;
  size_t encoder_begin_, encoder_end_;  // places in layout_.tensors()
  Linear<Real> critic_wide_, critic_out_;
  NetVector<Real> weights_, by_actor_, by_critic_;
  Adam<Real> adam_;
  EncoderWork<Real> work_;
  std::vector<Real> logits_, sigmoid_, mean_, wide_, judged_, scratch_, by_z_;
};

// What the training found: graphs by variable of the table.
struct RlBicLearned {
  ParentLists parents;  // the best graph; it may hold cycles if no acyclic one was ever sampled
  bool acyclic = false;
  double score = 0;        // relative, of that graph
  double last_reward = 0;  // mean over the last batch
  long iterations = 0, first_acyclic = -1;
  long fitted = 0;
  PenaltySchedule penalties{1};
  std::string stopped_by;
  std::string unfinished;  // if a stop was requested: where (SearchResult)
};

// cost(parents): the relative score of a graph. contradictions(child, parent, is there): of soft knowledge.
struct RlTask {
  const StandardTable& table;
  std::function<double(const ParentLists&)> cost;
  std::vector<signed char> fixed;   // [child][parent], as EdgePolicy
  std::vector<signed char> stated;  // the same for soft knowledge: 1 stated, -1 denied
  double bias = 0;                  // of the logits, if with_bias
  bool with_bias = false;
  std::function<void(Archive&)> exchange_cost = {};  // what `cost` remembers, if that matters to its answers
};
RlBicLearned learn_rl_bic(const RlTask& task, const RlBicOptions& options, Rng rng, const Watch& watch,
                          const SavedSearch& saved = {});

SearchResult rl_bic(const Dataset& data, const LocalScore& score, const RlBicOptions& options = {}, Rng rng = Rng(0),
                    const Watch& watch = {}, const Knowledge& knowledge = {}, const SavedSearch& saved = {});

extern template class EdgePolicy<float>;
extern template class EdgePolicy<double>;

}  // namespace agon
