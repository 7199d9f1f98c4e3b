// Parquet files: any bytes, read a few rows at a time and many at a time, and added up.
#include <sys/mman.h>
#include <unistd.h>

#include <cmath>

#include "agon/data/summarize_files.h"
#include "agon/parquet/parquet_file.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;
using parquet::CellKind;
using parquet::Cells;

namespace {

constexpr size_t kMostRows = 2000;  // of a file whose few bytes may stand for any number

std::string cell(const Cells& cells, size_t row) {
  if (cells.is_missing(row)) return "-";
  if (cells.kind == CellKind::kText) {
    must(cells.codes.at(row) < cells.texts.size(), "a code has its text");
    return "t" + cells.texts[cells.codes[row]];
  }
  if (cells.kind == CellKind::kNumber) return "n" + std::to_string(cells.numbers.at(row));
  // The same number, also if others of its rows made numbers of all.
  return "n" + std::to_string(static_cast<double>(cells.integers.at(row)));
}

std::vector<std::string> first_cells(const parquet::ParquetFile& file, size_t column, size_t at_once) {
  std::vector<std::string> out;
  refusable([&] {
    parquet::ColumnReader reader(file, column);
    Cells cells;
    while (out.size() < kMostRows && reader.read(at_once, cells)) {
      must(cells.rows <= at_once, "no more rows than were asked for");
      for (size_t row = 0; row < cells.rows; ++row) out.push_back(cell(cells, row));
    }
  });
  return out;
}

// A file without a name, written again for every input.
std::string as_file(std::string_view bytes) {
  static const int descriptor = memfd_create("fuzz.parquet", 0);
  must(ftruncate(descriptor, 0) == 0, "there is a file");
  must(pwrite(descriptor, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()), "it takes the bytes");
  return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace

FUZZ_TARGET(text) {
  const std::string path = as_file(text);
  uint64_t rows = 0;
  if (!refusable([&] {
        const parquet::ParquetFile file(path);
        rows = file.rows();
        for (size_t k = 0; k < std::min<size_t>(file.columns().size(), 8); ++k) {
          const std::vector<std::string> many = first_cells(file, k, 100), few = first_cells(file, k, 3);
          // Rows that were read before something went wrong are the same.
          for (size_t row = 0; row < std::min(many.size(), few.size()); ++row) {
            must(many[row] == few[row], "a cell does not depend on how many are read at once");
          }
        }
      })) {
    return;
  }
  if (rows > kMostRows || !parquet::is_parquet(text)) return;
  SummarizeFilesOptions options;
  options.csv.missing_policy = MissingPolicy::kDropRows;
  SummarizedFiles sums;
  if (!refusable([&] { sums = summarize_files({path}, options); })) return;
  must(sums.summary.rows() + sums.summary.dropped == static_cast<double>(rows), "every row is counted");
}
