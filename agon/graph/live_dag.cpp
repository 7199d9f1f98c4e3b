#include "agon/graph/live_dag.h"

#include <algorithm>

namespace agon {
namespace {

// Rows of all nodes reached along `next` (children for descendants, parents for ancestors), following `order` from its
// far end so that every successor's row is ready.
template <class Order, class Next>
void close_rows(BitRows& rows, const Order& order, Next next) {
  for (Node v : order) {
    rows.clear_row(v);
    for (Node w : next(v)) {
      rows.merge_row(v, rows[w]);
      rows.set(v, w);
    }
  }
}

}  // namespace

LiveDag::LiveDag(Dag dag)
    : dag_(std::move(dag)),
      descendants_(dag_.size()),
      ancestors_(dag_.size()),
      order_(topological_order(dag_)),
      position_(dag_.size()) {
  assert(is_acyclic(dag_));
  for (int k = 0; k < size(); ++k) position_[order_[k]] = k;
  close_rows(ancestors_, order_, [&](Node v) { return dag_.parents(v); });
  close_rows(descendants_, std::vector<Node>(order_.rbegin(), order_.rend()), [&](Node v) { return dag_.children(v); });
}

bool LiveDag::is_legal(EdgeMove move) const {
  if (move.kind == MoveKind::kAdd) return is_legal_addition(move.from, move.to);
  if (!dag_.has_edge(move.from, move.to)) return false;
  return move.kind == MoveKind::kRemove || is_legal_reversal(move.from, move.to);
}

void LiveDag::apply(EdgeMove move) {
  assert(is_legal(move));
  if (move.kind == MoveKind::kAdd) {
    add(move.from, move.to);
  } else {
    remove(move.from, move.to);
    if (move.kind == MoveKind::kReverse) add(move.to, move.from);
  }
}

void LiveDag::add(Node from, Node to) {
  if (position_[from] > position_[to]) move_behind(from, to);
  dag_.add_edge(from, to);
  if (reaches(from, to)) return;
  // Whoever reaches `from` now reaches `to` and all it reaches; who reached `to` before gains nothing.
  const auto extend = [](BitRows& rows, Node v, Node w) {
    if (rows.test(v, w)) return;
    rows.merge_row(v, rows[w]);
    rows.set(v, w);
  };
  const NodeView above = ancestors_[from], below = descendants_[to];
  for (Node a : above) extend(descendants_, a, to);
  for (Node d : below) extend(ancestors_, d, from);
  extend(descendants_, from, to);
  extend(ancestors_, to, from);
}

void LiveDag::remove(Node from, Node to) {
  dag_.remove_edge(from, to);
  if (dag_.parents(to).intersects(descendants_[from])) return;  // another path still stands
  const auto by_position = [&](Node a, Node b) { return position_[a] < position_[b]; };
  affected_ = ancestors_[from].to_vector();
  affected_.push_back(from);
  std::sort(affected_.begin(), affected_.end(), [&](Node a, Node b) { return by_position(b, a); });
  close_rows(descendants_, affected_, [&](Node v) { return dag_.children(v); });
  affected_.clear();
  affected_.push_back(to);
  // `to`'s descendants are the same before and after: only what lies above it changed.
  for (Node d : descendants_[to]) affected_.push_back(d);
  std::sort(affected_.begin(), affected_.end(), by_position);
  close_rows(ancestors_, affected_, [&](Node v) { return dag_.parents(v); });
}

// Makes room for from -> to when `to` stands before `from` (Pearce & Kelly 2007): within the stretch between them, what
// leads to `from` goes first and what `to` leads to goes last; both keep their own order and use the same places.
void LiveDag::move_behind(Node from, Node to) {
  const int first = position_[to], last = position_[from];
  std::vector<int> places;
  std::vector<Node> lead, follow;
  for (int k = first; k <= last; ++k) {
    const Node v = order_[k];
    if (v == from || reaches(v, from)) {
      lead.push_back(v);
    } else if (v == to || reaches(to, v)) {
      follow.push_back(v);
    } else {
      continue;
    }
    places.push_back(k);
  }
  lead.insert(lead.end(), follow.begin(), follow.end());
  for (size_t k = 0; k < places.size(); ++k) {
    order_[places[k]] = lead[k];
    position_[lead[k]] = places[k];
  }
}

bool LiveDag::check_invariants() const {
  if (!is_acyclic(dag_)) return false;
  for (int k = 0; k < size(); ++k) {
    if (position_[order_[k]] != k) return false;
  }
  for (const Edge& e : dag_.edges()) {
    if (position_[e.from] >= position_[e.to]) return false;
  }
  const LiveDag fresh(dag_);
  return fresh.descendants_ == descendants_ && fresh.ancestors_ == ancestors_;
}

}  // namespace agon
