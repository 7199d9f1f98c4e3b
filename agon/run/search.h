// agon/run/search.h
//
// The search of a run: a match, or one algorithm alone; and the search of one resample for --bootstrap.
//
//   const Answer answer = play(plan, task);         // opponents propose, challengers play, the champion is 1-optimal
//   answer.dag, answer.match->candidates;
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/checkpoint.h"
#include "agon/base/stop.h"
#include "agon/graph/pag.h"
#include "agon/match/match.h"
#include "agon/run/request.h"

namespace agon {

// What a search works on, once everything has been read and checked.
struct Task {
  const Dataset& data;
  const LocalScore& score;
  const Dag& start;
  const Knowledge& knowledge;
  uint64_t seed;
  int threads;
  const Watch& watch;
  Checkpoint* checkpoint = nullptr;  // null: none was asked for
  PlainMaker make_plain = nullptr;   // null: the score is the caller's own
};

struct Answer {
  Dag dag;
  std::optional<Pag> pag;  // of an algorithm that allows for hidden variables
  long moves = 0;
  std::string stopped_by;
  std::vector<std::string> story;
  std::optional<double> varsortability;  // of an algorithm that compares variances
  std::optional<MatchResult> match;      // of a match
};

// What an opponent of a match did, a sentence each.
std::vector<std::string> story_of(const OpponentResult& opponent);

Answer play(const Plan& plan, const Task& task);
Answer run_alone(const Plan& plan, const Task& task);

// The graph found on one resample (the task's score is then that of the resample), and the name of that search.
Dag search_resample(const RunRequest& request, const Plan& plan, const Task& task);
std::string resample_search_name(const RunRequest& request, const Plan& plan);

}  // namespace agon
