// agon/score/local_score.h
//
// How well a set of parents explains one variable. The score of a Dag is the sum over its nodes.
//
//   const DiscreteBic bic(data);                                // or any score by name: agon/catalog/scores.h
//   double s = total(bic, dag);                                 // larger is better, natural log
//   double g = gain(bic, dag, {MoveKind::kAdd, 2, 5});          // what adding 2 -> 5 would change
//   std::vector<double> gains(p);
//   double now = bic.addition_gains(5, parents, gains);         // every single-parent addition at node 5, in one pass
//
// Promises of every LocalScore: the same question always gets the same answer, whatever was asked before; calls from
// several threads are safe; no answer is NaN. If a model cannot be fitted (the parents determine the child exactly),
// local() throws ScoreUndefined, and the batch calls give the gain -infinity, so that no search takes it.
#pragma once

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/data/dataset.h"
#include "agon/graph/dag.h"
#include "agon/graph/edge_move.h"

namespace agon {

struct BlockMoments;
class SharedBlocks;

constexpr double kNoGain = -std::numeric_limits<double>::infinity();

class ScoreUndefined : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ScoreOptions {
  double penalty = 1;         // multiplies the 1/2 ln n of the BIC scores, >= 0. 1: the textbook's; Tetrad and XGES: 2
  bool priced_edges = false;  // the BIC scores charge each parent ln p too: the extended BIC (edge_price.h)
  double ess = 10;            // equivalent sample size of bdeu and bds, > 0
  int max_parents = 0;        // most parents a search may give a node; 0: the score's default (docs/method.md)
  // The rest is for scores that work on blocks of columns (blocks.h).
  int basis = 1;             // powers of a continuous column in its block, 1 to 5
  bool raw = false;          // continuous columns as they are, instead of their normal scores
  bool gap_columns = false;  // a missing number is marked by a second column, instead of being integrated out by EM
  const BlockMoments* given = nullptr;  // for the certificate: the matrix of the search, where EM is too long to repeat
  int em_steps = -1;                    // for the certificate: the steps that EM took; -1: it is to find out
  int threads = 1;                      // while the score is made; the result does not depend on it
  const Watch* watch = nullptr;         // a stop ends EM early, with the matrix it has reached
  SharedBlocks* blocks = nullptr;       // of tables that differ in their regimes alone: made once for all of them
};

struct ScoreTraits {
  std::string name;
  bool score_equivalent = true;  // Dags of one class score the same; the class is that of cpdag_of(dag, row_set)
  int max_parents = 0;           // additions beyond this many parents have gain -infinity
  std::vector<bool> constant;    // by node: takes no part in the search, is never a parent or a child
  // By node: which rows its family is scored on (row_sets.h); equal numbers: the same. Empty: all of them, for all.
  std::vector<int> row_set = {};
};

// A possible new parent and what it would gain.
struct ParentGain {
  double gain;
  Node node;
  bool operator==(const ParentGain&) const = default;
};

// Two possible new parents and what they would gain together.
struct PairGain {
  double gain;
  Node first, second;  // first < second
  bool operator==(const PairGain&) const = default;
};

class LocalScore {
 public:
  virtual ~LocalScore() = default;

  // s(child, parents). The only function that a new score must define.
  virtual double local(Node child, Parents parents) const = 0;
  virtual const ScoreTraits& traits() const = 0;
  int size() const { return static_cast<int>(traits().constant.size()); }  // p

  // gains[v] = local(child, parents + v) - local(child, parents) for all v; -infinity where v may not be added (v is
  // the child, already a parent, or constant; the parents are at their cap; the model is undefined). Returns
  // local(child, parents).
  virtual double addition_gains(Node child, Parents parents, std::span<double> gains) const;

  // gains[k] = local(child, parents without parents[k]) - local(child, parents); -infinity where that is undefined.
  // Returns local(child, parents).
  virtual double removal_gains(Node child, Parents parents, std::span<double> gains) const;

  // Both in one call, with the same figures. A score may share work between them.
  virtual double column_gains(Node child, Parents parents, std::span<double> additions,
                              std::span<double> removals) const;

  // The additions with gain > 0, best first (equal gains: smaller node first). Returns local(child, parents). The
  // figures are those of addition_gains; a score may skip the work of computing how bad the others are.
  virtual double positive_additions(Node child, Parents parents, std::vector<ParentGain>& best) const;

  // Pairs that gain together although neither node gains alone (two causes whose influences nearly cancel), best first
  // (equal gains: smaller nodes first). At least one of the two must cover a quarter of the penalty by itself. For
  // scores that can find such pairs at the cost of a few columns; the others, like this default, return none.
  virtual void pair_additions(Node child, Parents parents, std::vector<PairGain>& best) const;

  // The entry of v in addition_gains, to the same bits. Only scores that have it at a small part of a column's cost
  // offer it, and keeps_columns_short() says which: then columns of gains hold only what gains, and ask for the rest.
  virtual double addition_gain(Node child, Parents parents, Node v) const;
  virtual bool keeps_columns_short() const { return false; }

  // The matrix behind the score, for scores that see the rows through one alone (block_moments.h); else null.
  virtual const BlockMoments* moments() const { return nullptr; }
};

// The two batch calls written plainly over local(). They are the defaults, and the twins that the fast ones are tested
// against.
double plain_addition_gains(const LocalScore& score, Node child, Parents parents, std::span<double> gains);
double plain_removal_gains(const LocalScore& score, Node child, Parents parents, std::span<double> gains);

// May v become a parent of child, as far as the score is concerned? Both must vary, v must be new, and the cap must not
// be reached.
bool may_add(const ScoreTraits& traits, Node child, Parents parents, Node v);

// Best first; equal gains: smaller node first.
void sort_by_gain(std::vector<ParentGain>& additions);
void sort_by_gain(std::vector<PairGain>& additions);
// The positive entries of a column of gains, best first.
void sort_positive(std::span<const double> gains, std::vector<ParentGain>& best);

// Gains that differ by less than this are a tie, and a smaller gain counts as none: scores are sums of rounded terms,
// and no move is made for a gain that may be rounding. It is 1e-9 (1 + mean over nodes of |s(v, no parents)|).
double tie_tolerance(const LocalScore& score);

double total(const LocalScore& score, const Dag& dag);
double gain(const LocalScore& score, const Dag& dag, EdgeMove move);

}  // namespace agon
