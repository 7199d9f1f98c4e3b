// agon/run/request.h
//
// What is asked of a run: the options of `agon discover` (a match) or of `agon run` (one algorithm alone), bound to
// their names in the catalog, and what follows from them before anything is read.
//
//   Settings settings;
//   RunRequest request(settings, RunRequest::Kind::kMatch);
//   settings.set("opponent", std::string("ges"));
//   Plan plan = make_plan(request, {});         // UsageError for options that make no sense together
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agon/catalog/opponents.h"
#include "agon/graph/named_graph.h"
#include "agon/match/match.h"
#include "agon/run/challenger_settings.h"
#include "agon/run/checkpoint_settings.h"
#include "agon/run/data_settings.h"
#include "agon/run/knowledge_settings.h"
#include "agon/run/learner_settings.h"
#include "agon/run/proving.h"
#include "agon/run/score_settings.h"
#include "agon/run/test_settings.h"

namespace agon {

struct RunRequest {
  enum class Kind { kMatch, kAlone };
  RunRequest(Settings& given, Kind which);
  RunRequest(const RunRequest&) = delete;  // the settings hold references to its members

  Settings& settings;  // tells which options were given, and which are in force
  Kind kind;
  std::string algorithm;  // the one that runs alone

  DataSettings data;
  ScoreSettings score;
  KnowledgeSettings knowledge;
  std::string start, truth;              // places of graphs; "": none
  std::string time_limit, memory_limit;  // as typed; "": none
  int bootstrap = 0;                     // resamples; kUsual: the run chooses how many, by what they cost
  bool posterior = false;
  int64_t posterior_steps = 0;   // 0: until the chains agree
  int posterior_candidates = 0;  // 0: by the number of columns
  int threads = 0;
  uint64_t seed = 0;
  std::optional<TestSettings> test;
  std::optional<LearnerSettings> learner;

  // Of a match.
  std::string preset;  // "": none
  std::optional<ChallengerSettings> challenger;
  std::optional<CheckpointSettings> checkpoint;
  std::optional<ProofSettings> proof;
  std::vector<std::string> opponents;  // empty: the default ones
  std::string prune = "none";

  static constexpr int kUsual = -1;
  double seconds() const;    // the time limit; 0: none
  double memory() const;     // bytes the search may use: --memory-limit, or what the machine has
  int thread_count() const;  // --threads, or as many as the machine runs at once
};

// What a program passes directly, where a user of the command line names a file.
using ScoreMaker = std::function<std::unique_ptr<LocalScore>(const Dataset&)>;
struct GivenInput {
  std::shared_ptr<const LoadedData> data = nullptr;
  std::optional<NamedGraph> start = {}, truth = {};
  std::optional<KnowledgeStatements> knowledge = {};
  ScoreMaker score = nullptr;  // the caller's own score; a certificate cannot derive it again
};

// What follows from the options alone: who takes part, and how they play.
struct Plan {
  std::vector<const OpponentEntry*> algorithms;  // the opponents of a match, or the one that runs alone
  bool alone = false;
  TestOptions test;
  LearnerOptions learner;
  MatchOptions match;
  bool prunes = false;
  std::vector<std::string> left_out;  // what the table does not allow, a sentence each: see fit_plan in prepare.h

  bool asks_tests() const { return agon::asks_tests(algorithms); }
};

// Refuses everything that can be refused before any file is read. Afterwards the options in force are those that have
// an effect.
Plan make_plan(RunRequest& request, const GivenInput& given);

// Why these opponents and this much play, for the reader.
std::string match_reason(const RunRequest& request, const MatchOptions& options, const LocalScore& score,
                         size_t opponent_count);

}  // namespace agon
