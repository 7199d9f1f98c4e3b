#include "agon/data/moment_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "agon/base/error.h"

namespace agon {
namespace {

double covariance(const Dataset& data, const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0, mean_x = 0, mean_y = 0;
  for (size_t row = 0; row < data.rows(); ++row) {
    mean_x += data.weight(row) * x[row];
    mean_y += data.weight(row) * y[row];
    sum += data.weight(row) * x[row] * y[row];
  }
  const double n = data.total_weight();
  return sum / n - mean_x / n * mean_y / n;
}

TEST(MomentTable, ItsRowsHaveTheCovarianceGiven) {
  const MomentTable given = read_covariance_text(",x,y,z\nx,4,1,0\ny,1,9,-2\nz,0,-2,1\n", "c.csv", {.rows = 250});
  const Dataset& data = given.data;
  ASSERT_TRUE(data.is_summary());
  EXPECT_NEAR(data.total_weight(), 250, 1e-9);
  const auto at = [&](const char* a, const char* b) {
    return covariance(data, data.column(data.index_of(a)).values, data.column(data.index_of(b)).values);
  };
  EXPECT_NEAR(at("x", "x"), 4, 1e-12);
  EXPECT_NEAR(at("x", "y"), 1, 1e-12);
  EXPECT_NEAR(at("y", "y"), 9, 1e-12);
  EXPECT_NEAR(at("y", "z"), -2, 1e-12);
  EXPECT_NEAR(at("x", "z"), 0, 1e-12);
}

// Kruskal 1958: the correlation behind Spearman's 1/2 is 2 sin(pi / 12).
TEST(MomentTable, SpearmanBecomesTheCorrelationOfTheCopula) {
  const Dataset data =
      read_covariance_text("name,x,y\nx,1,0.5\ny,0.5,1\n", "s.csv", {.rows = 9, .spearman = true}).data;
  EXPECT_NEAR(covariance(data, data.column(0).values, data.column(1).values), 2 * std::sin(std::acos(-1.0) / 12), 1e-9);
}

TEST(MomentTable, IndicatorsOfACategoryAreOneVariable) {
  const MomentTable given =
      read_covariance_text("x;A=a;A=b\nx;1;0.1;-0.1\nA=a;0.1;0.25;-0.25\nA=b;-0.1;-0.25;0.25\n", "c.csv", {.rows = 40});
  EXPECT_EQ(given.data.size(), 2);
  EXPECT_EQ(given.data.column(given.data.index_of("A")).more.size(), 1u);
  ASSERT_EQ(given.notes.size(), 1u);
  EXPECT_NE(given.notes[0].find("\"A\""), std::string::npos);
}

TEST(MomentTable, SaysWhatIsWrongAndWhere) {
  const auto says = [](const std::string& text, const std::string& part) {
    try {
      read_covariance_text(text, "c.csv", {.rows = 10});
      ADD_FAILURE() << text << " was taken";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  says("", "nothing");
  says(",x,y\nx,1,0\n", "2 names and 1 rows");
  says(",x,y\nx,1,0\nz,0,1\n", "c.csv:3");
  says(",x,y\nx,1,NA\ny,0,1\n", "\"NA\" is not a number");
  says(",x,y\nx,1,0.3\ny,0.2,1\n", "symmetric");
  says(",x,y\nx,-1,0\ny,0,1\n", "variance");
  says(",x,y\nx,1,2\ny,2,1\n", "positive semidefinite");
  says(",x,y\nx,1,0,5\ny,0,1\n", "c.csv:2");
  says(",x,x\nx,1,0\nx,0,1\n", "\"x\"");
}

}  // namespace
}  // namespace agon
