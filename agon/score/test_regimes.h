// Random experiments, for tests.
#pragma once

#include <string>
#include <utility>

#include "agon/base/rng.h"
#include "agon/data/dataset.h"

namespace agon::testing {

// The same rows, dealt out to an observational regime and up to four experiments: with perfect or soft targets, in one
// or two batches.
inline Dataset with_random_regimes(const Dataset& data, Rng& rng) {
  RowInfo info = data.row_info();
  info.regimes = {{.name = "seen"}};
  const int experiments = 1 + rng.below(4);
  const bool batches = rng.below(2) == 0;
  for (int k = 0; k < experiments; ++k) {
    Regime regime{.name = "experiment " + std::to_string(k)};
    for (int v = 0; v < data.size(); ++v) {
      if (rng.uniform() < 0.3) regime.targets.push_back(data.column(v).name);
    }
    if (rng.below(3) == 0) regime.intervention = Intervention::kSoft;
    if (batches && rng.below(2) == 0) regime.batch = "second";
    info.regimes.push_back(std::move(regime));
  }
  info.regime = {};
  for (size_t row = 0; row < data.rows(); ++row) {
    info.regime.push_back(row == 0 ? 0 : static_cast<uint32_t>(rng.below(experiments + 1)));
  }
  return make_dataset(data.columns(), "experiments", std::move(info));
}

}  // namespace agon::testing
