// agon/opponent/pag_rules.h
//
// The orientation rules R1 to R10 of Zhang 2008 (Artificial Intelligence 172, "On the completeness of orientation rules
// for causal discovery in the presence of latent confounders and selection bias"). Each is a function that applies the
// rule wherever it can and says whether a mark changed. Only circles change.
//
//   while (apply_rules(pag, skeleton)) {}
#pragma once

#include "agon/graph/pag.h"
#include "agon/opponent/skeleton.h"

namespace agon {

// One pass of all rules; returns whether a mark changed. R4 needs the separating sets of the skeleton.
bool apply_rules(Pag& pag, const Skeleton& skeleton);

}  // namespace agon
