// Knowledge as text: Tetrad's files, and CSV.
#include <fmt/format.h>

#include <charconv>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/records.h"
#include "agon/data/text_file.h"
#include "agon/graph/formats_detail.h"
#include "agon/graph/knowledge.h"

namespace agon {
namespace {

const std::vector<std::string> kHeadings = {"/knowledge",    "addtemporal",    "forbiddirect",
                                            "requiredirect", "forbiddengroup", "requiredgroup"};

bool is_heading(std::string_view line) {
  const std::string word = lower(line);
  for (const std::string& heading : kHeadings) {
    if (word == heading) return true;
  }
  return false;
}

bool is_comment(std::string_view line) { return line.starts_with('#') || line.starts_with("//"); }

struct KnowledgeLine {
  std::string_view text;  // trimmed, not blank, not a comment
  std::string place;      // file:line
};

// The lines that say something.
std::vector<KnowledgeLine> lines_of(std::string_view text, const std::string& place) {
  std::vector<KnowledgeLine> lines;
  size_t number = 0;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = trimmed(text.substr(start, end - start));
    ++number;
    start = end + 1;
    if (!line.empty() && !is_comment(line)) lines.push_back({line, fmt::format("{}:{}", place, number)});
  }
  return lines;
}

// Words between blanks or commas; a word in double quotes may hold both. Text after # at the start of a word is a
// comment.
std::vector<std::string> words_of(const KnowledgeLine& line) {
  std::vector<std::string> words;
  const std::string_view text = line.text;
  for (size_t i = 0; i < text.size();) {
    if (is_space(text[i]) || text[i] == ',') {
      ++i;
    } else if (text[i] == '#') {
      break;
    } else if (text[i] == '"') {
      const size_t end = text.find('"', i + 1);
      if (end == std::string_view::npos) throw InputError(line.place, "a quote is opened and never closed");
      words.emplace_back(text.substr(i + 1, end - i - 1));
      i = end + 1;
    } else {
      const size_t start = i;
      while (i < text.size() && !is_space(text[i]) && text[i] != ',') ++i;
      words.emplace_back(text.substr(start, i - start));
    }
  }
  return words;
}

void read_tier(KnowledgeBuilder& builder, const KnowledgeLine& line, std::vector<std::string> words) {
  std::string number = words.front();
  bool edges_within = true, only_to_next = false;
  // The mark may stand apart from the number: "4 * a b".
  if (words.size() > 1 && (words[1] == "*" || words[1] == "-")) {
    number += words[1];
    words.erase(words.begin() + 1);
  }
  while (!number.empty() && (number.back() == '*' || number.back() == '-')) {
    if (number.back() == '*') edges_within = false;
    if (number.back() == '-') only_to_next = true;
    number.pop_back();
  }
  int tier = -1;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), tier);
  if (error != std::errc() || end != number.data() + number.size() || tier < 0) {
    throw InputError(line.place, fmt::format("found {}, expected the number of a tier", quoted(words.front())),
                     "a tier is a line such as: 2 lung bronc");
  }
  words.erase(words.begin());
  builder.tier(tier, words, edges_within, only_to_next, line.place);
}

void parse_tetrad(KnowledgeBuilder& builder, const std::vector<KnowledgeLine>& lines) {
  std::string section;
  std::vector<std::string> first_group;  // of forbiddengroup and requiredgroup, until its second line comes
  const KnowledgeLine* open_group = nullptr;
  const auto no_open_group = [&] {
    if (!open_group) return;
    throw InputError(open_group->place, "a group has one line, expected two: the causes, then the effects");
  };
  for (const KnowledgeLine& line : lines) {
    if (is_heading(line.text)) {
      no_open_group();
      section = lower(line.text);
      continue;
    }
    std::vector<std::string> words = words_of(line);
    if (words.empty()) continue;
    if (section == "addtemporal") {
      read_tier(builder, line, std::move(words));
    } else if (section == "forbiddirect" || section == "requiredirect") {
      if (words.size() != 2) {
        throw InputError(line.place, fmt::format("found {} names in {}, expected two: cause and effect", words.size(),
                                                 quoted(std::string(line.text))));
      }
      if (section == "forbiddirect") {
        builder.forbid(words[0], words[1], line.place);
      } else {
        builder.require(words[0], words[1], line.place);
      }
    } else if (section == "forbiddengroup" || section == "requiredgroup") {
      if (open_group) {
        builder.pairs(section == "requiredgroup" ? PairKind::kRequired : PairKind::kForbidden, first_group, words,
                      open_group->place);
        open_group = nullptr;
      } else {
        first_group = std::move(words);
        open_group = &line;
      }
    } else {
      const std::string near = words.size() == 1 ? did_you_mean(words[0], kHeadings) : "";
      throw InputError(line.place, fmt::format("found {}, expected a heading", quoted(std::string(line.text))),
                       near.empty() ? "headings: " + listed(kHeadings) : near);
    }
  }
  no_open_group();
}

