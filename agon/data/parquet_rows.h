// agon/data/parquet_rows.h
//
// Rows of a Parquet file as columns of a table, some rows at a time.
//
//   ParquetRows rows("claims.parquet");
//   std::shared_ptr<ParquetBlock> first = rows.next(10'000, threads);   // all columns, but those of rows.skip(names)
//   JudgedRows judged = judge(*first, rows.names(), options);           // kinds, by types and cells
//   std::vector<Column> columns = told_columns(*first, {"age"}, {});    // as told: numbers, and categories
//
// Types decide kinds as those of a data frame do (typed_columns.h): numbers with a fraction and decimals are
// continuous, truths and categories of Arrow categorical; whole numbers and text follow the rule for files. What is
// null is missing, and so is what is not a number; text is never taken for a gap. Dates and times are text.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agon/data/csv.h"
#include "agon/parquet/parquet_file.h"

namespace agon {

struct ParquetBlock {
  std::string file;
  uint64_t first_row = 0;  // in the file, from 0
  size_t rows = 0;
  std::vector<std::string> names;     // of the columns that were read
  std::vector<parquet::Cells> cells;  // by column
  std::vector<bool> category;         // by column: it is one by its type

  std::string place(size_t row) const;  // "claims.parquet, row 7"
};

class ParquetRows {
 public:
  explicit ParquetRows(const std::string& path);

  const std::vector<std::string>& names() const { return names_; }  // of all columns
  uint64_t rows() const { return file_.rows(); }
  // Columns that are not read from now on. A column that cannot be read must be among them.
  void skip(const std::vector<std::string>& names);
  // The next rows, at most so many, columns by several threads; nothing at the end.
  std::shared_ptr<ParquetBlock> next(size_t rows, int threads);

 private:
  parquet::ParquetFile file_;
  std::vector<std::string> names_;
  std::set<std::string> skipped_;
  std::vector<std::unique_ptr<parquet::ColumnReader>> readers_;  // by column, once it is read
  uint64_t done_ = 0;
};

struct JudgedRows {
  LoadedTable table;            // the variables, with their kinds; no weights, and no labels of experiments
  std::set<std::string> whole;  // columns of whole numbers
};
// UsageError for options that name other columns.
JudgedRows judge(const ParquetBlock& block, const std::vector<std::string>& names, const CsvOptions& options);

// InputError, with the row, for a cell of one of `numbers` that is not a number.
std::vector<Column> told_columns(const ParquetBlock& block, const std::vector<std::string>& numbers,
                                 const std::set<std::string>& omitted);

}  // namespace agon
