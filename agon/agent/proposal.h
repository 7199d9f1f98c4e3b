// agon/agent/proposal.h
//
// Which edits open a local perturbation. Uniform draws stay near each other; a ranking proposal draws a few such edits
// and picks among them by a score, so that the perturbations tried are more often those that lead somewhere.
//
//   kUniform   an edit as it is drawn: kinds balanced, `locality` of them at a node already touched
//   kDelta     of K drawn, one with probability proportional to exp(gain / delta_temperature)
//   kRule      of K drawn, by five weights set by hand (below)
//   kTrained   of K drawn, by a network trained beforehand on random problems (training.h)
//
// The network says, up to a constant, how much an edit adds to the log odds that its perturbation succeeds;
// `sharpness` multiplies that, and a share of the picks stays uniform, so that every valid edit keeps a chance.
// Who draws by these options is the Proposer (proposer.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agon/agent/mlp_fwd.h"
#include "agon/base/option.h"

namespace agon {

enum class ProposalKind { kUniform, kDelta, kRule, kTrained };
const char* to_string(ProposalKind kind);  // "uniform", "delta", "rule", "trained"

struct ProposalOptions {
  ProposalKind kind = ProposalKind::kTrained;
  double locality = 0.9;         // share of edits that touch a node this perturbation has already touched
  int candidates = 8;            // K, edits drawn per decision; a uniform proposal draws one
  double sharpness = 8;          // times the network's score
  double uniform_share = 0.05;   // share of picks that ignore the score
  double delta_temperature = 5;  // nats: of kDelta
  std::shared_ptr<const Mlp> network = nullptr;  // of kTrained; null: the one that ships with agon
};

// Each field as an option, with its range. `delta_plays_too`: another player draws by kDelta with the same temperature.
void describe(ProposalOptions& options, const Describe& option, bool delta_plays_too = false);
// Throws UsageError that names every field outside its range.
void check(const ProposalOptions& options);

// The weights that ship with agon, and the rule that says by hand the plainest of what they learned: never edit a pair
// twice, reverse or remove inside triangles, prefer what costs little, prefer what frees a gain blocked by a cycle, do
// not open with an addition.
const Mlp& shipped_proposal();
const Mlp& rule_proposal();
// The text of a proposal file: lines that begin with # are remarks. Never null. Throws InputError naming `place`.
std::shared_ptr<const Mlp> parse_proposal(std::string_view text, const std::string& place);

}  // namespace agon
