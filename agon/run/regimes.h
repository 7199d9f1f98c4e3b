// agon/run/regimes.h
//
// How the rows of experiments are read. Pooled, by their targets, within their batches, or both: these are four scores
// of the same rows, and their totals can be compared (block_moments.h). What the user says was set, is kept; whether
// batches have means of their own is decided by score, that of the best graph that BOSS and a short play find under each.
//
//   const auto make = [](const Dataset& table) { return make_score("auto", table); };
//   const TreatmentChoice choice = choose_treatment(data, make, {.seed = 1});
//   choice.used;                              // {.targets = true, .within = true}
//   with_treatment(data, choice.used);        // what the run works on
//   choice.remark();                          // a sentence if a treatment that was not used fits better, else ""
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/experiments.h"
#include "agon/score/local_score.h"

namespace agon {

struct TreatmentTotal {
  RegimeTreatment treatment;
  double total = 0;  // of the best graph found
};

struct TreatmentChoice {
  RegimeTreatment used;
  std::vector<TreatmentTotal> totals;  // of all that the table allows for; empty: there was nothing to compare

  std::string remark() const;
};

struct TreatmentSearch {
  uint64_t seed = 0;
  int threads = 1;
  const Watch* watch = nullptr;
};

// `make` makes the score of a table. A table without regimes is not searched.
TreatmentChoice choose_treatment(const Dataset& data,
                                 const std::function<std::unique_ptr<LocalScore>(const Dataset&)>& make,
                                 const TreatmentSearch& search);

}  // namespace agon
