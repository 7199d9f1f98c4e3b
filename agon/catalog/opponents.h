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
// What others need to know of an algorithm is a field of its entry: nobody asks for a name to learn a property.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agon/base/maturity.h"
#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/data/capability.h"
#include "agon/data/dataset.h"
#include "agon/graph/dag.h"
#include "agon/graph/knowledge.h"
#include "agon/match/match.h"
#include "agon/opponent/opponent.h"
#include "agon/score/local_score.h"

namespace agon {

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
  // What opponents of the same match found before, by the names of this table and from the same data, score, start and
  // knowledge. One that would begin with the work of another takes it from here; its answer is the same without.
  std::span<const OpponentResult> earlier = {};
};

// When an algorithm plays although the caller named none.
enum class PlaysUnasked {
  kNever,
  kUsually,     // unless one of the cases below holds
  kOnOwnScore,  // the score is the caller's, which may differ between members of a class
  kOnStart,     // the caller gave a graph to begin with
};

struct OpponentEntry {
  std::string name;
  std::string summary;
  std::string source;  // paper
  Maturity maturity = Maturity::kLight;
  bool takes_start = false;       // begins at OpponentInput::start; else it has a beginning of its own
  bool searches = true;           // else limits on time and on parents mean nothing to it
  bool climbs = false;            // never ends below its start by the score; else the score only judges its graph
  bool tests = false;             // reads OpponentInput::test
  bool draws = false;             // reads OpponentInput::rng: another seed may give another answer
  bool compares_classes = false;  // needs a score that is the same for all members of a class (ScoreTraits)
  bool slow_on_dense = false;     // its time grows with a high power of how many columns depend on each other
  // What it can use of a table. An algorithm that sees the data through the score alone takes what the score takes.
  Capabilities takes = kOrdinaryTables;
  PlaysUnasked unasked = PlaysUnasked::kNever;
  SearchResult (*search)(const OpponentInput&) = nullptr;  // called by propose()

  bool needs_start() const { return takes_start && !searches; }  // it is nothing but the graph it is given
  // The graph it finds. InputError when the table holds what it does not take.
  SearchResult propose(const OpponentInput& input) const;
};

const std::vector<OpponentEntry>& opponent_entries();
const OpponentEntry& opponent_entry(const std::string& name);  // UsageError with a suggestion when there is none

// Those that play when the caller names none, in the order of the table.
std::vector<const OpponentEntry*> default_opponents(PlaysUnasked when);

// UsageError when the opponent cannot work by this score.
void refuse_unfit_score(const OpponentEntry& opponent, const LocalScore& score);

}  // namespace agon
