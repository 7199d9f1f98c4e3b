#include "agon/data/dataset.h"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"

namespace agon {
namespace {

template <class To, class From>
std::vector<To> converted(const std::vector<From>& cells) {
  return std::vector<To>(cells.begin(), cells.end());
}

bool is_blank(const std::string& name) { return name.find_first_not_of(" \t\r\n") == std::string::npos; }

// Scores divide by the number of rows, and a search looks at a first column.
void refuse_empty(const std::vector<Column>& columns, const std::string& source) {
  if (columns.empty()) throw InputError(source, "the table has no columns", "a table needs a column and a row");
  if (columns.front().rows() > 0) return;
  throw InputError(source,
                   fmt::format("the table has {} column{} and no rows", columns.size(), columns.size() == 1 ? "" : "s"),
                   "a table needs a column and a row");
}

// Which levels occur in a cell that is not missing.
std::vector<bool> levels_seen(const Column& column) {
  std::vector<bool> occurs(column.levels.size());
  column.codes.visit([&](const auto& cells) {
    if (!column.has_missing()) {
      for (auto c : cells) occurs[c] = true;
      return;
    }
    for (size_t row = 0; row < cells.size(); ++row) {
      if (!column.is_missing(row)) occurs[cells[row]] = true;
    }
  });
  return occurs;
}

// Like Codes::recode, but a missing cell becomes kMissingCode, whatever it held.
Codes recoded(const Column& column, const std::vector<uint32_t>& new_code) {
  Codes out;
  out.reserve(column.codes.size());
  column.codes.visit([&](const auto& cells) {
    for (size_t row = 0; row < cells.size(); ++row) {
      out.push_back(column.is_missing(row) ? kMissingCode : new_code[cells[row]]);
    }
  });
  return out;
}

// Sorts the levels in label order and drops those that never occur.
void settle_levels(Column& column) {
  const std::vector<bool> occurs = levels_seen(column);
  std::vector<uint32_t> kept;
  for (uint32_t c = 0; c < occurs.size(); ++c) {
    if (occurs[c]) kept.push_back(c);
  }
  std::sort(kept.begin(), kept.end(),
            [&](uint32_t a, uint32_t b) { return label_less(column.levels[a], column.levels[b]); });
  std::vector<uint32_t> new_code(column.levels.size());
  std::vector<std::string> levels;
  for (uint32_t c : kept) {
    new_code[c] = static_cast<uint32_t>(levels.size());
    levels.push_back(std::move(column.levels[c]));
  }
  column.levels = std::move(levels);
  if (column.has_missing()) {
    column.codes = recoded(column, new_code);
  } else {
    column.codes.recode(new_code);
  }
}

// Numbers must be finite. There is one zero, and missing cells become kMissingNumber.
void settle_numbers(Column& column, const std::string& source) {
  if (!column.has_missing()) {
    // Without a branch, several cells at once: tables pass this gate once for every way to read their rows.
    constexpr size_t kAtOnce = 4;
    std::array<double, kAtOnce> spoiled = {};  // 0 times what is not finite is not a number
    double* const x = column.values.data();
    const size_t rows = column.values.size(), whole = rows - rows % kAtOnce;
    for (size_t row = 0; row < whole; row += kAtOnce) {
      for (size_t k = 0; k < kAtOnce; ++k) {
        spoiled[k] += 0.0 * x[row + k];
        x[row + k] += 0.0;  // -0 and 0 are one value
      }
    }
    for (size_t row = whole; row < rows; ++row) {
      spoiled[0] += 0.0 * x[row];
      x[row] += 0.0;
    }
    if (std::all_of(spoiled.begin(), spoiled.end(), [](double sum) { return sum == 0; })) return;
  }
  for (size_t row = 0; row < column.values.size(); ++row) {
    double& x = column.values[row];
    if (column.is_missing(row)) {
      x = kMissingNumber;
    } else if (!std::isfinite(x)) {
      throw InputError(source, fmt::format("column {}: row {} is not a finite number", quoted(column.name), row + 1));
    } else if (x == 0) {
      x = 0;  // -0 and 0 are one value
    }
  }
}

void settle_weights(std::vector<double>& weights, size_t rows, const std::string& source) {
  if (weights.empty()) return;
  if (weights.size() != rows) {
    throw InputError(source, fmt::format("there are {} weights for {} rows", weights.size(), rows));
  }
  for (size_t row = 0; row < rows; ++row) {
    if (std::isfinite(weights[row]) && weights[row] > 0) continue;
    throw InputError(source, fmt::format("row {} has the weight {}", row + 1, weights[row]),
                     "a weight says how often the row counts: a number above 0");
  }
  if (std::all_of(weights.begin(), weights.end(), [](double w) { return w == 1; })) weights = {};
}

// Sorts the targets by name and lists each once. An unknown name is an error.
void settle_targets(Regime& regime, const std::vector<std::string>& columns, const std::string& source) {
  std::sort(regime.targets.begin(), regime.targets.end());
  regime.targets.erase(std::unique(regime.targets.begin(), regime.targets.end()), regime.targets.end());
  for (const std::string& target : regime.targets) {
    if (std::find(columns.begin(), columns.end(), target) != columns.end()) continue;
    const std::string near = did_you_mean(target, columns);
    throw InputError(
        source,
        fmt::format("the experiment {} sets {}, and there is no such column", quoted(regime.name), quoted(target)),
        near.empty() ? "the columns are " + listed(columns) +
                           "; what stands for targets names them, or is empty where nothing was set"
                     : near);
  }
}

// Sorts the regimes by name and drops those without a row.
void sort_regimes(RowInfo& info) {
  std::vector<bool> occurs(info.regimes.size());
  for (size_t row = 0; row < info.regime.size(); ++row) occurs[info.regime[row]] = true;
  std::vector<uint32_t> kept;
  for (uint32_t k = 0; k < occurs.size(); ++k) {
    if (occurs[k]) kept.push_back(k);
  }
  std::sort(kept.begin(), kept.end(),
            [&](uint32_t a, uint32_t b) { return info.regimes[a].name < info.regimes[b].name; });
  std::vector<uint32_t> new_index(info.regimes.size());
  std::vector<Regime> regimes;
  for (uint32_t k : kept) {
    new_index[k] = static_cast<uint32_t>(regimes.size());
    regimes.push_back(std::move(info.regimes[k]));
  }
  info.regimes = std::move(regimes);
  info.regime.recode(new_index);
}

// If a variable was set in every row, no row says anything about its causes.
void refuse_always_set(const std::vector<Regime>& regimes, size_t rows, const std::string& source) {
  if (regimes.empty()) return;
  for (const std::string& name : regimes.front().targets) {  // it would be among these
    const bool always = std::all_of(regimes.begin(), regimes.end(), [&](const Regime& regime) {
      return regime.intervention == Intervention::kPerfect &&
             std::binary_search(regime.targets.begin(), regime.targets.end(), name);
    });
    if (!always) continue;
    throw InputError(
        source,
        fmt::format("every row comes from an experiment that sets {} (rows 1 to {}), so no row can tell its causes",
                    quoted(name), with_commas(static_cast<long long>(rows))),
        "leave the column out, or add rows in which it was not set");
  }
}

void settle_regimes(RowInfo& info, size_t rows, const std::vector<std::string>& columns, const std::string& source) {
  if (info.regimes.empty() && info.regime.size() == 0) return;
  if (info.regime.size() != rows) {
    throw InputError(source, fmt::format("experiments are given for {} rows of {}", info.regime.size(), rows));
  }
  std::set<std::string> seen;
  for (Regime& regime : info.regimes) {
    if (is_blank(regime.name)) throw InputError(source, "an experiment has no name");
    if (!seen.insert(regime.name).second) {
      throw InputError(source, fmt::format("two experiments are named {}", quoted(regime.name)));
    }
    settle_targets(regime, columns, source);
  }
  for (size_t row = 0; row < rows; ++row) {
    if (info.regime[row] < info.regimes.size()) continue;
    throw InputError(source, fmt::format("row {} belongs to experiment {}, and there are {}", row + 1,
                                         info.regime[row] + 1, info.regimes.size()));
  }
  sort_regimes(info);
  refuse_always_set(info.regimes, info.regime.size(), source);
  if (info.regimes.size() <= 1 && (info.regimes.empty() || info.regimes.front().targets.empty())) {
    info.regimes = {};
    info.regime = {};
  }
}

// These bits belong to no finite number, and to a label only by an accident of probability 2^-64.
constexpr uint64_t kMissingHash = std::bit_cast<uint64_t>(kMissingNumber);
constexpr uint64_t kIdentifierHash = 0x6964656e74696679;

uint64_t column_hash(const Column& column) {
  uint64_t h = hash_text(column.name);
  if (column.kind == ColumnKind::kCategorical) {
    std::vector<uint64_t> label_hash;
    for (const std::string& label : column.levels) label_hash.push_back(hash_text(label));
    column.codes.visit([&](const auto& cells) {
      for (size_t row = 0; row < cells.size(); ++row) {
        h = hash_combine(h, column.is_missing(row) ? kMissingHash : label_hash[cells[row]]);
      }
    });
  } else {
    for (double x : column.values) h = hash_combine(h, std::isnan(x) ? kMissingHash : std::bit_cast<uint64_t>(x));
  }
  for (size_t row = 0; row < column.drawn.end(); ++row) {
    if (column.drawn[row]) h = hash_combine(h, row);
  }
  if (column.identifier) h = hash_combine(h, kIdentifierHash);
  for (const std::vector<double>& numbers : column.more) {
    for (double x : numbers) h = hash_combine(h, std::bit_cast<uint64_t>(x));
  }
  if (column.kind == ColumnKind::kContinuous) {
    for (const std::string& label : column.levels) h = hash_combine(h, hash_text(label));
  }
  return h;
}

// Nothing but finite numbers: what column_hash() of it combines are its name and their bits.
bool is_plain(const Column& column) {
  return column.kind == ColumnKind::kContinuous && !column.has_missing() && !column.drawn.any() && !column.identifier &&
         column.more.empty() && column.levels.empty();
}

// column_hash() of every column. A hash waits for the cell before, so those of several columns are computed side by
// side.
std::vector<uint64_t> column_hashes(const std::vector<Column>& columns) {
  constexpr size_t kSideBySide = 4;
  std::vector<uint64_t> hash(columns.size());
  size_t first = 0;
  for (; first + kSideBySide <= columns.size(); first += kSideBySide) {
    const Column* const four = columns.data() + first;
    if (!std::all_of(four, four + kSideBySide, is_plain)) {
      for (size_t k = 0; k < kSideBySide; ++k) hash[first + k] = column_hash(four[k]);
      continue;
    }
    uint64_t a = hash_text(four[0].name), b = hash_text(four[1].name), c = hash_text(four[2].name),
             d = hash_text(four[3].name);
    const auto bits = [](double x) { return std::bit_cast<uint64_t>(x); };
    for (size_t row = 0; row < four[0].values.size(); ++row) {
      a = hash_combine(a, bits(four[0].values[row]));
      b = hash_combine(b, bits(four[1].values[row]));
      c = hash_combine(c, bits(four[2].values[row]));
      d = hash_combine(d, bits(four[3].values[row]));
    }
    hash[first] = a, hash[first + 1] = b, hash[first + 2] = c, hash[first + 3] = d;
  }
  for (; first < columns.size(); ++first) hash[first] = column_hash(columns[first]);
  return hash;
}

uint64_t regime_hash(const Regime& regime) {
  uint64_t h = hash_combine(hash_text(regime.name), hash_text(regime.batch));
  h = hash_combine(h, static_cast<uint64_t>(regime.intervention));
  for (const std::string& target : regime.targets) h = hash_combine(h, hash_text(target));
  return h;
}

bool holds_for(const Column& column, size_t rows) {
  if (is_blank(column.name) || column.rows() != rows || column.missing.end() > rows) return false;
  if (column.drawn.end() > rows) return false;
  for (size_t row = 0; row < column.drawn.end(); ++row) {
    if (column.drawn[row] && column.is_missing(row)) return false;
  }
  if (column.kind == ColumnKind::kContinuous) {
    if (!column.levels.empty() && column.levels.size() != column.more.size() + 1) return false;
    if (column.codes.size() != 0) return false;
    for (size_t row = 0; row < rows; ++row) {
      if (column.is_missing(row) ? !std::isnan(column.values[row]) : !std::isfinite(column.values[row])) return false;
    }
    return true;
  }
  if (!column.values.empty() || !std::is_sorted(column.levels.begin(), column.levels.end(), label_less)) return false;
  for (size_t row = 0; row < rows; ++row) {
    if (column.is_missing(row) ? column.codes[row] != kMissingCode : column.codes[row] >= column.levels.size()) {
      return false;
    }
  }
  const std::vector<bool> occurs = levels_seen(column);
  return std::find(occurs.begin(), occurs.end(), false) == occurs.end();
}

bool holds_for(const RowInfo& info, size_t rows) {
  const std::vector<double>& w = info.weights;
  if (!w.empty()) {
    if (w.size() != rows || std::all_of(w.begin(), w.end(), [](double x) { return x == 1; })) return false;
    if (!std::all_of(w.begin(), w.end(), [](double x) { return std::isfinite(x) && x > 0; })) return false;
  }
  if (info.regimes.empty()) return info.regime.size() == 0;
  if (info.regime.size() != rows) return false;
  if (info.regimes.size() == 1 && info.regimes[0].targets.empty()) return false;
  std::set<uint32_t> occur;
  for (size_t row = 0; row < rows; ++row) occur.insert(info.regime[row]);
  if (occur.size() != info.regimes.size() || *occur.rbegin() + 1 != info.regimes.size()) return false;
  for (size_t k = 0; k < info.regimes.size(); ++k) {
    const Regime& regime = info.regimes[k];
    if (is_blank(regime.name) || (k > 0 && !(info.regimes[k - 1].name < regime.name))) return false;
    if (std::adjacent_find(regime.targets.begin(), regime.targets.end(), std::greater_equal<>()) !=
        regime.targets.end()) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool label_less(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& s, double& value) {
    const auto [end, error] = fast_float::from_chars(s.data(), s.data() + s.size(), value);
    return error == std::errc() && end == s.data() + s.size() && std::isfinite(value);
  };
  double x = 0, y = 0;
  const bool a_number = number(a, x), b_number = number(b, y);
  if (a_number != b_number) return a_number;
  if (a_number && x != y) return x < y;
  return a < b;
}

const char* to_string(ColumnKind kind) { return kind == ColumnKind::kCategorical ? "categorical" : "continuous"; }

void Codes::push_back_wide(uint32_t code) {
  if (auto* narrow = std::get_if<0>(&cells_)) cells_ = converted<uint16_t>(*narrow);
  if (auto* middle = std::get_if<1>(&cells_)) {
    if (code <= UINT16_MAX) {
      middle->push_back(static_cast<uint16_t>(code));
      return;
    }
    cells_ = converted<uint32_t>(*middle);
  }
  std::get<2>(cells_).push_back(code);
}

void Codes::recode(const std::vector<uint32_t>& new_code) {
  const uint32_t largest = new_code.empty() ? 0 : *std::max_element(new_code.begin(), new_code.end());
  const size_t width = largest <= UINT8_MAX ? 0 : largest <= UINT16_MAX ? 1 : 2;
  std::visit(
      [&](auto& cells) {
        using Code = typename std::decay_t<decltype(cells)>::value_type;
        // A code wider than the cells can hold cannot occur among the cells themselves: recoding only closes gaps.
        for (auto& c : cells) c = static_cast<Code>(new_code[c]);
      },
      cells_);
  if (width < cells_.index()) {
    cells_ = visit([&](const auto& cells) -> decltype(cells_) {
      if (width == 0) return converted<uint8_t>(cells);
      return converted<uint16_t>(cells);
    });
  }
}

void Codes::reserve(size_t rows) {
  std::visit([rows](auto& cells) { cells.reserve(rows); }, cells_);
}

void Codes::shrink_to_fit() {
  std::visit([](auto& cells) { cells.shrink_to_fit(); }, cells_);
}

bool Codes::operator==(const Codes& other) const {
  return cells_.index() == other.cells_.index() && cells_ == other.cells_;
}

size_t MissingCells::count() const {
  size_t count = 0;
  for (uint64_t word : words_) count += static_cast<size_t>(std::popcount(word));
  return count;
}

size_t MissingCells::end() const {
  return words_.empty() ? 0 : words_.size() * 64 - static_cast<size_t>(std::countl_zero(words_.back()));
}

void MissingCells::insert(size_t row) {
  if (row / 64 >= words_.size()) words_.resize(row / 64 + 1);
  words_[row / 64] |= uint64_t{1} << (row % 64);
}

bool Column::is_constant() const {
  if (kind == ColumnKind::kCategorical) return levels.size() <= 1;
  for (const std::vector<double>& numbers : more) {
    if (std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) != numbers.end()) return false;
  }
  size_t first = 0;
  while (first < values.size() && is_missing(first)) ++first;
  for (size_t row = first; row < values.size(); ++row) {
    if (values[row] != values[first] && !is_missing(row)) return false;
  }
  return true;
}

const char* to_string(Intervention intervention) { return intervention == Intervention::kPerfect ? "perfect" : "soft"; }

std::vector<std::string> Dataset::names() const {
  std::vector<std::string> out;
  for (const Column& column : columns_) out.push_back(column.name);
  return out;
}

int Dataset::index_of(const std::string& name) const {
  const uint64_t hash = hash_text(name);  // the order of the columns goes by it
  auto it = std::lower_bound(columns_.begin(), columns_.end(), hash,
                             [](const Column& c, uint64_t h) { return hash_text(c.name) < h; });
  while (it != columns_.end() && it->name != name && hash_text(it->name) == hash) ++it;
  return it != columns_.end() && it->name == name ? static_cast<int>(it - columns_.begin()) : -1;
}

std::vector<int> Dataset::file_order() const {
  std::vector<int> order(columns_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return columns_[a].file_index < columns_[b].file_index; });
  return order;
}

bool Dataset::all_of(ColumnKind kind) const {
  return std::all_of(columns_.begin(), columns_.end(), [&](const Column& c) { return c.kind == kind; });
}

bool Dataset::has_missing() const {
  return std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return c.has_missing(); });
}

