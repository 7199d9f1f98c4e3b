#include "agon/agent/edit_features.h"

#include <cassert>

#include "agon/agent/move_facts.h"

namespace agon {
namespace {

// The largest gain of an addition u -> v that from -> to blocks. For speed it looks only near `from`: v is `from` and u
// is `to` or a descendant of it; or v is a parent of `from` and u is `to`.
double freed_gain(const Game& game, Node from, Node to) {
  double freed = 0;
  for (const ParentGain& c : game.deltas().best_additions(from)) {  // best first
    if (c.node == to || game.live().reaches(to, c.node)) {
      freed = c.gain;
      break;
    }
  }
  for (Node v : game.dag().parents(from)) freed = std::max(freed, game.deltas().addition(to, v));
  return freed;
}

}  // namespace

void EditFeatures::begin(int length) {
  for (Node v : touched_) marks_[v] = 0;
  touched_.clear();
  edits_.clear();
  length_ = length;
}

void EditFeatures::touch(Node v, bool parents_changed) {
  if (!marks_[v]) touched_.push_back(v);
  marks_[v] |= parents_changed ? kTouched | kParentsChanged : kTouched;
}

void EditFeatures::played(EdgeMove move) {
  touch(move.from, move.kind == MoveKind::kReverse);
  touch(move.to, true);
  edits_.push_back(move);
}

void EditFeatures::write(const Game& game, EdgeMove move, float* out) const {
  const Dag& dag = game.dag();
  const Node from = move.from, to = move.to;
  const bool adds = move.kind == MoveKind::kAdd;
  const double gain = game.gain(move), p = game.size();
  const NodeView above = dag.parents(from), below = dag.children(from), above_to = dag.parents(to),
                 below_to = dag.children(to);
  const int done = static_cast<int>(edits_.size());
  float* at = out;
  const auto put = [&](double x) { *at++ = static_cast<float>(x); };

  put(adds);
  put(move.kind == MoveKind::kRemove);
  put(move.kind == MoveKind::kReverse);
  put(squash(gain, 2));
  put(squash(gain, 10));
  put(squash(gain, 50));
  put(adds ? 0 : squash(game.deltas().removal(from, to), 10));
  put(squash(game.deltas().addition(to, from), 10));
  put(above_to.count() / 4.0);
  put(above.count() / 4.0);
  put(below_to.count() / 4.0);
  put(below.count() / 4.0);
  put(!adds && is_covered(dag, from, to));
  put(common(above, below, above_to, below_to) / 4.0);
  put(common(above, above, above_to, above_to) / 4.0);
  put(common(below, below, below_to, below_to) / 4.0);
  put(common(below, below, above_to, above_to) / 4.0);
  put(gain_size(best_addition(game, to)));
  put(gain_size(best_addition(game, from)));
  put(adds ? 0 : gain_size(freed_gain(game, from, to)));
  put((marks_[from] & kTouched) != 0);
  put((marks_[to] & kTouched) != 0);
  bool edited = false;
  for (const EdgeMove& e : edits_) edited = edited || pair_key(e.from, e.to) == pair_key(from, to);
  put(edited);
  put((marks_[to] & kParentsChanged) != 0);
  put((marks_[from] & kParentsChanged) != 0);
  put(game.live().ancestors(from).count() / p);
  put(game.live().descendants(to).count() / p);
  put(done == 0);
  put(squash(done, 4));
  put(squash(length_ - done - 1, 4));
  put(squash(p, 50));
  put(squash(dag.edge_count() / p, 2));
  assert(at == out + kEditFeatures);
}

}  // namespace agon
