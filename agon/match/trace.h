// agon/match/trace.h
//
// The trace of a match: how episodes ended, thinned to as many points as a chart can show.
//
//   std::vector<TracePoint> points;
//   Trace trace(points);
//   trace.begin_round();
//   trace.add({.moves = 5000, .score = -2300.5, .arm = 0});
#pragma once

#include <vector>

#include "agon/base/archive.h"
#include "agon/match/history.h"

namespace agon {

// Keeps the points of every 1st, 2nd, 4th, ... round: as many as a chart can show. Thinning goes by whole rounds, since
// dropping every other point would drop the same players each time.
class Trace {
 public:
  explicit Trace(std::vector<TracePoint>& points) : points_(points) {}
  void begin_round() {
    ++round_;
    if (points_.size() < kMostPoints) return;
    // The rounds kept are the multiples of the stride, so thinning again keeps a subset of what was kept before.
    stride_ *= 2;
    size_t kept = 0;
    for (size_t k = 0; k < points_.size(); ++k) {
      if (rounds_[k] % stride_ != 0) continue;
      points_[kept] = points_[k];
      rounds_[kept++] = rounds_[k];
    }
    points_.resize(kept);
    rounds_.resize(kept);
  }
  void add(const TracePoint& point) {
    if (round_ % stride_ != 0) return;
    points_.push_back(point);
    rounds_.push_back(round_);
  }
  void exchange_state(Archive& archive) {
    archive(points_);
    archive(rounds_);
    archive(round_);
    archive(stride_);
    Archive::demand(points_.size() == rounds_.size() && stride_ > 0);
  }

 private:
  static constexpr size_t kMostPoints = 1500;
  std::vector<TracePoint>& points_;
  std::vector<long> rounds_;  // of each point
  long round_ = -1, stride_ = 1;
};

}  // namespace agon
