#include "agon/study/as_published.h"

#include <algorithm>
#include <cmath>

#include "agon/catalog/scores.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/golem.h"
#include "agon/opponent/gran_dag.h"
#include "agon/opponent/lingam.h"
#include "agon/opponent/notears.h"
#include "agon/opponent/weighted_graph.h"

namespace agon {
namespace {

constexpr double kCut = 0.3;               // gCastle's default for coefficients
constexpr double kNotearsL1 = 0.1;         // gCastle's default
constexpr long kGranDagIterations = 1000;  // the authors' setting

SearchResult judged(SearchResult found, const LocalScore& score) {
  found.score = total(score, found.dag);
  return found;
}

// The BIC of a Gaussian model does not depend on scale, so codes need not be standardised here.
SearchResult gaussian_ges(const Dataset& data, const LocalScore& score, Rng, const Watch& watch) {
  const Dataset codes = as_codes(data);
  const auto gaussian = make_score("gaussian-bic", codes);
  return judged(ges(*gaussian, {}, watch), score);
}

SearchResult short_grandag(const Dataset& data, const LocalScore& score, Rng rng, const Watch& watch) {
  return gran_dag(data, score, {.max_steps = kGranDagIterations}, rng, watch);
}

std::vector<double> deviations(const Dataset& data) {
  std::vector<double> out;
  const Dataset codes = as_codes(data);
  for (const Column& column : codes.columns()) {
    const double n = static_cast<double>(codes.rows());
    double mean = 0, square = 0;
    for (const double x : column.values) mean += x / n;
    for (const double x : column.values) square += (x - mean) * (x - mean) / n;
    out.push_back(std::sqrt(square));
  }
  return out;
}

// gCastle cuts the coefficients between the columns as they are, so the weights are scaled back.
SearchResult cut_at(const Dataset& data, const StandardTable& table, const CausalOrder& found, const LocalScore& score,
                    const Watch& watch) {
  std::vector<int> order = found.order;
  order.resize(found.reasoned);
  std::vector<WeightedEdge> edges = regress_in_order(correlations(table), order, {}, 1, watch);
  const std::vector<double> deviation = deviations(data);
  std::erase_if(edges,
                [&](const WeightedEdge& e) { return e.weight * deviation[e.edge.to] < kCut * deviation[e.edge.from]; });
  SearchResult out;
  out.dag = dag_from_weights(std::move(edges), score, {});
  out.steps = found.steps;
  out.stopped_by = watch.stop_requested() ? watch.stop_reason() : found.stopped_by;
  return judged(std::move(out), score);
}

SearchResult cut_direct_lingam(const Dataset& data, const LocalScore& score, Rng, const Watch& watch) {
  const StandardTable table = standardise(data);
  return cut_at(data, table, direct_order(table, {}, watch), score, watch);
}

SearchResult cut_ica_lingam(const Dataset& data, const LocalScore& score, Rng rng, const Watch& watch) {
  const StandardTable table = standardise(data);
  return cut_at(data, table, ica_order(table, {}, rng, watch), score, watch);
}

SearchResult gcastle_notears(const Dataset& data, const LocalScore& score, Rng, const Watch& watch) {
  return notears(data, score, {.l1 = kNotearsL1}, watch);
}

SearchResult gcastle_golem(const Dataset& data, const LocalScore& score, Rng, const Watch& watch) {
  return golem(data, score, {.own_variances = false}, watch);
}

}  // namespace

const std::vector<PublishedVariant>& published_variants() {
  static const std::vector<PublishedVariant> table = {
      {"ges-published", "ges", gaussian_ges},
      {"grandag-published", "grandag", short_grandag},
      {"direct-lingam-published", "direct-lingam", cut_direct_lingam},
      {"ica-lingam-published", "ica-lingam", cut_ica_lingam},
      {"notears-published", "notears", gcastle_notears},
      {"golem-published", "golem", gcastle_golem},
  };
  return table;
}

const PublishedVariant* published_variant(const std::string& name) {
  const auto found = std::ranges::find(published_variants(), name, &PublishedVariant::name);
  return found == published_variants().end() ? nullptr : &*found;
}

Dataset as_codes(const Dataset& data) {
  std::vector<Column> columns;
  for (const int node : data.file_order()) {
    Column column = data.column(node);
    if (column.kind == ColumnKind::kCategorical) {
      column.kind = ColumnKind::kContinuous;
      for (size_t row = 0; row < data.rows(); ++row) {
        column.values.push_back(column.is_missing(row) ? kMissingNumber : column.codes[row]);
      }
      column.codes = {};
      column.levels.clear();
    }
    columns.push_back(std::move(column));
  }
  return make_dataset(std::move(columns), data.source(), data.row_info());
}

}  // namespace agon
