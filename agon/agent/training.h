// agon/agent/training.h
//
// How the shipped proposal was made, and how to make another: random problems, frozen states, a ranking loss.
//
//   TrainResult r = train_proposal({.problems = 400}, Rng(0), watch);
//   r.network;           // for ProposalOptions::network
//   r.held_out.top;      // how often a success is ranked above four failures of its own state, on unseen problems
//
// 1. Problems: random graphs (Erdos-Renyi and scale-free), linear Gaussian or discrete tables, sizes and densities
//    drawn anew each time; GES makes the warm start.
// 2. Frozen states: an ordinary run is stopped at several stages; from each state many uniform perturbations are tried
//    and taken back. A perturbation succeeds when it ends higher than it began. Logs of ordinary runs are the wrong
//    data: success there depends mostly on which problem it is and how early in the run.
// 3. Ranking: the score of a perturbation is the sum of its edits' scores plus a number for its length; each success is
//    compared with failures *from the same state* under a softmax (Plackett 1975; Luce 1959), so that the network
//    learns only what tells them apart within a state.
//
// What may be relied on: the same options and rng give the same weights for any number of threads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agon/agent/edit_features.h"
#include "agon/agent/local.h"
#include "agon/base/option.h"
#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/nn/mlp.h"
#include "agon/score/local_score.h"

namespace agon {

// A random problem. The score refers to the table, so the two are kept together.
struct Problem {
  std::string name;  // "gaussian er p=43 degree=5.1 n=812", for reports
  bool discrete = false;
  std::unique_ptr<Dataset> data;
  std::unique_ptr<LocalScore> score;
  Dag truth;
};

struct ProblemRange {
  int least_nodes = 15, most_nodes = 250;    // drawn evenly on a logarithmic scale
  double least_degree = 2, most_degree = 8;  // average, Gaussian; discrete networks reach half of the most
  int least_rows = 100, most_rows = 5000;    // drawn evenly on a logarithmic scale
  double discrete_share = 0.5;               // the others are linear Gaussian
};

Problem random_problem(const ProblemRange& range, Rng rng);

struct TrainOptions {
  int problems = 400;  // to learn from
  int held_out = 40;   // further problems, used for the report alone
  ProblemRange range = {};
  int perturbations = 500;         // tried per frozen state; up to four times as many where few succeed
  int longest = 10;                // most edits of a perturbation, >= 1
  int failures = 4;                // compared with each success, >= 1
  int most_successes = 60;         // kept per state, >= 1
  std::vector<int> hidden = {32};  // widths of the network
  int epochs = 60;                 // passes over the successes
  double learning_rate = 4e-3;     // of Adam at the first step, falling to a tenth
  int batch = 32;                  // successes per step
  int threads = 1;                 // changes nothing but the time
};

void describe(TrainOptions& options, const Describe& option);  // the fields that are options of `agon train`
// Throws a UsageError that names every field outside its range.
void check(const TrainOptions& options);

struct RankingQuality {
  long groups = 0;  // successes, each with its failures
  double loss = 0;  // mean; a network that knows nothing has ln(1 + failures)
  double top = 0;   // share of groups whose success scores highest
  double auc = 0;   // share of (success, failure) pairs of one state in the right order
};

struct TrainResult {
  Mlp network;
  std::vector<float> length_bonus;  // by length; index 0 is unused
  long states = 0, perturbations = 0, successes = 0;
  RankingQuality trained_on, held_out;
};

TrainResult train_proposal(const TrainOptions& options, Rng rng, const Watch& watch = {});

}  // namespace agon
