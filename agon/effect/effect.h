// agon/effect/effect.h
//
// What happens to an outcome if a cause is set: the answer of every DAG of a class, estimated from a table.
//
//   const CausalClass graphs(mpdag_of(dag, knowledge));
//   const EffectTable table(data);
//   const EffectAnswer answer = effect(graphs, table, {.causes = {x}, .outcome = y});
//   answer.identified; answer.list[0].figures.change[0].value;
//   const std::vector<RankedEffect> causes = effects_on(graphs, table, y);    // those with the surest effect first
//
// If the cause, the outcome and all columns adjusted for are categories, rows are counted (counted_effect.h), with gaps
// filled by draws; else they are regressed (linear_effect.h). A PAG is asked by the generalised adjustment criterion
// (pag_adjustment.h).
//
// Causes are ranked by their smallest possible effect, in absolute value and standardised: what even the most sceptical
// member of the class admits (Maathuis, Colombo, Kalisch & Bühlmann 2010, Nature Methods 7).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agon/base/rng.h"
#include "agon/base/stop.h"
#include "agon/data/dataset.h"
#include "agon/effect/adjustment.h"
#include "agon/effect/figures.h"
#include "agon/effect/linear_effect.h"
#include "agon/effect/pag_adjustment.h"

namespace agon {

// A table made ready for questions about effects.
class EffectTable {
 public:
  explicit EffectTable(const Dataset& data, int threads = 1);

  const Dataset& data() const { return *data_; }  // as it was given
  // Is that question one of categories alone, so that rows are counted?
  bool counts(Node cause, Node outcome, const std::vector<Node>& set) const;
  EffectFigures estimate(Node cause, Node outcome, const Adjustment& adjustment, const LevelPair& levels = {}) const;
  // Of several causes: per unit of each, or, of categories, by combination of their levels.
  std::vector<double> joint(const std::vector<Node>& causes, Node outcome, const PossibleEffect& effect) const;
  EffectFigures together(const std::vector<Node>& causes, Node outcome, const PossibleEffect& effect) const;

 private:
  std::shared_ptr<const Dataset> data_, complete_;  // the same unless gaps were filled
  std::unique_ptr<const LinearEffects> linear_;
};

struct EffectQuestion {
  std::vector<Node> causes;
  Node outcome = 0;
  LevelPair levels = {};
  bool look_for_curves = true;  // a warning where a line does not suit two numbers; takes longer than the estimate
};

// Throws UsageError for a question that makes no sense: a cause that is the outcome, or given twice; InputError for a
// column that does not vary, and for what is not supported: several causes must be all numbers or all categories, and
// the outcome with them. `levels` must be levels of the (one) cause.
void check_question(const Dataset& data, const EffectQuestion& question);
// The effects that the class allows for, as this question needs them.
EffectSet possible_effects(const CausalClass& graphs, const Dataset& data, const EffectQuestion& question);
// The node of that name; UsageError with the nearest name if there is none.
Node node_named(const Dataset& data, const std::string& name);

// One of the effects that the graph allows for.
struct EffectEntry {
  double share = 1;                                       // of the DAGs; NaN: not counted
  bool none = false;                                      // no cause leads to the outcome: the effect is 0
  std::vector<std::vector<std::string>> adjustment = {};  // by cause: the columns adjusted for, sorted
  std::vector<std::string> paths = {};                    // nodes on the way to the outcome, sorted
  EffectFigures figures = {};        // of a single cause, or of categories set together; not if there is none
  std::vector<Estimate> joint = {};  // by cause, of several numbers
  double size() const;  // |standardised|; 0 if there is no effect, NaN if it could not be estimated. Single cause.
};

// How an effect varies when the rows are drawn again.
struct ResampledEffect {
  int asked = 0, resamples = 0;  // `resamples` were finished
  bool graph = false;            // the search was repeated on each of them
  std::vector<Estimate> change =
      {};                 // by reading, pooled over the possible effects: median, standard deviation, 2.5 to 97.5 %
  double none = 0;        // the share of the effects that are 0
  double identified = 0;  // the share of the resamples in which there is one possible effect
};

struct EffectAnswer {
  std::vector<std::string> causes;
  std::string outcome;
  bool hidden_allowed = false;  // the graph is a PAG, which allows for causes outside the table
  bool identified = false;
  std::string why_not = {};            // a sentence if the graph gives no answer at all; `list` is empty then
  std::vector<EffectEntry> list = {};  // the most frequent first
  std::vector<std::pair<std::string, std::string>> deciding = {};  // open edges that would settle it, cause first
  std::vector<std::string> warnings = {};
  std::optional<ResampledEffect> resampled = {};
};

EffectAnswer effect(const CausalClass& graphs, const EffectTable& table, const EffectQuestion& question);
EffectAnswer effect(const Pag& pag, const EffectTable& table, const EffectQuestion& question);

// Replaces the standard errors and intervals of `answer` by those of `resamples` drawings of the rows: of each entry
// alone, with the graph as it is. Resample k is drawn from rng.split("rows", k). `effects` are what the answer is of,
// in its order: those of possible_effects(), or those that a PAG gives.
void resample_intervals(EffectAnswer& answer, const std::vector<PossibleEffect>& effects, const EffectTable& table,
                        const EffectQuestion& question, int resamples, int threads, const Rng& rng,
                        const Watch& watch = {});
std::vector<PossibleEffect> possible_effects(const Pag& pag, Node cause, Node outcome);  // one or none

// Finds the class of a resample.
using ClassSearch = std::function<Pdag(const Dataset& resample, const Rng& rng, const Watch& watch)>;
// Draws the rows again, searches again, and asks again. For a single cause.
ResampledEffect resample_graph(const Dataset& data, const ClassSearch& search, const EffectQuestion& question,
                               int resamples, int threads, const Rng& rng, const Watch& watch = {});

// An effect in a list of many.
struct RankedEffect {
  std::string cause, outcome;
  bool hidden_allowed = false;  // as in EffectAnswer
  bool identified = false;
  bool known = true;           // false: too many ways, not identified from a PAG, or no estimate
  double least = 0, most = 0;  // |standardised|, over the possible effects
  double nonzero = 1;          // the share of the DAGs in which there is an effect; NaN: not counted
  // The possible effects in the units of the table, per unit or from level to level, if the outcome has one reading or
  // two levels (then: the probability of the second); the interval spans those of all of them.
  std::optional<Estimate> smallest = {};  // the one nearest to 0
  double low = 0, high = 0;
};

// All effects on a node, or of a node, that are not 0 in every DAG: largest `least` first, then `most`, then by name.
std::vector<RankedEffect> effects_on(const CausalClass& graphs, const EffectTable& table, Node outcome,
                                     int threads = 1);
std::vector<RankedEffect> effects_of(const CausalClass& graphs, const EffectTable& table, Node cause, int threads = 1);
std::vector<RankedEffect> effects_on(const Pag& pag, const EffectTable& table, Node outcome, int threads = 1);
std::vector<RankedEffect> effects_of(const Pag& pag, const EffectTable& table, Node cause, int threads = 1);

}  // namespace agon