bool Dataset::has_drawn() const {
  return std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return c.drawn.any(); });
}

double Dataset::total_weight() const {
  if (!has_weights()) return static_cast<double>(rows_);
  return std::accumulate(info_.weights.begin(), info_.weights.end(), 0.0);
}

std::string Dataset::checksum() const {
  uint64_t h = rows_;
  for (const uint64_t column : column_hashes(columns_)) h = hash_combine(h, column);
  if (has_weights()) {
    h = hash_combine(h, hash_text("weights"));
    for (double w : info_.weights) h = hash_combine(h, std::bit_cast<uint64_t>(w));
  }
  if (has_regimes()) {
    h = hash_combine(h, hash_text("regimes"));
    std::vector<uint64_t> hash;
    for (const Regime& regime : info_.regimes) hash.push_back(regime_hash(regime));
    for (size_t row = 0; row < rows_; ++row) h = hash_combine(h, hash[info_.regime[row]]);
  }
  return hex64(h);
}

bool Dataset::check_invariants() const {
  const std::vector<std::string> all = names();
  if (std::set<std::string>(all.begin(), all.end()).size() != all.size()) return false;
  const std::vector<int> order = canonical_order(all);
  if (!std::is_sorted(order.begin(), order.end())) return false;
  const std::vector<int> in_file = file_order();
  for (size_t k = 0; k < in_file.size(); ++k) {
    if (columns_[in_file[k]].file_index != static_cast<int>(k)) return false;
  }
  if (!std::all_of(columns_.begin(), columns_.end(), [&](const Column& c) { return holds_for(c, rows_); }))
    return false;
  if (!holds_for(info_, rows_) || targets_.size() != info_.regimes.size()) return false;
  std::vector<bool> always_set(columns_.size(), has_regimes());
  for (size_t k = 0; k < targets_.size(); ++k) {
    std::set<std::string> by_node;
    for (int node : targets_[k]) by_node.insert(columns_[node].name);
    const std::vector<std::string>& by_name = info_.regimes[k].targets;
    if (!std::is_sorted(targets_[k].begin(), targets_[k].end())) return false;
    if (std::vector<std::string>(by_node.begin(), by_node.end()) != by_name) return false;
    for (size_t v = 0; v < columns_.size(); ++v) {
      const bool set = info_.regimes[k].intervention == Intervention::kPerfect && by_node.contains(columns_[v].name);
      always_set[v] = always_set[v] && set;
    }
  }
  return std::find(always_set.begin(), always_set.end(), true) == always_set.end();
}

