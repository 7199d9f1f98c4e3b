// agon/data/csv.h
//
// Reads delimited text into a Dataset, and writes it back. The reader is the gate for files: nobody checks again what
// it accepts, and what it refuses, it refuses with the place, what was found, what was expected, and the option to use.
//
//   LoadedTable table = read_csv("asia.csv");             // "-" is standard input
//   table.data.rows(); table.record.rows_read;            // the table, and what happened on the way
//   read_csv("b.csv", {.missing_policy = MissingPolicy::kKeep, .discrete = {"region"}});
//   read_csv("cells.csv", {.counts = "n"});               // a row for every cell of a table, and how often it occurred
//   write_csv(std::cout, table.data);
//
// What may be relied on:
// - One streaming pass through a buffer of 1 MB (which grows for a longer line, up to 64 MB). Memory is that of the
//   table and the buffer.
// - Kinds are inferred by the rule of kinds.h: text is categorical, unless it differs from row to row, and so are two
//   numbers, and up to 6 integers that occur ten times each. Integers go by value (`1.0`, `01` and `1` are the level
//   "1"). `discrete` keeps the cells as labels, exactly as written; `continuous` asks for numbers.
// - Numbers *and* text in one column are text when at least half of the distinct cells are not numbers. Otherwise,
//   where missing cells are kept, they are text too if eight or more, and a fifth, are not numbers; with less, the text
//   is a level beside numbers that are categories, and missing among measurements; a warning names the column, the
//   first such cell and their number. Where missing cells are not kept, it is an error. `discrete` makes labels of
//   both.
// - Numbers may be printed for people: "$1,200", "12 %", "1,234,567" (parse_printed_number). They go by value, and a
//   note says so. A lone group of thousands, 1,234, is read so where the comma cannot be a decimal mark.
// - Accepted silently: BOM, CRLF or lone CR, `#` lines, blank lines, quoted cells with delimiters, newlines and doubled
//   quotes in them, blanks around unquoted cells. With the space delimiter a run of spaces and tabs is one delimiter.
// - Numbers have a decimal point, or a decimal comma where the first 256 KB of the file say so (decimal_mark.h) and no
//   comma separates the cells. The table is the same as that of the file with points.
// - A cell that equals a missing marker (spelled exactly so; quotes make no difference) is missing. Missing cells are
//   an error, with counts per column; or their rows are dropped, before kinds and levels are inferred, and recorded; or
//   they are kept as missing.
// - A first column without a name, or one more cell per row than names (R's write.table), is taken as a row index if it
//   counts 0, 1, 2.. or 1, 2, 3.., as names of the rows if no two of its cells are equal, and is an error otherwise. A
//   first column called `Unnamed: 0`, `rownames` or `index`, in any case, is an index if it counts; `Unnamed: 0`, which
//   is pandas' name for none, also names the rows if no two of its cells are equal and none is a fraction or a gap.
//   Otherwise these are columns like any other.
// - A delimiter at the end of every line, with or without one after the names, makes no column.
// - Rows may count more than once, or less: `counts` names a column of whole numbers, `weights` sampling weights,
//   which are rescaled so that their sum is the effective number of rows, (sum w)^2 / sum w^2 (Kish 1965). Rows that
//   count 0 times are left out. The column is no variable. With counts, kinds are those of the table with every row
//   written out.
// - Rows may come from experiments: `experiments` names the columns that say from which, and what was set there
//   (experiments.h). They are no variables, and every row has a label; a missing target is an observation.
// - Text is UTF-8; other encodings and binary files are refused. Lines are counted as an editor counts them.
//
// A file that cannot be used throws InputError; a column named in an option that does not exist throws UsageError.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/dataset.h"
#include "agon/data/experiments.h"

namespace agon {

enum class MissingPolicy { kError, kDropRows, kKeep };

struct CsvOptions {
  bool header = true;         // the first line holds names; else they are V1, V2, ..
  char delimiter = 0;         // 0: inferred, among comma, tab, semicolon, pipe and space
  char decimal = 0;           // '.' or ','; 0: inferred
  char quote = '"';           // 0: quotes are ordinary characters
  std::string comment = "#";  // lines that begin so are skipped; "": none are
  // Spellings of a missing cell. Those that pandas and R write or read by default, without ones that are likely labels.
  std::vector<std::string> missing = {"", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "?", "NULL", "null", "."};
  MissingPolicy missing_policy = MissingPolicy::kError;
  std::optional<ColumnKind> kind = {};       // of columns that the next two do not name; nothing: inferred
  std::vector<std::string> discrete = {};    // columns whose cells are labels, whatever they look like
  std::vector<std::string> continuous = {};  // columns whose cells are numbers, however few differ
  std::vector<std::string> drop = {};        // columns to omit; their cells are not looked at
  std::string counts = {};                   // column that says how often a row occurred; "": none
  std::string weights = {};                  // column of sampling weights; "": none
  ExperimentOptions experiments = {};  // which rows come from which experiment; the columns named are no variables
  size_t first_line = 1;               // what messages call the first line, of text that was cut out of a longer file
};

// What happened while reading; goes into logs and certificates.
struct ReadRecord {
  size_t rows_read = 0;          // data rows in the file
  size_t rows_dropped = 0;       // of these, omitted because a cell was missing
  size_t rows_of_zero = 0;       // of these, omitted because they count 0 times
  char delimiter = ',';          // the one used, given or inferred
  char decimal = '.';            // likewise
  bool row_index_taken = false;  // or names of rows
  double seconds = 0;
  size_t bytes = 0;
  std::vector<std::string> reasons;   // why each column is of its kind, in file order: "text", "4 integers", ...
  std::vector<std::string> notes;     // sentences for the log: what was decided that the user may want to know
  std::vector<std::string> warnings;  // the same for what may be a mistake

  double rows_per_second() const { return seconds > 0 ? static_cast<double>(rows_read) / seconds : 0; }
};

struct LoadedTable {
  Dataset data;
  ReadRecord record;
};

// Interrupted when the watch says so; it has no time limit.
LoadedTable read_csv(const std::string& path, const CsvOptions& options = {}, const Watch& watch = {});
// The same for text in memory; `name` stands for the path in messages and in Dataset::source().
LoadedTable read_csv_text(std::string_view text, const std::string& name, const CsvOptions& options = {});

// Columns in file order, labels, numbers in the shortest form that reads back as the same double, quotes where needed,
// NA for missing cells. Reading it back gives an equal table when categorical and continuous columns are named in the
// options, but identifiers are not (a continuous column may happen to hold few integers), and no label is a missing
// marker. Weights of rows go into a last column of the name given; without a name, tables with weights are refused, and
// so are those with experiments.
void write_csv(std::ostream& out, const Dataset& data, char delimiter = ',', const std::string& weights = "");

// "comma", "tab", "semicolon", "pipe", "space", or the character in quotes.
std::string delimiter_name(char delimiter);

namespace detail {
// read_csv_text with a buffer of any size: for tests that cells may lie across its end.
LoadedTable read_csv_text(std::string_view text, const std::string& name, const CsvOptions& options,
                          size_t buffer_bytes);
}  // namespace detail

}  // namespace agon
