#include "agon/score/gaussian_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <tuple>

#include "agon/base/linear_algebra.h"
#include "agon/base/parallel.h"
#include "agon/data/capability.h"
#include "agon/nn/dense_kernels.h"
#include "agon/score/blocks.h"
#include "agon/score/edge_price.h"
#include "agon/score/elimination_loops.h"

namespace agon {
namespace {

// A variable whose residual variance, as a share of its variance, is below this counts as determined by the others.
// Correlations carry errors near 1e-15, and k eliminations can magnify them.
constexpr double kDetermined = 1e-10;

void standardise(std::vector<double>& values) {
  const double n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (double& x : values) {
    x -= mean;
    squares += x * x;
  }
  const double deviation = std::sqrt(squares / n);
  if (deviation > 0) {
    for (double& x : values) x /= deviation;
  }
}

// Mean and variance of a column. It is first scaled by its largest magnitude, so that values near the limits of double
// survive.
struct MeanAndDeviation {
  double mean = 0, deviation = 0;
};

MeanAndDeviation mean_and_deviation(const std::vector<double>& values) {
  double largest = 0;
  for (double x : values) largest = std::max(largest, std::abs(x));
  if (largest == 0) return {};
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (double x : values) sum += x / largest;
  const double mean = sum / n;
  for (double x : values) squares += (x / largest - mean) * (x / largest - mean);
  return {mean * largest, std::sqrt(squares / n) * largest};
}

}  // namespace

double normal_quantile(double u) {
  // A rational approximation to begin with (Hastings, in Abramowitz & Stegun 1964, 26.2.23, error below 4.5e-4), then
  // three steps of Newton's method with Halley's correction on the complementary error function.
  const double tail = std::min(u, 1 - u);
  const double t = std::sqrt(-2 * std::log(tail));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int step = 0; step < 3; ++step) {
    const double error = 0.5 * std::erfc(x / std::numbers::sqrt2) - tail;
    const double slope = std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
    const double newton = error / slope;
    x += newton / (1 - 0.5 * x * newton);
  }
  return u < 0.5 ? -x : x;
}

double MiddleQuantiles::at(double below, double equal, double all) {
  constexpr double kMostKnown = 1 << 20;
  const double twice = 2 * below + equal;
  const int place = twice < kMostKnown ? static_cast<int>(twice) : -1;
  if (static_cast<double>(place) != twice) return normal_quantile((below + 0.5 * equal) / all);
  if (all != all_) known_.clear();
  all_ = all;
  const size_t at = static_cast<size_t>(place);
  if (at >= known_.size()) known_.resize(std::max(at + 1, 2 * known_.size()), std::nan(""));
  if (std::isnan(known_[at])) known_[at] = normal_quantile((below + 0.5 * equal) / all);
  return known_[at];
}

namespace {

// A number whose order among the unsigned is that of the doubles: the bits of a double are ordered by magnitude.
uint64_t ordered_bits(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x + 0.0);  // -0 becomes 0
  return bits >> 63 ? ~bits : bits | uint64_t{1} << 63;
}

// The upper bits of a number's order, which are sorted by, and the row in the others.
constexpr int kDigitBits = 11, kDigits = 3, kRowBits = 64 - kDigitBits * kDigits;
constexpr uint64_t kRowMask = (uint64_t{1} << kRowBits) - 1;

// Radix sort by the upper bits, the lowest digit first. It is stable, so equal ones stay in the order of their rows.
void sort_by_upper_bits(std::vector<uint64_t>& rows) {
  constexpr size_t kBuckets = size_t{1} << kDigitBits;
  const auto digit = [](uint64_t item, int d) { return item >> (kRowBits + d * kDigitBits) & (kBuckets - 1); };
  std::array<std::array<uint32_t, kBuckets>, kDigits> counts = {};
  for (const uint64_t item : rows) {
    for (int d = 0; d < kDigits; ++d) ++counts[d][digit(item, d)];
  }
  std::vector<uint64_t> other(rows.size());
  for (int d = 0; d < kDigits; ++d) {
    uint32_t place = 0;
    for (uint32_t& count : counts[d]) place += std::exchange(count, place);
    for (const uint64_t item : rows) other[counts[d][digit(item, d)]++] = item;
    rows.swap(other);
  }
}

}  // namespace

