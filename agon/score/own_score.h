// agon/score/own_score.h
//
// The name of a score that the caller wrote (python/src/own_score.h). It is not in the catalog, and no certificate can
// derive it again, so a run with it has no certificate.
#pragma once

namespace agon {

inline constexpr const char* kOwnScore = "own";

}  // namespace agon
