#include <fmt/format.h>

#include <ostream>

#include "agon/base/text.h"
#include "agon/data/capability.h"
#include "agon/data/csv.h"
#include "agon/data/records.h"

namespace agon {
namespace {

void write_cell(std::string& line, const std::string& text, char delimiter) {
  const bool odd = text.empty() || text.front() == ' ' || text.front() == '\t' || text.back() == ' ' ||
                   text.back() == '\t' || text.front() == '#' || text.front() == '\xEF' ||
                   text.find_first_of("\"\r\n") != std::string::npos || text.find(delimiter) != std::string::npos ||
                   (delimiter == ' ' && text.find('\t') != std::string::npos);
  if (odd) {
    line += quoted_cell(text);
  } else {
    line += text;
  }
}

}  // namespace

void write_csv(std::ostream& out, const Dataset& data, char delimiter, const std::string& weights) {
  Capabilities able = kOrdinaryTables;
  able.missing = true;
  able.weights = !weights.empty();
  std::string weight_column = weights;
  while (data.index_of(weight_column) >= 0) weight_column += '_';
  refuse_beyond(able, data, "the CSV writer");
  const std::vector<int> order = data.file_order();
  std::string line;
  for (int node : order) {
    if (!line.empty()) line += delimiter;
    write_cell(line, data.column(node).name, delimiter);
  }
  if (data.has_weights()) write_cell(line += delimiter, weight_column, delimiter);
  out << line << '\n';
  for (size_t row = 0; row < data.rows(); ++row) {
    line.clear();
    bool first = true;
    for (int node : order) {
      if (!first) line += delimiter;
      first = false;
      const Column& column = data.column(node);
      if (column.is_missing(row)) {
        line += "NA";
      } else if (column.kind == ColumnKind::kCategorical) {
        write_cell(line, column.levels[column.codes[row]], delimiter);
      } else {
        line += fmt::format("{}", column.values[row]);
      }
    }
    if (data.has_weights()) line += fmt::format("{}{}", delimiter, data.weight(row));
    out << line << '\n';
  }
}

}  // namespace agon
