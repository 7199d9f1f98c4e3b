#include "agon/graph/live_dag.h"

#include <bit>

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
      position_(dag_.size()),
      waiting_(dag_.size()),
      row_(dag_.size()) {
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

// Rows lose members from the edge outwards: a node's row can change only when that of a neighbour further in did, so
// the nodes wait by their place in the order, and one whose row stays as it was passes nothing on.
void LiveDag::remove(Node from, Node to) {
  dag_.remove_edge(from, to);
  if (dag_.parents(to).intersects(descendants_[from])) return;  // another path is left
  for (int k = position_[from]; k >= 0; k = last_waiting(k)) {
    waiting_.erase(k);
    const Node v = order_[k];
    if (!close_row(descendants_, v, dag_.children(v))) continue;
    for (Node q : dag_.parents(v)) waiting_.insert(position_[q]);
  }
  for (int k = position_[to]; k < size(); k = first_waiting(k)) {
    waiting_.erase(k);
    const Node v = order_[k];
    if (!close_row(ancestors_, v, dag_.parents(v))) continue;
    for (Node c : dag_.children(v)) waiting_.insert(position_[c]);
  }
}

// Recomputes the row of v from its neighbours; false when it is as it was.
bool LiveDag::close_row(BitRows& rows, Node v, NodeView next) {
  row_.clear();
  for (Node w : next) {
    row_ |= rows[w];
    row_.insert(w);
  }
  if (row_.view() == rows[v]) return false;
  rows.clear_row(v);
  rows.merge_row(v, row_);
  return true;
}

// The nearest waiting place below `place`, or -1.
int LiveDag::last_waiting(int place) const {
  const NodeView waiting = waiting_;
  int k = place / detail::kWordBits;
  uint64_t word = waiting.word(k) & (detail::bit(place) - 1);
  while (word == 0 && --k >= 0) word = waiting.word(k);
  return word == 0 ? -1 : k * detail::kWordBits + std::bit_width(word) - 1;
}

// The nearest waiting place above `place`, or size().
int LiveDag::first_waiting(int place) const {
  const NodeView waiting = waiting_;
  int k = place / detail::kWordBits;
  uint64_t word = waiting.word(k) & ~(detail::bit(place) | (detail::bit(place) - 1));
  while (word == 0 && ++k < waiting.word_count()) word = waiting.word(k);
  return word == 0 ? size() : k * detail::kWordBits + std::countr_zero(word);
}

// Makes room for from -> to when `to` stands before `from` (Pearce & Kelly 2007): within the stretch between them, what
// leads to `from` goes first and what `to` leads to goes last; both keep their own order and use the same places.
void LiveDag::move_behind(Node from, Node to) {
  const int first = position_[to], last = position_[from];
  places_.clear();
  lead_.clear();
  follow_.clear();
  for (int k = first; k <= last; ++k) {
    const Node v = order_[k];
    if (v == from || reaches(v, from)) {
      lead_.push_back(v);
    } else if (v == to || reaches(to, v)) {
      follow_.push_back(v);
    } else {
      continue;
    }
    places_.push_back(k);
  }
  lead_.insert(lead_.end(), follow_.begin(), follow_.end());
  for (size_t k = 0; k < places_.size(); ++k) {
    order_[places_[k]] = lead_[k];
    position_[lead_[k]] = places_[k];
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
