// agon/report/result_json.h
//
// A RunRecord as result.json, schema 1: the file programs read. Numbers carry full precision; objects keep the order in
// which they are written here; the same record gives the same bytes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "agon/certificate/certificate.h"
#include "agon/match/run_record.h"
#include "agon/report/comparison.h"

namespace agon {

using Json = nlohmann::ordered_json;

// `comparison` may be null: no truth was given. `certificate` may be null: one algorithm ran alone.
std::string result_json(const RunRecord& record, const Comparison* comparison,
                        const Certificate* certificate = nullptr);

// Readable JSON: what fits into a line stands on one, as does a list of numbers; the rest is indented. Bytes that are
// not UTF-8 become U+FFFD.
std::string json_text(const Json& json);

}  // namespace agon
