// agon/data/decimal_mark.h
//
// Which decimal mark the numbers of a table have: a point, or a comma.
//
//   DecimalMark found = detect_decimal_mark("x;y\n3,14;0,5\n", true, {.delimiter = ';'});
//   found.mark;                                     // ','
//   found.note;                                     // why, in a sentence for the log; empty for a point
//
// The rule, for the cells of the sample, the header aside:
// 1. Where commas separate the cells, and where no cell is a number with a comma: a point.
// 2. Some cell is a number with a point, or has several commas between digits: a point, so that the reader refuses
//    commas that do not separate thousands, and says what to do. A point that may separate thousands (1.234) is no
//    number with a point if another cell says so (1.234,5).
// 3. Some cell can only have a decimal comma (3,14 or 0,125 or 1234,567): a comma.
// 4. Every comma may separate thousands (1,234). If a column with such cells holds whole numbers without a comma too,
//    other than 0, its two readings are different columns: a point, as in 2. Otherwise they differ by a factor of 1000,
//    which is that of a unit: a comma.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "agon/data/records.h"

namespace agon {

struct DecimalMark {
  char mark = '.';
  bool thousands = false;  // the other mark, between groups of three digits, can only separate thousands
  std::string note;
};

struct DecimalOptions {
  bool header = true;                    // the first record holds names
  std::vector<std::string> unread = {};  // columns whose cells say nothing: dropped, or labels
};

// `sample` holds the first bytes of the file; `whole` if that is all of it.
DecimalMark detect_decimal_mark(std::string_view sample, bool whole, const Dialect& dialect,
                                const DecimalOptions& options = {});

}  // namespace agon
