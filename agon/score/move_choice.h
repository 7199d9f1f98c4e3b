// agon/score/move_choice.h
//
// Which edit of a Dag gains most: the question that hill climbing, tabu search and the game ask at every step. Ties are
// decided here and nowhere else. Gains that differ by less than the tolerance are equal, and among equals the graph
// with fewer edges wins, then the smaller head, then the smaller tail (canonical order, which carries no information).
#pragma once

#include <optional>

#include "agon/graph/knowledge.h"
#include "agon/graph/live_dag.h"
#include "agon/score/delta_table.h"

namespace agon {

// Keeps the best of the moves offered to it.
class BestMove {
 public:
  explicit BestMove(double tolerance) : tolerance_(tolerance) {}

  // Could a move with this gain still win? If not, its legality need not be tested.
  bool may_win(double gain) const { return !move_ || gain >= gain_ - tolerance_; }
  void offer(EdgeMove move, double gain);
  const std::optional<EdgeMove>& move() const { return move_; }

 private:
  double tolerance_;
  double gain_ = kNoGain;
  std::optional<EdgeMove> move_;
};

// The legal edit, within the knowledge, that gains most; nothing if none gains more than `tolerance`. Without
// `additions`, only removals and reversals are considered (for a graph that has used up its edge budget).
std::optional<EdgeMove> best_gaining_move(const LiveDag& live, const DeltaTable& deltas, const Knowledge& knowledge,
                                          double tolerance, bool additions = true);

// The same question, asked again and again of a graph that is being edited. Keeps the edits that gain, legal or not.
// They are brought up to date when asked for, by looking only at what the moves since then touched. Near an optimum
// they are few, and most of them are blocked by acyclicity. Nodes at which all additions that gain are blocked are
// remembered, until a move takes a path away from them.
//
//   GainingMoves gaining(live.size(), tolerance);
//   live.apply(move);  deltas.refresh(live.dag(), move);  gaining.note(move, live);
//   gaining.best(live, deltas, knowledge);                  // what best_gaining_move says, sooner
class GainingMoves {
 public:
  GainingMoves(int nodes, double tolerance);
  void note(EdgeMove played, const LiveDag& live);  // after the move was made in `live`
  void note_all();                                  // to be called when the graph is another one altogether
  std::optional<EdgeMove> best(const LiveDag& live, const DeltaTable& deltas, const Knowledge& knowledge,
                               bool additions = true);

 private:
  void refresh(const Dag& dag, const DeltaTable& deltas, Node changed);
  void mark_reversal(Node from, Node to, double gain);
  void settle(Node to);

  double tolerance_;
  NodeSet changed_;    // nodes whose columns have changed since the rows were brought up to date
  BitRows additions_;  // [to][from]: adding from -> to gains
  BitRows removals_;   // [to][from]: removing from -> to gains
  BitRows reversals_;  // [to][from]: reversing from -> to gains
  NodeSet open_;       // nodes with additions that gain, unless all of them are known to be blocked
  NodeSet edges_;      // nodes with a removal or a reversal that gains
};

}  // namespace agon
