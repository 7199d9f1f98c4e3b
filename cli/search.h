// cli/search.h
//
// What `agon discover` and `agon run` share: options, the run itself, and everything that is written about it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/certificate/certificate.h"
#include "agon/graph/pag.h"
#include "agon/match/run_record.h"
#include "cli/app.h"
#include "cli/binding.h"
#include "cli/data_args.h"
#include "cli/knowledge_args.h"
#include "cli/score_args.h"

namespace agon::cli {

// Seconds from "60s", "2m", "500ms", "1h" or "60". UsageError for anything else.
double parse_duration(const std::string& text, const std::string& option = "time-limit");

// What a search is given once everything was read and checked, and what it gives back.
struct Task {
  const Dataset& data;
  const LocalScore& score;
  const ScoreOptions& score_options;
  const Dag& start;
  const Knowledge& knowledge;
  uint64_t seed;
  int threads;
  const Watch& watch;
  Log& log;
};
struct Answer {
  Dag dag;
  std::string algorithm, reason;  // what searched, and why this
  bool own_start = false;         // it has a beginning of its own
  long moves = 0;
  std::string stopped_by;
  std::vector<std::string> story;
  std::optional<Pag> pag;            // of an algorithm that allows for hidden variables
  std::optional<MatchRecord> match;  // of `discover`
  std::optional<Certificate> certificate;
};

// A search: of the table, and of one resample of it for --bootstrap, whose score is that of the task on the new rows.
struct SearchWork {
  std::function<Answer(const Task&)> search;
  std::function<Dag(const Task&)> resample;
  std::string resample_name;  // what it does, for the reader
};

class SearchArgs {
 public:
  explicit SearchArgs(Binding& binding);

  const Binding& binding() const { return binding_; }

  // Reads the table, lets the search do its work, writes what was asked for.
  int carry_out(const SearchWork& work, const std::string& typed) const;

 private:
  void run_bootstrap(RunRecord& record, const SearchWork& work, const Task& task) const;

  const Binding& binding_;
  DataArgs data_;
  ScoreArgs score_;
  KnowledgeArgs knowledge_;
  std::string start_, time_limit_, truth_, out_, prefix_;
  int threads_ = 0, bootstrap_ = 0;
  uint64_t seed_ = 0;
  std::vector<std::string> formats_ = {"csv"};
  bool json_graph_ = false, json_ = false, quiet_ = false;
};

}  // namespace agon::cli
