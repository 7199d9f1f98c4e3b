#include "agon/catalog/units.h"

#include <fmt/format.h>

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

}  // namespace agon
