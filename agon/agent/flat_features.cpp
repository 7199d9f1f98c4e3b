#include "agon/agent/flat_features.h"

#include <algorithm>
#include <cassert>

#include "agon/agent/move_facts.h"

namespace agon {
void FlatFeatures::begin_episode(int length) {
  length_ = std::max(1, length);
  step_ = 0;
  edited_.clear();
  last_ = {MoveKind::kAdd, -1, -1};
}

void FlatFeatures::played(EdgeMove move) {
  ++step_;
  edited_[pair_key(move.from, move.to)] = step_;
  last_ = move;
}

void FlatFeatures::write(const Game& game, std::span<const BlockedGain> blocked, const Champion& champion, double score,
                         EdgeMove move, float* out) const {
  const Dag& dag = game.dag();
  const LiveDag& live = game.live();
  const Node from = move.from, to = move.to;
  const bool adds = move.kind == MoveKind::kAdd, reverses = move.kind == MoveKind::kReverse;
  const double gain = game.gain(move);
  float* at = out;
  const auto put = [&](double x) { *at++ = static_cast<float>(x); };

  put(adds);
  put(move.kind == MoveKind::kRemove);
  put(reverses);
  put(squash(gain, 2));
  put(squash(gain, 10));
  put(squash(gain, 50));
  put(adds ? 0 : squash(game.deltas().removal(from, to), 10));
  put(squash(game.deltas().addition(to, from), 10));
  put(dag.parents(to).count() / 4.0);
  put(dag.parents(from).count() / 4.0);
  put(dag.children(to).count() / 4.0);
  put(dag.children(from).count() / 4.0);
  put(!adds && is_covered(dag, from, to));
  put(common_neighbours(dag, from, to) / 4.0);
  put(gain_size(best_addition(game, to)));
  put(gain_size(best_addition(game, from)));

  // An addition u -> v is blocked by a path from v to u. Removing or reversing from -> to may unblock it if that edge
  // is on such a path.
  double freed = 0;
  bool touches = false;
  for (const BlockedGain& b : blocked) {
    touches = touches || b.from == from || b.from == to || b.to == from || b.to == to;
    if (adds) continue;
    const bool on_path = (b.to == from || live.reaches(b.to, from)) && (b.from == to || live.reaches(to, b.from));
    if (on_path) freed = std::max(freed, b.gain);
  }
  put(gain_size(freed));
  put(touches);
  put(warm_start_.has_edge(from, to));
  put(champion.dag.has_edge(from, to));
  const auto edited = edited_.find(pair_key(from, to));
  put(edited == edited_.end() ? 0 : 1.0 / (1 + step_ - edited->second));
  put(last_.from >= 0 && move == inverse(last_));
  put(squash(score - champion.score, 20));
  put(static_cast<double>(dag.edge_count()) / std::max(1, game.edge_budget()));
  put(1 - static_cast<double>(step_) / length_);
  assert(at == out + kFlatFeatures);
}

}  // namespace agon
