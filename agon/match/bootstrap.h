// agon/match/bootstrap.h
//
// How certain an edge is: rows are resampled with replacement, the search is run on each resample, and what it finds is
// counted for each pair of nodes (Friedman, Goldszmidt & Wyner 1999, "Data analysis with Bayesian networks: a bootstrap
// approach").
//
//   Bootstrap b = bootstrap_edges(data, search, {.resamples = 200, .threads = 4}, knowledge, rng.split("bootstrap"));
//   PairShares s = b.shares(2, 5);         // s.edge = s.forward + s.backward + s.open
//
// Each resample votes with the class of its graph, not with one member of it: an arrow counts as forward or backward
// only where the class determines it (the MPDAG, if there is knowledge), and else as open. A vote of single DAGs
// would pass off a coin toss as a direction.
//
// Rows of experiments are drawn within each experiment: how many rows each has was decided, not observed.
//
// What may be relied on: resample k is drawn from rng.split("rows", k) and searched with rng.split("search", k), so the
// shares are the same for any number of threads. After an interruption or a time limit, the resamples finished by
// then count, and `resamples` says how many. A resample repeats rows, which a BIC takes for evidence: shares of weak
// edges are somewhat too high (Steck & Jaakkola 2003), so they rank edges better than they measure them.
#pragma once

#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "agon/base/checkpoint.h"
#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/data/dataset.h"
#include "agon/graph/dag.h"
#include "agon/graph/knowledge.h"
#include "agon/score/local_score.h"

namespace agon {

// The shares of resamples in which two nodes are adjacent, and how.
struct PairShares {
  double edge = 0;      // adjacent at all
  double forward = 0;   // from -> to
  double backward = 0;  // to -> from
  double open = 0;      // adjacent, and either direction fits
};

struct Bootstrap {
  int asked = 0;
  int resamples = 0;                                  // finished
  std::map<std::pair<Node, Node>, PairShares> pairs;  // the pairs ever adjacent, as (from, to), from < to

  PairShares shares(Node from, Node to) const;  // all 0 when never adjacent
};

struct BootstrapOptions {
  int resamples = 200;
  int threads = 1;                   // resamples searched at a time; the result does not depend on it
  Checkpoint* checkpoint = nullptr;  // where finished resamples are saved, and read from; null: nowhere
  std::vector<int> row_set = {};     // those of the score (ScoreTraits): the class that votes
};

// Finds the graph of one resample, on one thread. Its answer must satisfy the knowledge.
using ResampleSearch = std::function<Dag(const Dataset& resample, const Rng& rng, const Watch& watch)>;

// Throws InputError if the table is a matrix, which has no rows.
Bootstrap bootstrap_edges(const Dataset& data, const ResampleSearch& search, const BootstrapOptions& options,
                          const Knowledge& knowledge, const Rng& rng, const Watch& watch = {});

// The search that is run on the resamples of a match: BOSS with a short iterated search, then quick_moves() moves of
// the local challenger. With BOSS as it runs by itself a resample takes four to six times as long on small tables, and
// the shares are the same up to 0.02 (penguins), where 50 resamples leave a standard error of up to 0.07. `cache_bytes`
// bounds each of its two caches, and never changes the answer.
Dag quick_match(const LocalScore& score, const Knowledge& knowledge, const Rng& rng, const Watch& watch = {},
                size_t cache_bytes = size_t{32} << 20);
long quick_moves(int nodes);

// False for a matrix, unless it comes from a summary of kFewestParts parts or more.
bool has_resamples(const Dataset& data);

// The same columns with the same number of rows, drawn with replacement. Levels that were not drawn are dropped;
// missing cells and regimes stay with their rows, and every regime keeps its number of rows. Rows with weights are
// drawn in proportion to them, n draws in all, and a row drawn k times is there once, with weight k (times n over the
// number of draws, where n is not whole); with regimes, that is so in each of them. Of the moments of a summary, whole
// parts are drawn.
Dataset resampled(const Dataset& data, Rng rng);

}  // namespace agon
