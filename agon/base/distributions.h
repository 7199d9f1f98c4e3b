// agon/base/distributions.h
//
// The logarithm of the gamma function, and tail probabilities of the distributions that significance tests use.
//
//   f_tail(6.93, 1, 100);      // about 0.00981: chance that an F of 1 and 100 degrees of freedom is at least that
#pragma once

#include <cmath>

namespace agon {

// std::lgamma writes its sign to a global variable, which threads may not.
inline double log_gamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}

// The regularised incomplete beta function I_x(a, b), x in [0, 1], a, b > 0, to about 1e-14 relative (continued
// fraction 26.5.8 of Abramowitz & Stegun 1964, evaluated as in Lentz 1976).
double incomplete_beta(double x, double a, double b);

// P(F >= f) for F with these degrees of freedom, both > 0; 1 for f <= 0.
double f_tail(double f, double above, double below);

// The share of the gamma distribution with this shape above x, Q(shape, x): series below shape + 1, continued fraction
// above (6.5.29 and 6.5.31 of Abramowitz & Stegun), to about 1e-13 relative.
double incomplete_gamma_tail(double shape, double x);

// P(X >= x) for a chi-square with `dof` > 0 degrees of freedom; 1 for x <= 0.
double chi_square_tail(double x, double dof);

// The half width of the middle of Student's distribution that holds the share `middle`, in (0, 1): 1.984 for 0.95 and
// 100 degrees of freedom. dof > 0.
double student_quantile(double middle, double dof);

}  // namespace agon
