#include "agon/certificate/plain_mixed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>

#include "agon/base/parallel.h"
#include "agon/data/capability.h"

namespace agon::plain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// How much further apart two EM fits may end up than two matrices of complete rows: seen 220 times with copied columns.
constexpr double kEmRounding = 1000;
constexpr Capabilities kTakes = {
    .categorical = true, .continuous = true, .mixed = true, .missing = true, .weights = true};

// The products of all pairs of columns over the rows, by share of the weight. The rows are first shortened to q by
// Householder reflections, a slab at a time below the factor found so far, which keeps all lengths and angles.
Eigen::MatrixXd covariance_of_rows(const BlockColumns& columns) {
  const Dataset& data = columns.data();
  const Eigen::Index q = columns.columns();
  const Eigen::Index rows = static_cast<Eigen::Index>(data.rows());
  const Eigen::Index height = std::max<Eigen::Index>(512, 2 * q);
  const double whole = data.total_weight();
  Eigen::MatrixXd slab, factor(0, q);
  Eigen::VectorXd x(q);
  for (Eigen::Index first = 0; first < rows; first += height) {
    const Eigen::Index count = std::min(height, rows - first);
    slab.resize(factor.rows() + count, q);
    slab.topRows(factor.rows()) = factor;
    for (Eigen::Index k = 0; k < count; ++k) {
      const size_t row = static_cast<size_t>(first + k);
      columns.fill_row(row, x.data());
      slab.row(factor.rows() + k) = std::sqrt(data.weight(row) / whole) * x.transpose();
    }
    if (slab.rows() <= q) {
      factor = slab;
      continue;
    }
    Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr(slab);
    factor = slab.topRows(q).triangularView<Eigen::Upper>();
  }
  return factor.transpose() * factor;
}

// L with L L' = block, column by column. A column that those before it determine gets the unit vector instead, and is
// marked.
struct Factor {
  Eigen::MatrixXd lower;
  std::vector<Eigen::Index> determined;
};

Factor factor_of(const Eigen::MatrixXd& block) {
  const Eigen::Index m = block.rows();
  Factor out{Eigen::MatrixXd::Zero(m, m), {}};
  for (Eigen::Index k = 0; k < m; ++k) {
    const Eigen::RowVectorXd row = out.lower.row(k).head(k);
    const double left = block(k, k) - row.squaredNorm();
    if (!(left > kDetermined * block(k, k))) {
      out.lower(k, k) = 1;
      out.determined.push_back(k);
      continue;
    }
    out.lower(k, k) = std::sqrt(left);
    const Eigen::Index below = m - k - 1;
    if (below == 0) continue;
    out.lower.col(k).tail(below) = block.col(k).tail(below);
    out.lower.col(k).tail(below).noalias() -= out.lower.bottomLeftCorner(below, k) * row.transpose();
    out.lower.col(k).tail(below) /= out.lower(k, k);
  }
  return out;
}

// Makes the part of each block by itself the identity, its columns taken in their order, so that a block that is
// orthonormal already stays as it is. A column that those before it determine becomes unrelated to all others.
void orthonormalise(const std::vector<int>& start, Eigen::MatrixXd& s) {
  for (size_t v = 0; v + 1 < start.size(); ++v) {
    const Eigen::Index first = start[v], m = start[v + 1] - start[v];
    if (m == 0) continue;
    const Factor factor = factor_of(s.block(first, first, m, m));
    auto rows = s.middleRows(first, m);
    factor.lower.triangularView<Eigen::Lower>().solveInPlace(rows);
    for (const Eigen::Index k : factor.determined) rows.row(k).setZero();
    s.middleCols(first, m) = rows.transpose().eval();  // s is symmetric
    s.block(first, first, m, m).setIdentity();
  }
}

Eigen::MatrixXd floored(Eigen::MatrixXd s, double floor) {
  s.diagonal().array() += floor;
  return s / (1 + floor);
}

struct Diagonal {
  double log_child = 0;  // the sum of the logarithms of the child's part: 1/2 ln det of the child given the parents
  double smallest = 1;   // the smallest pivot
  bool defined = true;
};

