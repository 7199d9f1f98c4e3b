// cli/search.h
//
// What `agon discover` and `agon run` share: options, the run itself, and everything that is written about it.
#pragma once

#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/binding.h"
#include "cli/data_args.h"
#include "cli/knowledge_args.h"
#include "cli/score_args.h"

namespace agon::cli {

// Seconds from "60s", "2m", "500ms", "1h" or "60". UsageError for anything else.
double parse_duration(const std::string& text);

class SearchArgs {
 public:
  explicit SearchArgs(Binding& binding);

  // Reads the table, searches with the algorithm of that name, writes what was asked for. `why` tells the reader why
  // this algorithm.
  int run(const std::string& algorithm, const std::string& why, const std::string& typed) const;

 private:
  const Binding& binding_;
  DataArgs data_;
  ScoreArgs score_;
  KnowledgeArgs knowledge_;
  std::string start_, time_limit_, truth_, out_;
  int threads_ = 0;
  uint64_t seed_ = 0;
  std::vector<std::string> formats_ = {"csv"};
  bool json_ = false, quiet_ = false;
};

}  // namespace agon::cli
