// agon/agent/paper_player.h
//
// The player of the published challenger; paper.h says what it does and has its options.
//
//   PaperPlayer player(game, options, Rng(0).split("paper"));
//   PlayCounts n = player.play(game, champion, {.moves = 1000}, watch);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agon/agent/challenger.h"
#include "agon/agent/double_dqn.h"
#include "agon/agent/paper.h"
#include "agon/agent/replay.h"

namespace agon {

// Keeps W_0 x + b_0 of a network up to date while the graph with adjacency x is edited.
class FirstLayer {
 public:
  void rebuild(const Mlp& net, const Dag& dag);  // after the weights or the whole graph changed
  void play(const Mlp& net, int nodes, EdgeMove move);
  const NetVector<float>& value() const { return value_; }

 private:
  NetVector<float> value_;
};

class PaperPlayer : public Challenger {
 public:
  // The warm start is the game's current graph.
  PaperPlayer(const Game& game, const PaperOptions& options, Rng rng);

  void set_warm_start(const Game& game) override { warm_start_ = game.dag(); }
  void exchange_state(Archive& archive, const Game& game) override;
  PlayCounts play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch = {}) override;

  const PaperOptions& options() const { return options_; }

 private:
  using Learner = DoubleDqn<MoveOutputs<float>>;

  // A transition in compact form: the dense one of MoveOutputs would hold p^2 floats twice.
  struct Memory {
    std::vector<int> inputs;  // indices of the edges
    EdgeMove move{MoveKind::kAdd, 0, 0};
    float reward = 0;
    std::vector<uint64_t> next_valid;  // one bit per output

    friend void exchange(Archive& archive, Memory& memory) {
      archive(memory.inputs);
      archive(memory.move);
      archive(memory.reward);
      archive(memory.next_valid);
    }
  };
  static void expand(const Memory& memory, int nodes, Learner::Transition& t);

  EdgeMove choose(const Game& game, const std::vector<EdgeMove>& valid);
  void remember(const std::vector<Edge>& before, const Undo& played, const std::vector<EdgeMove>& next, int nodes);
  void learn(const Game& game);

  PaperOptions options_;
  Dag warm_start_;
  Rng explore_, sample_;
  std::optional<Learner> dqn_;
  FirstLayer first_;
  MlpWork<float> work_;
  Replay<Memory> replay_;
  std::vector<const Memory*> drawn_;
  std::vector<Learner::Transition> dense_;
  std::vector<const Learner::Transition*> batch_;
  long steps_ = 0;  // moves so far, for the schedule
};

}  // namespace agon
