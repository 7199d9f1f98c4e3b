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
// For a much larger than 1 the terms cancel: there the series in 1 / a stands in for the form above.
#pragma once

namespace agon::plain {

double regret(double n, double levels);

using RegretQuotient = double(double n, double configurations, double levels);
// R(n, configurations * levels) - R(n, configurations), which tends to n ln(levels) as the first grows.
double regret_quotient(double n, double configurations, double levels);
double straight_quotient(double n, double configurations, double levels);  // at most 1e200 configurations count

}  // namespace agon::plain
