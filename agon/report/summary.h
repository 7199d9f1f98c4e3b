// agon/report/summary.h
//
// A RunRecord as text for a person to read: data and kinds, the score and why it was chosen, the edges and what each is
// worth, how much of the graph the data determine, the certificate, and the measures if a truth was given.
#pragma once

#include <string>

#include "agon/report/run_record.h"
#include "agon/report/table.h"

namespace agon {

std::string summary_text(const RunRecord& record, const TextStyle& style = {});

}  // namespace agon
