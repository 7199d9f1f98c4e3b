// agon/run/verify.h
//
// Checks a result.json against a table: finds the plain scorer by the name of the recorded score, then derives every
// claim again (agon/report/verification.h).
//
//   const RunRecord record = read_record(text, "result.json");
//   const std::vector<ClaimCheck> checks = verify_file(text, record, data, knowledge, "result.json");
//   all_hold(checks);
#pragma once

#include <string>
#include <vector>

#include "agon/report/verification.h"

namespace agon {

// `data` is the table as it was read; columns that the run converted to the other kind for its score are converted here
// too. `place` is where the record came from, for messages. InputError when the score cannot be recomputed, or cannot
// take the table.
std::vector<ClaimCheck> verify_file(const std::string& text, const RunRecord& record, Dataset data,
                                    const Knowledge& knowledge, const std::string& place, int threads = 1);

}  // namespace agon
