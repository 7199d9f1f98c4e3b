// agon/nn/adam.h
//
// The step of Adam (Kingma & Ba 2015, ICLR, algorithm 1), with both corrections for starting at 0. There is one for all
// that learns here: Adam<Real> in mlp.h takes it for a network, others take it for arrays of their own.
//
//   std::vector<double> gradient(8, 1.0), mean(8), square(8), weights(8);
//   const AdamStep<double> step = adam_step<double>({.learning_rate = 1e-3}, 1);       // the first one
//   dense_kernels<double>().adam(gradient.data(), 1, 8, step, mean.data(), square.data(), weights.data());
//
// What may be relied on: the same bits on every x86-64. Roots are exactly rounded, and powers are taken by squaring,
// because those of the C library and the fast roots of Eigen differ between processors.
#pragma once

#include <cmath>

#include "agon/nn/dense_kernels.h"

namespace agon {

struct AdamOptions {
  double learning_rate = 5e-4;  // > 0. The paper's config
  double beta1 = 0.9;           // decay of the mean, [0, 1). Kingma & Ba 2015, section 2
  double beta2 = 0.999;         // decay of the mean square, [0, 1). Same source
  double epsilon = 1e-8;        // added to the root, > 0. Same source
  // Whether epsilon is added to the root before its correction for starting at 0, as TensorFlow does.
  bool epsilon_first = false;
};

// What the kernel needs for step number `steps`, which counts from 1.
template <class Real>
AdamStep<Real> adam_step(const AdamOptions& options, long steps) {
  const auto power = [](double base, long exponent) {
    double result = 1;
    for (; exponent > 0; exponent /= 2, base *= base) {
      if (exponent % 2 == 1) result *= base;
    }
    return result;
  };
  const double first = 1 - power(options.beta1, steps), second = std::sqrt(1 - power(options.beta2, steps));
  const bool early = options.epsilon_first;
  return {static_cast<Real>(options.beta1), static_cast<Real>(options.beta2),
          static_cast<Real>(options.learning_rate * (early ? second : 1) / first),
          static_cast<Real>(early ? 1 : 1 / second), static_cast<Real>(options.epsilon)};
}

}  // namespace agon
