#include "agon/graph/formats_detail.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon::detail {

void Source::fail(size_t offset, const std::string& problem, const std::string& hint) const {
  if (offset == kNoLine) throw InputError(place, problem, hint);
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  const auto line = 1 + std::count(text.begin(), end, '\n');
  throw InputError(fmt::format("{}:{}", place, line), problem, hint);
}

void GraphBuilder::declare(const std::string& name, size_t offset) {
  if (knows(name)) source_.fail(offset, fmt::format("the node {} is listed twice", quoted(name)));
  mention(name, offset);
}

void GraphBuilder::mention(const std::string& name, size_t offset) {
  if (name.empty()) source_.fail(offset, "found a node without a name");
  if (index_.emplace(name, graph_.names.size()).second) graph_.names.push_back(name);
}

void GraphBuilder::edge(const std::string& a, const std::string& b, Mark at_a, Mark at_b, size_t offset, bool strict) {
  for (const std::string* end : {&a, &b}) {
    if (strict && !knows(*end)) {
      source_.fail(offset, fmt::format("an edge names {}, which is not in the list of nodes", quoted(*end)),
                   did_you_mean(*end, graph_.names));
    }
    mention(*end, offset);
  }
  if (a == b) source_.fail(offset, fmt::format("found an edge from {} to itself", quoted(a)));
  uint64_t i = index_.at(a), j = index_.at(b);
  uint64_t marks = static_cast<uint64_t>(at_a) * 4 + static_cast<uint64_t>(at_b);
  if (i > j) {
    std::swap(i, j);
    marks = static_cast<uint64_t>(at_b) * 4 + static_cast<uint64_t>(at_a);
  }
  if (seen_.insert(i << 34 | j << 4 | marks).second) graph_.edges.push_back({a, b, at_a, at_b});
}

NamedGraph with_clean_names(const NamedGraph& graph, const std::function<std::string(const std::string&)>& clean,
                            const std::string& format, std::vector<std::string>& warnings) {
  // Names that may stay are taken first, so that they do stay.
  std::unordered_set<std::string> taken;
  std::vector<std::string> wanted;
  for (const std::string& name : graph.names) {
    wanted.push_back(clean(name));
    if (wanted.back() == name) taken.insert(name);
  }
  if (taken.size() == graph.names.size()) return graph;

  std::unordered_map<std::string, std::string> renamed;
  std::unordered_map<std::string, int> next_number;
  size_t changed = 0;
  constexpr size_t kShown = 5;
  for (size_t i = 0; i < graph.names.size(); ++i) {
    const std::string& name = graph.names[i];
    std::string& now = wanted[i];
    if (now != name) {
      const std::string stem = now;
      int& number = next_number.emplace(stem, 2).first->second;
      while (!taken.insert(now).second) now = fmt::format("{}_{}", stem, number++);
      if (++changed <= kShown) {
        warnings.push_back(fmt::format("{} cannot hold the name {}: written as {}", format, quoted(name), now));
      }
    }
    renamed.emplace(name, now);
  }
  if (changed > kShown) warnings.push_back(fmt::format("{} more names were changed for {}", changed - kShown, format));

  NamedGraph out = graph;
  out.names = wanted;
  for (NamedEdge& edge : out.edges) {
    edge.a = renamed.at(edge.a);
    edge.b = renamed.at(edge.b);
  }
  return normalized(std::move(out));
}

NamedGraph with_clean_attributes(const NamedGraph& graph, const std::function<std::string(const std::string&)>& clean,
                                 const std::string& format, std::vector<std::string>& warnings) {
  NamedGraph out = graph;
  out.attributes.clear();
  for (const auto& [key, value] : graph.attributes) {
    const std::string clean_key = clean(key), clean_value = clean(value);
    if (clean_key != key || clean_value != value) {
      warnings.push_back(fmt::format("{} cannot hold the attribute {} as it is: written as {}", format, quoted(key),
                                     quoted(clean_key + ": " + clean_value)));
    }
    out.attributes[clean_key] = clean_value;
  }
  return out;
}

NamedGraph with_labels(NamedGraph graph, const std::unordered_map<std::string, std::string>& label_of) {
  std::unordered_set<std::string> labels;
  for (const std::string& name : graph.names) {
    const bool number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    const std::string& label = label_of.at(name);
    if (!number || label.empty() || !labels.insert(label).second) return graph;
  }
  for (std::string& name : graph.names) name = label_of.at(name);
  for (NamedEdge& edge : graph.edges) {
    edge.a = label_of.at(edge.a);
    edge.b = label_of.at(edge.b);
  }
  return graph;
}

std::string replace_bytes(std::string name, const std::function<bool(unsigned char)>& bad) {
  for (char& c : name) {
    if (bad(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

size_t utf8_at(std::string_view text, size_t i, uint32_t& code) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || i + length > text.size()) return 0;
  code = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i + k) & 0x3F);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

bool is_valid_utf8(std::string_view text) {
  uint32_t code = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_at(text, i, code);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

std::string replace_broken_utf8(const std::string& name) {
  std::string out;
  uint32_t code = 0;
  for (size_t i = 0; i < name.size();) {
    const size_t length = utf8_at(name, i, code);
    if (length == 0) {
      out += '_';
      ++i;
    } else {
      out.append(name, i, length);
      i += length;
    }
  }
  return out;
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

std::string decode_entities(std::string_view text, bool tolerant, bool& ok) {
  static const std::pair<std::string_view, char> kNamed[] = {
      {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '&') {
      out += text[i];
      continue;
    }
    const size_t end = text.substr(0, std::min(text.size(), i + 12)).find(';', i);
    const std::string_view body = end == std::string_view::npos ? "" : text.substr(i + 1, end - i - 1);
    bool decoded = false;
    if (body.size() >= 2 && body[0] == '#') {
      const bool hex = body[1] == 'x' || body[1] == 'X';
      const std::string_view digits = body.substr(hex ? 2 : 1);
      uint32_t code = 0;
      const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, hex ? 16 : 10);
      const bool legal = code > 0 && code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000);
      if (error == std::errc() && stop == digits.data() + digits.size() && legal) {
        append_utf8(out, code);
        decoded = true;
      }
    } else {
      for (const auto& [name, character] : kNamed) {
        if (body == name) {
          out += character;
          decoded = true;
        }
      }
    }
    if (decoded) {
      i = end;
    } else {
      if (!tolerant) ok = false;
      out += '&';
    }
  }
  return out;
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

std::string type_word(const NamedEdge& edge) {
  return edge.is_directed() ? "directed" : edge.is_undirected() ? "undirected" : glyph(edge);
}

std::optional<std::pair<Mark, Mark>> marks_of_type(std::string_view word) {
  const std::string plain = lower(trimmed(word));
  if (plain.empty() || plain == "directed" || plain == "arc" || plain == "compelled") {
    return std::pair{Mark::kTail, Mark::kArrow};
  }
  if (plain == "undirected" || plain == "reversible") return std::pair{Mark::kTail, Mark::kTail};
  if (plain == "bidirected") return std::pair{Mark::kArrow, Mark::kArrow};
  return marks_of(plain);
}

}  // namespace agon::detail
