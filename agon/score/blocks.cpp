#include "agon/score/blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

// A column of a block whose residual, given the columns before it, is below this share of its square is left out.
constexpr double kDependent = 1e-10;

// The cells of a continuous column that were seen, with their weights. All sums here are over these cells.
struct SeenCells {
  std::vector<size_t> rows;
  std::vector<double> weights;
  double weight = 0;
};

std::vector<double> cells_of(const std::vector<double>& column, const std::vector<size_t>& rows) {
  std::vector<double> out(rows.size());
  for (size_t k = 0; k < rows.size(); ++k) out[k] = column[rows[k]];
  return out;
}

SeenCells seen_cells(const Dataset& data, const Column& column) {
  SeenCells seen;
  if (column.has_missing()) {
    for (size_t row = 0; row < data.rows(); ++row) {
      if (!column.is_missing(row)) seen.rows.push_back(row);
    }
  } else {
    seen.rows.resize(data.rows());
    std::iota(seen.rows.begin(), seen.rows.end(), size_t{0});
  }
  seen.weights =
      data.has_weights() ? cells_of(data.row_info().weights, seen.rows) : std::vector<double>(seen.rows.size(), 1.0);
  seen.weight = std::accumulate(seen.weights.begin(), seen.weights.end(), 0.0);
  return seen;
}

double dot(const SeenCells& seen, const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t k = 0; k < a.size(); ++k) sum += seen.weights[k] * a[k] * b[k];
  return sum / seen.weight;
}

// Centres and scales to variance 1. Returns the standard deviation; 0: the cells do not vary, and x is not to be used.
double standardise(const SeenCells& seen, std::vector<double>& x) {
  // Scaled by the largest magnitude first, so that cells near the limits of double survive.
  double largest = 0, mean = 0;
  for (double cell : x) largest = std::max(largest, std::abs(cell));
  if (largest == 0) return 0;
  for (size_t k = 0; k < x.size(); ++k) mean += seen.weights[k] * (x[k] /= largest);
  mean /= seen.weight;
  for (double& cell : x) cell -= mean;
  const double deviation = std::sqrt(dot(seen, x, x));
  if (!(deviation > 0)) return 0;
  for (double& cell : x) cell /= deviation;
  return deviation * largest;
}

// F^-1 of the middle of the cell's share of the weight: (W_< + W_= / 2) / W.
std::vector<double> weighted_normal_scores(const SeenCells& seen, const std::vector<double>& x,
                                           MiddleQuantiles& quantiles) {
  const auto order = ascending(x);
  std::vector<double> z(x.size());
  double below = 0;
  for (size_t first = 0, end = 0; first < x.size(); first = end) {
    double equal = 0;
    for (; end < x.size() && order[end].first == order[first].first; ++end) equal += seen.weights[order[end].second];
    const double score = quantiles.at(below, equal, seen.weight);
    for (size_t k = first; k < end; ++k) z[order[k].second] = score;
    below += equal;
  }
  return z;
}

// The mean of each indicator; rounding may leave less than nothing of a rare level.
std::vector<double> shares_of_indicators(const SeenCells& seen, const Column& column) {
  const auto mean = [&](const std::vector<double>& x) {
    double sum = 0;
    for (size_t k = 0; k < seen.rows.size(); ++k) sum += seen.weights[k] * x[seen.rows[k]];
    return std::max(0.0, sum / seen.weight);
  };
  std::vector<double> shares = {mean(column.values)};
  for (const std::vector<double>& numbers : column.more) shares.push_back(mean(numbers));
  return shares;
}

// Adds what the columns of the basis do not determine of `next`, which is standardised. False: they determine it.
bool add_orthonormal(const SeenCells& seen, std::vector<double> next, std::vector<std::vector<double>>& basis) {
  for (int pass = 0; pass < 2; ++pass) {  // the second pass removes what rounding left of the first
    for (const std::vector<double>& b : basis) {
      const double along = dot(seen, b, next);
      for (size_t k = 0; k < next.size(); ++k) next[k] -= along * b[k];
    }
  }
  const double left = dot(seen, next, next);
  if (left <= kDependent) return false;
  for (double& cell : next) cell /= std::sqrt(left);
  basis.push_back(std::move(next));
  return true;
}

// z, z^2, .. z^degree, centred and orthonormal, in that order; a power that the earlier ones determine is left out.
std::vector<std::vector<double>> orthonormal_powers(const SeenCells& seen, const std::vector<double>& z, int degree) {
  std::vector<std::vector<double>> basis = {z};
  std::vector<double> powers = z;
  for (int power = 2; power <= degree; ++power) {
    for (size_t k = 0; k < z.size(); ++k) powers[k] *= z[k];
    std::vector<double> next = powers;
    if (standardise(seen, next) == 0 || !add_orthonormal(seen, std::move(next), basis)) break;
  }
  return basis;
}

