#include "agon/score/move_choice.h"

namespace agon {
namespace {

bool precedes(EdgeMove a, EdgeMove b) {
  const auto rank = [](EdgeMove m) { return m.kind == MoveKind::kRemove ? 0 : m.kind == MoveKind::kReverse ? 1 : 2; };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return a.to != b.to ? a.to < b.to : a.from < b.from;
}

}  // namespace

void BestMove::offer(EdgeMove move, double gain) {
  if (!move_ || gain > gain_ + tolerance_ || (gain >= gain_ - tolerance_ && precedes(move, *move_))) {
    move_ = move;
    gain_ = gain;
  }
}

std::optional<EdgeMove> best_gaining_move(const LiveDag& live, const DeltaTable& deltas, const Knowledge& knowledge,
                                          double tolerance, bool additions) {
  BestMove best(tolerance);
  for (Node to = 0; to < live.size(); ++to) {
    if (additions) {
      for (const Candidate& c : deltas.best_additions(to)) {
        if (c.gain <= tolerance || !best.may_win(c.gain)) break;
        if (!live.is_legal_addition(c.node, to) || !knowledge.allows(Edge{c.node, to})) continue;
        best.offer({MoveKind::kAdd, c.node, to}, c.gain);
        break;
      }
    }
    const GainColumn& column = deltas.column(to);
    for (size_t k = 0; k < column.parents.size(); ++k) {
      const Node from = column.parents[k];
      if (knowledge.is_required({from, to})) continue;
      if (column.removal[k] > tolerance) best.offer({MoveKind::kRemove, from, to}, column.removal[k]);
      const double reversal = column.removal[k] + deltas.addition(to, from);
      if (reversal > tolerance && best.may_win(reversal) && live.is_legal_reversal(from, to) &&
          knowledge.allows(Edge{to, from})) {
        best.offer({MoveKind::kReverse, from, to}, reversal);
      }
    }
  }
  return best.move();
}

}  // namespace agon
