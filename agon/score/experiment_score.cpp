#include "agon/score/experiment_score.h"

#include <utility>

namespace agon {

ExperimentBic::ExperimentBic(const Dataset& data, const ScoreOptions& options, const std::string& name,
                             const EmOptions& em) {
  RowSets sets = row_sets(data);
  for (BlockMoments& moments : block_moments_by_row_set(data, sets, options, em)) {
    by_set_.emplace_back(std::move(moments), options, name);
  }
  traits_ = by_set_.front().traits();
  traits_.row_set = std::move(sets.of);
}

}  // namespace agon
