#include "agon/score/wide_sets.h"

#include <algorithm>
#include <bit>
#include <mutex>

#include "agon/base/linear_algebra.h"

namespace agon {
namespace {

using Matrix = Eigen::MatrixXd;
using Eigen::Index;

constexpr size_t kMostWide = 10;

}  // namespace

struct WideSets::Slot {
  std::once_flag once;
  Rest rest;
};

// A set grows by one variable at a time, in the order of the mask. Columns are kept in an order in which everything
// that may still be asked of a set comes first: the narrow columns, then the wide variables from the last of the mask
// to the first. A set whose last variable is at place k keeps those up to, and without, that of k.
WideSets::WideSets(const BlockMoments& moments, int least, double most_bytes) : marks_(moments.size(), 0) {
  std::vector<Node> widest;
  for (Node v = 0; v < moments.size(); ++v) {
    if (moments.width(v) > least) widest.push_back(v);
  }
  std::stable_sort(widest.begin(), widest.end(), [&](Node a, Node b) { return moments.width(a) > moments.width(b); });
  // One wide variable more: the sets with it, of which half end at each place before.
  const auto bytes = [&](size_t count) {
    double kept = moments.columns(), sum = kept * kept;
    for (size_t k = 0; k < count; ++k) {
      kept -= moments.width(widest[k]);
      sum += static_cast<double>(size_t{1} << k) * kept * kept;
    }
    return sum * sizeof(double);
  };
  size_t count = 0;
  while (count < std::min(widest.size(), kMostWide) && bytes(count + 1) <= most_bytes) ++count;
  if (count == 0) return;
  wide_.assign(widest.begin(), widest.begin() + static_cast<std::ptrdiff_t>(count));
  for (size_t k = 0; k < count; ++k) marks_[wide_[k]] = Mask{1} << k;

  std::vector<int> order;  // of the columns of R
  start_.push_back(0);
  for (Node v = 0; v < moments.size(); ++v) {
    for (int c = moments.start[v]; marks_[v] == 0 && c < moments.start[v + 1]; ++c) order.push_back(c);
    start_.push_back(static_cast<int>(order.size()));
  }
  size_.assign(count, 0);
  for (size_t k = count; k-- > 0;) {
    size_[k] = static_cast<int>(order.size());
    for (int c = moments.start[wide_[k]]; c < moments.start[wide_[k] + 1]; ++c) order.push_back(c);
  }
  slots_ = std::vector<Slot>(size_t{1} << count);
  Rest& none = slots_[0].rest;
  none.narrow = {start_.data(), nullptr, moments.columns(), start_.back()};
  for (const int a : order) {
    for (const int b : order) none.matrix.push_back(moments.at(a, b));
  }
  none.narrow.matrix = none.matrix.data();
}

WideSets::~WideSets() = default;

const WideSets::Rest& WideSets::given(Mask set) const {
  Slot& slot = slots_[set];
  if (set != 0) std::call_once(slot.once, [&] { slot.rest = compute(set); });
  return slot.rest;
}

// What is left when the last variable of the set is eliminated too: with its block L L' and G its covariances with the
// columns kept, both given the others of the set, (L^-1 G)'(L^-1 G) is what it explains.
WideSets::Rest WideSets::compute(Mask set) const {
  const int last = std::bit_width(set) - 1;
  const Rest& before = given(set & ~(Mask{1} << last));
  const Index kept = size_[last], m = (last > 0 ? size_[last - 1] : before.narrow.stride) - kept;
  const Eigen::Map<const Matrix> all(before.matrix.data(), before.narrow.stride, before.narrow.stride);
  const Cholesky factor(all.block(kept, kept, m, m));
  Rest rest;
  rest.log_determinant = before.log_determinant + factor.log_determinant();
  rest.matrix.resize(static_cast<size_t>(kept) * static_cast<size_t>(kept));
  if (kept > 0) {
    Matrix left = all.topLeftCorner(kept, kept);
    add_gram(left, factor.whitened(all.block(kept, 0, m, kept)), -1);
    Eigen::Map<Matrix>(rest.matrix.data(), kept, kept) = mirrored(left);
  }
  rest.narrow = {start_.data(), rest.matrix.data(), static_cast<int>(kept), start_.back(), false};
  return rest;
}

}  // namespace agon
