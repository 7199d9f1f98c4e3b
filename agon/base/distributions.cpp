#include "agon/base/distributions.h"

#include <cmath>
#include <initializer_list>

namespace agon {
namespace {

// The continued fraction of I_x(a, b) without its factor; converges fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double x, double a, double b) {
  constexpr double kTiny = 1e-300, kEnough = 1e-15;
  const auto away_from_zero = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m <= 10000; ++m) {
    for (const double coefficient : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      d = 1 / away_from_zero(1 + coefficient * d);
      c = away_from_zero(1 + coefficient / c);
      value *= c * d;
    }
    if (std::abs(c * d - 1) < kEnough) break;
  }
  return value;
}

}  // namespace

double incomplete_beta(double x, double a, double b) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double factor = std::exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return factor * beta_fraction(x, a, b) / a;
  return 1 - factor * beta_fraction(1 - x, b, a) / b;
}

double f_tail(double f, double above, double below) {
  if (!(f > 0)) return 1;
  return incomplete_beta(below / (below + above * f), below / 2, above / 2);
}

double incomplete_gamma_tail(double shape, double x) {
  if (!(x > 0)) return 1;
  const double factor = std::exp(shape * std::log(x) - x - log_gamma(shape));
  if (x < shape + 1) {
    double term = 1 / shape, sum = term;
    for (int k = 1; k <= 100000 && term > sum * 1e-17; ++k) sum += term *= x / (shape + k);
    return 1 - factor * sum;
  }
  // Lentz's way through 1 / (x + 1 - s - 1 (1 - s) / (x + 3 - s - 2 (2 - s) / (x + 5 - s - ...
  double b = x + 1 - shape, c = 1e300, d = 1 / b, value = d;
  for (int k = 1; k <= 100000; ++k) {
    const double a = -k * (k - shape);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    value *= c * d;
    if (std::abs(c * d - 1) < 1e-16) break;
  }
  return factor * value;
}

double chi_square_tail(double x, double dof) { return x > 0 ? incomplete_gamma_tail(dof / 2, x / 2) : 1; }

double student_quantile(double middle, double dof) {
  // P(|T| >= t) = P(F >= t^2) with 1 and dof degrees of freedom, which falls in t: bisection.
  double low = 0, high = 1;
  while (f_tail(high * high, 1, dof) > 1 - middle && high < 1e300) high *= 2;
  for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
    const double t = low + (high - low) / 2;
    (f_tail(t * t, 1, dof) > 1 - middle ? low : high) = t;
  }
  return high;
}

}  // namespace agon