// Of the Cholesky factor of m, whose last `child` columns are the child's.
Diagonal diagonal(const Eigen::MatrixXd& m, Eigen::Index child) {
  Diagonal out;
  if (m.rows() == 0) return out;
  const Eigen::LLT<Eigen::MatrixXd> llt(m);
  const Eigen::VectorXd pivots = llt.matrixLLT().diagonal().cwiseAbs2();
  out.smallest = pivots.minCoeff();
  out.defined = llt.info() == Eigen::Success && out.smallest > kDetermined;
  out.log_child = 0.5 * pivots.tail(child).array().log().sum();
  return out;
}

std::vector<int> joined(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

std::unique_ptr<Scorer> mixed_bic(const Dataset& data, const MixedOptions& options) {
  return std::make_unique<MixedScorer>(data, options);
}

EmCheck MixedScorer::check(const EmMoments& claimed) const {
  const size_t q = static_cast<size_t>(columns_.columns());
  if (claimed.mean.size() != q || claimed.covariance.size() != q * q) {
    throw std::invalid_argument("the moments are not those of this table: it has " + std::to_string(q) + " columns");
  }
  return PlainEm(columns_, floor_, threads_).check(claimed);
}

double mixed_em_operations(const Dataset& data, const MixedOptions& options, int steps) {
  const BlockColumns columns(data, options);
  return columns.has_hidden() ? steps * PlainEm(columns, options.floor).operations_per_step() : 0;
}

double MixedModel::log_density(const Eigen::VectorXd& x) const {
  double sum = 0;
  for (const Equation& e : equations) {
    const Eigen::VectorXd residual = x(e.child) - e.coefficients * x(e.parents);
    const double constant = static_cast<double>(e.child.size()) * std::log(2 * std::numbers::pi);
    sum -= 0.5 * (constant - e.log_determinant + residual.dot(e.precision * residual));
  }
  return sum;
}

Eigen::VectorXd MixedModel::gradient(const Eigen::VectorXd& x) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(x.size());
  for (const Equation& e : equations) {
    const Eigen::VectorXd pull = e.precision * (x(e.child) - e.coefficients * x(e.parents));
    out(e.child) -= pull;
    out(e.parents) += e.coefficients.transpose() * pull;
  }
  return out;
}

MixedScorer::MixedScorer(const Dataset& data, const MixedOptions& options)
    : data_(data), columns_(data, options), floor_(options.floor), threads_(options.threads) {
  refuse_beyond(kTakes, data, "the certificate");
  rows_ = data.total_weight();
  weights_ = data.row_info().weights;
  price_ = options.penalty * 0.5 * std::log(rows_);
  rounding_ = 1e-16 * (100 + std::sqrt(rows_)) * (columns_.has_hidden() ? kEmRounding : 1);
  most_columns_ = static_cast<int>(std::max(4.0, std::floor(rows_ / 4)));
  rarity_ = rarity(columns_);
  Eigen::MatrixXd s;
  if (columns_.has_hidden()) {
    const Eigen::Index q = columns_.columns();
    if (options.moments != nullptr) {
      moments_ = *options.moments;
    } else {
      em_ = PlainEm(columns_, floor_, threads_).fit(options.em_steps);
      moments_ = em_->moments;
    }
    s = Eigen::Map<const Eigen::MatrixXd>(moments_.covariance.data(), q, q);
  } else {
    s = covariance_of_rows(columns_);
  }
  orthonormalise(columns_.starts(), s);
  matrix_ = floored(std::move(s), floor_);
  for (Node v = 0; v < columns_.size(); ++v) {
    constant_.push_back(columns_.width(v) == 0);
    const Column& column = data.column(v);
    const double parameters =
        column.kind == ColumnKind::kCategorical ? static_cast<double>(column.levels.size()) - 1 : 2;
    base_.push_back(constant_[v] ? 0 : rows_ * columns_.own_likelihood(v) - price_ * parameters);
  }
}

std::vector<int> MixedScorer::columns_of(Parents nodes) const {
  std::vector<int> out;
  for (Node v : nodes) {
    for (int c = columns_.start(v); c < columns_.start(v) + columns_.width(v); ++c) out.push_back(c);
  }
  return out;
}

bool MixedScorer::is_coded(Node v) const {
  return columns_.width(v) > 0 && data_.column(v).kind == ColumnKind::kCategorical && !columns_.has_hidden(v);
}

