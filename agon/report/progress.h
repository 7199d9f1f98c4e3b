// agon/report/progress.h
//
// One line about a search that is still running.
//
//   progress_line({"play", 5000, 12, -71.5, 2.25, 9000, "move"}, 1.2, 58.8);
//   // play: 5,000 of 9,000 moves, 12 edges, best -71.500, gain +2.250, 1.2 s, 58.8 s left
#pragma once

#include <optional>
#include <string>

#include "agon/base/stop.h"

namespace agon {

// `elapsed` is in seconds since the work began; `left`, if there is a time limit, in seconds until then.
std::string progress_line(const Progress& progress, double elapsed, std::optional<double> left = {});

}  // namespace agon
