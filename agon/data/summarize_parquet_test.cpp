#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "agon/base/error.h"
#include "agon/base/rng.h"
#include "agon/data/summarize_files.h"
#include "agon/parquet/test_file.h"

namespace agon {
namespace {

using parquet::test_integers;
using parquet::test_numbers;
using parquet::test_texts;
using parquet::TestFile;

class Folder {
 public:
  Folder() {
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    path_ = std::filesystem::path(::testing::TempDir()) / ("agon-summarize-parquet-" + test);
    std::filesystem::create_directories(path_ / "below");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return (path_ / name).string();
  }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

// The same rows as text and as Parquet.
struct Twins {
  std::string csv = "x,n,s,w\n";
  TestFile parquet;

  Twins(int rows, uint64_t seed) {
    Rng rng(seed);
    std::vector<double> x;
    std::vector<int64_t> n, w;
    std::vector<std::string> s;
    for (int row = 0; row < rows; ++row) {
      x.push_back(std::round(rng.normal() * 1000) / 8);
      n.push_back(static_cast<int64_t>(rng.below(4)));
      s.push_back(rng.below(3) == 0 ? "red" : "dark blue");
      w.push_back(static_cast<int64_t>(rng.below(3)));
      csv += std::to_string(x.back()) + "," + std::to_string(n.back()) + "," + s.back() + "," +
             std::to_string(w.back()) + "\n";
    }
    parquet.columns = {test_numbers("x", x), test_integers("n", n), test_texts("s", s), test_integers("w", w)};
    parquet.rows_per_group = 97;
  }
};

std::string refusal_of_files(const std::vector<std::string>& paths, const SummarizeFilesOptions& options = {}) {
  try {
    summarize_files(paths, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SummarizeParquet, IsTheSummaryOfTheSameRowsAsText) {
  const Folder folder;
  const Twins twins(700, 1);
  const std::string csv = folder.write("t.csv", twins.csv), own = folder.write("t.parquet", twins.parquet.bytes());
  for (const std::string& counts : {std::string(), std::string("w")}) {
    for (const std::string& drop : {std::string("x"), std::string("n")}) {
      SummarizeFilesOptions options;
      options.csv.drop = {drop};
      options.csv.counts = counts;
      EXPECT_EQ(summary_text(summarize_files({own}, options).summary),
                summary_text(summarize_files({csv}, options).summary));
      options.sample_rows = 100;
      const std::string one = summary_text(summarize_files({own}, options).summary);
      options.threads = 3;
      EXPECT_EQ(summary_text(summarize_files({own}, options).summary), one);
    }
  }
}

TEST(SummarizeParquet, AddsFoldersTextAndSummaries) {
  const Folder folder;
  const Twins twins(200, 2);
  const std::string csv = folder.write("t.csv", twins.csv);
  folder.write("a.parquet", twins.parquet.bytes());
  folder.write("below/b.PQ", twins.parquet.bytes());
  folder.write("_metadata.parquet", "not looked at");
  const std::string sum = folder.write("t.summary", summary_text(summarize_files({csv}).summary));
  EXPECT_EQ(summarize_files({folder.path(), csv, sum}).summary.rows(), 800);
  EXPECT_EQ(summarize_files({csv, folder.path()}).summary.rows(), 600);
}

TEST(SummarizeParquet, FilesWithoutRowsAddNothing) {
  const Folder folder;
  const Twins twins(200, 3), none(0, 3);
  const std::string full = folder.write("full.parquet", twins.parquet.bytes());
  const std::string empty = folder.write("empty.parquet", none.parquet.bytes());
  EXPECT_EQ(summarize_files({empty, full, empty}).summary.rows(), 200);
  EXPECT_NE(refusal_of_files({empty}).find("there are no rows"), std::string::npos);
}

TEST(SummarizeParquet, NullsAreGapsAndTextIsNot) {
  const Folder folder;
  TestFile file{.columns = {test_texts("s", {"NA", "b", "NA", "b", "b"}), test_texts("t", {"u", "v", "u", "v", "u"})}};
  file.columns[1] = with_gap(file.columns[1], 3);
  SummarizeFilesOptions options;
  options.csv.missing_policy = MissingPolicy::kKeep;
  options.csv.discrete = {"s", "t"};
  const std::string path = folder.write("t.parquet", file.bytes());
  const Summary sum = summarize_files({path}, options).summary;
  EXPECT_EQ(sum.columns[0].levels, (std::vector<std::string>{"NA", "b"}));
  EXPECT_EQ(sum.parts[0][0].cells.at({1, kGapCode}), 1);
  options.moments = true;
  EXPECT_NE(refusal_of_files({path}, options).find("t.parquet, row 4: column \"t\" is missing here"),
            std::string::npos);
}

TEST(SummarizeParquet, WhatContradictsTheFirstRowsIsNamedByItsRow) {
  const Folder folder;
  std::vector<int64_t> n(200);
  std::vector<double> x(200);
  for (size_t row = 0; row < n.size(); ++row) {
    n[row] = static_cast<int64_t>(row < 150 ? row % 3 : row);
    x[row] = static_cast<double>(row * row % 17);
  }
  SummarizeFilesOptions options;
  options.sample_rows = 100;
  const TestFile file{.columns = {test_integers("n", n), test_numbers("x", x)}};
  const std::string path = folder.write("t.parquet", file.bytes());
  EXPECT_NE(
      refusal_of_files({path}, options).find("t.parquet, row 168: column \"n\": found \"167\", number 21 that differs"),
      std::string::npos)
      << refusal_of_files({path}, options);
  const TestFile other{.columns = {test_integers("m", n), test_numbers("x", x)}};
  EXPECT_NE(refusal_of_files({path, folder.write("o.parquet", other.bytes())}, {}).find("the columns are not those of"),
            std::string::npos);
}

}  // namespace
}  // namespace agon
