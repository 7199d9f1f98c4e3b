// agon/certificate/certificate.h
//
// Re-derives every claim of a run from the table, with code the search does not use: the scores of opponents and
// champion, that the champion is a valid answer and 1-optimal, and how sure its selection is (docs/method.md).
//
//   const auto scorer = plain::discrete_bic(data, 1);   // the score that the run claims to have maximised
//   Certificate c = certify({.data = data, .scorer = *scorer, .opponents = {ges}, .champion = best,
//                            .candidates = seen, .knowledge = known, .edge_budget = budget}, {.seed = seed});
//   enforce(c, data.names());                   // throws GuaranteeViolated, and says what failed
//   for (const std::string& line : plain_lines(c, data.names())) ...
//
// What is promised: it uses no code of agon/score, of the opponents or of the game, and the certificate is the same for
// any number of threads. Two scores count as equal when they differ by at most
//
//   tolerance = 2e-9 (1 + mean over nodes of |s(v, no parents)|)
//
// which is twice what searches call a tie, so that an edit on the border is not a violation. In nearly singular
// Gaussian models a search loses digits, so the tolerance there grows by what it may lose (plain::Value::rounding).
// Hence never_worse allows the champion to be behind by that much, and one_optimal means that no valid edit gains more.
//
// An opponent's graph is given here as the game started from it: repaired where it violated the knowledge.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "agon/base/stop.h"
#include "agon/certificate/plain_score.h"
#include "agon/certificate/selection.h"
#include "agon/data/dataset.h"
#include "agon/graph/dag.h"
#include "agon/graph/edge_move.h"
#include "agon/graph/knowledge.h"

namespace agon {

// What the certificate's own code found about what a table holds beyond ordinary rows.
struct TableCheck {
  bool holds = true;
  std::string text;  // what was checked, or what is wrong
};

// How much better any graph could be: what a proof shows (proof_check.h). Without a limit on parents, of every DAG that
// satisfies the knowledge; with one, of those in which no node has more.
struct Optimum {
  enum class Status { kNotAttempted, kProven, kGap };
  Status status = Status::kNotAttempted;
  double upper_bound = 0;        // of their scores
  double gap = 0;                // upper_bound less the champion's score
  double epsilon = 0;            // nats within which a bound counts as reached
  double rounding = 0;           // nats that floating-point scores may be off in all; 0: they are counts, and exact
  int max_parents = 0;           // 0: no limit
  bool larger_families = false;  // some nodes of the champion have more; their own sets were allowed beside the others
  long families = 0, cuts = 0, leaves = 0;  // of the proof
  double seconds = 0;
  bool checked = false;  // by check_proof(), from the table
  double check_seconds = 0;
  std::string reason = {};  // why not attempted, or why there is a gap
};

// What a run claims to have done.
struct Claim {
  const Dataset& data;
  const plain::Scorer& scorer;
  int max_parents = 0;  // the cap that the search used; 0: none
  std::vector<Dag> opponents = {};
  Dag champion = {};
  std::vector<Dag> candidates = {};  // opponents' graphs, each new champion, pruned graphs; may hold duplicates
  const Knowledge& knowledge;
  int edge_budget = 0;      // 0: none
  bool ascent_cut = false;  // the run does not claim to be 1-optimal: a stop cut its last ascent
};

struct CertificateOptions {
  int resamples = 200;       // of the bootstrap, >= 0
  double delta = 0.05;       // probability of a wrong selection for which n_required is computed, (0, 1)
  uint64_t seed = 1;         // of the bootstrap
  int threads = 1;           // the certificate does not depend on it
  long neighbour_limit = 0;  // check at most this many single edits; 0: all. If it is reached, one_optimal is false
};

struct Certificate {
  std::vector<double> opponent_scores;  // in the order of the claim
  double champion_score = 0;
  double tolerance = 0;
  bool never_worse = false;          // no opponent scores higher
  bool acyclic = false;              // the champion is a DAG
  bool within_budget = false;        // the edge budget, and the cap on parents
  bool knowledge_kept = false;       // has all required edges and no forbidden one
  bool one_optimal = false;          // all neighbours were checked, and none is better
  bool neighbours_complete = false;  // false after a stop or a limit (or when the champion has a cycle)
  long neighbours_checked = 0;       // valid single edits that were scored, or shown not to gain by a bound
  long neighbours_left = 0;          // valid single edits that a stop or a limit left out
  bool ascent_cut = false;           // as claimed; a better neighbour is then no violation
  std::optional<EdgeMove> better_neighbour;
  double better_gain = 0;  // of better_neighbour
  Selection selection;
  double rows = 0;
  int edges = 0;
  int edge_budget = 0;
  bool has_knowledge = false;
  std::optional<TableCheck> gaps = {};  // of a table with missing cells; the caller knows what was done about them
  // Of a table of experiments: random members of the class that they leave of the champion score as it does.
  std::optional<TableCheck> experiments = {};
  Optimum optimum = {};
  bool from_matrix = false;  // the data are a matrix: there are no rows to say how sure the selection is
};

// A stop request ends the check of neighbours and the bootstrap early; the scores are recomputed in any case. Throws
// InputError when the nodes of a graph are not the columns of the data.
Certificate certify(const Claim& claim, const CertificateOptions& options = {}, const Watch& watch = {});

// A promise was broken. That is a bug in agon, never a fault of the data.
class GuaranteeViolated : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// One sentence for each broken guarantee; empty when all hold. A check that was cut short is not a violation.
std::vector<std::string> violations(const Certificate& certificate, const std::vector<std::string>& names = {});
// Throws GuaranteeViolated if there is a violation. `names` are the names of the nodes, for the message.
void enforce(const Certificate& certificate, const std::vector<std::string>& names = {});

// "Optimal: no DAG with at most 4 parents per node scores higher", "Within 161.5 nats (0.35 %) of the best possible DAG
// with at most 4 parents per node"; "" when it was not attempted. Without a full stop.
std::string optimum_sentence(const Optimum& optimum, double score, bool has_knowledge);

// Lines for a person to read: safety, validity, 1-optimality, the optimum, the bound, the bootstrap, missing cells if
// there are any.
std::vector<std::string> plain_lines(const Certificate& certificate, const std::vector<std::string>& names = {});

}  // namespace agon
