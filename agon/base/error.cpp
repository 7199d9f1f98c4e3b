#include "agon/base/error.h"

#include <fmt/format.h>

namespace agon {
namespace {

std::string message(const std::string& place, const std::string& problem, const std::string& hint) {
  std::string text = place.empty() ? problem : place + ": " + problem;
  if (!hint.empty()) text += "\n  hint: " + hint;
  return text;
}

// Length of the valid UTF-8 sequence that starts at text[i], or 0.
size_t utf8_length(const std::string& text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i);
  const size_t length = lead < 0x80                   ? 1
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xF0 && lead < 0xF5 ? 4
                                                      : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  }
  return length;
}

// Characters that a terminal obeys instead of showing: C1 controls, and marks that turn the direction of the text.
bool is_hidden_control(const std::string& text, size_t i, size_t length) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[i + k]); };
  if (length == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;  // U+0080 .. U+009F
  if (length != 3 || byte(0) != 0xE2) return false;
  return (byte(1) == 0x80 && (byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xA8 && byte(2) <= 0xAE))) ||
         (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
}

}  // namespace

InputError::InputError(const std::string& place, const std::string& problem, const std::string& hint)
    : std::runtime_error(message(place, problem, hint)) {}

UsageError::UsageError(const std::string& problem, const std::string& hint)
    : std::runtime_error(message("", problem, hint)) {}

std::string quoted(const std::string& text, size_t limit) {
  std::string out = "\"";
  size_t shown = 0;
  for (size_t i = 0; i < text.size();) {
    if (shown++ == limit) {
      out += "...";
      break;
    }
    const unsigned char c = static_cast<unsigned char>(text[i]);
    const size_t length = utf8_length(text, i);
    if (c < 0x20 || c == 0x7F || length == 0) {
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : fmt::format("\\x{:02x}", c);
      ++i;
    } else if (is_hidden_control(text, i, length)) {
      for (size_t k = 0; k < length; ++k) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + k]));
      i += length;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  return out + "\"";
}

}  // namespace agon
