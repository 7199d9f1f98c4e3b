// The scores of this folder, for tests of folders that cannot see the catalog (agon/catalog/scores.h).
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "agon/score/discrete_score.h"
#include "agon/score/gaussian_score.h"

namespace agon::testing {

struct TestScore {
  std::string name;
  ColumnKind kind;  // of the columns it is for
  std::unique_ptr<LocalScore> (*make)(const Dataset&, const ScoreOptions&);
};

inline const std::vector<TestScore>& all_scores() {
  using Options = ScoreOptions;
  using enum GaussianBic::Scale;
  using enum ColumnKind;
  static const std::vector<TestScore> table = {
      {"discrete-bic", kCategorical,
       [](const Dataset& d, const Options& o) -> std::unique_ptr<LocalScore> {
         return std::make_unique<DiscreteBic>(d, o);
       }},
      {"bdeu", kCategorical,
       [](const Dataset& d, const Options& o) -> std::unique_ptr<LocalScore> { return std::make_unique<Bdeu>(d, o); }},
      {"gaussian-bic", kContinuous,
       [](const Dataset& d, const Options& o) -> std::unique_ptr<LocalScore> {
         return std::make_unique<GaussianBic>(d, kRaw, o);
       }},
      {"copula-bic", kContinuous,
       [](const Dataset& d, const Options& o) -> std::unique_ptr<LocalScore> {
         return std::make_unique<GaussianBic>(d, kCopula, o);
       }},
  };
  return table;
}

// "auto": copula-bic where a column of numbers varies, else discrete-bic.
inline std::unique_ptr<LocalScore> make_score(std::string name, const Dataset& data, const ScoreOptions& options = {}) {
  if (name == "auto") {
    name = "discrete-bic";
    for (const Column& column : data.columns()) {
      if (column.kind == ColumnKind::kContinuous && !column.is_isolated()) name = "copula-bic";
    }
  }
  for (const TestScore& score : all_scores()) {
    if (score.name == name) return score.make(data, options);
  }
  throw std::invalid_argument("a test asks for the score " + name);
}

}  // namespace agon::testing

namespace agon {
using testing::make_score;
}
