#include "agon/data/typed_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "agon/base/text.h"
#include "agon/data/csv.h"
#include "agon/data/number_text.h"

namespace agon {

void TypedColumns::add(Column column, ColumnFacts facts) {
  const size_t rows = column.rows(), gaps = column.missing.count();
  facts.seen = static_cast<double>(rows - gaps);
  if (column.kind == ColumnKind::kCategorical) {
    facts.distinct = column.levels.size();
  } else {
    facts.distinct = rows == gaps ? 0 : kMostIntegerLevels + 1;  // more than the rule asks for
  }
  if (facts.distinct == 0) facts.told = {};  // a type without a cell says nothing
  columns.push_back(std::move(column));
  facts_.push_back(facts);
}

void TypedColumns::add_text(Column column, const std::vector<double>& counts) {
  if (add_numbers_with_text(column, counts)) return;
  note_like_gaps(column);
  add(std::move(column), {.text = true});
}

// Such a table has values of its own for missing cells, so text is text there, also what the reader of files takes for
// a gap. Programs that read files and know other markers leave such text behind.
void TypedColumns::note_like_gaps(const Column& column) {
  const std::vector<std::string> markers = CsvOptions().missing;
  for (const std::string& label : column.levels) {
    if (std::ranges::find(markers, label) == markers.end()) continue;
    notes.push_back(
        fmt::format("Column {}: the text {} is a level. If it stands for missing cells, put None in its place.",
                    quoted(column.name), quoted(label)));
  }
}

// The reader of files decides, cell by cell, if there are numbers and text in the column, and more numbers than text,
// or numbers that are printed for people.
bool TypedColumns::add_numbers_with_text(const Column& column, const std::vector<double>& counts) {
  const PrintedNumbers printed_numbers;
  std::set<double> numbers;
  size_t texts = 0, printed = 0;
  for (const std::string& label : column.levels) {
    double number = 0;
    const bool like_number = looks_like_number(label, number);
    const bool is_printed = !like_number && parse_printed_number(label, number, printed_numbers);
    if (is_printed || like_number) numbers.insert(number);
    printed += is_printed;
    texts += !is_printed && !like_number;
    if (is_printed) continue;
    if (is_foreign_number(label) || (like_number && !std::isfinite(number)) || label.empty()) return false;
  }
  if ((texts == 0 && printed == 0) || texts >= numbers.size()) return false;
  ColumnBuilder builder(column.name, ColumnBuilder::Wish::kInfer, printed_numbers, stray_);
  for (size_t row = 0; row < column.rows(); ++row) {
    if (column.is_missing(row)) {
      builder.add_missing();
    } else {
      builder.add(column.levels[column.codes[row]], source_, row + 1);  // no string has less room than 8 bytes
    }
  }
  builder.settle(source_, counts);
  const std::string warning = builder.stray_text_warning("in row");
  if (!warning.empty()) warnings.push_back(warning);
  const std::string note = builder.printed_numbers_note("in row");
  if (!note.empty()) notes.push_back(note);
  const ColumnFacts facts = builder.facts();
  add(builder.finish(), {.text = facts.text, .integers = facts.integers});
  return true;
}

std::vector<ColumnFacts> TypedColumns::facts(const std::vector<double>& counts) const {
  std::vector<ColumnFacts> out = facts_;
  for (size_t k = 0; k < columns.size() && !counts.empty(); ++k) {
    out[k].seen = 0;
    for (size_t row = 0; row < counts.size(); ++row) {
      if (!columns[k].is_missing(row)) out[k].seen += counts[row];
    }
  }
  return out;
}

}  // namespace agon
