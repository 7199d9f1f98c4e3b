// agon/opponent/boss_sweeps.h
//
// How BOSS goes from one order to better ones: sweeps until no variable moves, and an iterated search that displaces a
// few variables and repairs. Both can be stopped and resumed.
//
//   const OrderRules rules;
//   OrderSearch search(score, rules, 96 << 20);
//   search.set_order(order);
//   SweepsPlace place;
//   if (!sweep_orders(search, place, watch)) sweep_orders(search, place);   // the second call continues the first
//
// What may be relied on: whether and where a search was stopped changes nothing. Resumed with its place, in any
// OrderSearch that was given the order it had reached, it visits the orders it would have visited.
#pragma once

#include "agon/base/rng.h"
#include "agon/opponent/boss_order.h"

namespace agon {

struct SweepsPlace {
  bool within = false;      // a sweep has begun
  SweepPlace sweep = {};    // how far it has come
  double before = kNoGain;  // the score when it began
};

struct IterationPlace {
  Rng rng{0};
  long evaluations = 0;     // left to spend
  double best = kNoGain;    // score so far
  SweepsPlace sweeps = {};  // of the sweeps at the end
};

// Both return false when they were asked to stop before their end.
bool sweep_orders(OrderSearch& search, SweepsPlace& place, const Watch& watch = {});
void sweep_orders(OrderSearch& search);

// Displaces a few variables, repairs, and keeps the result if it is not worse, for about as many evaluations as the
// place says; then sweeps. `search` always holds the best order so far.
bool iterate_orders(OrderSearch& search, IterationPlace& place, const Watch& watch = {});

}  // namespace agon
