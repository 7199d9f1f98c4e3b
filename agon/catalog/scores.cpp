#include "agon/catalog/scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/certificate/plain_edge_price.h"
#include "agon/certificate/plain_mixed.h"
#include "agon/score/block_moments.h"
#include "agon/score/discrete_score.h"
#include "agon/score/edge_price.h"
#include "agon/score/experiment_score.h"
#include "agon/score/fitted_ess.h"
#include "agon/score/gaussian_score.h"
#include "agon/score/mixed_score.h"
#include "agon/score/nml_score.h"
#include "agon/score/seen_score.h"
#include "agon/score/weighted_discrete.h"

namespace agon {
namespace {

bool is_ordinary(const Dataset& data) {
  return !data.has_missing() && !data.has_weights() && !data.has_drawn() && !data.is_summary() && !data.has_regimes();
}

std::unique_ptr<LocalScore> with_named_edges(std::unique_ptr<LocalScore> score, const std::string& name = "") {
  const double price = naming_price(*score);
  return with_edge_price(std::move(score), price, name);
}

// The score, with a price for every edge if that is asked for.
std::unique_ptr<LocalScore> priced(std::unique_ptr<LocalScore> score, const ScoreOptions& options) {
  return options.priced_edges ? with_named_edges(std::move(score)) : std::move(score);
}

std::unique_ptr<plain::Scorer> priced_plain(std::unique_ptr<plain::Scorer> scorer, const ScoreOptions& options) {
  return options.priced_edges ? plain::with_edge_price(std::move(scorer)) : std::move(scorer);
}

std::unique_ptr<LocalScore> make_mixed(const Dataset& data, const ScoreOptions& options) {
  if (data.has_regimes()) return priced(std::make_unique<ExperimentBic>(data, options), options);
  return priced(std::make_unique<MixedBic>(data, options), options);
}

// gaussian-bic and copula-bic have no floor where they are not mixed-bic under another name, and sums of rows are to
// score as the rows do.
double gaussian_floor(const Dataset& data) {
  const bool sums_of_rows = data.is_summary() && !data.row_info().part.empty();
  const bool complete = !data.has_missing() && !data.has_drawn();
  return complete && (data.has_regimes() || sums_of_rows) ? kThinFloor : kFloor;
}

// Tables with gaps, weights or experiments take the road of mixed-bic, on blocks of one column.
template <GaussianBic::Scale scale>
std::unique_ptr<LocalScore> make_gaussian(const Dataset& data, const ScoreOptions& options) {
  if (is_ordinary(data)) {
    return std::make_unique<GaussianBic>(data, scale, options);
  }
  constexpr bool raw = scale == GaussianBic::Scale::kRaw;
  ScoreOptions own = options;
  own.raw = raw;
  own.basis = 1;
  const std::string name = raw ? "gaussian-bic" : "copula-bic";
  const EmOptions em{.floor = gaussian_floor(data)};
  if (!data.has_regimes()) {
    return priced(std::make_unique<MixedBic>(block_moments(data, own, em), own, name), options);
  }
  return priced(std::make_unique<ExperimentBic>(data, own, name, em), options);
}

// Rows that count once each and were observed alike have a faster score of their own.
template <class Score, class Weighted>
std::unique_ptr<LocalScore> make_by_weight(const Dataset& data, const ScoreOptions& options) {
  if (data.has_weights() || data.has_drawn() || data.has_regimes()) return std::make_unique<Weighted>(data, options);
  return std::make_unique<Score>(data, options);
}

template <class Score, class Weighted>
std::unique_ptr<LocalScore> make_priced_by_weight(const Dataset& data, const ScoreOptions& options) {
  return priced(make_by_weight<Score, Weighted>(data, options), options);
}

std::unique_ptr<LocalScore> make_fitted_bdeu(const Dataset& data, const ScoreOptions& options) {
  ScoreOptions own = options;
  own.ess = fitted_ess(data);
  if (data.has_weights() || data.has_drawn()) return std::make_unique<WeightedBdeu>(data, own, "bdeu-fitted");
  return std::make_unique<Bdeu>(data, own, "bdeu-fitted");
}

std::unique_ptr<LocalScore> make_named_qnml(const Dataset& data, const ScoreOptions& options) {
  std::unique_ptr<LocalScore> score;
  if (data.has_weights() || data.has_drawn() || data.has_regimes()) {
    score = std::make_unique<WeightedQnml>(data, options, Regret::kStraight);
  } else {
    score = std::make_unique<Qnml>(data, options, Regret::kStraight);
  }
  return with_named_edges(std::move(score), "qnml-edges");
}

// EM is run again, unless that would take too long or was done in a way that is not repeated here.
constexpr double kMostOperations = 5e9;

plain::MixedOptions plain_mixed(const Dataset& data, const ScoreOptions& o, plain::EmMoments& given) {
  plain::MixedOptions options = {.penalty = o.penalty,
                                 .named = o.priced_edges,
                                 .raw = o.raw,
                                 .basis = o.basis,
                                 .gap_columns = o.gap_columns,
                                 .em_steps = o.em_steps,
                                 .threads = o.threads};
  if (o.given == nullptr || !o.given->em) return options;
  if (o.given->em->restricted || plain::mixed_em_operations(data, options, o.em_steps) > kMostOperations) {
    given = {o.given->em->mean, o.given->em->covariance};
    options.moments = &given;
  }
  return options;
}

template <GaussianBic::Scale scale>
std::unique_ptr<plain::Scorer> make_plain_gaussian(const Dataset& data, const ScoreOptions& options) {
  constexpr bool raw = scale == GaussianBic::Scale::kRaw;
  if (is_ordinary(data)) {
    return priced_plain(raw ? plain::gaussian_bic(data, options.penalty) : plain::copula_bic(data, options.penalty),
                        options);
  }
  plain::EmMoments given;
  plain::MixedOptions own = plain_mixed(data, options, given);
  own.raw = raw;
  own.basis = 1;
  own.floor = gaussian_floor(data);
  return priced_plain(plain::mixed_bic(data, own), options);
}

int mixed_parent_cap(const Dataset& data) {
  return std::max(3, static_cast<int>(std::min(data.total_weight() / 10, 1e9)));
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
       .help = "factor on the 1/2 ln n of the BIC scores; 1 is the textbook BIC, Tetrad uses 2; auto is 1, and ln p "
               "for each edge, as it is for numbers where agon chooses the score",
       .range = at_least(0),
       .choices = {"auto"},
       .aliases = {"penaltyDiscount", "penalty-discount"},
       .common = true},
      "c",
      [](ScoreOptions& o) { return OptionField::number_or("auto", o.priced_edges, o.penalty, 1); }};
  const ScoreParameter ess = {
      {.name = "ess", .value = "A", .help = "equivalent sample size of bdeu and bds", .range = more_than(0)},
      "A",
      [](ScoreOptions& o) -> OptionField { return o.ess; }};
  const ScoreParameter basis = {
      {.name = "basis",
       .value = "D",
       .help = "powers of each number that mixed-bic sees, so that it finds curved relations too; unless it is given, "
               "2 where agon chooses the score and numbers scatter unevenly",
       .range = at_least(1).at_most(5)},
      "",
      [](ScoreOptions& o) -> OptionField { return o.basis; }};
  const ScoreParameter scale = {{.name = "scale",
                                 .value = "S",
                                 .help = "numbers by their ranks, on the normal scale, or raw: as they are",
                                 .choices = {"normal", "raw"}},
                                "",
                                [](ScoreOptions& o) -> OptionField {
                                  return {OptionType::kText,
                                          [&o] { return OptionValue(std::string(o.raw ? "raw" : "normal")); },
                                          [&o](const OptionValue& value) {
                                            const std::string* text = std::get_if<std::string>(&value);
                                            if (text != nullptr) o.raw = *text == "raw";
                                            return text != nullptr;
                                          }};
                                }};
  static const std::vector<ScoreEntry> table = {
      {.name = "discrete-bic",
       .formula = "sum ln p(x_j | x_P) - c/2 ln n (r_j - 1) prod r_q",
       .source = "Schwarz 1978, Annals of Statistics 6",
       .summary = "a full probability table per node, charged by its free parameters",
       .takes = {.categorical = true, .weights = true, .regimes = true},
       .parameters = {penalty},
       .default_for = DefaultFor::kAnyRows,
       .score_equivalent = true,
       .max_parents = discrete_bic_parent_cap,
       .make = make_priced_by_weight<DiscreteBic, WeightedDiscreteBic>,
       .make_plain = [](const Dataset& d,
                        const ScoreOptions& o) { return priced_plain(plain::discrete_bic(d, o.penalty), o); }},
      {.name = "bdeu",
       .formula = "Dirichlet-multinomial marginal likelihood, equivalent sample size A",
       .source = "Heckerman, Geiger & Chickering 1995, Machine Learning 20",
       .summary = "a full probability table per node, averaged over a uniform prior",
       .takes = {.categorical = true, .weights = true, .regimes = true},
       .parameters = {ess},
       .default_for = DefaultFor::kNone,
       .score_equivalent = true,
       .marginal_likelihood = true,
       .max_parents = discrete_parent_cap,
       .make = make_by_weight<Bdeu, WeightedBdeu>,
       .make_plain = [](const Dataset& d, const ScoreOptions& o) { return plain::bdeu(d, o.ess); }},
      {.name = "bdeu-fitted",
       .formula = "bdeu with the equivalent sample size that suits the best forest",
       .source =
           "Silander, Kontkanen & Myllymaki 2007, UAI 23; Chow & Liu 1968, IEEE Transactions on Information Theory 14",
       .summary = "bdeu whose prior is chosen by marginal likelihood, for one fixed graph",
       .takes = {.categorical = true, .weights = true},
       .parameters = {},
       .default_for = DefaultFor::kNone,
       .score_equivalent = true,
       .max_parents = discrete_parent_cap,
       .make = make_fitted_bdeu,
       .make_plain = [](const Dataset& d, const ScoreOptions&) { return plain::bdeu_fitted(d); }},
      {.name = "qnml",
       .formula = "sum ln p(x_j | x_P) - R(n, r_j prod r_q) + R(n, prod r_q), R the regret of a multinomial",
       .source = "Silander, Leppa-aho, Jaasaari & Roos 2018, AISTATS 21",
       .summary = "a full probability table per node, as the quotient of two normalised maximum likelihoods",
       .takes = {.categorical = true, .weights = true, .regimes = true},
       .parameters = {},
       .default_for = DefaultFor::kNone,
       .score_equivalent = true,
       .max_parents = discrete_parent_cap,
       .make = make_by_weight<Qnml, WeightedQnml>,
       .make_plain = [](const Dataset& d, const ScoreOptions&) { return plain::qnml(d); }},
      {.name = "qnml-edges",
       .formula = "qnml with 4/5 R, and at least 1 nat a cell, - |P| ln p",
       .source = "Silander, Leppa-aho, Jaasaari & Roos 2018, AISTATS 21; Chen & Chen 2008, Biometrika 95",
       .summary = "qnml, and ln p for every edge: what it takes to name a parent among p columns",
       .takes = {.categorical = true, .weights = true, .regimes = true},
       .parameters = {},
       .default_for = DefaultFor::kCompleteRows,
       .score_equivalent = true,
       .max_parents = discrete_parent_cap,
       .make = make_named_qnml,
       .make_plain = [](const Dataset& d, const ScoreOptions&) { return plain::qnml_edges(d); }},
      {.name = "fnml",
       .formula = "sum ln p(x_j | x_P) - sum_c R(N_c, r_j), R the regret of a multinomial",
       .source = "Silander, Roos, Kontkanen & Myllymaki 2008, PGM 4",
       .summary = "a full probability table per node, one normalised maximum likelihood for each of its rows",
       .takes = {.categorical = true, .weights = true, .regimes = true},
       .parameters = {},
       .default_for = DefaultFor::kNone,
       .score_equivalent = false,
       .max_parents = discrete_parent_cap,
       .make = make_by_weight<Fnml, WeightedFnml>,
       .make_plain = [](const Dataset& d, const ScoreOptions&) { return plain::fnml(d); }},
      {.name = "discrete-bic-seen",
       .formula = "sum ln p(x_j | x_P) - c/2 ln n (r_j - 1) u, u the configurations of P that occur",
       .source = "Tetrad, DiscreteBicScore",
       .summary = "discrete-bic, charged for those rows of the probability table that the data reach",
       .takes = {.categorical = true, .weights = true, .regimes = true},
       .parameters = {penalty},
       .default_for = DefaultFor::kNone,
       .score_equivalent = false,
       .max_parents = discrete_parent_cap,
       .make = make_priced_by_weight<DiscreteBicSeen, WeightedDiscreteBicSeen>,
       .make_plain = [](const Dataset& d,
                        const ScoreOptions& o) { return priced_plain(plain::discrete_bic_seen(d, o.penalty), o); }},
      {.name = "bds",
       .formula = "bdeu with the prior A spread over the configurations of P that occur",
       .source = "Scutari 2016, PMLR 52",
       .summary = "bdeu that expects nothing of configurations the data do not reach",
       .takes = {.categorical = true, .weights = true, .regimes = true},
       .parameters = {ess},
       .default_for = DefaultFor::kNone,
       .score_equivalent = false,
       .max_parents = discrete_parent_cap,
       .make = make_by_weight<Bds, WeightedBds>,
       .make_plain = [](const Dataset& d, const ScoreOptions& o) { return plain::bds(d, o.ess); }},
      {.name = "gaussian-bic",
       .formula = "-n/2 (ln(2 pi v_{j|P}) + 1) - c/2 ln n (|P| + 2)",
       .source = "Schwarz 1978, Annals of Statistics 6",
       .summary = "linear regressions with Gaussian noise, on the columns as they are",
       .takes = {.continuous = true, .missing = true, .weights = true, .regimes = true},
       .parameters = {penalty},
       .default_for = DefaultFor::kNone,
       .score_equivalent = true,
       .max_parents = mixed_parent_cap,
       .make = make_gaussian<GaussianBic::Scale::kRaw>,
       .make_plain = make_plain_gaussian<GaussianBic::Scale::kRaw>},
      {.name = "copula-bic",
       .formula = "gaussian-bic on the normal scores of the ranks",
       .source = "Liu, Lafferty & Wasserman 2009, JMLR 10",
       .summary = "linear regressions with Gaussian noise, after each column is given Gaussian margins",
       .takes = {.continuous = true, .missing = true, .weights = true, .regimes = true},
       .needs_ranks = true,
       .parameters = {penalty},
       .default_for = DefaultFor::kAnyRows,
       .score_equivalent = true,
       .max_parents = mixed_parent_cap,
       .make = make_gaussian<GaussianBic::Scale::kCopula>,
       .make_plain = make_plain_gaussian<GaussianBic::Scale::kCopula>},
      {.name = "mixed-bic",
       .formula = "n I(j; P) - c/2 ln n m_j sum m_q, and j alone as in the scores above",
       .source = "Andrews, Ramsey & Cooper 2019, PMLR 104; Bach & Jordan 2002, NIPS 15",
       .summary = "both kinds of columns: Gaussian information between blocks of columns, an edge charged m_j m_q",
       .takes = kAnyTable,
       .parameters = {penalty, basis, scale},
       .default_for = DefaultFor::kAnyRows,
       .score_equivalent = true,
       .max_parents = mixed_parent_cap,
       .make = make_mixed,
       .make_plain =
           [](const Dataset& d, const ScoreOptions& o) {
             plain::EmMoments given;
             return priced_plain(plain::mixed_bic(d, plain_mixed(d, o, given)), o);
           }},
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

const ScoreEntry& default_score(const Capabilities& needs) {
  const bool complete = !needs.missing && !needs.regimes;
  for (const DefaultFor rows : {DefaultFor::kCompleteRows, DefaultFor::kAnyRows}) {
    for (const ScoreEntry& entry : score_entries()) {
      if (rows == DefaultFor::kCompleteRows && !complete) continue;
      if (entry.default_for == rows && takes_kinds(entry.takes, needs)) return entry;
    }
  }
  return score_entries().back();  // takes both kinds
}

// A matrix has no ranks, so that the copula is out of reach.
const ScoreEntry& default_score(const Dataset& data) {
  if (!data.is_summary()) return default_score(needs_of(data));
  return score_entry(std::ranges::any_of(data.columns(), &Column::has_levels) ? "mixed-bic" : "gaussian-bic");
}

const ScoreEntry& choose_score(const std::string& name, const Dataset& data) {
  const ScoreEntry& entry = name == "auto" ? default_score(data) : score_entry(name);
  refuse_beyond(entry.takes, data, "the score " + entry.name);
  if (entry.needs_ranks && data.is_summary()) {
    throw InputError(data.source(),
                     fmt::format("the score {} needs the ranks of cells, and a matrix has none", entry.name),
                     "--score gaussian-bic takes the numbers as they are");
  }
  return entry;
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
    ScoreOptions values = options;
    check_value(parameter.option, parameter.field(values).read());
  }
}

bool has_penalty(const ScoreEntry& entry) {
  return std::ranges::any_of(entry.parameters, [](const ScoreParameter& p) { return p.option.name == "penalty"; });
}

// A price for each edge brings the answer nearer to the truth among numbers, observed or from experiments; discrete-bic
// gains little by it, with experiments too (docs/results/penalty.md, docs/results/experiments.md).
ScoreOptions with_defaults(ScoreOptions options, const ScoreEntry& entry) {
  options.priced_edges = has_penalty(entry) && entry.takes.continuous;
  return options;
}

std::unique_ptr<LocalScore> make_score(const std::string& name, const Dataset& data) {
  const ScoreOptions none;
  return make_score(name, data, name == "auto" ? with_defaults(none, choose_score(name, data)) : none);
}

std::unique_ptr<LocalScore> make_score(const std::string& name, const Dataset& data, const ScoreOptions& options) {
  const ScoreEntry& entry = choose_score(name, data);
  check_parameters(entry, options);
  return entry.make(data, options);
}

}  // namespace agon
