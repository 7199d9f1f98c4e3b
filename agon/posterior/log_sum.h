// agon/posterior/log_sum.h
//
// Sums and differences of numbers that are known by their logarithms, because they are too small or too large for a
// double.
//
//   log_add(-1000, -1000);          // -1000 + ln 2
//   log_subtract(-1000, -1002);     // the logarithm of e^-1000 - e^-1002
//
// kLogZero is the logarithm of 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace agon {

constexpr double kLogZero = -std::numeric_limits<double>::infinity();

inline double log_add(double a, double b) {
  const double larger = std::max(a, b), smaller = std::min(a, b);
  return smaller == kLogZero ? larger : larger + std::log1p(std::exp(smaller - larger));
}

// ln(e^a - e^b). Where rounding has made b no smaller than a, the difference is taken to be 0.
inline double log_subtract(double a, double b) {
  if (b == kLogZero) return a;
  return b < a ? a + std::log1p(-std::exp(b - a)) : kLogZero;
}

}  // namespace agon