Dataset make_dataset(std::vector<Column> columns, std::string source, RowInfo info) {
  refuse_empty(columns, source);
  std::map<std::string, size_t> seen;
  for (size_t k = 0; k < columns.size(); ++k) {
    Column& column = columns[k];
    column.file_index = static_cast<int>(k);
    if (is_blank(column.name)) {
      throw InputError(source, fmt::format("column {} has no name", k + 1),
                       "name every column in the header, or pass --no-header if there is none");
    }
    const auto [it, is_new] = seen.emplace(column.name, k);
    if (!is_new) {
      throw InputError(source,
                       fmt::format("columns {} and {} are both named {}", it->second + 1, k + 1, quoted(column.name)),
                       "give each column a name of its own");
    }
    for (const std::vector<double>& numbers : column.more) {
      const bool finite = std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::isfinite(x); });
      if (numbers.size() == column.rows() && finite && column.kind == ColumnKind::kContinuous) continue;
      throw InputError(source, fmt::format("column {}: its further numbers are not as many as its rows, or not finite",
                                           quoted(column.name)));
    }
    if (column.rows() != columns.front().rows()) {
      throw InputError(source, fmt::format("column {} has {} rows, column {} has {}", quoted(column.name),
                                           column.rows(), quoted(columns.front().name), columns.front().rows()));
    }
    if (column.missing.end() > column.rows()) {
      throw InputError(source, fmt::format("column {}: cell {} is missing, and there are {} rows", quoted(column.name),
                                           column.missing.end(), column.rows()));
    }
    if (column.drawn.end() > column.rows()) {
      throw InputError(source, fmt::format("column {}: cell {} was drawn, and there are {} rows", quoted(column.name),
                                           column.drawn.end(), column.rows()));
    }
    if (column.kind == ColumnKind::kCategorical) {
      settle_levels(column);
    } else {
      settle_numbers(column, source);
    }
  }
  std::vector<std::string> names;
  for (const Column& column : columns) names.push_back(column.name);
  const size_t rows = columns.front().rows();
  settle_weights(info.weights, rows, source);
  settle_regimes(info, rows, names, source);
  if (!info.part.empty() && info.part.size() != rows) {
    throw InputError(source, fmt::format("parts are given for {} rows of {}", info.part.size(), rows));
  }

  Dataset dataset;
  dataset.source_ = std::move(source);
  dataset.rows_ = rows;
  for (int k : canonical_order(names)) dataset.columns_.push_back(std::move(columns[k]));
  dataset.info_ = std::move(info);
  for (const Regime& regime : dataset.info_.regimes) {
    std::vector<int>& nodes = dataset.targets_.emplace_back();
    for (const std::string& target : regime.targets) nodes.push_back(dataset.index_of(target));
    std::sort(nodes.begin(), nodes.end());
  }
  return dataset;
}

