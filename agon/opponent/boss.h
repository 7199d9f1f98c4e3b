// agon/opponent/boss.h
//
// BOSS, best order score search (Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld 2023, NeurIPS): a search over
// orders of the variables. Given an order, each variable takes grow-shrink parents among those before it; one variable
// after the other moves to its best place until none has a better one; the backward phase of GES ends it. On dense
// graphs it is the strongest published score-based search; on sparse ones it needs a good order to start from.
//
//   auto score = make_score("auto", data);
//   SearchResult r = boss(*score, {}, Rng(0));
//   r.dag, *r.cpdag, r.score;  r.story;       // one sentence per phase: starts, their scores, what each step brought
//
// What may be relied on:
//   - never below GES: GES's graph gives the first order, and is kept where nothing beats it;
//   - one answer for any number of threads and any memory limit. Starts run side by side, each with a random stream of
//     its own; budgets count evaluations (the parents of one variable under one prefix), not seconds. Only `watch` can
//     cut it short;
//   - r.score is total(score, r.dag), and r.cpdag is the class of r.dag.
//
// Departures from the paper: several starts; after each a short iterated search (displace a few variables, repair
// locally, keep what is not worse), because the variance between starts is large: on dense Gaussian graphs of 30 nodes
// a single start misses the true graph's score in four of ten.
#pragma once

#include "agon/base/rng.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/boss_order.h"
#include "agon/opponent/opponent.h"
#include "agon/score/local_score.h"

namespace agon {

struct BossOptions {
  int random_starts = -1;  // random orders tried beside GES's; -1: by the number of variables
  long evaluations = -1;   // iterated search, per start; -1: by the number of variables, 0: none
  int pairs =
      -1;  // let growing take two parents at once where no single one gains: 1 yes, 0 no, -1: up to 300 variables
  int threads = 1;                        // starts at a time; the answer does not depend on it
  size_t store_bytes = size_t{96} << 20;  // for the parent sets of all threads together; bounds memory, not the answer
  // What ges() gives from the empty graph by the same score and knowledge, when that is known already; it must have run
  // to its end. None: boss() begins by running it. The answer is the same.
  const SearchResult* ges = nullptr;
};

SearchResult boss(const LocalScore& score, const BossOptions& options = {}, Rng rng = Rng(0), const Watch& watch = {},
                  const Knowledge& knowledge = {});

// What -1 stands for, at p variables.
int default_random_starts(int p);
long default_evaluations(int p);

// --- for tests and benchmarks ---

OrderRules order_rules(const Knowledge& knowledge, int p);

// A random order of the variables that vary or that a required edge touches, in which required parents come first, and
// as far as that lets them, tiers.
std::vector<Node> random_order(const LocalScore& score, const OrderRules& rules, Rng& rng);

void sweep_orders(OrderSearch& search, const Watch& watch = {});  // until no variable moves

// Displaces a few variables, repairs, keeps what is not worse, for about `evaluations`; the best order stands at the
// end, swept.
void iterate_orders(OrderSearch& search, long evaluations, Rng& rng, const Watch& watch = {});

}  // namespace agon