std::vector<std::pair<double, uint32_t>> ascending(const std::vector<double>& values) {
  constexpr size_t kFewRows = 300;
  std::vector<std::pair<double, uint32_t>> order(values.size());
  if (values.size() < kFewRows || values.size() > kRowMask) {
    for (size_t k = 0; k < values.size(); ++k) order[k] = {values[k] + 0.0, static_cast<uint32_t>(k)};
    std::sort(order.begin(), order.end());
    return order;
  }
  std::vector<uint64_t> rows(values.size());
  for (size_t k = 0; k < values.size(); ++k) rows[k] = (ordered_bits(values[k]) & ~kRowMask) | k;
  sort_by_upper_bits(rows);
  // What differs in the lower bits alone is left to a comparison sort; of numbers with few digits there is nothing
  // such.
  const auto row = [](uint64_t item) { return static_cast<uint32_t>(item & kRowMask); };
  const auto before = [&](uint64_t a, uint64_t b) {
    const uint64_t x = ordered_bits(values[row(a)]), y = ordered_bits(values[row(b)]);
    return x != y ? x < y : row(a) < row(b);
  };
  for (size_t first = 0, end = 0; first < rows.size(); first = end) {
    bool equal = true;
    for (; end < rows.size() && rows[end] >> kRowBits == rows[first] >> kRowBits; ++end) {
      equal = equal && values[row(rows[end])] == values[row(rows[first])];
    }
    if (!equal) std::sort(rows.begin() + static_cast<long>(first), rows.begin() + static_cast<long>(end), before);
  }
  for (size_t k = 0; k < values.size(); ++k) order[k] = {values[row(rows[k])] + 0.0, row(rows[k])};
  return order;
}

std::vector<double> normal_scores(const std::vector<double>& values) {
  MiddleQuantiles quantiles;
  return normal_scores(values, quantiles);
}

std::vector<double> normal_scores(const std::vector<double>& values, MiddleQuantiles& quantiles) {
  const size_t n = values.size();
  const auto order = ascending(values);
  std::vector<double> out(n);
  for (size_t first = 0, end = 0; first < n; first = end) {
    while (end < n && order[end].first == order[first].first) ++end;
    const double z = quantiles.at(static_cast<double>(first), static_cast<double>(end - first), static_cast<double>(n));
    for (size_t k = first; k < end; ++k) out[order[k].second] = z;
  }
  standardise(out);
  return out;
}

int gaussian_parent_cap(const Dataset& data) { return std::max(3, static_cast<int>(data.rows() / 10)); }

namespace {

// From so many columns on, products are those of the dense kernels, on all threads.
constexpr int kWideTable = 512;
// From so many columns on, columns of gains are kept short. With fewer, the caches hold enough whole ones, which spare
// challengers the logarithms.
constexpr int kShortColumns = 4096;
constexpr size_t kRowsPerProduct = 1024;

// Z'Z / n, p x p. fill(v, first, size, out) writes the rows first .. first + size - 1 of column v.
template <class Fill>
std::vector<double> narrow_correlation(int p, size_t rows, const Fill& fill) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(p, p);
  Eigen::MatrixXd block;
  for (size_t first = 0; first < rows; first += kRowsPerProduct) {
    const size_t size = std::min(kRowsPerProduct, rows - first);
    block.resize(static_cast<Eigen::Index>(size), p);
    for (Node v = 0; v < p; ++v) fill(v, first, size, block.col(v).data());
    add_gram(sum, block);
  }
  const double n = static_cast<double>(rows);
  std::vector<double> out(static_cast<size_t>(p) * p);
  for (Node a = 0; a < p; ++a) {
    for (Node b = 0; b <= a; ++b) {
      const double r = a == b ? 1 : std::clamp(sum(a, b) / n, -1.0, 1.0);
      out[static_cast<size_t>(a) * p + b] = out[static_cast<size_t>(b) * p + a] = r;
    }
  }
  return out;
}

