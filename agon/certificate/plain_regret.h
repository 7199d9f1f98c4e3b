// agon/certificate/plain_regret.h
//
// The regret of qnml and fnml: ln of the sum over all sequences of n draws from K levels of the largest probability
// that a distribution gives them, by the closed form of Szpankowski & Weinberger (2012). With a = K / n, c = (1 +
// sqrt(1 + 4 / a)) / 2:
//
//   R(n, K)  =  n (ln a + (a + 2) ln c - 1 / c) - 1/2 ln(c + 2 / a)          0 for n = 0 or K = 1
//
//   plain::regret(1000, 6);              // 15.5786
//   plain::regret_quotient(1000, 3, 2);  // R(1000, 6) - R(1000, 3)
//
// qnml-edges charges 4/5 of R as long as a further level costs at least one nat by that, which is up to K = b n levels
// with b = 1 / (c^2 - c), c = e^1.25, and one nat for each level beyond (of more than one):
//
//   plain::straight_quotient(1000, 100, 4);  // 4/5 R(1000, 115.05) + 400 - 115.05 - 4/5 R(1000, 100)
//
// The price of one more parent with s levels, g(q) - g(q / s) with g(q) = straight_quotient(n, q, r), does not fall
// when q grows: g is convex in u = ln q. With H(u) = h(e^u), h what K levels cost, that is H''' >= 0. Up to the knee H
// is 4/5 R, and up to terms of -2/5 ln(c + 2 / a), which are smaller by 1 / (40 K) or so,
//
//   H''' = 4/5 K (ln c - (c - 1) / (2 c - 1) - (4 c - 1) (c - 1)^2 / (2 c - 1)^3) >= 0.36 K     since ln c >= 1.25.
//
// At the knee H'' jumps upwards, and beyond it H is e^u and a constant. At K = 1, h is 0 rather than the 0.15 or less
// of the formula, which makes the first parent dearer by less than the second. A test looks at the increments
// themselves.
//
// For a much larger than 1 the terms cancel: there the series in 1 / a stands in for the form above.
#pragma once

namespace agon::plain {

double regret(double n, double levels);

using RegretQuotient = double(double n, double configurations, double levels);
// R(n, configurations * levels) - R(n, configurations), which tends to n ln(levels) as the first grows.
double regret_quotient(double n, double configurations, double levels);
double straight_quotient(double n, double configurations, double levels);  // at most kMostCounted configurations count
constexpr double kMostCounted = 1e200;

}  // namespace agon::plain
