#include "agon/certificate/plain_regret.h"

#include <cmath>

namespace agon::plain {
namespace {

constexpr double kSeries = 1e4;    // from this a on, the series is exact to more digits than the closed form
constexpr double kEnough = 1e150;  // levels; beyond this the quotient has reached its limit

// Where the line begins: a further level costs one nat there.
double knee(double n) {
  const double root = std::exp(1.25);
  const double levels = n / (root * root - root);
  return levels < 1 ? 1 : levels;
}

double straight(double n, double levels) {
  const double beyond = levels > knee(n) ? levels - knee(n) : 0;
  return 0.8 * regret(n, levels - beyond) + beyond;
}

}  // namespace

double regret(double n, double levels) {
  if (n == 0 || levels == 1) return 0;
  const double a = levels / n, t = 1 / a;
  if (a > kSeries) {
    // c = 1 + t - t^2 + 2 t^3 ..,  ln c = t - 3/2 t^2 + 10/3 t^3 - 35/4 t^4 ..,  1 / c = 1 - t + 2 t^2 - 5 t^3 ..,
    // so that (a + 2) ln c - 1 / c = 3/2 t - 5/3 t^2 + 35/12 t^3 - ..
    const double inner = t * (1.5 - t * (5.0 / 3 - t * (35.0 / 12)));
    const double c = 1 + t * (1 - t * (1 - 2 * t));
    return n * (std::log(a) + inner) - 0.5 * std::log(c + 2 * t);
  }
  const long double c = (1 + std::sqrt(1 + 4 * static_cast<long double>(t))) / 2;
  const long double inner = std::log(static_cast<long double>(a)) + (a + 2.0L) * std::log(c) - 1 / c;
  return static_cast<double>(n * inner - std::log(c + 2.0L * t) / 2);
}

double regret_quotient(double n, double configurations, double levels) {
  if (configurations > kEnough) return n * std::log(levels);
  return regret(n, configurations * levels) - regret(n, configurations);
}

double straight_quotient(double n, double configurations, double levels) {
  if (n == 0) return 0;
  if (configurations >= knee(n)) return (configurations < kMostCounted ? configurations : kMostCounted) * (levels - 1);
  return straight(n, configurations * levels) - straight(n, configurations);
}

}  // namespace agon::plain
