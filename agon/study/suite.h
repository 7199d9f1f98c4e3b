// agon/study/suite.h
//
// What a comparison of algorithms over data sets found, and how it is shown: text for a terminal, CSV, JSON, and a page
// with the chart of the paper. A cell is one algorithm on one sample of one data set; a row is the mean over samples.
//
//   SuiteCell same = read_cell(json_text(cell_json(cell)), "cells/asia-1-ges.json");   // the file of a finished cell
//   out << suite_text(suite) << suite_csv(suite) << suite_page(suite);
//
// Nothing is measured here: paper_suite.h makes cells, suite_summary.h the means.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agon/report/table.h"

namespace agon {

struct SuiteCell {
  std::string data;       // name of the data set
  int sample = 1;         // counted from 1
  std::string algorithm;  // of the catalog; "match-NAME": the match from the graph of NAME
  std::string key;        // everything the answer depends on but the limit: a cell whose key differs is made again
  double limit = 0;       // CPU seconds allowed
  std::string failed;     // why there is no answer; else ""
  bool limited = false;   // the limit was reached: the answer is the best until then
  std::string stopped_by;

  size_t rows = 0;
  int columns = 0, true_edges = 0;
  std::vector<std::pair<std::string, std::string>> edges;  // of the answer, by name
  double bic = 0;                                          // its score
  std::optional<double> margin;  // match: its score above its opponent's, both derived again by agon/certificate
  double tpr = 0, fdr = 0, shd = 0, score = 0, skeleton_f1 = 0;
  std::optional<double> shd_cpdag;  // absent when the truth has a cycle

  // The composite Score of other members of the answer's class, which no data tells apart: their mean, their best, and
  // the member that agrees most with an order of the columns, that of the source and that of the shuffled table.
  double class_mean = 0, class_best = 0, source_order = 0, shuffled_order = 0;

  double seconds = 0;           // CPU time of the algorithm; of a match, of the play alone
  double opponent_seconds = 0;  // match: CPU time its opponent took
  double megabytes = 0;         // most memory the process had until the answer stood, the table included
  long moves = 0;               // steps of a search, game moves of a match
};

nlohmann::ordered_json cell_json(const SuiteCell& cell);
SuiteCell read_cell(const std::string& text, const std::string& place);  // InputError when it is not a cell

struct Spread {  // over the samples
  double mean = 0;
  double error = 0;  // standard error of the mean; 0 for one sample
};

struct PublishedFigures {
  double tpr = 0, fdr = 0, shd = 0, score = 0;
};

struct SuiteRow {
  std::string algorithm, title;
  std::string opponent;  // of a match, else ""
  int cells = 0;         // that have an answer; the means are over these
  int limited = 0, failed = 0;
  Spread tpr, fdr, shd, score, skeleton_f1, class_mean, class_best, source_order, shuffled_order;
  std::optional<Spread> shd_cpdag;
  Spread bic, behind;  // behind: below the best score any algorithm reached on the same sample
  std::optional<Spread> margin;
  Spread seconds;        // CPU time; of a match with its opponent's
  double megabytes = 0;  // most over the samples
  std::optional<PublishedFigures> published;
  bool best_score = false, best_class = false, best_cpdag = false, best_bic = false;  // no row is better as shown
};

struct SuiteBlock {  // a data set
  std::string data, title;
  int nodes = 0, edges = 0, samples = 0;
  size_t rows = 0;
  std::string score;  // the name of the score searched for
  std::string note;   // on the published figures
  std::vector<SuiteRow> lines;
  std::vector<std::pair<std::string, PublishedFigures>> published_only;  // systems that are not here

  const SuiteRow* row(const std::string& algorithm) const;  // null: none
};

struct SuiteClaim {
  std::string claim;
  std::optional<bool> holds;  // nothing: cannot be said
  std::string text;
};

struct Suite {
  std::string version, source;  // whose program, and what the tables are
  int cells = 0, missing = 0;   // finished; not made yet
  double limit = 0;
  std::vector<SuiteBlock> blocks;  // smallest data set first
  std::vector<SuiteClaim> claims;
  std::vector<std::string> notes;  // what a reader must know
};

// Marks: * the best of its column, = one of several that share the best.
std::string suite_text(const Suite& suite, const TextStyle& style = {});
std::string suite_csv(const Suite& suite);  // a line per row, all figures
nlohmann::ordered_json suite_json(const Suite& suite);
std::string suite_page(const Suite& suite);   // one HTML page: no script, no requests
std::string suite_chart(const Suite& suite);  // its first chart, as SVG: the paper's figure of Score by data set

}  // namespace agon
