#include "agon/opponent/ges_cpdag.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace agon {
namespace {

constexpr int64_t kAnyRank = std::numeric_limits<int64_t>::max();

void drop(std::vector<Node>& list, Node v) {
  const auto it = std::find(list.begin(), list.end(), v);
  assert(it != list.end());
  *it = list.back();
  list.pop_back();
}

// Calls fn(v) for v in a and b (in a and not in b) until fn returns true; returns whether it did.
template <class Fn>
bool any_in_both(NodeView a, NodeView b, Fn&& fn) {
  for (int k = 0; k < a.word_count(); ++k) {
    for (uint64_t left = a.word(k) & b.word(k); left; left &= left - 1) {
      if (fn(k * detail::kWordBits + std::countr_zero(left))) return true;
    }
  }
  return false;
}
template <class Fn>
bool any_outside(NodeView a, NodeView b, Fn&& fn) {
  for (int k = 0; k < a.word_count(); ++k) {
    for (uint64_t left = a.word(k) & ~b.word(k); left; left &= left - 1) {
      if (fn(k * detail::kWordBits + std::countr_zero(left))) return true;
    }
  }
  return false;
}

std::vector<Node> in_both(NodeView a, NodeView b) {
  std::vector<Node> out;
  any_in_both(a, b, [&](Node v) {
    out.push_back(v);
    return false;
  });
  return out;
}

}  // namespace

// The given CPDAG is reduced to its skeleton, v-structures and cut edges and closed again, so that its edges have
// ranks.
GesCpdag::GesCpdag(const Cpdag& cpdag, std::vector<int> row_set)
    : pdag_(cpdag.size()), row_set_(std::move(row_set)), out_(cpdag.size()), in_(cpdag.size()), ranks_(cpdag.size()) {
  for (Node a = 0; a < cpdag.size(); ++a) {
    for (Node b : cpdag.adjacency(a)) {
      if (a < b) link(a, b);
    }
  }
  begin();
  for (const Edge& e : cpdag.directed_edges()) {
    if (is_cut(e.from, e.to) ||
        any_outside(cpdag.parents(e.to), cpdag.adjacency(e.from), [&](Node w) { return w != e.from; })) {
      show(e.from, e.to);
    }
  }
  settle();
  assert(pdag_ == cpdag.pdag());
  begin();
  changes_.clear();
}

PairState GesCpdag::state(Node a, Node b) const {
  if (!pdag_.adjacent(a, b)) return PairState::kNone;
  if (pdag_.has_undirected(a, b)) return PairState::kUndirected;
  return pdag_.has_directed(a, b) ? PairState::kForward : PairState::kBackward;
}

void GesCpdag::touch(Node a, Node b) {
  if (a > b) std::swap(a, b);
  const PairState now = state(a, b);
  const int64_t held = now == PairState::kForward ? rank(a, b) : now == PairState::kBackward ? rank(b, a) : 0;
  journal_.push_back({a, b, now, held});
}

void GesCpdag::link(Node a, Node b) {
  touch(a, b);
  pdag_.add_undirected(a, b);
  out_[a].push_back(b);
  out_[b].push_back(a);
  in_[a].push_back(b);
  in_[b].push_back(a);
}

void GesCpdag::cut(Node a, Node b) {
  touch(a, b);
  for (const auto& [from, to] : {Edge{a, b}, Edge{b, a}}) {
    if (passes(from, to)) {
      drop(out_[from], to);
      drop(in_[to], from);
    }
    if (pdag_.has_directed(from, to)) std::erase_if(ranks_[to], [f = from](const Rank& r) { return r.parent == f; });
  }
  pdag_.remove_between(a, b);
}

void GesCpdag::direct(Node from, Node to, int64_t rank) {
  assert(pdag_.has_undirected(from, to));
  touch(from, to);
  pdag_.orient(from, to);
  drop(out_[to], from);
  drop(in_[from], to);
  ranks_[to].push_back({from, rank});
}

void GesCpdag::undirect(Node from, Node to) {
  touch(from, to);
  pdag_.remove_between(from, to);
  pdag_.add_undirected(from, to);
  out_[to].push_back(from);
  in_[from].push_back(to);
  std::erase_if(ranks_[to], [&](const Rank& r) { return r.parent == from; });
}

int64_t GesCpdag::rank(Node from, Node to) const {
  for (const Rank& r : ranks_[to]) {
    if (r.parent == from) return r.rank;
  }
  assert(false);
  return kAnyRank;
}

void GesCpdag::set_rank(Node from, Node to, int64_t rank) {
  for (Rank& r : ranks_[to]) {
    if (r.parent == from) r.rank = rank;
  }
}