// The same for thousands of columns: the lower triangle is made in place, a band of rows by each piece of work, and
// every entry is a sum over the rows of the table in their order.
template <class Fill>
std::vector<double> wide_correlation(int p, size_t rows, const Fill& fill, int threads) {
  constexpr int kBand = 256, kTile = 32;
  const int bands = (p + kBand - 1) / kBand;
  const double n = static_cast<double>(rows);
  const DenseKernels<double>& kernels = dense_kernels<double>();
  std::vector<double> out(static_cast<size_t>(p) * p), cells(static_cast<size_t>(p) * std::min(kRowsPerProduct, rows));
  const auto at = [&](Node a, Node b) -> double& { return out[static_cast<size_t>(a) * p + b]; };
  for (size_t first = 0; first < rows; first += kRowsPerProduct) {
    const size_t size = std::min(kRowsPerProduct, rows - first);
    const long step = static_cast<long>(size);
    parallel_for(bands, threads, [&](int band) {
      for (Node v = band * kBand; v < std::min(p, (band + 1) * kBand); ++v) {
        fill(v, first, size, cells.data() + static_cast<size_t>(v) * size);
      }
    });
    parallel_for(bands, threads, [&](int k) {
      const Node top = (bands - 1 - k) * kBand, end = std::min(p, top + kBand);  // the longest first
      static thread_local std::vector<double> scratch;
      kernels.product({cells.data() + top * step, step, 1}, {cells.data(), 1, step}, end - top, static_cast<int>(size),
                      end, first > 0, &at(top, 0), p, scratch);
    });
  }
  parallel_for(bands, threads, [&](int k) {
    const Node top = (bands - 1 - k) * kBand, end = std::min(p, top + kBand);
    for (Node left = 0; left < end; left += kTile) {  // small tiles, because one of the two sides goes down a column
      for (Node a = std::max(top, left); a < end; ++a) {
        for (Node b = left; b < std::min(a, left + kTile); ++b) {
          at(a, b) = at(b, a) = std::clamp(at(a, b) / n, -1.0, 1.0);
        }
      }
    }
    for (Node a = top; a < end; ++a) at(a, a) = 1;
  });
  return out;
}

}  // namespace

GaussianBic::GaussianBic(const Dataset& data, Scale scale, const ScoreOptions& options)
    : n_(static_cast<double>(data.rows())),
      penalty_(options.penalty * 0.5 * std::log(n_)),
      names_(data.names()),
      base_(data.size()) {
  refuse_beyond(kOrdinaryTables, data, "a Gaussian score");
  const int p = data.size();
  traits_.name = scale == Scale::kRaw ? "gaussian-bic" : "copula-bic";
  traits_.max_parents = options.max_parents > 0 ? options.max_parents : gaussian_parent_cap(data);
  std::vector<MeanAndDeviation> column(p);
  std::vector<std::vector<double>> z(scale == Scale::kCopula ? p : 0);
  std::optional<Blocks> shared;
  if (options.blocks != nullptr && scale == Scale::kCopula) shared = options.blocks->of(data, {});
  const auto transform = [&](Node v, MiddleQuantiles& quantiles) {
    if (data.column(v).is_isolated()) return;
    z[v] = shared && shared->width(v) == 1 ? shared->column(v) : normal_scores(data.column(v).values, quantiles);
  };
  constexpr int kColumnsAtATime = 64;
  parallel_for((static_cast<int>(z.size()) + kColumnsAtATime - 1) / kColumnsAtATime, options.threads, [&](int part) {
    MiddleQuantiles quantiles;
    for (Node v = part * kColumnsAtATime; v < std::min(p, (part + 1) * kColumnsAtATime); ++v) transform(v, quantiles);
  });
  for (Node v = 0; v < p; ++v) {
    traits_.constant.push_back(data.column(v).is_isolated());
    if (traits_.constant[v]) continue;
    if (scale == Scale::kCopula) {
      column[v] = {0, 1};
    } else {
      column[v] = mean_and_deviation(data.column(v).values);
      if (!(column[v].deviation > 0)) traits_.constant[v] = true;  // varies by less than doubles can resolve
    }
    if (!traits_.constant[v]) {
      base_[v] = -0.5 * n_ * (std::log(2 * std::numbers::pi) + 2 * std::log(column[v].deviation) + 1);
    }
  }
  if (options.priced_edges) {
    price_ = naming_price(static_cast<int>(std::ranges::count(traits_.constant, false)));
    penalty_ += price_;
  }
  // Z'Z / n in blocks of rows, so that no second copy of a large table is needed.
  const auto fill = [&](Node v, size_t first, size_t size, double* out) {
    if (traits_.constant[v]) return void(std::fill_n(out, size, 0.0));
    const double* x = (scale == Scale::kCopula ? z[v] : data.column(v).values).data() + first;
    for (size_t k = 0; k < size; ++k) out[k] = (x[k] - column[v].mean) / column[v].deviation;
  };
  correlation_ = p < kWideTable ? narrow_correlation(p, data.rows(), fill)
                                : wide_correlation(p, data.rows(), fill, options.threads);
}

