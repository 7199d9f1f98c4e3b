#include "agon/score/completion.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "agon/base/linear_algebra.h"
#include "agon/base/parallel.h"
#include "agon/base/rng.h"

namespace agon {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Index = Eigen::Index;

constexpr const char* kNoLevel = "(missing)";

// The gaps of a row whose variables have blocks, given its seen cells.
struct Gaps {
  std::vector<Node> nodes;  // ascending
  Vector mean;              // of their columns
  Matrix factor;            // lower triangle: Cholesky factor of their covariance, which has the floor on its diagonal
};

class Conditional {
 public:
  Conditional(const Blocks& blocks, const EmFit& fit)
      : blocks_(blocks), mean_(Eigen::Map<const Vector>(fit.mean.data(), blocks.columns())) {
    const Index q = blocks.columns();
    Matrix floored = Eigen::Map<const Matrix>(fit.covariance.data(), q, q);
    floored.diagonal().array() += kFloor;
    precision_ = Cholesky(floored).inverse();
  }

  // As in em.cpp: with K the inverse of the covariance, the covariance is K_hh^-1 and the mean m_h - K_hh^-1 K_hs
  // (x_s - m_s).
  Gaps given_seen(size_t row) const {
    Gaps gaps;
    std::vector<int> hidden;
    Vector centred = Vector::Zero(mean_.size());
    for (Node v = 0; v < blocks_.size(); ++v) {
      const int start = blocks_.start(v), width = blocks_.width(v);
      if (width == 0) continue;
      if (blocks_.is_missing(v, row)) {
        gaps.nodes.push_back(v);
        for (int k = 0; k < width; ++k) hidden.push_back(start + k);
      } else {
        blocks_.fill_row(v, row, centred.data() + start);
        centred.segment(start, width) -= mean_.segment(start, width);
      }
    }
    const Index h = static_cast<Index>(hidden.size());
    const Cholesky cholesky(precision_(hidden, hidden));
    Vector pull(h);
    for (Index a = 0; a < h; ++a) pull[a] = -precision_.col(hidden[a]).dot(centred);
    gaps.mean = mean_(hidden) + cholesky.solve(pull);
    gaps.factor = Cholesky(cholesky.inverse()).factor();
    return gaps;
  }

 private:
  const Blocks& blocks_;
  Vector mean_;
  Matrix precision_;
};

// What a gap of a column may become: cells of rows in which it was seen.
struct Choices {
  std::vector<size_t> rows;      // one per level, by level; continuous: one per value, by value
  std::vector<double> place;     // continuous: the first column of the block there
  std::vector<size_t> all_rows;  // columns without a block: all rows in which it was seen
};

Choices choices_of(const Blocks& blocks, Node v) {
  const Column& column = blocks.data().column(v);
  Choices out;
  for (size_t row = 0; row < column.rows(); ++row) {
    if (!column.is_missing(row)) out.all_rows.push_back(row);
  }
  if (blocks.width(v) == 0) return out;
  if (column.kind == ColumnKind::kCategorical) {
    out.rows.resize(column.levels.size());
    for (const size_t row : out.all_rows) out.rows[column.codes[row]] = row;
  } else {
    out.rows = out.all_rows;
    std::stable_sort(out.rows.begin(), out.rows.end(),
                     [&](size_t a, size_t b) { return column.values[a] < column.values[b]; });
    const auto same = [&](size_t a, size_t b) { return column.values[a] == column.values[b]; };
    out.rows.erase(std::unique(out.rows.begin(), out.rows.end(), same), out.rows.end());
    std::vector<double> block(static_cast<size_t>(blocks.width(v)));
    for (const size_t row : out.rows) {
      blocks.fill_row(v, row, block.data());
      out.place.push_back(block[0]);
    }
  }
  out.all_rows = {};
  return out;
}

// The table, its gaps and what is known of them.
struct Task {
  Task(const Dataset& d, const BlockOptions& block_options, const EmOptions& options)
      : data(d), blocks(d, block_options), fit(fit_em(blocks, options)), conditional(blocks, fit) {
    choices.resize(static_cast<size_t>(d.size()));
    for (Node v = 0; v < d.size(); ++v) {
      if (!d.column(v).has_missing()) continue;
      with_gaps.push_back(v);
      choices[static_cast<size_t>(v)] = choices_of(blocks, v);
    }
    for (size_t row = 0; row < d.rows(); ++row) {
      bool any = false, in_block = false;
      for (const Node v : with_gaps) {
        if (!d.column(v).is_missing(row)) continue;
        any = true;
        in_block = in_block || blocks.width(v) > 0;
      }
      if (any) incomplete.push_back(row);
      if (in_block) hidden.push_back(row);
    }
  }

  const Choices& of(Node v) const { return choices[static_cast<size_t>(v)]; }

