// agon/score/wide_sets.h
//
// The matrix R of a table in which a few variables have very many levels, taken apart: what any set of those wide
// variables leaves of the other columns is computed when it is first asked for, and kept.
//
//   const WideSets sets(block_moments(data, {}));
//   const WideSets::Rest& rest = sets.given(sets.mark(3) | sets.mark(7));   // variables 3 and 7 are wide
//   rest.log_determinant;      // ln det of R over the columns of 3 and 7
//   rest.narrow.row(0)[5];     // covariance of the narrow columns 0 and 5 given 3 and 7
//
// With it a family that holds wide variables costs what its narrow columns cost: for a set W of wide variables and a
// set N of narrow ones, ln det R_{W and N} = ln det R_W + ln det (R_NN given W). A variable of 255 levels would
// otherwise take a decomposition of order 254 each time somebody asks whether it might become a parent.
//
// A set is always computed in the same way, so its bits do not depend on what was asked before, nor on threads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agon/score/block_moments.h"

namespace agon {

// Columns of blocks and their covariances: those of R, or what is left of some of them.
struct BlockColumns {
  const int* start = nullptr;  // variable v has the columns start[v] .. start[v + 1] - 1
  const double* matrix = nullptr;
  int stride = 0;
  int count = 0;
  bool orthonormal = true;  // the part of each variable by itself is the identity
  int width(Node v) const { return start[v + 1] - start[v]; }
  const double* row(int column) const { return matrix + static_cast<size_t>(column) * stride; }
};

// Below this, a decomposition of the block itself costs less than one of a typical set of parents.
constexpr int kWide = 12;

class WideSets {
 public:
  using Mask = uint32_t;  // a set of wide variables
  struct Rest {
    double log_determinant = 0;
    BlockColumns narrow;

   private:
    friend class WideSets;
    std::vector<double> matrix;
  };

  // Variables of more than `least` columns are wide, the widest first, as long as all their sets together stay below
  // `most_bytes`.
  explicit WideSets(const BlockMoments& moments, int least = kWide, double most_bytes = 256e6);
  WideSets(const WideSets&) = delete;
  WideSets& operator=(const WideSets&) = delete;
  ~WideSets();

  bool empty() const { return wide_.empty(); }
  Mask mark(Node v) const { return marks_[v]; }  // 0: narrow
  const Rest& given(Mask set) const;

 private:
  struct Slot;
  Rest compute(Mask set) const;

  std::vector<Mask> marks_;  // by variable
  std::vector<Node> wide_;   // by place in a mask
  std::vector<int> start_;   // of the narrow columns, by variable; a wide one has none here
  std::vector<int> size_;    // by place in a mask: how many columns are kept when it is the last of a set
  mutable std::vector<Slot> slots_;
};

}  // namespace agon
