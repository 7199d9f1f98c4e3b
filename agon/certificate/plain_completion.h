// agon/certificate/plain_completion.h
//
// Was a table with gaps completed by fair draws? Looks at the cells alone, with an EM and conditional probabilities of
// its own: indicators of the levels in place of contrasts, every gap regressed by itself.
//
//   const Completion drawn = complete_by_draws(data, 10, seed);
//   plain::check_completion(data, drawn.data, {.steps = drawn.steps}).empty()    // yes
//
// Each row of the table must be followed by copies of it whose weights sum to its own. Then
//
//   cells     those that were seen are unchanged; those that were gaps are marked as drawn and hold a level or a number
//             that was seen in the column; no gap is left
//   draws     the number of times that a level was drawn is within five standard errors of the sum of its
//             probabilities, and so is that number weighted by how far the probability is from the share of the level
//             (draws that ignore the rest of the row fail here). Numbers, which must have been drawn in the
//             scale of normal scores: "above the median" is the level.
//
// Each draw is compared with its probability given all that was known before it, so the differences form a martingale
// whose variance V is the sum of p (1 - p). Five standard errors mean a distance t with t^2 = 25 (V + t / 3): by
// Freedman 1975 (Annals of Probability 3, theorem 1.6) a fair draw goes beyond with probability 7.5e-6 at most, and at
// that with any V, also for levels that are hardly ever drawn.
#pragma once

#include <string>
#include <vector>

#include "agon/data/dataset.h"

namespace agon::plain {

struct CompletionSteps {
  int steps = 0;            // that EM took, from the record of the run
  double floor = 1e-6;      // the noise floor of that EM
  bool restricted = false;  // that EM regressed on few columns, which is not done again here: only cells are compared
};

// At most one sentence per column and kind of complaint.
std::vector<std::string> check_completion(const Dataset& original, const Dataset& completed,
                                          const CompletionSteps& steps);

}  // namespace agon::plain
