// agon/study/suite.h
//
// The results of a comparison of algorithms over data sets, and how they are shown: text for a terminal, CSV, JSON, and
// a page with the paper's chart. A cell is one algorithm on one sample of one data set; a row is the mean over samples.
//
//   SuiteCell same = read_cell(cell_json(cell), "cells/asia-1-ges.json");   // the file of a finished cell
//   out << suite_text(suite) << suite_csv(suite) << suite_page(suite);
//
// Nothing is measured here: paper_suite.h makes the cells, suite_summary.h the means.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agon/report/table.h"

namespace agon {

struct SuiteFigures {  // the paper's four
  double tpr = 0, fdr = 0, shd = 0, score = 0;
};

struct SuiteCell {
  std::string data;       // name of the data set
  int sample = 1;         // counted from 1
  std::string algorithm;  // its name in the catalog; "match-NAME": the match from the graph of NAME (paper_suite.h)
  std::string key;        // everything the answer depends on, except the limit: if it changes, the cell is made again
  double limit = 0;       // CPU seconds allowed
  std::string failed;     // why there is no answer; "": there is one
  bool limited = false;   // the limit was reached: the answer is the best found by then
  std::string stopped_by;

  size_t rows = 0;
  int columns = 0, true_edges = 0;
  std::vector<std::pair<std::string, std::string>> edges;  // of the answer, by name
  double bic = 0;                                          // its score
  std::optional<double> margin;  // match: its score minus its opponent's, both derived again by agon/certificate
  double tpr = 0, fdr = 0, shd = 0, score = 0, skeleton_f1 = 0;
  std::optional<double> shd_cpdag;  // absent when the truth has a cycle
  SuiteFigures gcastle;  // of the class, as gCastle counts: an open edge is right if the truth joins its ends
  std::string found_by;  // match: who found its answer

  // The composite Score of other members of the answer's class, which no observational data can tell apart: the mean,
  // the best, and the member that agrees most with an order of the columns (that of the source, that after shuffling).
  double class_mean = 0, class_best = 0, source_order = 0, shuffled_order = 0;

  double seconds = 0;           // CPU time of the algorithm; for a match, of the play alone
  double opponent_seconds = 0;  // match: CPU time its opponent took
  double megabytes = 0;         // peak memory of the process until it had the answer, the table included
  long moves = 0;               // steps of a search, game moves of a match
};

std::string cell_json(const SuiteCell& cell);
SuiteCell read_cell(const std::string& text, const std::string& place);  // InputError when it is not a cell

struct Spread {  // over the samples
  double mean = 0;
  double error = 0;  // standard error of the mean; 0 for one sample
};

using PublishedFigures = SuiteFigures;

struct SuiteRow {
  std::string algorithm, title;
  std::string opponent;  // of a match; otherwise ""
  int cells = 0;         // cells with an answer; the means are over these
  int limited = 0, failed = 0;
  Spread tpr, fdr, shd, score, skeleton_f1, class_mean, class_best, source_order, shuffled_order;
  Spread gcastle_tpr, gcastle_fdr, gcastle_shd, gcastle_score;
  std::string found_by;  // of a match: who found the answers, and how many: "2 ges; 3 local trained"
  std::optional<Spread> shd_cpdag;
  Spread bic, behind;  // behind: distance to the best score that any algorithm reached on the same sample
  std::optional<Spread> margin;
  Spread seconds;        // CPU time; a match includes that of its opponent
  Spread moves;          // SuiteCell::moves
  double megabytes = 0;  // the maximum over the samples
  std::optional<PublishedFigures> published;
  bool best_score = false, best_class = false, best_cpdag = false, best_bic = false;  // no row is better as shown
};

struct SuiteBlock {  // a data set
  std::string data, title;
  int nodes = 0, edges = 0, samples = 0;
  size_t rows = 0;
  std::string score;  // the name of the score that was maximised
  std::string note;   // on the published figures
  std::vector<SuiteRow> lines;
  std::vector<std::pair<std::string, PublishedFigures>> published_only;  // systems without a line

  const SuiteRow* row(const std::string& algorithm) const;  // null: none
};

struct SuiteClaim {
  std::string claim;
  std::optional<bool> holds;  // absent: cannot be decided
  std::string text;
};

struct Suite {
  std::string version, source;  // of the program; where the tables come from
  int cells = 0, missing = 0;   // finished; not made yet
  double limit = 0;
  std::vector<SuiteBlock> blocks;  // smallest data set first
  std::vector<SuiteClaim> claims;
  std::vector<std::string> notes;  // what a reader must know
};

// Marks: * the best of its column, = one of several that tie for the best.
std::string suite_text(const Suite& suite, const TextStyle& style = {});
std::string suite_csv(const Suite& suite);  // a line per row, all figures
std::string suite_json(const Suite& suite);
std::string suite_page(const Suite& suite);   // one HTML page: no script, no requests
std::string suite_chart(const Suite& suite);  // its first chart, as SVG: the paper's figure of Score by data set

}  // namespace agon
