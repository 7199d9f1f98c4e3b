// Tables: any bytes into the CSV reader, with any of its options; what it lets in goes through the doctor and is
// written and read again.
#include <sstream>

#include "agon/data/csv.h"
#include "agon/data/doctor.h"
#include "agon/data/number_text.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

namespace {

// In a table with decimal commas ".2e3" and "$1.25" are words. What is written has decimal points, and there they are
// numbers.
bool has_number_among_words(const LoadedTable& table) {
  if (table.record.decimal != ',') return false;
  double value = 0;
  for (const Column& column : table.data.columns()) {
    for (const std::string& level : column.levels) {
      if (parse_number(level, value) || parse_printed_number(level, value, {})) return true;
    }
  }
  return false;
}

}  // namespace

FUZZ_TARGET(text) {
  Bytes bytes(text);
  const int choice = bytes.take(), second = bytes.take();
  const int delimiter = second & 31, rows = second < 32 ? 0 : 7 - (second >> 5);  // 255: no more options
  CsvOptions options;
  options.header = (choice & 1) == 0;
  options.quote = (choice & 2) == 0 ? '"' : 0;
  if ((choice & 4) != 0) options.missing_policy = MissingPolicy::kDropRows;
  if ((rows & 4) != 0) options.missing_policy = MissingPolicy::kKeep;
  if ((rows & 3) == 1) options.counts = "n";
  if ((rows & 3) == 2) options.weights = "n";
  if ((choice & 8) != 0) options.kind = (choice & 16) != 0 ? ColumnKind::kCategorical : ColumnKind::kContinuous;
  if ((choice & 32) != 0) options.comment = "";
  if ((choice & 64) != 0) options.drop = {"a"};
  if ((choice & 128) != 0) options.discrete = {"b"};
  options.delimiter = delimiter < 5 ? ",\t;| "[delimiter] : delimiter < 10 ? ",\t;| "[delimiter - 5] : 0;
  if (delimiter >= 5 && delimiter < 15) options.decimal = delimiter % 2 == 0 ? '.' : ',';

  // Small buffers: the one of 1 MB that read_csv uses takes longer to fill than the input to read.
  LoadedTable table;
  if (!refusable([&] { table = detail::read_csv_text(bytes.rest(), "fuzz.csv", options, 1 << 12); })) return;
  must(table.data.size() > 0 && table.data.rows() > 0, "a table that was read has cells");
  must(table.data.check_invariants(), "a table that was read is a table");
  must(table.record.reasons.size() == table.data.columns().size(), "every column has a reason for its kind");
  must(options.missing_policy == MissingPolicy::kKeep || !table.data.has_missing(), "gaps stay only when asked for");
  for (const Finding& finding : examine(table.data)) must(!finding.message.empty(), "a finding says something");

  // Cells may lie across the end of the buffer: the same table comes out.
  const LoadedTable small = detail::read_csv_text(bytes.rest(), "fuzz.csv", options, 7);
  must(small.data.checksum() == table.data.checksum(), "the size of the buffer changes nothing");

  // Written and read back with its kinds named, it is the same table, unless a label looks like a missing cell or,
  // where the decimal mark changes, like a number.
  // Identifiers are not named: that would make them categories. Weights have no place in the file.
  if (table.data.has_weights() || has_number_among_words(table)) return;
  std::ostringstream out;
  write_csv(out, table.data);
  CsvOptions again;
  again.missing = {"NA"};
  again.missing_policy = MissingPolicy::kKeep;
  again.comment = "";
  again.delimiter = ',';
  for (const Column& column : table.data.columns()) {
    if (column.identifier) continue;
    (column.kind == ColumnKind::kCategorical ? again.discrete : again.continuous).push_back(column.name);
  }
  LoadedTable copy;
  must(refusable([&] { copy = detail::read_csv_text(out.str(), "copy.csv", again, 1 << 12); }),
       "what was written can be read");
  must(copy.data.checksum() == table.data.checksum(), "what was written reads back as the same table");
}
