// agon/catalog/opponents.h
//
// The algorithms that propose a graph, by name: `agon run NAME` and `agon list opponents` read this table, and adding
// an algorithm is adding a line to it.
//
//   const OpponentEntry& hc = opponent_entry("hc");
//   SearchResult r = hc.propose({.score = *score, .start = Dag(p), .threads = 2, .watch = watch});
#pragma once

#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/graph/dag.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/score/local_score.h"

namespace agon {

// How well an entry is tested: against known values or another implementation; a little; not as it should be.
enum class Maturity { kChecked, kLight, kKnownProblems };
const char* to_string(Maturity maturity);  // "checked", "light", "known problems"

struct OpponentInput {
  const LocalScore& score;
  const Dag& start;
  int threads = 1;  // the answer may not depend on it
  const Watch& watch;
};

struct OpponentEntry {
  std::string name;
  std::string summary;
  std::string source;  // paper
  Maturity maturity;
  SearchResult (*propose)(const OpponentInput&);
};

const std::vector<OpponentEntry>& opponent_entries();
const OpponentEntry& opponent_entry(const std::string& name);  // UsageError with a suggestion when there is none

}  // namespace agon
