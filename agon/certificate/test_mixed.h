// What the tests of the plain mixed-bic share.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

namespace agon::testing {

inline ::testing::AssertionResult mixed_near(double a, double b, double tolerance = 1e-9) {
  if (a == b || std::abs(a - b) <= tolerance * (1 + std::abs(b))) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << a << " and " << b << " differ by " << a - b;
}

}  // namespace agon::testing
