#include "agon/score/em.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "agon/base/crew.h"
#include "agon/base/linear_algebra.h"
#include "agon/score/elimination_loops.h"

namespace agon {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

// Sums are taken over slices of the rows and added in the order of the slices. Their number is fixed: a sum then has
// the same roundings for any number of threads.
constexpr int kSlices = 16;
constexpr Index kRowsAtOnce = 256;  // rows that enter a sum of products together

// The rows with the same gaps. A row x of weight w is kept as sqrt(w) (1, x), so that all that EM asks about the rows
// of a pattern is their matrix of products. Rows that are more than their columns are replaced by a square root of it,
// with as many rows as columns: EM takes the same steps, and no step costs more than for that many rows.
struct Pattern {
  std::vector<Node> hidden_blocks;
  std::vector<int> hidden;   // columns
  std::vector<int> seen;     // columns
  std::vector<size_t> rows;  // of the table
  double weight = 0;         // of those rows
  Index count = 0;           // of the rows that are kept for them
  Matrix cells;              // by row kept: sqrt(w), then sqrt(w) times the seen columns
};

struct Table {
  int q = 0;
  std::vector<Pattern> patterns;           // those with gaps
  Matrix fixed;                            // lower part of the sum of products of all cells seen, over all rows
  std::vector<int> open;                   // the columns that some pattern hides
  std::vector<int> always;                 // the others
  std::vector<size_t> slices;              // kSlices + 1: patterns slices[k] .. slices[k + 1] - 1 are slice k
  std::vector<std::vector<int>> favoured;  // restricted: by node, all columns of others, the most correlated first
  bool restricted() const { return !favoured.empty(); }
};

void put_row(const Blocks& blocks, size_t row, double* out) {
  const double root = std::sqrt(blocks.data().weight(row));
  out[0] = root;
  for (Node v = 0; v < blocks.size(); ++v) {
    double* part = out + 1 + blocks.start(v);
    if (blocks.width(v) == 0) continue;
    if (blocks.is_missing(v, row)) {
      std::fill_n(part, blocks.width(v), 0.0);
      continue;
    }
    blocks.fill_row(v, row, part);
    for (int k = 0; k < blocks.width(v); ++k) part[k] *= root;
  }
}

// Adds the products of the rows begin .. end - 1 of a list to the lower part of `sum`.
void add_products(const Blocks& blocks, const std::vector<size_t>& rows, size_t begin, size_t end, Matrix& sum) {
  Matrix some(blocks.columns() + 1, kRowsAtOnce);
  for (size_t at = begin; at < end; at += kRowsAtOnce) {
    const Index count = std::min<Index>(kRowsAtOnce, static_cast<Index>(end - at));
    for (Index k = 0; k < count; ++k) put_row(blocks, rows[at + static_cast<size_t>(k)], some.col(k).data());
    add_outer(sum, some.leftCols(count));
  }
}

// Where sqrt(w) and the seen columns are in a row of q + 1 numbers.
std::vector<int> seen_places(const Pattern& pattern) {
  std::vector<int> places{0};
  for (const int c : pattern.seen) places.push_back(c + 1);
  return places;
}

// Columns whose products add up to `products` over the given rows of it.
Matrix root_of_part(const Matrix& products, const std::vector<int>& places) {
  const Index size = static_cast<Index>(places.size());
  Matrix part(size, size);
  for (Index b = 0; b < size; ++b) {
    for (Index a = b; a < size; ++a) part(a, b) = part(b, a) = products(places[a], places[b]);
  }
  return square_root(part);
}

std::vector<Node> hidden_blocks(const Blocks& blocks, size_t row) {
  std::vector<Node> out;
  for (Node v = 0; v < blocks.size(); ++v) {
    if (blocks.width(v) > 0 && blocks.is_missing(v, row)) out.push_back(v);
  }
  return out;
}

// All patterns, the one without gaps too if there is such a row.
std::vector<Pattern> find_patterns(const Blocks& blocks) {
  const size_t n = blocks.data().rows();
  std::vector<std::pair<std::vector<Node>, size_t>> order(n);
  for (size_t row = 0; row < n; ++row) order[row] = {hidden_blocks(blocks, row), row};
  std::sort(order.begin(), order.end());
  std::vector<Pattern> patterns;
  for (auto& [hidden, row] : order) {
    if (patterns.empty() || patterns.back().hidden_blocks != hidden) {
      patterns.emplace_back().hidden_blocks = std::move(hidden);
    }
    patterns.back().rows.push_back(row);
    patterns.back().weight += blocks.data().weight(row);
  }
  for (Pattern& pattern : patterns) {
    for (Node v = 0; v < blocks.size(); ++v) {
      const bool gap = std::binary_search(pattern.hidden_blocks.begin(), pattern.hidden_blocks.end(), v);
      for (int c = blocks.start(v); c < blocks.start(v) + blocks.width(v); ++c) {
        (gap ? pattern.hidden : pattern.seen).push_back(c);
      }
    }
  }
  return patterns;
}

Matrix products_of(const Blocks& blocks, const std::vector<size_t>& rows, Crew& crew) {
  const Index size = blocks.columns() + 1;
  std::vector<Matrix> sums(kSlices);
  crew.run(kSlices, [&](int slice, int) {
    const size_t begin = rows.size() * static_cast<size_t>(slice) / kSlices;
    const size_t end = rows.size() * static_cast<size_t>(slice + 1) / kSlices;
    sums[slice] = Matrix::Zero(size, size);
    add_products(blocks, rows, begin, end, sums[slice]);
  });
  for (int slice = 1; slice < kSlices; ++slice) sums[0] += sums[slice];
  return std::move(sums[0]);
}

Matrix cells_of(const Blocks& blocks, const Pattern& pattern) {
  const std::vector<int> places = seen_places(pattern);
  const Index size = blocks.columns() + 1;
  if (pattern.count < static_cast<Index>(pattern.rows.size())) {
    Matrix products = Matrix::Zero(size, size);
    add_products(blocks, pattern.rows, 0, pattern.rows.size(), products);
    return root_of_part(products, places);
  }
  Matrix out(static_cast<Index>(places.size()), pattern.count);
  Vector row(size);
  for (Index k = 0; k < pattern.count; ++k) {
    put_row(blocks, pattern.rows[static_cast<size_t>(k)], row.data());
    out.col(k) = row(places);
  }
  return out;
}

// Multiplications of a step in its plain form: the bound on them decides about the answer, so cheaper ways to take the
// same step do not enter here. The full step inverts a matrix of the hidden columns per pattern; the restricted one
// solves a system of the regressors per block and carries them through the covariance.
double operations(const Table& table, int most_regressors, bool restricted) {
  const double q = table.q;
  double sum = restricted ? 0 : q * q * q;
  for (const Pattern& pattern : table.patterns) {
    const double h = static_cast<double>(pattern.hidden.size()), rows = static_cast<double>(pattern.count);
    const double b = static_cast<double>(pattern.hidden_blocks.size());
    const double k = std::min(static_cast<double>(most_regressors), static_cast<double>(pattern.seen.size()));
    sum += rows * q * q;
    sum += restricted ? b * k * k * k / 3 + h * k * q + h * h * k + rows * h * k : h * h * h + rows * h * q;
  }
  return sum;
}

// By node, all columns of others, the one with the largest sum of squared covariances with its block first. Covariances
// are those of rows in which both were seen.
std::vector<std::vector<int>> favoured_columns(const Blocks& blocks, Crew& crew) {
  const int q = blocks.columns();
  std::vector<size_t> rows(blocks.data().rows());
  std::iota(rows.begin(), rows.end(), 0);
  const Matrix products = products_of(blocks, rows, crew);
  const std::vector<double> together = seen_together(blocks.data());
  const double weight = blocks.data().total_weight();
  std::vector<Node> owner(q);
  for (Node v = 0; v < blocks.size(); ++v) {
    for (int c = blocks.start(v); c < blocks.start(v) + blocks.width(v); ++c) owner[c] = v;
  }
  std::vector<std::vector<int>> favoured(blocks.size());
  for (Node v = 0; v < blocks.size(); ++v) {
    std::vector<double> strength(q, 0.0);
    for (int c = 0; c < q; ++c) {
      if (owner[c] == v) continue;
      favoured[v].push_back(c);
      const double share = together[static_cast<size_t>(v) * blocks.size() + owner[c]];
      if (share == 0) continue;
      for (int a = blocks.start(v); a < blocks.start(v) + blocks.width(v); ++a) {
        const double r = products(std::max(a, c) + 1, std::min(a, c) + 1) / (weight * share);
        strength[c] += r * r;
      }
    }
    std::stable_sort(favoured[v].begin(), favoured[v].end(), [&](int a, int b) { return strength[a] > strength[b]; });
  }
  return favoured;
}

// Slices of about equal work.
std::vector<size_t> cut(const Table& table, int regressors) {
  std::vector<size_t> slices{0};
  const double q = table.q;
  std::vector<double> work{0};
  for (const Pattern& pattern : table.patterns) {
    const double h = static_cast<double>(pattern.hidden.size());
    const double own = table.restricted() ? h * regressors * q : h * h * h;
    work.push_back(work.back() + own + static_cast<double>(pattern.count) * q * q);
  }
  for (int slice = 1; slice < kSlices; ++slice) {
    const auto at = std::lower_bound(work.begin(), work.end(), work.back() * slice / kSlices);
    slices.push_back(std::min(static_cast<size_t>(at - work.begin()), table.patterns.size()));
  }
  slices.push_back(table.patterns.size());
  return slices;
}

// What the seen cells of the rows with gaps add to the products, the same in every step.
void add_fixed(Table& table, Crew& crew) {
  std::vector<Matrix> sums(kSlices);
  crew.run(kSlices, [&](int slice, int) {
    sums[slice] = Matrix::Zero(table.q + 1, table.q + 1);
    for (size_t k = table.slices[slice]; k < table.slices[slice + 1]; ++k) {
      const std::vector<int> places = seen_places(table.patterns[k]);
      const Index size = static_cast<Index>(places.size());
      Matrix products = Matrix::Zero(size, size);
      add_outer(products, table.patterns[k].cells);
      for (Index b = 0; b < size; ++b) {
        for (Index a = b; a < size; ++a) sums[slice](places[a], places[b]) += products(a, b);
      }
    }
  });
  for (const Matrix& sum : sums) table.fixed += sum;
}

Table make_table(const Blocks& blocks, const EmOptions& options, Crew& crew) {
  Table table;
  table.q = blocks.columns();
  table.patterns = find_patterns(blocks);
  const Index size = table.q + 1;
  table.fixed = Matrix::Zero(size, size);
  if (!table.patterns.empty() && table.patterns.front().hidden.empty()) {  // sorted: no gaps come first
    table.fixed = products_of(blocks, table.patterns.front().rows, crew);
    table.patterns.erase(table.patterns.begin());
  }
  for (Pattern& pattern : table.patterns) {
    pattern.count = std::min(static_cast<Index>(pattern.rows.size()), static_cast<Index>(pattern.seen.size()) + 1);
  }
  crew.run(static_cast<int>(table.patterns.size()),
           [&](int k, int) { table.patterns[k].cells = cells_of(blocks, table.patterns[k]); });
  for (Node v = 0; v < blocks.size(); ++v) {
    for (int c = blocks.start(v); c < blocks.start(v) + blocks.width(v); ++c) {
      (blocks.has_missing(v) ? table.open : table.always).push_back(c);
    }
  }
  const double full = operations(table, options.most_regressors, false);
  if (!table.patterns.empty() && full > options.most_operations &&
      operations(table, options.most_regressors, true) < full) {
    table.favoured = favoured_columns(blocks, crew);
  }
  table.slices = cut(table, options.most_regressors);
  add_fixed(table, crew);
  return table;
}

// The moments that a step starts from, and what all patterns need of them.
struct Moments {
  double floor = kFloor;
  Vector mean;
  Matrix covariance;
  Matrix floored = {};                  // covariance + floor I
  Matrix precision = {};                // the open columns of its inverse; not needed when restricted
  std::vector<int> place = {};          // by column: which of the open ones it is
  Matrix settled = {};                  // the part of the columns that are always seen, as last factored
  std::optional<Cholesky> factor = {};  // of that

