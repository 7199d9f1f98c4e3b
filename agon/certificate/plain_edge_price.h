// agon/certificate/plain_edge_price.h
//
// A price for every edge, for the certificate: any score less ln p for each parent, p the number of columns that vary
// (Chen & Chen 2008, Biometrika 95, with gamma = 1).
//
//   auto scorer = plain::with_edge_price(plain::copula_bic(data, 1));
//   scorer->local(5, parents).score;
#pragma once

#include <memory>

#include "agon/certificate/plain_score.h"

namespace agon::plain {

std::unique_ptr<Scorer> with_edge_price(std::unique_ptr<Scorer> scorer);

double edge_price(const Scorer& scorer);  // per parent; 0: there is none
// What is behind the price; the scorer itself if there is none.
const Scorer& without_edge_price(const Scorer& scorer);

}  // namespace agon::plain