  const Dataset& data;
  Blocks blocks;
  EmFit fit;
  Conditional conditional;
  std::vector<Node> with_gaps;
  std::vector<Choices> choices;    // by node
  std::vector<size_t> incomplete;  // rows with a gap, ascending
  std::vector<size_t> hidden;      // those with a gap in a column that has a block
};

// Probabilities of the levels of v, given the conditional mean of its contrasts.
std::vector<double> level_probabilities(const Task& task, Node v, const Vector& mean) {
  const std::vector<double>& shares = task.blocks.shares(v);
  std::vector<double> out(shares.size());
  Vector contrasts(mean.size());
  double sum = 0;
  for (size_t level = 0; level < shares.size(); ++level) {
    task.blocks.fill_row(v, task.of(v).rows[level], contrasts.data());
    out[level] = std::max(0.0, shares[level] * (1 + contrasts.dot(mean)));
    sum += out[level];
  }
  for (double& probability : out) probability /= sum;
  return out;
}

size_t drawn_level(const std::vector<double>& probabilities, double u) {
  size_t last = 0;  // the last level that can be drawn, should rounding leave u beyond the sum
  for (size_t level = 0; level < probabilities.size(); ++level) {
    if (probabilities[level] == 0) continue;
    last = level;
    if (u < probabilities[level]) break;
    u -= probabilities[level];
  }
  return last;
}

// Index of the place nearest to z; of two equally near the lower one. Places ascend.
size_t nearest(const std::vector<double>& places, double z) {
  const size_t above = static_cast<size_t>(std::lower_bound(places.begin(), places.end(), z) - places.begin());
  if (above == 0) return 0;
  if (above == places.size()) return above - 1;
  return places[above] - z < z - places[above - 1] ? above : above - 1;
}

// The row whose cell the gap of v takes.
size_t draw(const Task& task, Node v, const Vector& mean, double deviation, Rng& rng) {
  const Choices& choices = task.of(v);
  if (task.data.column(v).kind == ColumnKind::kCategorical) {
    return choices.rows[drawn_level(level_probabilities(task, v, mean), rng.uniform())];
  }
  return choices.rows[nearest(choices.place, mean[0] + deviation * rng.normal())];
}

// By draw, then gap of a block: the row whose cell the gap takes.
std::vector<size_t> draw_row(const Task& task, size_t row, int draws, const Rng& rng) {
  const Gaps gaps = task.conditional.given_seen(row);
  std::vector<Rng> streams;
  for (const Node v : gaps.nodes) streams.push_back(rng.split(task.data.column(v).name, row));
  std::vector<size_t> out;
  Vector independent(gaps.mean.size()), cell;  // factor * independent is the gap less its mean given the seen cells
  for (int d = 0; d < draws; ++d) {
    Index at = 0;
    for (size_t k = 0; k < gaps.nodes.size(); ++k) {
      const Node v = gaps.nodes[k];
      const Index width = task.blocks.width(v);
      const Vector mean =
          gaps.mean.segment(at, width) + product(gaps.factor.block(at, 0, width, at), Vector(independent.head(at)));
      const double variance = gaps.factor(at, at) * gaps.factor(at, at) - kFloor;
      out.push_back(draw(task, v, mean, std::sqrt(std::max(0.0, variance)), streams[k]));
      cell.resize(width);
      task.blocks.fill_row(v, out.back(), cell.data());
      independent.segment(at, width) = solve_lower(gaps.factor.block(at, at, width, width), Vector(cell - mean));
      at += width;
    }
  }
  return out;
}

// A cell to be filled in: a row of the completed table, and what it holds.
struct Cell {
  size_t row = 0;
  uint32_t code = 0;
  double number = 0;
};

Cell cell_like(const Column& column, size_t row, size_t source) {
  if (column.kind == ColumnKind::kCategorical) return {row, column.codes[source], 0};
  return {row, 0, column.values[source]};
}

// The column with these cells in its gaps, ascending by row.
Column with_cells(Column column, const std::vector<Cell>& cells) {
  column.missing = {};
  if (column.kind == ColumnKind::kContinuous) {
    for (const Cell& cell : cells) column.values[cell.row] = cell.number;
  } else {
    Codes codes;
    auto next = cells.begin();
    for (size_t row = 0; row < column.codes.size(); ++row) {
      const bool gap = next != cells.end() && next->row == row;
      codes.push_back(gap ? (next++)->code : column.codes[row]);
    }
    column.codes = std::move(codes);
    if (column.levels.empty()) column.levels.push_back(kNoLevel);
  }
  for (const Cell& cell : cells) column.drawn.insert(cell.row);
  return column;
}

Completion finish(const Task& task, const Dataset& table, const std::vector<std::vector<Cell>>& cells,
                  std::vector<double> weights) {
  std::vector<Column> columns;
  for (const int v : table.file_order()) columns.push_back(with_cells(table.column(v), cells[static_cast<size_t>(v)]));
  RowInfo info = table.row_info();
  info.weights = std::move(weights);
  Completion out;
  out.data = make_dataset(std::move(columns), table.source(), std::move(info));
  out.rows = task.incomplete.size();
  for (const Node v : task.with_gaps) out.cells += task.data.column(v).missing.count();
  out.steps = task.fit.steps;
  out.movement = task.fit.movement;
  out.converged = task.fit.converged;
  out.restricted = task.fit.restricted;
  return out;
}

// Gaps of a column without a block: any cell that was seen.
Cell any_cell(const Task& task, Node v, size_t old_row, size_t row, const Rng& rng) {
  const Column& column = task.data.column(v);
  const std::vector<size_t>& seen = task.of(v).all_rows;
  if (seen.empty()) return {row, 0, 0};
  Rng stream = rng.split(column.name, old_row);
  return cell_like(column, row, seen[static_cast<size_t>(stream.below(static_cast<int>(seen.size())))]);
}

Completion as_it_is(const Dataset& data) {
  Completion out;
  out.data = data;
  return out;
}

// piece(k) for each k below `count`, many at a time for each thread.
template <class Piece>
void in_batches(size_t count, int threads, const Piece& piece) {
  constexpr size_t kBatch = 64;
  parallel_for(static_cast<int>((count + kBatch - 1) / kBatch), threads, [&](int batch) {
    const size_t begin = static_cast<size_t>(batch) * kBatch;
    for (size_t k = begin; k < std::min(count, begin + kBatch); ++k) piece(k);
  });
}

}  // namespace

