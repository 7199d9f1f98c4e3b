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
#pragma once

namespace agon {

double multinomial_regret(double n, double levels);

// ln C(n, configurations * levels) - ln C(n, configurations): what the levels of one more variable cost. Finite, and
// right in the limit (n ln levels), where the number of configurations is too large for a double.
double regret_of_levels(double n, double configurations, double levels);

}  // namespace agon
