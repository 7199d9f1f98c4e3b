// agon/data/dataset.h
//
// The table everything else works on: columns of one kind each, complete (no missing cells), with names that are unique
// and not blank. Made by read_csv(), by sampling a network, by a simulator; each ends in make_dataset(), the gate.
//
//   Dataset d = read_csv("asia.csv");
//   d.rows(); d.size(); d.names();
//   d.column(2).codes[417];             // level of variable 2 in row 417
//   d.index_of("smoke");                // node of that name, or -1
//
// Column order carries no information. Published tables often stand in causal order, and a search that breaks ties by
// position then looks better than it is. So columns are kept in *canonical order*: sorted by a hash of their names.
// A node's index is its place in that order; `file_index` remembers where the column stood, for output alone.
// It follows that every answer is the same for every order of columns in the file.
#pragma once

#include <cstdint>
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

struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::kContinuous;
  int file_index = 0;               // position among the columns of its source
  std::vector<std::string> levels;  // categorical: the labels that occur, in label order (numbers by value, then text)
  Codes codes;                      // categorical: index into levels, per row
  std::vector<double> values;       // continuous: finite numbers, per row

  size_t rows() const { return kind == ColumnKind::kCategorical ? codes.size() : values.size(); }
  bool is_constant() const;  // one level, or one value
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
  // 64 bits over names, kinds and cells, as 16 hex digits; independent of the order of columns.
  std::string checksum() const;

 private:
  friend Dataset make_dataset(std::vector<Column> columns, std::string source);
  std::vector<Column> columns_;
  size_t rows_ = 0;
  std::string source_;
};

// The gate. Puts columns (given in file order; file_index is set here) into canonical order, brings levels into label
// order and drops those that never occur. Throws InputError for blank or repeated names, columns of unequal length,
// cells that are not finite.
Dataset make_dataset(std::vector<Column> columns, std::string source);

// Shorthands for tests and simulators.
Column categorical_column(std::string name, const std::vector<int>& codes, std::vector<std::string> levels = {});
Column continuous_column(std::string name, std::vector<double> values);

// Nodes by canonical order of their names: result[k] is the index in `names` of node k.
std::vector<int> canonical_order(const std::vector<std::string>& names);

}  // namespace agon
