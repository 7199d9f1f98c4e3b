#include "agon/certificate/plain_mixed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>

#include "agon/base/linear_algebra.h"
#include "agon/base/parallel.h"
#include "agon/certificate/plain_matrix.h"
#include "agon/data/capability.h"

namespace agon::plain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// How much further apart two EM fits may end up than two matrices of complete rows: seen 220 times with copied columns.
constexpr double kEmRounding = 1000;
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
    const Eigen::VectorXd residual = x(e.child) - product(e.coefficients, Eigen::VectorXd(x(e.parents)));
    const double constant = static_cast<double>(e.child.size()) * std::log(2 * std::numbers::pi);
    sum -= 0.5 * (constant - e.log_determinant + residual.dot(product(e.precision, residual)));
  }
  return sum;
}

Eigen::VectorXd MixedModel::gradient(const Eigen::VectorXd& x) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(x.size());
  for (const Equation& e : equations) {
    const Eigen::VectorXd residual = x(e.child) - product(e.coefficients, Eigen::VectorXd(x(e.parents)));
    const Eigen::VectorXd pull = product(e.precision, residual);
    out(e.child) -= pull;
    out(e.parents) += transpose_product(e.coefficients, pull);
  }
  return out;
}

MixedScorer::MixedScorer(const Dataset& data, const MixedOptions& options)
    : data_(data), columns_(data, options), experiments_(data), floor_(options.floor), threads_(options.threads) {
  refuse_beyond(kAnyTable, data, "the certificate");
  take_rows(data, experiments_.row_set());
  price_ = options.penalty * 0.5 * std::log(rows_);
  rounding_ = 1e-16 * (100 + std::sqrt(rows_)) * (columns_.has_hidden() ? kEmRounding : 1);
  rarity_ = rarity(columns_);
  for (const FamilyRows& rows : experiments_.sets()) {
    Eigen::MatrixXd s = columns_.has_hidden() ? fitted(rows, options) : covariance_of_rows(columns_, rows);
    orthonormalise(columns_.starts(), s);
    matrices_.push_back(floored(std::move(s), floor_));
  }
  for (Node v = 0; v < columns_.size(); ++v) {
    constant_.push_back(columns_.width(v) == 0);
    base_.push_back(constant_[v] ? 0 : score_alone(v));
  }
  const auto varying = std::ranges::count(constant_, false);
  if (options.named && varying > 1) naming_ = std::log(static_cast<double>(varying));
}

int MixedScorer::most_columns(Node child) const {
  return static_cast<int>(std::max(4.0, std::floor(experiments_.rows_of(child).weight / 4)));
}

// With missing cells.
Eigen::MatrixXd MixedScorer::fitted(const FamilyRows& rows, const MixedOptions& options) {
  if (data_.has_regimes()) {
    FittedCovariance own = covariance_by_em(columns_, rows, floor_, threads_);
    if (!em_) {
      em_.emplace();
      em_->converged = true;
    }
    em_->steps = std::max(em_->steps, own.em.steps);
    em_->movement = std::max(em_->movement, own.em.movement);
    em_->converged = em_->converged && own.em.converged;
    em_->likelihood_fell = em_->likelihood_fell || own.em.likelihood_fell;
    return std::move(own.covariance);
  }
  const Eigen::Index q = columns_.columns();
  if (options.moments != nullptr) {
    moments_ = *options.moments;
  } else {
    em_ = PlainEm(columns_, floor_, threads_).fit(options.em_steps);
    moments_ = em_->moments;
  }
  return Eigen::Map<const Eigen::MatrixXd>(moments_.covariance.data(), q, q);
}

double MixedScorer::parameters_alone(Node v) const {
  const double groups = experiments_.rows_of(v).groups;
  const Column& column = data_.column(v);
  return column.has_levels() ? groups * (static_cast<double>(column.levels.size()) - 1) : 1 + groups;
}

double MixedScorer::score_alone(Node v) const {
  const double price = price_ * parameters_alone(v);
  if (!data_.has_regimes()) return rows_ * columns_.own_likelihood(v) - price;
  return likelihood_alone(v, experiments_.rows_of(v)) - price + score_of_set_cells(v);
}

