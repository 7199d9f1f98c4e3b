// agon/opponent/boss.h
//
// BOSS, best order score search (Andrews, Ramsey, Sanchez-Romero, Camchong & Kummerfeld 2023, NeurIPS): a search over
// orders of the variables. Given an order, each variable takes grow-shrink parents among those before it. One variable
// after the other moves to its best place until none has a better one. The backward phase of GES ends the search. On
// dense graphs it is the strongest published score-based search; on sparse ones it needs a good order to start from.
//
//   auto score = make_score("auto", data);
//   SearchResult r = boss(*score, {}, Rng(0));
//   r.dag, *r.cpdag, r.score;  r.story;       // one sentence per phase: starts, their scores, what each step brought
//
// What may be relied on:
//   - never below GES: GES's graph gives the first order, and is the answer if nothing beats it;
//   - one answer for any number of threads and any memory limit. Starts run side by side, each with a random stream of
//     its own. Budgets count evaluations (the parents of one variable under one prefix), not seconds. Only `watch` can
//     cut the search short; then BossOptions::cut continues it as if it had never been cut;
//   - r.score is total(score, r.dag), and r.cpdag is the class of r.dag.
//
// Departures from the paper: there are several starts, and after each a short iterated search (displace a few
// variables, repair locally, keep the result if it is not worse). The reason is the large variance between starts: on
// dense Gaussian graphs of 30 nodes a single start misses the true graph's score in four cases out of ten.
#pragma once

#include "agon/base/rng.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/boss_order.h"
#include "agon/opponent/opponent.h"
#include "agon/score/local_score.h"

namespace agon {

struct BossOptions {
  int random_starts = -1;  // random orders tried in addition to GES's; -1: by the number of variables
  long evaluations = -1;   // of the iterated search, per start; -1: by the number of variables, 0: none
  int pairs =
      -1;  // may growing take two parents at once where no single one gains? 1: yes, 0: no, -1: up to 300 variables
  int threads = 1;                        // starts that run at a time; the answer does not depend on it
  size_t store_bytes = size_t{96} << 20;  // for the parent sets of all threads together; bounds memory, not the answer
  // The result of ges() from the empty graph with the same score and knowledge, if it is known already; if that was cut
  // short, boss() begins by resuming it. nullptr: boss() begins by running ges(). The answer is the same.
  const SearchResult* ges = nullptr;
  // What boss() returned when it was stopped, with the same score, options, rng and knowledge: it continues from there.
  const SearchResult* cut = nullptr;
};

SearchResult boss(const LocalScore& score, const BossOptions& options = {}, Rng rng = Rng(0), const Watch& watch = {},
                  const Knowledge& knowledge = {});

// What -1 means for p variables.
int default_random_starts(int p);
long default_evaluations(int p);

// --- for tests and benchmarks ---

OrderRules order_rules(const Knowledge& knowledge, int p);

// A random order of the variables that vary or that a required edge touches. Required parents come first, and tiers are
// in order as far as that allows.
std::vector<Node> random_order(const LocalScore& score, const OrderRules& rules, Rng& rng);

}  // namespace agon
