#include "agon/data/dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"

namespace agon {
namespace {

using Labels = std::vector<std::string>;

std::string refusal(std::vector<Column> columns) {
  try {
    make_dataset(std::move(columns), "t");
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

TEST(Codes, WidenAndNarrow) {
  for (uint32_t largest : {255u, 256u, 65535u, 65536u, 100000u}) {
    Codes codes;
    std::vector<uint32_t> halved(largest + 1);
    for (uint32_t c = 0; c <= largest; ++c) {
      codes.push_back(c);
      halved[c] = c / 512;
    }
    for (uint32_t c = 0; c <= largest; ++c) ASSERT_EQ(codes[c], c);
    const size_t width = codes.visit([](const auto& cells) { return sizeof(cells[0]); });
    EXPECT_EQ(width, largest <= 255 ? 1u : largest <= 65535 ? 2u : 4u);
    codes.recode(halved);
    for (uint32_t c = 0; c <= largest; ++c) ASSERT_EQ(codes[c], c / 512);
    EXPECT_EQ(codes.visit([](const auto& cells) { return sizeof(cells[0]); }), 1u);
  }
}

TEST(Dataset, LevelsStandInLabelOrderAndAllOccur) {
  const Dataset d =
      make_dataset({categorical_column("x", {0, 1, 2, 4, 5, 0}, {"10", "9", "b", "never", "a", "-1.5"})}, "t");
  EXPECT_EQ(d.column(0).levels, (Labels{"-1.5", "9", "10", "a", "b"}));
  Labels cells;
  for (size_t row = 0; row < d.rows(); ++row) cells.push_back(d.column(0).levels[d.column(0).codes[row]]);
  EXPECT_EQ(cells, (Labels{"10", "9", "b", "a", "-1.5", "10"}));
}

TEST(Dataset, OrderOfColumnsDoesNotMatter) {
  std::vector<Column> columns = {categorical_column("a", {0, 1, 1}), continuous_column("b", {1.5, 2, 3}),
                                 categorical_column("c", {1, 1, 0}), continuous_column("d", {-1, 0, 1})};
  const Dataset first = make_dataset(columns, "t");
  std::reverse(columns.begin(), columns.end());
  const Dataset second = make_dataset(columns, "t");
  EXPECT_EQ(first.names(), second.names());
  EXPECT_EQ(first.checksum(), second.checksum());
  for (int node = 0; node < first.size(); ++node) {
    EXPECT_EQ(first.index_of(first.column(node).name), node);
    EXPECT_EQ(first.column(node).file_index, 3 - second.column(node).file_index);
  }
  Labels in_file;
  for (int node : second.file_order()) in_file.push_back(second.column(node).name);
  EXPECT_EQ(in_file, (Labels{"d", "c", "b", "a"}));
  EXPECT_EQ(first.index_of("nobody"), -1);
}

TEST(Dataset, ChecksumSeesEveryCellNameAndRowOrder) {
  const std::string base =
      make_dataset({continuous_column("a", {1, 2}), categorical_column("b", {0, 1})}, "t").checksum();
  EXPECT_EQ(base.size(), 16u);
  EXPECT_EQ(make_dataset({continuous_column("a", {1, 2}), categorical_column("b", {0, 1})}, "u").checksum(), base);
  EXPECT_NE(make_dataset({continuous_column("a", {1, 3}), categorical_column("b", {0, 1})}, "t").checksum(), base);
  EXPECT_NE(make_dataset({continuous_column("a", {2, 1}), categorical_column("b", {1, 0})}, "t").checksum(), base);
  EXPECT_NE(make_dataset({continuous_column("a", {1, 2}), categorical_column("b", {0, 1}, {"0", "2"})}, "t").checksum(),
            base);
  EXPECT_NE(make_dataset({continuous_column("A", {1, 2}), categorical_column("b", {0, 1})}, "t").checksum(), base);
  EXPECT_EQ(make_dataset({continuous_column("z", {0.0, 1})}, "t").checksum(),
            make_dataset({continuous_column("z", {-0.0, 1})}, "t").checksum());
}

TEST(Dataset, GateRefusesWhatCannotBeUsed) {
  EXPECT_EQ(refusal({continuous_column("a", {1}), continuous_column("b", {1}), continuous_column("a", {2})}),
            "t: columns 1 and 3 are both named \"a\"\n  hint: give each column a name of its own");
  EXPECT_EQ(refusal({continuous_column("a", {1}), continuous_column(" \t", {1})}).substr(0, 25),
            "t: column 2 has no name\n ");
  EXPECT_EQ(refusal({continuous_column("a", {1, 2}), continuous_column("b", {1})}),
            "t: column \"b\" has 1 rows, column \"a\" has 2");
  EXPECT_EQ(refusal({continuous_column("a", {1, INFINITY})}), "t: column \"a\": row 2 is not a finite number");
  EXPECT_EQ(refusal({continuous_column("a", {NAN})}), "t: column \"a\": row 1 is not a finite number");
}

TEST(Dataset, Constants) {
  EXPECT_TRUE(categorical_column("a", {0, 0}).is_constant());
  EXPECT_FALSE(categorical_column("a", {0, 1}).is_constant());
  EXPECT_TRUE(continuous_column("a", {2.5, 2.5}).is_constant());
  EXPECT_FALSE(continuous_column("a", {2.5, 2.5, 2}).is_constant());
}

}  // namespace
}  // namespace agon
