#include "agon/data/matrix_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/linear_algebra.h"

namespace agon {
namespace {

constexpr double kNegativeEigenvalue = 1e-9;  // below minus this share of the largest it is not rounding

}  // namespace

std::vector<std::vector<double>> rows_of_matrix(const Eigen::MatrixXd& covariance, const Eigen::VectorXd& mean,
                                                const std::string& place, double least) {
  // On the scale of correlations, so that columns in small units count as much as others.
  const Eigen::VectorXd deviation = covariance.diagonal().cwiseSqrt();
  const Eigen::VectorXd inverse = (deviation.array() > 0).select(1 / deviation.array(), 0).matrix();
  auto [values, vectors] = symmetric_eigen(inverse.asDiagonal() * covariance * inverse.asDiagonal());
  if (least > 0) {
    values = values.cwiseMax(least);
  } else if (values.size() > 0 && values(0) < -kNegativeEigenvalue * values(values.size() - 1)) {
    throw InputError(place,
                     fmt::format("the matrix is not positive semidefinite: its smallest eigenvalue, as a matrix "
                                 "of correlations, is {:.3g}",
                                 values(0)),
                     "covariances computed pair by pair from rows with gaps often are not; compute them from the same "
                     "rows");
  }
  const Eigen::Index q = covariance.rows();
  std::vector<std::vector<double>> columns(static_cast<size_t>(q));
  for (Eigen::Index c = 0; c < q; ++c) {
    std::vector<double>& column = columns[static_cast<size_t>(c)];
    column.reserve(static_cast<size_t>(2 * q));
    for (Eigen::Index k = 0; k < q; ++k) {
      const double x = deviation(c) * std::sqrt(static_cast<double>(q) * std::max(values(k), 0.0)) * vectors(c, k);
      column.push_back(mean(c) + x);
      column.push_back(mean(c) - x);
    }
  }
  return columns;
}

}  // namespace agon
