#include "agon/data/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/suggest.h"
#include "agon/data/capability.h"
#include "agon/data/kinds.h"
#include "agon/data/linear_dependence.h"

namespace agon {
namespace {

constexpr size_t kManyLevels = 50;    // so many levels are worth a remark even in a long table
constexpr size_t kRareRows = 5;       // a level in fewer rows than this is rare
constexpr size_t kMostFindings = 50;  // of one kind; any more are only counted
constexpr size_t kMostInMessage = 12;

std::string rounded(double number) {  // for example 1.4 M
  constexpr std::array<const char*, 5> kUnits = {"", " k", " M", " G", " T"};
  size_t unit = 0;
  for (; number >= 9999.5 && unit + 1 < kUnits.size(); ++unit) number /= 1000;
  if (unit > 0 && number >= 999.5 && unit + 1 < kUnits.size()) number /= 1000, ++unit;
  return fmt::format("{:.3g}{}", number, kUnits[unit]);
}

std::vector<std::string> quoted_all(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(quoted(name));
  return out;
}

// a,b,c as the value of an option, or NAMES if that would fill the screen.
std::string option_value(const std::vector<std::string>& names) {
  return names.size() <= 200 ? shell_word(fmt::format("{}", fmt::join(names, ","))) : "NAMES";
}

std::vector<int> by_name(const Dataset& data) {
  std::vector<int> order = data.file_order();
  std::sort(order.begin(), order.end(), [&](int a, int b) { return data.column(a).name < data.column(b).name; });
  return order;
}

// The columns by name, and what was found about them.
class Doctor {
 public:
  explicit Doctor(const Dataset& data) : data_(data), order_(by_name(data)), n_(data.rows()) {
    for (int node : order_) is_constant_.push_back(data.column(node).is_constant());
    is_copy_.assign(order_.size(), false);
  }

  std::vector<Finding> examine() {
    if (data_.size() == 0 || n_ == 0) return {};
    few_rows();
    mixed_kinds();
    few_values();
    constants();
    duplicates();
    linear_dependence();
    levels();
    return std::move(findings_);
  }

 private:
  size_t size() const { return order_.size(); }
  const Column& column(size_t k) const { return data_.column(order_[k]); }
  bool is_categorical(size_t k) const { return column(k).kind == ColumnKind::kCategorical; }

  void add(Severity severity, std::string kind, std::vector<std::string> columns, std::string message,
           std::string action) {
    findings_.push_back({severity, std::move(kind), std::move(columns), std::move(message), std::move(action)});
  }

  void few_rows() {
    if (n_ > size()) return;
    add(Severity::kWarning, "few-rows", {},
        fmt::format("The table has {} for {} columns: too few to tell many graphs apart.", counted(n_, "row"),
                    with_commas(size())),
        "Parents per node are limited; lower --max-parents or raise --penalty, or leave columns out with --drop.");
  }

  void mixed_kinds() {
    std::vector<std::string> labels, numbers;
    for (size_t k = 0; k < size(); ++k) (is_categorical(k) ? labels : numbers).push_back(column(k).name);
    if (labels.empty() || numbers.empty()) return;
    std::vector<std::string> all;
    for (size_t k = 0; k < size(); ++k) all.push_back(column(k).name);
    const std::string smaller = option_value(labels.size() <= numbers.size() ? labels : numbers);
    add(Severity::kWarning, "mixed-kinds", std::move(all),
        fmt::format("{} categorical column{} ({}) and {} continuous ({}).", labels.size(),
                    labels.size() == 1 ? "" : "s", listed(quoted_all(labels)), numbers.size(),
                    listed(quoted_all(numbers))),
        fmt::format("Most scores take one kind: change kinds with --discrete NAMES or --continuous NAMES, or leave the "
                    "fewer out with --drop {}.",
                    smaller));
  }

