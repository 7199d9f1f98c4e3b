#include "agon/score/delta_table.h"

namespace agon {

DeltaTable::DeltaTable(ColumnCache& cache, const Dag& dag, int threads) : cache_(cache), columns_(dag.size()) {
  if (threads > 1) cache_.prefetch(dag, threads);
  for (Node v = 0; v < dag.size(); ++v) refresh(dag, v);
}

double DeltaTable::total() const {
  double sum = 0;
  for (const auto& column : columns_) sum += column->score;
  return sum;
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

void DeltaTable::refresh(const Dag& dag, Node child) { columns_[child] = cache_.column(child, dag.parent_list(child)); }

void DeltaTable::refresh(const Dag& dag, EdgeMove played) {
  refresh(dag, played.to);
  if (played.kind == MoveKind::kReverse) refresh(dag, played.from);
}

}  // namespace agon
