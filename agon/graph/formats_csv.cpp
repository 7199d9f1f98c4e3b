// Edge lists and adjacency matrices as comma-separated text.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <ostream>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/data/records.h"
#include "agon/graph/formats_detail.h"

namespace agon::detail {
namespace {

struct Field {
  std::string value;
  size_t offset = 0;
};
using Row = std::vector<Field>;

constexpr std::string_view kDelimiters = ",\t;|";

// The rows of a file, one at a time. Comments are # lines, indented or not.
class Rows {
 public:
  explicit Rows(const Source& source)
      : start_(find_start(source.text)),
        delimiter_(find_delimiter(source.text.substr(start_))),
        reader_(text_source(source.text), source.place, {.delimiter = delimiter_, .indented_comments = true}, 1 << 16) {
    comments_ = lower(source.text.substr(0, start_));
  }

  const std::string& comments() const { return comments_; }  // before the first row, in lower case

  // The next row into `row`; false at the end.
  bool next(Row& row) {
    row.clear();
    do {
      if (!reader_.next(cells_)) return false;
    } while (delimiter_ == '\t' && is_blank(cells_));
    for (const Cell& cell : cells_) row.push_back({std::string(cell.text()), reader_.offset(cell)});
    return true;
  }

 private:
  // Where the first line begins that is neither blank nor a comment.
  static size_t find_start(std::string_view text) {
    size_t at = 0;
    while (at < text.size()) {
      const size_t end = std::min(text.find_first_of("\r\n", at), text.size());
      const std::string_view line = trimmed(text.substr(at, end - at));
      if (!line.empty() && line[0] != '#') break;
      at = std::min(end + 1, text.size());
    }
    return at;
  }

  // The most frequent delimiter of the first row, outside quotes; blanks when there is none.
  static char find_delimiter(std::string_view text) {
    size_t counts[kDelimiters.size()] = {};
    bool in_quotes = false;
    for (const char c : text) {
      if (!in_quotes && (c == '\n' || c == '\r')) break;
      if (c == '"') in_quotes = !in_quotes;
      const size_t which = kDelimiters.find(c);
      if (!in_quotes && which != std::string_view::npos) ++counts[which];
    }
    const auto best = std::max_element(std::begin(counts), std::end(counts));
    return *best == 0 ? ' ' : kDelimiters[static_cast<size_t>(best - std::begin(counts))];
  }