  // Numbers that look like categories written with decimals (15.0, 40.5, 58.0).
  void few_values() {
    std::vector<std::string> names, shown;
    for (size_t k = 0; k < size(); ++k) {
      if (is_categorical(k)) continue;
      std::vector<double> distinct;
      for (double x : column(k).values) {
        if (std::find(distinct.begin(), distinct.end(), x) != distinct.end()) continue;
        distinct.push_back(x);
        if (distinct.size() > kMostNumericLevels) break;
      }
      if (distinct.size() < 2 || distinct.size() > kMostNumericLevels || 5 * distinct.size() > n_) continue;
      names.push_back(column(k).name);
      shown.push_back(fmt::format("{} ({})", quoted(column(k).name), distinct.size()));
    }
    if (names.empty()) return;
    const std::string option = option_value(names);
    add(Severity::kInfo, "few-values", std::move(names),
        fmt::format("Continuous, yet with few distinct values: {}.", listed(shown)),
        fmt::format("If these are categories, pass --discrete {}.", option));
  }

  void constants() {
    std::vector<std::string> names, shown;
    for (size_t k = 0; k < size(); ++k) {
      if (!is_constant_[k]) continue;
      const Column& c = column(k);
      names.push_back(c.name);
      const std::string value = is_categorical(k) ? quoted(c.levels.at(0)) : fmt::format("{}", c.values.at(0));
      shown.push_back(fmt::format("{} ({} in every row)", quoted(c.name), value));
    }
    if (names.empty()) return;
    const bool one = names.size() == 1;
    add(Severity::kInfo, "constant", std::move(names),
        fmt::format("{} {} constant.", listed(shown), one ? "is" : "are"),
        one ? "Kept as an isolated node." : "Kept as isolated nodes.");
  }

  void duplicates() {
    size_t left_out = 0;
    const auto report = [&](size_t original, size_t copy, const std::string& sentence) {
      is_copy_[copy] = true;
      if (left_out > 0 || ++copies_ > kMostFindings) {
        ++left_out;
        return;
      }
      add(Severity::kWarning, "duplicate", {column(original).name, column(copy).name}, sentence,
          fmt::format("Edges to either score the same; pass --drop {} to leave it out.",
                      shell_word(column(copy).name)));
    };
    duplicate_labels(report);
    duplicate_numbers(report);
    if (left_out > 0) {
      add(Severity::kWarning, "duplicate", {},
          fmt::format("{} more columns are copies of others.", with_commas(left_out)),
          "Pass --drop NAME to leave them out.");
    }
  }

  // Copies except for the names of the levels: equal after numbering levels by first appearance.
  template <class Report>
  void duplicate_labels(const Report& report) {
    std::unordered_map<uint64_t, std::vector<size_t>> by_hash;
    for (size_t k = 0; k < size(); ++k) {
      if (!is_categorical(k) || is_constant_[k]) continue;
      std::vector<size_t>& same = by_hash[appearance_hash(column(k))];
      const auto original = std::find_if(same.begin(), same.end(),
                                         [&](size_t other) { return is_relabelling(column(other), column(k)); });
      if (original == same.end()) {
        same.push_back(k);
        continue;
      }
      const Column &a = column(*original), &b = column(k);
      const bool equal = a.levels == b.levels && a.codes == b.codes;
      report(*original, k,
             equal ? fmt::format("{} is a copy of {}.", quoted(b.name), quoted(a.name))
                   : fmt::format("{} is {} under other labels ({}).", quoted(b.name), quoted(a.name), pairing(a, b)));
    }
  }

  static uint64_t appearance_hash(const Column& c) {
    std::vector<uint32_t> number(c.levels.size(), 0);
    uint32_t seen = 0;
    uint64_t h = c.levels.size();
    c.codes.visit([&](const auto& cells) {
      for (auto code : cells) {
        if (number[code] == 0) number[code] = ++seen;
        h = (h ^ number[code]) * 0x9E3779B97F4A7C15ull;
        h ^= h >> 29;
      }
    });
    return h;
  }

