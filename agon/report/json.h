// agon/report/json.h
//
// The parts of result.json as JSON values, and how they are written out. Code that only needs the file includes
// record_json.h instead, which does not need the JSON library.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "agon/report/run_record.h"

namespace agon {

using Json = nlohmann::ordered_json;

Json record_json(const RunRecord& record);
Json comparison_json(const Comparison& comparison);

// A number, or null for one that is not there. (JsonType: nlohmann/json.hpp need not have been included here.)
template <class T, class JsonType = Json>
JsonType number_json(const T& value) {
  return value;
}
template <class T, class JsonType = Json>
JsonType number_json(const std::optional<T>& value) {
  return value ? JsonType(*value) : JsonType(nullptr);
}

// Readable JSON: a value that fits on one line is written on one line, and so is every list of numbers; the rest is
// indented. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const Json& json);

}  // namespace agon
