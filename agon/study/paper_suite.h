// agon/study/paper_suite.h
//
// The benchmarks of the paper (docs/method.md) as cells: data set x sample x algorithm, each of which can be made in a
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
// 5000 of hepar2, 1000 of child), the measured table of Sachs, DREAM4-1 where its folder is given; or one file each in
// DIR/NAME/data.csv with DIR/NAME/truth.csv, as the authors published them.
//
// What may be relied on: columns are shuffled before any algorithm sees them; no algorithm sees the truth, which enters
// in describe_cell() and as a control alone; every answer but one cut by its limit is the same on each run.
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
  std::vector<std::string> only = {};  // data sets; none: all
  int samples = 5;                     // of each network; a file is one
  std::string data_dir = {};           // DIR above; "": the embedded ones
  std::string dream4 = {};  // folder of DREAM4 (data/dream4.h), or with a data.csv and a truth.csv; "": left out
};

struct SuiteTable {
  std::string name, title;
  size_t rows = 0;  // of a sample; 0: as many as there are
  int samples = 1;
  ColumnKind kind = ColumnKind::kCategorical;
  bool has_true_dag = true;                     // else the truth has cycles, and there is no cell for it
  std::string data_file = {}, truth_file = {};  // "": embedded
  std::string dream4_folder = {};
  std::string origin = {};  // what the rows are, for the key of a cell: a hash of the file, or "network"
};

// UsageError for a name that is not a benchmark; InputError when a file is missing that was asked for by name, or when
// a folder holds none at all.
std::vector<SuiteTable> suite_tables(const SuiteChoice& choice);
std::vector<std::string> suite_names();  // of all benchmarks

// The algorithms of a suite, in the order of its rows: each of the catalog that needs no file, each followed by the
// match from its graph ("match-ges"). `only` names some of the catalog. Two controls are always there: the empty graph
// ("none") and the true one ("truth"), whose class mean is the most that directed figures can be without luck.
std::vector<std::string> suite_algorithms(const std::vector<std::string>& only = {});
constexpr const char* kTrueGraph = "truth";
constexpr const char* kEmptyGraph = "none";
std::string opponent_of(const std::string& algorithm);  // "match-ges" -> "ges"; "" for an algorithm alone

struct SuiteProblem {
  std::string name;
  int sample = 1;
  Dataset data;  // columns shuffled
  std::vector<Edge> truth;
  std::vector<std::string> source_order;  // names of the columns before they were shuffled
};

SuiteProblem load_problem(const SuiteTable& table, int sample);

// Everything but the opponent's graph that the answer of a cell depends on.
std::string cell_key(const SuiteTable& table, int sample, const std::string& algorithm);

struct SuiteAnswer {
  std::string algorithm;
  Dag dag;
  double seconds = 0;  // CPU time
  bool limited = false;
  std::string stopped_by;
  long moves = 0;
  std::optional<double> margin;  // of a match
  double opponent_seconds = 0;
};

// `opponent` is the finished cell of the opponent on the same problem, for a match; else it is not looked at. One
// thread. When the watch asks to stop the best so far is the answer.
SuiteAnswer solve(const SuiteProblem& problem, const std::string& algorithm, const SuiteCell* opponent,
                  const Watch& watch);

// Measures against the truth. key, limit and megabytes are left to the caller.
SuiteCell describe_cell(const SuiteProblem& problem, const SuiteAnswer& answer);

}  // namespace agon
