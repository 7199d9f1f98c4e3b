#include "agon/data/capability.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "agon/base/error.h"
#include "agon/base/item_list.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/data/number_text.h"

namespace agon {
namespace {

// The names of the columns for which `holds` is true, sorted.
template <class Predicate>
std::vector<std::string> names_where(const Dataset& data, Predicate holds) {
  std::vector<std::string> names;
  for (const Column& column : data.columns()) {
    if (holds(column)) names.push_back(column.name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The same in quotes.
template <class Predicate>
std::string columns_where(const Dataset& data, Predicate holds) {
  std::vector<std::string> names = names_where(data, holds);
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

// "--drop a,b", or "--drop NAMES" where they are many.
std::string typed(const std::string& option, const std::vector<std::string>& names) {
  constexpr size_t kMostNames = 12;
  return names.size() <= kMostNames ? typed_items(option, names) : "--" + option + " NAMES";
}

// What to do about categories: labels that are numbers can be read as numbers, text cannot.
std::string no_categories_hint(const Dataset& data, const std::vector<std::string>& names) {
  std::vector<std::string> as_numbers, texts;
  for (const std::string& name : names) {
    const std::vector<std::string>& levels = data.column(data.index_of(name)).levels;
    double number = 0;
    const bool numeric =
        std::all_of(levels.begin(), levels.end(), [&](const auto& level) { return parse_number(level, number); });
    (numeric ? as_numbers : texts).push_back(name);
  }
  if (as_numbers.empty()) return fmt::format("leave them out with {}", typed("drop", texts));
  if (texts.empty()) {
    return fmt::format("read them as numbers with {}, or leave them out with {}", typed("continuous", as_numbers),
                       typed("drop", as_numbers));
  }
  return fmt::format("read those whose labels are numbers so with {}, and leave out the others with {}",
                     typed("continuous", as_numbers), typed("drop", texts));
}

void judge_kinds(const Capabilities& able, const Dataset& data, Refusal& refusal) {
  if (able.categorical && able.continuous && able.mixed) return;  // the usual case; saves looking at the columns
  const bool categorical = any_of(ColumnKind::kCategorical, data), continuous = any_of(ColumnKind::kContinuous, data);
  const bool no_categories = categorical && !able.categorical, no_numbers = continuous && !able.continuous;
  const std::vector<std::string> numbers =
      names_where(data, [](const Column& column) { return varies_as(ColumnKind::kContinuous, column); });
  if (no_categories) {
    refusal.add(fmt::format("categorical columns ({})", columns_of(ColumnKind::kCategorical, data)),
                no_categories_hint(data, names_where(data, [](const Column& column) {
                                     return varies_as(ColumnKind::kCategorical, column);
                                   })));
  }
  if (no_numbers) {
    refusal.add(fmt::format("continuous columns ({})", columns_of(ColumnKind::kContinuous, data)),
                fmt::format("make them categories with {}, or leave them out with {}", typed("discrete", numbers),
                            typed("drop", numbers)));
  }
  if (!categorical || !continuous || able.mixed || no_categories || no_numbers) return;
  if (able.two_levels) {
    const auto has_many = [](const Column& column) {
      return varies_as(ColumnKind::kCategorical, column) && column.levels.size() > 2;
    };
    const std::vector<std::string> names = names_where(data, has_many);
    if (names.empty()) return;
    refusal.add(fmt::format("categorical columns of more than two levels beside continuous ones ({})",
                            columns_where(data, has_many)),
                no_categories_hint(data, names));
  } else {
    refusal.add(fmt::format("both kinds of columns in one table (categorical {}; continuous {})",
                            columns_of(ColumnKind::kCategorical, data), columns_of(ColumnKind::kContinuous, data)),
                fmt::format("make the numbers categories with {}, or leave them out with {}",
                            typed("discrete", numbers), typed("drop", numbers)));
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
  if (data.is_summary() && !able.continuous) {
    throw InputError(data.source(), fmt::format("{} counts rows, and a matrix has none", who),
                     "--score mixed-bic takes a matrix, also one of indicators");
  }
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
    // A context is a variable of categories, which stand beside whatever else the table has.
    refusal.add(fmt::format("rows of experiments ({})", regimes_of(data)),
                able.mixed ? "give only the rows in which nothing was set, or make the experiment a variable, with "
                             "--context NAME in place of --targets and --experiment"
                           : "give only the rows in which nothing was set");
  }
  if (refusal.problems.empty()) return;
  throw InputError(data.source(), fmt::format("{} cannot use {}", who, joined(refusal.problems, ", or ")),
                   joined(refusal.hints, "; "));
}

}  // namespace agon
