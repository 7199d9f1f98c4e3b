// agon/match/bootstrap.h
//
// How sure an edge is: the rows are drawn again with replacement, the search is run on each drawing, and what it finds
// is counted pair by pair (Friedman, Goldszmidt & Wyner 1999, "Data analysis with Bayesian networks: a bootstrap
// approach").
//
//   Bootstrap b = bootstrap_edges(data, search, {.resamples = 200, .threads = 4}, knowledge, rng.split("bootstrap"));
//   PairShares s = b.shares(2, 5);         // s.edge = s.forward + s.backward + s.undirected
//
// Each resample votes with the class of its graph, not with one member of it: an arrow counts as forward or backward
// only where the resample determines it (its MPDAG when there is knowledge), else as undirected. A vote of single DAGs
// would call a coin toss a direction.
//
// What may be relied on: resample k is drawn from rng.split("rows", k) and searched with rng.split("search", k), so the
// shares are the same for any number of threads. An interruption or the end of the time leaves the resamples that were
// finished, and `resamples` says how many. A drawing repeats rows, which a BIC takes for evidence: shares of weak edges
// are somewhat too high (Steck & Jaakkola 2003), so they rank edges better than they measure them.
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

// Of the resamples, the share in which two nodes are adjacent, and how.
struct PairShares {
  double edge = 0;        // adjacent at all
  double forward = 0;     // from -> to
  double backward = 0;    // to -> from
  double undirected = 0;  // adjacent, and either way is as good
};

struct Bootstrap {
  int asked = 0;
  int resamples = 0;                                  // finished
  std::map<std::pair<Node, Node>, PairShares> pairs;  // by (smaller, larger) node, those ever adjacent; forward is up

  PairShares shares(Node from, Node to) const;  // all 0 when never adjacent
};

struct BootstrapOptions {
  int resamples = 200;
  int threads = 1;                   // resamples at a time; the result does not depend on it
  Checkpoint* checkpoint = nullptr;  // where finished resamples are kept, and taken from; none: nowhere
};

// Finds the graph of one resample, on one thread. Its answer must satisfy the knowledge.
using ResampleSearch = std::function<Dag(const Dataset& resample, const Rng& rng, const Watch& watch)>;

// InputError for rows with weights or of experiments, which would have to be drawn in another way.
Bootstrap bootstrap_edges(const Dataset& data, const ResampleSearch& search, const BootstrapOptions& options,
                          const Knowledge& knowledge, const Rng& rng, const Watch& watch = {});

// The search a match gives its resamples: BOSS, then a short play of the local challenger (`quick_moves` is how short).
// On the whole rows of sachs, alarm and hepar2 it reaches the score of the full match.
// `cache_bytes` bounds each of its two caches, and never changes the answer.
Dag quick_match(const LocalScore& score, const Knowledge& knowledge, const Rng& rng, const Watch& watch = {},
                size_t cache_bytes = size_t{32} << 20);
long quick_moves(int nodes);

// The same columns with as many rows as there were, drawn with replacement. Levels that were not drawn are gone;
// missing cells, weights and regimes go with their rows.
Dataset resampled(const Dataset& data, Rng rng);

}  // namespace agon
