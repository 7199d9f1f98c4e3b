// agon/agent/paper_player.h
//
// The player of the published challenger; paper.h says what it does and has its options.
//
//   PaperPlayer player(game, options, Rng(0).split("paper"));
//   PlayCounts n = player.play(game, champion, {.moves = 1000}, watch);
#pragma once

#include <optional>
#include <vector>

#include "agon/agent/challenger.h"
#include "agon/agent/paper.h"
#include "agon/agent/paper_learner.h"
#include "agon/agent/replay.h"

namespace agon {

class PaperPlayer : public Challenger {
 public:
  // The warm start is the game's current graph.
  PaperPlayer(const Game& game, const PaperOptions& options, Rng rng);

  void set_warm_start(const Game& game) override;
  void exchange_state(Archive& archive, const Game& game) override;
  PlayCounts play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch = {}) override;
  // The best graph visited and its episode: with `champion_every`, the champion does not tell.
  std::vector<std::string> story() const override;

  const PaperOptions& options() const { return options_; }

 private:
  EdgeMove choose(const Game& game, const std::vector<EdgeMove>& valid);
  void remember(const std::vector<Edge>& before, EdgeMove move, double reward, const std::vector<EdgeMove>& next,
                int nodes);
  void learn(const Game& game);

  PaperOptions options_;
  Dag warm_start_;
  double start_;           // score of the warm start
  double best_;            // score of the best graph visited, or of the warm start
  long best_episode_ = 0;  // in which it was found, counted from 1; 0: none was better than the warm start
  Rng explore_, sample_;
  std::optional<PaperLearner> learner_;
  FirstLayer first_;
  Replay<PaperMemory> replay_;
  std::vector<const PaperMemory*> batch_;
  long steps_ = 0;      // moves so far, for the schedule
  int in_episode_ = 0;  // moves made in the present episode; 0: it begins anew
  long episodes_ = 0;   // finished
};

}  // namespace agon
