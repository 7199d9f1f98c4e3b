#include "agon/score/discrete_table.h"

#include <gtest/gtest.h>

#include <map>

#include "agon/score/bit_count.h"
#include "agon/score/test_tables.h"

namespace agon {
namespace {

// Cells of child against parents + v in the layout that the header describes, counted row by row.
std::vector<uint32_t> plain_addition(const Dataset& data, Node child, Parents parents, Node v) {
  const auto levels = [&](Node u) { return data.column(u).levels.size(); };
  std::map<std::vector<uint32_t>, std::vector<uint32_t>> by_configuration;  // iterated in the order of levels
  for (size_t row = 0; row < data.rows(); ++row) {
    std::vector<uint32_t> configuration;
    for (Node q : parents) configuration.push_back(data.column(q).codes[row]);
    auto& cells = by_configuration[configuration];
    cells.resize(levels(v) * levels(child));
    ++cells[data.column(v).codes[row] * levels(child) + data.column(child).codes[row]];
  }
  std::vector<uint32_t> all;
  for (const auto& [configuration, cells] : by_configuration) all.insert(all.end(), cells.begin(), cells.end());
  return all;
}

// From two slots (masks) to hundreds (sorted rows), and so many variables that a row of bits takes two blocks.
TEST(DiscreteTable, NeighboursAreThoseCountedRowByRow) {
  for (const int variables : {9, 220}) {
    Rng rng(static_cast<uint64_t>(variables));
    const Dataset data = testing::random_categorical({.variables = variables, .rows = 1237, .most_levels = 4}, rng);
    const DiscreteTable table(data);
    ASSERT_FALSE(table.is_merged());
    for (int most_parents = 0; most_parents < 6; ++most_parents) {
      for (int round = 0; round < 5; ++round) {
        const auto family = testing::random_family(data.size(), most_parents, rng);
        std::vector<Node> possible;
        for (Node v = 0; v < data.size(); ++v) {
          const bool taken = std::ranges::find(family.parents, v) != family.parents.end();
          if (v != family.child && !taken) possible.push_back(v);
        }
        size_t asked = 0;
        std::vector<uint32_t> present;
        std::vector<std::vector<uint32_t>> without;
        table.count_neighbours(
            family.child, family.parents, possible, [&](const FamilyCounts& now) { present = now.cells; },
            [&](Node v, const FamilyCounts& counts) {
              EXPECT_EQ(v, possible[asked++]);
              ASSERT_TRUE(counts.configurations.empty());
              EXPECT_EQ(counts.cells, plain_addition(data, family.child, family.parents, v));
            },
            [&](size_t, const FamilyCounts& counts) { without.push_back(counts.cells); });
        EXPECT_EQ(present, table.count(family.child, family.parents).cells);
        ASSERT_EQ(without.size(), family.parents.size());
        for (size_t k = 0; k < without.size(); ++k) {
          std::vector<Node> kept = family.parents;
          kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(k));
          EXPECT_EQ(without[k], table.count(family.child, kept).cells);
        }
        EXPECT_EQ(asked, possible.size());
      }
    }
  }
}

// Few configurations are merged through a table of all of them, many by sorting those that occur.
TEST(DiscreteTable, RemovalsOfFamiliesWithFewAndManyConfigurations) {
  Rng rng(8);
  const Dataset data = testing::random_categorical({.variables = 9, .rows = 1500, .most_levels = 9}, rng);
  const DiscreteTable table(data);
  double most = 0;
  for (int round = 0; round < 60; ++round) {
    const auto family = testing::random_family(data.size(), 5, rng);
    double configurations = 1;
    for (Node q : family.parents) configurations *= table.levels(q);
    most = std::max(most, configurations);
    std::vector<std::vector<uint32_t>> without;
    table.count_neighbours(
        family.child, family.parents, {}, [](const FamilyCounts&) {}, [](Node, const FamilyCounts&) {},
        [&](size_t, const FamilyCounts& counts) { without.push_back(counts.cells); });
    ASSERT_EQ(without.size(), family.parents.size());
    for (size_t k = 0; k < without.size(); ++k) {
      std::vector<Node> kept = family.parents;
      kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(k));
      EXPECT_EQ(without[k], table.count(family.child, kept).cells);
    }
  }
  EXPECT_GT(most, 9 * 512);
}

TEST(BitCount, ColumnsOfListedRows) {
  if (!can_count_columns()) GTEST_SKIP() << "this processor counts by masks";
  Rng rng(5);
  constexpr int kStride = 8, kRows = 3000, kBits = 300;
  std::vector<uint64_t> matrix(kStride * (kRows + 1));
  for (int row = 0; row < kRows; ++row) {
    for (int bit = 0; bit < kBits; ++bit) {
      const bool set = rng.uniform() < bit / 299.0;  // from columns without a bit to columns full of them
      matrix[row * kStride + bit / 64] |= uint64_t{set} << (bit % 64);
    }
  }
  for (const size_t count : {0, 8, 16, 264, 2096}) {
    std::vector<uint32_t> rows(count);
    for (uint32_t& row : rows) row = static_cast<uint32_t>(rng.below(kRows + 1));
    std::vector<uint32_t> counts(64 * kStride), expected(kBits);
    count_columns(matrix.data(), kStride, rows.data(), count, kBits, counts.data());
    for (uint32_t row : rows) {
      for (int bit = 0; bit < kBits; ++bit) expected[bit] += matrix[row * kStride + bit / 64] >> (bit % 64) & 1;
    }
    counts.resize(kBits);
    EXPECT_EQ(counts, expected) << count;
  }
}

}  // namespace
}  // namespace agon