double MixedScorer::charge(Node child, Parents parents) const {
  double sum = 0;
  for (Node q : parents) {
    const double parameters = columns_.width(child) * columns_.width(q);
    if (parameters > 0) sum += parameters * rarity_(child, q);
  }
  return sum == kInfinity ? kInfinity : price_ * sum;
}

Value MixedScorer::value(Node child, double log_diagonal, double smallest, double charge) const {
  return {base_[child] - rows_ * log_diagonal - charge, rows_ * rounding_ / smallest};
}

Value MixedScorer::local(Node child, Parents parents) const {
  if (constant_[child]) return {0, 0};
  const double price = charge(child, parents);
  const std::vector<int> all = joined(columns_of(parents), columns_of(std::span(&child, 1)));
  const Diagonal d = diagonal(matrix_(all, all), columns_.width(child));
  if (!d.defined || price == kInfinity) return {kUndefined, 0};
  return value(child, d.log_child, d.smallest, price);
}

std::vector<Value> MixedScorer::additions(Node child, Parents parents, std::span<const Node> candidates) const {
  std::vector<Value> out(candidates.size(), {kUndefined, 0});
  const double price = charge(child, parents);
  const std::vector<int> given = columns_of(parents);
  const Eigen::LLT<Eigen::MatrixXd> llt(matrix_(given, given));
  const bool defined = given.empty() || llt.info() == Eigen::Success;
  if (constant_[child] || price == kInfinity || !defined) return out;
  // What the parents leave of every column: M = R - A^T A, A = L^-1 R_P. Only the parts asked for are formed.
  Eigen::MatrixXd explained(static_cast<Eigen::Index>(given.size()), columns_.columns());
  double smallest = 1;
  if (!given.empty()) {
    explained = llt.matrixL().solve(matrix_(given, Eigen::all));
    smallest = llt.matrixLLT().diagonal().cwiseAbs2().minCoeff();
  }
  for (size_t k = 0; k < candidates.size(); ++k) {
    const Node v = candidates[k];
    const int columns = static_cast<int>(given.size()) + columns_.width(child) + columns_.width(v);
    const double extra = charge(child, std::span(&v, 1));
    if (constant_[v] || columns > most_columns_ || extra == kInfinity) continue;
    const std::vector<int> pair = joined(columns_of(std::span(&v, 1)), columns_of(std::span(&child, 1)));
    const Eigen::MatrixXd part = explained(Eigen::all, pair);
    const Diagonal d = diagonal(matrix_(pair, pair) - part.transpose() * part, columns_.width(child));
    if (d.defined) out[k] = value(child, d.log_child, std::min(smallest, d.smallest), price + extra);
  }
  return out;
}

MixedModel::Equation MixedScorer::equation(Node child, Parents parents) const {
  MixedModel::Equation out{columns_of(std::span(&child, 1)), columns_of(parents), {}, {}, 0};
  const Eigen::MatrixXd across = matrix_(out.parents, out.child);
  Eigen::MatrixXd residual = matrix_(out.child, out.child);
  out.coefficients = Eigen::MatrixXd::Zero(across.cols(), across.rows());
  if (across.size() > 0) {
    out.coefficients = matrix_(out.parents, out.parents).llt().solve(across).transpose();
    residual -= out.coefficients * across;
  }
  const Eigen::LLT<Eigen::MatrixXd> llt(residual);
  out.precision = llt.solve(Eigen::MatrixXd::Identity(residual.rows(), residual.rows()));
  out.log_determinant = -llt.matrixLLT().diagonal().cwiseAbs2().array().log().sum();
  return out;
}

// The inverse of the covariance that a model gives to the columns: its log-density has the gradient -precision x.
Eigen::MatrixXd MixedScorer::precision(const MixedModel& model) const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(columns_.columns(), columns_.columns());
  for (const MixedModel::Equation& e : model.equations) {
    if (e.child.empty()) continue;
    out(e.child, e.child) += e.precision;
    if (e.parents.empty()) continue;
    const Eigen::MatrixXd across = e.precision * e.coefficients;
    out(e.child, e.parents) -= across;
    out(e.parents, e.child) -= across.transpose();
    out(e.parents, e.parents) += e.coefficients.transpose() * across;
  }
  return out;
}

