// Tetrad's graph text and bnlearn's model string.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "agon/base/error.h"
#include "agon/graph/formats_detail.h"

namespace agon::detail {
namespace {

bool is_control(unsigned char c) { return c < 0x20 || c == 0x7F; }

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t i = 0; i < line.size();) {
    if (is_space(line[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < line.size() && !is_space(line[end])) ++end;
    words.push_back(line.substr(i, end - i));
    i = end;
  }
  return words;
}

// "12." in front of an edge.
bool is_numbering(std::string_view word) {
  return word.size() >= 2 && word.back() == '.' &&
         std::all_of(word.begin(), word.end() - 1, [](char c) { return c >= '0' && c <= '9'; });
}

// "(L1)" is a latent node, "[S1]" a selection node; the graph keeps the name alone.
std::string_view without_brackets(std::string_view name) {
  const bool bracketed =
      name.size() > 2 && ((name.front() == '(' && name.back() == ')') || (name.front() == '[' && name.back() == ']'));
  return bracketed ? name.substr(1, name.size() - 2) : name;
}

// A name as Tetrad's text can hold it: its reader splits on blanks, ';' and ','.
std::string tetrad_name(const std::string& name) {
  return replace_bytes(name, [](unsigned char c) {
    return is_control(c) || std::string_view(" ,;()[]\"").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// A line that ends the edges or the attributes: what follows is about node attributes or triples.
bool opens_other_section(std::string_view line) {
  const std::string opening = lower(line.substr(0, 24));
  return opening.starts_with("graph node attributes:") || opening.starts_with("ambiguous ") ||
         opening.starts_with("underline") || opening.starts_with("dotted underline");
}

std::string bnlearn_name(const std::string& name) {
  std::string out = replace_bytes(name, [](unsigned char c) {
    return is_control(c) || std::string_view("[]|:").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (out.front() == ' ') out.front() = '_';
  if (out.back() == ' ') out.back() = '_';
  return out;
}

}  // namespace

// Sections come in a fixed order; text before the first, and sections about triples, are ignored. After the
// two ends of an edge Tetrad may write properties (dd nl) and bootstrap shares, which are not part of the graph.
NamedGraph parse_tetrad(const Source& source) {
  enum Section { kBefore, kNodes, kEdges, kAttributes, kOther };
  GraphBuilder builder(source);
  NamedGraph& graph = builder.graph();
  graph.lists_every_node = false;
  Section section = kBefore;
  for (size_t start = 0; start < source.text.size();) {
    const size_t end = std::min(source.text.find('\n', start), source.text.size());
    std::string_view line = trimmed(source.text.substr(start, end - start));
    const size_t offset = start;
    start = end + 1;
    if (line.empty()) continue;

    const std::string opening = lower(line.substr(0, 24));
    if (section < kNodes && opening.starts_with("graph nodes:")) {
      section = kNodes;
      graph.lists_every_node = true;
      line = trimmed(line.substr(12));
    } else if (section < kEdges && opening.starts_with("graph edges:")) {
      section = kEdges;
      continue;
    } else if (section == kEdges && opening.starts_with("graph attributes:")) {
      section = kAttributes;
      continue;
    } else if (section >= kEdges && opens_other_section(line)) {
      section = kOther;
      continue;
    }

    if (section == kNodes) {
      while (!line.empty()) {
        const size_t cut = std::min(line.find_first_of(",;"), line.size());
        const std::string_view name = without_brackets(trimmed(line.substr(0, cut)));
        if (!name.empty()) builder.declare(std::string(name), offset);
        line.remove_prefix(std::min(cut + 1, line.size()));
      }
    } else if (section == kEdges) {
      const std::vector<std::string_view> words = words_of(line);
      const size_t first = words.size() >= 4 && is_numbering(words[0]) && marks_of(words[2]) ? 1 : 0;
      const auto marks = words.size() >= first + 3 ? marks_of(words[first + 1]) : std::nullopt;
      if (!marks) {
        source.fail(offset, fmt::format("found {}, expected an edge such as \"1. A --> B\"", quoted(std::string(line))),
                    "names in this format cannot hold spaces");
      }
      builder.edge(std::string(without_brackets(words[first])), std::string(without_brackets(words[first + 2])),
                   marks->first, marks->second, offset, graph.lists_every_node);
    } else if (section == kAttributes) {
      const size_t colon = line.find(':');
      if (colon == std::string_view::npos) {
        source.fail(offset, fmt::format("found {}, expected an attribute as key: value", quoted(std::string(line))));
      }
      graph.attributes[std::string(trimmed(line.substr(0, colon)))] = std::string(trimmed(line.substr(colon + 1)));
    }
  }
  if (section == kBefore)
    source.fail(0, "found no line \"Graph Nodes:\" or \"Graph Edges:\", expected Tetrad's graph text");
  return builder.take();
}

void write_tetrad(std::ostream& out, const NamedGraph& given, Warnings& warnings) {
  const NamedGraph graph = with_clean_names(given, tetrad_name, "tetrad", warnings);
  out << "Graph Nodes:\n";
  for (size_t i = 0; i < graph.names.size(); ++i) out << (i ? ";" : "") << graph.names[i];
  out << "\n\nGraph Edges:\n";
  int number = 0;
  for (const NamedEdge& edge : graph.edges) out << fmt::format("{}. {} {} {}\n", ++number, edge.a, glyph(edge), edge.b);
  if (graph.attributes.empty()) return;
  out << "\nGraph Attributes:\n";
  for (const auto& [key, value] : graph.attributes) {
    std::string clean_key =
        replace_bytes(std::string(trimmed(key)), [](unsigned char c) { return c == ':' || is_control(c); });
    if (opens_other_section(clean_key + ":")) clean_key.insert(0, "_");
    const std::string clean_value = replace_bytes(std::string(trimmed(value)), is_control);
    if (clean_key != key || clean_value != value) {
      warnings.push_back(fmt::format("tetrad cannot hold the attribute {} as it is: written as {}", quoted(key),
                                     quoted(clean_key + ": " + clean_value)));
    }
    out << clean_key << ": " << clean_value << '\n';
  }
}

// [A][S][T|A][E|T:L]: each node once, its parents after the bar. Blanks and line breaks between brackets are allowed.
NamedGraph parse_bnlearn(const Source& source) {
  struct Family {
    std::string_view node, parents;
    size_t offset;
  };
  std::vector<Family> families;
  GraphBuilder builder(source);
  const std::string_view text = source.text;
  for (size_t i = 0; i < text.size();) {
    if (is_space(text[i])) {
      ++i;
      continue;
    }
    if (text[i] != '[') {
      source.fail(
          i, fmt::format("found {}, expected [node] or [node|parent:parent]", quoted(std::string(text.substr(i, 20)))));
    }
    const size_t close = text.find_first_of("[]", i + 1);
    if (close == std::string_view::npos || text[close] == '[') source.fail(i, "found a [ without its ]");
    const std::string_view inside = text.substr(i + 1, close - i - 1);
    const size_t bar = std::min(inside.find('|'), inside.size());
    const Family family{trimmed(inside.substr(0, bar)), bar == inside.size() ? "" : inside.substr(bar + 1), i};
    if (bar != inside.size() && trimmed(family.parents).empty()) {
      source.fail(i, fmt::format("found no parents after the bar in [{}]", std::string(inside.substr(0, 40))));
    }
    builder.declare(std::string(family.node), i);
    families.push_back(family);
    i = close + 1;
  }
  for (Family& family : families) {
    for (std::string_view rest = family.parents; !rest.empty();) {
      const size_t cut = std::min(rest.find(':'), rest.size());
      builder.edge(std::string(trimmed(rest.substr(0, cut))), std::string(family.node), Mark::kTail, Mark::kArrow,
                   family.offset, true);
      rest.remove_prefix(std::min(cut + 1, rest.size()));
    }
  }
  return builder.take();
}

void write_bnlearn(std::ostream& out, const NamedGraph& given, Warnings& warnings) {
  const NamedGraph graph = with_clean_names(given, bnlearn_name, "bnlearn", warnings);
  std::unordered_map<std::string_view, std::vector<std::string_view>> parents;
  for (const NamedEdge& edge : graph.edges) parents[edge.b].push_back(edge.a);
  for (const std::string& name : graph.names) {
    out << '[' << name;
    char separator = '|';
    for (std::string_view parent : parents[name]) {
      out << separator << parent;
      separator = ':';
    }
    out << ']';
  }
  out << '\n';
}

}  // namespace agon::detail
