// agon/opponent/lingam.h
//
// LiNGAM: linear relations whose noise is not Gaussian, where the data tell the direction of every edge (Shimizu,
// Hoyer, Hyvarinen & Kerminen 2006, JMLR 7). Two ways to find the causal order:
//
//   SearchResult d = direct_lingam(data, score, {}, watch, knowledge);
//   SearchResult i = ica_lingam(data, score, {}, Rng(0), watch, knowledge);
//
// direct_lingam (Shimizu et al. 2011, JMLR 12): the variable that is least an effect of the others comes first; its
// influence is taken out of them; and so on. Which is least an effect is judged by pairs (Hyvarinen & Smith 2013, JMLR
// 14, section 3): for columns of variance 1 with correlation r the difference of the entropies of the two models,
//   R(i, j) = H(j) + H((i - r j) / s) - H(i) - H((j - r i) / s),   s = sqrt(1 - r^2),
// is positive when i -> j fits better; the variable with the smallest sum over j of min(0, R(i, j))^2 is taken. H is
// Hyvarinen's approximation (1998) from E log cosh u and E u exp(-u^2/2).
// A sum only grows, so pairs are compared for the variable with the least sum so far until that one is complete: most
// pairs are never looked at (as in ParaLiNGAM: Shahbazinia, Salehkaleybar & Hashemi 2021, arXiv:2109.13993).
//
// ica_lingam (Shimizu et al. 2006): independent components by FastICA (Hyvarinen 1999; log cosh, all at once), first on
// part of the rows and then on all; each component is assigned to the variable that makes the sum of 1 / |w| over the
// assigned weights least; what remains, B = I - W / its diagonal, becomes acyclic by dropping the weakest edges of
// cycles, and gives the order.
//
// Both then regress every variable on those before it (order_regression.h) and keep the significant ones.
//
// What may be relied on: the answer is acyclic, satisfies the knowledge and is the same for any number of threads.
// direct_lingam draws nothing; ica_lingam draws where FastICA begins. Columns are standardised, categorical ones used
// as codes. Knowledge: a variable that another is required to cause, or that is of an earlier tier, comes before it in
// the order, and edges follow the knowledge. With Gaussian noise the directions found mean nothing. Cut short, the
// variables that are left get no edges but the required.
#pragma once

#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/graph/knowledge.h"
#include "agon/opponent/opponent.h"
#include "agon/opponent/order_regression.h"
#include "agon/opponent/standard_table.h"
#include "agon/score/local_score.h"

namespace agon {

struct LingamOptions {
  int threads = 1;  // the answer does not depend on it
  // FastICA
  int max_iterations = 200;    // on all rows
  double tolerance = 1e-4;     // ends when no component turns by more: 1 - |cosine|
  int first_rows = 3000;       // it begins on at most about this many rows, spread evenly
  int first_iterations = 400;  // at most, there
};

struct CausalOrder {
  std::vector<int> order;  // variables of the table, causes first
  int reasoned = 0;        // how many of the first were placed by the data; fewer than all only when cut short
  long steps = 0;          // direct: variables placed; ica: iterations on all rows
  bool converged = true;   // ica
  std::string stopped_by;  // "all ordered", "iteration limit", "time limit", "interrupted"
};

CausalOrder direct_order(const StandardTable& table, const LingamOptions& options, const Watch& watch = {},
                         const Knowledge& knowledge = {});
CausalOrder ica_order(const StandardTable& table, const LingamOptions& options, Rng rng, const Watch& watch = {},
                      const Knowledge& knowledge = {});

SearchResult direct_lingam(const Dataset& data, const LocalScore& score, const LingamOptions& options = {},
                           const Watch& watch = {}, const Knowledge& knowledge = {});
SearchResult ica_lingam(const Dataset& data, const LocalScore& score, const LingamOptions& options = {},
                        Rng rng = Rng(0), const Watch& watch = {}, const Knowledge& knowledge = {});

// Means over the rows of log cosh u and u exp(-u^2/2) for u = (x - r y) s and, second, u = (y - r x) s. Sums of eight
// lanes in a fixed order, the same bits on every x86-64; about six digits.
struct EntropyMeans {
  double log_cosh = 0, odd = 0;
};
struct EntropyPair {
  EntropyMeans first, second;
};
EntropyPair entropy_means(const float* x, const float* y, int rows, float r, float s);
double entropy_of(const EntropyMeans& means);  // of a variable with mean 0 and variance 1

// y[k] becomes tanh(y[k]); returns the sum of their slopes, 1 - tanh^2. `count` is a multiple of 8.
double tanh_and_slopes(float* y, int count);

// The columns assigned to the rows 0 .. n-1 of a square matrix of costs so that their sum is least (Kuhn 1955; shortest
// augmenting paths, O(n^3)).
std::vector<int> cheapest_assignment(const std::vector<std::vector<double>>& cost);

}  // namespace agon
