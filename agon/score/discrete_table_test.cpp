#include "agon/score/discrete_table.h"

#include <gtest/gtest.h>

#include <cmath>
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

// Sums that are made without the counts, to the last bit: of binary children and others, by few configurations and by
// many, with some that have rows of one level alone. A third of the variables may be left out at once, and a third
// where their sums are not above a least.
TEST(DiscreteTable, SumsOfAdditionsAreThoseOfTheirCounts) {
  const auto term = [](uint32_t n) { return n < 2 ? 0 : n * std::log(static_cast<double>(n)); };
  int summed = 0, of_one_level = 0, left_out = 0;
  for (const int most_levels : {2, 3, 4, 7}) {
    Rng rng(static_cast<uint64_t>(most_levels));
    const Dataset data = testing::random_categorical({.variables = 40, .rows = 997, .most_levels = most_levels}, rng);
    const DiscreteTable table(data);
    for (int round = 0; round < 40; ++round) {
      const auto family = testing::random_family(data.size(), 6, rng);
      std::vector<Node> possible;
      for (Node v = 0; v < data.size(); ++v) {
        if (v != family.child && std::ranges::find(family.parents, v) == family.parents.end()) possible.push_back(v);
      }
      const auto of_counts = [&](Parents parents, const std::vector<uint32_t>& cells) {
        const size_t r = static_cast<size_t>(table.levels(family.child));
        double sum = 0;
        for (size_t first = 0; first < cells.size(); first += r) {
          uint32_t rows = 0;
          double in_configuration = 0;
          for (size_t a = first; a < first + r; ++a) {
            rows += cells[a];
            in_configuration += term(cells[a]);
          }
          sum += in_configuration - term(rows);
          of_one_level += parents.size() > 1 && rows > 0 && in_configuration == term(rows);
        }
        return sum;
      };
      std::vector<uint32_t> present;
      std::vector<Node> answered;
      double enough = 0;
      table.sum_additions(
          family.child, family.parents, possible,
          [&](const FamilyCounts& now) {
            present = now.cells;
            enough = of_counts({}, present) / 4;
          },
          [&](Node v) { return v % 3 == 0   ? 0
                               : v % 3 == 1 ? -1e300
                                            : enough; }, term,
          [&](Node v, double sum) {
            answered.push_back(v);
            ++summed;
            EXPECT_EQ(sum, of_counts(family.parents, plain_addition(data, family.child, family.parents, v)));
          },
          [&](Node v, const FamilyCounts& counts) {
            answered.push_back(v);
            std::vector<uint32_t> cells = counts.cells, plain = plain_addition(data, family.child, family.parents, v);
            std::erase(cells, 0u);  // where there would be more cells than rows, those that occur may be left
            std::erase(plain, 0u);
            EXPECT_EQ(cells, plain);
          });
      EXPECT_EQ(present, table.count(family.child, family.parents).cells);
      std::ranges::sort(answered);
      std::erase_if(possible, [&](Node v) {
        if (v % 3 != 2) return v % 3 == 0;
        if (std::ranges::binary_search(answered, v)) return false;
        ++left_out;
        return of_counts(family.parents, plain_addition(data, family.child, family.parents, v)) <= enough;
      });
      EXPECT_EQ(answered, possible);
    }
  }
  EXPECT_GT(of_one_level, 100);
  EXPECT_TRUE((summed > 500 && left_out > 500) || !can_count_columns());
}

// A family that was just counted is not counted again for its removals; that of another table is.
TEST(DiscreteTable, RemovalsAreOfTheirOwnTable) {
  Rng rng(4);
  const Dataset one = testing::random_categorical({.variables = 9, .rows = 700, .most_levels = 3}, rng);
  const Dataset other = testing::random_categorical({.variables = 9, .rows = 700, .most_levels = 3}, rng);
  const std::vector<Node> parents = {1, 4, 6};
  for (int round = 0; round < 2; ++round) {
    for (const Dataset* data : {&one, &other}) {
      const DiscreteTable table(*data);
      for (const Node child : {Node{2}, Node{3}}) {
        if (round == 1) table.count(child, parents);
        std::vector<std::vector<uint32_t>> without;
        table.count_neighbours(
            child, parents, {}, [](const FamilyCounts&) {}, [](Node, const FamilyCounts&) {},
            [&](size_t, const FamilyCounts& counts) { without.push_back(counts.cells); });
        ASSERT_EQ(without.size(), 3u);
        EXPECT_EQ(without[0], table.count(child, std::vector<Node>{4, 6}).cells);
        EXPECT_EQ(without[1], table.count(child, std::vector<Node>{1, 6}).cells);
        EXPECT_EQ(without[2], table.count(child, std::vector<Node>{1, 4}).cells);
      }
    }
  }
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
