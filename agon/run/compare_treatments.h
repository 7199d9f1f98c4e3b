// agon/run/compare_treatments.h
//
// The search behind the choice of a treatment (regimes.h): BOSS and a short play under each way to read the rows, or
// GES where that will do.
//
//   const auto make = [](const Dataset& table) { return make_score("auto", table); };
//   const TreatmentChoice choice = choose_treatment(data, make, {.seed = 1});
//   with_treatment(data, choice.used);  // what the run works on
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "agon/base/stop.h"
#include "agon/run/regimes.h"
#include "agon/score/local_score.h"

namespace agon {

struct TreatmentSearch {
  // kQuick: GES under each, for algorithms that would be done in a fraction of the thorough comparison. It decides only
  // where it is clear; otherwise the comparison is thorough after all.
  enum class Effort { kQuick, kThorough };

  uint64_t seed = 0;
  int threads = 1;
  const Watch* watch = nullptr;
  Effort effort = Effort::kThorough;
};

// `make` makes the score of a table. Where there is one way to read the rows, nothing is searched.
TreatmentChoice choose_treatment(const Dataset& data,
                                 const std::function<std::unique_ptr<LocalScore>(const Dataset&)>& make,
                                 const TreatmentSearch& search);

}  // namespace agon