// What the columns of a table have in common.
struct KnownScores {
  MiddleQuantiles quantiles;
  // Complete columns of n different numbers have the same normal scores in another order: their blocks, by rank.
  std::vector<std::vector<double>> by_rank;
};

// The columns of a block, one after the other, where all cells are different numbers that count once each; else none.
std::vector<double> values_of_ranks(const Dataset& data, const Column& column, const BlockOptions& options,
                                    KnownScores& known) {
  if (options.raw || column.has_missing() || !column.more.empty() || data.has_weights() || data.is_summary()) return {};
  const auto order = ascending(column.values);
  for (size_t k = 1; k < order.size(); ++k) {
    if (order[k - 1].first == order[k].first) return {};
  }
  const size_t n = order.size();
  if (known.by_rank.empty()) {
    const SeenCells seen = seen_cells(data, column);
    std::vector<double> z(n);
    for (size_t k = 0; k < n; ++k) z[k] = known.quantiles.at(static_cast<double>(k), 1, seen.weight);
    standardise(seen, z);
    known.by_rank = orthonormal_powers(seen, z, options.basis);
  }
  std::vector<double> values(known.by_rank.size() * n);
  for (size_t c = 0; c < known.by_rank.size(); ++c) {
    for (size_t k = 0; k < n; ++k) values[c * n + order[k].second] = known.by_rank[c][k];
  }
  return values;
}

}  // namespace

Blocks::Blocks(const Dataset& data, const BlockOptions& options) : data_(&data), start_{0} {
  std::vector<Block> blocks(data.size());
  KnownScores known;
  for (Node v = 0; v < data.size(); ++v) {
    const Column& column = data.column(v);
    int width = 0;
    if (column.is_isolated()) {
      // nothing to embed
    } else if (column.kind == ColumnKind::kCategorical) {
      width = embed_labels(v, blocks[v]);
    } else if (blocks[v].values = values_of_ranks(data, column, options, known); !blocks[v].values.empty()) {
      width = static_cast<int>(known.by_rank.size());
      blocks[v].deviation = 1;
    } else {
      width = embed_numbers(v, options, known.quantiles, blocks[v]);
    }
    start_.push_back(start_.back() + width);
  }
  blocks_ = std::make_shared<const std::vector<Block>>(std::move(blocks));
}

Blocks SharedBlocks::of(const Dataset& data, const BlockOptions& options) {
  if (!first_ || options_ != options) {
    options_ = options;
    first_.emplace(data, options);
    sums_.reset();
  }
  return Blocks(data, *first_);
}

int Blocks::embed_labels(Node v, Block& block) const {
  const Column& column = data_->column(v);
  block.gaps = column.has_missing();
  block.shares.assign(column.levels.size(), 0);
  double seen = 0;
  for (size_t row = 0; row < data_->rows(); ++row) {
    if (column.is_missing(row)) continue;
    block.shares[column.codes[row]] += data_->weight(row);
    seen += data_->weight(row);
  }
  for (double& share : block.shares) share /= seen;
  const std::vector<double>& pi = block.shares;
  std::vector<uint32_t> order(pi.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return pi[a] > pi[b]; });
  std::vector<double> later(pi.size());  // Pi, summed from the smallest share up
  for (size_t l = pi.size() - 1; l-- > 0;) later[l] = later[l + 1] + pi[order[l + 1]];

  const size_t width = pi.size() - 1;
  block.values.assign(pi.size() * width, 0);
  for (size_t l = 0; l < width; ++l) {
    const double own = pi[order[l]], rest = later[l];
    block.values[order[l] * width + l] = std::sqrt(rest / (own * (own + rest)));
    for (size_t k = l + 1; k < pi.size(); ++k) {
      block.values[order[k] * width + l] = -std::sqrt(own / (rest * (own + rest)));
    }
  }
  return static_cast<int>(width);
}