bool GaussianBic::is_singular() const {
  std::vector<Node> varying;
  for (Node v = 0; v < size(); ++v) {
    if (!traits_.constant[v]) varying.push_back(v);
  }
  constexpr size_t kMost = 1000;
  if (varying.size() > kMost || static_cast<double>(varying.size()) >= n_) return false;
  // Cholesky factorisation, row by row; a pivot is what the earlier columns leave of one.
  std::vector<std::vector<double>> factor;
  for (size_t i = 0; i < varying.size(); ++i) {
    std::vector<double> c(i + 1);
    double left = 1;
    for (size_t j = 0; j < i; ++j) {
      double x = row(varying[i])[varying[j]];
      for (size_t k = 0; k < j; ++k) x -= c[k] * factor[j][k];
      c[j] = x / factor[j][j];
      left -= c[j] * c[j];
    }
    if (left <= kDetermined) return true;
    c[i] = std::sqrt(left);
    factor.push_back(std::move(c));
  }
  return false;
}

double GaussianBic::score(Node child, double residual_share, size_t parents) const {
  return base_[child] - 0.5 * n_ * std::log(residual_share) - penalty_ * static_cast<double>(parents + 2) +
         2 * price_;  // mean and variance cost no more than before
}

void GaussianBic::throw_undefined(Node child, Parents parents) const {
  std::string list;
  for (Node q : parents) list += (list.empty() ? "" : ", ") + names_[q];
  throw ScoreUndefined(fmt::format("{}: variable {} is determined exactly by {}, so it has no density given them",
                                   traits_.name, names_[child], list));
}

double GaussianBic::local(Node child, Parents parents) const {
  if (traits_.constant[child]) return -penalty_ * static_cast<double>(parents.size());
  // Cholesky factorisation of (parents, child), parent by parent. A parent that the earlier ones determine is skipped.
  const size_t k = parents.size();
  std::vector<std::vector<double>> basis;  // row i: coordinates of basis parent i in the earlier ones, then its own
  std::vector<Node> used;
  const auto coordinates = [&](Node v) {
    std::vector<double> c(used.size());
    for (size_t i = 0; i < used.size(); ++i) {
      double x = row(used[i])[v];
      for (size_t l = 0; l < i; ++l) x -= basis[i][l] * c[l];
      c[i] = x / basis[i][i];
    }
    return c;
  };
  const auto residual = [](const std::vector<double>& c) {
    double share = 1;
    for (double x : c) share -= x * x;
    return share;
  };
  for (Node q : parents) {
    if (traits_.constant[q]) continue;
    std::vector<double> c = coordinates(q);
    const double share = residual(c);
    if (share <= kDetermined) continue;
    c.push_back(std::sqrt(share));
    basis.push_back(std::move(c));
    used.push_back(q);
  }
  const double share = residual(coordinates(child));
  if (share <= kDetermined) throw_undefined(child, parents);
  return score(child, share, k);
}

const GaussianBic::Elimination& GaussianBic::eliminate(Node child, Parents parents) const {
  static thread_local Elimination e;  // static only to keep its memory from one call to the next
  const EliminationLoops& loops = elimination_loops();
  const int p = static_cast<int>(names_.size());
  e.basis.resize(parents.size() * p);
  e.residual.assign(p, 1.0);
  e.partial.assign(row(child), row(child) + p);
  size_t rank = 0;
  for (Node q : parents) {
    if (traits_.constant[q] || e.residual[q] <= kDetermined) continue;
    double* out = e.basis.data() + rank * p;
    std::copy(row(q), row(q) + p, out);
    loops.subtract_rows(out, e.basis.data(), e.basis.data() + q, static_cast<int>(rank), p, p);
    const double scale = 1 / std::sqrt(e.residual[q]);
    loops.eliminate(out, scale, out[child] * scale, e.residual.data(), e.partial.data(), p);
    ++rank;
  }
  e.rank = rank;
  e.share = e.residual[child];
  if (e.share <= kDetermined) throw_undefined(child, parents);
  return e;
}

