// agon/data/missing.h
//
// What may be done about missing cells, and the one treatment that needs nothing but the table.
//
//   MissingTreatment treatment = MissingTreatment::kLevel;
//   if (treatment == MissingTreatment::kLevel) data = with_missing_level(std::move(data));
//   missing_figures(data).cells;
#pragma once

#include <cstddef>
#include <string>

#include "agon/data/dataset.h"

namespace agon {

enum class MissingTreatment {
  kAuto,      // kEm or kDraws, as the score takes them
  kEm,        // the covariance of greatest likelihood, given the cells that were seen
  kDraws,     // every incomplete row becomes several, whose gaps are drawn given what was seen
  kLevel,     // a missing category is a level of its own
  kDropRows,  // incomplete rows are left out
  kError      // a missing cell is an error
};
const char* to_string(MissingTreatment treatment);            // "auto", "em", "draws", "level", "drop-rows", "error"
MissingTreatment missing_treatment(const std::string& text);  // the reverse; UsageError for any other text

constexpr const char* kMissingLevel = "(missing)";

// The table in which missing cells of categorical columns hold the level "(missing)". Continuous columns keep their
// gaps.
Dataset with_missing_level(Dataset data);

struct MissingFigures {
  size_t cells = 0;       // that are missing
  size_t rows = 0;        // that have such a cell
  size_t empty_rows = 0;  // that have nothing else
};
MissingFigures missing_figures(const Dataset& data);

}  // namespace agon