MixedModel MixedScorer::fit(const Dag& dag) const {
  MixedModel model;
  for (Node v = 0; v < size(); ++v) model.equations.push_back(equation(v, dag.parent_list(v)));
  return model;
}

double MixedScorer::row_constant(const std::vector<Dag>& graphs, int threads) const {
  if (columns_.has_hidden()) return kInfinity;
  constexpr size_t kRows = 256;
  std::vector<double> largest((data_.rows() + kRows - 1) / kRows);
  std::map<Family, MixedModel::Equation> memo;
  for (const Dag& graph : graphs) {
    MixedModel model;
    for (Node v = 0; v < size(); ++v) {
      const auto [at, fresh] = memo.try_emplace(family_of(graph, v));
      if (fresh) at->second = equation(v, at->first.parents);
      model.equations.push_back(at->second);
    }
    // By variable, what it pulls: one line for each of its levels, or for each of its columns.
    const Eigen::MatrixXd pull = -precision(model);
    std::vector<Eigen::MatrixXd> lines(size());
    parallel_for(size(), threads, [&](int v) {
      const Eigen::MatrixXd own = pull.middleCols(columns_.start(v), columns_.width(v));
      lines[v] = is_coded(v) ? Eigen::MatrixXd(own * columns_.values(v).transpose()) : own;
    });
    parallel_for(static_cast<int>(largest.size()), threads, [&](int slab) {
      Eigen::VectorXd gradient(columns_.columns());
      const size_t first = static_cast<size_t>(slab) * kRows;
      for (size_t row = first; row < std::min(first + kRows, data_.rows()); ++row) {
        gradient.setZero();
        for (Node v = 0; v < size(); ++v) {
          if (is_coded(v)) {
            gradient += lines[v].col(data_.column(v).codes[row]);
          } else {
            for (int k = 0; k < columns_.width(v); ++k) gradient += columns_.cell(row, v, k) * lines[v].col(k);
          }
        }
        largest[slab] = std::max(largest[slab], gradient.norm());
      }
    });
  }
  return *std::max_element(largest.begin(), largest.end());
}

// The moments of the filled rows by the weights drawn, then the families from them as from those of the whole table.
// Categories without gaps enter as codes: what they have in common with others are sums by level.
class MixedScorer::Resampled final : public Resampler {
 public:
  Resampled(const MixedScorer& scorer, const std::vector<Family>& families)
      : scorer_(scorer), families_(families), start_(1, 0) {
    std::vector<bool> used(scorer.size(), false);
    for (const Family& family : families) {
      used[family.child] = true;
      for (Node v : family.parents) used[v] = true;
    }
    std::vector<int> wanted;  // columns that do not enter as codes
    for (Node v = 0; v < scorer.size(); ++v) {
      const int first = start_.back(), width = used[v] ? scorer.columns_.width(v) : 0;
      start_.push_back(first + width);
      dense_start_.push_back(static_cast<Eigen::Index>(wanted.size()));
      if (width > 0 && scorer.is_coded(v)) {
        coded_.push_back(v);
        continue;
      }
      for (int c = 0; c < width; ++c) {
        wanted.push_back(scorer.columns_.start(v) + c);
        dense_.push_back(first + c);
      }
    }
    if (scorer.columns_.has_hidden()) {
      filled_ = PlainEm(scorer.columns_, scorer.floor_, scorer.threads_).fill(scorer.moments_, wanted);
    } else {
      filled_.rows.resize(static_cast<Eigen::Index>(scorer.data_.rows()), static_cast<Eigen::Index>(wanted.size()));
      Eigen::VectorXd x(scorer.columns_.columns());
      for (size_t row = 0; row < scorer.data_.rows(); ++row) {
        scorer.columns_.fill_row(row, x.data());
        filled_.rows.row(static_cast<Eigen::Index>(row)) = x(wanted).transpose();
      }
    }
    across_ = filled_.rows.transpose();
  }

  double operations() const override {
    const double n = static_cast<double>(filled_.rows.rows()), q = start_.back();
    const double entries = static_cast<double>(dense_.size() + coded_.size());
    double sum = n * entries * entries;
    for (Node v = 0; v < scorer_.size(); ++v) {
      const double m = start_[v + 1] - start_[v];
      sum += m * m * q * (scorer_.is_coded(v) ? 2 : 1);
    }
    for (const Family& family : families_) {
      std::vector<Node> all = family.parents;
      all.push_back(family.child);
      sum += std::pow(static_cast<double>(places(all).size()), 3) / 3;
    }
    return sum;
  }

