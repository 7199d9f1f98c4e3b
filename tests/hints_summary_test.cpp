// What `agon summarize`, and every command that is given a summary, say about bad input; and what a user then does.

#include <regex>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/data/dataset.h"
#include "agon/data/summary.h"
#include "agon/parquet/test_file.h"
#include "tests/advice.h"
#include "tests/program.h"
#include "tests/results.h"

namespace agon::testing {
namespace {

// Numbers and codes; the last row is an odd one.
std::string rows_and(const std::string& last) {
  Rng rng(8);
  std::string text = "x,a\n";
  for (int row = 0; row < 10'500; ++row)
    text += std::to_string(rng.normal()) + "," + std::to_string(rng.below(3)) + "\n";
  return text + last;
}
std::string levels(int number) {
  std::string text = "x,a\n";
  for (int row = 0; row < 10 * number; ++row)
    text += std::to_string(row * 0.37) + ",l" + std::to_string(row % number) + "\n";
  return text;
}
const std::string kPlain = "x,y\n1.5,2\n2.5,1\n0.5,7\n";
const std::string kGaps = "x,y\n1.5,2\n2.5,\n0.5,7\n";
const std::string kSum = "summarize t.csv --out t.summary";

const std::string kAndThen = " && '" AGON_BINARY "' ";

INSTANTIATE_TEST_SUITE_P(
    Summaries, Hints,
    ::testing::Values(
        Advice{"NoFile", kPlain, "summarize t.csv", "name the file for the summary", kSum},
        Advice{"AGap", kGaps, kSum, "--missing drop-rows leaves out the rows that have gaps, --drop y the column",
               kSum + " --missing drop-rows"},
        Advice{"AGapInAColumn", kGaps, kSum, "--drop y the column", kSum + " --drop y"},
        Advice{"NoCompleteRow", "x,y\n1.5,\n2.5,\n0.5,\n", kSum + " --missing drop-rows",
               "leave out what is mostly missing: --drop NAMES", kSum + " --drop y"},
        Advice{"AFraction", rows_and("0.5,1.25\n"), kSum,
               "--continuous a takes it as numbers, --discrete a every number as a level", kSum + " --continuous a"},
        Advice{"AFractionAsALevel", rows_and("0.5,1.25\n"), kSum, "--discrete a every number as a level",
               kSum + " --discrete a"},
        Advice{"TooManyLevels", levels(300), kSum, "--drop a omits it; --continuous a takes it as numbers",
               kSum + " --drop a"},
        Advice{"OnlyNames", "id\nmonday's\ntuesday's\nfriday's\n", kSum, "--discrete NAMES takes text as categories",
               kSum + " --discrete id"},
        Advice{"LargeNumbers", "x,y\n1e200,2\n-1e200,1\n2,7\n", kSum, "rescale it, or --drop it", kSum + " --drop x"},
        Advice{"PartsOfASummary", kPlain, "summarize t.summary --parts 20 --out s.summary",
               "give --parts to the commands that read the tables", kSum + " --parts 20", "", kSum},
        Advice{"OptionsOfATable", kPlain, "run hc t.summary --drop x",
               "pass it to agon summarize, which reads the rows", kSum + " --drop x" + kAndThen + "run hc t.summary",
               "", kSum},
        Advice{"AScoreOfRanks", kPlain, "run hc t.summary --score copula-bic",
               "--score gaussian-bic takes the numbers as they are", "run hc t.summary --score gaussian-bic", "", kSum},
        Advice{"AScoreOfCounts", kPlain, "run hc t.summary --score qnml",
               "--score mixed-bic takes a matrix, also one of indicators", "run hc t.summary --score mixed-bic", "",
               kSum},
        Advice{"TooFewParts", kPlain, "run hc t.summary --bootstrap 3",
               "omit --bootstrap; agon summarize --parts keeps what it can resample", "run hc t.summary", "", kSum}),
    kAdviceName);

TEST(HintsOfParquet, CanBeFollowed) {
  Sandbox box;
  const auto refused = [&](const std::string& arguments, const std::string& what, const std::string& hint) {
    const Outcome found = box.agon("summarize " + arguments + " --out t.summary");
    EXPECT_EQ(found.code, 3) << arguments;
    EXPECT_PRED2(contains, found.err, what);
    EXPECT_PRED2(contains, found.err, hint);
  };
  parquet::TestFile file{.columns = {parquet::test_numbers("x", {1, 2, 4, 3}),
                                     parquet::test_texts("s", {"3", "1", "few", "2"}),
                                     parquet::test_integers("n", {1, 2, 3, 4})}};
  file.columns[2].repetition = 2;
  box.write("t.parquet", file.bytes());
  refused("t.parquet", "column \"n\" holds lists", "--drop n omits it");
  refused("t.parquet --drop n --continuous s", "t.parquet, row 3: column \"s\": found \"few\", expected a number",
          "--discrete s takes every value as a level");
  EXPECT_EQ(box.agon("summarize t.parquet --drop n --discrete s --out t.summary").code, 0);
  const Outcome piped =
      box.agon("--version && (cat t.parquet" + std::string(" | '" AGON_BINARY "' summarize - --out s)"));
  EXPECT_EQ(piped.code, 3);
  EXPECT_PRED2(contains, piped.err, "whose end must be read first");
  EXPECT_PRED2(contains, piped.err, "save it to a file, and name the file");
  file.columns[2] = parquet::test_numbers("n", {1, 2, 3, 4});
  file.columns[2].encoding = 5;
  box.write("t.parquet", file.bytes());
  refused("t.parquet", "row group 1, column \"n\"", "the file was damaged or cut short; write it again");
  box.write("t.parquet", file.bytes().substr(0, 60));
  refused("t.parquet", "does not end as Parquet does", "it may have been cut short, or is still being written");
  std::filesystem::create_directory(box.path("folder"));
  refused("folder", "is a folder without Parquet files", "name the tables in it");
  file.columns[2].encoding = 0;
  box.write("folder/a.parquet", file.bytes());
  box.write("folder/b.parquet", file.bytes());
  EXPECT_PRED2(contains, box.agon("summarize folder --discrete s --out t.summary").out, "8 rows, 3 columns");
}

const std::string kGapsOfCategories = "a,b\nu,v\nu,\nw,v\n";
INSTANTIATE_TEST_SUITE_P(CountedGaps, Hints,
                         ::testing::Values(Advice{
                             "GapsAreCounted", kGapsOfCategories, "run hc t.summary --missing drop-rows",
                             "pass it to agon summarize; --missing em, draws and level take the gaps as they are",
                             "run hc t.summary --missing level", "", kSum}),
                         kAdviceName);

// A table t.csv beside another, u.csv (`before`), of which there is a summary.
class SecondSummary : public ::testing::TestWithParam<Advice> {};
TEST_P(SecondSummary, CanBeFollowed) {
  const Advice& advice = GetParam();
  Sandbox box;
  box.write("t.csv", advice.table);
  box.write("u.csv", advice.before);
  ASSERT_EQ(box.agon("summarize u.csv --out u.summary --quiet").code, 0);
  const Outcome refused = box.agon(advice.command);
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_PRED2(contains, refused.err, advice.hint);
  EXPECT_FALSE(box.has("s.summary")) << "nothing is written";
  const Outcome followed = box.agon(advice.follow_up);
  EXPECT_EQ(followed.code, 0) << followed.err;
}
const std::string kBoth = "summarize u.summary t.csv --out s.summary";
INSTANTIATE_TEST_SUITE_P(
    Summaries, SecondSummary,
    ::testing::Values(Advice{"OtherColumns", kPlain, kBoth,
                             "only summaries of the same columns can be added; --drop leaves columns out",
                             "summarize u.summary t.csv --drop y --out s.summary", "", "x\n1\n2.5\n4\n"},
                      Advice{"OtherTables", kPlain, "summarize u.csv t.csv --out s.summary",
                             "only tables of the same columns can be added up", "summarize t.csv --out s.summary", "",
                             "x\n1\n2.5\n4\n"},
                      Advice{"OtherKinds", "x,y\n1.5,0\n2.5,1\n0.5,1\n", kBoth,
                             "summarize all parts with --discrete y, or all with --continuous y",
                             "summarize u.csv t.csv --continuous y --out s.summary", "", kPlain},
                      Advice{"OtherExperiments", "x,y,set\n1.5,1.5,x\n2,3,none\n7,1,none\n",
                             "summarize u.summary t.csv --targets set --out s.summary",
                             "summarize all parts with the same --targets, --experiment and --within",
                             "summarize t.csv --targets set --out s.summary", "", kPlain},
                      Advice{"OtherWeights", "x,y,w\n1.5,1.5,1\n2,3,2\n7,1,3\n",
                             "summarize u.summary t.csv --weights w --out s.summary",
                             "summarize all parts with the same --weights",
                             "summarize t.csv --weights w --out s.summary", "", kPlain}),
    kAdviceName);

TEST(HintsOfSummaries, OneExperimentIsOneExperiment) {
  Sandbox box;
  const std::string rows = "x,y,e\n1.5,1.5,drug\n2,3,drug\n7,1,none\n6,2,none\n";
  box.write("t.csv", rows);
  box.write("a.csv", "experiment,targets\ndrug,x\n");
  box.write("b.csv", "experiment,targets\ndrug,y\n");
  ASSERT_EQ(box.agon("summarize t.csv --experiment e --targets a.csv --out a.summary").code, 0);
  const Outcome refused = box.agon("summarize a.summary t.csv --experiment e --targets b.csv --out s.summary");
  EXPECT_EQ(refused.code, 3);
  EXPECT_PRED2(contains, refused.err, "experiments of one name are the same experiment; say the same of it everywhere");
  EXPECT_EQ(box.agon("summarize a.summary t.csv --experiment e --targets a.csv --out s.summary").code, 0);
}

TEST(HintsOfSummaries, OfFilesThatWereCutShortOrChanged) {
  Sandbox box;
  box.write("t.csv", kPlain);
  ASSERT_EQ(box.agon(kSum).code, 0);
  const std::string good = box.read("t.summary");
  const auto refused = [&](const std::string& text, const std::string& hint) {
    box.write("t.summary", text);
    const Outcome found = box.agon("discover t.summary --out d");
    EXPECT_EQ(found.code, 3) << found.err;
    EXPECT_PRED2(contains, found.err, hint);
    EXPECT_FALSE(box.has("d")) << "nothing is written";
  };
  refused(good.substr(0, good.size() / 2), "make it or copy it again");
  refused(std::regex_replace(good, std::regex("continuous"), "categorical"), "make it or copy it again");
  refused("agon summary 99 1 0123456789abcdef\n", "make the summary again with agon summarize");
  refused("agon summary 1 3 " + hex64(hash_text("{}\n")) + "\n{}\n", "agon summarize makes one");
  EXPECT_EQ(box.agon(kSum).code, 0);
  EXPECT_EQ(box.agon("discover t.summary --out d --moves 100").code, 0);
}

TEST(HintsOfSummaries, OfAFolderToWatch) {
  Sandbox box;
  box.write("t.csv", kPlain);
  EXPECT_PRED2(contains, box.agon("report --watch t.csv").err, "--watch takes the folder that agon.league writes to");
  ASSERT_EQ(box.agon("run hc t.csv --out r").code, 0);
  EXPECT_PRED2(contains, box.agon("report r --results 1").err, "add --watch");
  EXPECT_EQ(box.agon("report --watch r --results 1").code, 0);
}

TEST(HintsOfSummaries, OfTooManyDistinctRows) {
  // Too many for a test of the program: 20 columns of 256 rows by 20 flips would do, so the sums are made by hand.
  Summary sum;
  sum.form = SummaryForm::kCounts;
  for (int c = 0; c < 4; ++c) {
    SummaryColumn& column = sum.columns.emplace_back();
    column = {.name = "c" + std::to_string(c), .kind = ColumnKind::kCategorical};
    for (int l = 0; l < 32; ++l) column.levels.push_back(std::to_string(l));
  }
  sum.regimes.emplace_back();
  Sums& sums = sum.parts.emplace_back().emplace_back();
  for (uint32_t k = 0; k <= kMostCells; ++k) sums.cells[{k & 31, k >> 5 & 31, k >> 10 & 31, k >> 15 & 31}] = 1;
  sums.rows = sums.weight = sums.squares = static_cast<double>(sums.cells.size());
  Summary one = sum;
  one.parts[0][0] = Sums{.rows = 1, .weight = 1, .squares = 1, .mean = {}, .scatter = {}, .cells = {{{0, 0, 0, 0}, 1}}};
  try {
    add(sum, one);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_PRED2(contains, error.what(),
                 "--moments keeps means and products of indicators instead of distinct rows; or --drop columns of many "
                 "levels");
  }
}

}  // namespace
}  // namespace agon::testing
