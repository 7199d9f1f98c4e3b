// agon/catalog/opponents.h
//
// The algorithms that propose a graph, by name. `agon run NAME` and `agon list opponents` read this table. To add an
// algorithm, add an entry.
//
//   const OpponentEntry& boss = opponent_entry("boss");
//   SearchResult r = boss.propose({.data = data, .score = score, .start = Dag(p), .knowledge = knowledge,
//                                  .rng = Rng(0), .watch = watch});
//
// What may be relied on: propose() refuses, before it begins, a table that holds something the algorithm cannot take.
// Whatever other code needs to know about an algorithm is a field of its entry; nothing is decided by its name.
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

// Options for algorithms that test independences (OpponentEntry::tests).
struct TestOptions {
  std::string name = "auto";     // which test: see make_independence in independence.h
  double alpha = 0.01;           // a p-value above it means independent, (0, 1)
  std::optional<int> max_given;  // largest conditioning set; -1: no limit; absent: the algorithm's default
};

// Options of algorithms that train a network on the table (OpponentEntry::learns says which of them each reads).
struct LearnerOptions {
  int64_t iterations = 0;             // 0: as many as published
  int64_t rest = 0;                   // end after so many iterations without a better graph; 0: never
  std::string regression = "linear";  // or quadratic, process
  std::string decoder = "pair";       // or bilinear, tensor, transformer
  std::optional<double> bias = {};    // of logits at the start; absent: the algorithm's default
  std::string variances = "equal";    // or different
  std::string reward = "paper";       // or own: the score of the run
  std::string reward_per = "step";    // or order
  bool standardise = false;
  bool sample = false;  // of dag-gnn: noise as in the paper, not as released
};

struct OpponentInput {
  const Dataset& data;  // the table behind the score, for algorithms that learn from the columns themselves
  const LocalScore& score;
  const Dag& start;
  const Knowledge& knowledge;  // the answer satisfies it
  Rng rng;
  int threads = 1;          // the answer must not depend on it
  long training_steps = 0;  // limit for an algorithm that trains; 0: its default
  TestOptions test = {};
  LearnerOptions learner = {};
  size_t cache_bytes = 0;  // limit for cached gains; changes the memory used, not the answer; 0: its default
  const Watch& watch;
  // What earlier opponents of the same match found, under the names of this table, from the same data, score, start and
  // knowledge. An opponent that would begin by repeating another's work takes it from here; its answer would be the
  // same without it.
  std::span<const OpponentResult> earlier = {};
  // What the same algorithm returned, for the same input, when it was stopped. It must have said where
  // (SearchResult::unfinished); it continues from there, and answers as if it had never been stopped.
  const SearchResult* cut = nullptr;
  // Where a training is saved while it runs; its `from` is not looked at. Only algorithms that `learn` look at it.
  SavedSearch saved = {};
};

// When an algorithm takes part although the caller named no opponents.
enum class PlaysUnasked {
  kNever,
  kUsually,     // unless one of the cases below holds
  kOnOwnScore,  // the score is the caller's own, and may differ between members of a class
  kOnStart,     // the caller gave a graph to start from
};

struct OpponentEntry {
  std::string name;
  std::string summary;
  std::string source;  // paper
  Maturity maturity = Maturity::kLight;
  bool takes_start = false;       // begins at OpponentInput::start; otherwise it has a beginning of its own
  bool searches = true;           // otherwise limits on time and on parents mean nothing to it
  bool climbs = false;            // its score never falls below its start's; otherwise the score only judges its graph
  bool tests = false;             // reads OpponentInput::test
  bool draws = false;             // reads OpponentInput::rng: another seed may give another answer
  bool compares_classes = false;  // needs a score that is the same for all members of a class (ScoreTraits)
  bool allows_hidden = false;     // its answer is a PAG: two columns may have a common cause that is no column
  std::vector<std::string> learns = {};  // options of LearnerOptions that it reads: then it takes minutes or hours
  bool resumes = false;                  // reads OpponentInput::cut: once stopped, it can be resumed
  bool pays_for_knowledge = false;       // knowledge is part of its reward; without any it is another algorithm
  int most_columns = 0;                  // it takes no more of them; 0: any number
  bool slow_on_dense = false;            // its time grows with a high power of how many columns depend on each other
  // Which tables it takes. An algorithm that sees the data only through the score takes whatever the score takes.
  Capabilities takes = kOrdinaryTables;
  PlaysUnasked unasked = PlaysUnasked::kNever;
  SearchResult (*search)(const OpponentInput&) = nullptr;  // called by propose()

  bool needs_start() const { return takes_start && !searches; }  // it only passes on the graph it is given
  // The graph it finds. InputError when the table holds something it cannot take.
  SearchResult propose(const OpponentInput& input) const;
};

const std::vector<OpponentEntry>& opponent_entries();
const OpponentEntry& opponent_entry(const std::string& name);  // UsageError with a suggestion when there is none

// Those that take part when the caller names none, in the order of the table.
std::vector<const OpponentEntry*> default_opponents(PlaysUnasked when);

// UsageError when the opponent cannot work with this score, or not with so many columns.
void refuse_unfit_score(const OpponentEntry& opponent, const LocalScore& score);

}  // namespace agon