  static bool is_relabelling(const Column& a, const Column& b) {
    if (a.levels.size() != b.levels.size()) return false;
    constexpr uint32_t kNone = UINT32_MAX;
    std::vector<uint32_t> image(a.levels.size(), kNone);  // equally many levels, all occur: a function is one-to-one
    return a.codes.visit([&](const auto& from) {
      return b.codes.visit([&](const auto& to) {
        for (size_t row = 0; row < from.size(); ++row) {
          if (image[from[row]] == kNone) image[from[row]] = to[row];
          if (image[from[row]] != to[row]) return false;
        }
        return true;
      });
    });
  }

  static std::string pairing(const Column& a, const Column& b) {
    std::vector<std::string> pairs(a.levels.size());
    for (size_t row = 0; row < a.codes.size(); ++row) {
      std::string& pair = pairs[a.codes[row]];
      if (pair.empty())
        pair = fmt::format("{} for {}", quoted(b.levels[b.codes[row]], 20), quoted(a.levels[a.codes[row]], 20));
    }
    return listed(pairs, 4);
  }

  // Affine copies. Each standardised column is projected onto a few random directions. Copies, even with a negative
  // slope, agree in all of them up to sign. Columns that do, and are neighbours when sorted, are compared in full.
  template <class Report>
  void duplicate_numbers(const Report& report) {
    constexpr size_t kDirections = 4;
    constexpr double kClose = 1e-6;
    struct Shadow {
      size_t k;
      std::array<double, kDirections> at;
    };
    std::vector<Shadow> shadows;
    for (size_t k = 0; k < size(); ++k) {
      if (is_categorical(k) || is_constant_[k]) continue;
      const std::vector<double>& x = column(k).values;
      const Moments m = moments(x);
      if (!(m.deviation > 0) || !std::isfinite(m.deviation)) continue;
      Shadow shadow{k, {}};
      for (size_t row = 0; row < n_; ++row) {
        const double z = (x[row] - m.mean) / m.deviation;
        const uint64_t bits = mix64(row);
        for (size_t d = 0; d < kDirections; ++d) {
          shadow.at[d] += z * (static_cast<double>((bits >> (16 * d)) & 0xFFFF) / 32768.0 - 1.0);
        }
      }
      for (double& s : shadow.at) s = std::abs(s) / std::sqrt(static_cast<double>(n_));
      shadows.push_back(shadow);
    }
    std::sort(shadows.begin(), shadows.end(),
              [](const Shadow& a, const Shadow& b) { return a.at[0] != b.at[0] ? a.at[0] < b.at[0] : a.k < b.k; });
    std::vector<std::pair<size_t, size_t>> pairs;  // (copy, original): the first by name of those it equals
    for (size_t i = 0; i < shadows.size(); ++i) {
      const auto close = [&](const Shadow& other) {
        for (size_t d = 1; d < kDirections; ++d) {
          if (std::abs(other.at[d] - shadows[i].at[d]) > kClose) return false;
        }
        return is_affine(column(shadows[i].k).values, column(other.k).values).found;
      };
      size_t original = shadows[i].k;
      for (size_t j = i; j-- > 0 && shadows[i].at[0] - shadows[j].at[0] <= kClose;) {
        if (shadows[j].k < original && close(shadows[j])) original = shadows[j].k;
      }
      for (size_t j = i + 1; j < shadows.size() && shadows[j].at[0] - shadows[i].at[0] <= kClose; ++j) {
        if (shadows[j].k < original && close(shadows[j])) original = shadows[j].k;
      }
      if (original != shadows[i].k) pairs.emplace_back(shadows[i].k, original);
    }
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [copy, original] : pairs) {
      const Column &a = column(original), &b = column(copy);
      if (a.values == b.values) {
        report(original, copy, fmt::format("{} is a copy of {}.", quoted(b.name), quoted(a.name)));
      } else {
        const Affine map = is_affine(a.values, b.values);
        report(original, copy,
               fmt::format("{} is a rescaled copy: {}.", quoted(b.name),
                           equation_text(b.name, {{a.name, map.slope}}, map.offset)));
      }
    }
  }

