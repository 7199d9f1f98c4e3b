// agon/report/summary.h
//
// A RunRecord as the text a person reads: data and kinds, score and why, the edges with what each is worth, how much of
// the graph the data determine, the certificate, and the measures when a truth was given.
#pragma once

#include <string>

#include "agon/report/run_record.h"
#include "agon/report/table.h"

namespace agon {

std::string summary_text(const RunRecord& record, const TextStyle& style = {});

}  // namespace agon
