// agon/data/summarize_files.h
//
// Files of any length to one Summary, in one pass, in blocks of rows that all threads parse: memory is that of a few
// blocks and of the sums.
//
//   SummarizedFiles week = summarize_files({"mon.csv", "tue.csv", "old.summary"}, {.csv = {.drop = {"id"}}});
//   write_file_atomically("week.summary", summary_text(week.summary));
//
// What may be relied on:
// - Cells are read by the rules of read_csv(), which reads every block. Kinds are judged by the first 10,000 rows of
//   the first table (`sample_rows`), or told by the options, and hold for all files. A cell that contradicts them later
//   is an error that names file, line and column: text among numbers, and in a column of a few integers a fraction or a
//   21st number. A new text is a new level.
// - The same bytes for any number of threads: blocks depend on the files alone, and are added in their order.
// - A Parquet file is read by its types, as a data frame is (parquet_rows.h), and a folder stands for those in it. Its
//   errors name file and row.
// - The columns of all files are the same; their order need not be.
// - With `parts`, rows are dealt to that many parts by runs of kRunRows.
#pragma once

#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/csv.h"
#include "agon/data/summary.h"

namespace agon {

constexpr size_t kRunRows = 1000;

struct SummarizeFilesOptions {
  CsvOptions csv = {};  // missing_policy: kKeep counts gaps of categories, and refuses those of numbers
  size_t parts = 0;     // 0: none are kept
  bool moments = false;
  int threads = 1;
  size_t sample_rows = 10'000;
  size_t block_bytes = size_t{4} << 20;
};

struct SummarizedFiles {
  Summary summary;
  std::vector<std::string> notes, warnings;  // sentences for the log
};

// Tables as text and as Parquet, folders of the latter, and summaries made before. InputError as read_csv() and add()
// throw it.
SummarizedFiles summarize_files(const std::vector<std::string>& paths, const SummarizeFilesOptions& options = {},
                                const Watch& watch = {});

}  // namespace agon