  void settle(const Table& table) {
    floored = covariance;
    floored.diagonal().array() += floor;
    if (table.restricted() || table.open.empty()) return;
    invert(table.open, table.always);
  }

 private:
  // The inverse by blocks: O for the open columns, A for those that are always seen, whose moments change no more after
  // the first step, and with them neither does their factor. With V floored and B = V_AA^-1 V_AO, the open part of the
  // inverse is K = (V_OO - V_OA B)^-1, and the part across is -B K.
  void invert(const std::vector<int>& open, const std::vector<int>& always) {
    const Index o = static_cast<Index>(open.size());
    if (place.empty()) {
      place.assign(static_cast<size_t>(mean.size()), -1);
      for (Index k = 0; k < o; ++k) place[open[k]] = static_cast<int>(k);
    }
    Matrix left = floored(open, open), slopes;
    if (!always.empty()) {
      const Matrix now = floored(always, always);
      if (!factor || now != settled) {
        factor.emplace(now);
        settled = now;
      }
      const Matrix across = floored(always, open);
      slopes = factor->solve(across);
      subtract_product(left, across.transpose(), slopes);
    }
    const Matrix inverse = Cholesky(left).inverse();
    precision.resize(mean.size(), o);
    precision(open, Eigen::all) = inverse;
    if (!always.empty()) precision(always, Eigen::all) = -product(slopes, inverse);
  }
};

// What a step learns about the hidden columns of a pattern: their cells in the rows kept, and their covariance given
// the seen ones (lower part).
struct Hidden {
  Matrix cells;  // by row kept, times sqrt(w)
  Matrix covariance;
};

// With K the inverse of the floored covariance, the hidden columns given the seen ones have the covariance K_hh^-1 and
// the mean m_h - K_hh^-1 K_hs (x_s - m_s): a matrix of the hidden columns alone is inverted. The floor is on the whole
// diagonal of K^-1, so K_hh^-1 has it too, and it is taken off.
Hidden complete_full(const Pattern& pattern, const Moments& now) {
  std::vector<int> place;
  for (const int c : pattern.hidden) place.push_back(now.place[c]);
  Hidden out;
  const Index h = static_cast<Index>(place.size()), seen = static_cast<Index>(pattern.seen.size());
  const Matrix among = now.precision(pattern.hidden, place);
  out.covariance.resize(h, h);
  invert_symmetric(among.data(), static_cast<int>(h), out.covariance.data());
  Matrix across(h, seen + 1);  // (-K_hs m_s, K_hs)
  if (seen > 0) across.rightCols(seen) = now.precision(pattern.seen, place).transpose();
  across.col(0) = -product(across.rightCols(seen), Vector(now.mean(pattern.seen)));
  const Matrix pull = product(across, pattern.cells);
  out.cells.noalias() = now.mean(pattern.hidden) * pattern.cells.row(0);
  subtract_product(out.cells, out.covariance, pull);
  out.covariance.diagonal().array() -= now.floor;
  return out;
}

// The regression of a hidden block on some of the seen columns.
struct Regression {
  std::vector<int> own, used;
  Matrix slopes;  // by used, own
};

std::vector<Regression> regressions(const Pattern& pattern, const Blocks& blocks, const Table& table,
                                    int most_regressors, const Moments& now) {
  std::vector<char> is_seen(static_cast<size_t>(table.q), 0);
  for (const int c : pattern.seen) is_seen[c] = 1;
  std::vector<Regression> out;
  for (const Node v : pattern.hidden_blocks) {
    Regression r;
    for (int k = 0; k < blocks.width(v); ++k) r.own.push_back(blocks.start(v) + k);
    for (size_t k = 0; k < table.favoured[v].size() && static_cast<int>(r.used.size()) < most_regressors; ++k) {
      if (is_seen[table.favoured[v][k]]) r.used.push_back(table.favoured[v][k]);
    }
    r.slopes = Cholesky(now.floored(r.used, r.used)).solve(Matrix(now.covariance(r.used, r.own)));
    out.push_back(std::move(r));
  }
  return out;
}

// The same with each block regressed on a few seen columns. The covariance is that of the residuals x_h - B x_s, so the
// result stays positive semidefinite; with all seen columns it is that of complete_full.
Hidden complete_restricted(const Pattern& pattern, const std::vector<Regression>& parts, const Moments& now) {
  const Index h = static_cast<Index>(pattern.hidden.size());
  std::vector<Index> place(static_cast<size_t>(now.mean.size()), -1);  // by column: its row in the cells seen
  for (size_t k = 0; k < pattern.seen.size(); ++k) place[pattern.seen[k]] = static_cast<Index>(k) + 1;
  Hidden out{Matrix(h, pattern.cells.cols()), Matrix::Zero(h, h)};
  for (Index k = 0; k < out.cells.cols(); ++k) {
    const double root = pattern.cells(0, k);
    Index at = 0;
    for (const Regression& r : parts) {
      for (size_t a = 0; a < r.own.size(); ++a, ++at) {
        double x = root * now.mean[r.own[a]];
        for (size_t u = 0; u < r.used.size(); ++u) {
          x += r.slopes(static_cast<Index>(u), static_cast<Index>(a)) *
               (pattern.cells(place[r.used[u]], k) - root * now.mean[r.used[u]]);
        }
        out.cells(at, k) = x;
      }
    }
  }
  // Covariances of every column with each residual, then those among the residuals.
  Matrix with(now.mean.size(), h);
  Index at = 0;
  for (const Regression& r : parts) {
    auto some = with.middleCols(at, static_cast<Index>(r.own.size()));
    for (size_t a = 0; a < r.own.size(); ++a) some.col(static_cast<Index>(a)) = now.floored.col(r.own[a]);
    for (size_t u = 0; u < r.used.size(); ++u) {
      some.noalias() -= now.floored.col(r.used[u]) * r.slopes.row(static_cast<Index>(u));
    }
    at += static_cast<Index>(r.own.size());
  }
  Index a = 0;
  for (const Regression& r : parts) {
    for (size_t k = 0; k < r.own.size(); ++k, ++a) {
      for (Index b = 0; b <= a; ++b) {
        double left = with(r.own[k], b) - (a == b ? now.floor : 0);
        for (size_t u = 0; u < r.used.size(); ++u) {
          left -= r.slopes(static_cast<Index>(u), static_cast<Index>(k)) * with(r.used[u], b);
        }
        out.covariance(a, b) = left;
      }
    }
  }
  return out;
}

// Adds the products of completed cells with each other and with the seen ones, and their covariance once for each row
// by weight, to the lower part of `sum`.
void add(const Pattern& pattern, const Hidden& hidden, Matrix& sum) {
  const Matrix across = product_with_transpose(pattern.cells, hidden.cells);
  Matrix among = pattern.weight * hidden.covariance;
  add_outer(among, hidden.cells);
  for (Index a = 0; a < among.cols(); ++a) {
    const Index at = pattern.hidden[a] + 1;
    sum(at, 0) += across(0, a);
    for (size_t k = 0; k < pattern.seen.size(); ++k) {
      const Index other = pattern.seen[k] + 1;
      sum(std::max(at, other), std::min(at, other)) += across(static_cast<Index>(k) + 1, a);
    }
    for (Index b = 0; b <= a; ++b) sum(at, pattern.hidden[b] + 1) += among(a, b);
  }
}

// What the hidden cells of a slice add to the lower part of the sum of products.
Matrix sum_of_slice(const Blocks& blocks, const Table& table, const Moments& now, const EmOptions& options, int slice,
                    const std::atomic<bool>& stopped) {
  Matrix sum = Matrix::Zero(table.q + 1, table.q + 1);
  const size_t begin = table.slices[slice], end = table.slices[slice + 1];
  for (size_t k = begin; k < end && !stopped.load(std::memory_order_relaxed); ++k) {
    const Pattern& pattern = table.patterns[k];
    if (table.restricted()) {
      const std::vector<Regression> parts = regressions(pattern, blocks, table, options.most_regressors, now);
      add(pattern, complete_restricted(pattern, parts, now), sum);
    } else {
      add(pattern, complete_full(pattern, now), sum);
    }
  }
  return sum;
}

}  // namespace

