#include "agon/score/scores.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/score/discrete_score.h"
#include "agon/score/gaussian_score.h"

namespace agon {
namespace {

template <class Score>
std::unique_ptr<LocalScore> make_discrete(const Dataset& data, const ScoreOptions& options) {
  return std::make_unique<Score>(data, options);
}

template <GaussianBic::Scale scale>
std::unique_ptr<LocalScore> make_gaussian(const Dataset& data, const ScoreOptions& options) {
  return std::make_unique<GaussianBic>(data, scale, options);
}

// The columns of a kind that vary; a constant one takes no part in any search, so its kind is no obstacle.
std::vector<std::string> names_of_kind(const Dataset& data, ColumnKind kind) {
  std::vector<std::string> names;
  for (const Column& column : data.columns()) {
    if (column.kind == kind && !column.is_constant()) names.push_back(column.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

const std::vector<ScoreEntry>& score_entries() {
  static const std::vector<ScoreEntry> table = {
      {"discrete-bic", "sum ln p(x_j | x_P) - c/2 ln n (r_j - 1) prod r_q", "Schwarz 1978, Annals of Statistics 6",
       ColumnKind::kCategorical, true, make_discrete<DiscreteBic>},
      {"bdeu", "Dirichlet-multinomial marginal likelihood, equivalent sample size A",
       "Heckerman, Geiger & Chickering 1995, Machine Learning 20", ColumnKind::kCategorical, false,
       make_discrete<Bdeu>},
      {"gaussian-bic", "-n/2 (ln(2 pi v_{j|P}) + 1) - c/2 ln n (|P| + 2)", "Schwarz 1978, Annals of Statistics 6",
       ColumnKind::kContinuous, true, make_gaussian<GaussianBic::Scale::kRaw>},
      {"copula-bic", "gaussian-bic on the normal scores of the ranks", "Liu, Lafferty & Wasserman 2009, JMLR 10",
       ColumnKind::kContinuous, true, make_gaussian<GaussianBic::Scale::kCopula>},
  };
  return table;
}

const ScoreEntry& score_entry(const std::string& name) {
  std::vector<std::string> names;
  for (const ScoreEntry& entry : score_entries()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string near = did_you_mean(name, names);
  throw UsageError(fmt::format("there is no score {}", quoted(name)),
                   near.empty() ? "the scores are " + listed(names) : near);
}

std::string resolve_score(const std::string& name, const Dataset& data) {
  const auto categorical = names_of_kind(data, ColumnKind::kCategorical);
  const auto continuous = names_of_kind(data, ColumnKind::kContinuous);
  if (name == "auto") {
    if (continuous.empty()) return "discrete-bic";
    if (categorical.empty()) return "copula-bic";
    throw InputError(
        data.source(),
        fmt::format("both kinds of columns: categorical {}; continuous {}; no score takes both yet",
                    listed(categorical), listed(continuous)),
        "treat columns as the other kind with --continuous NAMES or --discrete NAMES, or leave them out with "
        "--drop NAMES");
  }
  const ScoreEntry& entry = score_entry(name);
  const auto& wrong = entry.kind == ColumnKind::kCategorical ? continuous : categorical;
  if (!wrong.empty()) {
    throw InputError(data.source(),
                     fmt::format("the score {} is for {} columns, and these are not: {}", name, to_string(entry.kind),
                                 listed(wrong)),
                     entry.kind == ColumnKind::kCategorical
                         ? "make them categories with --discrete NAMES, or use --score auto"
                         : "read them as numbers with --continuous NAMES, or use --score auto");
  }
  return name;
}

std::unique_ptr<LocalScore> make_score(const std::string& name, const Dataset& data, const ScoreOptions& options) {
  return score_entry(resolve_score(name, data)).make(data, options);
}

}  // namespace agon
