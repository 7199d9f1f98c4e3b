// agon/effect/figures.h
//
// How much an outcome changes when a cause is set, as an estimate with its standard error: what both estimators return
// (linear_effect.h for tables with numbers, counted_effect.h for tables of categories alone).
//
// A cause that is a number is set to one unit more; a category is changed from one level to another. An outcome that is
// a number is read by its mean; a category by the probability of each of its levels.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace agon {

struct Estimate {
  double value = 0;
  double error = 0;          // standard error; NaN: unknown
  double low = 0, high = 0;  // of the interval that holds 95 % under the assumptions
};

struct EffectFigures {
  std::vector<std::string> settings = {};  // the levels of the cause; none: a number
  std::vector<std::string> readings = {};  // the levels of the outcome; none: a number, which is one reading
  // P(outcome = reading | do(cause = setting)), or the mean of the outcome. Only for a cause with levels.
  std::vector<std::vector<Estimate>> under = {};
  std::string from = {}, to = {};     // the levels that `change` compares
  std::vector<Estimate> change = {};  // by reading
  // The standard deviation of what the cause brings about, as it varies in the table, over that of the outcome:
  // b sd(x) / sd(y) of two numbers. For several levels, variances are summed over the readings. With a sign where both
  // ends are a number or have two levels (then the second counts as more).
  double standardised = 0;
  bool has_sign = false;
  double rows = 0;                         // the weight of the rows used
  std::vector<std::string> warnings = {};  // sentences

  bool known() const;  // is there an estimate?
};

inline bool EffectFigures::known() const { return standardised == standardised; }

// The reading by which an effect is one number: the only one of a number, the second of two levels.
std::optional<size_t> one_reading(const EffectFigures& figures);

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr double kConfidence = 0.95;

// Which levels of a category to compare; blank: the first and the last of its levels.
struct LevelPair {
  std::string from = {}, to = {};
};

}  // namespace agon
