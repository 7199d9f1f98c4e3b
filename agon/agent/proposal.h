// agon/agent/proposal.h
//
// Which edits open a local perturbation. Uniform draws stay near each other; a ranking proposal draws a few such edits
// and picks among them by a score, so that the perturbations tried are more often those that lead somewhere.
//
//   Proposer proposer(game.size(), {.kind = ProposalKind::kTrained});
//   proposer.begin(length);
//   while (auto move = proposer.next(game, rng)) { game.play(*move);  proposer.played(*move); ... }
//
//   kUniform   an edit as it is drawn: kinds balanced, `locality` of them at a node already touched
//   kDelta     of K drawn, one with probability proportional to exp(gain / delta_temperature)
//   kRule      of K drawn, by five weights set by hand (below)
//   kTrained   of K drawn, by a network trained beforehand on random problems (training.h)
//
// The network says, up to a constant, how much an edit adds to the log odds that its perturbation succeeds;
// `sharpness` multiplies that, and a share of the picks stays uniform, so that every valid edit keeps a chance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/agent/edit_features.h"
#include "agon/agent/mlp.h"

namespace agon {

enum class ProposalKind { kUniform, kDelta, kRule, kTrained };
const char* to_string(ProposalKind kind);  // "uniform", "delta", "rule", "trained"

struct ProposalOptions {
  ProposalKind kind = ProposalKind::kTrained;
  double locality = 0.9;         // share of edits that touch a node this perturbation has already touched, [0, 1]
  int candidates = 8;            // K, edits drawn per decision, >= 1; a uniform proposal draws one
  double sharpness = 8;          // times the network's score, > 0. Prototype
  double uniform_share = 0.05;   // share of picks that ignore the score, [0, 1]. Prototype
  double delta_temperature = 5;  // nats, > 0: of kDelta
  Mlp network = {};              // of kTrained; without weights: the one that ships with agon
};

// Throws UsageError that names every field outside its range.
void check(const ProposalOptions& options);

// The weights that ship with agon, and the rule that says by hand the plainest of what they learned: never edit a pair
// twice, reverse or remove inside triangles, prefer what costs little, prefer what frees a gain blocked by a cycle, do
// not open with an addition.
const Mlp& shipped_proposal();
const Mlp& rule_proposal();
// The text of a proposal file: lines that begin with # are remarks. Throws InputError naming `place`.
Mlp parse_proposal(std::string_view text, const std::string& place);

class Proposer {
 public:
  Proposer(int nodes, const ProposalOptions& options);

  const ProposalOptions& options() const { return options_; }
  const EditFeatures& features() const { return features_; }

  void begin(int length);  // a new perturbation of so many edits
  // The next edit, valid in the game; nothing when none was found. `learned` is added to the score of each candidate.
  std::optional<EdgeMove> next(const Game& game, Rng& rng, const Mlp* learned = nullptr, double learned_weight = 1);
  void played(EdgeMove move) { features_.played(move); }

  // What the last next() chose from: one column of features each (none when a uniform proposal did not look).
  const NetMatrix<float>& columns() const { return columns_; }
  long chosen() const { return chosen_; }

 private:
  std::optional<EdgeMove> draw(const Game& game, Rng& rng) const;
  float rank(long column);  // what the network says of a candidate
  void pick(const Game& game, Rng& rng, const Mlp* learned, double learned_weight);

  ProposalOptions options_;
  std::optional<Mlp> network_;  // what ranks the candidates, if a network does
  EditFeatures features_;
  std::vector<EdgeMove> drawn_;
  std::vector<double> weight_;
  NetMatrix<float> columns_;
  long chosen_ = 0;
  MlpWork<float> work_, learned_work_;
};

}  // namespace agon
