// agon/opponent/linear_weights.h
//
// What NOTEARS and GOLEM share: the weights W of a linear model X = X W + noise, [from][to], and the terms of their
// objectives with gradients. The rows enter only through one covariance matrix C, so no cost depends on n.
//
//   Covariance c = covariance(data, true);
//   LinearModel model(c.value, allowed_pairs(c.node, knowledge));
//   std::vector<double> w(model.pairs().size()), slope(w.size());
//   double v = model.least_squares(w, slope);         // adds its gradient to slope
//   double h = model.acyclicity(w, [](double) { return 2.5; }, slope);    // adds 2.5 times its gradient
//
//   least_squares    1/2 tr((I - W)' C (I - W))                              Zheng et al. 2018, NeurIPS 31, section 3
//   acyclicity       h = tr(e^(W o W)) - p, 0 exactly for a DAG              ibid., theorem 1
//   likelihood_ev    p/2 ln tr((I - W)' C (I - W)) - ln |det(I - W)|         Ng et al. 2020, NeurIPS 33, equation 2
//   likelihood_nv    1/2 sum_j ln ((I - W)' C (I - W))_jj - ln |det(I - W)|  ibid., equation 1
//
// Weights are listed only for the allowed pairs, sorted by (from, to). If I - W is singular, a likelihood is infinite.
//
// Both terms of fit compare variances, so the scales of the columns can decide the direction of edges
// (graph/varsortability.h). Standardised columns rule that out, and linear_answer() reports what the scales would have
// suggested.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/acyclicity.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/standard_table.h"
#include "agon/opponent/weighted_graph.h"

namespace agon {

// Sums are divided by n. With `standard`: correlations; else the covariances of the columns as they are (codes of
// categorical ones). Constant columns are omitted, as in StandardTable.
struct Covariance {
  Eigen::MatrixXd value;
  std::vector<int> node;  // by variable
  int categorical = 0;
};
Covariance covariance(const Dataset& data, bool standard);

// Pairs (from, to) of variables whose edge is not forbidden.
std::vector<Edge> allowed_pairs(const std::vector<int>& node, const Knowledge& knowledge);

class LinearModel {
 public:
  LinearModel(Eigen::MatrixXd covariance, std::vector<Edge> allowed);

  int size() const { return static_cast<int>(c_.rows()); }
  const std::vector<Edge>& pairs() const { return pairs_; }

  double least_squares(const std::vector<double>& w, std::vector<double>& slope);
  double likelihood_ev(const std::vector<double>& w, std::vector<double>& slope);
  double likelihood_nv(const std::vector<double>& w, std::vector<double>& slope);
  // Returns h and adds factor(h) * dh/dw to the slope. Weights below `tiny` count as none.
  double acyclicity(const std::vector<double>& w, const std::function<double(double h)>& factor,
                    std::vector<double>& slope, double tiny = 0);

 private:
  void load(const std::vector<double>& w);  // sets residual_ = I - W and product_ = C (I - W)
  double add_log_determinant(std::vector<double>& slope) const;

  Eigen::MatrixXd c_;
  std::vector<Edge> pairs_;
  Eigen::MatrixXd residual_, product_;
  Acyclicity<double> term_;
  std::vector<std::vector<int>> parents_;
  std::vector<std::vector<double>> squares_;
  std::vector<std::vector<int>> places_;  // of the edges in pairs_
};

struct LearnedWeights {
  std::vector<double> weights;  // by pair of the model
  double h = 0, objective = 0;
  long steps = 0;          // of the optimiser
  std::string stopped_by;  // "acyclic", "rho limit", "round limit", "steps done", "time limit", "interrupted"
};

// Edges that weigh at least the threshold, between nodes, and how they were learned.
struct LearnedEdges {
  std::vector<WeightedEdge> edges = {};
  double h = 0;
  long steps = 0;
  std::string stopped_by = {};
};

struct LinearAnswerOptions {
  bool standardise = true;
  double threshold = 0.3;
};
// A graph of the edges, in which a cycle loses its weakest edge (weighted_graph.h), and its story. `categorical`: how
// many columns are used as codes.
SearchResult answer_of_weights(const Dataset& data, const LocalScore& score, const Knowledge& knowledge,
                               LearnedEdges learned, int categorical, const LinearAnswerOptions& options);
// Learns weights of the columns and turns those of at least `threshold` into such a graph.
SearchResult linear_answer(const Dataset& data, const LocalScore& score, const LinearAnswerOptions& options,
                           const Knowledge& knowledge, const std::function<LearnedWeights(LinearModel&)>& learn);

}  // namespace agon
