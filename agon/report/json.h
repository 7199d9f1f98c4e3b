// agon/report/json.h
//
// The parts of result.json as JSON values, and how they are written out. record_json.h is for those who only want the
// file: it does without the JSON library.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "agon/report/run_record.h"

namespace agon {

using Json = nlohmann::ordered_json;

Json record_json(const RunRecord& record);
Json comparison_json(const Comparison& comparison);

// Readable JSON: what fits into a line stands on one, as does a list of numbers; the rest is indented. Bytes that are
// not UTF-8 become U+FFFD.
std::string json_text(const Json& json);

}  // namespace agon
