// agon/report/summary.h
//
// A RunRecord as text for a person to read: the edges and what each is worth, the strongest first; how far they can be
// trusted; then the data, the score, the match and the certificate, and the measures if a truth was given.
//
// The brief text gives a line to each of these, and lists at most kMostEdges edges. The full text lists all of them and
// says everything that was decided and checked.
#pragma once

#include <string>

#include "agon/report/run_record.h"
#include "agon/report/table.h"

namespace agon {

enum class Detail { kBrief, kFull };
inline constexpr size_t kMostEdges = 40;

std::string summary_text(const RunRecord& record, const TextStyle& style = {}, Detail detail = Detail::kBrief);

}  // namespace agon
