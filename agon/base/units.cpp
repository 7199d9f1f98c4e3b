#include "agon/base/units.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>

#include "agon/base/error.h"

namespace agon {

double parse_duration(const std::string& text, const std::string& option) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const double factor = unit.empty() || unit == "s"    ? 1
                        : unit == "ms"                 ? 1e-3
                        : unit == "m" || unit == "min" ? 60
                        : unit == "h"                  ? 3600
                                                       : 0;
  if (error != std::errc() || factor == 0 || !(number > 0) || number * factor > 1e9) {
    throw UsageError(fmt::format("--{} {} is not a length of time", option, quoted(text)),
                     "write it as 60s, 2m, 500ms or 1h");
  }
  return number * factor;
}

double parse_size(const std::string& text, const std::string& option) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit;
  for (const char* c = end; c != text.data() + text.size(); ++c) {
    if (*c != ' ') unit += static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
  }
  const double factor = unit == "K" || unit == "KB"   ? 1e3
                        : unit == "M" || unit == "MB" ? 1e6
                        : unit == "G" || unit == "GB" ? 1e9
                        : unit == "T" || unit == "TB" ? 1e12
                                                      : 0;
  if (error != std::errc() || factor == 0 || !(number > 0) || number * factor > 1e18) {
    throw UsageError(fmt::format("--{} {} is not an amount of memory", option, quoted(text)), "write it as 500M or 2G");
  }
  return number * factor;
}

}  // namespace agon
