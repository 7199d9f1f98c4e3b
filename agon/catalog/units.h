// agon/catalog/units.h
//
// Lengths of time and amounts of memory as people write them.
#pragma once

#include <string>

namespace agon {

// Seconds from "60s", "2m", "500ms", "1h" or "60". UsageError that names the option for anything else.
double parse_duration(const std::string& text, const std::string& option = "time-limit");

}  // namespace agon
