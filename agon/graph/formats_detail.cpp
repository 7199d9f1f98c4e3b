#include "agon/graph/formats_detail.h"

#include <fmt/format.h>

#include <algorithm>

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