EmFit fit_em(const Blocks& blocks, const EmOptions& options) {
  Crew crew(options.threads);
  const Table table = make_table(blocks, options, crew);
  const Index q = table.q;
  if (q == 0) return {};
  const double weight = blocks.data().total_weight();
  Moments now{.floor = options.floor, .mean = Vector::Zero(q), .covariance = Matrix::Identity(q, q)};
  EmFit fit;
  fit.restricted = table.restricted();
  fit.converged = false;
  std::vector<Matrix> sums(kSlices);
  while (!fit.converged && fit.steps < options.most_steps) {
    std::atomic<bool> stopped = false;
    now.settle(table);
    crew.run(kSlices, [&](int slice, int) {
      if (options.watch != nullptr && options.watch->stop_requested()) stopped = true;
      sums[slice] = sum_of_slice(blocks, table, now, options, slice, stopped);
    });
    if (stopped) break;  // what the last whole step reached is the answer
    Matrix sum = table.fixed;
    for (const Matrix& part : sums) sum += part;
    const Vector mean = sum.col(0).tail(q) / weight;
    Matrix covariance = mirrored(sum.bottomRightCorner(q, q) / weight);
    covariance -= mean * mean.transpose();
    fit.movement =
        std::max((mean - now.mean).cwiseAbs().maxCoeff(), (covariance - now.covariance).cwiseAbs().maxCoeff());
    now.mean = mean;
    now.covariance = std::move(covariance);
    fit.converged = fit.movement <= options.tolerance;
    ++fit.steps;
  }
  fit.mean.assign(now.mean.data(), now.mean.data() + q);
  fit.covariance.assign(now.covariance.data(), now.covariance.data() + q * q);
  return fit;
}

}  // namespace agon
