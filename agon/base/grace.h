// agon/base/grace.h
//
// A little more time after a stop, for the end of a run: the last ascent, the certificate and the comparison with a
// truth are part of the answer.
//
//   const Watch longer = with_grace({}, std::chrono::seconds(1));
#pragma once

#include <chrono>

#include "agon/base/stop.h"

namespace agon {

constexpr std::chrono::duration<double> kGrace{1};  // of each of them

// Work that starts after the stop has this long, and no second interruption shortens it. Work that starts before may go
// on for this long after the deadline; an interruption ends it at once.
inline Watch with_grace(Watch watch, std::chrono::duration<double> grace = kGrace) {
  const auto ticks = std::chrono::duration_cast<Watch::Clock::duration>(grace);
  if (!watch.stop_requested()) {
    if (watch.deadline) *watch.deadline += ticks;
    return watch;
  }
  watch.interrupted = nullptr;
  watch.deadline = Watch::Clock::now() + ticks;
  return watch;
}

}  // namespace agon
