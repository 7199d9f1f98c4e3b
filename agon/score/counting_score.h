// agon/score/counting_score.h
//
// A score that forwards every question to another score and counts the local scores asked for. It measures the cost of
// a search without a clock.
//
//   CountingScore counting(score);
//   ges(counting);
//   counting.asked();       // the same number on every machine
//
// A batch call counts as many local scores as its column has entries, however the score computes them. Safe to call
// from several threads.
#pragma once

#include <atomic>

#include "agon/score/local_score.h"

namespace agon {

class CountingScore final : public LocalScore {
 public:
  explicit CountingScore(const LocalScore& score) : score_(score) {}

  double local(Node child, Parents parents) const override {
    asked_ += 1;
    return score_.local(child, parents);
  }
  const ScoreTraits& traits() const override { return score_.traits(); }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const override {
    asked_ += size();
    return score_.addition_gains(child, parents, gains);
  }
  double removal_gains(Node child, Parents parents, std::span<double> gains) const override {
    asked_ += static_cast<long>(parents.size());
    return score_.removal_gains(child, parents, gains);
  }
  double column_gains(Node child, Parents parents, std::span<double> additions,
                      std::span<double> removals) const override {
    asked_ += size() + static_cast<long>(parents.size());
    return score_.column_gains(child, parents, additions, removals);
  }
  double positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const override {
    asked_ += size();
    return score_.positive_additions(child, parents, best);
  }
  void pair_additions(Node child, Parents parents, std::vector<PairGain>& best) const override {
    asked_ += size();
    score_.pair_additions(child, parents, best);
  }
  long asked() const { return asked_; }

 private:
  const LocalScore& score_;
  mutable std::atomic<long> asked_ = 0;
};

}  // namespace agon
