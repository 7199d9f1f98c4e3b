// agon/base/distributions.h
//
// Tail probabilities of the distributions that tests of significance compare with.
//
//   f_tail(6.93, 1, 100);      // about 0.00981: chance that an F of 1 and 100 degrees of freedom is at least that
#pragma once

namespace agon {

// The regularised incomplete beta function I_x(a, b), x in [0, 1], a, b > 0, to about 1e-14 relative (continued
// fraction 26.5.8 of Abramowitz & Stegun 1964, evaluated as in Lentz 1976).
double incomplete_beta(double x, double a, double b);

// P(F >= f) for F with these degrees of freedom, both > 0; 1 for f <= 0.
double f_tail(double f, double above, double below);

}  // namespace agon
