#include "agon/data/experiments.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "agon/base/error.h"
#include "agon/data/csv.h"
#include "agon/data/embedded.h"

namespace agon {
namespace {

constexpr const char* kTable =
    "set,day,x,y\n"
    ",mon,1.5,2.5\n"
    "x,mon,2.25,0.5\n"
    "y;x,tue,0.75,3.5\n"
    "x + y,tue,4.5,1.25\n"
    "none,tue,2.5,2.75\n";

Dataset table(ExperimentOptions options) {
  return read_csv_text(kTable, "t.csv",
                       {.drop = options.within.empty() ? std::vector<std::string>{"day"} : std::vector<std::string>{},
                        .experiments = std::move(options)})
      .data;
}

TEST(Experiments, RowsNameTheirTargets) {
  const Dataset data = table({.targets = "set"});
  ASSERT_EQ(data.size(), 2);
  ASSERT_EQ(data.regimes().size(), 3u);
  EXPECT_EQ(data.regimes()[0], (Regime{.name = "observation", .batch = "observation"}));
  EXPECT_EQ(data.regimes()[1], (Regime{.name = "x", .targets = {"x"}, .batch = "x"}));
  EXPECT_EQ(data.regimes()[2], (Regime{.name = "x;y", .targets = {"x", "y"}, .batch = "x;y"}));
  EXPECT_EQ(data.regime_of(2), data.regime_of(3));
  EXPECT_EQ(data.regime_of(0), data.regime_of(4));
}

TEST(Experiments, BatchesDivideThemFurther) {
  const Dataset data = table({.targets = "set", .within = {"day"}});
  ASSERT_EQ(data.regimes().size(), 4u);
  EXPECT_EQ(data.regimes()[0].name, "observation / mon");
  EXPECT_EQ(full_treatment(data), (RegimeTreatment{.targets = true, .within = true}));
}

TEST(Experiments, WithoutBatchesAllRowsAreMeasuredAlike) {
  const Dataset data = table({.targets = "set", .batches = false});
  EXPECT_EQ(full_treatment(data), (RegimeTreatment{.targets = true, .within = false}));
}

TEST(Experiments, AFileSaysWhatWasSet) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "agon_experiments_test";
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "targets.csv").string();
  std::ofstream(path) << "experiment,targets\nmon,x\nwed,y\n";
  const LoadedTable read =
      read_csv_text(kTable, "t.csv", {.drop = {"set"}, .experiments = {.targets = path, .experiment = "day"}});
  ASSERT_EQ(read.data.regimes().size(), 2u);
  EXPECT_EQ(read.data.regimes()[0].targets, std::vector<std::string>{"x"});
  EXPECT_TRUE(read.data.regimes()[1].targets.empty());
  ASSERT_EQ(read.record.warnings.size(), 2u);
  EXPECT_EQ(read.record.warnings[0], "the experiment \"wed\" of --targets has no row in column \"day\"");
  EXPECT_EQ(read.record.warnings[1], "--targets has no line for \"tue\": taken as observation");

  std::ofstream(path) << "experiment,targets\nmon,x\nmon,y\n";
  EXPECT_THROW(read_targets(path), InputError);
  std::ofstream(path) << "a,b\nmon,x\n";
  EXPECT_THROW(read_targets(path), InputError);
  std::filesystem::remove_all(folder);
}

TEST(Experiments, AnUnknownTargetIsRefusedWithASuggestion) {
  try {
    read_csv_text("set,age,size\n,1.5,2.5\nsiz,2.5,1.5\n", "t.csv", {.experiments = {.targets = "set"}});
    FAIL();
  } catch (const InputError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("\"siz\""), std::string::npos) << text;
    EXPECT_NE(text.find("did you mean size?"), std::string::npos) << text;
  }
}

TEST(Experiments, EveryRowNeedsItsLabel) {
  EXPECT_THROW(read_csv_text("day,x,y\nmon,1.5,2.5\n,2.5,1.5\n", "t.csv", {.experiments = {.within = {"day"}}}),
               InputError);
}

TEST(Experiments, ANameMayHoldAPlus) {
  EXPECT_EQ(split_targets("a+b", {"a+b", "a", "b"}), (std::vector<std::string>{"a+b"}));
  EXPECT_EQ(split_targets("a+b;b", {"a+b", "a", "b"}), (std::vector<std::string>{"a+b", "b"}));
  EXPECT_EQ(split_targets("a+b", {"a", "b"}), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(split_targets("-", {"a"}).empty());
  EXPECT_TRUE(split_targets(" None ", {"a"}).empty());
}

TEST(Experiments, TreatmentsLeaveOutWhatTheyDoNotUse) {
  const Dataset data = table({.targets = "set", .within = {"day"}});
  EXPECT_FALSE(with_treatment(data, {}).has_regimes());
  EXPECT_EQ(full_treatment(with_treatment(data, {.targets = true})), (RegimeTreatment{.targets = true}));
  EXPECT_EQ(full_treatment(with_treatment(data, {.within = true})), (RegimeTreatment{.within = true}));
  EXPECT_EQ(with_treatment(data, full_treatment(data)).checksum(), data.checksum());
  EXPECT_EQ(with_treatment(data, {}).column(0).file_index, data.column(0).file_index);
}

// The cells are those of sachs, in the order of the published files.
TEST(Experiments, SachsComesWithItsNine) {
  const Dataset data = embedded_table("sachs-experiments");
  ASSERT_EQ(data.regimes().size(), 9u);
  EXPECT_EQ(with_treatment(data, {}).checksum(), embedded_table("sachs").checksum());
  EXPECT_EQ(data.regimes()[data.regime_of(0)].name, "cd3cd28");
  EXPECT_EQ(data.regimes()[data.regime_of(7465)].name, "b2camp");
  EXPECT_EQ(data.regimes()[data.regime_of(7465)].targets, std::vector<std::string>{"PKA"});
  EXPECT_EQ(embedded_truth("sachs-experiments"), embedded_truth("sachs"));
  const Dataset some = embedded_table("sachs-experiments", 500, 1);
  EXPECT_EQ(some.rows(), 500u);
  EXPECT_TRUE(some.has_regimes());
}

}  // namespace
}  // namespace agon
