// agon/base/units.h
//
// Lengths of time and amounts of memory as people write them.
#pragma once

#include <string>

namespace agon {

// Seconds from "60s", "2m", "500ms", "1h" or "60". UsageError that names the option for anything else.
double parse_duration(const std::string& text, const std::string& option = "time-limit");

// Bytes from "500M", "2G", "1.5 GB" or "800K", in powers of ten. UsageError that names the option for anything else.
double parse_size(const std::string& text, const std::string& option);

}  // namespace agon
