// agon/certificate/selection.h
//
// How reliable is the choice of the champion among the candidates? The figures of promise III (docs/method.md).
//
// s_A(x) is the log-likelihood of one row x under graph A, with parameters fitted on all rows. D_A is the mean over
// rows of s_champion - s_A, minus the difference of penalties per row; it equals (S(champion) - S(A)) / n. The gap
// Delta is the smallest D_A over the other candidates, and m the number of candidates, one per equivalence class.
//
//   Gaussian, copula   n >= 8 L^2 / Delta^2 ln(2 m / delta)    L = the largest |gradient of s_A| over rows, candidates
//   discrete, BDeu     n >= R^2 / (2 Delta^2) ln(m / delta)    R = the largest range over rows of s_champion - s_A
//                                                              (Hoeffding 1963, theorem 2)
//
// give the number of rows that selects the best with probability 1 - delta; solved for delta, they give the delta
// reached at this n. L is measured on standardised columns, the scale on which the theorem is stated. Both are only
// indications, and `assumptions` says in plain sentences why. The bootstrap share assumes nothing of the kind: rows are
// drawn with replacement, within each experiment, all candidates are scored again, and the share counts the resamples
// in which no candidate beats the champion.
#pragma once

#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/certificate/plain_score.h"

namespace agon {

struct Selection {
  int candidates = 1;          // m, the champion included
  double gap = 0;              // Delta; infinity when the champion is the only candidate
  double lipschitz = 0;        // L of Gaussian scores, R of discrete ones
  double n_required = 0;       // infinity when the gap is 0 or less
  double delta = 1;            // the one reached at this n, at most 1
  double bootstrap_share = 1;  // 0 .. 1
  int resamples = 0;           // that bootstrap_share rests on
  double wanted_delta = 0.05;  // the delta that n_required is computed for
  std::vector<std::string> assumptions;
};

struct SelectionOptions {
  int resamples = 200;   // bootstrap resamples; 0: none. Fewer are drawn where affordable_resamples() says so
  double delta = 0.05;   // probability of a wrong selection for which n_required is computed, (0, 1)
  uint64_t seed = 1;     // of the bootstrap; resample k has a stream of its own
  int threads = 1;       // the figures do not depend on it
  double tolerance = 0;  // scores this close are a tie, and a tie goes to the champion
};

// `candidates` may hold several members of one class, the champion's included; cyclic graphs are skipped. A stop
// request ends the bootstrap early, and `resamples` says after how many.
Selection selection_figures(const plain::Scorer& scorer, const Dag& champion, const std::vector<Dag>& candidates,
                            const SelectionOptions& options, const Watch& watch = {});

// How many of the resamples wanted are drawn if each takes so many multiplications: 20 (or all, if fewer are wanted),
// and more as long as they take 2e9 together. A few dozen tell a large share from a small one, and a wide table should
// not wait longer for that share than for its answer.
size_t affordable_resamples(int wanted, double operations);

// The two inequalities, each solved for n and for delta (at most 1).
double lipschitz_rows(double lipschitz, double gap, int candidates, double delta);
double lipschitz_delta(double lipschitz, double gap, int candidates, double rows);
double hoeffding_rows(double range, double gap, int candidates, double delta);
double hoeffding_delta(double range, double gap, int candidates, double rows);

}  // namespace agon