void parse_csv(KnowledgeBuilder& builder, std::string_view text, const std::string& place,
               std::optional<PairKind> plain) {
  Dialect dialect;
  dialect.delimiter = detect_delimiter(text.substr(0, 1 << 16), text.size() <= 1 << 16, dialect);
  RecordReader reader(text_source(text), place, dialect, 1 << 16);
  std::vector<Cell> cells;
  std::vector<std::string> row;
  std::optional<detail::EdgeColumns> columns;
  while (reader.next(cells)) {
    row.clear();
    for (const Cell& cell : cells) row.emplace_back(cell.text());
    const std::string here = fmt::format("{}:{}", place, reader.line());
    if (!columns) {
      columns = detail::edge_columns(row);
      if (columns) continue;
      columns = detail::EdgeColumns{0, 1, row.size() > 2 ? 2 : -1};
      if (row.size() < 2 || row.size() > 3) {
        throw InputError(here,
                         fmt::format("found {} column{} beginning with {}, expected from,to,type or a heading",
                                     row.size(), row.size() == 1 ? "" : "s", quoted(row[0])),
                         "headings: " + listed(kHeadings));
      }
    }
    const auto cell = [&row](int column) {
      return column >= 0 && column < static_cast<int>(row.size()) ? row[static_cast<size_t>(column)] : "";
    };
    const std::string from = cell(columns->from), to = cell(columns->to), type = lower(trimmed(cell(columns->type)));
    std::optional<PairKind> kind;
    if (type == "required" || type == "require" || type == "whitelist") kind = PairKind::kRequired;
    if (type == "forbidden" || type == "forbid" || type == "blacklist") kind = PairKind::kForbidden;
    if (!kind && (type.empty() || type == "directed" || type == "-->" || type == "->")) {
      if (!plain) {
        throw InputError(
            here, fmt::format("the pair {}, {} is neither called required nor forbidden", quoted(from), quoted(to)),
            "add a third column: from,to,type with required or forbidden");
      }
      kind = plain;
    }
    if (!kind) throw InputError(here, fmt::format("found the type {}, expected required or forbidden", quoted(type)));
    if (from.empty() || to.empty()) {
      throw InputError(here, fmt::format("found an edge from {} to {}, expected two names", quoted(from), quoted(to)));
    }
    builder.pairs(*kind, {from}, {to}, here);
  }
}

}  // namespace

void KnowledgeBuilder::parse(std::string_view text, const std::string& place, std::optional<PairKind> plain) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::vector<KnowledgeLine> lines = lines_of(text, place);
  if (lines.empty()) throw InputError(place, "found nothing, expected knowledge", "headings: " + listed(kHeadings));
  // A file is Tetrad's when any line is one of its headings; a CSV has none.
  for (const KnowledgeLine& line : lines) {
    if (is_heading(line.text)) return parse_tetrad(*this, lines);
  }
  parse_csv(*this, text, place, plain);
}

void KnowledgeBuilder::read(const std::string& path, std::optional<PairKind> plain) {
  parse(read_text_file(path), path, plain);
}

Knowledge parse_knowledge(std::string_view text, const std::string& place, const std::vector<std::string>& names,
                          OnConflict on_conflict) {
  KnowledgeBuilder builder(names);
  builder.parse(text, place);
  return builder.build(on_conflict);
}

Knowledge read_knowledge(const std::string& path, const std::vector<std::string>& names, OnConflict on_conflict) {
  KnowledgeBuilder builder(names);
  builder.read(path);
  return builder.build(on_conflict);
}

}  // namespace agon
