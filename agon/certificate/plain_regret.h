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
// qnml-edges continues from R(n, n) in a straight line: where K is above n (and above 1), K levels cost
// R(n, n) + (K - n) ln((1 + sqrt 5) / 2):
//
//   plain::straight_quotient(1000, 500, 4);  // R(1000, 1000) + 1000 * 0.4812 - R(1000, 500)
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
