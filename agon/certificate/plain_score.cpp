#include "agon/certificate/plain_score.h"

#include "agon/certificate/plain_set_scores.h"

namespace agon::plain {

std::unique_ptr<SetScores> FamilyScorer::set_scores(double) const { return nullptr; }

std::vector<NodeSet> Scorer::may_gain(std::span<const Family>, double) const { return {}; }

void Scorer::take_rows(const Dataset& data, const std::vector<int>& row_set) {
  rows_ = data.total_weight();
  weights_ = data.row_info().weights;
  row_set_ = row_set;
  if (!data.has_regimes()) return;
  for (size_t row = 0; row < data.rows(); ++row) regimes_.push_back(data.regime_of(row));
}

Family family_of(const Dag& dag, Node child) { return {child, dag.parent_list(child)}; }

Value total(const Scorer& scorer, const Dag& dag) {
  Value sum;
  for (Node v = 0; v < dag.size(); ++v) {
    const Value local = scorer.local(v, dag.parent_list(v));
    sum.score += local.score;
    sum.rounding += local.rounding;
  }
  return sum;
}

}  // namespace agon::plain
