#include "agon/opponent/block_independence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "agon/base/distributions.h"

namespace agon {
namespace {

double dot(const double* x, const double* y, int length) {
  double sum = 0;
  for (int k = 0; k < length; ++k) sum += x[k] * y[k];
  return sum;
}

// Columns of R one after the other, each as a vector in an orthonormal basis of those before it and its own rest: the
// rows of a Cholesky factor. A column that those before it determine is left out.
class Eliminated {
 public:
  Eliminated(const BlockMoments& moments, int most) : m_(moments), most_(most) {
    factor_.resize(static_cast<size_t>(most) * most);
    columns_.reserve(most);
  }
  int size() const { return static_cast<int>(columns_.size()); }
  // The coordinates of column c, size() of them.
  void express(int c, double* to) const {
    for (int k = 0; k < size(); ++k) {
      const double* row = factor_.data() + static_cast<size_t>(k) * most_;
      to[k] = (m_.at(c, columns_[k]) - dot(row, to, k)) / row[k];
    }
  }
  void add(Node v, double least) {
    for (int c = m_.start[v]; c < m_.start[v + 1]; ++c) {
      double* row = factor_.data() + static_cast<size_t>(size()) * most_;
      express(c, row);
      const double left = m_.at(c, c) - dot(row, row, size());
      if (left <= least) continue;
      row[size()] = std::sqrt(left);
      columns_.push_back(c);
    }
  }

 private:
  const BlockMoments& m_;
  int most_;
  std::vector<int> columns_;
  std::vector<double> factor_;  // [row][direction]
};

// ln det of the part of a symmetric matrix, width x width, whose rows are `kept`; -infinity if it is not positive
// definite. With `choose`, `kept` is found here: the rows of which the rows before them leave more than `least`.
double log_determinant(std::span<const double> matrix, int width, std::vector<int>& kept, bool choose, double least) {
  std::vector<double> factor(matrix.size());
  if (choose) {
    kept.resize(width);
    for (int k = 0; k < width; ++k) kept[k] = k;
  }
  double sum = 0;
  int used = 0;
  const std::vector<int> all = kept;
  for (size_t at = 0; at < all.size(); ++at) {
    const int i = all[at];
    double* row = factor.data() + static_cast<size_t>(used) * width;
    for (int k = 0; k < used; ++k) {
      const double* before = factor.data() + static_cast<size_t>(k) * width;
      row[k] = (matrix[static_cast<size_t>(i) * width + kept[k]] - dot(before, row, k)) / before[k];
    }
    const double left = matrix[static_cast<size_t>(i) * width + i] - dot(row, row, used);
    if (left <= least && choose) continue;
    if (!(left > 0)) return -std::numeric_limits<double>::infinity();
    row[used] = std::sqrt(left);
    sum += std::log(left);
    kept[used++] = i;
  }
  kept.resize(used);
  return sum;
}

// Less than this share of its variance, and a column counts as determined.
double least_left(const BlockMoments& m) { return std::max(10 * m.floor, 1e-10); }

// Members of the set are left out only where they are determined up to rounding: no pivot of R is below its floor.
double least_pivot(const BlockMoments& m) { return std::max(m.floor / 2, 1e-10); }

int columns_of(const BlockMoments& m, Parents given) {
  int sum = 0;
  for (const Node v : given) sum += m.width(v);
  return sum;
}

}  // namespace

BlockIndependence::BlockIndependence(const Dataset& data, const ScoreOptions& options)
    : BlockIndependence(block_moments(data, options)) {}

BlockIndependence::BlockIndependence(BlockMoments moments) : moments_(std::move(moments)) {}

// ln det of the block of b once S is known, less the same once S and a are.
void BlockIndependence::pairs(Node a, Parents given, std::span<const Node> others, std::span<Pair> out) const {
  const double least = least_left(moments_);
  Eliminated known(moments_, columns_of(moments_, given) + moments_.width(a));
  for (const Node v : given) known.add(v, least_pivot(moments_));
  const int of_given = known.size();
  known.add(a, least);
  const int of_all = known.size();
  std::vector<double> coordinates, given_s, given_sa;
  std::vector<int> kept;
  for (size_t k = 0; k < others.size(); ++k) {
    const int first = moments_.start[others[k]], width = moments_.width(others[k]);
    coordinates.resize(static_cast<size_t>(width) * of_all);
    given_s.resize(static_cast<size_t>(width) * width);
    given_sa.resize(given_s.size());
    for (int i = 0; i < width; ++i) {
      double* of_i = coordinates.data() + static_cast<size_t>(i) * of_all;
      known.express(first + i, of_i);
      for (int j = 0; j <= i; ++j) {
        const double* of_j = coordinates.data() + static_cast<size_t>(j) * of_all;
        const double rest = moments_.at(first + i, first + j) - dot(of_i, of_j, of_given);
        given_s[i * width + j] = given_s[j * width + i] = rest;
        given_sa[i * width + j] = given_sa[j * width + i] =
            rest - dot(of_i + of_given, of_j + of_given, of_all - of_given);
      }
    }
    const double before = log_determinant(given_s, width, kept, true, least);
    const double after = log_determinant(given_sa, width, kept, false, least);
    out[k] = {std::max(0.0, (before - after) / 2), of_all - of_given, static_cast<int>(kept.size())};
  }
}

double BlockIndependence::information(Node a, Node b, Parents given) const {
  Pair out;
  pairs(a, given, std::span(&b, 1), std::span(&out, 1));
  return out.information;
}

bool BlockIndependence::determines(Node from, Node to) const {
  Eliminated known(moments_, moments_.width(from) + moments_.width(to));
  known.add(from, least_pivot(moments_));
  const int before = known.size();
  known.add(to, least_left(moments_));
  return known.size() == before;
}

double BlockIndependence::p_of(const Pair& pair, Node a, Node b, Parents given) const {
  const double spent = columns_of(moments_, given) + (pair.a_left + pair.b_left + 1) / 2.0;
  const double rows = moments_.share(a, b) * (moments_.weight - 1 - spent);
  if (rows <= 0 || moments_.width(a) == 0 || moments_.width(b) == 0) return 1;
  if (pair.a_left == 0 || pair.b_left == 0) {
    const auto alone = [&](Node v) { return determines(v, a) || determines(v, b); };
    return std::ranges::any_of(given, alone) ? 1 : 0;
  }
  if (std::isinf(pair.information)) return 0;
  return chi_square_tail(2 * rows * pair.information, static_cast<double>(pair.a_left) * pair.b_left);
}

double BlockIndependence::p_value(Node a, Node b, Parents given) const {
  double out = 1;
  p_values(a, given, std::span(&b, 1), std::span(&out, 1));
  return out;
}

void BlockIndependence::p_values(Node a, Parents given, std::span<const Node> others, std::span<double> out) const {
  std::vector<Pair> found(others.size());
  pairs(a, given, others, found);
  for (size_t k = 0; k < others.size(); ++k) out[k] = p_of(found[k], a, others[k], given);
}

}  // namespace agon
