// agon/data/dataset.h
//
// The table everything else works on: columns of one kind each, with names that are unique and not blank. Made by
// read_csv(), by sampling a network, by a simulator; each ends in make_dataset(), the gate.
//
//   Dataset d = read_csv("asia.csv").data;
//   d.rows(); d.size(); d.names();
//   d.column(2).codes[417];             // level of variable 2 in row 417
//   d.index_of("smoke");                // node of that name, or -1
//
// Column order carries no information. The columns of published tables are often in causal order, and a search that
// breaks ties by position then looks better than it is. So columns are kept in *canonical order*: sorted by a hash of
// their names. A node's index is its place in that order; `file_index` remembers where the column was, for output only.
// It follows that every answer is the same for every order of columns in the file.
//
// An ordinary table is complete, its rows count once each, and all of them come from one experiment. Three things may
// be added, and each costs nothing where it is absent:
//
//   missing cells   d.column(2).is_missing(417)   nobody may read the value of such a cell
//   weights         d.weight(417)                 how often the row counts; d.total_weight() takes the place of rows()
//   regimes         d.regime_of(417)              the experiment a row comes from; d.targets(k) are the nodes set there
//
// Code that does not know about them must refuse tables that have them: see capability.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace agon {

enum class ColumnKind { kCategorical, kContinuous };
const char* to_string(ColumnKind kind);  // "categorical", "continuous"

// Level indices of a categorical column, one per row, in the narrowest of 1, 2 or 4 bytes that holds them.
class Codes {
 public:
  uint32_t operator[](size_t row) const {
    return std::visit([row](const auto& v) -> uint32_t { return v[row]; }, cells_);
  }
  size_t size() const {
    return std::visit([](const auto& v) { return v.size(); }, cells_);
  }
  void push_back(uint32_t code) {  // widens when it must
    if (auto* narrow = std::get_if<0>(&cells_); narrow != nullptr && code <= UINT8_MAX) {
      narrow->push_back(static_cast<uint8_t>(code));
    } else {
      push_back_wide(code);
    }
  }
  void recode(const std::vector<uint32_t>& new_code);  // every cell c becomes new_code[c]; narrows when it can
  void reserve(size_t rows);
  void shrink_to_fit();
  // fn(const std::vector<uint8_t or uint16_t or uint32_t>&): for loops that must not branch on the width per cell.
  template <class Fn>
  decltype(auto) visit(Fn&& fn) const {
    return std::visit(std::forward<Fn>(fn), cells_);
  }
  bool operator==(const Codes& other) const;

 private:
  void push_back_wide(uint32_t code);

  std::variant<std::vector<uint8_t>, std::vector<uint16_t>, std::vector<uint32_t>> cells_;
};

// Which cells of a column are missing: a bit per cell up to the last missing one, and no memory when none is.
class MissingCells {
 public:
  bool operator[](size_t row) const { return row / 64 < words_.size() && (words_[row / 64] >> (row % 64) & 1) != 0; }
  bool any() const { return !words_.empty(); }
  size_t count() const;
  size_t end() const;  // one more than the last missing row; 0 when there is none
  void insert(size_t row);
  bool operator==(const MissingCells&) const = default;

 private:
  std::vector<uint64_t> words_;  // the last one is never 0
};

// What a missing cell holds, so that equal tables are equal in memory. No algorithm may use either value: the number
// spoils every sum it enters, but the code looks like any other.
constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();
constexpr uint32_t kMissingCode = 0;

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::kContinuous;
  int file_index = 0;               // position among the columns of its source
  std::vector<std::string> levels;  // categorical: the labels that occur, in label order (numbers by value, then text)
  Codes codes;                      // categorical: index into levels, per row; kMissingCode where missing
  std::vector<double> values;       // continuous: finite numbers, per row; kMissingNumber where missing
  // Further numbers per row, of a category known by its indicators alone (moment_table.h); elsewhere none. Of a summary
  // (summary.h) they are shares of its levels, of which `levels` has the names, the first being that of `values`.
  std::vector<std::vector<double>> more;
  MissingCells missing;
  MissingCells drawn;       // cells that were missing and now hold a value drawn given the others (score/completion.h)
  bool identifier = false;  // names, dates, codes that differ from row to row: no algorithm can learn from them

  size_t rows() const { return kind == ColumnKind::kCategorical ? codes.size() : values.size(); }
  bool is_missing(size_t row) const { return missing[row]; }
  bool has_missing() const { return missing.any(); }
  bool is_constant() const;  // at most one level, or one value, among the cells that are not missing
  bool is_isolated() const { return identifier || is_constant(); }  // has no edge in any graph
  // A category, or its indicators.
  bool has_levels() const { return kind == ColumnKind::kCategorical || !levels.empty(); }
};

