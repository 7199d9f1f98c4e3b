// agon/run/verify.h
//
// Holds a result.json against a table: finds the plain scorer by the name of the recorded score, then has every claim
// derived again (agon/report/verification.h).
//
//   const RunRecord record = read_record(text, "result.json");
//   const std::vector<ClaimCheck> checks = verify_file(text, record, data, knowledge, "result.json");
//   all_hold(checks);
#pragma once

#include <string>
#include <vector>

#include "agon/report/verification.h"

namespace agon {

// `data` as it was read: columns whose kind the score made the run change are changed here too. `place` is where the
// record came from, for messages. InputError when the score cannot be recomputed, or cannot take the table.
std::vector<ClaimCheck> verify_file(const std::string& text, const RunRecord& record, Dataset data,
                                    const Knowledge& knowledge, const std::string& place, int threads = 1);

}  // namespace agon
