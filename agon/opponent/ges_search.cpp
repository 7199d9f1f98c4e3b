// Everything here serves one invariant: only refusals are remembered. An operator that was found invalid is put aside,
// together with what would have to change before it could become valid. An operator that was found valid is tested
// again each time it comes first. So a change of the CPDAG that can only make operators invalid needs no bookkeeping at
// all, and apply() looks only for changes that may make an operator valid, or that alter its gain.
//
// "Chickering" is Chickering 2002, JMLR 3, "Optimal structure identification with greedy search"; "Hauser & Buehlmann"
// is Hauser & Buehlmann 2012, JMLR 13.
#include "agon/opponent/ges_search.h"

#include <algorithm>
#include <cassert>

namespace agon {
namespace {

bool contains(const std::vector<Node>& sorted, Node v) { return std::binary_search(sorted.begin(), sorted.end(), v); }

// May a semi-directed path cross a pair in this state, from a to b (forward) or from b to a?
bool passed(PairState state, bool forward) {
  return state == PairState::kUndirected || state == (forward ? PairState::kForward : PairState::kBackward);
}

uint64_t ordered_key(Node y, Node x) { return static_cast<uint64_t>(y) << 32 | static_cast<uint32_t>(x); }

}  // namespace

GesSearch::GesSearch(GainStore& store, const Cpdag& start, int max_cliques, Knowledge knowledge, int threads)
    : store_(store),
      cpdag_(start, store.score().traits().row_set),
      max_cliques_(max_cliques),
      tolerance_(tie_tolerance(store.score())),
      targets_(start.size()),
      bound_(start.size()),
      knowledge_(std::move(knowledge)),
      threads_(threads),
      steps_(start.size()),
      blocked_(start.size()),
      seen_from_(start.size()),
      seen_to_(start.size()),
      before_(start.size()),
      after_(start.size()) {
  for (NodeSet& targets : stale_) {
    targets = NodeSet(start.size());
    for (Node y = 0; y < start.size(); ++y) targets.insert(y);
  }
}

// The cliques among the neighbours of y, smallest first, each ascending. Each is made once, from the clique without its
// largest node: no superset of a set that is not a clique is one. Two adjacent neighbours of y are joined by an
// undirected edge, because a CPDAG has no directed edge within a chain component; so only adjacency needs to be
// checked.
//
// There are 2^k cliques within a clique of k neighbours, which is what makes GES exponential in dense graphs. The cap
// keeps the smallest ones, and capped() reports when it was reached.
void GesSearch::cliques_at(Node y) {
  const Pdag& g = pdag();
  cliques_.assign(1, {});
  for (size_t k = 0; k < cliques_.size(); ++k) {
    for (Node v : g.neighbours(y)) {
      if (!cliques_[k].empty() && v <= cliques_[k].back()) continue;
      bool joined = true;
      for (Node w : cliques_[k]) joined = joined && g.adjacent(v, w);
      if (!joined) continue;
      if (static_cast<int>(cliques_.size()) >= max_cliques_) {
        capped_ = true;
        return;
      }
      std::vector<Node> larger = cliques_[k];
      larger.push_back(v);
      cliques_.push_back(std::move(larger));
    }
  }
}

// Pa(y) and the clique, ascending, as scores expect parents. The two are disjoint: one is directed at y, the other is
// not.
std::vector<Node> GesSearch::parents_with(Node y, const std::vector<Node>& clique) const {
  std::vector<Node> parents = pdag().parents(y).to_vector();
  const auto middle = static_cast<long>(parents.size());
  parents.insert(parents.end(), clique.begin(), clique.end());
  std::inplace_merge(parents.begin(), parents.begin() + middle, parents.end());
  return parents;
}

// 0 where the score is undefined; then `defined` becomes false, and a turn with such a part is not listed.
double GesSearch::local_or(Node child, const std::vector<Node>& parents, bool& defined) const {
  try {
    return store_.score().local(child, parents);
  } catch (const ScoreUndefined&) {
    defined = false;
    return 0;
  }
}

// Insert(x, y, T) is valid if NA + T is a clique and blocks every semi-directed path from y to x (Chickering, theorem
// 15), where NA are the neighbours of y adjacent to x. Seen the other way round: given the clique C = NA + T, T is C
// without NA, so (x, C) identifies the operator. That is why one walk over the cliques at y serves every x: the gain
// s(y, Pa + C + x) - s(y, Pa + C) (corollary 16) is the entry of x in one column of gains, which the store computes in
// a single pass over the data. Whether C contains NA for a particular x is tested when that x comes first, and most
// never do.
//
// Cost: one column per clique at y; the store may have it already.
void GesSearch::build_insertions(Node y) {
  ++counts_.targets;
  Target& target = targets_[y];
  stale(OperatorKind::kInsert).erase(y);
  ++target.version;  // from here on, what was parked for the old lists is void
  target.families.clear();
  bound_.set(y, kNoGain);
  if (store_.score().traits().constant[y]) return;
  cliques_at(y);
  for (std::vector<Node>& clique : cliques_) {
    Family family;
    try {
      family.best = store_.entry(y, parents_with(y, clique)).best;
    } catch (const ScoreUndefined&) {  // y given Pa + C has no density, so no x can be weighed against it
      continue;
    }
    if (family.best.empty()) continue;
    family.clique = std::move(clique);
    target.families.push_back(std::move(family));
  }
  update_bound(y);
}

// Delete(x, y, H) only requires that NA - H be a clique (Chickering, theorem 17). There is no path to test, so every
// operator listed here is valid, and depends on nothing but the parents and neighbours of y. As with insertions, one
// set of parents Pa + C serves every x in it: a single call scores all removals from it (corollary 18).
void GesSearch::build_removals(Node y) {
  Target& target = targets_[y];
  stale(OperatorKind::kRemove).erase(y);
  target.removals.clear();
  const NodeView fixed = pdag().parents(y);
  if (pdag().adjacency(y).empty()) return;
  cliques_at(y);
  std::vector<double> gains;
  for (const std::vector<Node>& clique : cliques_) {
    const std::vector<Node> parents = parents_with(y, clique);
    if (parents.empty()) continue;
    gains.resize(parents.size());
    try {
      store_.score().removal_gains(y, parents, gains);
    } catch (const ScoreUndefined&) {
      continue;
    }
    for (size_t k = 0; k < parents.size(); ++k) {
      if (!(gains[k] >= tolerance_)) continue;
      GesOperator op{OperatorKind::kRemove, y, parents[k], clique, gains[k]};
      // If x is in Pa(y), the clique is NA - H as it is, because a parent of y is adjacent to all neighbours of y
      // (otherwise rule 1 of Meek 1995 would direct y away from them). If x is in the clique, the others are NA - H.
      // The larger parent set contains x either way (see ges_operators.cpp).
      if (!fixed.contains(op.x)) std::erase(op.clique, op.x);
      target.removals.push_back(std::move(op));
    }
  }
}

// Turning an edge into x -> y is an insertion of x at y and a loss at x. The first part is already in the columns of
// gains, under the nodes x that are adjacent to y. So turns are read off the lists of insertions.
void GesSearch::build_turns(Node y) {
  Target& target = targets_[y];
  if (stale(OperatorKind::kInsert).contains(y)) build_insertions(y);
  stale(OperatorKind::kTurn).erase(y);
  target.turns.clear();
  const Pdag& g = pdag();
  for (const Family& family : target.families) {
    for (const ParentGain& addition : family.best) {
      if (g.adjacent(addition.node, y)) offer_turn(y, family.clique, addition);
    }
  }
}

// Lists the turn if its gain suffices and its local conditions hold. The path condition of a directed turn depends on
// the whole graph and is left to is_valid_turn(): it can change while this list stays as it is.
void GesSearch::offer_turn(Node y, const std::vector<Node>& clique, ParentGain addition) {
  const Pdag& g = pdag();
  const Node x = addition.node;
  std::vector<Node> after = g.parents(x).to_vector(), before = after;
  if (g.has_directed(y, x)) {  // Hauser & Buehlmann, proposition 34
    if (!covers(y, x, clique)) return;
    std::erase(after, y);
  } else {  // Hauser & Buehlmann, proposition 31
    // In the member of the class that is edited, the clique points at y, and y at x. The nodes of the clique that are
    // neighbours of x then point at x too, or there would be a cycle. If the clique has no other nodes, the turn leads
    // to another member of the same class, and gains nothing.
    bool changes_class = false;
    for (Node w : clique) {
      if (g.has_undirected(w, x)) {
        after.push_back(w);
      } else {
        changes_class = true;
      }
    }
    if (contains(clique, x) || !changes_class || !separates(y, x, clique)) return;
    std::sort(after.begin(), after.end());
    before = after;
    before.insert(std::upper_bound(before.begin(), before.end(), y), y);
  }
  bool defined = true;
  const double gain = addition.gain + local_or(x, after, defined) - local_or(x, before, defined);
  if (defined && gain >= tolerance_) targets_[y].turns.push_back({OperatorKind::kTurn, y, x, clique, gain});
}

// Lists are built when somebody asks, not when they become stale. If five operators of the forward phase touch a
// target, its insertions are built once for each, but its removals only once, at the end.
bool GesSearch::refresh(OperatorKind kind, const Watch& watch) {
  if (kind == OperatorKind::kInsert && !prefetch(watch)) return false;
  for (Node y : stale(kind).to_vector()) {
    if (watch.stop_requested()) return false;
    if (kind == OperatorKind::kInsert) build_insertions(y);
    if (kind == OperatorKind::kRemove) build_removals(y);
    if (kind == OperatorKind::kTurn) build_turns(y);
  }
  return true;
}

// Worth its while in the first sweep, and after the store was emptied. An operator makes few lists stale.
bool GesSearch::prefetch(const Watch& watch) {
  constexpr size_t kFewest = 64, kAtATime = 1024;
  const std::vector<Node> targets = stale(OperatorKind::kInsert).to_vector();
  if (threads_ <= 1 || targets.size() < kFewest) return true;
  std::vector<GainStore::Family> wanted;
  const auto compute = [&] {
    if (watch.stop_requested()) return false;
    store_.prefetch(wanted, threads_);
    wanted.clear();
    return true;
  };
  for (Node y : targets) {
    if (store_.score().traits().constant[y]) continue;
    cliques_at(y);
    for (const std::vector<Node>& clique : cliques_) wanted.push_back({y, parents_with(y, clique)});
    if (wanted.size() >= kAtATime && !compute()) return false;
  }
  return compute();
}

// Does the clique contain NA, the neighbours of y adjacent to x? O(p / 64) words, and a search in the clique for each
// node of NA.
bool GesSearch::covers(Node y, Node x, const std::vector<Node>& clique) const {
  const NodeView a = pdag().neighbours(y), b = pdag().adjacency(x);
  for (int k = 0; k < a.word_count(); ++k) {
    for (uint64_t left = a.word(k) & b.word(k); left; left &= left - 1) {
      if (!contains(clique, k * detail::kWordBits + std::countr_zero(left))) return false;
    }
  }
  return true;
}

// The validity test of Chickering, theorem 15, cheapest questions first. An insertion that fails is put aside, and the
// question it failed decides for how long:
//
//   x adjacent to y or to a neighbour of y outside the clique     until the lists of y are built again
//   the operator itself shows an edge the knowledge forbids       until the lists of y are built again
//   a semi-directed path from y to x avoids the clique            until a step of that path breaks
//   no member of the new class satisfies the knowledge            until the next operator is made
//
// A path found for (y, x) is kept whatever the clique is: another clique of y often leaves the same path open.
bool GesSearch::is_valid_insertion(Node y, int index, size_t place) {
  Family& family = targets_[y].families[index];
  const Node x = family.best[place].node;
  if (pdag().adjacent(x, y) || !covers(y, x, family.clique) ||
      (!knowledge_.empty() && is_plainly_inadmissible(OperatorKind::kInsert, y, x, family.clique))) {
    put_aside(y, family, place);
    return false;
  }
  ++block_;
  block(family.clique);
  std::vector<Node>* known = nullptr;
  if (const auto it = witness_.find(ordered_key(y, x)); it != witness_.end()) {
    known = &it->second;
    if (is_intact(*known)) {
      ++counts_.witnesses;
      park(y, index, place, *known);
      return false;
    }
  }
  if (!find_path(y, x, false)) {
    if (knowledge_.empty() || is_admissible({OperatorKind::kInsert, y, x, family.clique})) return true;
    refused_.push_back({y, targets_[y].version, index, static_cast<int>(place)});
    put_aside(y, family, place);
    return false;
  }
  if (known) {
    *known = path_;
  } else {
    witness_.emplace(ordered_key(y, x), path_);
  }
  park(y, index, place, path_);
  return false;
}

// Puts an insertion aside with the path that forbids it. As long as all steps of the path exist and the lists of y are
// the same (and so the clique is), the path is open and the insertion invalid.
void GesSearch::park(Node y, int family, size_t place, const std::vector<Node>& path) {
  const int id = static_cast<int>(parked_.size());
  parked_.push_back({y, targets_[y].version, family, static_cast<int>(place)});
  for (size_t k = 0; k + 1 < path.size(); ++k) steps_[path[k]].push_back({path[k + 1], id});
  put_aside(y, targets_[y].families[family], place);
}

// Insertions are mostly put aside from the front, but ties are tested out of order, hence a flag per place.
void GesSearch::put_aside(Node y, Family& family, size_t place) {
  if (family.aside.size() <= place) family.aside.resize(place + 1);
  family.aside[place] = 1;
  while (family.next < family.aside.size() && family.aside[family.next]) ++family.next;
  update_bound(y);
}

// bound_[y] is the largest gain of the insertions at y that are not aside. No valid insertion at y gains more.
void GesSearch::update_bound(Node y) {
  double bound = kNoGain;
  for (const Family& family : targets_[y].families) {
    if (family.next < family.best.size()) bound = std::max(bound, family.best[family.next].gain);
  }
  bound_.set(y, bound);
}

// The step from -> to is gone: the insertions that were put aside because of a path over it are brought back. There may
// be another path; the next test will find it. Entries of lists that have been rebuilt since then are dropped on the
// way.
void GesSearch::break_step(Node from, Node to) {
  std::erase_if(steps_[from], [&](const Step& step) {
    const Parked& parked = parked_[step.parked];
    if (targets_[parked.y].version != parked.version) return true;
    if (step.to != to) return false;
    bring_back(parked);
    return true;
  });
}

// Forgets what was parked for lists that have been rebuilt since then. Otherwise a long search would keep every witness
// it ever met. This is done only when there are many more of them than targets, so it costs little per parked
// insertion.
void GesSearch::sweep_parked() {
  std::vector<int> new_id(parked_.size(), -1);
  size_t kept = 0;
  for (size_t k = 0; k < parked_.size(); ++k) {
    if (targets_[parked_[k].y].version != parked_[k].version) continue;
    new_id[k] = static_cast<int>(kept);
    parked_[kept++] = parked_[k];
  }
  parked_.resize(kept);
  for (std::vector<Step>& steps : steps_) {
    std::erase_if(steps, [&](Step& step) {
      step.parked = new_id[step.parked];
      return step.parked < 0;
    });
  }
}

// Steepest ascent with few validity tests. The insertion with the largest bound of all is tested. If it fails, it is
// put aside, the bound falls, and the next largest is tested. The first that passes gains most: every other insertion
// gains at most its own bound, and all bounds are at most this one. The loop ends, since each failure puts one more
// insertion aside.
std::optional<GesOperator> GesSearch::best_insertion() {
  double most = kNoGain;
  for (;;) {
    const double gain = bound_.most();
    if (!(gain >= tolerance_)) return std::nullopt;
    const Node y = bound_.first(gain, 0);
    Target& target = targets_[y];
    // The family with that gain at its front; among equals, the one with the smallest clique.
    int index = 0;
    while (target.families[index].next >= target.families[index].best.size() ||
           target.families[index].best[target.families[index].next].gain < gain) {
      ++index;
    }
    if (is_valid_insertion(y, index, target.families[index].next)) {
      most = gain;
      break;
    }
  }
  // Of all insertions that tie with it, the first by precedes() is the answer, so that neither rounding nor the order
  // of the tests decides. precedes() compares y first, so the first y with a valid insertion decides.
  const double enough = std::max(most - tolerance_, tolerance_);
  GesOperator best;
  for (Node y = bound_.first(enough, 0); y < pdag().size(); y = bound_.first(enough, y + 1)) {
    for (size_t index = 0; index < targets_[y].families.size(); ++index) {
      const Family& family = targets_[y].families[index];
      for (size_t place = family.next; place < family.best.size() && family.best[place].gain >= enough; ++place) {
        if (place < family.aside.size() && family.aside[place]) continue;
        const ParentGain addition = family.best[place];
        GesOperator op{OperatorKind::kInsert, y, addition.node, family.clique, addition.gain};
        if (best.y >= 0 && !op.precedes(best)) continue;
        if (is_valid_insertion(y, static_cast<int>(index), place)) best = std::move(op);
      }
    }
    if (best.y >= 0) break;
  }
  return best;
}

// The path condition of Hauser & Buehlmann, proposition 34: every semi-directed path from y to x, except for the edge
// itself, goes through the clique or a neighbour of x.
bool GesSearch::is_valid_turn(const GesOperator& op) {
  if (!pdag().has_directed(op.y, op.x)) return true;  // tested when it was listed
  ++block_;
  block(op.clique);
  for (Node w : pdag().neighbours(op.x)) blocked_[w] = block_;
  return !find_path(op.y, op.x, true);
}

// Removals and turns are few, since they are listed only if they gain. All are sorted by gain. The first valid one sets
// the level, and those within the tolerance below it compete by precedes().
std::optional<GesOperator> GesSearch::best_listed(OperatorKind kind) {
  std::vector<const GesOperator*> listed;
  for (const Target& target : targets_) {
    for (const GesOperator& op : kind == OperatorKind::kRemove ? target.removals : target.turns) listed.push_back(&op);
  }
  std::sort(listed.begin(), listed.end(), [](const GesOperator* a, const GesOperator* b) {
    return a->gain != b->gain ? a->gain > b->gain : a->precedes(*b);
  });
  const GesOperator* best = nullptr;
  double enough = kNoGain;
  for (const GesOperator* op : listed) {
    if (op->gain < enough) break;
    if (best && !op->precedes(*best)) continue;
    if ((kind == OperatorKind::kTurn && !is_valid_turn(*op)) || !is_admissible(*op)) continue;
    if (!best) enough = op->gain - tolerance_;
    best = op;
  }
  if (!best) return std::nullopt;
  return *best;
}

std::optional<GesOperator> GesSearch::best(OperatorKind kind) {
  if (targets_.empty()) return std::nullopt;
  if (store_.over_limit() && store_.bytes() > store_bound_) {
    // Lists point into the store, so they are rebuilt. If they alone fill it, wait until it has doubled.
    store_.clear();
    for (Node y = 0; y < pdag().size(); ++y) {
      stale(OperatorKind::kInsert).insert(y);
      stale(OperatorKind::kTurn).insert(y);
    }
    refresh(OperatorKind::kInsert);
    store_bound_ = 2 * store_.bytes();
  }
  refresh(kind);
  return kind == OperatorKind::kInsert ? best_insertion() : best_listed(kind);
}

// Every valid operator, for the comparison with operators_by_spec(). Whatever is aside is currently invalid, so it is
// skipped here too; if one were aside wrongly, the comparison would show it.
std::vector<GesOperator> GesSearch::all(OperatorKind kind) {
  refresh(kind);
  std::vector<GesOperator> out;
  for (Node y = 0; y < pdag().size(); ++y) {
    Target& target = targets_[y];
    if (kind == OperatorKind::kRemove) {
      std::copy_if(target.removals.begin(), target.removals.end(), std::back_inserter(out),
                   [&](const GesOperator& op) { return is_admissible(op); });
    }
    if (kind == OperatorKind::kTurn) {
      std::copy_if(target.turns.begin(), target.turns.end(), std::back_inserter(out),
                   [&](const GesOperator& op) { return is_valid_turn(op) && is_admissible(op); });
    }
    if (kind != OperatorKind::kInsert) continue;
    for (size_t index = 0; index < target.families.size(); ++index) {
      const Family& family = target.families[index];
      for (size_t place = 0; place < family.best.size() && family.best[place].gain >= tolerance_; ++place) {
        if (place < family.aside.size() && family.aside[place]) continue;
        const ParentGain c = family.best[place];
        if (is_valid_insertion(y, static_cast<int>(index), place)) {
          out.push_back({kind, y, c.node, family.clique, c.gain});
        }
      }
    }
  }
  std::sort(out.begin(), out.end(), [](const GesOperator& a, const GesOperator& b) { return a.precedes(b); });
  return out;
}

// The insertion may be valid again: the front of its list and the bound of y move back to it.
void GesSearch::bring_back(const Parked& parked) {
  Family& family = targets_[parked.y].families[parked.family];
  family.aside[parked.place] = 0;
  family.next = std::min(family.next, static_cast<size_t>(parked.place));
  update_bound(parked.y);
}

void GesSearch::edit(const GesOperator& op) {
  switch (op.kind) {
    case OperatorKind::kInsert:
      return cpdag_.insert(op.x, op.y, op.clique);
    case OperatorKind::kRemove:
      return cpdag_.remove(op.x, op.y, op.clique);
    case OperatorKind::kTurn:
      return cpdag_.turn(op.x, op.y, op.clique);
  }
}

// Applies the operator, repairs the CPDAG around it, and marks the lists that may have become wrong. The cost is
// proportional to the pairs that changed and their neighbourhoods rather than to p; the lists themselves are rebuilt
// when somebody asks for them.
void GesSearch::apply(const GesOperator& op) {
  // Whether a class has a member that satisfies the knowledge depends on the whole class: any operator may change it.
  for (const Parked& refused : refused_) {
    if (targets_[refused.y].version == refused.version) bring_back(refused);
  }
  refused_.clear();
  edit(op);
  // What each list depends on: insertions and removals at y depend on Pa(y), the neighbours of y and the edges among
  // them; the insertion of x also on which of these are adjacent to x; turns on all that for x too. The loop below runs
  // over the pairs whose edge has changed, and marks the lists that depend on them. It is enough to ask for neighbours
  // after the edit: where y ceased to be a neighbour of a, the pair (a, y) has changed itself and makes y stale.
  const Pdag& g = pdag();
  NodeSet &insertions = stale(OperatorKind::kInsert), &turns = stale(OperatorKind::kTurn);
  const auto stale_at = [&](Node y) {
    insertions.insert(y);
    stale(OperatorKind::kRemove).insert(y);
  };
  for (const PairChange& change : cpdag_.changes()) {
    const auto [a, b, before, after] = change;
    const bool entered = before == PairState::kNone, left = after == PairState::kNone;
    // If one end is a child of the other or not adjacent to it, it is in none of the other's parent sets.
    const auto is_child = [](PairState s, bool forward) {
      return s == PairState::kNone || s == (forward ? PairState::kForward : PairState::kBackward);
    };
    if (!is_child(before, true) || !is_child(after, true)) stale_at(a);
    if (!is_child(before, false) || !is_child(after, false)) stale_at(b);
    // The two may be joined again; that was refused while they were adjacent.
    if (left) {
      insertions.insert(a);
      insertions.insert(b);
    }
    // If both are neighbours of y, the cliques at y change. If one is and the edge was removed, the other may be
    // inserted at y with a clique that no longer contains the first. (An edge that was added only forbids.)
    if (entered || left) {
      for (Node y : g.neighbours(a)) {
        if (g.has_undirected(y, b)) {
          stale_at(y);
        } else if (left) {
          insertions.insert(y);
        }
      }
      if (left) {
        for (Node y : g.neighbours(b)) insertions.insert(y);
      }
    }
    if (entered && !knowledge_.empty()) {  // x and a parent of y may be adjacent now, so that x -> y shows nothing
      for (Node v : {a, b}) {
        for (Node y : cpdag_.out(v)) insertions.insert(y);
      }
    }
    for (Node v : {a, b}) {
      turns.insert(v);
      for (Node y : g.adjacency(v)) turns.insert(y);
    }
    // Break the paths over this pair that no longer exist.
    for (const bool forward : {true, false}) {
      if (passed(before, forward) && !passed(after, forward)) break_step(forward ? a : b, forward ? b : a);
    }
  }
  if (parked_.size() > 100'000 + 64 * targets_.size()) sweep_parked();
}

}  // namespace agon
