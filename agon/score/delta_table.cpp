#include "agon/score/delta_table.h"

namespace agon {

DeltaTable::DeltaTable(ColumnCache& cache, const Dag& dag, int threads, const Watch& watch)
    : cache_(cache), columns_(dag.size()) {
  if (threads > 1) cache_.prefetch(dag, threads, watch);
  refresh(dag, watch);
}

void DeltaTable::refresh(const Dag& dag, const Watch& watch) {
  for (Node v = 0; v < dag.size(); ++v) {
    if (watch.stop_requested()) throw Interrupted("stopped before all gains were known");
    refresh(dag, v);
  }
}

double DeltaTable::total() const {
  double sum = 0;
  for (const auto& column : columns_) sum += column->score;
  return sum;
}

std::span<const double> DeltaTable::additions(Node to) const {
  const GainColumn& column = *columns_[to];
  if (!column.is_short()) return column.addition;
  gains_.resize(columns_.size());
  cache_.score().addition_gains(to, column.parents, gains_);
  return gains_;
}

double DeltaTable::removal(Node from, Node to) const {
  const GainColumn& column = *columns_[to];
  size_t k = 0;
  while (column.parents[k] != from) ++k;
  return column.removal[k];
}

double DeltaTable::gain(EdgeMove move) const {
  switch (move.kind) {
    case MoveKind::kAdd:
      return addition(move.from, move.to);
    case MoveKind::kRemove:
      return removal(move.from, move.to);
    case MoveKind::kReverse:
      break;
  }
  return reversal(move.from, move.to);
}

void DeltaTable::refresh(const Dag& dag, Node child) {
  parents_.clear();
  for (Node q : dag.parents(child)) parents_.push_back(q);
  if (columns_[child] && columns_[child]->is_short() && columns_[child]->parents == parents_) return;
  columns_[child] = cache_.column(child, parents_);
}

double DeltaTable::refresh(const Dag& dag, EdgeMove played) {
  const bool both = played.kind == MoveKind::kReverse;
  const double before = local(played.to) + (both ? local(played.from) : 0);
  refresh(dag, played.to);
  if (both) refresh(dag, played.from);
  return local(played.to) + (both ? local(played.from) : 0) - before;
}

}  // namespace agon
