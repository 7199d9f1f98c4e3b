#include "agon/study/paper_suite.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "agon/base/error.h"
#include "agon/catalog/opponents.h"
#include "agon/graph/dag.h"
#include "agon/study/published.h"
#include "agon/study/suite_summary.h"

namespace agon {
namespace {

const SuiteTable& table_named(const std::vector<SuiteTable>& tables, const std::string& name) {
  for (const SuiteTable& table : tables) {
    if (table.name == name) return table;
  }
  throw std::logic_error("no table " + name);
}

TEST(Published, FiguresAreThoseOfThePaper) {
  EXPECT_EQ(published_rows().size(), 70u);
  EXPECT_EQ(published("asia", "match-ges")->score, 1.00);
  EXPECT_EQ(published("lucas", "match-ges")->score, 1.00);
  EXPECT_EQ(published("child", "match-grandag")->score, 0.41);
  EXPECT_EQ(published("alarm", "match-ges")->score, 0.43);
  EXPECT_EQ(published("hepar2", "match-ges")->score, 0.43);
  EXPECT_EQ(published("andes", "grandag")->shd, 314);
  EXPECT_EQ(published("sachs", "pc")->fdr, 0.77);
  EXPECT_EQ(published("hepar2", "golem"), nullptr);  // NA in the paper
  EXPECT_EQ(published("dream4", "ges"), nullptr);
  EXPECT_EQ(published("asia", ""), nullptr);
}

// Score is a function of the other three, so a wrongly copied digit shows. Three cells of the paper do not fit its own
// formula, even allowing for rounding.
TEST(Published, ScoresFollowFromTheOtherFigures) {
  std::vector<std::string> odd;
  for (const PublishedRow& row : published_rows()) {
    const PublishedFigures& f = row.figures;
    const double score = (f.tpr + 1 - f.fdr + 1 / (1 + f.shd)) / 3;
    if (std::abs(score - f.score) > 0.0084) odd.push_back(row.data + " " + row.system);
  }
  EXPECT_EQ(odd, (std::vector<std::string>{"asia Gran-DAG", "sachs CORL", "child ICALiNGAM"}));
}

TEST(Published, RowsNameWhatIsInTheSuite) {
  const std::vector<std::string> data = suite_names();
  std::vector<std::string> algorithms = suite_algorithms();
  for (const std::string& name : suite_algorithms({"rl-bic", "kcrl", "corl"})) algorithms.push_back(name);
  std::set<std::pair<std::string, std::string>> seen;
  for (const PublishedRow& row : published_rows()) {
    EXPECT_NE(std::find(data.begin(), data.end(), row.data), data.end()) << row.data;
    EXPECT_TRUE(seen.insert({row.data, row.system}).second) << row.data << " " << row.system;
    if (row.algorithm.empty()) continue;
    EXPECT_NE(std::find(algorithms.begin(), algorithms.end(), row.algorithm), algorithms.end()) << row.algorithm;
  }
  for (const std::string name : {"sachs", "dream4"}) {
    EXPECT_NE(published_note(name).find("another order"), std::string::npos) << name;
  }
  EXPECT_EQ(published_note("child"), "");
}

TEST(PaperSuite, TakesEveryAlgorithmAndTheMatchFromIt) {
  const std::vector<std::string> all = suite_algorithms();
  for (const OpponentEntry& entry : opponent_entries()) {
    const bool there = std::find(all.begin(), all.end(), entry.name) != all.end();
    EXPECT_EQ(there, entry.name != "file" && entry.learns.empty()) << entry.name;
    EXPECT_EQ(std::find(all.begin(), all.end(), "match-" + entry.name) != all.end(), there) << entry.name;
  }
  EXPECT_EQ(suite_algorithms({"ges"}, {"auto", "paper"}),
            (std::vector<std::string>{"ges", "ges-published", "match-ges", "paper-match-ges", "none", "truth"}));
  EXPECT_THROW(suite_algorithms({"ges"}, {"papyrus"}), UsageError);
  EXPECT_EQ(suite_algorithms({"corl"}), (std::vector<std::string>{"corl", "match-corl", "none", "truth"}));
  EXPECT_EQ(suite_algorithms({"kcrl"}), (std::vector<std::string>{"kcrl", "match-kcrl", "none", "stated", "truth"}));
  EXPECT_EQ(suite_algorithms({"hc"}), (std::vector<std::string>{"hc", "match-hc", "none", "truth"}));
  EXPECT_THROW(suite_algorithms({"gess"}), UsageError);
  EXPECT_EQ(opponent_of("match-direct-lingam"), "direct-lingam");
  EXPECT_EQ(opponent_of("paper-match-ica-lingam"), "ica-lingam");
  EXPECT_EQ(opponent_of("ges"), "");
  EXPECT_EQ(player_of("match-ges"), "auto");
  EXPECT_EQ(player_of("flat-match-ges"), "flat");
  EXPECT_EQ(player_of("ges-published"), "");
}

TEST(PaperSuite, RowsAreNamedAfterWhatRan) {
  EXPECT_EQ(suite_title("match-ges"), "match (auto) from ges");
  EXPECT_EQ(suite_title("flat-match-none"), "match (flat) from empty graph");
  EXPECT_EQ(suite_title("paper-match-grandag"), "DDQN-CD as published from grandag");
  EXPECT_EQ(suite_title("golem-published"), "golem as published");
  EXPECT_EQ(suite_title("kcrl"), "kcrl, told a quarter of the truth");
  EXPECT_EQ(suite_title("match-kcrl"), "match (auto) from kcrl, told a quarter of the truth");
  for (const std::string& row : suite_algorithms({}, {"auto", "flat", "local", "paper"})) {
    EXPECT_EQ(suite_title(row).starts_with("DDQN-CD"), player_of(row) == "paper") << row;
  }
  // Whoever plays, the published match stands beside it.
  EXPECT_EQ(published("child", "paper-match-grandag"), published("child", "match-grandag"));
  EXPECT_EQ(published("child", "ges-published"), published("child", "ges"));
}

// The published agent plays by its own rule: as published, for copula-bic on a table with more than two levels.
TEST(PaperSuite, ThePublishedAgentPlaysAMatch) {
  const SuiteProblem problem = load_problem(suite_tables({.only = {"child"}})[0], 1);
  const SuiteCell opponent = describe_cell(problem, solve(problem, "none", nullptr, {}));
  std::atomic<bool> now = true;
  Watch stopped;
  stopped.interrupted = &now;
  const SuiteAnswer cut = solve(problem, "paper-match-none", &opponent, stopped);
  EXPECT_TRUE(cut.limited);
  EXPECT_EQ(cut.found_by, "none");
  EXPECT_EQ(*cut.margin, 0);
  EXPECT_EQ(describe_cell(problem, cut).found_by, "none");
}

// Its answer holds what it was told, however early it is stopped; the graph of that alone stands beside it.
TEST(PaperSuite, AnAlgorithmPaidForKnowledgeIsToldAQuarterOfTheTruth) {
  const SuiteTable table = suite_tables({.only = {"asia"}})[0];
  const SuiteProblem problem = load_problem(table, 1);
  const std::vector<Edge> told = stated_edges(problem);
  EXPECT_EQ(told.size(), 2u);
  EXPECT_EQ(stated_edges(problem), told);
  EXPECT_NE(stated_edges(load_problem(table, 2)), told);
  const SuiteCell stated = describe_cell(problem, solve(problem, kStatedEdges, nullptr, {}));
  EXPECT_EQ(stated.tpr, 0.25);
  EXPECT_EQ(stated.shd, 6);
  std::atomic<bool> now = true;
  Watch stopped;
  stopped.interrupted = &now;
  const SuiteAnswer cut = solve(problem, "kcrl", nullptr, stopped);
  for (const Edge& edge : told) EXPECT_TRUE(cut.dag.has_edge(edge.from, edge.to));
  EXPECT_TRUE(cut.limited);
}

TEST(PaperSuite, TablesAreThoseOfThePaper) {
  const std::vector<SuiteTable> tables = suite_tables({});
  EXPECT_EQ(tables.size(), 7u);  // without DREAM4, which users must obtain themselves
  for (const auto& [name, rows, samples] : std::vector<std::tuple<std::string, size_t, int>>{{"asia", 10000, 5},
                                                                                             {"alarm", 10000, 5},
                                                                                             {"andes", 10000, 5},
                                                                                             {"lucas", 2000, 5},
                                                                                             {"hepar2", 5000, 5},
                                                                                             {"child", 1000, 5},
                                                                                             {"sachs", 0, 1}}) {
    EXPECT_EQ(table_named(tables, name).rows, rows) << name;
    EXPECT_EQ(table_named(tables, name).samples, samples) << name;
  }
  EXPECT_THROW(suite_tables({.only = {"asya"}}), UsageError);
  EXPECT_THROW(suite_tables({.only = {"dream4"}}), UsageError);
  EXPECT_THROW(suite_tables({.data_dir = "no/such/folder"}), InputError);
}

TEST(PaperSuite, ColumnsAreShuffledAndTruthIsMatchedByName) {
  const std::vector<SuiteTable> tables = suite_tables({.only = {"asia"}});
  const SuiteProblem one = load_problem(tables[0], 1), two = load_problem(tables[0], 2);
  std::vector<std::string> shuffled;
  for (const int node : one.data.file_order()) shuffled.push_back(one.data.column(node).name);
  EXPECT_NE(shuffled, one.source_order);
  std::vector<std::string> a = shuffled, b = one.source_order;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  EXPECT_EQ(a, b);
  EXPECT_NE(one.data.checksum(), two.data.checksum());
  EXPECT_EQ(one.data.checksum(), load_problem(tables[0], 1).data.checksum());
  EXPECT_NE(cell_key(tables[0], 1, "ges"), cell_key(tables[0], 2, "ges"));
  EXPECT_NE(cell_key(tables[0], 1, "ges"), cell_key(tables[0], 1, "hc"));

  // The true graph as an answer: all measures are perfect, whatever the order of the columns.
  const SuiteCell cell = describe_cell(one, solve(one, kTrueGraph, nullptr, {}));
  EXPECT_EQ(cell.score, 1);
  EXPECT_EQ(cell.shd, 0);
  EXPECT_EQ(cell.shd_cpdag, 0);
  EXPECT_EQ(cell.class_best, 1);
  EXPECT_LT(cell.class_mean, 0.9);  // the data cannot tell the other members apart from it
  EXPECT_EQ(cell.gcastle.score, 1);
  EXPECT_EQ(cell.source_order, 1);  // the columns of the network are in causal order: this is the leak
  EXPECT_EQ(cell.edges.size(), 8u);
  EXPECT_EQ(cell.true_edges, 8);
}

TEST(PaperSuite, AMatchBeginsWithTheGraphOfItsOpponentsCell) {
  const SuiteProblem problem = load_problem(suite_tables({.only = {"child"}})[0], 1);
  const SuiteAnswer alone = solve(problem, "hc", nullptr, {});
  EXPECT_FALSE(alone.margin);
  const SuiteCell opponent = describe_cell(problem, alone);
  const SuiteAnswer match = solve(problem, "match-hc", &opponent, {});
  const SuiteCell cell = describe_cell(problem, match);
  ASSERT_TRUE(cell.margin);
  EXPECT_GT(*cell.margin, 0);  // hill climbing is stuck here
  EXPECT_NEAR(cell.bic - opponent.bic, *cell.margin, 1e-6);
  EXPECT_NE(cell.found_by, "");
  EXPECT_NE(cell.found_by, "hc");  // the match raised the score
  EXPECT_EQ(cell.opponent_seconds, opponent.seconds);
  EXPECT_GE(cell.class_best, cell.class_mean);
  EXPECT_GE(cell.class_best, cell.source_order);
  EXPECT_GE(cell.class_best, cell.shuffled_order);

  // Without time to play, the opponent's graph is the answer.
  std::atomic<bool> now = true;
  Watch stopped;
  stopped.interrupted = &now;
  const SuiteAnswer cut = solve(problem, "match-hc", &cell, stopped);
  EXPECT_TRUE(cut.limited);
  EXPECT_GE(*cut.margin, -1e-6);
}

TEST(PaperSuite, ReadsFilesWithNumbersForLevels) {
  std::string pattern = (std::filesystem::temp_directory_path() / "agon-suite-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(pattern.data());
  std::filesystem::create_directories(folder / "hepar2");
  {
    std::ofstream data(folder / "hepar2" / "data.csv"), truth(folder / "hepar2" / "truth.csv");
    data << "a,b,c\n";
    for (int k = 0; k < 60; ++k)
      data << (k % 2 ? "3.5" : "10.5") << "," << (k % 3) << "," << (k % 4 < 2 ? 1 : 0) << "\n";
    truth << "from,to\na,b\nb,c\n";
  }
  const std::vector<SuiteTable> tables = suite_tables({.data_dir = folder.string()});
  ASSERT_EQ(tables.size(), 1u);
  EXPECT_EQ(tables[0].samples, 1);
  const SuiteProblem problem = load_problem(tables[0], 1);
  EXPECT_TRUE(problem.data.all_of(ColumnKind::kCategorical));
  EXPECT_EQ(problem.truth.size(), 2u);
  const std::string before = cell_key(tables[0], 1, "ges");
  std::ofstream(folder / "hepar2" / "data.csv", std::ios::app) << "3.5,1,0\n";
  EXPECT_NE(cell_key(suite_tables({.data_dir = folder.string()})[0], 1, "ges"), before);  // other rows, so another cell
  EXPECT_THROW(suite_tables({.only = {"asia"}, .data_dir = folder.string()}), InputError);
  std::filesystem::remove_all(folder);
}

SuiteCell made_up(const std::string& algorithm, int sample, double score, double bic) {
  SuiteCell cell;
  cell.data = "asia";
  cell.sample = sample;
  cell.algorithm = algorithm;
  cell.rows = 10000;
  cell.columns = cell.true_edges = 8;
  cell.score = cell.class_mean = score;
  cell.bic = bic;
  cell.shd_cpdag = 10 * (1 - score);
  if (!opponent_of(algorithm).empty()) cell.margin = 1;
  return cell;
}

TEST(SuiteSummary, MeansErrorsAndTies) {
  EXPECT_EQ(spread_of({}).mean, 0);
  EXPECT_EQ(spread_of({3}).error, 0);
  EXPECT_DOUBLE_EQ(spread_of({1, 2, 3}).mean, 2);
  EXPECT_DOUBLE_EQ(spread_of({1, 2, 3}).error, std::sqrt(1.0 / 3));

  const std::vector<SuiteTable> tables = suite_tables({.only = {"asia"}, .samples = 2});
  std::vector<SuiteCell> cells = {made_up("ges", 1, 0.5, -100),      made_up("ges", 2, 0.7, -90),
                                  made_up("match-ges", 1, 0.6, -95), made_up("match-ges", 2, 0.6, -90),
                                  made_up("hc", 1, 0.6, -100),       made_up("truth", 1, 1, -80),
                                  made_up("truth", 2, 1, -96)};
  SuiteCell failed = made_up("hc", 2, 0, 0);
  failed.failed = "signal 11";
  cells.push_back(failed);
  const Suite suite = summarise(tables, {"ges", "match-ges", "hc", "match-hc", "truth"}, cells, 60);
  ASSERT_EQ(suite.blocks.size(), 1u);
  EXPECT_EQ(suite.missing, 2);  // match-hc
  const SuiteBlock& block = suite.blocks[0];
  EXPECT_EQ(block.lines.size(), 4u);
  const SuiteRow &ges = *block.row("ges"), &match = *block.row("match-ges"), &hc = *block.row("hc");
  EXPECT_DOUBLE_EQ(ges.score.mean, 0.6);
  EXPECT_TRUE(ges.best_score && match.best_score && hc.best_score);  // tied
  EXPECT_TRUE(match.best_bic);
  EXPECT_FALSE(block.row("truth")->best_score || block.row("truth")->best_bic);  // it is not a competitor
  EXPECT_DOUBLE_EQ(block.row("truth")->behind.mean, (-15.0 + 6) / 2);
  EXPECT_FALSE(ges.best_bic);
  EXPECT_DOUBLE_EQ(ges.behind.mean, 2.5);
  EXPECT_EQ(hc.cells, 1);
  EXPECT_EQ(hc.failed, 1);
  EXPECT_EQ(match.published->score, 1);
  EXPECT_EQ(block.row("match-hc"), nullptr);
  EXPECT_TRUE(promise_holds(suite));

  const auto claim = [](const Suite& s, const std::string& words) {
    for (const SuiteClaim& c : s.claims) {
      if (c.claim.find(words) != std::string::npos) return c;
    }
    throw std::logic_error("no claim " + words);
  };
  EXPECT_EQ(claim(suite, "Score on asia").holds, false);  // 0.6 against 1.00
  EXPECT_EQ(claim(suite, "CPDAG SHD on asia").holds, true);
  EXPECT_NE(claim(suite, "CPDAG SHD on asia").text.find("below that of the true graph by 4.5"), std::string::npos);

  cells[2].margin = -0.5;
  const Suite broken = summarise(tables, {"ges", "match-ges", "hc"}, cells, 60);
  EXPECT_FALSE(promise_holds(broken));
  EXPECT_NE(broken.claims[0].text.find("asia 1 match-ges"), std::string::npos) << broken.claims[0].text;
}

}  // namespace
}  // namespace agon
