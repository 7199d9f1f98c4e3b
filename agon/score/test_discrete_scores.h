// The scores of categorical tables by name, for any rows, for tests that cannot see the catalog.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "agon/score/discrete_score.h"
#include "agon/score/edge_price.h"
#include "agon/score/fitted_ess.h"
#include "agon/score/nml_score.h"
#include "agon/score/seen_score.h"
#include "agon/score/weighted_discrete.h"

namespace agon::testing {

inline const std::vector<std::string>& discrete_scores() {
  static const std::vector<std::string> names = {"discrete-bic",      "bdeu", "qnml", "qnml-edges", "fnml",
                                                 "discrete-bic-seen", "bds"};
  return names;
}

inline std::unique_ptr<LocalScore> make_discrete(const std::string& name, const Dataset& data,
                                                 const ScoreOptions& options = {}) {
  const auto make = [&]<class Score, class Weighted>(auto... more) -> std::unique_ptr<LocalScore> {
    const bool weighted = data.has_weights() || data.has_drawn() || data.has_regimes();
    if (weighted) return std::make_unique<Weighted>(data, options, more...);
    return std::make_unique<Score>(data, options, more...);
  };
  if (name == "discrete-bic") return make.template operator()<DiscreteBic, WeightedDiscreteBic>();
  if (name == "bdeu") return make.template operator()<Bdeu, WeightedBdeu>();
  if (name == "qnml") return make.template operator()<Qnml, WeightedQnml>();
  if (name == "qnml-edges") {
    auto score = make.template operator()<Qnml, WeightedQnml>(Regret::kStraight);
    const double price = naming_price(*score);
    return with_edge_price(std::move(score), price, name);
  }
  if (name == "fnml") return make.template operator()<Fnml, WeightedFnml>();
  if (name == "discrete-bic-seen") return make.template operator()<DiscreteBicSeen, WeightedDiscreteBicSeen>();
  if (name == "bds") return make.template operator()<Bds, WeightedBds>();
  throw std::invalid_argument("a test asks for the score " + name);
}

}  // namespace agon::testing
