// agon/score/edge_price.h
//
// A price for every edge. With many variables, many graphs have the same number of edges, and some of them fit well by
// chance. To say which of p variables is a parent takes ln p nats, so that is what a parent costs beside what its score
// says.
//
//   auto score = with_edge_price(std::make_unique<MixedBic>(data), naming_price(100));
//   score->local(5, {});         // as before: what is new is charged by parent
//   edge_price(*score);          // 4.605 nats: ln 100
//
//   s(j, P) - ln p |P|           p the number of variables that vary
//
// As a prior it is 1/p for each edge (Heckerman, Geiger & Chickering 1995 have such priors). For a BIC it is the
// extended BIC with gamma = 1 (Chen & Chen 2008, Biometrika 95). Departure: they charge ln p for each free parameter,
// which is the same for Gaussian columns. With categories a parent brings many parameters, but it is parents that are
// chosen from p. Of the p - 1 others, the number that gain as a parent by chance then falls with the rows, however many
// there are: each does so with a probability of about 1 / (p sqrt(n)).
//
// What may be relied on: the sum over a DAG is charged by its number of edges, which is the same for all members of a
// class, so a score stays decomposable and score-equivalent.
//
// GaussianBic takes the price by itself (ScoreOptions::priced_edges), because its search for pairs of parents depends
// on it.
#pragma once

#include <memory>
#include <string>

#include "agon/score/local_score.h"

namespace agon {

double naming_price(int variables);            // ln p; 0 where there is nothing to choose
double naming_price(const LocalScore& score);  // by the variables that vary

// Of a score without pair_additions(). `name`: what the score is called with its price; "": as without.
std::unique_ptr<LocalScore> with_edge_price(std::unique_ptr<LocalScore> score, double price,
                                            const std::string& name = "");

double edge_price(const LocalScore& score);  // per parent; 0: there is none
// What is behind the price; the score itself if there is none.
const LocalScore& without_edge_price(const LocalScore& score);

}  // namespace agon
