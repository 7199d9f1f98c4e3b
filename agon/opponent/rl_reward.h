// agon/opponent/rl_reward.h
//
// What RL-BIC2, KCRL and CORL are rewarded for: residual sums of squares of regressions, the scores made of them, and
// which of all graphs ever sampled has been the best.
//
//   Regressions fits(table, Regression::kLinear);
//   fits.residual(2, {0, 1});                        // mean square of column 2 given columns 0 and 1
//   GraphScore score(fits, Variances::kEqual);
//   score.relative(parents);                         // 0: the complete graph without its price, 5: the empty graph
//
//   equal variances      S = ln(sum_i RSS_i / n + 1e-8) + edges ln n / (n d)     (Zhu, Ng & Chen 2020, "RL-BIC2")
//   different variances  S = sum_i ln(RSS_i / n + 1e-8) + edges ln n / n         (ibid., "RL-BIC")
//
// Smaller is better. Logarithms are those of dense_kernels.h, so that rewards have the same bits on every machine.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "agon/base/archive.h"
#include "agon/opponent/acyclicity.h"
#include "agon/opponent/standard_table.h"

namespace agon {

enum class Regression { kLinear, kQuadratic, kGaussianProcess };
enum class Variances { kEqual, kDifferent };

using ParentLists = std::vector<std::vector<int>>;  // by child, ascending; cycles are allowed

// Regressions of one column on others, with an intercept, each computed once.
class Regressions {
 public:
  // A Gaussian process wants standardised columns: kernel exp(-|x - x'|^2 / 2) of the parents divided by the median
  // distance of two rows, noise 1e-10, and 1 is added to the sum of squares (as the authors do).
  Regressions(const StandardTable& table, Regression kind);

  int size() const { return d_; }
  double rows() const { return n_; }
  Regression kind() const { return kind_; }
  double residual(int child, const std::vector<int>& parents);  // RSS / n
  // The largest |coefficient| of a term that contains the parent, in parent order. Not for Gaussian processes.
  std::vector<double> coefficients(int child, const std::vector<int>& parents) const;
  // RSS / n of every variable given all before it in the order: one Cholesky factorisation. Linear only.
  void residuals_in_order(const std::vector<int>& order, std::vector<double>& residuals);
  long fitted() const { return fitted_; }  // regressions computed, not found in the cache

 private:
  std::vector<int> terms_of(const std::vector<int>& parents) const;
  double process_residual(int child, const std::vector<int>& parents) const;

  int d_;
  double n_;
  Regression kind_;
  Eigen::MatrixXd moments_;  // covariances of the terms: the columns, then their products a <= b
  Eigen::MatrixXd columns_;  // for Gaussian processes: [row][variable]
  std::unordered_map<std::string, double> cache_;
  long fitted_ = 0;
  Eigen::MatrixXd work_;
};

class GraphScore {
 public:
  GraphScore(Regressions& fits, Variances variances);

  double raw(const ParentLists& parents);       // S
  double relative(const ParentLists& parents);  // 5 (S - S_L) / (S_U - S_L)
  double low() const { return low_; }           // S_L: everything on everything else, without the price of edges
  double high() const { return high_; }         // S_U: the empty graph

 private:
  double without_price(const ParentLists& parents);

  Regressions& fits_;
  Variances variances_;
  double low_, high_;
};

// h(A) = tr(e^A) - d on a matrix of zeros and ones: 0 exactly for a DAG.
class CycleCount {
 public:
  double operator()(const ParentLists& parents);

 private:
  Acyclicity<double> term_;
  std::vector<std::vector<double>> ones_;
};

// A sampled graph: its relative score, its h, and how many statements of the knowledge it contradicts.
struct SampledGraph {
  std::vector<uint64_t> bits;  // [child][parent], packed
  double score = 0, cycles = 0, contradictions = 0;
};
void exchange(Archive& archive, SampledGraph& graph);

// The graphs that are best under some weights of the three figures: no other is better in one and as good in the rest.
// So the best of all graphs ever offered is among them, however the weights change later.
class ParetoFront {
 public:
  void offer(const SampledGraph& graph);
  const std::vector<SampledGraph>& graphs() const { return graphs_; }
  void exchange_state(Archive& archive) { archive(graphs_); }
  // The smallest score + lambda1 [cycles] + lambda2 cycles + beta contradictions; nullptr when there is none.
  const SampledGraph* best(double lambda1, double lambda2, double beta, bool acyclic_only) const;

 private:
  std::vector<SampledGraph> graphs_;
};

constexpr double kCyclic = 1e-5;  // h above this: a cycle

// How the penalties on cycles rise (Zhu, Ng & Chen 2020, algorithm 1), and KCRL's on contradictions.
struct PenaltySchedule {
  explicit PenaltySchedule(int variables);  // lambda2 begins at 10^-round(d / 3)
  void update(bool best_is_acyclic, double best_score);

  double lambda1 = 0, lambda2 = 0, beta = 0;
  double ceiling = 5;  // of lambda1: the score of the best graph, once that is acyclic
};

double same_log(double x);  // the natural logarithm with the same bits on every machine

}  // namespace agon
