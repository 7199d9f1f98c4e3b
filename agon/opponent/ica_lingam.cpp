// ICA-LiNGAM (Shimizu et al. 2006). Where x = B x + e with independent noise e that is not Gaussian, e = (I - B) x: the
// noise terms are the independent components of the data, and the rows of the unmixing matrix are the rows of I - B,
// except for their order and scale. ICA determines neither; both follow because the diagonal of I - B is all ones.
//
// Most of the time goes into FastICA: two products of an n x q and a q x q matrix per iteration. They are computed in
// single precision over chunks of rows. Sums over chunks are in double precision and in a fixed order, so that the
// answer is the same for any number of threads.
#include <algorithm>
#include <cmath>
#include <limits>

#include "agon/base/crew.h"
#include "agon/base/linear_algebra.h"
#include "agon/graph/live_dag.h"
#include "agon/nn/row_kernels.h"
#include "agon/opponent/lingam.h"

namespace agon {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kLeastShare = 1e-6;  // a variable is left out if the others leave less than this share of it
constexpr int kChunk = 256;           // rows that are processed at a time
constexpr int kGroups = 64;  // most partial sums: pieces of work for threads; must not depend on the number of threads

// Variables of which none is determined by those before it: the rows of a Cholesky factorisation of the correlations,
// where a variable is left out if its diagonal would vanish. Whitening divides by the standard deviations of the
// principal components, so a variable that others determine would inflate rounding errors into a component of its own.
// A variable that is left out stays in the order, without influencing it. O(p q^2).
std::vector<int> independent_variables(const Correlations& c) {
  std::vector<int> kept;
  std::vector<std::vector<double>> factor;
  for (int v = 0; v < c.size; ++v) {
    std::vector<double> row;
    double left = 1;
    for (size_t i = 0; i < kept.size(); ++i) {
      double sum = c.at(kept[i], v);
      for (size_t j = 0; j < i; ++j) sum -= factor[i][j] * row[j];
      row.push_back(sum / factor[i][i]);
      left -= row[i] * row[i];
    }
    if (left < kLeastShare) continue;
    row.push_back(std::sqrt(left));
    factor.push_back(std::move(row));
    kept.push_back(v);
  }
  return kept;
}

// (W W')^(-1/2) W: the orthogonal matrix nearest to W. It treats all components alike (Hyvarinen 1999, symmetric
// orthogonalisation), whereas Gram-Schmidt would accumulate errors in the last ones.
MatrixXd decorrelated(const MatrixXd& w) {
  const SymmetricEigen square = symmetric_eigen(product_with_transpose(w, w));
  const VectorXd scale = square.values.cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
  return product(product_with_transpose(square.vectors * scale.asDiagonal(), square.vectors), w);
}

// Rows of white components (uncorrelated, variance 1) in the two layouts that the two products of an iteration need: a
// step reads W z with rows side by side, and g(W z) z' with components side by side. This takes twice the memory, 8 n q
// bytes, but both products then read memory in order. Every `stride`-th row of the table is used. The last chunk is
// filled up with rows of zeros.
class WhiteRows {
 public:
  WhiteRows(const StandardTable& table, const std::vector<int>& variables, const MatrixXd& whitening, int stride)
      : q_(static_cast<int>(variables.size())), units_(padded_units(q_)), rows_((table.rows + stride - 1) / stride) {
    const int chunks = (rows_ + kChunk - 1) / kChunk;
    by_component_.resize(static_cast<size_t>(chunks) * q_ * kChunk);
    by_row_.resize(static_cast<size_t>(chunks) * kChunk * units_);
    MatrixXd x(q_, kChunk);
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int count = std::min(kChunk, rows_ - chunk * kChunk);
      for (int r = 0; r < count; ++r) {
        for (int k = 0; k < q_; ++k) x(k, r) = table.at((chunk * kChunk + r) * stride, variables[k]);
      }
      const MatrixXd z = product(whitening, x);
      for (int r = 0; r < count; ++r) {
        for (int k = 0; k < q_; ++k) {
          const float value = static_cast<float>(z(k, r));
          by_component_[(static_cast<size_t>(chunk) * q_ + k) * kChunk + r] = value;
          by_row_[(static_cast<size_t>(chunk) * kChunk + r) * units_ + k] = value;
        }
      }
    }
  }

