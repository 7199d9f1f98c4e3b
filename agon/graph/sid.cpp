#include "agon/graph/sid.h"

#include <cassert>
#include <vector>

#include "agon/graph/d_separation.h"

namespace agon {

namespace {

// How a path from the cause came to a node: along arrows all the way, into it by an arrow after some turn, or against
// an arrow. Only the first kind is a causal path.
enum Entry { kCausal, kFromParent, kFromChild };

// The nodes outside `given` at the end of an open path from `cause` that is not directed all the way. Paths do not
// come back to `cause`. Where such a walk crosses itself after a collider below `cause`, the nodes it reaches are also
// among those that condition (1) of wrong_effects() excludes.
NodeSet reached_otherwise(const Dag& truth, Node cause, NodeView given, NodeView opens) {
  NodeSet seen[3] = {NodeSet(truth.size()), NodeSet(truth.size()), NodeSet(truth.size())};
  std::vector<std::pair<Node, Entry>> stack;
  const auto enter = [&](Node v, Entry entry) {
    if (v == cause || seen[entry].contains(v)) return;
    seen[entry].insert(v);
    stack.push_back({v, entry});
  };
  for (Node u : truth.parents(cause)) enter(u, kFromChild);
  for (Node u : truth.children(cause)) enter(u, kCausal);
  while (!stack.empty()) {
    const auto [v, entry] = stack.back();
    stack.pop_back();
    const bool blocked = given.contains(v);
    if (entry == kFromChild ? !blocked : opens.contains(v)) {
      for (Node u : truth.parents(v)) enter(u, kFromChild);
    }
    if (!blocked) {
      for (Node u : truth.children(v)) enter(u, entry == kCausal ? kCausal : kFromParent);
    }
  }
  NodeSet out = seen[kFromParent];
  out |= seen[kFromChild];
  out -= given;
  return out;
}

}  // namespace

NodeSet wrong_effects(const Dag& truth, Node cause, NodeView predicted_parents) {
  assert(!predicted_parents.contains(cause));
  NodeSet self(truth.size());
  self.insert(cause);
  NodeSet below = descendants(truth, self);
  below.erase(cause);
  const NodeSet opens = ancestors(truth, predicted_parents);

  // (1) below W, where W descends from the cause and has a predicted parent at or below it
  NodeSet turning = below;
  turning &= opens;
  NodeSet wrong = descendants(truth, turning);
  // (2) at the end of an open path that is not causal
  wrong |= reached_otherwise(truth, cause, predicted_parents, opens);
  // A predicted parent is claimed to be unaffected.
  wrong -= predicted_parents;
  below &= predicted_parents;
  wrong |= below;
  return wrong;
}

long sid(const Dag& truth, const Dag& predicted) { return *sid(truth, predicted, Watch()); }

std::optional<long> sid(const Dag& truth, const Dag& predicted, const Watch& watch) {
  assert(truth.size() == predicted.size());
  long wrong = 0;
  for (Node cause = 0; cause < truth.size(); ++cause) {
    if (watch.stop_requested()) return std::nullopt;
    if (truth.parents(cause) == predicted.parents(cause)) continue;  // the true parents are always right
    wrong += wrong_effects(truth, cause, predicted.parents(cause)).count();
  }
  return wrong;
}

}  // namespace agon