  std::vector<double> scores(std::span<const uint32_t> weights) const override {
    Eigen::MatrixXd s = weighted_covariance(weights);
    orthonormalise(start_, s);
    const Eigen::MatrixXd r = floored(std::move(s), scorer_.floor_);
    std::map<Node, double> base;
    std::vector<double> out;
    for (const Family& family : families_) {
      const auto [at, fresh] = base.try_emplace(family.child, 0);
      if (fresh) at->second = likelihood_alone(family.child, weights);
      const std::vector<int> all = joined(places(family.parents), places({family.child}));
      const Diagonal d = diagonal(r(all, all), scorer_.columns_.width(family.child));
      const double charge = scorer_.charge(family.child, family.parents);
      const bool defined = d.defined && charge < kInfinity;
      out.push_back(defined ? at->second - scorer_.rows() * d.log_child - charge : kUndefined);
    }
    return out;
  }

 private:
  std::vector<int> places(const std::vector<Node>& nodes) const {
    std::vector<int> out;
    for (Node v : nodes) {
      for (int c = start_[v]; c < start_[v + 1]; ++c) out.push_back(c);
    }
    return out;
  }

  Eigen::MatrixXd weighted_covariance(std::span<const uint32_t> weights) const {
    Eigen::VectorXd share(filled_.rows.rows());
    for (Eigen::Index row = 0; row < share.size(); ++row) share(row) = weights[row];
    share /= share.sum();
    const Eigen::Index q = start_.back();
    Eigen::MatrixXd s = Eigen::MatrixXd::Zero(q, q);
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(q);
    if (!dense_.empty()) {
      mean(dense_) = filled_.rows.transpose() * share;
      s(dense_, dense_) = filled_.rows.transpose() * share.asDiagonal() * filled_.rows;
    }
    for (size_t k = 0; k < coded_.size(); ++k) add_coded(k, share, mean, s);
    s -= mean * mean.transpose();
    std::vector<double> by_pattern(filled_.hidden.size());
    for (size_t row = 0; row < filled_.pattern.size(); ++row) {
      by_pattern[filled_.pattern[row]] += share(static_cast<Eigen::Index>(row));
    }
    for (size_t k = 0; k < by_pattern.size(); ++k) {
      if (by_pattern[k] == 0 || filled_.hidden[k].empty()) continue;
      const std::vector<int> at = at_dense(filled_.hidden[k]);
      s(at, at) += by_pattern[k] * filled_.covariance[k];
    }
    return s;
  }

  std::vector<int> at_dense(const std::vector<int>& columns) const {
    std::vector<int> out;
    for (const int c : columns) out.push_back(dense_[c]);
    return out;
  }

  // The mean of a category's columns, and their products with themselves, with the columns that are no codes and with
  // the categories before it.
  void add_coded(size_t k, const Eigen::VectorXd& share, Eigen::VectorXd& mean, Eigen::MatrixXd& s) const {
    const Node v = coded_[k];
    const Eigen::MatrixXd& values = scorer_.columns_.values(v);
    const Eigen::Index levels = values.rows(), m = values.cols(), first = start_[v];
    const auto& codes = scorer_.data_.column(v).codes;
    Eigen::VectorXd counts = Eigen::VectorXd::Zero(levels);
    for (Eigen::Index row = 0; row < share.size(); ++row) counts(codes[row]) += share(row);
    mean.segment(first, m) = values.transpose() * counts;
    s.block(first, first, m, m) = values.transpose() * counts.asDiagonal() * values;
    if (!dense_.empty()) {
      Eigen::MatrixXd sums = Eigen::MatrixXd::Zero(across_.rows(), levels);
      for (Eigen::Index row = 0; row < share.size(); ++row) {
        if (share(row) > 0) sums.col(codes[row]) += share(row) * across_.col(row);
      }
      const Eigen::MatrixXd products = sums * values;
      s(dense_, Eigen::seqN(first, m)) = products;
      s(Eigen::seqN(first, m), dense_) = products.transpose();
    }
    for (size_t j = 0; j < k; ++j) {
      const Node u = coded_[j];
      const Eigen::MatrixXd& other = scorer_.columns_.values(u);
      const auto& other_codes = scorer_.data_.column(u).codes;
      Eigen::MatrixXd table = Eigen::MatrixXd::Zero(levels, other.rows());
      for (Eigen::Index row = 0; row < share.size(); ++row) table(codes[row], other_codes[row]) += share(row);
      const Eigen::MatrixXd products = values.transpose() * table * other;
      s.block(first, start_[u], m, other.cols()) = products;
      s.block(start_[u], first, other.cols(), m) = products.transpose();
    }
  }