  struct Affine {
    bool found = false;
    double slope = 0, offset = 0;
  };
  // y = offset + slope * x in every row, up to rounding.
  static Affine is_affine(const std::vector<double>& x, const std::vector<double>& y) {
    const auto [low, high] = std::minmax_element(x.begin(), x.end());
    const size_t a = low - x.begin(), b = high - x.begin();
    Affine map;
    map.slope = (y[b] - y[a]) / (x[b] - x[a]);
    map.offset = y[a] - map.slope * x[a];
    const double size = std::max({std::abs(y[a]), std::abs(y[b]), std::abs(y[b] - y[a])});
    const double tolerance = std::min(1e-9 * std::abs(y[b] - y[a]) + 1e-15 * size, 1e-6 * std::abs(y[b] - y[a]));
    if (std::abs(map.offset) <= 1e-9 * size) map.offset = 0;
    map.found = true;
    for (size_t row = 0; row < x.size() && map.found; ++row) {
      map.found = std::abs(y[a] + map.slope * (x[row] - x[a]) - y[row]) <= tolerance;
    }
    return map;
  }

  void linear_dependence() {
    std::vector<size_t> candidates;
    for (size_t k = 0; k < size(); ++k) {
      if (is_categorical(k) || is_constant_[k] || is_copy_[k]) continue;
      const double deviation = moments(column(k).values).deviation;
      if (deviation > 0 && std::isfinite(deviation)) candidates.push_back(k);  // else too small or large to square
    }
    if (candidates.size() < 2) return;
    if (candidates.size() > static_cast<size_t>(kMostForDependence)) {
      add(Severity::kInfo, "linear-dependence", {},
          fmt::format("Exact linear dependence was not searched: {} continuous columns, more than {}.",
                      with_commas(candidates.size()), with_commas(kMostForDependence)),
          "Scores leave out a parent that adds nothing to the others.");
      return;
    }
    if (n_ <= candidates.size() + 1) return;  // with so few rows everything depends on everything; few_rows() says so
    std::vector<const std::vector<double>*> values;
    for (size_t k : candidates) values.push_back(&column(k).values);
    const std::vector<LinearRelation> relations = linear_relations(values, kMostFindings);
    for (const LinearRelation& relation : relations) {
      std::vector<size_t> members = {relation.target};
      std::vector<std::pair<std::string, double>> terms;
      for (size_t t = 0; t < relation.terms.size(); ++t) {
        members.push_back(relation.terms[t]);
        terms.emplace_back(column(candidates[relation.terms[t]]).name, relation.weights[t]);
      }
      std::sort(members.begin(), members.end());
      std::vector<std::string> names;
      for (size_t member : members) names.push_back(column(candidates[member]).name);
      const std::string target = column(candidates[relation.target]).name;
      add(Severity::kWarning, "linear-dependence", std::move(names),
          fmt::format("{} (R2 = {:.6f}).", equation_text(target, terms, relation.offset), relation.r_squared),
          fmt::format("A node never needs all the others as parents; pass --drop {} to leave it out.",
                      shell_word(target)));
    }
    if (relations.size() == kMostFindings) {
      add(Severity::kWarning, "linear-dependence", {}, fmt::format("Stopped after {} linear relations.", kMostFindings),
          "Pass --drop NAME to leave columns out, then look again.");
    }
  }

