// agon/score/delta_table.h
//
// By how much every single edit of a Dag would change the score. The table stays up to date by refreshing only what an
// edit touched: the columns of the nodes whose parents changed. A reversal takes two look-ups: one node loses the
// parent, the other gains it.
//
//   ColumnCache cache(score);
//   DeltaTable deltas(cache, dag);
//   double g = deltas.gain({MoveKind::kReverse, 2, 5});
//   dag.apply(move);  deltas.refresh(dag, move);
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "agon/base/stop.h"
#include "agon/score/column_cache.h"

namespace agon {

class DeltaTable {
 public:
  // A stop request between two columns throws Interrupted.
  DeltaTable(ColumnCache& cache, const Dag& dag, int threads = 1, const Watch& watch = {});

  int size() const { return static_cast<int>(columns_.size()); }
  double local(Node v) const { return columns_[v]->score; }
  double total() const;  // summed in node order
  double addition(Node from, Node to) const {
    const GainColumn& c = *columns_[to];
    return c.is_short() ? cache_.score().addition_gain(to, c.parents, from) : c.addition[from];
  }
  // addition() by node; computed where the column is short, and then valid until the next call.
  std::span<const double> additions(Node to) const;
  double removal(Node from, Node to) const;  // from must be a parent of to
  double reversal(Node from, Node to) const { return removal(from, to) + addition(to, from); }
  double gain(EdgeMove move) const;
  // Additions at `to` that gain, best first. Whether they are legal is not known here.
  std::span<const ParentGain> best_additions(Node to) const { return columns_[to]->best; }
  const GainColumn& column(Node v) const { return *columns_[v]; }

  void refresh(const Dag& dag, Node child);
  // All columns. A stop request throws Interrupted, and leaves columns of two graphs: drop the table then.
  void refresh(const Dag& dag, const Watch& watch = {});
  // To be called after the move was made. Returns by how much the total changed, as the difference of local scores.
  // This is what gain() said up to rounding, which nearly singular Gaussian models magnify.
  double refresh(const Dag& dag, EdgeMove played);

 private:
  ColumnCache& cache_;
  std::vector<std::shared_ptr<const GainColumn>> columns_;
  std::vector<Node> parents_;          // scratch
  mutable std::vector<double> gains_;  // scratch
};

}  // namespace agon