Dataset with_rows(const Dataset& data, std::span<const size_t> rows) {
  std::vector<Column> columns;
  for (const int node : data.file_order()) {
    const Column& old = data.column(node);
    Column column;
    column.name = old.name;
    column.kind = old.kind;
    column.levels = old.levels;
    column.identifier = old.identifier;
    for (const std::vector<double>& numbers : old.more) {
      std::vector<double>& taken = column.more.emplace_back();
      for (const size_t row : rows) taken.push_back(numbers[row]);
    }
    if (old.kind == ColumnKind::kContinuous) {
      column.values.reserve(rows.size());
      for (const size_t row : rows) column.values.push_back(old.values[row]);
    } else {
      column.codes.reserve(rows.size());
      old.codes.visit([&](const auto& cells) {
        for (const size_t row : rows) column.codes.push_back(cells[row]);
      });
    }
    for (size_t k = 0; old.has_missing() && k < rows.size(); ++k) {
      if (old.is_missing(rows[k])) column.missing.insert(k);
    }
    for (size_t k = 0; old.drawn.any() && k < rows.size(); ++k) {
      if (old.drawn[rows[k]]) column.drawn.insert(k);
    }
    columns.push_back(std::move(column));
  }
  RowInfo info;
  for (const size_t row : rows) {
    if (data.has_weights()) info.weights.push_back(data.weight(row));
    if (data.has_regimes()) info.regime.push_back(static_cast<uint32_t>(data.regime_of(row)));
    if (!data.row_info().part.empty()) info.part.push_back(data.row_info().part[row]);
  }
  info.regimes = data.regimes();
  info.summary = data.is_summary();
  return make_dataset(std::move(columns), data.source(), std::move(info));
}

Column categorical_column(std::string name, const std::vector<int>& codes, std::vector<std::string> levels) {
  Column column;
  column.name = std::move(name);
  column.kind = ColumnKind::kCategorical;
  if (levels.empty()) {
    const int largest = codes.empty() ? -1 : *std::max_element(codes.begin(), codes.end());
    for (int c = 0; c <= largest; ++c) levels.push_back(std::to_string(c));
  }
  column.levels = std::move(levels);
  for (int c : codes) column.codes.push_back(static_cast<uint32_t>(c));
  return column;
}

Column continuous_column(std::string name, std::vector<double> values) {
  Column column;
  column.name = std::move(name);
  column.kind = ColumnKind::kContinuous;
  column.values = std::move(values);
  return column;
}

std::vector<int> canonical_order(const std::vector<std::string>& names) {
  std::vector<uint64_t> hash;
  for (const std::string& name : names) hash.push_back(hash_text(name));
  std::vector<int> order(names.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return hash[a] != hash[b] ? hash[a] < hash[b] : names[a] < names[b]; });
  return order;
}

}  // namespace agon
