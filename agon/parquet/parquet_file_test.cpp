#include "agon/parquet/parquet_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "agon/base/error.h"
#include "agon/parquet/test_file.h"

namespace agon::parquet {
namespace {

class Written {
 public:
  explicit Written(const std::string& bytes)
      : path_(testing::TempDir() + "agon-" + testing::UnitTest::GetInstance()->current_test_info()->name() +
              ".parquet") {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~Written() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// All cells, as text, `at_once` rows at a time.
std::vector<std::vector<std::string>> all_cells(const std::string& bytes, size_t at_once) {
  const Written written(bytes);
  const ParquetFile file(written.path());
  std::vector<std::vector<std::string>> out;
  for (size_t k = 0; k < file.columns().size(); ++k) {
    ColumnReader reader(file, k);
    Cells cells;
    std::vector<std::string>& column = out.emplace_back();
    while (reader.read(at_once, cells)) {
      EXPECT_LE(cells.rows, at_once);
      for (size_t row = 0; row < cells.rows; ++row) {
        column.push_back(cells.is_missing(row)             ? "-"
                         : cells.kind == CellKind::kNumber ? std::to_string(cells.numbers[row])
                         : cells.kind == CellKind::kText   ? cells.texts[cells.codes[row]]
                                                           : std::to_string(cells.integers[row]));
      }
    }
    EXPECT_EQ(column.size(), file.rows());
  }
  return out;
}

std::string refusal(const std::string& bytes) {
  try {
    all_cells(bytes, 3);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TestFile small_file() {
  return {.columns = {with_gap(test_numbers("x", {1, 2, 3, 4, 5}), 1), test_integers("n", {7, -1, 7, 8, 9}),
                      with_gap(with_gap(test_texts("s", {"a", "b", "a", "", "b"}), 0), 4)}};
}

TEST(ParquetFile, GivesTheCellsOfEveryPageAndGroup) {
  const std::vector<std::vector<std::string>> expected = {
      {"1.000000", "-", "3.000000", "4.000000", "5.000000"}, {"7", "-1", "7", "8", "9"}, {"-", "b", "a", "", "-"}};
  for (const bool second : {false, true}) {
    for (const size_t group : {1, 2, 100}) {
      for (const size_t at_once : {1, 3, 100}) {
        TestFile file = small_file();
        file.second_version = second;
        file.rows_per_group = group;
        EXPECT_EQ(all_cells(file.bytes(), at_once), expected) << second << ' ' << group << ' ' << at_once;
      }
    }
  }
}

TEST(ParquetFile, IntegersBeyondThoseWithASignBecomeNumbers) {
  const TestFile file{.columns = {test_integers("n", {1, -1}, 14)}};
  EXPECT_EQ(all_cells(file.bytes(), 5)[0], (std::vector<std::string>{"1.000000", "18446744073709551616.000000"}));
}

TEST(ParquetFile, NestedColumnsSayWhatTheyAre) {
  TestFile file = small_file();
  file.columns.push_back({.name = "pair", .cells = {}, .repetition = 1, .children = 1});
  file.columns.push_back(test_integers("inner", {1, 2, 3, 4, 5}));
  file.columns.push_back(test_integers("last", {5, 4, 3, 2, 1}));
  const Written written(file.bytes());
  const ParquetFile read(written.path());
  ASSERT_EQ(read.columns().size(), 5u);
  EXPECT_EQ(read.columns()[3].problem, "is nested");
  EXPECT_THROW(ColumnReader(read, 3), InputError);
  ColumnReader last(read, 4);
  Cells cells;
  ASSERT_TRUE(last.read(9, cells));
  EXPECT_EQ(cells.integers, (std::vector<int64_t>{5, 4, 3, 2, 1}));
}

TEST(ParquetFile, BytesThatAreNoTextSaySo) {
  TestColumn raw = test_texts("raw", {"x"});
  raw.converted = -1;
  EXPECT_NE(refusal(TestFile{.columns = {raw}}.bytes()).find("column \"raw\" holds bytes"), std::string::npos);
}

TEST(ParquetFile, WhatIsMissingIsNamed) {
  EXPECT_NE(refusal("PAR1\x15").find("5 bytes"), std::string::npos);
  EXPECT_NE(refusal("PAR1\x15 and nothing more").find("PAR1"), std::string::npos);
  TestFile file = small_file();
  file.rows_more = 3;
  EXPECT_NE(refusal(file.bytes()).find("8 rows by its description, and 5 in its groups"), std::string::npos);
  file = small_file();
  file.columns[1].encoding = 5;
  EXPECT_NE(refusal(file.bytes()).find("row group 1, column \"n\""), std::string::npos);
  file.columns[1].codec = 4;
  EXPECT_NE(refusal(file.bytes()).find("Brotli"), std::string::npos);
}

// Wherever a file is cut, and whichever byte is another, there is one message, or cells; and never more memory.
TEST(ParquetFile, SpoiledBytesAreRefusedOrRead) {
  const std::string good = small_file().bytes();
  for (size_t size = 0; size < good.size(); ++size) EXPECT_NE(refusal(good.substr(0, size)), "") << size;
  for (size_t at = 4; at < good.size() - 4; ++at) {
    for (const char change : {'\x01', '\x7F', '\xFF'}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ change);
      refusal(bad);
    }
  }
}

}  // namespace
}  // namespace agon::parquet
