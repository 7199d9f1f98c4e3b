#include "agon/data/summarize_files.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "agon/base/error.h"
#include "agon/base/rng.h"
#include "agon/data/record_blocks.h"

namespace agon {
namespace {

class TempFiles {
 public:
  TempFiles() : folder_(std::filesystem::path(::testing::TempDir()) / fmt_name()) {
    std::filesystem::create_directories(folder_);
  }
  ~TempFiles() { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

 private:
  static std::string fmt_name() {
    return std::string("agon-summarize-") + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }
  std::filesystem::path folder_;
};

constexpr const char* kWords[] = {"red", "green", "\"dark, \"\"blue\"\"\"", "\"two\nlines\""};

// Numbers, words with quotes and line ends in them, codes, and experiments.
std::string random_csv(Rng& rng, int rows, const char* line_end = "\n") {
  std::string text = std::string("# a comment, \"with a quote\nx,colour,code,set,n") + line_end;
  for (int row = 0; row < rows; ++row) {
    text += std::to_string(100 + rng.normal()) + "," + kWords[rng.below(4)] + "," + std::to_string(rng.below(4)) + "," +
            (rng.below(3) == 0 ? "x" : "none") + "," + std::to_string(rng.below(3)) + line_end;
    if (rng.below(20) == 0) text += std::string("# another \"comment") + line_end;
  }
  return text;
}

RC_GTEST_PROP(RecordBlocks, AreTheTextInWholeRecords, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const char* const line_ends[] = {"\n", "\r\n", "\r"};
  const std::string text = random_csv(rng, rng.below(30), line_ends[rng.below(3)]);
  const size_t block_bytes = static_cast<size_t>(1 + rng.below(200));
  RecordBlocks blocks(text_source(text), {}, block_bytes);
  RecordReader whole(text_source(text), "t", {}, 1 << 12);
  std::vector<Cell> cells, own;
  std::string together;
  RecordBlock block;
  while (blocks.next(block)) {
    together += block.text;
    RecordReader part(text_source(block.text), "t", {}, 1 << 12, block.line);
    while (part.next(own)) {
      RC_ASSERT(whole.next(cells));
      RC_ASSERT(part.line() == whole.line());
      RC_ASSERT(own.size() == cells.size());
      for (size_t k = 0; k < own.size(); ++k) RC_ASSERT(own[k].text() == cells[k].text());
    }
  }
  RC_ASSERT(!whole.next(cells));
  RC_ASSERT(together == text);
}

// The table read at once is the twin of the table read in blocks.
RC_GTEST_PROP(SummarizeFiles, IsThatOfTheWholeTable, ()) {
  Rng rng(*rc::gen::arbitrary<uint64_t>());
  const TempFiles files;
  const std::string path = files.write("t.csv", random_csv(rng, 120 + rng.below(200)));
  SummarizeFilesOptions options;
  options.csv.missing_policy = MissingPolicy::kKeep;
  options.csv.discrete = {"code"};
  if (*rc::gen::arbitrary<bool>()) options.csv.drop = {"x"};
  if (*rc::gen::arbitrary<bool>()) options.csv.counts = "n";
  if (*rc::gen::arbitrary<bool>() && options.csv.drop.empty()) options.csv.experiments.targets = "set";
  options.sample_rows = 100;
  options.block_bytes = static_cast<size_t>(50 + rng.below(2000));
  options.threads = 2;
  const Summary found = summarize_files({path}, options).summary;
  SummarizeFilesOptions one = options;
  one.threads = 1;
  RC_ASSERT(summary_text(summarize_files({path}, one).summary) == summary_text(found));

  const Summary expected = summarize(read_csv(path, options.csv).data);
  RC_ASSERT(found.rows() == expected.rows());
  RC_ASSERT(found.regimes == expected.regimes);
  for (size_t k = 0; k < found.regimes.size(); ++k) {
    const Sums &s = found.parts[0][k], &t = expected.parts[0][k];
    RC_ASSERT(s.cells == t.cells);
    RC_ASSERT(s.weight == t.weight);
    RC_ASSERT(s.mean.size() == t.mean.size());
    for (size_t i = 0; i < s.mean.size(); ++i) RC_ASSERT(std::abs(s.mean[i] - t.mean[i]) <= 1e-12 * 101);
    for (size_t i = 0; i < s.scatter.size(); ++i) RC_ASSERT(std::abs(s.scatter[i] - t.scatter[i]) <= 1e-7);
  }
}

TEST(SummarizeFiles, AddsFilesAndSummariesInAnyOrderOfColumns) {
  const TempFiles files;
  const std::string a = files.write("a.csv", "x,y\n1.5,2\n2.5,1\n0.5,7\n"),
                    b = files.write("b.csv", "y;x\n3;0\n4;9.5\n");
  const std::string c = files.write("c.summary", summary_text(summarize_files({a}).summary));
  const Summary sum = summarize_files({a, b, c}).summary;
  EXPECT_EQ(sum.rows(), 8);
  EXPECT_NEAR(sum.parts[0][0].mean[0], (2 * 4.5 + 9.5) / 8, 1e-15);
  EXPECT_NEAR(sum.parts[0][0].mean[1], (2 * 10 + 7.0) / 8, 1e-15);
}

TEST(SummarizeFiles, IntegersGoByValueInEveryBlock) {
  const TempFiles files;
  std::string text = "a,b\n";
  for (int k = 0; k < 200; ++k)
    text += std::string(k % 2 ? "1" : k % 3 ? "1.0" : "0") + "," + (k % 5 ? "u" : "v") + "\n";
  SummarizeFilesOptions options;
  options.sample_rows = 50;
  options.block_bytes = 64;
  const Summary sum = summarize_files({files.write("t.csv", text)}, options).summary;
  EXPECT_EQ(sum.columns[0].levels, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(sum.parts[0][0].cells.size(), 4u);
}

TEST(SummarizeFiles, DealsRowsToParts) {
  const TempFiles files;
  std::string text = "x,y\n";
  Rng rng(4);
  for (int k = 0; k < 25'000; ++k) text += std::to_string(rng.normal()) + "," + std::to_string(rng.normal()) + "\n";
  const std::string path = files.write("t.csv", text);
  SummarizeFilesOptions options;
  options.parts = 20;
  options.threads = 2;
  const Summary sum = summarize_files({path}, options).summary;
  ASSERT_EQ(sum.parts.size(), 20u);
  EXPECT_EQ(sum.rows(), 25'000);
  for (const std::vector<Sums>& part : sum.parts) EXPECT_GE(part[0].rows, 1000);
  EXPECT_EQ(to_table(sum, "t").data.row_info().part.back(), 19u);
}

// Memory that a test can see: nothing of the rows is in the result, whatever their number.
TEST(SummarizeFiles, TheSizeOfTheResultDoesNotDependOnTheRows) {
  const TempFiles files;
  const auto size = [&](int rows) {
    Rng rng(4);
    std::string text = "x,a\n";
    for (int k = 0; k < rows; ++k) text += std::to_string(rng.normal()) + "," + "uvw"[rng.below(3)] + "\n";
    return summary_text(summarize_files({files.write("t.csv", text)}).summary).size();
  };
  EXPECT_LT(std::abs(static_cast<long>(size(200'000)) - static_cast<long>(size(500))), 60);
}

struct Refused {
  std::string text, part;
  SummarizeFilesOptions options;
};

TEST(SummarizeFiles, NamesTheLineOfWhatContradictsTheFirstRows) {
  std::string codes = "x,a\n", numbers = "x,y\n", words = "x,w\n";
  for (int k = 0; k < 100; ++k) {
    codes += std::to_string(k + 0.5) + "," + std::to_string(k % 3) + "\n";
    numbers += std::to_string(k + 0.5) + "," + std::to_string(k + 0.25) + "\n";
    words += std::to_string(k + 0.5) + "," + (k % 2 ? "yes" : "no") + "\n";
  }
  std::string many = codes;
  for (int k = 0; k < 30; ++k) many += "1.5," + std::to_string(k) + "\n";
  std::string labels = words;
  for (int k = 0; k < 300; ++k) labels += "1.5,level " + std::to_string(k) + "\n";
  SummarizeFilesOptions small;
  small.sample_rows = 60;
  small.block_bytes = 128;
  small.csv.missing_policy = MissingPolicy::kKeep;
  SummarizeFilesOptions counted = small, weighted = small, told = small, within = small;
  counted.csv.counts = "n";
  weighted.csv.weights = "n";
  told.csv.discrete = {"a"};
  within.csv.experiments.within = {"a"};
  const std::string with_n = "x,n\n1.5,2\n2.5,1\n3,4\n";
  const std::vector<Refused> all = {
      {codes + "1.5,0.5\n", "t.csv:102: column \"a\": found \"0.5\", a fraction", small},
      {many, "t.csv:122: column \"a\": found \"20\", number 21 that differs", small},
      {labels, "t.csv:355: column \"w\": found \"level 253\", level 256", small},
      {numbers + "1,oops\n", "t.csv:102: column \"y\": found \"oops\"", small},
      {numbers + "1,2,3\n", "t.csv:102: found 3 cells", small},
      {numbers + "1,\n", "t.csv:102: column \"y\" is missing here", small},
      {with_n + "1,-2\n", "t.csv:5: column \"n\": found", counted},
      {with_n + "1,1.5\n", "t.csv:5: column \"n\": found", counted},
      {with_n + "1,much\n", "t.csv:5: column \"n\": found", weighted},
      {with_n + "1,NA\n", "t.csv:5: column \"n\": found a missing cell", weighted},
      {codes + "1.5,\n", "t.csv:102: column \"a\": the row has no label", within},
  };
  const TempFiles files;
  for (const Refused& refused : all) {
    try {
      summarize_files({files.write("t.csv", refused.text)}, refused.options);
      ADD_FAILURE() << "taken; expected " << refused.part;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(refused.part), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(summarize_files({files.write("t.csv", codes + "1.5,0.5\n")}, told).summary.rows(), 101);
}

TEST(SummarizeFiles, RefusesOtherColumnsInAnotherFile) {
  const TempFiles files;
  const std::string a = files.write("a.csv", "x,y\n1,2\n2,1\n"), b = files.write("b.csv", "x,z\n1,2\n");
  try {
    summarize_files({a, b});
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("b.csv"), std::string::npos) << text;
    EXPECT_NE(text.find("without \"y\", and with \"z\""), std::string::npos) << text;
  }
}

TEST(SummarizeFiles, AnIndexOfRowsAndIdentifiersAreNoSums) {
  const TempFiles files;
  std::string text = "Unnamed: 0,id,x\n";
  for (int k = 0; k < 300; ++k)
    text += std::to_string(k) + ",id-" + std::to_string(k) + "," + std::to_string(0.5 * k * k) + "\n";
  SummarizeFilesOptions options;
  options.sample_rows = 100;
  options.block_bytes = 500;
  const Summary sum = summarize_files({files.write("t.csv", text)}, options).summary;
  ASSERT_EQ(sum.columns.size(), 2u);
  EXPECT_EQ(sum.parts[0][0].mean.size(), 1u);
  const Dataset table = to_table(sum, "t").data;
  EXPECT_TRUE(table.column(table.index_of("id")).identifier);
}

}  // namespace
}  // namespace agon
