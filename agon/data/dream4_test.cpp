#include "agon/data/dream4.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "agon/base/error.h"

namespace agon {
namespace {

class Dream4Test : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = ::testing::TempDir() + "/dream4_" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ + "/" + name) << text; }
  std::string problem() {
    try {
      read_dream4(folder_, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  void expect_problem(const std::string& part) {
    const std::string found = problem();
    EXPECT_NE(found.find(part), std::string::npos) << found;
  }

  std::string folder_;
  const std::string expression_ = "insilico_size100_1_multifactorial.tsv";
  const std::string standard_ = "insilico_size100_1_goldstandard.tsv";
};

TEST_F(Dream4Test, ReadsBothFilesByName) {
  write(expression_, "\"G1\"\t\"G2\"\t\"G3\"\n0.5\t0.25\t1e-3\r\n0.1\t0.2\t0.3\n\n");
  write(standard_, "G1\tG2\t1\nG2\tG1\t1\nG3\tG1\t0\n");
  const Dream4 d = read_dream4(folder_, 1);
  EXPECT_EQ(d.data.rows(), 2u);
  EXPECT_EQ(d.data.size(), 3);
  EXPECT_EQ(d.data.column(d.data.index_of("G3")).values, (std::vector<double>{1e-3, 0.3}));
  EXPECT_EQ(d.truth, (std::vector<std::pair<std::string, std::string>>{{"G1", "G2"}, {"G2", "G1"}}));
}

TEST_F(Dream4Test, TakesTheNameOfThePublishedGoldStandard) {
  write("insilico_size100_2_multifactorial.tsv", "G1\tG2\n1\t2\n");
  write("DREAM4_GoldStandard_InSilico_Size100_multifactorial_2.tsv", "G2\tG1\t1\n");
  EXPECT_EQ(read_dream4(folder_, 2).truth.size(), 1u);
}

TEST_F(Dream4Test, NamesTheFilesThatAreMissing) {
  expect_problem("lacks " + expression_ + " and " + standard_);
  expect_problem("Synapse");
  write(expression_, "G1\n1\n");
  expect_problem("lacks " + standard_);
  EXPECT_EQ(problem().find(expression_), std::string::npos);
  EXPECT_THROW(read_dream4(folder_ + "/none", 1), InputError);
  EXPECT_THROW(read_dream4(folder_, 6), UsageError);
}

TEST_F(Dream4Test, MistakesAreNamedWithTheirLine) {
  write(standard_, "G1\tG2\t1\n");
  write(expression_, "G1\tG2\n");
  expect_problem("no row");
  write(expression_, "G1\tG2\n1\t2\n1\n");
  expect_problem(expression_ + ":3: found 1 columns, expected 2");
  write(expression_, "G1\tG2\n1\tx\n");
  expect_problem(expression_ + ":2: column \"G2\": found \"x\"");
  write(expression_, "G1\tG2\n1\t2\n");
  write(standard_, "G1\tG2\t1\nG1\tG9\t0\n");
  expect_problem(standard_ + ":2: gene \"G9\"");
  write(standard_, "G1\tG2\t2\n");
  expect_problem(standard_ + ":1: expected three columns");
}

}  // namespace
}  // namespace agon
