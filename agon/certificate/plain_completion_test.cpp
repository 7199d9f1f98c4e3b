#include "agon/certificate/plain_completion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "agon/score/completion.h"
#include "agon/score/test_gaps.h"

namespace agon {
namespace {

using testing::random_with_gaps;

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// The table after `change` has seen to its columns, which are given in the order of nodes, and to its weights.
Dataset changed(const Dataset& data, const std::function<void(std::vector<Column>&, RowInfo&)>& change) {
  std::vector<Column> columns = data.columns();
  RowInfo info = data.row_info();
  change(columns, info);
  return make_dataset(std::move(columns), data.source(), std::move(info));
}

void set_code(Column& column, size_t row, uint32_t code) {
  Codes codes;
  for (size_t k = 0; k < column.codes.size(); ++k) codes.push_back(k == row ? code : column.codes[k]);
  column.codes = std::move(codes);
}

size_t first_drawn(const Column& column) {
  size_t row = 0;
  while (!column.drawn[row]) ++row;
  return row;
}

// A table of categories and one of numbers and categories, completed. Column 0 has gaps.
struct Example {
  Dataset data;
  Completion drawn;
};

Example example(double categorical) {
  Rng rng(17);
  Example out{random_with_gaps({.variables = 4, .rows = 400, .categorical = categorical, .weights = true}, rng), {}};
  out.drawn = complete_by_draws(out.data, 10, 3);
  return out;
}

std::string complaints(const Example& e, const Dataset& completed) {
  return joined(plain::check_completion(e.data, completed, {.steps = e.drawn.steps}));
}

TEST(PlainCompletion, FairDrawsPass) {
  for (uint64_t seed = 0; seed < 24; ++seed) {
    Rng rng(seed);
    const double categorical = seed % 3 == 0 ? 1 : seed % 3 == 1 ? 0.5 : 0;
    const Dataset data =
        random_with_gaps({.variables = 5, .rows = 80, .categorical = categorical, .weights = seed % 2 == 0}, rng);
    const Completion drawn = complete_by_draws(data, 60, seed);  // many draws, so that a wrong probability shows
    EXPECT_EQ(joined(plain::check_completion(data, drawn.data, {.steps = drawn.steps})), "") << "seed " << seed;
  }
}

TEST(PlainCompletion, ColumnsWithoutABlockPass) {
  const auto gap = [](Column column, std::vector<size_t> rows) {
    for (const size_t row : rows) column.missing.insert(row);
    return column;
  };
  const Dataset data = make_dataset(
      {gap(continuous_column("constant", {5, 5, 5, 5}), {0}),
       gap(categorical_column("never", {0, 1, 0, 1}), {0, 1, 2, 3}), gap(continuous_column("x", {1, 2, 3, 4}), {3})},
      "four");
  const Completion drawn = complete_by_draws(data, 10, 1);
  EXPECT_EQ(joined(plain::check_completion(data, drawn.data, {.steps = drawn.steps})), "");
}

TEST(PlainCompletion, SeesChangedCells) {
  const Example e = example(1);
  ASSERT_EQ(complaints(e, e.drawn.data), "");
  const size_t gap = first_drawn(e.drawn.data.column(0));
  size_t seen = 0;
  while (e.drawn.data.column(0).drawn[seen]) ++seen;
  const auto check = [&](const std::function<void(std::vector<Column>&, RowInfo&)>& change) {
    return complaints(e, changed(e.drawn.data, change));
  };
  EXPECT_NE(
      check([&](auto& c, auto&) { set_code(c[0], seen, c[0].codes[seen] == 0 ? 1 : 0); }).find("1 seen cell changed"),
      std::string::npos);
  EXPECT_NE(check([&](auto& c, auto&) {
              c[0].drawn = {};
              c[0].missing.insert(gap);
            }).find("1 gap left"),
            std::string::npos);
  EXPECT_NE(check([&](auto& c, auto&) { c[0].drawn.insert(seen); }).find("1 cell with a mark"), std::string::npos);
  EXPECT_NE(check([&](auto&, auto& info) { info.weights[gap] *= 1.001; }).find("weights of the copies"),
            std::string::npos);
  EXPECT_NE(check([&](auto& c, auto&) { c[0].levels[0] += "?"; }).find("other levels"), std::string::npos);
  EXPECT_NE(check([&](auto& c, auto&) { c[0].name = "other"; }).find("other columns"), std::string::npos);
  const std::vector<size_t> short_by_one = [&] {
    std::vector<size_t> rows(e.drawn.data.rows() - 1);
    for (size_t k = 0; k < rows.size(); ++k) rows[k] = k;
    return rows;
  }();
  EXPECT_NE(complaints(e, with_rows(e.drawn.data, short_by_one)).find("weights of the copies"), std::string::npos);
}

TEST(PlainCompletion, SeesNumbersThatNobodyMeasured) {
  const Example e = example(0);
  ASSERT_EQ(complaints(e, e.drawn.data), "");
  const size_t gap = first_drawn(e.drawn.data.column(0));
  EXPECT_NE(complaints(e, changed(e.drawn.data, [&](auto& c, auto&) { c[0].values[gap] = 123; })).find("never seen"),
            std::string::npos);
}

// Every gap takes the commonest level: the shares are wrong.
TEST(PlainCompletion, SeesGapsFilledWithTheCommonestLevel) {
  const Example e = example(1);
  const Dataset filled = changed(e.drawn.data, [&](auto& columns, auto&) {
    Codes codes;
    for (size_t row = 0; row < columns[0].codes.size(); ++row) {
      codes.push_back(columns[0].drawn[row] && row % 8 != 0 ? 1 : columns[0].codes[row]);
    }
    columns[0].codes = std::move(codes);
  });
  EXPECT_NE(complaints(e, filled).find("not drawn as often"), std::string::npos);
}

// The drawn cells of each column change places: the shares are right, but the draws know nothing of their rows.
TEST(PlainCompletion, SeesDrawsThatIgnoreTheRow) {
  for (const double categorical : {0.0, 1.0}) {
    const Example e = example(categorical);
    Rng rng(2);
    const Dataset shuffled = changed(e.drawn.data, [&](auto& columns, auto&) {
      for (Column& column : columns) {
        std::vector<size_t> rows;
        for (size_t row = 0; row < column.rows(); ++row) {
          if (column.drawn[row]) rows.push_back(row);
        }
        std::vector<size_t> from = rows;
        rng.shuffle(from);
        const Column old = column;
        for (size_t k = 0; k < rows.size(); ++k) {
          if (column.kind == ColumnKind::kContinuous) column.values[rows[k]] = old.values[from[k]];
        }
        Codes codes;
        for (size_t row = 0, k = 0; row < old.codes.size(); ++row) {
          codes.push_back(k < rows.size() && rows[k] == row ? old.codes[from[k++]] : old.codes[row]);
        }
        column.codes = std::move(codes);
      }
    });
    EXPECT_NE(complaints(e, shuffled).find("not drawn as often"), std::string::npos);
  }
}

}  // namespace
}  // namespace agon
