// web/engine/board.h
//
// A graph that a person edits: the game of agon/game, with the reasons why a move is refused.
//
//   Board board(std::move(ready), edges);
//   board.play({MoveKind::kAdd, 2, 5});              // UsageError says why not: "lung -> asia would close a cycle: .."
//   board.take_back();
//   board.steps_to(champion);                        // the edits between two graphs, the one that gains most first
#pragma once

#include <string>
#include <vector>

#include "agon/game/game.h"
#include "agon/run/prepare.h"
#include "agon/score/column_cache.h"

namespace agon::web {

struct ScoredMove {
  EdgeMove move;
  double gain = 0;
};

class Board {
 public:
  Board(Prepared ready, const Dag& start);
  Board(const Board&) = delete;

  const Dataset& data() const { return ready_.data->table; }
  const std::string& score_name() const { return ready_.chosen.score->traits().name; }
  const Dag& dag() const { return game_.dag(); }
  double score() const { return game_.score(); }
  double tolerance() const { return game_.tolerance(); }  // gains closer than this are ties
  double start_score() const { return start_score_; }
  double gain(EdgeMove move) const { return game_.gain(move); }
  const std::vector<Undo>& played() const { return played_; }

  std::string why_not(EdgeMove move) const;               // "" if the move is valid
  const Undo& play(EdgeMove move);                        // UsageError with the reason
  void take_back();                                       // the last move, if there is one
  std::vector<ScoredMove> best_moves(size_t most) const;  // that gain, best first

  // Edits that lead from this graph to another, each valid when its turn comes. What gains most comes first; a reversal
  // that is never valid becomes a removal and an addition.
  std::vector<ScoredMove> steps_to(const Dag& goal) const;

 private:
  std::string path_text(Node from, Node to) const;

  Prepared ready_;
  mutable ColumnCache cache_;
  Game game_;
  double start_score_;
  std::vector<Undo> played_;
};

}  // namespace agon::web