  // One step of FastICA for all components at once, before decorrelation: E g(Wz) z' - diag(E g'(Wz)) W, a step of
  // Newton's method towards the most non-Gaussian directions (Hyvarinen 1999). g = tanh is the derivative of log cosh,
  // which is less sensitive to outliers than kurtosis.
  //
  // Groups of chunks are summed in parallel and then added in order. O(n q^2).
  MatrixXd step(const MatrixXd& w, Crew& crew) const {
    const RowKernels<float>& kernels = row_kernels<float>();
    const int chunks = (rows_ + kChunk - 1) / kChunk, per_group = (chunks + kGroups - 1) / kGroups;
    const int groups = (chunks + per_group - 1) / per_group;
    std::vector<float> weights(static_cast<size_t>(q_) * q_);
    for (int a = 0; a < q_; ++a) {
      for (int b = 0; b < q_; ++b) weights[static_cast<size_t>(a) * q_ + b] = static_cast<float>(w(a, b));
    }
    std::vector<int> weight_row(q_), value_row(q_), columns(std::max(q_, kChunk));
    for (int k = 0; k < q_; ++k) {
      weight_row[k] = k * q_;
      value_row[k] = k * kChunk;
    }
    for (size_t k = 0; k < columns.size(); ++k) columns[k] = static_cast<int>(k);
    std::vector<MatrixXd> sums(groups);
    std::vector<VectorXd> slopes(groups);
    crew.run(groups, [&](int g, int) {
      sums[g] = MatrixXd::Zero(q_, q_);
      slopes[g] = VectorXd::Zero(q_);
      std::vector<float> y(static_cast<size_t>(q_) * kChunk), product(static_cast<size_t>(q_) * units_);
      for (int chunk = g * per_group; chunk < std::min(chunks, (g + 1) * per_group); ++chunk) {
        kernels.product(weights.data(), weight_row.data(), q_, columns.data(), q_,
                        by_component_.data() + static_cast<size_t>(chunk) * q_ * kChunk, kChunk, y.data());
        const int empty = std::max(0, (chunk + 1) * kChunk - rows_);  // rows of zeros, whose slope is 1
        for (int k = 0; k < q_; ++k) slopes[g][k] += tanh_and_slopes(y.data() + k * kChunk, kChunk) - empty;
        kernels.product(y.data(), value_row.data(), q_, columns.data(), kChunk,
                        by_row_.data() + static_cast<size_t>(chunk) * kChunk * units_, units_, product.data());
        for (int a = 0; a < q_; ++a) {
          for (int b = 0; b < q_; ++b) sums[g](a, b) += product[static_cast<size_t>(a) * units_ + b];
        }
      }
    });
    // In the order of the groups, whichever thread computed them.
    for (int g = 1; g < groups; ++g) {
      sums[0] += sums[g];
      slopes[0] += slopes[g];
    }
    return (sums[0] - slopes[0].asDiagonal() * w) / rows_;
  }

 private:
  int q_, units_, rows_;
  std::vector<float> by_component_;  // [chunk][component][row]
  std::vector<float> by_row_;        // [chunk][row][component, padded]
};

// Rows assigned to columns one after the other, each by the shortest augmenting path (Kuhn 1955, in the O(n^3) form
// with one Dijkstra search per row).
//
// Invariant: cost - row_price - column_price >= 0 for every row assigned so far, and = 0 for assigned pairs. Such
// prices prove that the assignment is the cheapest one of these rows, and make every length in the search non-negative.
class Assignment {
 public:
  explicit Assignment(const std::vector<std::vector<double>>& cost)
      : cost_(cost), n_(static_cast<int>(cost.size())), row_price_(n_), column_price_(n_), row_of_(n_, -1) {}

  // Extends the cheapest assignment by one row. Dijkstra's search over columns: from a column the search continues
  // through the row that holds it, and ends at the first free column. O(n^2).
  void add(int row) {
    std::vector<double> distance(n_, std::numeric_limits<double>::infinity());
    std::vector<int> before(n_, -1);  // the column from whose row the best path comes; -1: from `row`
    std::vector<bool> done(n_, false);
    int from = row, at = -1;
    double reached = 0;
    while (true) {
      int next = -1;
      for (int c = 0; c < n_; ++c) {
        if (done[c]) continue;
        const double d = reached + cost_[from][c] - row_price_[from] - column_price_[c];
        if (d < distance[c]) {
          distance[c] = d;
          before[c] = at;
        }
        if (next < 0 || distance[c] < distance[next]) next = c;
      }
      done[next] = true;
      reached = distance[next];
      at = next;
      if (row_of_[next] < 0) break;
      from = row_of_[next];
    }
    // The rows that the search settled pay more, and their columns less, by how much nearer than the end of the path
    // they were. The invariant holds again, with equality along the path.
    row_price_[row] += reached;
    for (int c = 0; c < n_; ++c) {
      if (!done[c] || c == at) continue;
      row_price_[row_of_[c]] += reached - distance[c];
      column_price_[c] -= reached - distance[c];
    }
    // Along the path, each column is passed to the row before it.
    for (int c = at; c >= 0; c = before[c]) row_of_[c] = before[c] < 0 ? row : row_of_[before[c]];
  }

  std::vector<int> columns() const {
    std::vector<int> out(n_);
    for (int c = 0; c < n_; ++c) out[row_of_[c]] = c;
    return out;
  }

 private:
  const std::vector<std::vector<double>>& cost_;
  int n_;
  std::vector<double> row_price_, column_price_;
  std::vector<int> row_of_;  // by column
};

}  // namespace

std::vector<int> cheapest_assignment(const std::vector<std::vector<double>>& cost) {
  Assignment assignment(cost);
  for (size_t row = 0; row < cost.size(); ++row) assignment.add(static_cast<int>(row));
  return assignment.columns();
}

