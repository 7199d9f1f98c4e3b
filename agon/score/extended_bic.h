// agon/score/extended_bic.h
//
// The extended BIC: with many variables, many graphs have the same number of edges, and some of them fit well by chance.
// So every parent costs a little more, the logarithm of the number of variables it was chosen from.
//
//   auto score = extended_bic(std::make_unique<MixedBic>(data), data.total_weight());
//   score->local(5, {});                // as before: what is new is charged by parent
//   extended_bic_price(100, 1000);      // 1.151 nats: a quarter of ln 100
//
//   s(j, P) - g ln p |P|     g = max(0, 1 - ln n / (2 ln p)), so that g ln p = max(0, ln p - 1/2 ln n)
//
// p is the number of variables that vary. g is the least that makes the criterion consistent when p grows as a power of
// n (Chen & Chen 2008, Biometrika 95, theorem 1: 1 - 1 / (2 k) for p = n^k); it is 0 where p <= sqrt(n), and nothing
// changes there. Departure: they charge g ln p for each free parameter, which is the same for Gaussian columns. With
// categories a parent brings many parameters, but it is parents that are chosen from p.
//
// What may be relied on: the sum over a DAG is charged by its number of edges, which is the same for all members of a
// class, so a score stays decomposable and score-equivalent.
//
// GaussianBic takes the price by itself (ScoreOptions::extended), because its search for pairs of parents depends on it.
#pragma once

#include <memory>

#include "agon/score/local_score.h"

namespace agon {

double extended_bic_price(int variables, double n);  // per parent; n: the weight of all rows

// Of a score without pair_additions(). The score itself if the price is 0.
std::unique_ptr<LocalScore> extended_bic(std::unique_ptr<LocalScore> score, double n);

double price_of(const LocalScore& score);  // per parent; 0: there is none
// What is behind the price; the score itself if there is none.
const LocalScore& without_price(const LocalScore& score);

}  // namespace agon