double MixedScorer::likelihood_alone(Node v, const FamilyRows& rows) const {
  const Column& column = data_.column(v);
  const bool coded = column.has_levels();
  const Eigen::Index kinds = coded ? static_cast<Eigen::Index>(column.levels.size()) : 1;
  Eigen::MatrixXd seen = Eigen::MatrixXd::Zero(kinds, rows.groups);  // weights, by level
  Eigen::RowVectorXd all = Eigen::RowVectorXd::Zero(rows.groups), sum = all;
  for (size_t row = 0; row < data_.rows(); ++row) {
    const int group = rows.group_of(row);
    if (group < 0) continue;
    all(group) += data_.weight(row);
    if (column.is_missing(row)) continue;
    for (Eigen::Index l = 0; l < kinds && !column.more.empty() && coded; ++l) {
      seen(l, group) += data_.weight(row) * (l == 0 ? column.values : column.more[static_cast<size_t>(l) - 1])[row];
    }
    if (coded && !column.more.empty()) continue;
    seen(coded ? column.codes[row] : 0, group) += data_.weight(row);
    if (!coded) sum(group) += data_.weight(row) * columns_.cell(row, v, 0);
  }
  if (coded) {
    double likelihood = 0;
    for (int group = 0; group < rows.groups; ++group) {
      const double of_group = seen.col(group).sum();
      for (const double weight : seen.col(group)) {
        if (weight > 0) likelihood += all(group) * weight / of_group * std::log(weight / of_group);
      }
    }
    return likelihood;
  }
  // The first column is the number itself, centred and scaled over the seen cells of the table: `whole` is 1, unless
  // gaps are marked.
  double squares = 0, whole = 0, whole_weight = 0;
  for (size_t row = 0; row < data_.rows(); ++row) {
    if (column.is_missing(row)) continue;
    const double cell = columns_.cell(row, v, 0);
    whole += data_.weight(row) * cell * cell;
    whole_weight += data_.weight(row);
    const int group = rows.group_of(row);
    if (group >= 0) squares += data_.weight(row) * std::pow(cell - sum(group) / seen(0, group), 2);
  }
  const double variance = seen.sum() > 0 ? squares / seen.sum() / (whole / whole_weight) : 0;
  return all.sum() * (columns_.own_likelihood(v) - 0.5 * std::log(std::max(variance, floor_)));
}

double MixedScorer::score_of_set_cells(Node v) const {
  const Column& column = data_.column(v);
  const double parameters = column.has_levels() ? static_cast<double>(column.levels.size()) - 1 : 2;
  double sum = 0;
  for (const auto& [variable, regime] : experiments_.set_cells()) {
    if (variable != v) continue;
    FamilyRows alone;
    for (size_t row = 0; row < data_.rows(); ++row) alone.group.push_back(data_.regime_of(row) == regime ? 0 : -1);
    sum += likelihood_alone(v, alone) - price_ * parameters;
  }
  return sum;
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
    if (parameters == 0) continue;
    if (rarity_(child, q) == kInfinity) return kInfinity;
    sum += std::max(price_, price_ * parameters - naming_) * rarity_(child, q);
  }
  return sum;
}

Value MixedScorer::value(Node child, double log_diagonal, double smallest, double charge) const {
  const double weight = experiments_.rows_of(child).weight;
  return {base_[child] - weight * log_diagonal - charge, weight * rounding_ / smallest};
}

Value MixedScorer::local(Node child, Parents parents) const {
  if (constant_[child]) return {0, 0};
  const double price = charge(child, parents);
  const std::vector<int> all = joined(columns_of(parents), columns_of(std::span(&child, 1)));
  const Diagonal d = diagonal(matrix_of(child)(all, all), columns_.width(child));
  if (!d.defined || price == kInfinity) return {kUndefined, 0};
  return value(child, d.log_child, d.smallest, price);
}

std::vector<Value> MixedScorer::additions(Node child, Parents parents, std::span<const Node> others) const {
  std::vector<Value> out(others.size(), {kUndefined, 0});
  const double price = charge(child, parents);
  const std::vector<int> given = columns_of(parents);
  const Eigen::MatrixXd& matrix = matrix_of(child);
  const Cholesky cholesky(matrix(given, given));
  const bool defined = given.empty() || cholesky.succeeded();
  if (constant_[child] || price == kInfinity || !defined) return out;
  // What the parents leave of every column: M = R - A^T A, A = L^-1 R_P. Only the parts asked for are formed.
  Eigen::MatrixXd explained(static_cast<Eigen::Index>(given.size()), columns_.columns());
  double smallest = 1;
  if (!given.empty()) {
    explained = cholesky.whitened(Eigen::MatrixXd(matrix(given, Eigen::all)));
    smallest = cholesky.smallest_pivot();
  }
  for (size_t k = 0; k < others.size(); ++k) {
    const Node v = others[k];
    const int columns = static_cast<int>(given.size()) + columns_.width(child) + columns_.width(v);
    const double extra = charge(child, std::span(&v, 1));
    if (constant_[v] || columns > most_columns(child) || extra == kInfinity) continue;
    const std::vector<int> pair = joined(columns_of(std::span(&v, 1)), columns_of(std::span(&child, 1)));
    const Eigen::MatrixXd part = explained(Eigen::all, pair);
    const Diagonal d = diagonal(matrix(pair, pair) - transpose_product(part, part), columns_.width(child));
    if (d.defined) out[k] = value(child, d.log_child, std::min(smallest, d.smallest), price + extra);
  }
  return out;
}

