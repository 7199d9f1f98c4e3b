// agon/base/option_value.h
//
// The value of an option, as a caller gives it and as a record keeps it: values, never words to be parsed again.
//
//   OptionList options = {{"penalty", 2.0}, {"drop", std::vector<std::string>{"id", "a,b"}}};
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace agon {

using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>>;
using OptionList = std::vector<std::pair<std::string, OptionValue>>;  // by name, in the order they are declared

}  // namespace agon
