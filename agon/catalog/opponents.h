// agon/catalog/opponents.h
//
// The algorithms that propose a graph, by name: `agon run NAME` and `agon list opponents` read this table, and adding
// an algorithm is adding a line to it.
//
//   const OpponentEntry& boss = opponent_entry("boss");
//   SearchResult r = boss.propose({.data = data, .score = score, .start = Dag(p), .knowledge = knowledge,
//                                  .rng = Rng(0), .watch = watch});
//
// What may be relied on: propose() refuses a table that holds what the algorithm does not take, before it begins.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/data/capability.h"
#include "agon/data/dataset.h"
#include "agon/graph/dag.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/opponent.h"
#include "agon/score/local_score.h"

namespace agon {

// How well an entry is tested: against known values or another implementation; a little; not as it should be.
enum class Maturity { kChecked, kLight, kKnownProblems };
const char* to_string(Maturity maturity);  // "checked", "light", "known problems"

// What an algorithm that tests independences is told (OpponentEntry::tests).
struct TestOptions {
  std::string name = "auto";     // which test: see make_independence in independence.h
  double alpha = 0.01;           // a p-value above it means independent, (0, 1)
  std::optional<int> max_given;  // most columns of a set, -1: no limit; absent: the algorithm's own
};

struct OpponentInput {
  const Dataset& data;  // the table the score is of, for algorithms that learn from the columns themselves
  const LocalScore& score;
  const Dag& start;
  const Knowledge& knowledge;  // the answer satisfies it
  Rng rng;
  int threads = 1;          // the answer may not depend on it
  long training_steps = 0;  // most steps of an algorithm that trains; 0: its default
  TestOptions test = {};
  size_t cache_bytes = 0;  // most memory for gains kept, which bounds the memory and not the answer; 0: its default
  const Watch& watch;
};

struct OpponentEntry {
  std::string name;
  std::string summary;
  std::string source;  // paper
  Maturity maturity;
  bool takes_start;  // begins at OpponentInput::start; else it has a beginning of its own
  bool searches;     // else limits on time and on parents mean nothing to it
  bool climbs;       // never ends below its start under the score; else the score is only what its graph is judged by
  SearchResult (*search)(const OpponentInput&);  // called by propose()
  bool tests = false;                            // reads OpponentInput::test
  // What it can use of a table. An algorithm that sees the data through the score alone takes what the score takes.
  Capabilities takes = kOrdinaryTables;

  // The graph it finds. InputError when the table holds what it does not take.
  SearchResult propose(const OpponentInput& input) const;
};

const std::vector<OpponentEntry>& opponent_entries();
const OpponentEntry& opponent_entry(const std::string& name);  // UsageError with a suggestion when there is none

}  // namespace agon