int Blocks::embed_numbers(Node v, const BlockOptions& options, MiddleQuantiles& quantiles, Block& block) const {
  const Column& column = data_->column(v);
  const SeenCells seen = seen_cells(*data_, column);
  const bool raw = options.raw || data_->is_summary();  // the ranks of rows that stand for a matrix mean nothing
  if (column.has_levels()) block.shares = shares_of_indicators(seen, column);
  std::vector<double> x = cells_of(column.values, seen.rows);
  if (!raw) x = weighted_normal_scores(seen, x, quantiles);
  const double deviation = standardise(seen, x);
  block.deviation = raw ? deviation : 1;
  std::vector<std::vector<double>> basis;
  if (deviation > 0) basis = orthonormal_powers(seen, x, data_->is_summary() ? 1 : options.basis);
  for (const std::vector<double>& numbers : column.more) {
    std::vector<double> further = cells_of(numbers, seen.rows);
    if (standardise(seen, further) > 0) add_orthonormal(seen, std::move(further), basis);
  }
  if (basis.empty()) return 0;  // varies by less than doubles can resolve

  const size_t n = data_->rows();
  const double share = seen.weight / data_->total_weight();
  const bool mark_gaps = options.gap_columns && column.has_missing();
  block.gaps = column.has_missing() && !mark_gaps;
  // A column that is 0 in the gaps keeps its mean of 0, but its variance over all rows is the share seen.
  const double scale = mark_gaps ? 1 / std::sqrt(share) : 1;
  block.values.assign((basis.size() + (mark_gaps ? 1 : 0)) * n, 0);
  for (size_t c = 0; c < basis.size(); ++c) {
    for (size_t k = 0; k < seen.rows.size(); ++k) block.values[c * n + seen.rows[k]] = scale * basis[c][k];
  }
  if (!mark_gaps) return static_cast<int>(basis.size());
  // The mark of a gap, standardised; it is orthogonal to the columns above as it is.
  double* mark = block.values.data() + basis.size() * n;
  for (size_t row = 0; row < n; ++row) {
    mark[row] = column.is_missing(row) ? std::sqrt(share / (1 - share)) : -std::sqrt((1 - share) / share);
  }
  return static_cast<int>(basis.size()) + 1;
}

bool Blocks::has_missing() const {
  return std::any_of(blocks_->begin(), blocks_->end(), [](const Block& block) { return block.gaps; });
}

void Blocks::fill(size_t first, size_t count, double* out) const {
  for (Node v = 0; v < size(); ++v) {
    const Block& own = block(v);
    const Column& column = data_->column(v);
    const size_t m = static_cast<size_t>(width(v));
    double* to = out + static_cast<size_t>(start(v)) * count;
    if (m == 0) continue;
    if (column.kind == ColumnKind::kContinuous) {
      const size_t n = data_->rows();
      for (size_t c = 0; c < m; ++c) {
        std::copy_n(own.values.data() + c * n + first, count, to + c * count);
      }
      continue;
    }
    column.codes.visit([&](const auto& codes) {
      for (size_t k = 0; k < count; ++k) {
        const double* coded = own.values.data() + codes[first + k] * m;
        const bool missing = column.is_missing(first + k);
        for (size_t c = 0; c < m; ++c) to[c * count + k] = missing ? 0 : coded[c];
      }
    });
  }
}

void Blocks::fill_row(Node v, size_t row, double* out) const {
  const Block& own = block(v);
  const Column& column = data_->column(v);
  const size_t m = static_cast<size_t>(width(v));
  for (size_t c = 0; c < m; ++c) {
    if (column.kind == ColumnKind::kContinuous) {
      out[c] = own.values[c * data_->rows() + row];
    } else {
      out[c] = column.is_missing(row) ? 0 : own.values[column.codes[row] * m + c];
    }
  }
}

std::vector<double> seen_together(const Dataset& data) {
  if (!data.has_missing() && !data.has_drawn()) return {};
  const size_t p = static_cast<size_t>(data.size());
  std::vector<Node> with_gaps;
  for (Node v = 0; v < data.size(); ++v) {
    if (data.column(v).has_missing() || data.column(v).drawn.any()) with_gaps.push_back(v);
  }
  // Weight of the rows in which both are gaps; by inclusion and exclusion the rest follows.
  std::vector<double> both(p * p, 0);
  std::vector<Node> gaps;
  for (size_t row = 0; row < data.rows(); ++row) {
    gaps.clear();
    for (Node v : with_gaps) {
      if (data.column(v).is_missing(row) || data.column(v).drawn[row]) gaps.push_back(v);
    }
    for (Node a : gaps) {
      for (Node b : gaps) both[a * p + b] += data.weight(row);
    }
  }
  const double total = data.total_weight();
  std::vector<double> share(p * p, 1);
  for (size_t a = 0; a < p; ++a) {
    for (size_t b = 0; b < p; ++b) {
      const double gone = a == b ? both[a * p + a] : both[a * p + a] + both[b * p + b] - both[a * p + b];
      // What is left of a sum that used up every row is rounding.
      share[a * p + b] = gone > total * (1 - 1e-12) ? 0 : 1 - gone / total;
    }
  }
  return share;
}

}  // namespace agon
