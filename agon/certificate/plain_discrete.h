// agon/certificate/plain_discrete.h
//
// discrete-bic, bdeu and the other scores of categorical tables from counts. Every row gets a number: the configuration
// of its parents in mixed radix, times the number of levels of the child, plus the child's level. How often each number
// occurs is all that the scores need.
//
//   discrete-bic   sum over cells N_ca ln(N_ca / N_c) - penalty 1/2 ln n (r_j - 1) q,   q = product of the parents' r
//   bdeu           sum over c of lnG(A/q) - lnG(A/q + N_c) + sum over a of lnG(A/(q r_j) + N_ca) - lnG(A/(q r_j))
//   discrete-bic-seen, bds   the same, with the number of configurations that occur in place of q
//   qnml           sum over cells N_ca ln(N_ca / N_c) - R(n, q r_j) + R(n, q),  R by plain_regret.h, n the rows counted
//   qnml-edges     the same with 4/5 R, straight from 0.115 n levels on, less ln p a parent, p columns varying
//   fnml           sum over cells N_ca ln(N_ca / N_c) - sum over c of R(N_c, r_j)
//
// Where rows have weights, N is the weight of the rows with a number, and n the weight of all rows. Where cells were
// drawn, the parameters of discrete-bic are counted set by set: over the sets T of {j} u P that hold j, the product of
// (r_v - 1) over T, times the largest 1 / f_ab of a pair in T, where f_ab is the share of the weight of the rows in
// which neither a nor b was drawn. A family is undefined if two of its variables were never seen in one row, or if it
// has more than kMostChargedParents parents: there are 2^|P| sets.
//
// In a table of experiments a family is counted on the rows of its child (plain_regimes.h), with their G groups as one
// more parent of G levels: q is then G times the product of r. The cells of the child in each regime that set it are a
// family without parents and with one group, whose value is added.
//
// Per-row likelihoods use the posterior mean (N_ca + A/(q r_j)) / (N_c + A/q) for bdeu and bds, and N_ca / N_c for the
// others. A row in which the child was set tells nothing about its parents: its likelihood counts as 1.
#pragma once

#include <optional>
#include <variant>

#include "agon/certificate/plain_regimes.h"
#include "agon/certificate/plain_score.h"

namespace agon::plain {

// Which configurations of the parents a score charges for, or spreads its prior over.
enum class Configurations { kPossible, kSeen };

// What the counts of a family are turned into: a likelihood minus a price for each free parameter, a likelihood
// averaged over a Dirichlet prior, or a normalised maximum likelihood.
struct Priced {
  double price;  // of discrete-bic: penalty * 1/2 ln n
  Configurations configurations = Configurations::kPossible;
  std::optional<double> penalty = {};  // absent: the price is not that of discrete-bic
};
struct Dirichlet {
  double ess;  // equivalent sample size, > 0
  Configurations configurations = Configurations::kPossible;
};
enum class Normalised { kQuotient, kStraight, kFactors };  // qnml, qnml-edges, fnml

constexpr size_t kMostChargedParents = 12;  // where cells were drawn

class DiscreteScorer final : public Scorer {
 public:
  using Rule = std::variant<Priced, Dirichlet, Normalised>;
  DiscreteScorer(const Dataset& data, const Rule& rule);

  Value local(Node child, Parents parents) const override;
  std::vector<Value> additions(Node child, Parents parents, std::span<const Node> others) const override;
  std::unique_ptr<SetScores> set_scores(double price) const override;
  std::unique_ptr<Resampler> resampler(const std::vector<Family>& families) const override;
  double row_constant(const std::vector<Dag>& graphs, int threads) const override;
  bool has_gradient() const override { return false; }
  std::vector<std::string> assumptions() const override;

  // ln p(x_child | x_parents) of every row.
  std::vector<double> row_log_likelihood(Node child, Parents parents) const;

 private:
  class Resampled;

  // Numbers below `range`, one per row. Two rows have the same number exactly when they agree on the variables
  // numbered.
  struct Numbering {
    std::vector<uint32_t> of_row;
    uint32_t range = 1;
  };
  // A numbering by parents and child, and for each of its numbers the configuration of the parents it belongs to.
  struct Cells {
    Numbering cell;
    std::vector<uint32_t> configuration;
    uint32_t configurations = 1;
  };
  bool fits(uint64_t range) const { return range <= dense_limit_; }
  void refine(Numbering& numbering, Node by) const;
  Cells cells(Node child, Parents parents) const;
  double possible(Node child, Parents parents) const;  // q
  bool charged_by_sets() const { return !seen_.empty(); }
  // What the free parameters of a family cost, if that does not depend on the counts; infinite where it is undefined.
  // `q` is possible(child, parents).
  double charge(Node child, Parents parents, double q) const;
  // The part of it that is due to the sets with these members and any of the parents from `next` on.
  double charge_sets(std::vector<Node>& members, Parents parents, size_t next, double product, double largest) const;
  std::vector<double> shares_seen() const;
  // What each row counts in the families of a child: 0 where it is left out. Empty: all rows count once each.
  const std::vector<double>& weights_of(Node child) const { return kept_.empty() ? weights_ : kept_[rows_at(child)]; }
  size_t rows_at(Node child) const { return experiments_.index(child); }
  std::vector<std::vector<double>> kept_weights() const;
  std::vector<double> values_of_set_cells() const;
  // Adds up the rows of a child's families by number: how many there are, or what they weigh.
  void add_rows(Node child, const std::vector<uint32_t>& number_of_row, std::vector<double>& counts) const;
  // The score from the counts by cell, whole or not, without the cells that were set; a number that no row has counts
  // 0.
  template <class Count>
  double value(const std::vector<Count>& counts, const std::vector<uint32_t>& configuration, uint32_t configurations,
               Node child, double q, double charge) const;
  // The part of the price that does: by the numbers of rows of the configurations.
  template <class Count>
  double charge_by_counts(const std::vector<Count>& totals, Node child, double q) const;
  double x_log_x(uint32_t x) const;
  double x_log_x(double x) const;

  const Dataset& data_;
  double price_ = 0;               // per free parameter
  std::optional<double> penalty_;  // of discrete-bic, if it is one
  double ess_ = 0;                 // of the Dirichlet prior; 0: there is none
  Configurations charged_ = Configurations::kPossible;
  std::optional<Normalised> normalised_;
  uint64_t dense_limit_;  // the longest table of counts allowed
  std::vector<uint32_t> levels_;
  Experiments experiments_;
  std::vector<std::vector<double>> kept_;  // by row set; empty without regimes
  std::vector<double> set_cells_;          // by node: what the cells that were set add
  std::vector<double> seen_;               // f, p x p; empty: no cell was drawn, or parameters have no price
  std::vector<double> x_log_x_;
};

}  // namespace agon::plain
