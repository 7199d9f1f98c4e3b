// agon/study/published.h
//
// The table of the paper ("Competition is the key", Table tbl:model_results_no_f1), as printed: TPR, FDR, SHD and the
// composite Score of every system on every data set. Cells that the paper marks NA are omitted.
//
//   for (const PublishedRow& row : published_rows()) ...
//   published("asia", "match-ges")->score;      // 1.00; null where the paper has no such cell
//   published("asia", "flat-match-ges");        // the same: whoever plays, the published match stands beside it
//
// published_note("sachs") says what to keep in mind when reading these figures.
#pragma once

#include <string>
#include <vector>

#include "agon/study/suite.h"

namespace agon {

struct PublishedRow {
  std::string data;       // name of the data set here: "sachs" is the paper's Sach, "dream4" its Dream
  std::string system;     // as the paper calls it
  std::string algorithm;  // its name in a suite; "": agon does not have it
  PublishedFigures figures;
};

const std::vector<PublishedRow>& published_rows();
const PublishedFigures* published(const std::string& data, const std::string& algorithm);

struct PublishedTruth {
  std::string data;
  int nodes = 0, edges = 0;
};
const PublishedTruth& published_truth(const std::string& data);  // of a data set of the table

// What is known to be wrong with the published figures of a data set; "" if nothing is.
std::string published_note(const std::string& data);

}  // namespace agon
