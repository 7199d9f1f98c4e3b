#include "agon/data/csv.h"

#include <gtest/gtest.h>

#include <sstream>

#include "agon/base/error.h"

namespace agon {
namespace {

TEST(Csv, FindsKindsAndLevels) {
  const Dataset d = read_csv_text("a,b,c\n1,x,0.5\n1.0,y,1\n0,x,2\n", "t").data;
  ASSERT_EQ(d.rows(), 3u);
  const Column& a = d.column(d.index_of("a"));
  EXPECT_EQ(a.kind, ColumnKind::kCategorical);
  EXPECT_EQ(a.levels, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(d.column(d.index_of("b")).levels, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(d.column(d.index_of("c")).values, (std::vector<double>{0.5, 1, 2}));
}

}  // namespace
}  // namespace agon
