#include "agon/data/row_sets.h"

#include <gtest/gtest.h>

namespace agon {
namespace {

Dataset three_columns(const std::vector<Regime>& regimes) {
  RowInfo info{.regimes = regimes};
  std::vector<double> cells;
  for (uint32_t k = 0; k < regimes.size(); ++k) {
    for (int row = 0; row < 2; ++row) {
      info.regime.push_back(k);
      cells.push_back(static_cast<double>(cells.size() * cells.size() % 7));
    }
  }
  return make_dataset({continuous_column("a", cells), continuous_column("b", cells), continuous_column("c", cells)},
                      "t", info);
}

std::vector<int> groups_of(const Dataset& data, const std::string& name) {
  const RowSets sets = row_sets(data);
  return sets.sets[sets.of[data.index_of(name)]].group;
}

TEST(RowSets, AnOrdinaryTableHasNone) {
  const Dataset data = three_columns({{.name = "all"}});
  EXPECT_TRUE(row_sets(data).of.empty());
  EXPECT_TRUE(row_sets(data).sets.empty());
}

TEST(RowSets, APerfectTargetLosesTheRowsOfItsExperiment) {
  const Dataset data =
      three_columns({{.name = "1"}, {.name = "2", .targets = {"a"}}, {.name = "3", .targets = {"a", "b"}}});
  EXPECT_EQ(groups_of(data, "a"), (std::vector<int>{0, -1, -1}));
  EXPECT_EQ(groups_of(data, "b"), (std::vector<int>{0, 0, -1}));
  EXPECT_EQ(groups_of(data, "c"), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(row_sets(data).sets.size(), 3u);
}

TEST(RowSets, BatchesAreGroups) {
  const Dataset data = three_columns(
      {{.name = "1", .batch = "x"}, {.name = "2", .batch = "y"}, {.name = "3", .targets = {"a"}, .batch = "x"}});
  EXPECT_EQ(groups_of(data, "a"), (std::vector<int>{0, 1, -1}));
  EXPECT_EQ(groups_of(data, "b"), (std::vector<int>{0, 1, 0}));
}

TEST(RowSets, ASoftTargetHasAMeanOfItsOwnThere) {
  const Regime moved = {.name = "2", .targets = {"a"}, .intervention = Intervention::kSoft};
  const Dataset data = three_columns({{.name = "1"}, moved, {.name = "3"}});
  EXPECT_EQ(groups_of(data, "a"), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(groups_of(data, "b"), (std::vector<int>{0, 0, 0}));
}

// Where every experiment is a batch, each variable has a mean of its own in each anyway.
TEST(RowSets, SoftTargetsSayNothingWithinBatches) {
  const Regime moved = {.name = "2", .targets = {"a"}, .intervention = Intervention::kSoft, .batch = "y"};
  const Dataset data = three_columns({{.name = "1", .batch = "x"}, moved});
  EXPECT_EQ(row_sets(data).sets.size(), 1u);
}

}  // namespace
}  // namespace agon
