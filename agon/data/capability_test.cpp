#include "agon/data/capability.h"

#include <gtest/gtest.h>

#include "agon/base/error.h"

namespace agon {
namespace {

std::string refusal(const Capabilities& able, const Dataset& data) {
  try {
    refuse_beyond(able, data, "the score s");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

Column with_gap(Column column, size_t row) {
  column.missing.insert(row);
  return column;
}

TEST(Capability, NeedsAreWhatTheTableHolds) {
  const Column number = continuous_column("x", {1, 2, 3}), label = categorical_column("a", {0, 1, 0}),
               constant = categorical_column("one", {4, 4, 4});
  EXPECT_EQ(needs_of(Dataset{}), Capabilities{});
  EXPECT_EQ(needs_of(make_dataset({constant}, "t")), Capabilities{});
  EXPECT_EQ(needs_of(make_dataset({number, constant}, "t")), (Capabilities{.continuous = true}));
  EXPECT_EQ(needs_of(make_dataset({label}, "t")), (Capabilities{.categorical = true}));
  EXPECT_EQ(needs_of(make_dataset({label, number}, "t")), kOrdinaryTables);
  EXPECT_EQ(needs_of(make_dataset({with_gap(number, 1)}, "t")), (Capabilities{.continuous = true, .missing = true}));
  EXPECT_EQ(needs_of(make_dataset({label}, "t", {.weights = {1, 2, 1}})),
            (Capabilities{.categorical = true, .weights = true}));
  RowInfo two{.regimes = {{.name = "before"}, {.name = "after"}}};
  for (uint32_t k : {0u, 1u, 1u}) two.regime.push_back(k);
  EXPECT_EQ(needs_of(make_dataset({label}, "t", two)), (Capabilities{.categorical = true, .regimes = true}));
}

TEST(Capability, ARefusalNamesWhatWhereAndWhatToDo) {
  const Column number = continuous_column("x", {1, 2, 3}), label = categorical_column("a", {0, 1, 0});
  const Dataset both = make_dataset({number, label, categorical_column("one", {4, 4, 4})}, "t.csv");
  EXPECT_EQ(refusal(kOrdinaryTables, both), "");
  EXPECT_EQ(refusal({.categorical = true}, both),
            "t.csv: the score s cannot use continuous columns (\"x\")\n"
            "  hint: make them categories with --discrete x, or leave them out with --drop x");
  EXPECT_EQ(refusal({.continuous = true}, both),
            "t.csv: the score s cannot use categorical columns (\"a\")\n"
            "  hint: read them as numbers with --continuous a, or leave them out with --drop a");
  EXPECT_EQ(refusal({.categorical = true, .continuous = true}, both),
            "t.csv: the score s cannot use both kinds of columns in one table (categorical \"a\"; continuous \"x\")\n"
            "  hint: make the numbers categories with --discrete x, or leave them out with --drop x");
  // Text cannot be read as numbers.
  const Dataset texts = make_dataset({number, label, categorical_column("b", {0, 1, 1}, {"no", "yes"})}, "t.csv");
  EXPECT_EQ(
      refusal({.continuous = true}, texts),
      "t.csv: the score s cannot use categorical columns (\"a\", \"b\")\n"
      "  hint: read those whose labels are numbers so with --continuous a, and leave out the others with --drop b");

  RowInfo info{.weights = {1, 2, 1}, .regimes = {{.name = "drug", .targets = {"x"}}, {.name = "control"}}};
  for (uint32_t k : {0u, 1u, 1u}) info.regime.push_back(k);
  const Dataset full = make_dataset({with_gap(number, 0), with_gap(label, 2)}, "t.csv", info);
  Capabilities able = kOrdinaryTables;
  EXPECT_EQ(
      refusal(able, full),
      "t.csv: the score s cannot use missing cells (columns \"a\", \"x\"), or rows with weights, or rows of "
      "experiments (\"control\", \"drug\")\n"
      "  hint: leave out the rows that have them with --missing drop-rows, or the columns with --drop NAMES; "
      "write every row as often as it counts; give only the rows in which nothing was set, or make the experiment a "
      "variable, with --context NAME in place of --targets and --experiment");
  EXPECT_EQ(refusal({.continuous = true, .missing = true, .weights = true},
                    make_dataset({number, continuous_column("y", {1, 2, 4})}, "t.csv",
                                 {.regimes = info.regimes, .regime = info.regime})),
            "t.csv: the score s cannot use rows of experiments (\"control\", \"drug\")\n"
            "  hint: give only the rows in which nothing was set");
  able.missing = able.regimes = true;
  EXPECT_EQ(refusal(able, full),
            "t.csv: the score s cannot use rows with weights\n  hint: write every row as often as it counts");
  able.weights = true;
  EXPECT_EQ(refusal(able, full), "");
}

}  // namespace
}  // namespace agon
