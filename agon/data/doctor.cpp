#include "agon/data/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "agon/base/error.h"
#include "agon/base/item_list.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/data/copied_columns.h"
#include "agon/data/derived_columns.h"
#include "agon/data/kinds.h"
#include "agon/data/linear_dependence.h"
#include "agon/data/missing.h"
#include "agon/data/told_gaps.h"

namespace agon {
namespace {

constexpr size_t kManyLevels = 50;    // so many levels are worth a remark even in a long table
constexpr size_t kRareRows = 5;       // a level in fewer rows than this is rare
constexpr size_t kMostFindings = 50;  // of one kind; any more are only counted
constexpr size_t kMostInMessage = 12;
constexpr size_t kFewestCounted = 10;  // so many rows that count up are no accident

// "5 rows", also where rows count for less than one.
std::string rows_text(double rows) {
  const double whole = std::round(rows);
  return std::abs(rows - whole) < 1e-9 ? counted(std::llround(whole), "row") : fmt::format("{:.3g} rows", rows);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

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

// --drop a,b,c, or --drop NAMES if the names would fill the screen.
std::string typed_or_names(const std::string& option, const std::vector<std::string>& names) {
  return names.size() <= 200 ? typed_items(option, names) : "--" + option + " NAMES";
}

std::vector<int> by_name(const Dataset& data) {
  std::vector<int> order = data.file_order();
  std::sort(order.begin(), order.end(), [&](int a, int b) { return data.column(a).name < data.column(b).name; });
  return order;
}

// The columns by name, and what was found about them.
class Doctor {
 public:
  Doctor(const Dataset& data, const Watch& watch)
      : data_(data), watch_(watch), order_(by_name(data)), n_(data.rows()), weight_(data.total_weight()) {
    for (int node : order_) is_constant_.push_back(data.column(node).is_constant());
    is_copy_.assign(order_.size(), false);
    is_derived_.assign(order_.size(), false);
  }

  std::vector<Finding> examine() {
    if (data_.size() == 0 || n_ == 0) return {};
    using Check = void (Doctor::*)();
    for (const Check check : {&Doctor::few_rows, &Doctor::few_values, &Doctor::constants, &Doctor::identifiers,
                              &Doctor::missing_cells, &Doctor::duplicates, &Doctor::duplicate_rows,
                              &Doctor::linear_dependence, &Doctor::products, &Doctor::functions, &Doctor::levels}) {
      if (!watch_.stop_requested()) (this->*check)();
    }
    if (watch_.was_interrupted()) {
      throw Interrupted("interrupted while " + data_.source() + " was examined: there is no answer yet");
    }
    if (watch_.out_of_time()) {
      add(Severity::kInfo, "unexamined", {}, "The time limit ended the examination of the table.",
          "agon doctor DATA examines all of it.");
    }
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
    if (weight_ > static_cast<double>(size())) return;
    add(Severity::kWarning, "few-rows", {},
        fmt::format("The table has {} for {} columns: too few to tell many graphs apart.", rows_text(weight_),
                    with_commas(size())),
        "Parents per node are limited; lower --max-parents or raise --penalty, or leave columns out with --drop.");
  }

  // Numbers that look like categories written with decimals (15.0, 40.5, 58.0).
  void few_values() {
    std::vector<std::string> names, shown;
    for (size_t k = 0; k < size(); ++k) {
      if (is_categorical(k)) continue;
      std::vector<double> distinct;
      double seen = 0;
      for (size_t row = 0; row < n_; ++row) {
        const double x = column(k).values[row];
        if (column(k).is_missing(row)) continue;
        seen += data_.weight(row);
        if (std::find(distinct.begin(), distinct.end(), x) != distinct.end()) continue;
        distinct.push_back(x);
        if (distinct.size() > kMostNumericLevels) break;
      }
      if (distinct.size() < 2 || distinct.size() > kMostNumericLevels ||
          5.0 * static_cast<double>(distinct.size()) > seen) {
        continue;
      }
      names.push_back(column(k).name);
      shown.push_back(fmt::format("{} ({})", quoted(column(k).name), distinct.size()));
    }
    if (names.empty()) return;
    const std::string option = typed_or_names("discrete", names);
    add(Severity::kInfo, "few-values", std::move(names),
        fmt::format("Continuous, yet with few distinct values: {}.", listed(shown)),
        fmt::format("If these are categories, pass {}.", option));
  }

  void constants() {
    std::vector<std::string> names, shown;
    for (size_t k = 0; k < size(); ++k) {
      if (!is_constant_[k]) continue;
      const Column& c = column(k);
      names.push_back(c.name);
      if (c.missing.count() == n_) {
        shown.push_back(fmt::format("{} (no cell at all)", quoted(c.name)));
        continue;
      }
      const std::string value = is_categorical(k) ? quoted(c.levels.at(0)) : fmt::format("{}", seen_values(c).at(0));
      shown.push_back(
          fmt::format("{} ({} in every {})", quoted(c.name), value, c.has_missing() ? "cell that is there" : "row"));
    }
    if (names.empty()) return;
    const bool one = names.size() == 1;
    add(Severity::kInfo, "constant", std::move(names),
        fmt::format("{} {} constant.", listed(shown), one ? "is" : "are"),
        one ? "Kept as an isolated node." : "Kept as isolated nodes.");
  }

  void identifiers() {
    std::vector<std::string> names, shown;
    for (size_t k = 0; k < size(); ++k) {
      const Column& c = column(k);
      if (!c.identifier || is_constant_[k]) continue;
      names.push_back(c.name);
      shown.push_back(fmt::format("{} ({} texts in {})", quoted(c.name), with_commas(c.levels.size()),
                                  counted(n_ - c.missing.count(), "row")));
    }
    if (names.empty()) return;
    const bool one = names.size() == 1;
    const std::string option = typed_or_names("discrete", names);
    add(Severity::kInfo, "identifier", std::move(names),
        fmt::format("{} {} from row to row, like {} (names, dates, codes).", listed(shown), one ? "differs" : "differ",
                    one ? "an identifier" : "identifiers"),
        fmt::format("Kept as {}; pass {} to take {} as categories.", one ? "an isolated node" : "isolated nodes",
                    option, one ? "it" : "them"));
  }

  void missing_cells() {
    if (!data_.has_missing()) return;
    const MissingFigures figures = missing_figures(data_);
    std::vector<std::string> names, counts, mostly, mostly_shown;
    for (size_t k = 0; k < size(); ++k) {
      const size_t gaps = column(k).missing.count();
      if (gaps == 0) continue;
      names.push_back(column(k).name);
      counts.push_back(fmt::format("{} {}", quoted(column(k).name), with_commas(gaps)));
      const double share = static_cast<double>(gaps) / static_cast<double>(n_);
      if (share <= 0.5 || gaps == n_) continue;  // constants() says which have no cell at all
      mostly.push_back(column(k).name);
      mostly_shown.push_back(fmt::format("{} ({})", quoted(column(k).name), percent(share)));
    }
    add(Severity::kInfo, "missing", std::move(names),
        fmt::format("{} missing in {} of {}: {}.",
                    figures.cells == 1 ? "1 cell is" : with_commas(figures.cells) + " cells are",
                    with_commas(figures.rows), counted(n_, "row"), listed(counts, kMostInMessage)),
        "--missing says what is done about them.");
    if (!mostly.empty()) {
      const std::string option = typed_or_names("drop", mostly);
      add(Severity::kWarning, "mostly-missing", std::move(mostly),
          fmt::format("More than half of the cells are missing: {}.", listed(mostly_shown, kMostInMessage)),
          fmt::format("What is found about such a column rests on few cells; pass {} to leave it out.", option));
    }
    tell_gaps();
    if (figures.empty_rows == 0) return;
    add(Severity::kInfo, "empty-rows", {},
        fmt::format("{} no cell at all.", figures.empty_rows == 1
                                              ? "1 row has"
                                              : fmt::format("{} rows have", with_commas(figures.empty_rows))),
        "Kept; such a row says nothing.");
  }

  void tell_gaps() {
    if (told_gaps_work(data_) > kMostGapCells) {
      add(Severity::kInfo, "missing-told", {}, "It was not checked whether some column tells where others are missing.",
          "There are too many columns with gaps; pass --drop NAMES to leave some out.");
      return;
    }
    for (const ToldGap& gap : told_gaps(data_, watch_)) {
      std::vector<std::string> names, all;
      for (const int node : gap.columns) names.push_back(data_.column(node).name);
      const std::string teller = data_.column(gap.teller).name, drop = typed_or_names("drop", names);
      const std::string who = listed(quoted_all(names), kMostInMessage), verb = names.size() == 1 ? "is" : "are";
      all = names;
      all.push_back(teller);
      std::sort(all.begin(), all.end());
      all.erase(std::unique(all.begin(), all.end()), all.end());
      add(Severity::kWarning, "missing-told", std::move(all),
          gap.where.empty() ? fmt::format("Where {} {} missing can be told from {}, which explains {} of it.", who,
                                          verb, quoted(teller), percent(std::min(gap.share, 0.99)))
                            : fmt::format("{} {} missing {}.", who, verb, gap.where),
          fmt::format("Not missing at random: pass {} to leave {} out, or --missing level.", drop,
                      names.size() == 1 ? "it" : "them"));
    }
  }

  // Rows that are equal in every cell. Among categories alone that is to be expected.
  void duplicate_rows() {
    constexpr double kMany = 0.3;
    bool measured = false;
    for (size_t k = 0; k < size(); ++k) measured = measured || (!is_categorical(k) && !is_constant_[k]);
    if (!measured || n_ < kFewestCounted || data_.has_weights()) return;
    const size_t copies = repeated_rows(data_, order_);
    const double share = static_cast<double>(copies) / static_cast<double>(n_);
    if (share < kMany) return;
    add(Severity::kInfo, "duplicate-rows", {},
        fmt::format("{} of {} repeat another row in every cell ({}).", with_commas(copies), counted(n_, "row"),
                    percent(share)),
        "Each counts as a row of its own; if they were copied by mistake, the answer is too sure of itself.");
  }

  void duplicates() {
    const std::vector<CopiedColumn> copies = copied_columns(data_, order_);
    for (const CopiedColumn& found : copies) is_copy_[found.copy] = true;
    const size_t told = std::min(copies.size(), kMostFindings), left_out = copies.size() - told;
    for (size_t k = 0; k < told; ++k) {
      const std::string &original = column(copies[k].original).name, &copy = column(copies[k].copy).name;
      add(Severity::kWarning, "duplicate", {original, copy}, copies[k].sentence,
          fmt::format("Edges to either score the same; pass {} to leave it out.", typed_or_names("drop", {copy})));
    }
    if (left_out > 0) {
      add(Severity::kWarning, "duplicate", {},
          fmt::format("{} more columns are copies of others.", with_commas(left_out)),
          "Pass --drop NAME to leave them out.");
    }
  }

  // Columns of numbers that may be related.
  std::vector<size_t> varying_numbers() {
    std::vector<size_t> out;
    for (size_t k = 0; k < size(); ++k) {
      if (is_categorical(k) || is_constant_[k] || is_copy_[k]) continue;
      if (deviation_.empty()) deviation_.resize(size());
      if (!deviation_[k]) deviation_[k] = seen_moments(column(k)).deviation;
      const double deviation = *deviation_[k];
      if (deviation > 0 && std::isfinite(deviation)) out.push_back(k);  // else too small or large to square
    }
    return out;
  }

  void linear_dependence() {
    std::vector<size_t> numbers = varying_numbers();
    if (numbers.size() < 2) return;
    if (numbers.size() > static_cast<size_t>(kMostForDependence)) {
      add(Severity::kInfo, "linear-dependence", {},
          fmt::format("It was not checked whether columns are sums, products or ratios of others: there are {} "
                      "continuous columns, more than {}.",
                      with_commas(numbers.size()), with_commas(kMostForDependence)),
          "Scores leave out a parent that adds nothing to the others.");
      return;
    }
    const std::vector<size_t> rows = complete_rows(numbers);
    // With so few rows everything depends on everything; few_rows() says so.
    if (numbers.size() < 2 || rows.size() <= numbers.size() + 1) return;
    std::vector<std::vector<double>> picked;  // only where there are gaps
    std::vector<const std::vector<double>*> values;
    picked.reserve(numbers.size());
    for (size_t k : numbers) {
      values.push_back(&column(k).values);
      if (rows.size() == n_) continue;
      std::vector<double>& cells = picked.emplace_back();
      for (size_t row : rows) cells.push_back(column(k).values[row]);
      values.back() = &cells;
    }
    const std::string where =
        rows.size() == n_ ? "" : fmt::format(", in the {} where all are seen", counted(rows.size(), "row"));
    const std::vector<LinearRelation> relations = linear_relations(varying(values, numbers), kMostFindings, watch_);
    for (const LinearRelation& relation : relations) {
      std::vector<size_t> members = {relation.target};
      std::vector<std::pair<std::string, double>> terms;
      for (size_t t = 0; t < relation.terms.size(); ++t) {
        members.push_back(relation.terms[t]);
        terms.emplace_back(column(numbers[relation.terms[t]]).name, relation.weights[t]);
      }
      std::sort(members.begin(), members.end());
      std::vector<std::string> names;
      for (size_t member : members) names.push_back(column(numbers[member]).name);
      const std::string target = column(numbers[relation.target]).name;
      is_derived_[numbers[relation.target]] = true;
      add(Severity::kWarning, "linear-dependence", std::move(names),
          fmt::format("{}{} (R2 = {:.6f}{}).", equation_text(target, terms, relation.offset),
                      relation.is_exact() ? "" : ", nearly", relation.r_squared, where),
          fmt::format("A node never needs all the others as parents; pass {} to leave it out.",
                      typed_or_names("drop", {target})));
    }
    if (relations.size() == kMostFindings) {
      add(Severity::kWarning, "linear-dependence", {}, fmt::format("Stopped after {} linear relations.", kMostFindings),
          "Pass --drop NAME to leave columns out, then look again.");
    }
  }

  void products() {
    std::vector<const Column*> columns;
    for (const size_t k : varying_numbers()) {
      if (!is_derived_[k]) columns.push_back(&column(k));
    }
    if (columns.size() > static_cast<size_t>(kMostForDependence)) return;  // linear_dependence() says so
    for (const ProductRelation& relation : product_relations(columns, kMostFindings, watch_)) {
      std::vector<std::string> names = {columns[relation.target]->name, columns[relation.first]->name,
                                        columns[relation.second]->name};
      std::sort(names.begin(), names.end());
      names.erase(std::unique(names.begin(), names.end()), names.end());
      add(Severity::kWarning, "product", std::move(names),
          fmt::format("{}{} (R2 = {:.6f}).", product_text(columns, relation),
                      relation.unexplained <= kUnexplained ? "" : ", nearly", 1 - relation.unexplained),
          fmt::format("It is computed, not caused; pass {} to leave it out.",
                      typed_or_names("drop", {columns[relation.target]->name})));
    }
  }

  void functions() {
    std::vector<const Column*> columns;
    for (size_t k = 0; k < size(); ++k) {
      if (is_categorical(k) && !is_constant_[k] && !is_copy_[k]) columns.push_back(&column(k));
    }
    const CategoryFunctions functions = category_functions(columns, kMostFindings, watch_);
    for (const CategoryFunction& function : functions.found) {
      const Column &target = *columns[function.target], &source = *columns[function.source];
      std::vector<std::string> names = {target.name, source.name};
      std::sort(names.begin(), names.end());
      add(Severity::kWarning, "function", std::move(names),
          fmt::format("{} is a function of {}: each of its {} levels goes with one of {}.", quoted(target.name),
                      quoted(source.name), with_commas(source.levels.size()), with_commas(target.levels.size())),
          fmt::format("It adds nothing to {}; pass {} to leave it out.", quoted(source.name),
                      typed_or_names("drop", {target.name})));
    }
    if (functions.stopped) {
      add(Severity::kInfo, "function", {},
          "Not all pairs of categorical columns were checked for one being a function of the other.",
          "There are too many; pass --drop NAMES to leave some out.");
    }
  }

  // Rows in which all of these columns are seen. Columns with gaps are taken, those with the fewest first, as long as
  // plenty of rows are left; the others are removed from `columns`, and that is said.
  std::vector<size_t> complete_rows(std::vector<size_t>& columns) {
    std::vector<size_t> by_gaps = columns;
    std::stable_sort(by_gaps.begin(), by_gaps.end(),
                     [&](size_t a, size_t b) { return column(a).missing.count() < column(b).missing.count(); });
    std::vector<bool> gap(n_), left_out(size());
    std::vector<std::string> names;
    size_t complete = n_, taken = 0;
    for (const size_t k : by_gaps) {
      const MissingCells& missing = column(k).missing;
      size_t fewer = 0;
      for (size_t row = 0; row < missing.end(); ++row) fewer += missing[row] && !gap[row];
      if (missing.any() && complete - fewer < 2 * (taken + 1) + 20) {
        left_out[k] = true;
        names.push_back(column(k).name);
        continue;
      }
      for (size_t row = 0; row < missing.end(); ++row) gap[row] = gap[row] || missing[row];
      complete -= fewer;
      ++taken;
    }
    std::erase_if(columns, [&](size_t k) { return left_out[k]; });
    if (!names.empty()) {
      std::sort(names.begin(), names.end());
      const std::string shown = listed(quoted_all(names), kMostInMessage);
      add(Severity::kInfo, "linear-dependence", std::move(names),
          fmt::format("Linear dependence was checked without {}.", shown),
          "With them, too few rows would have a cell in every column.");
    }
    std::vector<size_t> rows;
    for (size_t row = 0; row < n_; ++row) {
      if (!gap[row]) rows.push_back(row);
    }
    return rows;
  }

  // A column may be constant in the rows that are left: it is removed from both lists.
  static std::vector<const std::vector<double>*> varying(const std::vector<const std::vector<double>*>& values,
                                                         std::vector<size_t>& columns) {
    std::vector<const std::vector<double>*> out;
    std::vector<size_t> kept;
    for (size_t k = 0; k < values.size(); ++k) {
      if (!(moments(*values[k]).deviation > 0)) continue;
      out.push_back(values[k]);
      kept.push_back(columns[k]);
    }
    columns = std::move(kept);
    return out;
  }

  void levels() {
    std::vector<Finding> many;
    std::vector<std::string> rare_names, rare_shown;
    for (size_t k = 0; k < size(); ++k) {
      const Column& c = column(k);
      if (c.is_isolated()) continue;
      const std::string drop = fmt::format("pass {} to leave it out", typed_or_names("drop", {c.name}));
      if (counts_rows(c) && n_ >= kFewestCounted) {
        add(Severity::kWarning, "id-like", {c.name},
            fmt::format("{} counts the rows, like an identifier.", quoted(c.name)),
            fmt::format("Kept as a variable; {}.", drop));
        continue;
      }
      if (!is_categorical(k)) continue;
      const size_t r = c.levels.size();
      const std::vector<double> rows = rows_by_level(c);
      const double seen = std::accumulate(rows.begin(), rows.end(), 0.0);
      const double cells = static_cast<double>(r) * static_cast<double>(r);
      const std::string cost = fmt::format("a table of two such parents has {} cells", rounded(cells));
      if (static_cast<double>(r) == seen && r > 2) {
        add(Severity::kWarning, "id-like", {c.name},
            fmt::format("{} has another label in every row ({} levels), like an identifier: {}.", quoted(c.name),
                        with_commas(r), cost),
            fmt::format("Kept as a variable; {}.", drop));
      } else if (5 * static_cast<double>(r) > seen) {
        many.push_back({Severity::kWarning,
                        "many-levels",
                        {c.name},
                        fmt::format("{} has {} levels in {}, fewer than 5 rows each: {}.", quoted(c.name),
                                    with_commas(r), rows_text(seen), cost),
                        fmt::format("Kept as a variable; group its levels, or {}.", drop)});
      } else if (r > kManyLevels) {
        many.push_back({Severity::kInfo,
                        "many-levels",
                        {c.name},
                        fmt::format("{} has {} levels: {}.", quoted(c.name), with_commas(r), cost),
                        fmt::format("Kept as a variable; group its levels, or {}.", drop)});
      } else {
        note_rare_levels(c, rows, rare_names, rare_shown);
      }
    }
    const size_t told = std::min(many.size(), kMostFindings);
    std::move(many.begin(), many.begin() + told, std::back_inserter(findings_));
    if (many.size() > told) {
      add(Severity::kWarning, "many-levels", {},
          fmt::format("{} more columns have many levels.", with_commas(many.size() - told)),
          "Pass --drop NAME to leave them out.");
    }
    similar_levels();
    if (rare_names.empty()) return;
    add(Severity::kWarning, "rare-level", std::move(rare_names),
        fmt::format("Levels in fewer than {} rows: {}.", kRareRows, listed(rare_shown, kMostInMessage)),
        "Kept; what depends on them rests on few rows.");
  }

  // Levels that are equal but for case and blanks: often one level, spelled in two ways.
  void similar_levels() {
    std::vector<std::string> names, shown;
    for (size_t k = 0; k < size(); ++k) {
      if (!is_categorical(k) || column(k).is_isolated()) continue;
      std::map<std::string, std::string> first;
      for (const std::string& level : column(k).levels) {
        std::string plain = lower(level);
        std::erase_if(plain, is_space);
        const auto [it, is_new] = first.emplace(plain, level);
        if (is_new) continue;
        if (names.empty() || names.back() != column(k).name) names.push_back(column(k).name);
        shown.push_back(
            fmt::format("{} and {} of {}", quoted(it->second, 20), quoted(level, 20), quoted(column(k).name)));
      }
    }
    if (names.empty()) return;
    add(Severity::kWarning, "similar-levels", std::move(names),
        fmt::format("Levels that differ only in case or blanks: {}.", listed(shown, kMostInMessage)),
        "Kept apart; if they are the same, spell them alike in the file.");
  }

  std::vector<double> rows_by_level(const Column& c) const {
    std::vector<double> rows(c.levels.size());
    c.codes.visit([&](const auto& cells) {
      for (size_t row = 0; row < n_; ++row) {
        if (!c.is_missing(row)) rows[cells[row]] += data_.weight(row);
      }
    });
    return rows;
  }

  void note_rare_levels(const Column& c, const std::vector<double>& rows, std::vector<std::string>& names,
                        std::vector<std::string>& shown) const {
    if (weight_ < 10 * kRareRows) return;
    std::vector<std::string> rare;
    for (size_t level = 0; level < rows.size(); ++level) {
      if (rows[level] < kRareRows)
        rare.push_back(fmt::format("{} in {}", quoted(c.levels[level]), rows_text(rows[level])));
    }
    if (rare.empty()) return;
    names.push_back(c.name);
    shown.push_back(fmt::format("{} ({})", quoted(c.name), listed(rare, 3)));
  }

  // Continuous, and rising (or falling) by one from row to row.
  static bool counts_rows(const Column& c) {
    if (c.kind != ColumnKind::kContinuous || c.values.size() < 3 || c.has_missing()) return false;
    const double step = c.values[1] - c.values[0];
    if (std::abs(step) != 1 || c.values[0] != std::floor(c.values[0])) return false;
    for (size_t row = 1; row < c.values.size(); ++row) {
      if (c.values[row] - c.values[row - 1] != step) return false;
    }
    return true;
  }

  const Dataset& data_;
  const Watch& watch_;
  const std::vector<int> order_;
  const size_t n_;
  const double weight_;                                   // of all rows
  std::vector<bool> is_constant_, is_copy_, is_derived_;  // by place in order_
  std::vector<std::optional<double>> deviation_;          // the same, once it was asked for
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

std::vector<Finding> examine(const Dataset& data, const Watch& watch) { return Doctor(data, watch).examine(); }

}  // namespace agon
