// agon/parquet/parquet_file.h
//
// A Parquet file: its columns, and their cells, some rows at a time.
//
//   parquet::ParquetFile file("claims.parquet");
//   file.columns()[0].name;  file.rows();
//   parquet::ColumnReader age(file, 0);
//   parquet::Cells cells;
//   while (age.read(50'000, cells)) sum += cells.numbers[0];    // one page of the column is in memory, and these cells
//
// Read are flat columns, required or optional, of all physical types, in data pages of both versions, in every encoding
// of Encodings.md, plain, in Snappy, LZ4, gzip or zstd (codec.h). A column that is nested or repeated, or of a type
// that no table has, says so in `problem`; the others can be read all the same.
//
// A file that is cut short or contradicts itself throws InputError with the file, and where it is known with the group
// of rows and the column. No length that the file claims is believed before the bytes are there.
//
// Reading one file from several threads is safe, one ColumnReader by one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "agon/parquet/metadata.h"

namespace agon::parquet {

// What the cells of a column are. Dates and times are text, as other readers print them.
enum class CellKind { kTruth, kInteger, kNumber, kText };

struct ColumnInfo {
  std::string name;
  CellKind kind = CellKind::kNumber;
  bool category = false;  // text that whoever wrote the file kept as a category
  std::string problem;    // "": it can be read. Else why not
  size_t chunk = 0;       // its place among the columns of values
  SchemaElement element = {};
  bool duration = false;
};

// Some rows of a column. Where a cell is missing the arrays hold 0, or NaN.
struct Cells {
  CellKind kind = CellKind::kNumber;
  size_t rows = 0;
  std::vector<int64_t> integers;   // kTruth (0 and 1), kInteger
  std::vector<double> numbers;     // kNumber; also of integers, when one is beyond 64 bits with a sign
  std::vector<uint32_t> codes;     // kText: into texts
  std::vector<std::string> texts;  // those that occur, each once, in order of arrival
  std::vector<uint8_t> missing;    // by row: 1; empty if no cell is

  bool is_missing(size_t row) const { return !missing.empty() && missing[row] != 0; }
};

// Whether a file begins like Parquet. A column name may begin with PAR1; in Parquet what follows is a struct of Thrift,
// whose first field is an integer.
bool is_parquet(std::string_view head);

class ParquetFile {
 public:
  explicit ParquetFile(const std::string& path);
  ~ParquetFile();
  ParquetFile(const ParquetFile&) = delete;
  ParquetFile& operator=(const ParquetFile&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<ColumnInfo>& columns() const { return columns_; }
  uint64_t rows() const { return rows_; }

  const std::vector<RowGroup>& groups() const { return info_.groups; }
  uint64_t size() const { return size_; }
  void read_at(uint64_t offset, size_t count, char* to) const;  // Corrupt if the file is shorter by now

 private:
  void read_footer();
  void find_columns();

  std::string path_;
  int descriptor_ = -1;
  uint64_t size_ = 0, rows_ = 0;
  FileInfo info_;
  std::vector<ColumnInfo> columns_;
};

class ColumnReader {
 public:
  // The column can be read; UsageError if not. The file stays where it is.
  ColumnReader(const ParquetFile& file, size_t column);
  ~ColumnReader();
  ColumnReader(ColumnReader&&) noexcept;

  // The next `rows` rows, fewer at the end of the file; false if there is none.
  bool read(size_t rows, Cells& out);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace agon::parquet
