// agon/run/proving.h
//
// After the match: a bound on the score of every graph, a proof of it, and its check (agon/referee, certificate/).
//
//   ProofSettings proving(settings);                     // --prove, --no-prove, --prove-parents, --edge-losses
//   Proved proved = prove_champion(proving, task, match, watch);
//   proved.optimum, proved.proof;                        // for the certificate, and for proof.txt
//
// How much is spent unless --prove asks for a proof: what the match is expected to take, at least 1 and at most 15
// seconds, counted in work rather than measured, so that the answer does not depend on the machine or its load. The
// clock ends it after 30 seconds in any case, and the record says so. The losses of edges get a minute of work, or with
// --prove as much as they need; the time limit ends them too.
#pragma once

#include <string>
#include <vector>

#include "agon/catalog/settings.h"
#include "agon/certificate/certificate.h"
#include "agon/certificate/plain_families.h"
#include "agon/match/match.h"
#include "agon/referee/edge_losses.h"

namespace agon {

struct ProofSettings {
  explicit ProofSettings(Settings& settings);
  void check();  // UsageError for options that contradict each other; what was not given is left out of the record

  bool prove = false;     // until it is proven
  bool no_prove = false;  // not at all
  int parents = 0;        // most parents of a node that the proof speaks of; 0: as many as the work allows
  bool losses = false;    // what each edge loses against the best graph without it

 private:
  Settings& settings_;
};

struct ProvingTask {
  const JudgedScore& score;  // the certificate's
  const Knowledge& knowledge;
  const LocalScore& search_score;  // the search's, for making a better graph 1-optimal
  double search_seconds = 0;       // that the match was expected to take
  double memory = 4e9;
  int threads = 1;
};

struct Proved {
  Optimum optimum;
  std::string proof;  // the text of proof.txt; "": there is none
  std::vector<std::string> story;
  std::vector<EdgeLoss> losses = {};  // of the champion's edges, if they were asked for
};

// A graph that scores higher becomes the champion of the match, made 1-optimal, unless it has too many edges. After a
// stop there is a second for that (grace.h); then match.ascent_cut says whether it was enough.
Proved prove_champion(const ProofSettings& settings, const ProvingTask& task, MatchResult& match, Watch watch);

}  // namespace agon
