// agon/data/typed_columns.h
//
// Columns whose types came with the table, as in a data frame or a Parquet file. A type decides the kind of a column
// where it says enough; the kinds of whole numbers and of text follow from their cells, by the rule for files
// (kinds.h).
//
//   TypedColumns typed("claims.parquet", TypedColumns::StrayText::kAccepted);
//   typed.add(column, {.told = ColumnKind::kContinuous});      // numbers with a fraction: continuous
//   typed.add(codes, {.integers = true});                      // by the rule
//   typed.add_text(labels);                                    // by the rule
//   infer_kinds(typed.facts({}));                              // for with_inferred_kinds(typed.columns, ..)
//
// Text in which most of what differs are numbers, and some are not, is read cell by cell as a file is: programs that
// read files leave such columns behind. Plain numbers alone are text here, since somebody chose that type for them.
#pragma once

#include <string>
#include <vector>

#include "agon/data/column_builder.h"
#include "agon/data/kinds.h"

namespace agon {

class TypedColumns {
 public:
  using StrayText = ColumnBuilder::StrayText;
  TypedColumns(std::string source, StrayText stray) : source_(std::move(source)), stray_(stray) {}

  // `facts`: what the type says; what the cells say is added.
  void add(Column column, ColumnFacts facts);
  // Categories that are text. `counts` says how often each row occurred; empty: once.
  void add_text(Column column, const std::vector<double>& counts = {});

  // Counts stand for rows, so the rule sees the table with every row written out.
  std::vector<ColumnFacts> facts(const std::vector<double>& counts) const;

  std::vector<Column> columns;
  std::vector<std::string> notes, warnings;  // sentences for the log

 private:
  bool add_numbers_with_text(const Column& column, const std::vector<double>& counts);
  void note_like_gaps(const Column& column);

  std::string source_;
  StrayText stray_;
  std::vector<ColumnFacts> facts_;  // by column, each row counted once
};

}  // namespace agon
