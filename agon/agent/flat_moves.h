// agon/agent/flat_moves.h
//
// The moves worth considering: those whose immediate worth is within `reach` of the best, found without going through
// all 3p(p - 1). If the value of what follows a move is known to be in [-w, w], only moves with r >= r_max - 2 gamma w
// can be the best, so with reach = 2 gamma w nothing is lost.
//
//   MoveSieve sieve(game, {.most = 32});
//   std::vector<WorthyMove> found;
//   sieve.find(game, 20.0, found);       // best first; ties: fewer edges, smaller head, smaller tail
//   game.play(move);  sieve.refresh(game, move);
//
// Worth is in nats and relative to standing still: gain - lambda p (edges after - edges before), which is p times
// (reward of the move - reward of a pass), so that it orders the moves of a state as the reward does.
//
// Cost: each node has a short list of its best additions, rebuilt when its parents change; find() looks at the heads of
// the lists and at the edges. `most` bounds the answer: if more moves are within reach, find() gives the best of them.
#pragma once

#include <vector>

#include "agon/game/game.h"

namespace agon {

struct WorthyMove {
  EdgeMove move;
  double worth = 0;
  bool operator==(const WorthyMove&) const = default;
};

// An addition that would gain but closes a cycle: `to` already reaches `from`.
struct BlockedGain {
  Node from = 0, to = 0;
  double gain = 0;
};

struct SieveOptions {
  int most = 32;    // most moves to give, >= 1
  int list = 8;     // length of the short lists, >= 1; changes the cost, never the answer
  int blocked = 6;  // blocked gains remembered, best first, >= 0
};

class MoveSieve {
 public:
  MoveSieve(const Game& game, const SieveOptions& options);

  double worth(const Game& game, EdgeMove move) const;  // of a valid move
  // The valid moves with worth >= the best worth - reach, at most `most`, best first. Empty when no move is valid.
  void find(const Game& game, double reach, std::vector<WorthyMove>& found);
  // The largest gains that the last find() met but acyclicity forbids, best first.
  const std::vector<BlockedGain>& blocked() const { return blocked_; }

  void refresh(const Game& game, EdgeMove played);  // call it after making the move
  void refresh(const Game& game, Node child);       // or after any other change of the child's parents

 private:
  void note_blocked(Node from, Node to, double gain);
  void scan_edges(const Game& game, double threshold);

  SieveOptions options_;
  double edge_price_;                          // lambda p
  std::vector<std::vector<ParentGain>> list_;  // [to]: the best additions by gain, legal or not, best first
  std::vector<BlockedGain> blocked_;
  std::vector<WorthyMove> pool_;
  std::vector<double> heads_;
};

// The same answer from the list of all valid moves: the plain twin, for tests.
std::vector<WorthyMove> plain_worthy_moves(const Game& game, double reach, int most);

}  // namespace agon
