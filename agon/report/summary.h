// agon/report/summary.h
//
// A RunRecord as the text a person reads: data and kinds, score and why, the edges with what each is worth, how much of
// the graph the data determine, and the measures when a truth was given.
#pragma once

#include <string>
#include <vector>

#include "agon/match/run_record.h"
#include "agon/report/comparison.h"
#include "agon/report/table.h"

namespace agon {

// `comparison` may be null: no truth was given. `certificate` holds its lines, none when one algorithm ran alone.
std::string summary_text(const RunRecord& record, const Comparison* comparison,
                         const std::vector<std::string>& certificate = {}, const TextStyle& style = {});

// How kinds are found, for the reader.
inline constexpr const char* kKindRule =
    "text, or at most 20 distinct integers, is categorical, the rest continuous; --discrete and --continuous override";

// "8 categorical (2 levels)", or the names by kind when there are both kinds and few columns.
std::string kinds_text(const DataRecord& data);

}  // namespace agon
