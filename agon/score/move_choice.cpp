#include "agon/score/move_choice.h"

#include <bit>

namespace agon {
namespace {

bool precedes(EdgeMove a, EdgeMove b) {
  const auto rank = [](EdgeMove m) { return m.kind == MoveKind::kRemove ? 0 : m.kind == MoveKind::kReverse ? 1 : 2; };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return a.to != b.to ? a.to < b.to : a.from < b.from;
}

// Offers the best legal addition at `to`: the first legal one on its list.
void offer_addition(BestMove& best, Node to, const LiveDag& live, const DeltaTable& deltas, const Knowledge& knowledge,
                    double tolerance) {
  for (const ParentGain& c : deltas.best_additions(to)) {
    if (c.gain <= tolerance || !best.may_win(c.gain)) return;
    if (!live.is_legal_addition(c.node, to) || !knowledge.allows(Edge{c.node, to})) continue;
    best.offer({MoveKind::kAdd, c.node, to}, c.gain);
    return;
  }
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
    if (additions) offer_addition(best, to, live, deltas, knowledge, tolerance);
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

GainingMoves::GainingMoves(int nodes, double tolerance)
    : tolerance_(tolerance),
      changed_(nodes),
      additions_(nodes),
      removals_(nodes),
      reversals_(nodes),
      open_(nodes),
      edges_(nodes) {
  note_all();
}

// Only `from` and its ancestors can reach less than before when the edge is gone. A reversal gives them more ancestors,
// which does no harm.
void GainingMoves::note(EdgeMove played, const LiveDag& live) {
  changed_.insert(played.to);
  if (played.kind == MoveKind::kReverse) changed_.insert(played.from);
  if (played.kind == MoveKind::kAdd) return;
  open_ |= live.ancestors(played.from);
  open_.insert(played.from);
}

void GainingMoves::note_all() {
  for (Node v = 0; v < additions_.size(); ++v) changed_.insert(v);
}

// The column of a node determines what reversing an edge into it loses and what reversing an edge out of it gains.
void GainingMoves::refresh(const Dag& dag, const DeltaTable& deltas, Node changed) {
  const GainColumn& column = deltas.column(changed);
  for (BitRows* rows : {&additions_, &removals_, &reversals_}) rows->clear_row(changed);
  for (const ParentGain& c : column.best) {
    if (c.gain <= tolerance_) break;
    additions_.set(changed, c.node);
  }
  open_.insert(changed);
  for (size_t k = 0; k < column.parents.size(); ++k) {
    const Node from = column.parents[k];
    if (column.removal[k] > tolerance_) removals_.set(changed, from);
    mark_reversal(from, changed, column.removal[k] + deltas.addition(changed, from));
  }
  settle(changed);
  for (Node child : dag.children(changed)) {
    mark_reversal(changed, child, deltas.reversal(changed, child));
    settle(child);
  }
}

void GainingMoves::mark_reversal(Node from, Node to, double gain) {
  if (gain > tolerance_) {
    reversals_.set(to, from);
  } else {
    reversals_.reset(to, from);
  }
}

void GainingMoves::settle(Node to) {
  if (removals_[to].empty() && reversals_[to].empty()) {
    edges_.erase(to);
  } else {
    edges_.insert(to);
  }
}

std::optional<EdgeMove> GainingMoves::best(const LiveDag& live, const DeltaTable& deltas, const Knowledge& knowledge,
                                           bool additions) {
  for (Node v : changed_) refresh(live.dag(), deltas, v);
  changed_.clear();
  BestMove found(tolerance_);
  NodeSet heads = edges_;
  if (additions) heads |= open_;
  for (Node to : heads) {
    if (additions && open_.contains(to)) {
      // No edge may come from a descendant. If all nodes that gain are descendants, there is nothing to look for.
      if (additions_[to].is_subset_of(live.descendants(to))) {
        open_.erase(to);
      } else {
        offer_addition(found, to, live, deltas, knowledge, tolerance_);
      }
    }
    if (!edges_.contains(to)) continue;
    for (int k = 0; k < removals_.word_count(); ++k) {
      const uint64_t removals = removals_[to].word(k), reversals = reversals_[to].word(k);
      for (uint64_t rest = removals | reversals; rest; rest &= rest - 1) {
        const Node from = k * detail::kWordBits + std::countr_zero(rest);
        const bool removable = removals & detail::bit(from);
        const bool reversible = (reversals & detail::bit(from)) && live.is_legal_reversal(from, to);
        if ((!removable && !reversible) || knowledge.is_required({from, to})) continue;
        if (removable) found.offer({MoveKind::kRemove, from, to}, deltas.removal(from, to));
        if (!reversible || !knowledge.allows(Edge{to, from})) continue;
        const double gain = deltas.reversal(from, to);
        if (found.may_win(gain)) found.offer({MoveKind::kReverse, from, to}, gain);
      }
    }
  }
  return found.move();
}

}  // namespace agon