CausalOrder ica_order(const StandardTable& table, const LingamOptions& options, Rng rng, const Watch& watch,
                      const Knowledge& knowledge) {
  CausalOrder out;
  const Correlations c = correlations(table);
  const std::vector<int> variables = independent_variables(c);
  const int q = static_cast<int>(variables.size());

  // 1. White components: principal components scaled to variance 1. After that the unmixing matrix is orthogonal, and
  //    FastICA only has to search among orthogonal matrices.
  MatrixXd correlation(q, q);
  for (int a = 0; a < q; ++a) {
    for (int b = 0; b < q; ++b) correlation(a, b) = c.at(variables[a], variables[b]);
  }
  MatrixXd whitening(q, q);
  if (q > 0) {  // Eigen's solver does not accept an empty matrix
    const SymmetricEigen components = symmetric_eigen(correlation);
    whitening =
        components.values.cwiseMax(1e-12).cwiseSqrt().cwiseInverse().asDiagonal() * components.vectors.transpose();
  }

  // 2. Independent components, first on part of the rows and then on all. The cost of an iteration is proportional to
  //    the rows, and the first iterations only find the neighbourhood; from there a few on all rows are enough. Without
  //    convergence the order is made from the last iterate, and `converged` says so.
  MatrixXd w(q, q);
  Rng draw = rng.split("fastica");
  for (int a = 0; a < q; ++a) {
    for (int b = 0; b < q; ++b) w(a, b) = draw.normal();
  }
  if (q > 0) w = decorrelated(w);
  Crew crew(options.threads);
  const int stride = std::max(1, table.rows / std::max(1, options.first_rows));
  const auto iterate = [&](int by, int most) {
    const WhiteRows rows(table, variables, whitening, by);
    for (int k = 1; k <= most; ++k) {
      if (watch.stop_requested()) return k - 1;
      const MatrixXd next = decorrelated(rows.step(w, crew));
      // Rows have length 1, so a product near +1 or -1 means that a component has come to rest. Its sign is arbitrary.
      const double turned = (next.cwiseProduct(w).rowwise().sum().cwiseAbs().array() - 1).abs().maxCoeff();
      w = next;
      watch.tell(
          {by > 1 ? "finding components on part of the rows" : "finding components", k, -1, 0, {}, most, "iteration"});
      if (turned < options.tolerance) {
        out.converged = true;
        return k;
      }
    }
    return most;
  };
  if (q > 1 && stride > 1) iterate(stride, options.first_iterations);
  out.converged = q < 2;  // whatever the iterations on part of the rows said
  if (q > 1) out.steps = iterate(1, options.max_iterations);
  out.stopped_by = watch.stop_requested() ? watch.stop_reason() : out.converged ? "all ordered" : "iteration limit";
  out.reasoned = watch.stop_requested() ? 0 : table.variables();

  // 3. A component for each variable, and which variables depend on which. Of all assignments, take the one whose
  //    diagonal is farthest from zero: the smallest sum of 1 / |w| (Shimizu et al. 2006). Row v of I - B is then the
  //    component of v divided by its weight at v, so |b| is a ratio of two weights.
  std::vector<WeightedEdge> edges;
  if (q > 0) {
    const MatrixXd unmixing = product(w, whitening);
    std::vector<std::vector<double>> cost(q, std::vector<double>(q));
    for (int component = 0; component < q; ++component) {
      for (int v = 0; v < q; ++v) cost[component][v] = 1 / std::max(1e-12, std::abs(unmixing(component, v)));
    }
    const std::vector<int> variable_of = cheapest_assignment(cost);
    for (int component = 0; component < q; ++component) {
      const int to = variable_of[component];
      for (int from = 0; from < q; ++from) {
        if (from == to) continue;
        const double weight = std::abs(unmixing(component, from) / unmixing(component, to));
        edges.push_back({{variables[from], variables[to]}, std::isfinite(weight) ? weight : 0});
      }
    }
  }

  // 4. The order: required edges, then the strongest that close no cycle. With enough data B can be permuted to a
  //    strictly lower triangular matrix. The estimate has no exact zeros, so the weakest entries must give way. As the
  //    strongest are taken first, an edge is dropped only if it is the weakest of some cycle. Only the order is kept:
  //    the weights are estimated again by regression.
  std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
  const int p = table.variables();
  LiveDag live{Dag(p)};
  const auto enter = [&](int from, int to) {
    if (live.is_legal_addition(from, to) && !live.dag().has_edge(to, from)) live.apply({MoveKind::kAdd, from, to});
  };
  for (int from = 0; from < p; ++from) {
    for (int to = 0; to < p; ++to) {
      if (from != to && knowledge.is_required({table.node[from], table.node[to]})) enter(from, to);
    }
  }
  for (const auto& [edge, weight] : edges) {
    if (knowledge.allows(Edge{table.node[edge.from], table.node[edge.to]})) enter(edge.from, edge.to);
  }
  out.order = topological_order(live.dag());
  return out;
}

}  // namespace agon
