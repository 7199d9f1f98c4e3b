// cli/score_suite.h
//
// `agon bench --suite scores`: every score of categorical tables on samples of known networks (study/score_study.h),
// several samples at a time. Writes OUT/scores.md, the tables, and OUT/scores.csv, a line per score and sample; after
// an interruption, they cover the samples finished so far.
#pragma once

#include <string>
#include <vector>

#include "agon/study/score_study.h"
#include "cli/console.h"

namespace agon::cli {

struct ScoreSuite {
  StudyChoice choice = {};
  std::vector<size_t> rows = {200, 500, 1000, 5000, 10000};
  int samples = 20;  // of each network and size
  int jobs = 1;      // threads
  std::string out = "bench-scores";
};

int run_score_suite(const ScoreSuite& suite, Log& log);

}  // namespace agon::cli
