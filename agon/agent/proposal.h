// agon/agent/proposal.h
//
// How the edits of a local perturbation are drawn. Uniform draws are near each other; a ranking proposal draws a few
// such edits and picks one of them by a score, so that more of the perturbations tried succeed.
//
//   kUniform   an edit as it is drawn: kinds balanced, `locality` of them at a node already touched
//   kDelta     of K drawn, one with probability proportional to exp(gain / delta_temperature)
//   kRule      of K drawn, by five weights set by hand (below)
//   kTrained   of K drawn, by a network trained beforehand on random problems (training.h)
//
// The network says, up to a constant, how much an edit adds to the log odds that its perturbation succeeds;
// `sharpness` multiplies that. A share of the picks is uniform, so that every valid edit keeps a chance. The Proposer
// (proposer.h) draws by these options.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agon/base/option.h"
#include "agon/nn/mlp_fwd.h"

namespace agon {

enum class ProposalKind { kUniform, kDelta, kRule, kTrained };
const char* to_string(ProposalKind kind);  // "uniform", "delta", "rule", "trained"

struct ProposalOptions {
  ProposalKind kind = ProposalKind::kTrained;
  double locality = 0.9;         // share of edits that touch a node this perturbation has already touched
  int shortlist = 8;             // K, edits drawn per decision; a uniform proposal draws one
  double sharpness = 8;          // factor of the network's score
  double uniform_share = 0.05;   // share of picks that ignore the score
  double delta_temperature = 5;  // in nats, for kDelta
  std::shared_ptr<const Mlp> network = nullptr;  // for kTrained; null: the one that ships with agon
};

// Each field as an option, with its range. `delta_plays_too`: another player draws by kDelta with the same temperature.
void describe(ProposalOptions& options, const Describe& option, bool delta_plays_too = false);
// Throws a UsageError that names every field outside its range.
void check(const ProposalOptions& options);

// The network that ships with agon, and the rule of kRule, which states by hand the simplest of what the network
// learned: never edit a pair twice, reverse or remove inside triangles, prefer edits that cost little, prefer edits
// that free a gain blocked by a cycle, do not begin with an addition.
const Mlp& shipped_proposal();
const Mlp& rule_proposal();
// Reads the text of a proposal file, in which # begins a comment line. Never null. Throws InputError naming `place`.
std::shared_ptr<const Mlp> parse_proposal(std::string_view text, const std::string& place);

}  // namespace agon
