#include "agon/catalog/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/score/discrete_score.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/weighted_discrete.h"

namespace agon {
namespace {

template <class Score>
std::unique_ptr<LocalScore> make(const Dataset& data, const ScoreOptions& options) {
  return std::make_unique<Score>(data, options);
}

template <GaussianBic::Scale scale>
std::unique_ptr<LocalScore> make_gaussian(const Dataset& data, const ScoreOptions& options) {
  return std::make_unique<GaussianBic>(data, scale, options);
}

// Rows that count once each have a faster score of their own.
template <class Score, class Weighted>
std::unique_ptr<LocalScore> make_by_weight(const Dataset& data, const ScoreOptions& options) {
  if (data.has_weights() || data.has_drawn()) return std::make_unique<Weighted>(data, options);
  return std::make_unique<Score>(data, options);
}

// The columns of this kind that are not constant.
std::vector<std::string> names_of_kind(const Dataset& data, ColumnKind kind) {
  std::vector<std::string> names;
  for (const Column& column : data.columns()) {
    if (column.kind == kind && !column.is_isolated()) names.push_back(column.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool takes_kinds(const Capabilities& able, const Capabilities& needs) {
  return (able.categorical || !needs.categorical) && (able.continuous || !needs.continuous) &&
         (able.mixed || !needs.mixed);
}

}  // namespace

const std::vector<ScoreEntry>& score_entries() {
  const ScoreParameter penalty = {
      {.name = "penalty",
       .value = "C",
       .help = "factor on the 1/2 ln n of the BIC scores; 1 is the textbook BIC, Tetrad uses 2",
       .range = at_least(0),
       .aliases = {"penaltyDiscount", "penalty-discount"},
       .common = true},
      "c",
      &ScoreOptions::penalty};
  const ScoreParameter ess = {
      {.name = "ess", .value = "A", .help = "equivalent sample size of bdeu", .range = more_than(0)},
      "A",
      &ScoreOptions::ess};
  static const std::vector<ScoreEntry> table = {
      {.name = "discrete-bic",
       .formula = "sum ln p(x_j | x_P) - c/2 ln n (r_j - 1) prod r_q",
       .source = "Schwarz 1978, Annals of Statistics 6",
       .summary = "a full probability table per node, charged by its free parameters",
       .takes = {.categorical = true, .weights = true},
       .parameters = {penalty},
       .is_default = true,
       .score_equivalent = true,
       .max_parents = discrete_bic_parent_cap,
       .make = make_by_weight<DiscreteBic, WeightedDiscreteBic>,
       .make_plain = [](const Dataset& d, const ScoreOptions& o) { return plain::discrete_bic(d, o.penalty); }},
      {.name = "bdeu",
       .formula = "Dirichlet-multinomial marginal likelihood, equivalent sample size A",
       .source = "Heckerman, Geiger & Chickering 1995, Machine Learning 20",
       .summary = "a full probability table per node, averaged over a uniform prior",
       .takes = {.categorical = true, .weights = true},
       .parameters = {ess},
       .is_default = false,
       .score_equivalent = true,
       .max_parents = discrete_parent_cap,
       .make = make_by_weight<Bdeu, WeightedBdeu>,
       .make_plain = [](const Dataset& d, const ScoreOptions& o) { return plain::bdeu(d, o.ess); }},
      {.name = "gaussian-bic",
       .formula = "-n/2 (ln(2 pi v_{j|P}) + 1) - c/2 ln n (|P| + 2)",
       .source = "Schwarz 1978, Annals of Statistics 6",
       .summary = "linear regressions with Gaussian noise, on the columns as they are",
       .takes = {.continuous = true},
       .parameters = {penalty},
       .is_default = false,
       .score_equivalent = true,
       .max_parents = gaussian_parent_cap,
       .make = make_gaussian<GaussianBic::Scale::kRaw>,
       .make_plain = [](const Dataset& d, const ScoreOptions& o) { return plain::gaussian_bic(d, o.penalty); }},
      {.name = "copula-bic",
       .formula = "gaussian-bic on the normal scores of the ranks",
       .source = "Liu, Lafferty & Wasserman 2009, JMLR 10",
       .summary = "linear regressions with Gaussian noise, after each column is given Gaussian margins",
       .takes = {.continuous = true},
       .parameters = {penalty},
       .is_default = true,
       .score_equivalent = true,
       .max_parents = gaussian_parent_cap,
       .make = make_gaussian<GaussianBic::Scale::kCopula>,
       .make_plain = [](const Dataset& d, const ScoreOptions& o) { return plain::copula_bic(d, o.penalty); }},
  };
  return table;
}

std::vector<std::string> score_names() {
  std::vector<std::string> names;
  for (const ScoreEntry& entry : score_entries()) names.push_back(entry.name);
  return names;
}

const ScoreEntry& score_entry(const std::string& name) {
  for (const ScoreEntry& entry : score_entries()) {
    if (entry.name == name) return entry;
  }
  const std::vector<std::string> names = score_names();
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("there is no score {}", quoted(name)),
                   near.empty() ? "the scores are " + listed(names) : near);
}

std::vector<ScoreParameter> score_parameters() {
  std::vector<ScoreParameter> all;
  for (const ScoreEntry& entry : score_entries()) {
    for (const ScoreParameter& parameter : entry.parameters) {
      const auto same = [&](const ScoreParameter& other) { return other.option.name == parameter.option.name; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(parameter);
    }
  }
  return all;
}

const ScoreEntry* default_score(const Capabilities& needs) {
  for (const ScoreEntry& entry : score_entries()) {
    if (entry.is_default && takes_kinds(entry.takes, needs)) return &entry;
  }
  return nullptr;
}

const ScoreEntry& choose_score(const std::string& name, const Dataset& data) {
  const ScoreEntry* entry = name == "auto" ? default_score(needs_of(data)) : &score_entry(name);
  if (entry == nullptr) {
    throw InputError(
        data.source(),
        fmt::format("both kinds of columns: categorical {}; continuous {}; no score takes both yet",
                    listed(names_of_kind(data, ColumnKind::kCategorical)),
                    listed(names_of_kind(data, ColumnKind::kContinuous))),
        "treat columns as the other kind with --continuous NAMES or --discrete NAMES, or leave them out with "
        "--drop NAMES");
  }
  refuse_beyond(entry->takes, data, "the score " + entry->name);
  return *entry;
}

std::optional<ColumnKind> only_kind(const ScoreEntry& entry) {
  if (entry.takes.categorical == entry.takes.continuous) return std::nullopt;
  return entry.takes.categorical ? ColumnKind::kCategorical : ColumnKind::kContinuous;
}

std::string column_kinds(const Capabilities& takes) {
  if (takes.mixed) return "any mix";
  const char* categorical = to_string(ColumnKind::kCategorical);
  const char* continuous = to_string(ColumnKind::kContinuous);
  if (takes.categorical && takes.continuous) return fmt::format("{} or {}", categorical, continuous);
  return takes.categorical ? categorical : continuous;
}

void check_parameters(const ScoreEntry& entry, const ScoreOptions& options) {
  for (const ScoreParameter& parameter : entry.parameters) {
    check_value(parameter.option, options.*parameter.field);
  }
}

std::unique_ptr<LocalScore> make_score(const std::string& name, const Dataset& data, const ScoreOptions& options) {
  const ScoreEntry& entry = choose_score(name, data);
  check_parameters(entry, options);
  return entry.make(data, options);
}

}  // namespace agon