  void levels() {
    std::vector<Finding> many;
    std::vector<std::string> rare_names, rare_shown;
    for (size_t k = 0; k < size(); ++k) {
      if (is_constant_[k]) continue;
      const Column& c = column(k);
      const std::string drop = fmt::format("pass --drop {} to leave it out", shell_word(c.name));
      if (counts_rows(c) && n_ > kMostNumericLevels) {
        add(Severity::kWarning, "id-like", {c.name},
            fmt::format("{} counts the rows, like an identifier.", quoted(c.name)),
            fmt::format("Kept as a variable; {}.", drop));
        continue;
      }
      if (!is_categorical(k)) continue;
      const size_t r = c.levels.size();
      const double cells = static_cast<double>(r) * static_cast<double>(r);
      const std::string cost = fmt::format("a table of two such parents has {} cells", rounded(cells));
      if (r == n_ && n_ > 2) {
        add(Severity::kWarning, "id-like", {c.name},
            fmt::format("{} has another label in every row ({} levels), like an identifier: {}.", quoted(c.name),
                        with_commas(r), cost),
            fmt::format("Kept as a variable; {}.", drop));
      } else if (5 * r > n_) {
        many.push_back({Severity::kWarning,
                        "many-levels",
                        {c.name},
                        fmt::format("{} has {} levels in {}, fewer than 5 rows each: {}.", quoted(c.name),
                                    with_commas(r), counted(n_, "row"), cost),
                        fmt::format("Kept as a variable; group its levels, or {}.", drop)});
      } else if (r > kManyLevels) {
        many.push_back({Severity::kInfo,
                        "many-levels",
                        {c.name},
                        fmt::format("{} has {} levels: {}.", quoted(c.name), with_commas(r), cost),
                        fmt::format("Kept as a variable; group its levels, or {}.", drop)});
      } else {
        note_rare_levels(c, rare_names, rare_shown);
      }
    }
    const size_t told = std::min(many.size(), kMostFindings);
    std::move(many.begin(), many.begin() + told, std::back_inserter(findings_));
    if (many.size() > told) {
      add(Severity::kWarning, "many-levels", {},
          fmt::format("{} more columns have many levels.", with_commas(many.size() - told)),
          "Pass --drop NAME to leave them out.");
    }
    if (rare_names.empty()) return;
    add(Severity::kWarning, "rare-level", std::move(rare_names),
        fmt::format("Levels in fewer than {} rows: {}.", kRareRows, listed(rare_shown, kMostInMessage)),
        "Kept; what depends on them rests on few rows.");
  }

  void note_rare_levels(const Column& c, std::vector<std::string>& names, std::vector<std::string>& shown) const {
    if (n_ < 10 * kRareRows) return;
    std::vector<size_t> rows(c.levels.size());
    c.codes.visit([&](const auto& cells) {
      for (auto code : cells) ++rows[code];
    });
    std::vector<std::string> rare;
    for (size_t level = 0; level < rows.size(); ++level) {
      if (rows[level] < kRareRows)
        rare.push_back(fmt::format("{} in {}", quoted(c.levels[level]), counted(rows[level], "row")));
    }
    if (rare.empty()) return;
    names.push_back(c.name);
    shown.push_back(fmt::format("{} ({})", quoted(c.name), listed(rare, 3)));
  }

  // Continuous, and rising (or falling) by one from row to row.
  static bool counts_rows(const Column& c) {
    if (c.kind != ColumnKind::kContinuous || c.values.size() < 3) return false;
    const double step = c.values[1] - c.values[0];
    if (std::abs(step) != 1 || c.values[0] != std::floor(c.values[0])) return false;
    for (size_t row = 1; row < c.values.size(); ++row) {
      if (c.values[row] - c.values[row - 1] != step) return false;
    }
    return true;
  }

  const Dataset& data_;
  const std::vector<int> order_;
  const size_t n_;
  std::vector<bool> is_constant_, is_copy_;  // by place in order_
  size_t copies_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::kInfo:
      return "info";
    case Severity::kWarning:
      return "warning";
    case Severity::kError:
      return "error";
  }
  return "";
}

std::vector<Finding> examine(const Dataset& data) {
  refuse_beyond(kOrdinaryTables, data, "the data doctor");
  return Doctor(data).examine();
}

}  // namespace agon
