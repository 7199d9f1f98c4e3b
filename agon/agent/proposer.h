// agon/agent/proposer.h
//
// Draws the edits of a perturbation by a proposal (proposal.h).
//
//   Proposer proposer(game.size(), {.kind = ProposalKind::kTrained});
//   proposer.begin(4);                      // a perturbation of four edits
//   while (auto move = proposer.next(game, rng)) { game.play(*move);  proposer.played(*move); ... }
#pragma once

#include <optional>
#include <vector>

#include "agon/agent/edit_features.h"
#include "agon/agent/proposal.h"
#include "agon/nn/mlp.h"

namespace agon {

class Proposer {
 public:
  Proposer(int nodes, const ProposalOptions& options);

  const ProposalOptions& options() const { return options_; }
  const EditFeatures& features() const { return features_; }

  void begin(int length);  // starts a perturbation of `length` edits
  // The next edit, valid in the game; nothing when none was found. `learned` is added to the score of each draw.
  std::optional<EdgeMove> next(const Game& game, Rng& rng, const Mlp* learned = nullptr, double learned_weight = 1);
  void played(EdgeMove move) { features_.played(move); }

  // The draws that the last next() chose from, one column of features each. Filled only if a network looked at them.
  const NetMatrix<float>& columns() const { return columns_; }
  long chosen() const { return chosen_; }

 private:
  std::optional<EdgeMove> draw(const Game& game, Rng& rng) const;
  float rank(long column);  // what the network says of a draw
  void pick(const Game& game, Rng& rng, const Mlp* learned, double learned_weight);

  ProposalOptions options_;
  std::optional<Mlp> network_;  // what ranks the draws, if a network does
  EditFeatures features_;
  std::vector<EdgeMove> drawn_;
  std::vector<double> weight_;
  NetMatrix<float> columns_;
  long chosen_ = 0;
  MlpWork<float> work_, learned_work_;
};

}  // namespace agon