// What an experiment did to its targets. Perfect: it set them, so that their causes had no part in their values there.
// Soft: it moved them, and their causes still acted.
enum class Intervention { kPerfect, kSoft };
const char* to_string(Intervention intervention);  // "perfect", "soft"

// The circumstances in which rows were recorded: an experiment, or plain observation.
struct Regime {
  std::string name = "";                  // unique and not blank
  std::vector<std::string> targets = {};  // names of the variables that were set; none: observation
  Intervention intervention = Intervention::kPerfect;
  std::string batch = "";  // regimes of one batch were measured alike; between batches the means of columns may differ
  bool operator==(const Regime&) const = default;
};

// What is known of rows besides their cells. Each part may be absent.
struct RowInfo {
  std::vector<double> weights = {};  // how often each row counts, finite and > 0, not always whole; empty: once each
  std::vector<Regime> regimes = {};  // empty: all rows were observed alike
  Codes regime = {};                 // by row, index into regimes; empty without regimes
  bool summary = false;              // the rows are no cases, but stand for a matrix (moment_table.h)
  std::vector<uint32_t> part = {};   // of such rows: which part of a summary (summary.h); empty: there is one
};

class Dataset {
 public:
  size_t rows() const { return rows_; }
  int size() const { return static_cast<int>(columns_.size()); }  // p, the number of variables
  const Column& column(int node) const { return columns_[node]; }
  const std::vector<Column>& columns() const { return columns_; }
  std::vector<std::string> names() const;                // by node
  int index_of(const std::string& name) const;           // node, or -1
  const std::string& source() const { return source_; }  // path or data-set name, for messages and records
  std::vector<int> file_order() const;                   // nodes in the order of their columns in the source
  bool all_of(ColumnKind kind) const;

  bool has_missing() const;
  bool has_drawn() const;
  bool has_weights() const { return !info_.weights.empty(); }
  bool is_summary() const { return info_.summary; }
  bool has_regimes() const { return !info_.regimes.empty(); }
  double weight(size_t row) const { return info_.weights.empty() ? 1.0 : info_.weights[row]; }
  double total_weight() const;                                                     // rows() in a table without weights
  const std::vector<Regime>& regimes() const { return info_.regimes; }             // by name; each has a row
  int regime_of(size_t row) const { return static_cast<int>(info_.regime[row]); }  // only with regimes
  const std::vector<int>& targets(int regime) const { return targets_[regime]; }   // nodes set there, ascending
  const RowInfo& row_info() const { return info_; }

  // 64 bits over names, cells, weights and regimes, as 16 hex digits. Independent of the order of columns and of
  // regimes; the order of rows matters. A part that is absent leaves no trace: an ordinary table has the checksum of
  // its names and cells alone.
  std::string checksum() const;

  // Everything the gate promises, computed again. For tests.
  bool check_invariants() const;

 private:
  friend Dataset make_dataset(std::vector<Column> columns, std::string source, RowInfo rows);
  std::vector<Column> columns_;
  size_t rows_ = 0;
  std::string source_;
  RowInfo info_;
  std::vector<std::vector<int>> targets_;  // by regime
};

// The gate: every Dataset comes from here. Puts columns (given in file order; file_index is set here) into canonical
// order, brings levels into label order and drops those that never occur in a cell that is not missing. What a missing
// cell held is forgotten. Regimes are sorted by name, and those without a row are dropped.
//
// What says nothing counts as absent: weights that are all 1, and a single regime without targets.
//
// Throws InputError for no columns or rows, blank or repeated names, columns of unequal length and cells that are not
// finite; for weights that are not positive numbers; for regimes that do not fit the rows, set unknown columns, or
// leave a variable without a row in which its causes acted.
Dataset make_dataset(std::vector<Column> columns, std::string source, RowInfo rows = {});

// The table of these rows, in this order, a row as often as it is named; weights, gaps and regimes go with their rows.
Dataset with_rows(const Dataset& data, std::span<const size_t> rows);

// Shorthands for tests and simulators.
Column categorical_column(std::string name, const std::vector<int>& codes, std::vector<std::string> levels = {});
Column continuous_column(std::string name, std::vector<double> values);

// Label order: numbers come before text, numbers are sorted by value, text by bytes.
bool label_less(const std::string& a, const std::string& b);

// Nodes by canonical order of their names: result[k] is the index in `names` of node k.
std::vector<int> canonical_order(const std::vector<std::string>& names);

}  // namespace agon
