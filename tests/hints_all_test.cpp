// The rest of the advice, so that every hint in the sources is followed by some test: tests/hints looks after that.

#include <sys/stat.h>

#include <cstring>

#include "agon/agent/challengers.h"
#include "agon/base/error.h"
#include "agon/data/capability.h"
#include "agon/data/dataset.h"
#include "agon/data/records.h"
#include "agon/graph/formats.h"
#include "agon/run/knowledge_settings.h"
#include "tests/advice.h"
#include "tests/program.h"
#include "tests/results.h"

namespace agon::testing {
namespace {

// Numbers x, text y of three levels, whole numbers z of four, all of them often.
std::string two_kinds() {
  Rng rng(6);
  std::string text = "x,y,z\n";
  for (int row = 0; row < 60; ++row) {
    text += std::to_string(rng.normal()) + "," + "abc"[rng.below(3)] + "," + std::to_string(rng.below(4)) + "\n";
  }
  return text;
}
std::string with_counts(bool written_out) {
  std::string text = written_out ? "x,y\n" : "x,y,n,m\n";
  for (int row = 0; row < 40; ++row) {
    const std::string cells = std::to_string(row % 2) + "," + std::to_string(row / 2 % 2);
    if (!written_out) text += cells + "," + std::to_string(1 + row % 3) + ",2\n";
    for (int k = 0; written_out && k <= row % 3; ++k) text += cells + "\n";
  }
  return text;
}
std::string on_plates() {
  Rng rng(8);
  std::string text = "x,y,set,plate\n";
  for (int row = 0; row < 60; ++row) {
    text += std::to_string(rng.normal()) + "," + std::to_string(rng.normal()) + (row % 2 ? ",y," : ",none,") +
            (row % 3 ? "left side" : "right side") + "\n";
  }
  return text;
}
std::string only_observed() {
  std::string out;
  std::istringstream lines(experiments_table());
  for (std::string line; std::getline(lines, line);) {
    if (lacks(line, ",y,") || out.empty()) out += line + "\n";
  }
  return out;
}
// x and z of 17 levels each.
std::string many_levels() {
  std::string text = "x,y,z\n";
  for (int row = 0; row < 1700; ++row) {
    text +=
        "a" + std::to_string(row % 17) + "," + std::to_string(row % 2) + ",b" + std::to_string(row / 17 % 17) + "\n";
  }
  return text;
}
// More columns than some limits, and few rows.
std::string wide_table(int columns) {
  Rng rng(7);
  std::string text;
  for (int row = -1; row < 5; ++row) {
    for (int v = 0; v < columns; ++v) {
      text += (v ? "," : "") + (row < 0 ? "v" + std::to_string(v) : std::to_string(rng.below(2)));
    }
    text += "\n";
  }
  return text;
}
const std::string kQuickly = "discover t.csv --moves 100 --bootstrap 0 --quiet";

INSTANTIATE_TEST_SUITE_P(
    Tables, Hints,
    ::testing::Values(
        Advice{"AMarkerOrLabels", numbers("x,y,z", "O,1.5,2.5\n"), "run hc t.csv --missing error",
               "if \"O\" marks a missing value, pass --na O", "run hc t.csv --na O"},
        Advice{"AnotherMark", "x,y\n1,2\n\"1,24\",3\n5,6\n", "run hc t.csv",
               "if the comma is its decimal mark, pass --decimal comma", "run hc t.csv --decimal comma"},
        Advice{"Thousands", "x,y\n1.5,2\n\"12,34,567.5\",3\n5,6\n", "run hc t.csv",
               "write numbers without separators of thousands", "run hc t.csv", "x,y\n1.5,2\n1234567.5,3\n5,6\n"},
        Advice{"ASign", "x,a\001b\n1,2\n2,1\n", "run hc t.csv",
               "a table is expected as text, one row per line (CSV or TSV)", "run hc t.csv", "x,y\n1,2\n2,1\n"},
        Advice{"TwoNumbersInTheHeader", "1,2,1\n1,2,3\n3,2,2\n", "run hc t.csv",
               "pass --no-header if the first line is data, not names", "run hc t.csv --no-header"},
        Advice{"TwoOfAName", "x,y,x\n1,2,3\n3,2,1\n", "run hc t.csv", "give each column a name of its own",
               "run hc t.csv", "x,y,z\n1,2,3\n3,2,1\n"},
        Advice{"CountsAndWeights", with_counts(false), "run hc t.csv --counts n --weights m",
               "multiply them into one column, and name that in --weights", "run hc t.csv --weights nm",
               "x,y,nm\n0,0,2\n1,0,4\n0,1,6\n1,1,2\n"},
        Advice{"BlankLines", "\n\n\n", "run hc t.csv", "expected a line of column names, then rows", "run hc t.csv",
               "x,y\n1,2\n2,1\n"},
        Advice{"NoRows", "x,y\n", "run hc t.csv",
               "expected rows after the header; pass --no-header if the first line is data", "run hc t.csv",
               "x,y\n1,2\n2,1\n"},
        Advice{"NothingIsLeft", small_table(), "run hc t.csv --drop x,y,z", "drop fewer columns",
               "run hc t.csv --drop x,y"},
        Advice{"ARowFromNowhere", "x,y,day\n1,2,a\n2,1,\n1,1,a\n", "run hc t.csv --within day",
               "say for every row where it comes from", "run hc t.csv --within day", "x,y,day\n1,2,a\n2,1,b\n1,1,a\n"},
        Advice{"AnUnevenHeader", "x,y\n1.5,1,8\n2,3,5\n", "run hc t.csv",
               "is a name missing from the header, or is there an extra delimiter in the rows?", "run hc t.csv",
               "x,y,z\n1.5,1,8\n2,3,5\n"},
        Advice{"AnOpenQuote", "x,\"y\n1,2\n2,1\n", "run hc t.csv",
               "double a quote inside a quoted cell, or pass --quote none if quotes are ordinary characters",
               "run hc t.csv --quote none"},
        Advice{"AQuoteWithin", "x,\"y\"z\"\n1,2\n2,1\n", "run hc t.csv", "double a quote inside a quoted cell",
               "run hc t.csv", "x,\"y\"\"z\"\n1,2\n2,1\n"},
        Advice{"ADelimiterTooMany", "x,y,\n1,2,5\n2,1,\n", "run hc t.csv",
               "do the lines end with an extra delimiter? if not, name the column", "run hc t.csv", "x,y\n1,2\n2,1\n"},
        Advice{"ABlankName", "x,,y\n1,2,3\n2,1,1\n", "run hc t.csv",
               "name every column in the header, or pass --no-header if there is none", "run hc t.csv",
               "x,y,z\n1,2,3\n2,1,1\n"},
        Advice{"AlwaysSet", "x,y,set\n1,0,x\n0,1,x\n1,1,x\n", "run hc t.csv --targets set",
               "leave the column out, or add rows in which it was not set", "run hc t.csv --targets set",
               "x,y,set\n1,0,x\n0,1,x\n1,1,none\n0,0,none\n"},
        Advice{"WeightsTooFarApart", "x,y,w\n1,2,1e-300\n2,1,1e300\n1,1,1e300\n", "run hc t.csv --weights w",
               "set the least to 0: their rows are then left out", "run hc t.csv --weights w",
               "x,y,w\n1,2,0\n2,1,1e300\n1,1,1e300\n"},
        Advice{"NoWeights", "x,y,w\n1,2,0\n2,1,0\n1,1,0\n", "run hc t.csv --counts w",
               "--counts names a column that says how often each row counts", "run hc t.csv --counts w",
               "x,y,w\n1,2,3\n2,1,1\n1,1,2\n"},
        Advice{"AFolder", small_table(), "run hc .", "name a CSV or TSV file in it", "run hc ./t.csv"},
        Advice{"AnArray", "\x93NUMPY\x01", "run hc t.csv",
               "write it as CSV first, or read it in Python: agon.discover(numpy.load(FILE))", "run hc t.csv",
               "x,y\n1,2\n2,1\n"}),
    kAdviceName);

INSTANTIATE_TEST_SUITE_P(
    Kinds, Hints,
    ::testing::Values(
        Advice{"NumbersForAScoreOfCategories", numbers("x,y,z"), "run hc t.csv --score discrete-bic",
               "make them categories with --discrete x,y,z, or leave them out with --drop x,y,z",
               "run hc t.csv --score discrete-bic --discrete x,y,z"},
        Advice{"TextForAScoreOfNumbers", two_kinds(), "run hc t.csv --score gaussian-bic",
               "leave them out with --drop y", "run hc t.csv --score gaussian-bic --drop y"},
        Advice{"LabelsThatAreNumbers", two_kinds(), "run anm t.csv --drop y",
               "read them as numbers with --continuous z, or leave them out with --drop z",
               "run anm t.csv --drop y --continuous z"},
        Advice{"SomeLabelsAreNumbers", two_kinds(), "run anm t.csv",
               "read those whose labels are numbers so with --continuous z, and leave out the others with --drop y",
               "run anm t.csv --continuous z --drop y"},
        Advice{"AMatrixForRows", ",x,y\nx,1,0.5\ny,0.5,1\n", "run anm t.csv --covariance --rows 60",
               "pass the rows that it was computed from", "run anm t.csv", numbers("x,y,z")},
        Advice{"CountsForRows", with_counts(false), "run anm t.csv --counts n --drop m",
               "write every row as often as it counts", "run anm t.csv", with_counts(true)},
        Advice{"AContextForExperiments", experiments_table(), "run pc t.csv --targets set --drop day",
               "or make the experiment a variable, with --context NAME in place of --targets and --experiment",
               "run pc t.csv --context set --drop day"},
        Advice{"ObservationsForExperiments", experiments_table(), "run anm t.csv --targets set --drop day",
               "give only the rows in which nothing was set", "run anm t.csv --drop set,day", only_observed()},
        Advice{"AnUnknownTest", small_table(), "run pc t.csv --test zzzz", "the tests are g2, chi2",
               "run pc t.csv --test g2"},
        Advice{"ATestOfNumbers", small_table(), "run pc t.csv --test fisher-z", "for these there are g2, chi2",
               "run pc t.csv --test chi2"},
        Advice{"APriceOfBic", small_table(), "run hc t.csv --score qnml --penalty 2",
               "pass --score discrete-bic or discrete-bic-seen", "run hc t.csv --score discrete-bic --penalty 2"},
        Advice{"WithIt", small_table(), "run hc t.csv --score fnml --ess 2", "bdeu or bds with it",
               "run hc t.csv --score bds --ess 2"},
        Advice{"AScoreThatTellsMembersApart", small_table(), "run ges t.csv --score fnml",
               "these take any score: tabu, hc", "run hc t.csv --score fnml"},
        Advice{"TooWideForLinearPrograms", wide_table(129), "run lp t.csv", "these take any number: ges, boss",
               "run ges t.csv"},
        Advice{"TestsOfASearch", small_table(), "run tabu t.csv --test g2",
               "it belongs to algorithms that test independences: pc, fci", "run fci t.csv --test g2"},
        Advice{"TooWideForThePosterior", wide_table(1001), "run none t.csv --posterior",
               "omit --posterior; --bootstrap gives shares of edges", "run none t.csv"},
        Advice{"TooWideForTheMemory", wide_table(420), "run none t.csv --memory-limit 2M",
               "leave columns out with --drop NAMES or --exclude-var FILE",
               "run none t.csv --memory-limit 2M --exclude-var names.txt", "",
               "list formats && head -n 1 t.csv | tr , '\\n' | tail -n 400 >names.txt; true"},
        Advice{"NoRowsToDraw", ",x,y\nx,1,0.5\ny,0.5,1\n", "run hc t.csv --covariance --rows 60 --bootstrap 3",
               "omit --bootstrap", "run hc t.csv --covariance --rows 60"}),
    kAdviceName);

INSTANTIATE_TEST_SUITE_P(
    Names, Hints,
    ::testing::Values(
        Advice{"AlgorithmsThereAre", small_table(), "run zzzz t.csv", "the algorithms are ges, boss", "run boss t.csv"},
        Advice{"ScoresThereAre", small_table(), "run hc t.csv --score zzzz", "the scores are ",
               "run hc t.csv --score bdeu"},
        Advice{"CommandsThereAre", "", "zzzzz", "the commands are discover, run", "run --help"},
        Advice{"ATableForACommand", "", "asia --moves 100", "to find the graph of this table: agon discover asia",
               "discover asia --moves 100 --rows 200"},
        Advice{"ListsThereAre", "", "list zzzz", "there are lists of datasets, ", "list datasets"},
        Advice{"LevelsThereAre", "", "sample asia -n 5 --do smoke=zzzzzz", "its levels are yes, no",
               "sample asia -n 5 --do smoke=no"},
        Advice{"DataSetsOfTheSuite", "", "bench --suite paper --only zzzz --out b", "its data sets are asia, ",
               "bench --suite paper --only asia --quick --algorithms ges --samples 1 --out b"},
        Advice{"NetworksOfTheSuite", "", "bench --suite scores --only zzzz --quick", "its networks are asia, ",
               "list datasets"},
        Advice{"AnOptionOfTheSuite", "", "bench --only asia", "it belongs to --suite paper",
               "bench --suite paper --only asia --quick --algorithms ges --samples 1 --out b"},
        Advice{"FiguresOfATheorem", "", "verify theorem1 --json", "--out DIR writes all figures as CSV",
               "verify --help"}),
    kAdviceName);

INSTANTIATE_TEST_SUITE_P(
    Sources, Hints,
    ::testing::Values(Advice{"ADoForSoft", "", "sample asia -n 5 --intervention soft", "add --do VARIABLE=LEVEL",
                             "sample asia -n 5 --intervention soft --do smoke=yes"},
                      Advice{"ATakenName", "", "sample asia -n 5 --do smoke=yes --targets smoke", "choose another name",
                             "sample asia -n 5 --do smoke=yes --targets set"},
                      Advice{"TargetsOfAFile", experiments_table(), "run hc t.csv --targets",
                             "name the column that says what was set: --targets NAME", "run hc t.csv --targets set"},
                      Advice{"AFileOfTargets", experiments_table(), "run hc t.csv --drop set --targets k.csv",
                             "a file of targets goes with --experiment NAME",
                             "run hc t.csv --drop set --experiment day --targets k.csv", "",
                             "list formats && printf 'experiment,targets\\na,y\\n' >k.csv && true"},
                      Advice{"LabelsOfExperiments", on_plates(), "run hc t.csv --drop set --targets plate",
                             "what stands for targets names them, or is empty where nothing was set",
                             "run hc t.csv --drop plate --targets set"},
                      Advice{"AContextIsAVariable", experiments_table(), "run hc t.csv --targets set --context set",
                             "a column that labels or weights rows is none", "run hc t.csv --drop set --context day"},
                      Advice{"NoBatches", experiments_table(), "run hc t.csv --within none",
                             "--targets or --experiment name them", "run hc t.csv --targets set --within none"},
                      Advice{"NothingWasSet", experiments_table(), "run hc t.csv --intervention soft",
                             "--targets says what was set where", "run hc t.csv --intervention soft --targets set"},
                      Advice{"TargetsOfItsOwn", "", "run hc sachs-experiments --rows 500 --targets PKC",
                             "leave out the value of --targets; --within none ignores the batches",
                             "run hc sachs-experiments --rows 500 --targets --within none"},
                      Advice{"NoExperiments", "", "run hc sachs --targets", "sachs-experiments has them",
                             "run hc sachs-experiments --rows 500 --targets"},
                      Advice{"NothingIsDrawn", "", "run hc sachs --data-seed 3", "--rows N draws some of its rows",
                             "run hc sachs --data-seed 3 --rows 500"},
                      Advice{"AFileOfThatName", small_table(), "run hc asia --drop x",
                             "to read a file of that name: ./asia", "doctor ./t.csv --drop x"},
                      Advice{"CovarianceOrRanks", ",x,y\nx,1,0.5\ny,0.5,1\n",
                             "run hc t.csv --covariance --spearman --rows 60", "pass one of them",
                             "run hc t.csv --spearman --rows 60"},
                      Advice{"RowsOfAMatrix", ",x,y\nx,1,0.5\ny,0.5,1\n", "run hc t.csv --covariance",
                             "say how many rows the matrix was computed from", "run hc t.csv --covariance --rows 60"},
                      Advice{"ProveAndNot", small_table(), kQuickly + " --prove --no-prove", "omit one of them",
                             kQuickly + " --no-prove"},
                      Advice{"DreamFromSynapse", small_table(), "run hc dream4 --folder nowhere",
                             "DREAM4 comes from Synapse (syn3049712, free registration)", "list datasets"},
                      Advice{"FormatsWithoutAFolder", small_table(), "run hc t.csv --format dot",
                             "--out DIR names the folder to write to; --out . is this one",
                             "run hc t.csv --format dot --out ."},
                      Advice{"AFolderInThePrefix", small_table(), "run hc t.csv --out r --prefix a/b",
                             "--out DIR names the folder", "run hc t.csv --out r/a --prefix b"},
                      Advice{"AFolderThatIsNotMine", small_table(), "run hc t.csv --out /sys/agon",
                             "choose a folder that you may write to", "run hc t.csv --out r"}),
    kAdviceName);

INSTANTIATE_TEST_SUITE_P(
    Results, Hints,
    ::testing::Values(
        Advice{"ColumnsThereAre", small_table(), "effect r t.csv --of weight --on y", "the columns are ",
               "effect r t.csv --of x --on y", "", kQuickly + " --out r"},
        Advice{"ColumnsOfTheResult", small_table(), "next r --of weight --on y", "the columns are ",
               "next r --of x --on y", "", kQuickly + " --out r"},
        Advice{"AUnit", numbers("x,y,z"), "effect r t.csv --of x --on y --levels a,b",
               "its effect is that of one unit more", "effect r t.csv --of x --on y", "", kQuickly + " --out r"},
        Advice{"LevelsOfACause", small_table(), "effect r t.csv --of x --on y --levels 0,7", "its levels are 0, 1",
               "effect r t.csv --of x --on y --levels 0,1", "", kQuickly + " --out r"},
        Advice{"EffectOfWhat", small_table(), "effect r t.csv --of x", "agon effect RESULT DATA --of X --on Y",
               "effect r t.csv --of x --on y", "", kQuickly + " --out r"},
        Advice{"EffectsOnWhat", small_table(), "effects r t.csv", "agon effects RESULT DATA --on Y",
               "effects r t.csv --on y", "", kQuickly + " --out r"},
        Advice{"NextOfAPag", small_table(), "next r --of x --on y",
               "without --of and --on the open marks are counted that each experiment settles", "next r", "",
               "run fci t.csv --out r"},
        Advice{"AnEffectOnItself", small_table(), "effect r t.csv --of x --on x", "name two different columns",
               "effect r t.csv --of x --on y", "", kQuickly + " --out r"},
        Advice{"LevelsOfSeveral", small_table(), "effect r t.csv --of x,z --on y --levels 0,1",
               "omit --levels: all combinations of several causes are shown", "effect r t.csv --of x,z --on y", "",
               kQuickly + " --out r"},
        Advice{"TooManyCombinations", many_levels(), "effect r t.csv --of x,z --on y", "set fewer of them at once",
               "effect r t.csv --of x --on y", "", "run hc t.csv --out r"},
        Advice{"CausesOfTwoKinds", two_kinds(), "effect r t.csv --of x,z --on y", "ask for one cause at a time",
               "effect r t.csv --of x --on y", "", kQuickly + " --out r"},
        Advice{"KnowledgeOfAResult", small_table(), "verify r t.csv", "if it is still there, add --knowledge=k.csv",
               "verify r t.csv --knowledge=k.csv", "",
               "list formats && printf 'x,y,required\\n' >k.csv && '" AGON_BINARY "' " + kQuickly +
                   " --knowledge k.csv --out r"},
        Advice{"GapsOfACount", "x,y,z\n1,a,0\n0,b,\n1,a,1\n0,a,0\n1,b,1\n0,b,0\n",
               "run hc t.csv --score discrete-bic --missing em",
               "pass --missing draws, or a score that takes missing cells, such as --score mixed-bic",
               "run hc t.csv --score discrete-bic --missing draws"}),
    kAdviceName);

const std::string kMatrix = "run hc f --covariance --rows 60";
INSTANTIATE_TEST_SUITE_P(
    Matrices, HintsOfFiles,
    ::testing::Values(
        Repair{"OtherNames", kMatrix, ",x,y\nx,1,.5\nz,.5,1\n",
               "rows and columns of a covariance matrix have the same names in the same order",
               ",x,y\nx,1,.5\ny,.5,1\n"},
        Repair{"AGap", kMatrix, ",x,y,z\nx,1,.2,\ny,.2,1,0\nz,,0,1\n",
               "a covariance matrix has no gaps; where pairs were never seen together, leave a column out",
               ",x,y\nx,1,.2\ny,.2,1\n"},
        Repair{"AVariance", kMatrix, ",x,y\nx,-1,0\ny,0,1\n", "a variance is 0 or more", ",x,y\nx,1,0\ny,0,1\n"},
        Repair{"TwoHalves", kMatrix, ",x,y\nx,1,.3\ny,0,1\n", "a covariance matrix is symmetric",
               ",x,y\nx,1,.3\ny,.3,1\n"},
        Repair{"Ranks", "run hc f --spearman --rows 60", ",x,y\nx,1,.3\ny,.3,2\n",
               "rank correlations lie between -1 and 1, and are 1 on the diagonal", ",x,y\nx,1,.3\ny,.3,1\n"},
        Repair{"PairByPair", kMatrix, ",x,y,z\nx,1,.9,.9\ny,.9,1,-.9\nz,.9,-.9,1\n",
               "covariances computed pair by pair from rows with gaps often are not; compute them from the same rows",
               ",x,y,z\nx,1,.9,.9\ny,.9,1,.9\nz,.9,.9,1\n"}),
    kAdviceName);

const std::string kExperiments = "run hc experiments.csv --drop set --experiment day --targets f";
const std::string kNetwork =
    "network n { }\nvariable v { type discrete [ 2 ] { a, b }; }\n"
    "probability ( v ) { table 0.5, 0.5; }\n";
INSTANTIATE_TEST_SUITE_P(
    Others, HintsOfFiles,
    ::testing::Values(Repair{"NoTargets", kExperiments, "a,b\n1,2\n",
                             "its header is experiment,targets, and each line names an experiment and what it set",
                             "experiment,targets\na,y\n"},
                      Repair{"TwoLines", kExperiments, "experiment,targets\na,y\na,x\n",
                             "give it one line, with its targets between semicolons", "experiment,targets\na,y;x\n"},
                      Repair{"Xml", "sample f -n 5", "<?xml version=\"1.0\"?>\n<BIF></BIF>\n",
                             "convert XMLBIF to BIF first", kNetwork},
                      Repair{"ANumber", "sample f -n 5", "network n { }\nvariable v { type continuous; }\n",
                             "only networks of discrete variables can be read", kNetwork},
                      Repair{"ABlankInALevel", "sample f -n 5",
                             "network n { }\nvariable v { type discrete [ 2 ] { a b c, d, e }; }\n"
                             "probability ( v ) { table 0.5, 0.5; }\n",
                             "put names that contain , ; { } ( ) [ ] | or spaces in double quotes",
                             "network n { }\nvariable v { type discrete [ 2 ] { \"a b\", c }; }\n"
                             "probability ( v ) { table 0.5, 0.5; }\n"},
                      Repair{"HiddenCauses", "score f t.csv", "from,to,type\nx,y,bidirected\n",
                             "graphs with hidden common causes or undetermined ends (PAGs) cannot be used here",
                             "from,to,type\nx,y,directed\n"}),
    kAdviceName);

// What only a caller of the library, or Python, can do wrong.
template <class Error, class Function>
void expect_hint(const std::string& hint, const Function& wrong) {
  try {
    wrong();
    ADD_FAILURE() << "nothing was refused: " << hint;
  } catch (const Error& error) {
    EXPECT_PRED2(contains, std::string(error.what()), "hint: " + hint);
  }
}

TEST(HintsOfTheLibrary, Tables) {
  const auto column = [](const char* name) { return continuous_column(name, {1.0, 2.0}); };
  const auto weighted = [&](double weight) {
    RowInfo info;
    info.weights = {1, weight};
    return make_dataset({column("x")}, "mine", std::move(info));
  };
  expect_hint<InputError>("a table needs a column and a row", [] { make_dataset({}, "mine"); });
  expect_hint<InputError>("a table needs a column and a row",
                          [] { make_dataset({continuous_column("x", std::vector<double>{})}, "mine"); });
  expect_hint<InputError>("name every column in the header", [&] { make_dataset({column(" ")}, "mine"); });
  expect_hint<InputError>("give each column a name of its own", [&] {
    make_dataset({column("x"), column("x")}, "mine");
  });
  EXPECT_EQ(make_dataset({column("x"), column("y")}, "mine").size(), 2);
  expect_hint<InputError>("a weight says how often the row counts: a number above 0", [&] { weighted(0); });
  EXPECT_EQ(weighted(2).rows(), 2u);
}

TEST(HintsOfTheLibrary, BothKinds) {
  const auto of_both = [](std::vector<Column> columns) {
    refuse_beyond({.categorical = true, .continuous = true}, make_dataset(std::move(columns), "mine"), "mine");
  };
  const Column numbers = continuous_column("x", {1.5, 2.5}), labels = categorical_column("y", {0, 1});
  expect_hint<InputError>("make the numbers categories with --discrete x, or leave them out with --drop x", [&] {
    of_both({numbers, labels});
  });
  of_both({labels});
}

TEST(HintsOfTheLibrary, AMatrixReadAsAList) {
  const std::string hint = "a matrix needs its names in the header and in the first column";
  expect_hint<InputError>(hint, [] { parse_graph("0,1,0,1\n0,0,1,0\n", "mine", "csv"); });
  EXPECT_EQ(parse_graph(",x,y\nx,0,1\ny,0,0\n", "mine").edges.size(), 1u);
}

TEST(HintsOfTheLibrary, Challengers) {
  expect_hint<UsageError>("the challengers are auto, local, flat", [] { challenger_entry("zzzz"); });
  EXPECT_EQ(challenger_entry("flat").name, "flat");
}

TEST(HintsOfTheLibrary, ARowWithoutAnEnd) {
  size_t left = size_t{1} << 32;  // a file of one letter
  const auto endless = [&](char* to, size_t size) {
    const size_t count = std::min(size, left);
    std::memset(to, 'x', count);
    left -= count;
    return count;
  };
  expect_hint<InputError>("is this a table with one row per line, and is every quote closed?", [&] {
    RecordReader reader(endless, "endless", {}, size_t{1} << 16);
    std::vector<Cell> cells;
    while (reader.next(cells)) {
    }
  });
}

TEST(HintsOfProofs, AFileThatIsWhole) {
  Sandbox box;
  box.write("t.csv", small_table());
  ASSERT_EQ(box.agon(kQuickly + " --prove --out r").code, 0);
  const std::string whole = box.read("r/proof.txt");
  ASSERT_FALSE(whole.empty());
  box.write("r/proof.txt", "this is no proof\n" + whole);
  Outcome o = box.agon("verify r t.csv");
  EXPECT_NE(o.code, 0);
  EXPECT_PRED2(contains, o.out + o.err, "the file is damaged, or is no proof of agon");
  box.write("r/proof.txt", whole.substr(0, whole.size() / 2));
  o = box.agon("verify r t.csv");
  EXPECT_NE(o.code, 0);
  EXPECT_PRED2(contains, o.out + o.err, "the file was cut off");
  box.write("r/proof.txt", whole);
  EXPECT_EQ(box.agon("verify r t.csv").code, 0);
}

// Knowledge that Python gave as values stands in no file. A result of Python says so by this name of its source.
TEST(HintsOfResults, KnowledgeInNoFile) {
  Sandbox box;
  box.write("t.csv", small_table());
  box.write("k.csv", "x,y,required\n");
  ASSERT_EQ(box.agon(kQuickly + " --knowledge k.csv --out r").code, 0);
  std::string text = box.read("r/result.json");
  const std::string before = "\"sources\":[\"k.csv\"]";
  ASSERT_PRED2(contains, text, before);
  text.replace(text.find(before), before.size(), "\"sources\":[\"" + KnowledgeStatements().place + "\"]");
  box.write("r/result.json", text);
  const Outcome o = box.agon("verify r t.csv");
  EXPECT_EQ(o.code, 3) << o.err;
  EXPECT_PRED2(contains, o.err,
               "pass it again with --knowledge FILE: CSV with from,to,type, or a knowledge file of Tetrad");
  EXPECT_EQ(box.agon("verify r t.csv --knowledge k.csv").code, 0);
}

// A file that nobody may open, root included: a socket.
TEST(HintsOfReading, AFileThatMayBeRead) {
  Sandbox box;
  box.write("t.csv", small_table());
  ASSERT_EQ(mknod(box.path("f").c_str(), S_IFSOCK | 0600, 0), 0);
  const Outcome closed = box.agon("report f");
  EXPECT_EQ(closed.code, 3);
  EXPECT_PRED2(contains, closed.err, "check its permissions");
  std::filesystem::remove(box.path("f"));
  ASSERT_EQ(box.agon(kQuickly + " --out r").code, 0);
  std::filesystem::copy(box.path("r/result.json"), box.path("f"));
  EXPECT_EQ(box.agon("report f").code, 0);
}

TEST(HintsOfWriting, WhereItCanBeWritten) {
  Sandbox box;
  box.write("t.csv", small_table());
  ASSERT_EQ(box.agon(kQuickly + " --out r").code, 0);
  const Outcome lost = box.agon("effects r t.csv --on y --csv nowhere/list.csv");
  EXPECT_EQ(lost.code, 3);
  EXPECT_PRED2(contains, lost.err, "create it, or choose another one");
  std::filesystem::create_directory(box.path("nowhere"));
  EXPECT_EQ(box.agon("effects r t.csv --on y --csv nowhere/list.csv").code, 0);
  box.write("small.sh", "ulimit -f 1\nexec '" AGON_BINARY "' report r >.out 2>.err\n");
  EXPECT_NE(std::system(("cd '" + box.path("") + "' && sh small.sh").c_str()), 0);
  EXPECT_PRED2(contains, box.read(".err"), "raise the limit (ulimit -f)");
  EXPECT_EQ(box.agon("report r").code, 0);
}

}  // namespace
}  // namespace agon::testing
