#include "agon/score/regret.h"

#include <algorithm>
#include <cmath>

namespace agon {
namespace {

constexpr double kMostLevels = 1e200;  // beyond this the limit is reached to the last digit
constexpr double kCurvedShare = 0.8;   // of R in S, where S is curved

// The number of levels from which on S is a line. The slope of R is ln c, up to its last term, and K = n / (c (c - 1)).
double line_begins(double n) {
  static const double c = std::exp(1 / kCurvedShare);
  return std::max(1.0, n / (c * (c - 1)));
}

}  // namespace

double multinomial_regret(double n, double levels) {
  if (n <= 0 || levels <= 1) return 0;
  const double a = levels / n;
  const double root = std::sqrt(1 + 4 / a);
  const double beyond = 2 / a / (1 + root);  // c - 1, without the cancellation that 1/2 (root - 1) has for large a
  const double c = 1 + beyond;
  return n * (std::log(a) + (a + 2) * std::log1p(beyond) - 1 / c) - 0.5 * std::log(c + 2 / a);
}

double regret_of_levels(double n, double configurations, double levels) {
  if (!(configurations * levels < kMostLevels)) return n * std::log(levels);
  return multinomial_regret(n, configurations * levels) - multinomial_regret(n, configurations);
}

double straight_regret(double n, double levels) {
  if (n <= 0 || levels <= 1) return 0;
  const double bend = line_begins(n);
  if (levels <= bend) return kCurvedShare * multinomial_regret(n, levels);
  return kCurvedShare * multinomial_regret(n, bend) + (levels - bend);
}

double straight_regret_of_levels(double n, double configurations, double levels) {
  if (n <= 0) return 0;
  if (configurations < line_begins(n)) {
    return straight_regret(n, configurations * levels) - straight_regret(n, configurations);
  }
  return std::min(configurations, kMostLevels) * (levels - 1);
}

}  // namespace agon
