// agon/score/regret.h
//
// The price of not knowing a multinomial distribution: ln C(n, K), where C(n, K) is the sum over all sequences of n
// draws from K levels of the largest probability that any distribution gives them. The normalised maximum likelihood of
// n draws is their largest likelihood divided by C(n, K) (Shtarkov 1987).
//
//   double r = multinomial_regret(1000, 6);   // 15.5786 nats; BIC charges 17.2694 for 5 parameters
//
// It is the approximation of Szpankowski & Weinberger (2012, IEEE Transactions on Information Theory 58, theorem 2), in
// the form of Silander, Leppä-aho, Jääsaari & Roos (2018, AISTATS). With a = K / n and c = 1/2 + 1/2 sqrt(1 + 4 / a),
//
//   ln C(n, K)  =  n (ln a + (a + 2) ln c - 1 / c)  -  1/2 ln(c + 2 / a)
//
// The exact sum has a recurrence over K (Kontkanen & Myllymäki 2007, Information Processing Letters 103) that takes
// O(n + K) for each n. The formula takes three logarithms and a root, and n need not be whole. Against the recurrence
// it is too large, by less than 0.2 / K nats for every n from 1 to 10,000 and K from 2 to 20,000: far less than a
// parameter costs (regret_test.cpp).
//
// What may be relied on: 0 for n = 0 and for K <= 1; finite for every finite K.
//
// A score that divides one such code by another (nml_score.h) must not use them far beyond K = n. Take draws that are
// pure noise, all levels equally probable, and let E be what the largest likelihood gains over the true one in the
// mean. R - E is what the code wastes on them. It grows with K up to 0.255 n nats at K = 0.7 n, and then falls: 0.2 n
// at 2 n, 0.07 n at 10 n. Parents with n configurations are coded at a waste that their children get back, noise as
// they are, about 0.1 nats for every row. So there is a second regret, which goes straight on where R bends:
//
//   S(n, K)  =  4/5 R(n, K)  for K <= b n,  4/5 R(n, b n) + (K - b n)  beyond,  b = 1 / (c^2 - c) = 0.1150, c = e^1.25
//
// b n is where a further level costs 4/5 ln c = 1 nat: what AIC charges for a parameter (Akaike 1974), and the least
// that a level costs by S. Noise learned by heart gains ln 2 = 0.69 nats a level at most. S is concave, has one slope
// at b n on both sides (but for the last term of R), and is above R from K = n / 2 on. 4/5, because R is what the worst
// distribution costs, and most cost less: the share and the line were chosen on one half of the networks of
// docs/results/scores.md, which has the figures.
#pragma once

namespace agon {

double multinomial_regret(double n, double levels);
double straight_regret(double n, double levels);  // S

// ln C(n, configurations * levels) - ln C(n, configurations): what the levels of one more variable cost. Finite, and
// right in the limit (n ln levels), where the number of configurations is too large for a double.
double regret_of_levels(double n, double configurations, double levels);
// The same with S. Finite; beyond 1e200 configurations further ones cost nothing more.
double straight_regret_of_levels(double n, double configurations, double levels);

}  // namespace agon