  // s0 of a variable, from its seen cells by the weights drawn. If they are all equal its likelihood is 1.
  double likelihood_alone(Node v, std::span<const uint32_t> weights) const {
    if (scorer_.constant_[v]) return 0;
    const Column& column = scorer_.data_.column(v);
    const size_t n = scorer_.data_.rows();
    double seen = 0;
    if (column.kind == ColumnKind::kCategorical) {
      std::vector<double> counts(column.levels.size());
      for (size_t row = 0; row < n; ++row) {
        if (!column.is_missing(row)) counts[column.codes[row]] += weights[row];
      }
      for (double count : counts) seen += count;
      double sum = 0;
      for (double count : counts) sum += count > 0 ? count / seen * std::log(count / seen) : 0;
      return scorer_.rows() * sum - scorer_.price_ * (static_cast<double>(counts.size()) - 1);
    }
    // The first column of the block is the number itself, centred and scaled over the whole table.
    const auto x = filled_.rows.col(dense_start_[v]);
    double first = 0, second = 0, whole = 0, all = 0;
    for (size_t row = 0; row < n; ++row) {
      if (column.is_missing(row)) continue;
      const double cell = x(static_cast<Eigen::Index>(row));
      seen += weights[row];
      first += weights[row] * cell;
      second += weights[row] * cell * cell;
      whole += scorer_.data_.weight(row) * cell * cell;
      all += scorer_.data_.weight(row);
    }
    const double variance = seen > 0 ? (second / seen - first / seen * (first / seen)) / (whole / all) : 0;
    if (variance <= kDetermined) return 0;
    const double likelihood = scorer_.columns_.own_likelihood(v) - 0.5 * std::log(variance);
    return scorer_.rows() * likelihood - 2 * scorer_.price_;
  }

  const MixedScorer& scorer_;
  std::vector<Family> families_;
  std::vector<int> start_;                 // by node: its first column here; none for a node that is not used
  std::vector<Node> coded_;                // nodes that enter as codes
  std::vector<int> dense_;                 // the columns of the others: those of filled_
  std::vector<Eigen::Index> dense_start_;  // by node that is not coded: its first column in filled_
  PlainEm::Filled filled_;
  Eigen::MatrixXd across_;  // its rows, as columns
};

std::unique_ptr<Resampler> MixedScorer::resampler(const std::vector<Family>& families) const {
  return std::make_unique<Resampled>(*this, families);
}

std::vector<std::string> MixedScorer::assumptions() const {
  std::vector<std::string> out;
  bool categorical = false;
  for (Node v = 0; v < size(); ++v) {
    categorical = categorical || (!constant_[v] && data_.column(v).kind == ColumnKind::kCategorical);
  }
  if (categorical) {
    out.push_back(
        "Levels of categorical columns enter as Gaussian columns: close to independence this is the likelihood of "
        "their "
        "counts, but a strong relation among categories counts for more than its entropy.");
  }
  if (columns_.has_hidden()) {
    out.push_back(
        "Missing cells are assumed to be missing at random: whether a cell is missing may depend on the cells that "
        "were "
        "seen, but not on the value that is missing.");
    out.push_back(
        "With missing cells there is no constant for the inequality, so only the bootstrap share is given; in each "
        "resample the missing cells are filled in as the whole table has it.");
    return out;
  }
  out.push_back(
      "The bound is for standard Gaussian data: columns were given mean 0 and variance 1, but real columns are "
      "Gaussian "
      "only approximately, and indicators of levels are not.");
  out.push_back(
      "The bound is for a Lipschitz score: a Gaussian log-likelihood is quadratic and has no finite Lipschitz "
      "constant; "
      "L is its steepest slope at the rows of this table.");
  return out;
}

}  // namespace agon::plain