bool GesCpdag::shows_v_structure(Node from, Node to) const {
  return any_outside(pdag_.parents(to), pdag_.adjacency(from), [&](Node w) { return w != from; });
}

// c -> to <- d not adjacent, both adjacent to `from`, and not c -> from <- d. With from - c and from - d this is Meek's
// rule 3. With one of them directed, rules 1 and 2 say the same. With c -> from <- d nothing is forced. In this form
// the rule rests on v-structures and the skeleton alone, so its premises have rank 0.
bool GesCpdag::rule_3(Node from, Node to) const {
  return any_in_both(pdag_.parents(to), pdag_.adjacency(from), [&](Node c) {
    return any_outside(pdag_.parents(to), pdag_.adjacency(c), [&](Node d) {
      return d > c && pdag_.adjacent(from, d) && !(pdag_.has_directed(c, from) && pdag_.has_directed(d, from));
    });
  });
}

// Is from -> to shown by a v-structure or an experiment, or forced by a rule from edges of smaller rank? The edge
// itself may be directed this way or undirected.
bool GesCpdag::is_supported(Node from, Node to, int64_t below) const {
  if (pdag_.has_directed(from, to) && (is_cut(from, to) || shows_v_structure(from, to))) return true;
  const auto counts = [&](Node a, Node b) { return below == kAnyRank || rank(a, b) < below; };
  // Rule 1: a -> from, a and to not adjacent.
  if (any_outside(pdag_.parents(from), pdag_.adjacency(to), [&](Node a) { return a != to && counts(a, from); })) {
    return true;
  }
  // Rule 2: from -> c -> to.
  if (any_in_both(pdag_.children(from), pdag_.parents(to), [&](Node c) { return counts(from, c) && counts(c, to); })) {
    return true;
  }
  return rule_3(from, to);
}

void GesCpdag::begin() {
  journal_.clear();
  suspects_.clear();
  shown_.clear();
  loose_.clear();
}

void GesCpdag::show(Node from, Node to) {
  if (pdag_.has_directed(from, to)) {
    touch(from, to);
    set_rank(from, to, 0);
  } else {
    direct(from, to, 0);
  }
  shown_.push_back({from, to});
}

// Suspects every edge that from -> to may be a premise of: by rule 1 edges out of `to`; by rule 2 from -> c with
// to -> c, and edges into `to`; by rule 3 and as half of a v-structure edges into `to`.
void GesCpdag::suspect_dependents(Node from, Node to) {
  for (Node c : pdag_.children(to)) suspects_.push_back({to, c});
  for (Node d : pdag_.parents(to)) {
    if (d != from) suspects_.push_back({d, to});
  }
  any_in_both(pdag_.children(from), pdag_.children(to), [&](Node c) {
    suspects_.push_back({from, c});
    return false;
  });
}

void GesCpdag::suspect_children(Node v) {
  for (Node c : pdag_.children(v)) suspects_.push_back({v, c});
}

void GesCpdag::settle() {
  // First pass: edges that lost their support become undirected. The list grows while it is walked.
  for (size_t next = 0; next < suspects_.size(); ++next) {
    const auto [from, to] = suspects_[next];
    if (!pdag_.has_directed(from, to) || is_supported(from, to, rank(from, to))) continue;
    suspect_dependents(from, to);
    undirect(from, to);
    loose_.push_back({from, to});
  }
  // Second pass: close under the rules.
  work_.clear();
  for (const Edge& e : shown_) work_.push_back(e);
  for (size_t next = 0; next < loose_.size(); ++next) {
    auto [from, to] = loose_[next];
    if (!pdag_.has_undirected(from, to)) continue;
    if (!is_supported(from, to, kAnyRank)) {
      if (!is_supported(to, from, kAnyRank)) continue;
      std::swap(from, to);
    }
    direct(from, to, ++clock_);
    work_.push_back({from, to});
  }
  for (size_t next = 0; next < work_.size(); ++next) follow(work_[next].from, work_[next].to);

  // The pairs whose edge has changed, each once: the first record of a pair holds its original state.
  changes_.clear();
  for (const Touched& touched : journal_) {
    changes_.push_back({touched.a, touched.b, touched.state, state(touched.a, touched.b)});
  }
  std::stable_sort(changes_.begin(), changes_.end(),
                   [](const PairChange& l, const PairChange& r) { return l.a != r.a ? l.a < r.a : l.b < r.b; });
  changes_.erase(std::unique(changes_.begin(), changes_.end(),
                             [](const PairChange& l, const PairChange& r) { return l.a == r.a && l.b == r.b; }),
                 changes_.end());
  std::erase_if(changes_, [](const PairChange& change) { return change.before == change.after; });
}

