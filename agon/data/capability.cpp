#include "agon/data/capability.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

// The names of the columns for which `holds` is true, sorted and in quotes.
template <class Predicate>
std::string columns_where(const Dataset& data, Predicate holds) {
  std::vector<std::string> names;
  for (const Column& column : data.columns()) {
    if (holds(column)) names.push_back(column.name);
  }
  std::sort(names.begin(), names.end());
  for (std::string& name : names) name = quoted(name);
  return listed(names);
}

bool varies_as(ColumnKind kind, const Column& column) { return column.kind == kind && !column.is_isolated(); }

std::string columns_of(ColumnKind kind, const Dataset& data) {
  return columns_where(data, [kind](const Column& column) { return varies_as(kind, column); });
}

bool any_of(ColumnKind kind, const Dataset& data) {
  const auto& columns = data.columns();
  return std::any_of(columns.begin(), columns.end(), [kind](const Column& c) { return varies_as(kind, c); });
}

std::string regimes_of(const Dataset& data) {
  std::vector<std::string> names;
  for (const Regime& regime : data.regimes()) names.push_back(quoted(regime.name));
  return listed(names);
}

// What cannot be accepted, and what to do about each problem.
struct Refusal {
  std::vector<std::string> problems, hints;

  void add(std::string problem, std::string hint) {
    problems.push_back(std::move(problem));
    hints.push_back(std::move(hint));
  }
};

void judge_kinds(const Capabilities& able, const Dataset& data, Refusal& refusal) {
  if (able.categorical && able.continuous && able.mixed) return;  // the usual case; saves looking at the columns
  const bool categorical = any_of(ColumnKind::kCategorical, data), continuous = any_of(ColumnKind::kContinuous, data);
  const bool no_categories = categorical && !able.categorical, no_numbers = continuous && !able.continuous;
  if (no_categories) {
    refusal.add(fmt::format("categorical columns ({})", columns_of(ColumnKind::kCategorical, data)),
                "read them as numbers with --continuous NAMES, or leave them out with --drop NAMES");
  }
  if (no_numbers) {
    refusal.add(fmt::format("continuous columns ({})", columns_of(ColumnKind::kContinuous, data)),
                "make them categories with --discrete NAMES, or leave them out with --drop NAMES");
  }
  if (!categorical || !continuous || able.mixed || no_categories || no_numbers) return;
  if (able.two_levels) {
    const std::string names = columns_where(data, [](const Column& column) {
      return varies_as(ColumnKind::kCategorical, column) && column.levels.size() > 2;
    });
    if (names.empty()) return;
    refusal.add(fmt::format("categorical columns of more than two levels beside continuous ones ({})", names),
                "read them as numbers with --continuous NAMES, or leave them out with --drop NAMES");
  } else {
    refusal.add(fmt::format("both kinds of columns in one table (categorical {}; continuous {})",
                            columns_of(ColumnKind::kCategorical, data), columns_of(ColumnKind::kContinuous, data)),
                "treat columns as the other kind with --continuous NAMES or --discrete NAMES, or leave them out with "
                "--drop NAMES");
  }
}

}  // namespace

Capabilities needs_of(const Dataset& data) {
  Capabilities needs;
  needs.categorical = any_of(ColumnKind::kCategorical, data);
  needs.continuous = any_of(ColumnKind::kContinuous, data);
  needs.mixed = needs.categorical && needs.continuous;
  needs.missing = data.has_missing();
  needs.weights = data.has_weights() || data.is_summary();
  needs.regimes = data.has_regimes();
  return needs;
}

void refuse_beyond(const Capabilities& able, const Dataset& data, const std::string& who) {
  Refusal refusal;
  judge_kinds(able, data, refusal);
  if (data.has_missing() && !able.missing) {
    refusal.add(
        fmt::format("missing cells (columns {})", columns_where(data, [](const Column& c) { return c.has_missing(); })),
        "leave out the rows that have them with --missing drop-rows, or the columns with --drop NAMES");
  }
  if (data.is_summary() && !able.weights) {
    refusal.add("a matrix in place of rows", "pass the rows that it was computed from");
  } else if (data.has_weights() && !able.weights) {
    refusal.add("rows with weights", "write every row as often as it counts");
  }
  if (data.has_regimes() && !able.regimes) {
    refusal.add(fmt::format("rows of experiments ({})", regimes_of(data)),
                "give only the rows in which nothing was set");
  }
  if (refusal.problems.empty()) return;
  throw InputError(data.source(), fmt::format("{} cannot use {}", who, fmt::join(refusal.problems, ", or ")),
                   fmt::format("{}", fmt::join(refusal.hints, "; ")));
}

}  // namespace agon
