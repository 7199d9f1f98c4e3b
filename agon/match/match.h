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
//   - it ends 1-optimal: no valid single edit improves it. After a stop there is a second (`grace`) left for
//     that, which may be too little for a wide table, and with `as_visited` there is no ascent at all; then ascent_cut
//     says so;
//   - a champion that beat the opponents is the central member of its class (central_member.h) if that is 1-optimal
//     too; an opponent's graph that nobody beat is left as it was proposed;
//   - the same score, opponents, options and rng give the same result for any number of threads: play is cut into
//     rounds of a fixed number of moves by a fixed number of players, and the champion of a round is chosen by
//     (score, player). If several players reach the same score in the same round, the first one's graph is taken, and
//     the arms of all of them are credited with it;
//   - a match that is resumed from its checkpoint ends as it would have ended without the interruption, except for the
//     seconds, and for what a time limit has cut.
//
// Of the time until the watch's deadline the opponents together get half, or all if there is no play. One that is cut
// there and can be resumed continues when play has ended before its time, or at once if the match is resumed from its
// checkpoint with a later deadline; a better graph it finds then is played on.
//
// In a round every player continues from where it was. Each plays an arm (challengers.h); arms that recently gained
// more per cost get more of the next round's moves. A player that has not improved for two rounds and is below the
// champion restarts from the champion. Play ends when the budget is used, or early when `patience` moves in a row
// brought no new champion (stopped_by says which). Then pruned graphs are candidates like any other: one becomes
// champion only if it scores higher.
//
// Words: an *opponent's result* is the graph an opponent proposed, with how it got there; a *candidate* is a graph that
// could have become champion. (A *proposal* is something else: how the local challenger draws its edits,
// agon/agent/proposal.h.)
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agon/agent/challengers.h"
#include "agon/base/checkpoint.h"
#include "agon/base/grace.h"
#include "agon/match/history.h"
#include "agon/opponent/opponent.h"

namespace agon {

// What an opponent of this match found.
struct OpponentResult {
  std::string name;
  SearchResult result;
  double seconds = 0;
  bool cut = false;      // it was stopped when the opponents' share of the time limit was used
  bool resumed = false;  // and continued later
};
using OpponentResults = std::vector<OpponentResult>;

// An opponent: a name and what it does. When its watch asks to stop, it returns the best it has. The graph it returns
// must satisfy the knowledge of the match. It is given what the opponents before it found (in a resumed match too), so
// that no work need be done twice; its answer must not depend on that.
struct Entrant {
  std::string name;
  std::function<SearchResult(const Watch& watch, const OpponentResults& earlier)> propose;
  // Continues a search that was stopped and said where (SearchResult::unfinished); null: it cannot.
  std::function<SearchResult(const Watch& watch, const OpponentResults& earlier, const SearchResult& cut)> resume = {};
};

// Makes pruned versions of a graph, with fewer edges; each must satisfy the knowledge (cam_pruning.h).
using Pruner = std::function<std::vector<Dag>(const Dag&)>;

struct ArmResult {  // what one arm did in all rounds
  std::string name;
  double cost = 1;  // of a move, as the allocation counts it
  PlayCounts counts;
  double gained = 0;  // total rise of its players' best scores, in nats
  int champions = 0;  // new champions of the match that it found, alone or tied with others
};

struct MatchOptions {
  int64_t moves = -1;          // budget of the challengers, in moves; -1: default_moves(); 0: opponents alone
  int64_t round_moves = 5000;  // moves of one player in one round, on average
  int players = 2;  // least number of players, each with its own random stream; affects the result, unlike threads
  int64_t patience = -1;    // moves without a new champion after which play ends; -1: default_patience()
  int threads = 1;          // players that play at a time; the result does not depend on it
  bool as_visited = false;  // answer with the champion as play left it: no restarts from it, no ascent, no renaming
  Pruner prune = nullptr;   // called after play on the champion and the opponents' graphs; null: no pruning
  size_t cache_bytes = size_t{256} << 20;        // columns of gains, for all players together
  std::chrono::duration<double> grace = kGrace;  // how long the ascent at the end may take after a stop
  GameOptions game = {};
  ChallengerOptions challenger = {};
  // Told of each champion; of all arms after each round of play, with the parts of the next round's cost that they get.
  // Null: nobody is.
  std::function<void(const Dag& champion, double score, const std::string& found_by)> on_champion = nullptr;
  std::function<void(const std::vector<ArmResult>& arms, const std::vector<double>& shares)> on_round = nullptr;
  Checkpoint* checkpoint = nullptr;  // where the match is saved now and then, and resumed from; null: nowhere
};

struct MatchResult {
  OpponentResults opponents;  // in the order given
  size_t best_opponent = 0;
  Dag champion;
  double score = 0;
  std::string found_by;
  std::vector<HistoryPoint> history;
  std::vector<TracePoint> trace;  // of every round; of every second, fourth, ... when there are many
  std::vector<Dag> candidates;    // every opponent's graph, champion and pruned graph, in order of appearance
  PlayCounts counts;
  std::string challenger;  // "auto", or the one that played alone
  std::vector<ArmResult> arms;
  std::vector<std::string> story;  // what the players have to say of their play (challenger.h)
  int edge_budget = 0;             // B, as it was applied
  std::string stopped_by;          // "moves", "no gain expected", "time limit", "interrupted"
  bool ascent_cut = false;         // a stop ended the last ascent on its way: the champion need not be 1-optimal
};

MatchResult play_match(const LocalScore& score, const std::vector<Entrant>& entrants, const MatchOptions& options,
                       const Knowledge& knowledge, Rng rng, const Watch& watch = {});

// The budget as it will be applied: options.moves, or what the challenger wants of the default.
long planned_moves(const LocalScore& score, const MatchOptions& options, size_t opponents);

// The default budget and patience. They are generous on small tables, since the cost of a move grows with the columns
// that the score works on: one for each variable, or a block of them where there are categories (score/blocks.h).
long default_moves(const LocalScore& score);
long default_patience(const LocalScore& score);

}  // namespace agon
