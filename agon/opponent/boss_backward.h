// agon/opponent/boss_backward.h
//
// The backward phase of GES written plainly: while some Delete(x, y, H) gains, the one that gains most is applied
// (Chickering 2002, theorem 17 and definition 13).
#pragma once

#include "agon/base/stop.h"
#include "agon/graph/pdag.h"
#include "agon/score/local_score.h"

namespace agon {

Cpdag plain_backward_phase(const LocalScore& score, Cpdag cpdag, const Watch& watch = {});

}  // namespace agon