// Multiplications of additions() on average over the families of that size, from the first three moments m1, m2, m3 of
// the widths of blocks: c^2 q to explain all q columns by the c of the parents given, shared by the candidates that
// follow, then c w^2 + w^3 / 3 for each pair of w columns.
double MixedScorer::work_per_family(int parents) const {
  constexpr double kNanoseconds = 0.5;  // for a multiplication
  double p = 0, q = 0, squares = 0, cubes = 0;
  for (Node v = 0; v < size(); ++v) {
    const double m = columns_.width(v);
    p += constant_[v] ? 0 : 1;
    q += m;
    squares += m * m;
    cubes += m * m * m;
  }
  if (p == 0) return Scorer::work_per_family(parents);
  const double m1 = q / p, m2 = squares / p, m3 = cubes / p, given = parents - 1;
  const double shared_by = std::max(1.0, (p - parents) / parents);
  const double explaining = (given * m2 + given * (given - 1) * m1 * m1) * q / shared_by;
  const double pairs = given * m1 * (2 * m2 + 2 * m1 * m1) + (2 * m3 + 6 * m1 * m2) / 3;
  return std::max(Scorer::work_per_family(parents), kNanoseconds * (explaining + pairs));
}

MixedModel::Equation MixedScorer::equation(Node child, Parents parents) const {
  MixedModel::Equation out{columns_of(std::span(&child, 1)), columns_of(parents), {}, {}, 0};
  const Eigen::MatrixXd& matrix = matrix_of(child);
  const Eigen::MatrixXd across = matrix(out.parents, out.child);
  Eigen::MatrixXd residual = matrix(out.child, out.child);
  out.coefficients = Eigen::MatrixXd::Zero(across.cols(), across.rows());
  if (across.size() > 0) {
    out.coefficients = Cholesky(matrix(out.parents, out.parents)).solve(across).transpose();
    residual -= product(out.coefficients, across);
  }
  const Cholesky cholesky(residual);
  out.precision = cholesky.inverse();
  out.log_determinant = -cholesky.factor().diagonal().cwiseAbs2().array().log().sum();
  return out;
}

// The inverse of the covariance that a model gives to the columns: its log-density has the gradient -precision x.
Eigen::MatrixXd MixedScorer::precision(const MixedModel& model) const {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(columns_.columns(), columns_.columns());
  for (const MixedModel::Equation& e : model.equations) {
    if (e.child.empty()) continue;
    out(e.child, e.child) += e.precision;
    if (e.parents.empty()) continue;
    const Eigen::MatrixXd across = product(e.precision, e.coefficients);
    out(e.child, e.parents) -= across;
    out(e.parents, e.child) -= across.transpose();
    out(e.parents, e.parents) += transpose_product(e.coefficients, across);
  }
  return out;
}

MixedModel MixedScorer::fit(const Dag& dag) const {
  MixedModel model;
  for (Node v = 0; v < size(); ++v) model.equations.push_back(equation(v, dag.parent_list(v)));
  return model;
}

double MixedScorer::row_constant(const std::vector<Dag>& graphs, int threads) const {
  if (columns_.has_hidden() || data_.has_regimes()) return kInfinity;
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
      lines[v] = is_coded(v) ? product_with_transpose(own, columns_.values(v)) : own;
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

std::vector<std::string> MixedScorer::assumptions() const {
  std::vector<std::string> out;
  bool categorical = false;
  for (Node v = 0; v < size(); ++v) {
    categorical = categorical || (!constant_[v] && data_.column(v).has_levels());
  }
  if (categorical) {
    out.push_back(
        "Levels of categorical columns enter as Gaussian columns: close to independence this is the likelihood of "
        "their "
        "counts, but a strong relation among categories counts for more than its entropy.");
  }
  if (data_.has_regimes()) {
    out.push_back(
        "Between experiments rows differ by more than chance, so there is no constant for the inequality, and only the "
        "bootstrap share is given; rows are drawn within each experiment.");
  }
  if (columns_.has_hidden()) {
    out.push_back(
        "Missing cells are assumed to be missing at random: whether a cell is missing may depend on the cells that "
        "were "
        "seen, but not on the value that is missing.");
    out.push_back(
        "With missing cells there is no constant for the inequality, so only the bootstrap share is given; in each "
        "resample the missing cells are filled in as the whole table has it.");
  }
  if (columns_.has_hidden() || data_.has_regimes()) return out;
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
