// agon/opponent/block_independence.h
//
// A test of independence for tables with both kinds of columns, with missing cells and with weights. Every variable is
// a block of columns (score/blocks.h), and all rows enter through one matrix (score/block_moments.h).
//
//   const BlockIndependence test(data);
//   double p = test.p_value(3, 5, std::vector<Node>{1, 2});
//   test.information(3, 5, std::vector<Node>{1, 2});        // nats a row
//
//   I(a; b | S) = -1/2 ln(det R_abS det R_S / (det R_aS det R_bS))             Gaussian information, >= 0
//   2 f_ab (n - 1 - m_S - (m_a + m_b + 1) / 2) I(a; b | S)   against chi-square with m_a m_b degrees of freedom
//
// m_v is the number of columns of v, n the weight of all rows, f_ab the share of it in which both a and b were seen.
// The likelihood ratio of two sets of normal columns would have n in place of the brackets. They are Bartlett's
// correction (1938, Mathematical Proceedings of the Cambridge Philosophical Society 34): 1 for the mean, m_S for the
// coefficients of S. The test sees what a line, or a shift of means from level to level, can see; S acts by sums of its
// columns, without interactions. So a set with many levels costs rows only in proportion to its columns.
//
// Where the data cannot tell, the answer is as in independence.h: 1 with too few rows (the brackets are not positive),
// where a and b were never seen together, where a or b is constant or one member of S determines it; 0 where only
// several members of S together do. A column counts as determined when less than ten times the noise floor of its
// variance is left.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/opponent/independence.h"
#include "agon/score/block_moments.h"

namespace agon {

class BlockIndependence final : public Independence {
 public:
  // Of the options those about blocks, threads and the watch are used.
  explicit BlockIndependence(const Dataset& data, const ScoreOptions& options = {});
  explicit BlockIndependence(BlockMoments moments);

  int size() const override { return moments_.size(); }
  std::string name() const override { return "block"; }
  double p_value(Node a, Node b, Parents given) const override;
  void p_values(Node a, Parents given, std::span<const Node> others, std::span<double> out) const override;
  // 0 where `given` determines a or b; infinite where a and b determine each other.
  double information(Node a, Node b, Parents given) const;

 private:
  // What `given` leaves of a pair: the information and how many columns of either block are not determined.
  struct Pair {
    double information = 0;
    int a_left = 0, b_left = 0;
  };
  void pairs(Node a, Parents given, std::span<const Node> others, std::span<Pair> out) const;
  double p_of(const Pair& pair, Node a, Node b, Parents given) const;
  bool determines(Node from, Node to) const;

  BlockMoments moments_;
};

}  // namespace agon
