// agon/run/verify.h
//
// Checks a result.json against a table: finds the plain scorer by the name of the recorded score, then derives every
// claim again (agon/report/verification.h).
//
//   const RunRecord record = read_record(text, "result.json");
//   const std::vector<ClaimCheck> checks = verify_file(text, record, data, knowledge, "result.json");
//   all_hold(checks);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/report/verification.h"

namespace agon {

// Says so when the columns of the table are not those of the result: then nothing else can be said, and `data` need not
// be looked at any further.
std::optional<ClaimCheck> check_is_its_table(const RunRecord& record, const Dataset& data);

// `proof` is the text of the proof.txt beside the result, and "" where there is none. `data` is the table as it was
// read; columns that the run converted to the other kind for its score are converted here too. If their kinds are not
// those of the record then, that is all that is said. `place` is where the record came from, for messages. InputError
// when the score cannot be recomputed, or cannot take the table.
std::vector<ClaimCheck> verify_file(const std::string& text, const RunRecord& record, Dataset data,
                                    const Knowledge& knowledge, const std::string& place, int threads = 1,
                                    const std::string& proof = "");

}  // namespace agon
