// agon/run/regimes.h
//
// How the rows of experiments are read. Pooled, by their targets, within their batches, or both: these are four scores
// of the same rows, and their totals can be compared (block_moments.h). What the user says was set, is kept; whether
// batches have means of their own is decided by score, that of the best graph found under each. Where a treatment
// without the targets is ahead of both that keep them, it decides which of their graphs is the better
// (compare_treatments.h).
//
//   std::vector<TreatmentTotal> totals;
//   for (const RegimeTreatment& one : possible_treatments(data)) totals.push_back({one, -100, Dag(data.size())});
//   const TreatmentChoice choice = choose_among(data, totals);
//   with_treatment(data, choice.used);   // what the run works on
//   choice.remark();                     // a sentence if another treatment fits better, else ""
#pragma once

#include <string>
#include <vector>

#include "agon/data/experiments.h"
#include "agon/graph/dag.h"
#include "agon/report/run_record.h"

namespace agon {

struct TreatmentTotal {
  RegimeTreatment treatment;
  double total = 0;  // of the best graph found
  Dag dag;           // that graph
};

struct TreatmentChoice {
  RegimeTreatment used;
  std::vector<TreatmentTotal> totals;  // of all that the table allows for; empty: there was nothing to compare
  bool soft = false;                   // targets were declared to be moved, not set

  RegimeTreatment best() const;  // of all totals
  std::string remark() const;
};

std::vector<RegimeTreatment> possible_treatments(const Dataset& data);

// The best of those that keep the targets. `totals` are those of all possible treatments, in their order.
TreatmentChoice choose_among(const Dataset& data, std::vector<TreatmentTotal> totals);

// The experiments and batches of the table, and which variables are higher or lower in each.
std::vector<RegimeRecord> describe_regimes(const Dataset& data);

}  // namespace agon
