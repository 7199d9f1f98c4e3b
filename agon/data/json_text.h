// agon/data/json_text.h
//
// Parses JSON that somebody else may have written, with limits: no text can exhaust the stack, or keep the reader busy
// for longer than its size explains.
//
//   auto json = parse_json<nlohmann::ordered_json>(text, "result.json");
//
// Throws InputError with `place` for values nested deeper than kDeepestJson, and for objects with so many keys that an
// ordered object, which looks keys up one by one, would take minutes; text that is not JSON throws Json's own
// exception, because callers say different things about it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agon/base/error.h"

namespace agon {

inline constexpr int kDeepestJson = 64;
inline constexpr int64_t kMostKeyComparisons = 2'000'000'000;  // an object of some 60,000 keys; seconds

template <class Json>
Json parse_json(std::string_view text, const std::string& place) {
  std::vector<int64_t> keys(kDeepestJson + 2, 0);  // of the object open at each depth
  int64_t comparisons = 0;
  const auto guard = [&](int depth, typename Json::parse_event_t event, Json&) {
    if (depth > kDeepestJson) {
      throw InputError(place, fmt::format("found JSON nested deeper than {} levels", kDeepestJson));
    }
    if (event == Json::parse_event_t::object_start) keys[static_cast<size_t>(depth) + 1] = 0;
    if (event == Json::parse_event_t::key) comparisons += keys[static_cast<size_t>(depth)]++;
    if (comparisons > kMostKeyComparisons) throw InputError(place, "found a JSON object with too many keys");
    return true;
  };
  return Json::parse(text, guard);
}

}  // namespace agon
