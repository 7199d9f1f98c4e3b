// agon/score/move_choice.h
//
// Which edit of a Dag gains most: the question that hill climbing, tabu search and the game ask at every step. Ties are
// decided here and nowhere else: gains nearer than the tolerance are equal, and among equals the graph with fewer edges
// wins, then the smaller head, then the smaller tail (canonical order, which carries no information).
#pragma once

#include <optional>

#include "agon/graph/knowledge.h"
#include "agon/graph/live_dag.h"
#include "agon/score/delta_table.h"

namespace agon {

// The best of the moves offered to it.
class BestMove {
 public:
  explicit BestMove(double tolerance) : tolerance_(tolerance) {}

  // Could a move of this gain still win? Spares the legality test of those that cannot.
  bool may_win(double gain) const { return !move_ || gain >= gain_ - tolerance_; }
  void offer(EdgeMove move, double gain);
  const std::optional<EdgeMove>& move() const { return move_; }

 private:
  double tolerance_;
  double gain_ = kNoGain;
  std::optional<EdgeMove> move_;
};

// The legal edit, within the knowledge, that gains most; nothing when none gains more than `tolerance`. Without
// `additions` only removals and reversals are looked at (a graph that is at its edge budget).
std::optional<EdgeMove> best_gaining_move(const LiveDag& live, const DeltaTable& deltas, const Knowledge& knowledge,
                                          double tolerance, bool additions = true);

}  // namespace agon
