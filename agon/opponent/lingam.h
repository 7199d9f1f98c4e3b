// agon/opponent/lingam.h
//
// LiNGAM: linear relations with noise that is not Gaussian. In this case the data determine the direction of every edge
// (Shimizu, Hoyer, Hyvarinen & Kerminen 2006, JMLR 7). There are two ways to find the causal order:
//
//   SearchResult d = direct_lingam(data, score, {}, watch, knowledge);
//   SearchResult i = ica_lingam(data, score, {}, Rng(0), watch, knowledge);
//
// direct_lingam (Shimizu et al. 2011, JMLR 12): the variable that looks least like an effect of the others comes first;
// its influence is removed from them; and so on. Which one looks least like an effect is judged by pairs (Hyvarinen &
// Smith 2013, JMLR 14, section 3): for columns of variance 1 with correlation r the difference of the entropies of the
// two models,
//   R(i, j) = H(j) + H((i - r j) / s) - H(i) - H((j - r i) / s),   s = sqrt(1 - r^2),
// is positive if i -> j fits better. The variable with the smallest sum over j of min(0, R(i, j))^2 is taken. H is
// Hyvarinen's approximation (1998) from E log cosh u and E u exp(-u^2/2). A sum can only grow. So pairs are always
// compared for the variable with the smallest sum so far, until its sum is complete; most pairs are never compared (as
// in ParaLiNGAM: Shahbazinia, Salehkaleybar & Hashemi 2021, arXiv:2109.13993).
//
// ica_lingam (Shimizu et al. 2006): finds independent components by FastICA (Hyvarinen 1999; log cosh, all at once),
// first on part of the rows and then on all. The components are assigned to the variables so that the sum of 1 / |w|
// over the assigned weights is smallest. Then B = I - W / its diagonal is made acyclic by dropping the weakest edges of
// cycles, and gives the order.
//
// Both then regress every variable on those before it (order_regression.h) and keep the significant ones.
//
// What may be relied on: the answer is acyclic, satisfies the knowledge and is the same for any number of threads.
// direct_lingam uses no random numbers; ica_lingam starts FastICA at a random point. Columns are standardised, and
// categorical ones are used as codes. Knowledge: a variable that is required to cause another, or belongs to an earlier
// tier, comes before it in the order, and edges follow the knowledge. With Gaussian noise the directions found mean
// nothing. If cut short, the variables that are left get only their required edges.
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
  double tolerance = 1e-4;     // ends when no component turns by more than this: 1 - |cosine|
  int first_rows = 3000;       // FastICA begins on at most about this many rows, spread evenly
  int first_iterations = 400;  // at most, on those rows
};

struct CausalOrder {
  std::vector<int> order;  // variables of the table, causes first
  int reasoned = 0;        // how many, from the first on, were placed by the data; fewer than all only when cut short
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

// Replaces y[k] by tanh(y[k]); returns the sum of the slopes, 1 - tanh^2. `count` must be a multiple of 8.
double tanh_and_slopes(float* y, int count);

// Assigns a column to each of the rows 0 .. n-1 of a square matrix of costs so that the sum of the costs is smallest
// (Kuhn 1955; shortest augmenting paths, O(n^3)).
std::vector<int> cheapest_assignment(const std::vector<std::vector<double>>& cost);

}  // namespace agon
