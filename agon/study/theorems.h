// agon/study/theorems.h
//
// The three guarantees of the method and the lemma behind the third, put to the test: `agon verify theorem1`, theorem2,
// theorem3 or lemma2 (docs/method.md, docs/results/theorems.md).
//
//   Study s = study_theorem3({.trials = 1000, .seed = 0, .threads = 2});
//   s.holds, s.verdict;              // did the claim survive?
//   s.table, s.csv(), s.figure;      // for people, for programs, to look at
//
//   theorem1   S(out) >= S(opponent): random matches (random tables, scores, opponents, challengers, knowledge), both
//              scores computed again by agon/certificate
//   theorem2   E[episodes until a 1-optimal graph is visited] <= (eps / A_max)^(-d): random walks over all 543 DAGs of
//              four nodes, where d, A_max and the 1-optimal graphs are known exactly; from a warm start and from the
//              empty graph. When it does not explore, play makes the move with the lowest score, since the bound holds
//              for any policy; beside it the published agent, a small network that learns, at the same share of random
//              moves
//   lemma2     differences of scores per row are sub-Gaussian if the scores are Lipschitz: pairs of Gaussian scores, on
//              rows of bounded length, where they are
//   theorem3   the best of a fixed set of candidates is selected with a probability that rises with n, and the gap to
//              the second best grows: linear Gaussian data, p = 30, scored on fresh rows; which candidate is truly best
//              is known from the covariance of the model
//
// Each trial has a random stream of its own, so the outcome is the same for any number of threads. An interruption ends
// a study with std::runtime_error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/study/figure.h"

namespace agon {

inline constexpr int kTheorem1Matches = 300, kTheorem2Problems = 40, kTheorem3Draws = 4000, kLemma2Pairs = 100;

struct StudyOptions {
  int trials = 0;  // matches (theorem1), problems (2), draws per n (3), pairs (lemma2); 0: the numbers above
  uint64_t seed = 0;
  int threads = 1;
};

struct Study {
  bool holds = false;
  std::string verdict;                          // one sentence
  std::vector<std::string> notes;               // what else to know
  std::vector<std::string> table_headings;      // as Table takes them
  std::vector<std::vector<std::string>> table;  // a summary
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;  // everything
  Figure figure;

  std::string csv() const;
};

Study study_theorem1(const StudyOptions& options, const Watch& watch = {});
Study study_theorem2(const StudyOptions& options, const Watch& watch = {});
Study study_theorem3(const StudyOptions& options, const Watch& watch = {});
Study study_lemma2(const StudyOptions& options, const Watch& watch = {});

}  // namespace agon
