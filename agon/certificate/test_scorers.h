// The plain scorers by the name of their score, for tests.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "agon/certificate/plain_score.h"

namespace agon::testing {

inline std::unique_ptr<plain::Scorer> plain_scorer(const std::string& name, const Dataset& data, double penalty = 1,
                                                   double ess = 10) {
  if (name == "discrete-bic") return plain::discrete_bic(data, penalty);
  if (name == "bdeu") return plain::bdeu(data, ess);
  if (name == "bdeu-fitted") return plain::bdeu_fitted(data);
  if (name == "discrete-bic-seen") return plain::discrete_bic_seen(data, penalty);
  if (name == "bds") return plain::bds(data, ess);
  if (name == "qnml") return plain::qnml(data);
  if (name == "qnml-edges") return plain::qnml_edges(data);
  if (name == "fnml") return plain::fnml(data);
  if (name == "gaussian-bic") return plain::gaussian_bic(data, penalty);
  if (name == "copula-bic") return plain::copula_bic(data, penalty);
  throw std::invalid_argument("a test asks for the score " + name);
}

}  // namespace agon::testing
