// agon/score/test_oracle.h
//
// A score that knows the true graph, for oracle tests: a search that is right in the limit of large samples must return
// the class of that graph.
//
// How it works. It is the Gaussian BIC of `rows` rows whose covariance is exactly that of a linear model with
// random weights on the graph. So a difference of local scores is positive exactly when the partial correlation is not
// zero. Such a score is decomposable and score-equivalent by construction. A score made up from d-separation answers
// alone is not (Tetrad's GraphScore, +1 and -1 per question, depends on the order of the questions). What can go wrong
// is an unlucky draw of weights that nearly cancel along two paths. So every batch of gains is checked against
// d-separation in the graph itself: mismatches() counts the answers whose sign is not the graph's, and a test asserts
// that there are none. Columns have variance 1, so that a node without parents scores 0 and the tie tolerance stays far
// below the penalty.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "agon/base/rng.h"
#include "agon/graph/d_separation.h"
#include "agon/score/local_score.h"

namespace agon::test {

class OracleScore final : public LocalScore {
 public:
  OracleScore(const Dag& truth, Rng rng, double rows = 1e13) : truth_(truth), n_(rows) {
    const int p = truth.size();
    traits_.name = "oracle";
    traits_.max_parents = p;
    traits_.constant.assign(p, false);
    // x = B'x + e with independent e: covariance (I - B)^-T D (I - B)^-1, then scaled to correlations.
    Eigen::MatrixXd b = Eigen::MatrixXd::Zero(p, p);
    for (const Edge& e : truth.edges()) b(e.from, e.to) = (rng.below(2) ? 1 : -1) * rng.uniform(0.4, 1.0);
    Eigen::VectorXd d(p);
    for (Node v = 0; v < p; ++v) d(v) = rng.uniform(0.5, 1.5);
    const Eigen::MatrixXd a = (Eigen::MatrixXd::Identity(p, p) - b).inverse();
    const Eigen::MatrixXd covariance = a.transpose() * d.asDiagonal() * a;
    const Eigen::VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
    correlation_ = scale.asDiagonal() * covariance * scale.asDiagonal();
  }

  const ScoreTraits& traits() const override { return traits_; }

  double local(Node child, Parents parents) const override {
    const int k = static_cast<int>(parents.size());
    Eigen::MatrixXd block(k, k);
    Eigen::VectorXd with(k);
    for (int i = 0; i < k; ++i) {
      with(i) = correlation_(parents[i], child);
      for (int j = 0; j < k; ++j) block(i, j) = correlation_(parents[i], parents[j]);
    }
    const double residual = 1 - (k > 0 ? with.dot(block.llt().solve(with)) : 0.0);
    return -0.5 * n_ * std::log(residual) - 0.5 * std::log(n_) * k;
  }

  double addition_gains(Node child, Parents parents, std::span<double> gains) const override {
    const double now = local(child, parents);
    NodeSet given(size());
    for (Node q : parents) given.insert(q);
    for (Node v = 0; v < size(); ++v) {
      gains[v] = kNoGain;
      if (v == child || given.contains(v)) continue;
      // Judged by the partial correlation, since n times the difference of two logarithms would drown a small one.
      gains[v] = -0.5 * n_ * std::log1p(-squared_partial(child, v, parents)) - 0.5 * std::log(n_);
      if ((gains[v] > 0) == d_separated(truth_, child, v, given)) ++mismatches_;
    }
    return now;
  }

  double removal_gains(Node child, Parents parents, std::span<double> gains) const override {
    NodeSet given(size());
    for (Node q : parents) given.insert(q);
    for (size_t k = 0; k < parents.size(); ++k) {
      std::vector<Node> rest(parents.begin(), parents.end());
      std::erase(rest, parents[k]);
      given.erase(parents[k]);
      gains[k] = 0.5 * n_ * std::log1p(-squared_partial(child, parents[k], rest)) + 0.5 * std::log(n_);
      if ((gains[k] > 0) != d_separated(truth_, child, parents[k], given)) ++mismatches_;
      given.insert(parents[k]);
    }
    return local(child, parents);
  }

  long mismatches() const { return mismatches_; }

 private:
  double squared_partial(Node a, Node b, Parents given) const {
    std::vector<Node> nodes(given.begin(), given.end());
    nodes.push_back(a);
    nodes.push_back(b);
    const int k = static_cast<int>(nodes.size());
    Eigen::MatrixXd block(k, k);
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < k; ++j) block(i, j) = correlation_(nodes[i], nodes[j]);
    }
    const Eigen::MatrixXd precision = block.inverse();
    return precision(k - 1, k - 2) * precision(k - 1, k - 2) / (precision(k - 1, k - 1) * precision(k - 2, k - 2));
  }

  Dag truth_;
  double n_;
  ScoreTraits traits_;
  Eigen::MatrixXd correlation_;
  mutable long mismatches_ = 0;
};

}  // namespace agon::test
