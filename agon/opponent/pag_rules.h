// agon/opponent/pag_rules.h
//
// The orientation rules R1 to R10 of Zhang 2008 (Artificial Intelligence 172, "On the completeness of orientation rules
// for causal discovery in the presence of latent confounders and selection bias"), each as a function that applies it
// wherever it can and says whether a mark changed. Only circles change.
//
//   while (apply_rules(pag, skeleton)) {}
#pragma once

#include "agon/graph/pag.h"
#include "agon/opponent/skeleton.h"

namespace agon {

// One pass of all rules; true when a mark changed. The skeleton knows what separates pairs (R4).
bool apply_rules(Pag& pag, const Skeleton& skeleton);

}  // namespace agon
