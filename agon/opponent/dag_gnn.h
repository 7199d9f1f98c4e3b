// agon/opponent/dag_gnn.h
//
// DAG-GNN: a variational autoencoder around a weighted matrix A (Yu, Chen, Gao & Yu 2019, ICML). f and g are small
// networks of one number, the same for all variables; w is a shift; A = sinh(3 a).
//
//   SearchResult r = dag_gnn(data, score, {}, Rng(0), watch, knowledge);
//
//   encoder  z = (I - A')(f(x) + w) - w            decoder  y = g((I - A')^-1 (z + w) - w)
//   loss     1/(2B) sum |x - y|^2 + 1/(2B) sum |z|^2 + lambda h + c/2 h^2 + 100 sum A_ii^2 + tau sum |A|
//            h = tr((I + A o A / d)^d) - d
//
// The released program passes the mean of z to the decoder. The two matrices then cancel: y = g(f(x)) whatever A is,
// and A learns from |z|^2 alone. That is least squares as in NOTEARS, on a transform of the data that g holds in place.
// This is the default; `sample` adds the normal noise of the paper to z, one draw per row, and is another method.
//
// An augmented Lagrangian drives h to 0: 300 passes over the rows per subproblem, in batches of 100 in file order; c
// grows tenfold until h has fallen to a quarter. Edges are the entries of A of at least `threshold`; a cycle loses its
// weakest edge (weighted_graph.h).
//
// What may be relied on: the answer is acyclic and satisfies the knowledge (forbidden entries of A stay 0, required
// edges are added). It uses one thread and gives the same bits on every machine. Columns are used as they are, as the
// authors do, so their scales may decide directions: the answer reports its varsortability. If cut short, it can be
// resumed (opponent.h).
#pragma once

#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/nn/layers.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/standard_table.h"
#include "agon/score/local_score.h"

namespace agon {

struct DagGnnOptions {  // defaults are those of the released program
  int units = 64;       // hidden, of f and of g
  int batch = 100;      // rows of a step
  int epochs = 300;     // passes over the rows, per subproblem
  bool sample = false;  // add noise to z
  double sparsity = 0;  // tau
  double threshold = 0.3;
  double h_end = 1e-8;
  bool standardise = false;
  long max_steps = 0;  // 0: no limit
};

// Seconds of one core that a run will take, from the shape of the table alone.
double dag_gnn_forecast(int variables, double rows, const DagGnnOptions& options);

// The model, for whoever trains or tests it. `Real` is float in training and double where gradients are checked.
template <class Real>
class DagGnnNet {
 public:
  // Weights of f and g normal with variance 2 / (in + out), biases of f uniform on +-1/sqrt(in), all else 0.
  // allowed[from * variables + to]: whether the entry of A may differ from 0.
  DagGnnNet(int variables, int units, std::vector<char> allowed, Rng rng);

  std::vector<double> matrix() const;  // A, [from][to]

  // The terms of the loss without those of h and tau, for `rows` rows of x ([row][variable]), and its gradient by all
  // weights. noise: as large as x, or nullptr for the released form.
  double loss(const Real* x, int rows, const Real* noise);
  // Of the last loss(), [row][variable]: y, and z without noise.
  const std::vector<Real>& decoded() const { return y_; }
  const std::vector<Real>& transformed() const { return u_; }  // f(x) + w
  const std::vector<Real>& codes() const { return z_; }
  // Adds to the gradient that of a term with this derivative by A.
  void add_slope(const std::vector<double>& by_matrix);
  void step(double rate, double sparsity);  // Adam, then the soft threshold on a
  void exchange_state(Archive& archive);    // weights and moments

  NetVector<Real>& weights() { return weights_; }
  const NetVector<Real>& gradient() const { return gradient_; }

 private:
  struct Scalar {  // a network of one number
    Linear<Real> wide, narrow;
  };
  ScalarNet<Real> kernel_of(const Scalar& net) const;
  void apply(const Scalar& net, const std::vector<Real>& in, std::vector<Real>& out);
  void apply_back(const Scalar& net, const std::vector<Real>& in, const std::vector<Real>& by_out, Real* by_in);
  void draw(const Scalar& net, bool biases, Rng rng);
  void fill_matrix(std::vector<Real>& a) const;

  int d_;
  WeightLayout layout_;
  Scalar f_, g_;
  long shift_, a_;  // where w and a begin
  std::vector<char> allowed_;
  NetVector<Real> weights_, gradient_;
  Adam<Real> adam_;
  std::vector<Real> x_, v_, u_, z_, y_, by_v_, by_a_, matrix_, inverse_, scratch_;
};

// h and its gradient by A, both [from][to].
double dag_gnn_acyclicity(const std::vector<double>& a, int variables, std::vector<double>* slope);

SearchResult dag_gnn(const Dataset& data, const LocalScore& score, const DagGnnOptions& options = {}, Rng rng = Rng(0),
                     const Watch& watch = {}, const Knowledge& knowledge = {}, const SavedSearch& saved = {});

extern template class DagGnnNet<float>;
extern template class DagGnnNet<double>;

}  // namespace agon
