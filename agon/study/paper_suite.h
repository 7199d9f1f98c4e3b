// agon/study/paper_suite.h
//
// The benchmarks of the paper (docs/method.md) as cells: data set x sample x algorithm. Each cell can be computed in a
// process of its own. `agon bench --suite paper` runs them; the summary is in suite_summary.h.
//
//   for (const SuiteTable& table : suite_tables({})) {                    // what there is, smallest first
//     SuiteProblem problem = load_problem(table, 1);                      // sample 1
//     SuiteAnswer answer = solve(problem, "ges", nullptr, watch);
//     SuiteCell cell = describe_cell(problem, answer);                    // against the truth
//     SuiteAnswer better = solve(problem, "match-ges", &cell, watch);     // the match from the graph of that cell
//   }
//
// The tables: samples of the embedded networks with fixed seeds (10000 rows of asia, alarm and andes, 2000 of lucas,
// 5000 of hepar2, 1000 of child), the measured table of Sachs, and DREAM4-1 if its folder is given; or one file each in
// DIR/NAME/data.csv with DIR/NAME/truth.csv, as the authors published them.
//
// What may be relied on: columns are shuffled before any algorithm sees them. No algorithm sees the truth, which is
// used only in describe_cell() and as a control; but one that is paid for knowledge (kcrl) is told a quarter of the
// true edges, as its authors did, drawn anew for each sample, and its row says so. Every answer is the same on each
// run, unless it was cut short by its limit.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/dataset.h"
#include "agon/graph/dag.h"
#include "agon/study/suite.h"

namespace agon {

struct SuiteChoice {
  std::vector<std::string> only = {};  // data sets; empty: all
  int samples = 5;                     // of each network; a file counts as one sample
  std::string data_dir = {};           // DIR above; "": the embedded data sets
  std::string dream4 = {};  // folder of DREAM4 (data/dream4.h), or one with data.csv and truth.csv; "": omit it
};

struct SuiteTable {
  std::string name, title;
  size_t rows = 0;  // of a sample; 0: as many as there are
  int samples = 1;
  ColumnKind kind = ColumnKind::kCategorical;
  bool has_true_dag = true;                     // otherwise the truth has cycles, and gets no cell
  std::string data_file = {}, truth_file = {};  // "": embedded
  std::string dream4_folder = {};
  std::string origin = {};  // where the rows come from, for the key of a cell: a hash of the file, or "network"
};

// The score by which a table of this kind is searched: that of the paper, whatever is agon's own default by now.
std::string suite_score(ColumnKind kind);

// UsageError for a name that is not a benchmark. InputError when the files of a data set that was asked for by name are
// missing, or when the folder holds no data set at all.
std::vector<SuiteTable> suite_tables(const SuiteChoice& choice);
std::vector<std::string> suite_names();  // of all benchmarks

// The algorithms of a suite, in the order of its rows: every algorithm of the catalog that needs no file, each followed
// by its variant with the settings of the paper's authors, if it has one (as_published.h), and by the matches from its
// graph, one for each of the challengers ("match-ges" is played by auto, "flat-match-ges" by flat). `only` selects some
// algorithms. Two controls are always included: the empty graph ("none") and the true one ("truth"), whose class mean
// is the best that directed measures can reach without luck. Beside an algorithm that is told some edges stands the
// graph of these alone ("stated").
std::vector<std::string> suite_algorithms(const std::vector<std::string>& only = {},
                                          const std::vector<std::string>& challengers = {"auto"});
constexpr const char* kTrueGraph = "truth";
constexpr const char* kEmptyGraph = "none";
constexpr const char* kStatedEdges = "stated";
std::string opponent_of(const std::string& algorithm);  // "flat-match-ges" -> "ges"; "" for an algorithm alone
std::string player_of(const std::string& algorithm);  // "flat-match-ges" -> "flat", "match-ges" -> "auto"; "" likewise
// What a row is called: after what ran. Only the published agent is called by its name, DDQN-CD.
std::string suite_title(const std::string& algorithm);

struct SuiteProblem {
  std::string name;
  int sample = 1;
  Dataset data;  // columns shuffled
  std::vector<Edge> truth;
  std::vector<std::string> source_order;  // names of the columns before they were shuffled
};

SuiteProblem load_problem(const SuiteTable& table, int sample);

// What an algorithm that is paid for knowledge is told: a quarter of the true edges, rounded.
std::vector<Edge> stated_edges(const SuiteProblem& problem);

// Everything that the answer of a cell depends on, except the opponent's graph.
std::string cell_key(const SuiteTable& table, int sample, const std::string& algorithm);

struct SuiteAnswer {
  std::string algorithm;
  Dag dag;
  double seconds = 0;  // CPU time
  bool limited = false;
  std::string stopped_by;
  long moves = 0;
  std::optional<double> margin;  // of a match
  std::string found_by;          // of a match: the opponent, the arm or the ascent that found its answer
  double opponent_seconds = 0;
};

// For a match, `opponent` is the finished cell of its opponent on the same problem; otherwise it is ignored. The
// challenger `paper` plays as published (run/preset.h), for the score of the paper's rule. Uses one thread. When the
// watch asks it to stop, the answer is the best so far.
SuiteAnswer solve(const SuiteProblem& problem, const std::string& algorithm, const SuiteCell* opponent,
                  const Watch& watch);

// Measures against the truth. The caller fills in key, limit and megabytes.
SuiteCell describe_cell(const SuiteProblem& problem, const SuiteAnswer& answer);

}  // namespace agon
