// agon/score/mixed_score.h
//
// The score for tables that hold both kinds of columns: every variable is a block of columns (blocks.h), and all rows
// enter through one matrix R (block_moments.h). n: weight of all rows; m_v: columns of v; P: the parents of j.
//
//   s(j, P) = s0(j) + n I(j; P) - penalty * 1/2 ln n * sum_{q in P} m_j m_q w_jq
//   I(j; P) = -1/2 (ln det R_{j and P} - ln det R_P)           Gaussian information, never negative
//   s0(j)   = what a variable without parents scores in gaussian-bic (2 parameters) or in discrete-bic (m_j of them)
//   w_jq    = 1 / the share of the rows in which j and q were both seen
//
// With ScoreOptions::priced_edges, ln p for each edge comes on top (edge_price.h), p the number of variables that vary.
// The price is there because among p columns some gain by chance; an edge of several parameters does so far less often
// than one of a single parameter (at 1,000 rows 0.9 % and, for two and four, 0.1 % and 0.002 % of independent pairs),
// and what its further parameters cost is enough. So they are charged against the price:
//
//   an edge costs   max(m_j m_q / 2 ln n, 1/2 ln n + ln p),   of which ln p is the wrapper's and the rest is here.
//
// An edge costs the same whichever way it points, so equivalent Dags score the same. On complete continuous
// tables it is copula-bic up to the noise floor; with categories it is the degenerate Gaussian score (Andrews, Ramsey &
// Cooper 2019) on normal scores. As information between blocks it is the generalized variance of Bach & Jordan (2002).
// Near independence n I is half of Pearson's chi-square; strong relations between categories count for more than their
// entropy.
//
// Every family is defined, thanks to the floor, unless a parent was never seen in a row with the child. A family may
// hold at most max(4, n / 4) columns (of a row set: its weight / 4), the child's included: the batch calls give further
// parents the gain -infinity.
//
// A batch of all additions at a node takes one elimination of the parents and the child from R, O(q m^2) for m columns
// of parents and child. Variables of very many levels are kept out of it (wide_sets.h); q and m count the others then.
#pragma once

#include "agon/score/block_moments.h"
#include "agon/score/local_score.h"
#include "agon/score/wide_sets.h"

namespace agon {

class MixedBic final : public LocalScore {
 public:
  // `name` is that of the score in whose place it stands: gaussian-bic and copula-bic on tables with gaps or weights
  // are this score on blocks of one column.
  explicit MixedBic(const Dataset& data, const ScoreOptions& options = {}, const std::string& name = "mixed-bic");
  // For tests, for tables that are known by their moments alone, and for one row set of several (experiment_score.h).
  // `wide`: variables of more columns than this are treated as wide, which changes how long a question takes, and the
  // last digits.
  MixedBic(BlockMoments moments, const ScoreOptions& options, const std::string& name, int wide = kWide);

  double local(Node child, Parents parents) const override;
  const ScoreTraits& traits() const override { return traits_; }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const override;
  double removal_gains(Node child, Parents parents, std::span<double> gains) const override;
  double column_gains(Node child, Parents parents, std::span<double> additions,
                      std::span<double> removals) const override;
  double positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const override;
  const BlockMoments* moments() const override { return &moments_; }

 private:
  struct Family;
  struct Additions;
  Family family(Node child, Parents parents) const;
  Additions additions(Node child, Parents parents) const;
  // ln det of the child given the narrow parents of the family and the wide variables `wide`.
  double log_share(const Family& family, WideSets::Mask wide) const;
  void fill_additions(const Additions& all, std::span<double> gains) const;
  void fill_removals(const Family& family, const std::vector<double>& each, double now, std::span<double> gains) const;
  std::vector<double> told_of_wide_child(const Family& family) const;
  double information(const Additions& additions, Node v) const;  // I(child; v | parents) in nats a row
  BlockColumns columns(WideSets::Mask given) const;              // the narrow columns
  double edge_penalty(Node a, Node b) const;
  double score(Node child, Parents parents, double information) const;
  int room(Node child, Parents parents) const;  // columns that may still join the family

  ScoreTraits traits_;
  BlockMoments moments_;
  double n_;                   // weight of the rows behind R
  double penalty_;             // penalty * 1/2 ln n
  double naming_ = 0;          // with priced edges: ln p
  int most_columns_;           // of a family
  bool narrow_;                // no block is wider than one column, and no cell is missing
  std::vector<double> alone_;  // s0
  std::shared_ptr<const WideSets> wide_;
};

}  // namespace agon
