#include "agon/data/decimal_mark.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/text.h"
#include "agon/data/number_text.h"

namespace agon {
namespace {

enum class Spelling {
  kText,
  kWhole,           // no mark: 12, 1e5
  kPoint,           // 3.14 or 1,234.5
  kComma,           // 3,14
  kThousands,       // 1,234: a fraction or a group of digits
  kPointThousands,  // 1.234: the same
  kBoth,            // 1.234,5
  kOdd              // 1,2,3
};

// One to three digits, the first of which is not 0, a mark, three digits.
bool may_be_thousands(std::string_view cell, char mark) {
  if (!cell.empty() && (cell[0] == '-' || cell[0] == '+')) cell.remove_prefix(1);
  const size_t comma = cell.find(mark);
  return comma >= 1 && comma <= 3 && cell.size() == comma + 4 && cell[0] != '0' &&
         std::all_of(cell.begin() + static_cast<ptrdiff_t>(comma) + 1, cell.end(), is_digit);
}

Spelling spelling(std::string_view cell) {
  double number = 0;
  if (parse_number(cell, number)) {
    if (may_be_thousands(cell, '.')) return Spelling::kPointThousands;
    if (cell.find('.') != std::string_view::npos) return Spelling::kPoint;
    return number == 0 ? Spelling::kText : Spelling::kWhole;  // 0 is the same in every notation
  }
  if (parse_number(cell, number, ',')) return may_be_thousands(cell, ',') ? Spelling::kThousands : Spelling::kComma;
  const bool both = cell.find(',') != std::string_view::npos && cell.find('.') != std::string_view::npos;
  if (both && parse_printed_number(cell, number, {.mark = ','})) return Spelling::kBoth;
  if (both && parse_printed_number(cell, number, {.mark = '.'})) return Spelling::kPoint;
  return is_foreign_number(cell) ? Spelling::kOdd : Spelling::kText;
}

struct ColumnSpellings {
  bool unread = false, wholes = false, thousands = false;
};

struct Evidence {
  std::vector<ColumnSpellings> columns;
  std::string comma, thousands;  // the first cell of the kind
  size_t comma_line = 0, thousands_line = 0;
  bool point = false, odd = false;  // a decimal point; commas that are no decimal marks
  bool point_or_thousands = false, both = false;

  bool against() const { return point || odd || (point_or_thousands && !both); }

  void add(const std::vector<Cell>& cells, size_t line) {
    if (columns.size() < cells.size()) columns.resize(cells.size());
    for (size_t k = 0; k < cells.size(); ++k) {
      if (columns[k].unread) continue;
      const Spelling found = spelling(cells[k].text());
      point |= found == Spelling::kPoint;
      odd |= found == Spelling::kOdd;
      point_or_thousands |= found == Spelling::kPointThousands;
      both |= found == Spelling::kBoth;
      columns[k].wholes |= found == Spelling::kWhole;
      columns[k].thousands |= found == Spelling::kThousands;
      if ((found == Spelling::kComma || found == Spelling::kBoth) && comma.empty())
        comma = cells[k].text(), comma_line = line;
      if (found == Spelling::kThousands && thousands.empty()) thousands = cells[k].text(), thousands_line = line;
    }
  }
};

// The columns of the rows under the names of the header; R writes one name fewer, that of the row names.
void mark_unread(Evidence& evidence, const std::vector<std::string>& names, size_t cells,
                 const std::vector<std::string>& unread) {
  evidence.columns.resize(cells);
  const size_t offset = cells == names.size() + 1 ? 1 : 0;
  for (size_t k = 0; k < names.size() && k + offset < cells; ++k) {
    evidence.columns[k + offset].unread = std::find(unread.begin(), unread.end(), names[k]) != unread.end();
  }
}

Evidence gather(std::string_view sample, bool whole, const Dialect& dialect, const DecimalOptions& options) {
  Evidence evidence;
  RecordReader reader(text_source(sample), "", dialect, sample.size() + 1);
  std::vector<Cell> cells;
  std::vector<std::string> names;
  try {
    if (options.header && reader.next(cells)) {
      for (const Cell& cell : cells) names.emplace_back(cell.text());
    }
    for (bool first = true; !evidence.point && !evidence.odd && reader.next(cells); first = false) {
      if (reader.cut_short() && !whole) break;  // the record continues after the sample
      if (first && !options.header) {
        for (size_t k = 0; k < cells.size(); ++k) names.push_back(fmt::format("V{}", k + 1));
      }
      if (first) mark_unread(evidence, names, cells.size(), options.unread);
      evidence.add(cells, reader.line());
    }
  } catch (const InputError&) {
    // An open quote at the end of the sample hides none of the records before it. The reader will say what is wrong.
  }
  return evidence;
}

}  // namespace

DecimalMark detect_decimal_mark(std::string_view sample, bool whole, const Dialect& dialect,
                                const DecimalOptions& options) {
  if (dialect.delimiter == ',') return {.thousands = true, .note = {}};
  if (sample.find(',') == std::string_view::npos) return {};
  const Evidence evidence = gather(sample, whole, dialect, options);
  if (evidence.against()) return {.thousands = evidence.point, .note = {}};
  if (!evidence.comma.empty()) {
    return {',', true,
            fmt::format("Commas are read as decimal marks (the first is in {}, line {}); if they are not, pass "
                        "--decimal point.",
                        quoted(evidence.comma), evidence.comma_line)};
  }
  if (evidence.thousands.empty()) return {};
  const bool differ = std::any_of(evidence.columns.begin(), evidence.columns.end(),
                                  [](const ColumnSpellings& column) { return column.wholes && column.thousands; });
  if (differ) return {};
  return {',', true,
          fmt::format("Commas may be decimal marks or separate thousands (the first is in {}, line {}): read as "
                      "decimal marks. If they separate thousands, the columns with commas are too small by a "
                      "factor of 1000.",
                      quoted(evidence.thousands), evidence.thousands_line)};
}

}  // namespace agon
