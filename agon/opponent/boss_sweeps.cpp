#include "agon/opponent/boss_sweeps.h"

#include <algorithm>

namespace agon {
namespace {

// A way out of an order that no single move improves: it displaces a few variables, and settle() lets the others
// follow.
class Perturbation {
 public:
  Perturbation(OrderSearch& search, Rng& rng)
      : search_(search), rng_(rng), m_(static_cast<int>(search.order().size())) {}

  // Displaces a few variables and returns which ones to try again: first those whose parents changed as a result, last
  // the displaced ones themselves, which would otherwise simply go back.
  std::vector<Node> displace() {
    displaced_.clear();
    const auto anywhere = [&] { return rng_.below(m_); };
    const int times = 1 + rng_.below(3);
    switch (rng_.below(4)) {
      case 0:
        for (int k = 0; k <= times; ++k) put_by(anywhere);
        break;
      case 1: {
        const int centre = rng_.below(m_);
        for (int k = 0; k <= times; ++k) put_by([&] { return near(centre); });
        break;
      }
      default:
        for (int k = 0; k < times; ++k) tuck(search_.order()[rng_.below(m_)]);
    }
    if (displaced_.empty()) put_by(anywhere);
    std::vector<Node> agenda;
    for (Node w : search_.touched()) {
      if (!is_displaced(w)) agenda.push_back(w);
    }
    rng_.shuffle(agenda);
    rng_.shuffle(displaced_);
    agenda.insert(agenda.end(), displaced_.begin(), displaced_.end());
    return agenda;
  }

 private:
  bool is_displaced(Node v) const { return std::find(displaced_.begin(), displaced_.end(), v) != displaced_.end(); }
  void note(Node v) {
    if (!is_displaced(v)) displaced_.push_back(v);
  }
  void put(Node v, int position) {
    search_.move(v, position);
    note(v);
  }
  // Draws where to, then whom. Compilers differ in which argument of a call they evaluate first.
  template <class Draw>
  void put_by(Draw draw) {
    const int position = draw();
    put(search_.order()[draw()], position);
  }
  int near(int centre) {
    const int span = std::max(3, m_ / 10);
    return std::clamp(centre + rng_.below(2 * span + 1) - span, 0, m_ - 1);
  }
  // Moves w before one of its parents, together with those of its ancestors that are in between (the tuck of Lam,
  // Andrews & Ramsey 2022, GRaSP).
  void tuck(Node w) {
    const std::vector<Node> parents = search_.grown_parents(w);
    if (parents.empty()) return;
    const Node before = parents[rng_.below(static_cast<int>(parents.size()))];
    const int bar = search_.position(before);
    std::vector<Node> block = {w};
    for (size_t k = 0; k < block.size(); ++k) {
      for (Node q : search_.grown_parents(block[k])) {
        if (search_.position(q) > bar && std::find(block.begin(), block.end(), q) == block.end()) block.push_back(q);
      }
    }
    std::sort(block.begin(), block.end(), [&](Node a, Node b) { return search_.position(a) < search_.position(b); });
    for (size_t k = 0; k < block.size(); ++k) search_.move(block[k], bar + static_cast<int>(k));
    note(w);
    note(before);
  }

  OrderSearch& search_;
  Rng& rng_;
  int m_;
  std::vector<Node> displaced_;
};

}  // namespace

bool sweep_orders(OrderSearch& search, SweepsPlace& place, const Watch& watch) {
  for (;;) {
    if (!place.within) {
      // The score is checked too: the loop ends even if gains drown in rounding.
      if (!(search.score() > place.before)) return true;
      place = {.within = true, .sweep = {}, .before = search.score()};
    }
    if (!search.sweep(place.sweep, watch)) return false;
    place.within = false;
    if (place.sweep.moved == 0) return true;
  }
}

void sweep_orders(OrderSearch& search) {
  SweepsPlace place;
  sweep_orders(search, place);
}

// A stop takes the search back to before the perturbation it came in, and the random numbers and the evaluations with
// it.
bool iterate_orders(OrderSearch& search, IterationPlace& place, const Watch& watch) {
  if (search.order().size() < 3) return true;
  const long last = search.evaluations() + place.evaluations;
  const double tolerance = search.tolerance();
  place.best = std::max(place.best, search.score());
  Rng rng = place.rng;
  Perturbation perturbation(search, rng);
  search.mark();
  while (place.evaluations > 0) {
    if (watch.stop_requested() || !search.settle(perturbation.displace(), last, watch)) {
      search.take_back();
      search.forget();
      return false;
    }
    place.rng = rng;
    place.evaluations = last - search.evaluations();
    const double now = search.score();
    if (now < place.best - tolerance) {
      search.take_back();
      continue;
    }
    place.best = std::max(place.best, now);
    search.mark();
  }
  search.forget();
  return sweep_orders(search, place.sweeps, watch);
}

}  // namespace agon