void GesCpdag::undo() {
  const std::vector<Touched> journal = std::move(journal_);
  for (auto it = journal.rbegin(); it != journal.rend(); ++it) {
    const auto [a, b, before, held] = *it;
    if (pdag_.adjacent(a, b)) cut(a, b);
    if (before != PairState::kNone) link(a, b);
    if (before == PairState::kForward) direct(a, b, held);
    if (before == PairState::kBackward) direct(b, a, held);
  }
  journal_.clear();
  changes_.clear();
}

void GesCpdag::follow(Node from, Node to) {
  const auto force = [&](Node a, Node b) {
    if (!pdag_.has_undirected(a, b)) return;
    direct(a, b, ++clock_);
    work_.push_back({a, b});
  };
  // Rule 1: from -> to - c, from and c not adjacent.
  std::vector<Node> hits;
  any_outside(pdag_.neighbours(to), pdag_.adjacency(from), [&](Node c) {
    hits.push_back(c);
    return false;
  });
  for (Node c : hits) force(to, c);
  // Rule 2, with from -> to as the first and as the second edge.
  for (Node c : in_both(pdag_.neighbours(from), pdag_.children(to))) force(from, c);
  for (Node a : in_both(pdag_.neighbours(to), pdag_.parents(from))) force(a, to);
  // Rule 3, if from -> to is half of a v-structure.
  if (shows_v_structure(from, to)) {
    for (Node a : in_both(pdag_.neighbours(to), pdag_.adjacency(from))) {
      if (rule_3(a, to)) force(a, to);
    }
  }
}

void GesCpdag::show_colliders(Node x, Node y, std::span<const Node> clique) {
  bool new_v_structure = false;
  for (Node t : clique) {
    if (pdag_.adjacent(t, x)) continue;
    show(t, y);
    new_v_structure = true;
  }
  for (Node w : pdag_.parents(y).to_vector()) {
    if (pdag_.adjacent(w, x)) continue;
    show(w, y);
    new_v_structure = true;
  }
  if (new_v_structure) suspect_children(y);  // by rule 3, which two parents not adjacent to each other no longer allow
  if (new_v_structure || is_cut(x, y)) {
    show(x, y);
  } else {
    loose_.push_back({x, y});
  }
}

void GesCpdag::insert(Node x, Node y, std::span<const Node> clique) {
  begin();
  // x and y become adjacent. Suspect what rested on their not being so: v-structures x -> b <- y and rule 3 over them,
  // and rule 1 along x -> b -> y and y -> b -> x.
  for (Node b : in_both(pdag_.adjacency(x), pdag_.adjacency(y))) {
    for (Node a : pdag_.parents(b)) suspects_.push_back({a, b});
    if (pdag_.has_directed(b, x)) suspects_.push_back({b, x});
    if (pdag_.has_directed(b, y)) suspects_.push_back({b, y});
    // Rule 3 over c -> b <- d may now hold for an edge that has x - y as one of its sides.
    if (pdag_.has_undirected(x, b)) loose_.push_back({x, b});
    if (pdag_.has_undirected(y, b)) loose_.push_back({y, b});
  }
  link(x, y);
  show_colliders(x, y, clique);
  settle();
}

void GesCpdag::remove(Node x, Node y, std::span<const Node> clique) {
  begin();
  if (pdag_.has_directed(x, y)) suspect_dependents(x, y);
  const std::vector<Node> common = in_both(pdag_.adjacency(x), pdag_.adjacency(y));
  cut(x, y);
  for (Node h : common) {
    const bool was_neighbour = pdag_.has_undirected(y, h);
    if (was_neighbour && std::find(clique.begin(), clique.end(), h) == clique.end()) {
      show(y, h);  // x -> h <- y
      show(x, h);
      suspect_children(h);
    } else if (pdag_.has_directed(x, h) && pdag_.has_directed(y, h)) {
      show(x, h);
      show(y, h);
      suspect_children(h);
    } else {
      // Rule 1 along x -> h - y and y -> h - x now holds.
      if (pdag_.has_undirected(y, h)) loose_.push_back({h, y});
      if (pdag_.has_undirected(x, h)) loose_.push_back({h, x});
    }
  }
  settle();
}

void GesCpdag::turn(Node x, Node y, std::span<const Node> clique) {
  begin();
  if (pdag_.has_directed(y, x)) {
    suspect_dependents(y, x);
    undirect(y, x);
    for (Node b : pdag_.neighbours(x)) loose_.push_back({x, b});  // rule 3, which y -> x <- d did not allow
  }
  show_colliders(x, y, clique);
  settle();
}

}  // namespace agon
