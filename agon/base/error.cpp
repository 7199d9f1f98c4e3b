#include "agon/base/error.h"

namespace agon {
namespace {

std::string message(const std::string& place, const std::string& problem, const std::string& hint) {
  std::string text = place.empty() ? problem : place + ": " + problem;
  if (!hint.empty()) text += "\n  hint: " + hint;
  return text;
}

}  // namespace

InputError::InputError(const std::string& place, const std::string& problem, const std::string& hint)
    : std::runtime_error(message(place, problem, hint)) {}

UsageError::UsageError(const std::string& problem, const std::string& hint)
    : std::runtime_error(message("", problem, hint)) {}

}  // namespace agon