double GaussianBic::gain_of(const Elimination& e, Node v) const {
  if (e.residual[v] <= kDetermined) return -penalty_;
  const double left = 1 - e.explained(v);
  return left * e.share <= kDetermined ? kNoGain : -0.5 * n_ * std::log(left) - penalty_;
}

double GaussianBic::addition_gains(Node child, Parents parents, std::span<double> gains) const {
  std::fill(gains.begin(), gains.end(), kNoGain);
  if (traits_.constant[child]) return local(child, parents);
  const Elimination& e = eliminate(child, parents);
  if (static_cast<int>(parents.size()) < traits_.max_parents) {  // may_add, without a search for each node
    for (Node v = 0; v < size(); ++v) {
      if (v != child && !traits_.constant[v]) gains[v] = gain_of(e, v);
    }
    for (Node q : parents) gains[q] = kNoGain;
  }
  return score(child, e.share, parents.size());
}

bool GaussianBic::keeps_columns_short() const { return size() >= kShortColumns; }

// The steps of eliminate() on the columns of the parents, the child and v alone: every entry of a row goes through them
// by itself, so these come out as they do there.
double GaussianBic::addition_gain(Node child, Parents parents, Node v) const {
  if (!may_add(traits_, child, parents, v)) return kNoGain;
  const EliminationLoops& loops = elimination_loops();
  const int k = static_cast<int>(parents.size()), m = k + 2;
  static thread_local std::vector<double> work;  // static only to keep its memory
  work.resize(static_cast<size_t>(m) * (parents.size() + 2));
  double *const residual = work.data(), *const partial = residual + m, *const basis = partial + m;
  const auto gather = [&](Node of, double* out) {
    const double* from = row(of);
    for (int i = 0; i < k; ++i) out[i] = from[parents[i]];
    out[k] = from[child];
    out[k + 1] = from[v];
  };
  std::fill_n(residual, m, 1.0);
  gather(child, partial);
  int rank = 0;
  for (int i = 0; i < k; ++i) {
    if (traits_.constant[parents[i]] || residual[i] <= kDetermined) continue;
    double* out = basis + static_cast<size_t>(rank) * m;
    gather(parents[i], out);
    loops.subtract_rows(out, basis, basis + i, rank, m, m);
    const double scale = 1 / std::sqrt(residual[i]);
    loops.eliminate(out, scale, out[k] * scale, residual, partial, m);
    ++rank;
  }
  const double share = residual[k], left_of_v = residual[k + 1], with_v = partial[k + 1];
  if (left_of_v <= kDetermined) return -penalty_;
  const double left = 1 - with_v * with_v / (left_of_v * share);
  return left * share <= kDetermined ? kNoGain : -0.5 * n_ * std::log(left) - penalty_;
}

double GaussianBic::positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const {
  best.clear();
  if (traits_.constant[child]) return local(child, parents);
  const Elimination& e = eliminate(child, parents);
  // -n/2 ln(1 - explained) exceeds the penalty only above this. It is set slightly lower, so that rounding decides
  // nothing here.
  const double threshold = -std::expm1(-2 * penalty_ / n_) * (1 - 1e-9);
  const double* residual = e.residual.data();
  const double* partial = e.partial.data();
  const double bar = threshold * e.share;
  for (Node v = 0; v < size(); ++v) {
    if (partial[v] * partial[v] <= bar * residual[v] || !may_add(traits_, child, parents, v)) continue;
    const double gain = gain_of(e, v);
    if (gain > 0) best.push_back({gain, v});
  }
  sort_by_gain(best);
  return score(child, e.share, parents.size());
}

