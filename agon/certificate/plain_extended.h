// agon/certificate/plain_extended.h
//
// The extended BIC (Chen & Chen 2008, Biometrika 95) for the certificate: any score less g ln p for each parent, with
// g = max(0, 1 - ln n / (2 ln p)), p the number of columns that vary and n the weight of the rows.
//
//   auto scorer = plain::extended_bic(plain::copula_bic(data, 1));
//   scorer->local(5, parents).score;
#pragma once

#include <memory>

#include "agon/certificate/plain_score.h"

namespace agon::plain {

std::unique_ptr<Scorer> extended_bic(std::unique_ptr<Scorer> scorer);

double price_of(const Scorer& scorer);  // per parent; 0: there is none
// What is behind the price; the scorer itself if there is none.
const Scorer& without_price(const Scorer& scorer);

}  // namespace agon::plain
