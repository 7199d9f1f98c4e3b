// agon/match/match.h
//
// The competition: opponents propose graphs, challengers edit them, the best by score is the champion.
//
//   const auto run_ges = [&](const Watch& watch, const OpponentResults&) { return ges(score, {}, watch); };
//   MatchResult r = play_match(score, {{"ges", run_ges}}, {}, {}, Rng(0));
//   r.champion, r.score            // at least the score of every opponent's graph
//   r.history                      // each new champion: when, and by whom
//
// What may be relied on:
//   - the champion starts as the best opponent's graph and changes only on a gain recomputed from the local scores of
//     the new graph, so it is never worse than any opponent;
//   - it ends 1-optimal: no valid single edit improves it, whatever cut the play short;
//   - one that beat the opponents is the central member of its class (central_member.h) where that is 1-optimal too; an
//     opponent's graph that nobody beat is left as it was proposed;
//   - the same score, opponents, options and rng give the same result for any number of threads: play is cut into
//     rounds of a fixed number of moves by a fixed number of players, and the champion of a round is chosen by
//     (score, player). Where several players reach the same score in the same round the first one's graph is taken, and
//     the arms of all of them are credited with it;
//   - a match that is resumed from a checkpoint of the same match ends as it would have ended undisturbed, but for the
//     seconds.
//
// A round: every player goes on from where it stood. Each plays an arm (challengers.h); arms that gained more per cost lately
// get more of the next round's moves. A player that has not risen for two rounds while the champion stands higher goes
// on from the champion. Play ends when the budget is used, or early when `patience` moves in a row brought nothing
// (stopped_by says which). Then pruned graphs are candidates like any other: one becomes champion only if it scores
// higher.
//
// Words: an *opponent's result* is the graph an opponent proposed, with how it got there; a *candidate* is a graph that
// could have become champion. (A *proposal* is something else: what draws the edits of the local challenger,
// agon/agent/proposal.h.)
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agon/agent/challengers.h"
#include "agon/base/checkpoint.h"
#include "agon/match/history.h"
#include "agon/opponent/opponent.h"

namespace agon {

// What an opponent of this match found.
struct OpponentResult {
  std::string name;
  SearchResult result;
  double seconds = 0;
};
using OpponentResults = std::vector<OpponentResult>;

// An opponent: a name and what it does. The graph it returns must satisfy the knowledge of the match. It is told what
// those before it found (of a resumed match too), so that no work need be done twice; its answer may not depend on it.
struct Entrant {
  std::string name;
  std::function<SearchResult(const Watch& watch, const OpponentResults& earlier)> propose;
};

// What pruning makes of a graph: graphs with fewer edges, each of which satisfies the knowledge (cam_pruning.h).
using Pruner = std::function<std::vector<Dag>(const Dag&)>;

struct MatchOptions {
  long moves = -1;          // budget of the challengers in game moves; -1: default_moves(p); 0: opponents alone
  long round_moves = 5000;  // moves of one player in one round, on average
  int players = 2;     // players per round at least, each with a random stream of its own; part of the result, unlike
                       // threads
  long patience = -1;  // moves without a new champion after which play ends; -1: default_patience(p)
  int threads = 1;     // players at a time; the result does not depend on it
  Pruner prune = nullptr;  // asked after play about the champion and the opponents' graphs; none: no pruning
  size_t cache_bytes = size_t{256} << 20;  // columns of gains, for all players together
  GameOptions game = {};
  ChallengerOptions challenger = {};
  Checkpoint* checkpoint = nullptr;  // where the match is saved now and then, and resumed from; none: nowhere
};

struct ArmResult {  // what one arm did in all rounds
  std::string name;
  double cost = 1;  // of a move, as the allocation counts it
  PlayCounts counts;
  double gained = 0;  // what its players' best graphs rose by, in nats
  int champions = 0;  // new champions of the match that it found, alone or together with others
};

struct MatchResult {
  OpponentResults opponents;  // in the order given
  size_t best_opponent = 0;
  Dag champion;
  double score = 0;
  std::string found_by;
  std::vector<HistoryPoint> history;
  std::vector<TracePoint> trace;  // of every round, of every second one when there are many, and so on
  std::vector<Dag> candidates;    // every opponent's graph, champion and pruned graph, in order of appearance
  PlayCounts counts;
  std::string challenger;  // "auto", or the one that played alone
  std::vector<ArmResult> arms;
  int edge_budget = 0;     // B, as it was in force
  std::string stopped_by;  // "moves", "no gain expected", "time limit", "interrupted"
};

MatchResult play_match(const LocalScore& score, const std::vector<Entrant>& entrants, const MatchOptions& options,
                       const Knowledge& knowledge, Rng rng, const Watch& watch = {});

// The budget and the patience when none is given: generous where a move is cheap, since its cost grows with the nodes.
long default_moves(int nodes);
long default_patience(int nodes);

}  // namespace agon
