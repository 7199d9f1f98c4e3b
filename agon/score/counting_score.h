// agon/score/counting_score.h
//
// A score that forwards every question to another score and counts the local scores asked for. It measures the cost of
// a search without a clock.
//
//   CountingScore counting(score);
//   ges(counting);
//   counting.asked();       // the same number on every machine
//
// It can be a clock too: a test that stops a search after so many questions stops it at the same place everywhere.
//
// A batch call counts as many local scores as its column has entries, however the score computes them. Safe to call
// from several threads.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

#include "agon/score/local_score.h"

namespace agon {

class CountingScore final : public LocalScore {
 public:
  // `tell` is called before each question is answered, with the number of local scores asked for so far.
  explicit CountingScore(const LocalScore& score, std::function<void(long asked)> tell = nullptr)
      : score_(score), tell_(std::move(tell)) {}

  double local(Node child, Parents parents) const override {
    count(1);
    return score_.local(child, parents);
  }
  const ScoreTraits& traits() const override { return score_.traits(); }
  double addition_gains(Node child, Parents parents, std::span<double> gains) const override {
    count(size());
    return score_.addition_gains(child, parents, gains);
  }
  double removal_gains(Node child, Parents parents, std::span<double> gains) const override {
    count(static_cast<long>(parents.size()));
    return score_.removal_gains(child, parents, gains);
  }
  double column_gains(Node child, Parents parents, std::span<double> additions,
                      std::span<double> removals) const override {
    count(size() + static_cast<long>(parents.size()));
    return score_.column_gains(child, parents, additions, removals);
  }
  double positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const override {
    count(size());
    return score_.positive_additions(child, parents, best);
  }
  void pair_additions(Node child, Parents parents, std::vector<PairGain>& best) const override {
    count(size());
    score_.pair_additions(child, parents, best);
  }
  long asked() const { return asked_; }

 private:
  void count(long more) const {
    const long asked = asked_ += more;
    if (tell_) tell_(asked);
  }

  const LocalScore& score_;
  std::function<void(long)> tell_;
  mutable std::atomic<long> asked_ = 0;
};

}  // namespace agon