Completion complete_by_draws(const Dataset& data, int draws, uint64_t seed, const EmOptions& options,
                             const BlockOptions& block_options) {
  if (!data.has_missing()) return as_it_is(data);
  const Task task(data, block_options, options);
  const Rng rng(seed);
  std::vector<std::vector<size_t>> drawn(task.hidden.size());
  in_batches(task.hidden.size(), options.threads,
             [&](size_t k) { drawn[k] = draw_row(task, task.hidden[k], draws, rng); });

  std::vector<size_t> rows;  // of the table given, by row of the completed one
  std::vector<double> weights;
  std::vector<std::vector<Cell>> cells(static_cast<size_t>(data.size()));
  size_t hidden = 0;
  for (size_t row = 0; row < data.rows(); ++row) {
    const bool is_drawn = hidden < task.hidden.size() && task.hidden[hidden] == row;
    const int copies = is_drawn ? draws : 1;
    const std::vector<size_t>* sources = is_drawn ? &drawn[hidden++] : nullptr;
    size_t next = 0;
    for (int copy = 0; copy < copies; ++copy) {
      for (const Node v : task.with_gaps) {
        const Column& column = data.column(v);
        if (!column.is_missing(row)) continue;
        cells[static_cast<size_t>(v)].push_back(task.blocks.width(v) > 0
                                                    ? cell_like(column, rows.size(), (*sources)[next++])
                                                    : any_cell(task, v, row, rows.size(), rng));
      }
      rows.push_back(row);
      weights.push_back(data.weight(row) / copies);
    }
  }
  return finish(task, with_rows(data, rows), cells, std::move(weights));
}

Completion complete_by_means(const Dataset& data, const EmOptions& options) {
  if (!data.has_missing()) return as_it_is(data);
  const Task task(data, {.raw = true}, options);
  std::vector<Vector> means(task.hidden.size());
  in_batches(task.hidden.size(), options.threads,
             [&](size_t k) { means[k] = task.conditional.given_seen(task.hidden[k]).mean; });

  std::vector<std::vector<Cell>> cells(static_cast<size_t>(data.size()));
  size_t hidden = 0;
  for (const size_t row : task.incomplete) {
    const bool is_hidden = hidden < task.hidden.size() && task.hidden[hidden] == row;
    const Vector mean = is_hidden ? means[hidden++] : Vector();
    Index at = 0;
    for (const Node v : task.with_gaps) {
      const Column& column = data.column(v);
      if (!column.is_missing(row)) continue;
      const Index width = task.blocks.width(v);
      const Choices& choices = task.of(v);
      std::vector<Cell>& out = cells[static_cast<size_t>(v)];
      if (width == 0) {
        out.push_back(choices.all_rows.empty() ? Cell{row, 0, 0} : cell_like(column, row, choices.all_rows[0]));
      } else if (column.kind == ColumnKind::kCategorical) {
        const std::vector<double> p = level_probabilities(task, v, mean.segment(at, width));
        out.push_back({row, static_cast<uint32_t>(std::max_element(p.begin(), p.end()) - p.begin()), 0});
      } else {  // the line through the smallest and the largest cell, which takes the block back to the numbers
        const double low = column.values[choices.rows.front()], high = column.values[choices.rows.back()];
        const double along = (mean[at] - choices.place.front()) / (choices.place.back() - choices.place.front());
        out.push_back({row, 0, low * (1 - along) + high * along});
      }
      at += width;
    }
  }
  return finish(task, data, cells, data.row_info().weights);
}

}  // namespace agon
