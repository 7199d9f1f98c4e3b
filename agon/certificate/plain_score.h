// agon/certificate/plain_score.h
//
// The scores implemented a second time, from their definitions alone, for the certificate. The search does not use this
// code, so a mistake in its scores cannot hide here too.
//
//   auto scorer = plain::discrete_bic(data, 1);       // or by the name of a score: agon/catalog/scores.h
//   plain::total(*scorer, dag).score;                 // larger is better, natural log
//   scorer->local(5, parents).score;                  // kUndefined: the parents determine the child
//
//   discrete-bic, bdeu, qnml   and the other scores of categorical tables: counts of mixed-radix row codes (agon/score:
//                              bit planes or merged rows)
//   gaussian-bic, copula-bic   one orthogonal factorisation of the centred table, families by Gram-Schmidt on its
//                              columns (agon/score: elimination in the correlation matrix)
//   mixed-bic                  plain indicators and powers, orthogonal factorisations, families by Cholesky; missing
//                              cells by EM in its textbook form (agon/score: contrasts, elimination, sweeps)
//
// Slower than agon/score by design, though not by much where all additions at a node are asked for at once. A Scorer
// refers to the Dataset, which must outlive it. Its const functions may be called from several threads.
#pragma once

#include <compare>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/dag.h"

namespace agon::plain {

class SetScores;  // plain_set_scores.h

constexpr double kUndefined = -std::numeric_limits<double>::infinity();

// A model is undefined when the parents leave at most this share of the child's variance unexplained.
constexpr double kDetermined = 1e-10;

struct Value {
  double score = 0;
  // How far from `score` another correct computation may end up because the model is nearly singular; 0 for counts.
  // The usual rounding of the last digits is not included.
  double rounding = 0;
};

struct Family {
  Node child = 0;
  std::vector<Node> parents;  // sorted
  auto operator<=>(const Family&) const = default;
};
Family family_of(const Dag& dag, Node child);

// Local scores of some families when row i occurs weights[i] times, whatever its own weight; the weights sum to n. The
// numbers of levels, the normal scores of copula-bic, and in tables of experiments what is the same for all families of
// a child, remain those of the whole table.
class Resampler {
 public:
  virtual ~Resampler() = default;
  virtual std::vector<double> scores(std::span<const uint32_t> weights) const = 0;  // one per family
  virtual double operations() const { return 0; }  // multiplications of a call, roughly; 0: few
};

// What lists of families (plain_families.h) ask of a score.
class FamilyScorer {
 public:
  virtual ~FamilyScorer() = default;

  int size() const { return static_cast<int>(constant_.size()); }
  bool is_constant(Node v) const { return constant_[v]; }

  virtual Value local(Node child, Parents parents) const = 0;
  // local(child, parents + v) for each v of `others`, none of which may be the child or a parent.
  virtual std::vector<Value> additions(Node child, Parents parents, std::span<const Node> others) const = 0;
  // Nanoseconds, roughly, for each of many families of so many parents that additions() scores.
  virtual double work_per_family(int parents) const = 0;
  // The same scores from values of sets, with `price` more for each parent, where the score has that form; otherwise
  // null, and lists score family by family.
  virtual std::unique_ptr<SetScores> set_scores(double price) const;

 protected:
  std::vector<bool> constant_;  // by node: such a node is never a parent or a child
};

class Scorer : public FamilyScorer {
 public:
  double rows() const { return rows_; }                            // n; the weight of all rows where they have weights
  const std::vector<double>& weights() const { return weights_; }  // by row; empty: rows count once each
  // By node: equal numbers, the same rows tell about it (plain_regimes.h); empty: all rows do.
  const std::vector<int>& row_set() const { return row_set_; }
  const std::vector<int>& regimes() const { return regimes_; }  // by row: its experiment; empty: there are none

  double work_per_family(int /*parents*/) const override { return 3000 + 5 * rows_; }

