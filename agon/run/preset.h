// agon/run/preset.h
//
// Options that belong together, by one name: --preset. What the user sets stays as it was set.
//
//   Settings settings;
//   RunRequest request(settings, RunRequest::Kind::kMatch);
//   settings.set("preset", std::string("paper"));
//   Plan plan = make_plan(request, {});             // plan.match.challenger.name is "paper"
//
// The presets are the paper's system as it was published, for comparison. Both play one Double DQN from the graph of
// one opponent (GES, unless --opponent names another), E = 1000 episodes of T = 20p moves, every episode from that
// graph, P = 20, B = 2p, with no ascent after play, no renaming of the champion and no patience; the score is
// discrete-bic for binary tables and copula-bic for all others. That takes categories by their codes, as the authors'
// files have them: levels that are text become 0, 1, 2, .. in the order of their labels. Nothing that the paper does
// not have is done unasked: no resamples, no proof.
//
//   paper        the authors' code: Adam at 5e-4, gradients cut to norm 5, the rate times 0.9 every 10,000 updates,
//                an update every fourth move, a bonus of 0.5 for a new best graph
//   paper-text   algorithm 1 by the letter: plain SGD, an update for every move
//
// The text does not say the rate of SGD; it is the code's 5e-4. Its price delta for invalid moves never falls due,
// because such moves are masked.
#pragma once

#include <string>

#include "agon/catalog/settings.h"
#include "agon/data/dataset.h"

namespace agon {

Option preset_option();

// Sets every option of the preset that the user did not set; "": nothing. What depends on the table comes later.
void apply_preset(Settings& settings, const std::string& preset);

// The paper's rule: discrete-bic where every column has at most two levels, copula-bic elsewhere.
std::string published_score(const Dataset& data);

}  // namespace agon
