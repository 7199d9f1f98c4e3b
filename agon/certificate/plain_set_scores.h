// agon/certificate/plain_set_scores.h
//
// Scores of families from values of sets: for discrete-bic, gaussian-bic and copula-bic
//
//   s(j, P) = F(P + j) - F(P) - price(j, P)
//
// where F(S) belongs to the set S alone, so that one F serves |S| families. F is given as two integers that enclose it,
// in units of 2^-32 nat, and a price is rounded down: differences of them are upper bounds of scores, and sums of those
// are exact.
//
//   discrete    F(S) = sum over cells N ln N of the table of S. Terms are enclosed once, from long doubles.
//   Gaussian    F(S) = -n/2 ln det R_S, R the correlation matrix; Cholesky in long doubles, enclosed by what rounding
//               may do given the smallest eigenvalue of R
//
// A walk goes depth first over sets:
//
//   auto scores = plain::discrete_set_scores(data, 1, 0);
//   auto walk = scores->walk();
//   walk->push(3);
//   walk->push(5);
//   plain::SetValue f = walk->with(9);          // F({3, 5, 9})
//   walk->pop();
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agon/certificate/plain_regret.h"
#include "agon/certificate/plain_score.h"

namespace agon::plain {

struct SetValue {
  int64_t up = 0, down = 0;
};

class SetWalk {
 public:
  virtual ~SetWalk() = default;
  virtual void push(Node v) = 0;
  virtual void pop() = 0;
  virtual SetValue with(Node v) = 0;  // of the nodes pushed and v
};

class SetScores {
 public:
  virtual ~SetScores() = default;
  virtual std::unique_ptr<SetWalk> walk() const = 0;
  virtual SetValue of_empty() const = 0;
  // Rounded down. `configurations`: of the parents, the product of their levels; 1 for numbers.
  virtual int64_t price(Node child, int parents, double configurations) const = 0;
  // The same rounded up, for lower bounds.
  virtual int64_t price_above(Node child, int parents, double configurations) const = 0;
  // F are sums N ln N, so differences are entropies, and the price of one more parent does not fall in the company of
  // others: then a parent that cannot pay its price can be seen beforehand (plain_set_lists.cpp).
  virtual bool has_entropies() const = 0;
  virtual bool is_exact() const { return false; }  // integers from counts
  // F(S) is a log-likelihood, so that F(S + j) - F(S) does not fall when S grows, and is cheap to compute.
  virtual bool has_likelihoods() const { return false; }
  virtual double levels(Node v) const = 0;  // 1 for numbers
  virtual double work_per_set() const = 0;  // roughly, in nanoseconds
  virtual double rounding() const = 0;      // nats that a local score may be off, beyond what is enclosed
};

// Null where it does not apply: rows with weights, gaps, regimes, drawn cells, columns of more than 256 levels.
std::unique_ptr<SetScores> discrete_set_scores(const Dataset& data, double penalty, double price);
// The same for qnml and qnml-edges: the price of a family is a quotient of regrets, known up to its rounding.
std::unique_ptr<SetScores> regret_set_scores(const Dataset& data, RegretQuotient* regret, double price);
// Null when the correlation matrix is nearly singular.
class GaussianScorer;
std::unique_ptr<SetScores> gaussian_set_scores(const GaussianScorer& scorer, double rows, double penalty, double price);

constexpr long double kUnits = 4294967296.0L;  // in a nat
// x in units, rounded up or down with room for the error of a long double; limited to +-2^60.
int64_t units_above(long double nats);
int64_t units_below(long double nats);

}  // namespace agon::plain