  // For each family, the nodes that may raise its score by more than `least` as one more parent. Every other node (not
  // the child, no parent, and not constant) raises it by no more: shown by a bound that leaves room for rounding, far
  // sooner than additions() computes it. Empty: this score has no such bound.
  virtual std::vector<NodeSet> may_gain(std::span<const Family> families, double least) const;

  virtual std::unique_ptr<Resampler> resampler(const std::vector<Family>& families) const = 0;

  // What the inequality of promise III needs to know about single rows. s_A(x) is the log-likelihood of row x under
  // graph A, with parameters fitted on all rows. Gaussian scores: the largest norm of the gradient of s_A over rows and
  // graphs, on standardised columns; infinite with missing cells, whose rows are not all seen. Discrete scores: the
  // largest range over the rows of s_A - s_B, where A is the first graph and B any other.
  virtual double row_constant(const std::vector<Dag>& graphs, int threads) const = 0;
  virtual bool has_gradient() const = 0;  // which of the two: true for Gaussian scores
  // What that inequality assumes, for this score, in plain sentences.
  virtual std::vector<std::string> assumptions() const = 0;

 protected:
  void take_rows(const Dataset& data, const std::vector<int>& row_set);

  double rows_ = 0;
  std::vector<double> weights_;
  std::vector<int> row_set_, regimes_;
};

// Columns that vary must be of the kind that the score is for; the catalog makes sure of that.
std::unique_ptr<Scorer> discrete_bic(const Dataset& data, double penalty);
std::unique_ptr<Scorer> bdeu(const Dataset& data, double ess);
std::unique_ptr<Scorer> bdeu_fitted(const Dataset& data);  // without experiments (plain_fitted.cpp)
std::unique_ptr<Scorer> discrete_bic_seen(const Dataset& data, double penalty);
std::unique_ptr<Scorer> bds(const Dataset& data, double ess);
std::unique_ptr<Scorer> qnml(const Dataset& data);
std::unique_ptr<Scorer> qnml_edges(const Dataset& data);
std::unique_ptr<Scorer> fnml(const Dataset& data);
std::unique_ptr<Scorer> gaussian_bic(const Dataset& data, double penalty);
std::unique_ptr<Scorer> copula_bic(const Dataset& data, double penalty);

// The log-likelihood of categorical columns minus `price` for every free parameter. With the price penalty * 1/2 ln n
// this is discrete-bic.
std::unique_ptr<Scorer> priced_likelihood(const Dataset& data, double price);

// Means and covariances of the q columns that stand for the variables of a table (plain_columns.h), as EM leaves them.
struct EmMoments {
  std::vector<double> mean;        // q
  std::vector<double> covariance;  // q x q
};

struct MixedOptions {
  double penalty = 1;        // multiplies the 1/2 ln n
  bool named = false;        // parameters of an edge beyond its first cost only what they exceed ln p by: for a score
                             // whose edges cost ln p besides (plain_edge_price.h)
  bool raw = false;          // numbers as they are, not their normal scores
  int basis = 1;             // powers of a number, 1 to 5
  bool gap_columns = false;  // a missing number is marked by a column of its own, and nothing is left to EM
  double floor = 1e-6;       // added to the diagonal of the matrix, and of the seen part of it in EM
  int em_steps = -1;         // steps of EM; -1: until it converges
  int threads = 1;           // for EM; the scores do not depend on it
  // Take these moments instead of running EM, where EM would take too long. What they are worth is for
  // MixedScorer::check() to say. Not owned; needed only while the scorer is made.
  const EmMoments* moments = nullptr;
};

// Columns of both kinds, rows with weights, missing cells. On a table of numbers: copula-bic, or gaussian-bic if raw,
// up to the floor.
std::unique_ptr<Scorer> mixed_bic(const Dataset& data, const MixedOptions& options);

Value total(const Scorer& scorer, const Dag& dag);

}  // namespace agon::plain
