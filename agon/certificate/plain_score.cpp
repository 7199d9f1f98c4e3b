#include "agon/certificate/plain_score.h"

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/certificate/plain_discrete.h"
#include "agon/certificate/plain_gaussian.h"

namespace agon::plain {

Family family_of(const Dag& dag, Node child) { return {child, dag.parent_list(child)}; }

std::unique_ptr<Scorer> make_scorer(const Dataset& data, const ScorerOptions& options) {
  const bool discrete = options.name == "discrete-bic" || options.name == "bdeu";
  if (!discrete && options.name != "gaussian-bic" && options.name != "copula-bic") {
    throw UsageError(fmt::format("the certificate knows no score {}", quoted(options.name)),
                     "the scores are discrete-bic, bdeu, gaussian-bic, copula-bic");
  }
  const ColumnKind kind = discrete ? ColumnKind::kCategorical : ColumnKind::kContinuous;
  for (const Column& column : data.columns()) {
    if (column.kind == kind || column.is_constant()) continue;
    throw InputError(data.source(), fmt::format("the score {} is for {} columns, and {} is not", options.name,
                                                to_string(kind), quoted(column.name)));
  }
  if (discrete) return std::make_unique<DiscreteScorer>(data, options);
  return std::make_unique<GaussianScorer>(data, options);
}

Value total(const Scorer& scorer, const Dag& dag) {
  Value sum;
  for (Node v = 0; v < dag.size(); ++v) {
    const Value local = scorer.local(v, dag.parent_list(v));
    sum.score += local.score;
    sum.rounding += local.rounding;
  }
  return sum;
}

}  // namespace agon::plain