  size_t start_;
  char delimiter_;
  RecordReader reader_;
  std::string comments_;
  std::vector<Cell> cells_;
};

bool is_number(std::string_view text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string csv_quoted(const std::string& text) {
  const bool plain = text.find_first_of(",;|\t\"\n\r") == std::string::npos && !text.empty() && text[0] != '#' &&
                     !is_space(text.front()) && !is_space(text.back());
  return plain ? text : quoted_cell(text);
}

// Pairs of header words that announce cause and effect.
constexpr std::pair<std::string_view, std::string_view> kEndWords[] = {
    {"from", "to"}, {"source", "target"}, {"parent", "child"},    {"cause", "effect"},
    {"src", "dst"}, {"tail", "head"},     {"regulator", "target"}};
constexpr std::string_view kTypeWords[] = {"type", "edge", "edge_type", "kind", "mark", "interaction"};

std::vector<std::string> texts_of(const Row& row) {
  std::vector<std::string> texts;
  for (const Field& field : row) texts.push_back(field.value);
  return texts;
}

}  // namespace

std::optional<EdgeColumns> edge_columns(const std::vector<std::string>& header) {
  const auto find = [&header](std::string_view word) {
    for (size_t i = 0; i < header.size(); ++i) {
      if (lower(header[i]) == word) return static_cast<int>(i);
    }
    return -1;
  };
  for (const auto& [from, to] : kEndWords) {
    EdgeColumns columns{find(from), find(to), -1};
    if (columns.from < 0 || columns.to < 0) continue;
    for (std::string_view word : kTypeWords) {
      if (columns.type < 0) columns.type = find(word);
    }
    return columns;
  }
  return std::nullopt;
}

// The columns are found by their header words, so files of other programs with more columns (weights, an index) are
// read too; without a header the columns are from, to and perhaps a type. A type of 0 says that there is no edge, as in
// the gold standards of DREAM; "node" declares a node without edges.
NamedGraph parse_edge_list(const Source& source) {
  GraphBuilder builder(source);
  builder.graph().lists_every_node = false;
  Rows rows(source);
  Row row;
  if (!rows.next(row)) source.fail(0, "found nothing, expected lines from,to");
  size_t columns = row.size();
  std::optional<EdgeColumns> header = edge_columns(texts_of(row));
  const bool has_header = header.has_value();
  if (!header) {
    if (columns < 2 || columns > 3) {
      source.fail(row[0].offset,
                  fmt::format("found {} column{}, expected an edge list with the columns from,to or from,to,type",
                              columns, columns == 1 ? "" : "s"),
                  columns == 1 ? "" : "a matrix needs its names in the header and in the first column");
    }
    header = EdgeColumns{0, 1, columns == 3 ? 2 : -1};
  }
  if (has_header && !rows.next(row)) return builder.take();
  do {
    const size_t needed = static_cast<size_t>(std::max(header->from, header->to)) + 1;
    if (row.size() < needed || row.size() > columns) {
      source.fail(row[0].offset, fmt::format("found {} columns beginning with {}, expected {}", row.size(),
                                             quoted(row[0].value), columns));
    }
    const Field& from = row[static_cast<size_t>(header->from)];
    const Field& to = row[static_cast<size_t>(header->to)];
    const bool typed = header->type >= 0 && static_cast<size_t>(header->type) < row.size();
    const std::string type = typed ? row[static_cast<size_t>(header->type)].value : "";
    if (lower(type) == "node" && to.value.empty()) {
      builder.mention(from.value, from.offset);
      builder.graph().lists_every_node = true;
      continue;
    }
    if (from.value.empty() || to.value.empty()) {
      source.fail(from.offset,
                  fmt::format("found an edge from {} to {}, expected two names", quoted(from.value), quoted(to.value)));
    }
    double number = 0;
    if (is_number(type, number) && (number == 0 || number == 1)) {
      builder.mention(from.value, from.offset);
      builder.mention(to.value, to.offset);
      if (number == 1) builder.edge(from.value, to.value, Mark::kTail, Mark::kArrow, from.offset, false);
      continue;
    }
    const auto marks = marks_of_type(type);
    if (!marks) {
      source.fail(from.offset,
                  fmt::format("found the type {}, expected directed, undirected, node or a mark such as -->, ---, <->",
                              quoted(type)));
    }
    builder.edge(from.value, to.value, marks->first, marks->second, from.offset, false);
  } while (rows.next(row));
  return builder.take();
}

// Any 0/1 matrix with names on both sides; the rows may be in another order than the columns. Other conventions
// (-1 for tails, 2 and 3 for marks, weights) mean different things in different programs, so they are refused.
NamedGraph parse_adjacency(const Source& source) {
  GraphBuilder builder(source);
  Rows rows(source);
  Row head, row;
  if (!rows.next(head)) {
    if (rows.comments().find(" cause ") != std::string::npos) return builder.take();  // the matrix of no variables
    source.fail(0, "found nothing, expected a matrix with names in the header and the first column");
  }
  const bool transposed = rows.comments().find("columns cause rows") != std::string::npos;
  bool more = rows.next(row);
  const bool has_corner = !(more && row.size() == head.size() + 1);  // R's write.table leaves the corner out
  if (has_corner) head.erase(head.begin());
  for (const Field& name : head) builder.declare(name.value, name.offset);

  std::unordered_map<std::string, int> column_of;
  for (size_t j = 0; j < head.size(); ++j) column_of.emplace(head[j].value, static_cast<int>(j));
  std::vector<bool> seen(head.size());
  std::vector<std::pair<int, int>> ones;
  for (; more; more = rows.next(row)) {
    const auto at = column_of.find(row[0].value);
    if (at == column_of.end()) {
      std::vector<std::string> without_row;
      for (size_t j = 0; j < head.size(); ++j) {
        if (!seen[j]) without_row.push_back(head[j].value);
      }
      double number = 0;
      const bool no_names = row.size() == head.size() || is_number(row[0].value, number);
      source.fail(row[0].offset, fmt::format("row {} has no column of that name", quoted(row[0].value)),
                  no_names ? "the first column of a matrix holds the names" : did_you_mean(row[0].value, without_row));
    }
    const int i = at->second;
    if (seen[i]) source.fail(row[0].offset, fmt::format("row {} occurs twice", quoted(row[0].value)));
    seen[i] = true;
    if (row.size() != head.size() + 1) {
      source.fail(row[0].offset, fmt::format("row {}: found {} cells, expected {}", quoted(row[0].value),
                                             row.size() - 1, head.size()));
    }
    for (int j = 0; j < static_cast<int>(head.size()); ++j) {
      const Field& cell = row[static_cast<size_t>(j) + 1];
      const std::string word = lower(cell.value);
      double value = word == "true" ? 1 : word == "false" ? 0 : -1;
      if (value < 0 && (!is_number(word, value) || (value != 0 && value != 1))) {
        source.fail(cell.offset,
                    fmt::format("row {}, column {}: found {}, expected 0 or 1", quoted(row[0].value),
                                quoted(head[j].value), quoted(cell.value)),
                    "1 in row a, column b says a causes b; 1 both ways says an undirected edge");
      }
      if (value == 1 && i == j) source.fail(cell.offset, fmt::format("{} causes itself", quoted(row[0].value)));
      if (value == 1) ones.push_back(transposed ? std::pair{j, i} : std::pair{i, j});
    }
  }
  for (size_t j = 0; j < head.size(); ++j) {
    if (!seen[j]) source.fail(head[j].offset, fmt::format("column {} has no row of that name", quoted(head[j].value)));
  }
  std::sort(ones.begin(), ones.end());
  for (const auto& [i, j] : ones) {
    const bool both = std::binary_search(ones.begin(), ones.end(), std::pair{j, i});
    if (both && j < i) continue;
    builder.edge(head[i].value, head[j].value, Mark::kTail, both ? Mark::kTail : Mark::kArrow, head[i].offset, true);
  }
  return builder.take();
}

bool looks_like_adjacency(std::string_view text) {
  const Source source{text, ""};
  try {
    Rows rows(source);
    Row head, row;
    if (!rows.next(head)) return false;
    if (rows.comments().find(" cause ") != std::string::npos) return true;
    if (edge_columns(texts_of(head))) return false;
    if (head[0].value.empty() || head.size() > 3) return true;
    // Two or three columns: a matrix when the rows repeat the names of the header and hold figures.
    std::vector<std::string> across, down;
    for (const Field& name : head) across.push_back(name.value);
    while (down.size() <= 3 && rows.next(row)) {
      double figure = 0;
      for (size_t j = 1; j < row.size(); ++j) {
        if (!is_number(row[j].value, figure)) return false;
      }
      down.push_back(row[0].value);
    }
    across.erase(across.begin());
    std::sort(across.begin(), across.end());
    std::sort(down.begin(), down.end());
    return across == down;
  } catch (const InputError&) {
    return false;
  }
}

void write_edge_list(std::ostream& out, const NamedGraph& graph, Warnings&) {
  std::unordered_set<std::string> with_edges;
  bool all_directed = true;
  for (const NamedEdge& edge : graph.edges) {
    with_edges.insert(edge.a);
    with_edges.insert(edge.b);
    all_directed = all_directed && edge.is_directed();
  }
  const bool typed = !all_directed || with_edges.size() < graph.names.size();
  out << (typed ? "from,to,type\n" : "from,to\n");
  for (const NamedEdge& edge : graph.edges) {
    out << csv_quoted(edge.a) << ',' << csv_quoted(edge.b);
    if (typed) out << ',' << type_word(edge);
    out << '\n';
  }
  for (const std::string& name : graph.names) {
    if (!with_edges.contains(name)) out << csv_quoted(name) << ",,node\n";
  }
}

void write_adjacency(std::ostream& out, const NamedGraph& graph, Warnings&) {
  const size_t p = graph.names.size();
  std::unordered_map<std::string, size_t> index;
  for (size_t i = 0; i < p; ++i) index.emplace(graph.names[i], i);
  std::vector<std::vector<size_t>> ones(p);
  for (const NamedEdge& edge : graph.edges) {
    ones[index.at(edge.a)].push_back(index.at(edge.b));
    if (edge.is_undirected()) ones[index.at(edge.b)].push_back(index.at(edge.a));
  }
  out << "# rows cause columns\n";
  for (const std::string& name : graph.names) out << ',' << csv_quoted(name);
  out << '\n';
  for (size_t i = 0; i < p; ++i) {
    std::string cells;
    for (size_t j = 0; j < p; ++j) cells += ",0";
    for (size_t j : ones[i]) cells[2 * j + 1] = '1';
    out << csv_quoted(graph.names[i]) << cells << '\n';
  }
}

}  // namespace agon::detail