void GaussianBic::pair_additions(Node child, Parents parents, std::vector<PairGain>& best) const {
  best.clear();
  if (traits_.constant[child] || static_cast<int>(parents.size()) + 2 > traits_.max_parents) return;
  const Elimination& e = eliminate(child, parents);
  const int p = static_cast<int>(names_.size());
  // The shares of the child's residual variance that must be explained to pay for one parent, for two, and for a
  // quarter of one.
  const double one = -std::expm1(-2 * penalty_ / n_), two = -std::expm1(-4 * penalty_ / n_);
  const double quarter = -std::expm1(-0.5 * penalty_ / n_);
  static thread_local std::vector<double> explained, joint, excess;
  explained.assign(p, -1);  // by variable; -1 where it may not be in a pair
  joint.resize(p);
  excess.resize(p);
  for (Node v = 0; v < p; ++v) {
    if (e.residual[v] <= kDetermined || !may_add(traits_, child, parents, v)) continue;
    if (const double share = e.explained(v); share <= one) explained[v] = share;
  }
  for (Node a = 0; a < p; ++a) {
    if (explained[a] < quarter) continue;
    // Covariances of a with every variable given the parents.
    std::copy(row(a), row(a) + p, joint.begin());
    for (size_t i = 0; i < e.rank; ++i) {
      const double* basis = e.basis.data() + i * p;
      const double weight = basis[a];
      for (int v = 0; v < p; ++v) joint[v] -= weight * basis[v];
    }
    // By how much the pair exceeds the bar, times its determinant: a plain loop over all nodes, then a closer look at
    // the few above 0.
    const double at_a = e.partial[a], of_a = e.residual[a], bar = two * (1 - 1e-9) * e.share;
    const double* residual = e.residual.data();
    const double* partial = e.partial.data();
    for (int v = 0; v < p; ++v) {
      const double covered =
          at_a * at_a * residual[v] + partial[v] * partial[v] * of_a - 2 * at_a * partial[v] * joint[v];
      excess[v] = covered - bar * (of_a * residual[v] - joint[v] * joint[v]);
    }
    for (Node b = 0; b < p; ++b) {
      if (excess[b] <= 0 || explained[b] < 0 || b == a || (b < a && explained[b] >= quarter))
        continue;  // each pair once
      const double determinant = of_a * residual[b] - joint[b] * joint[b];
      if (determinant <= kDetermined * of_a) continue;
      const double covered = (excess[b] / determinant + bar) / e.share;
      if ((1 - covered) * e.share <= kDetermined) continue;
      const double gain = -0.5 * n_ * std::log1p(-covered) - 2 * penalty_;
      if (gain > 0) best.push_back({gain, std::min(a, b), std::max(a, b)});
    }
  }
  sort_by_gain(best);
}

double GaussianBic::removal_gains(Node child, Parents parents, std::span<double> gains) const {
  // With H the inverse of the parents' correlations and b = H r the coefficients, dropping parent k raises the residual
  // share by b_k^2 / H_kk.
  const int k = static_cast<int>(parents.size());
  if (k == 0) return local(child, parents);
  Eigen::MatrixXd block(k, k);
  Eigen::VectorXd with_child(k);
  for (int i = 0; i < k; ++i) {
    with_child(i) = row(parents[i])[child];
    for (int l = 0; l < k; ++l) block(i, l) = row(parents[i])[parents[l]];
  }
  const Cholesky factor(block);
  const bool full_rank = !traits_.constant[child] && factor.succeeded() && factor.smallest_pivot() > 1e-7;
  if (!full_rank) return plain_removal_gains(*this, child, parents, gains);
  const Eigen::MatrixXd inverse = factor.inverse();
  const Eigen::VectorXd coefficients = inverse * with_child;
  const double share = 1 - with_child.dot(coefficients);
  // A small share is a difference of nearly equal numbers and has lost its digits. Fitted parent by parent, it keeps
  // them.
  if (share < 1e-4) return plain_removal_gains(*this, child, parents, gains);
  for (int i = 0; i < k; ++i) {
    const double without = share + coefficients(i) * coefficients(i) / inverse(i, i);
    gains[i] = -0.5 * n_ * std::log(without / share) + penalty_;
  }
  return score(child, share, parents.size());
}

}  // namespace agon
