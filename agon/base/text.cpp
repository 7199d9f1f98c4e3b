#include "agon/base/text.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace agon {
namespace {

// Letters that a terminal obeys instead of showing: controls of C0 and C1, and those that turn the direction of the
// text or break the line (Unicode, Bidi_Control and U+2028, U+2029).
bool is_obeyed(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void append_escape(std::string& out, char c) {
  constexpr char kDigits[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\t') {
    out += "\\t";
  } else if (c == '\r') {
    out += "\\r";
  } else {
    out += "\\x";
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

// Appends the letter at text[at], or its escape; gives its bytes.
size_t append_safely(std::string& out, std::string_view text, size_t at) {
  uint32_t code = 0;
  const size_t length = utf8_at(text, at, code);
  const size_t taken = std::max<size_t>(length, 1);  // a broken byte stands for itself
  if (length > 0 && !is_obeyed(code)) {
    out += text.substr(at, length);
  } else {
    for (const char c : text.substr(at, taken)) append_escape(out, c);
  }
  return taken;
}

// `replacement(c)` in place of each byte, or the byte itself where that is empty.
template <class Replacement>
std::string replaced(std::string_view text, Replacement&& replacement) {
  std::string out;
  for (const char c : text) {
    const std::string_view instead = replacement(c);
    if (instead.empty()) {
      out += c;
    } else {
      out += instead;
    }
  }
  return out;
}

// What HTML and XML have in common.
std::string_view entity(char c) {
  return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : "";
}

// The letter that &body; stands for, or 0.
uint32_t decoded_entity(std::string_view body) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, letter] : kNamed) {
    if (body == name) return static_cast<unsigned char>(letter);
  }
  if (body.size() < 2 || body[0] != '#') return 0;
  const bool hex = body[1] == 'x' || body[1] == 'X';
  const std::string_view digits = body.substr(hex ? 2 : 1);
  uint32_t code = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
  if (error != std::errc() || stop != digits.data() + digits.size()) return 0;
  return code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : code;
}

}  // namespace

size_t utf8_at(std::string_view text, size_t at, uint32_t& code) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(at);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || at + length > text.size()) return 0;
  code = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t k = 1; k < length; ++k) {
    if (!continues_letter(text[at + k])) return 0;
    code = code << 6 | (byte(at + k) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

bool is_utf8(std::string_view text) {
  size_t at = 0;
  while (at < text.size()) {
    // Most text is ASCII: eight bytes at a time while none has its high bit set.
    uint64_t eight = 0;
    for (; at + 8 <= text.size(); at += 8) {
      std::memcpy(&eight, text.data() + at, 8);
      if (eight & 0x8080808080808080u) break;
    }
    for (size_t end = std::min(at + 8, text.size()); at < end;) {
      uint32_t code = 0;
      const size_t length = utf8_at(text, at, code);
      if (length == 0) return false;
      at += length;
    }
  }
  return true;
}

void append_utf8(std::string& out, uint32_t code) {
  const auto put = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

std::string replace_broken_utf8(const std::string& text) {
  std::string out;
  uint32_t code = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8_at(text, at, code);
    if (length == 0) {
      out += '_';
      ++at;
    } else {
      out.append(text, at, length);
      at += length;
    }
  }
  return out;
}

size_t letter_count(std::string_view text) {
  return text.size() - static_cast<size_t>(std::count_if(text.begin(), text.end(), continues_letter));
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string with_commas(long long number) {
  std::string digits = std::to_string(number);
  const int first = number < 0 ? 1 : 0;
  for (int at = static_cast<int>(digits.size()) - 3; at > first; at -= 3) digits.insert(digits.begin() + at, ',');
  return digits;
}

std::string counted(long long number, const std::string& noun) {
  return with_commas(number) + " " + noun + (number == 1 ? "" : "s");
}

std::string joined(std::span<const std::string> texts, std::string_view separator) {
  std::string out;
  for (size_t k = 0; k < texts.size(); ++k) {
    if (k > 0) out += separator;
    out += texts[k];
  }
  return out;
}

std::string quoted(const std::string& text, size_t limit) {
  std::string out = "\"";
  size_t letters = 0;
  for (size_t at = 0; at < text.size();) {
    if (letters++ == limit) {
      out += "...";
      break;
    }
    at += append_safely(out, text, at);
  }
  return out + "\"";
}

std::string shown(const std::string& name) {
  const std::string safe = quoted(name, name.size());
  return safe.substr(1, safe.size() - 2) == name ? name : safe;
}

std::string printable(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      out += text[at++];
    } else {
      at += append_safely(out, text, at);
    }
  }
  return out;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  return "'" + replaced(word, [](char c) { return c == '\'' ? "'\\''" : ""; }) + "'";
}

std::string backslash_quoted(std::string_view text) {
  return "\"" + replaced(text, [](char c) { return c == '"' ? "\\\"" : c == '\\' ? "\\\\" : ""; }) + "\"";
}

std::string html_escaped(std::string_view text) {
  return replaced(text, [](char c) { return c == '\'' ? "&#39;" : entity(c); });
}

std::string xml_escaped(std::string_view text) {
  return replaced(text, [](char c) {
    return c == '\t' ? "&#9;" : c == '\n' ? "&#10;" : c == '\r' ? "&#13;" : entity(c);
  });
}

std::string decode_entities(std::string_view text, bool tolerant, bool& ok) {
  constexpr size_t kLongest = 12;  // of an entity, from & to ;
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '&') {
      out += text[at];
      continue;
    }
    const size_t end = text.substr(0, std::min(text.size(), at + kLongest)).find(';', at);
    const uint32_t code = end == std::string_view::npos ? 0 : decoded_entity(text.substr(at + 1, end - at - 1));
    if (code != 0) {
      append_utf8(out, code);
      at = end;
    } else {
      if (!tolerant) ok = false;
      out += '&';
    }
  }
  return out;
}

}  // namespace agon
