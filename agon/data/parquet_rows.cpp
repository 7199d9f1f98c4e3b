#include "agon/data/parquet_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/base/text.h"
#include "agon/data/column_plan.h"
#include "agon/data/number_text.h"
#include "agon/data/row_weights.h"
#include "agon/data/typed_columns.h"

namespace agon {
namespace {

using parquet::CellKind;
using parquet::Cells;

bool is_gap(const Cells& cells, size_t row) {
  return cells.is_missing(row) || (cells.kind == CellKind::kNumber && std::isnan(cells.numbers[row]));
}

MissingCells gaps_of(const Cells& cells) {
  MissingCells out;
  if (cells.missing.empty() && cells.kind != CellKind::kNumber) return out;
  for (size_t row = 0; row < cells.rows; ++row) {
    if (is_gap(cells, row)) out.insert(row);
  }
  return out;
}

std::string label_of_number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (value == std::floor(value) && std::abs(value) <= kExact) return std::to_string(static_cast<int64_t>(value));
  return fmt::format("{}", value);
}

std::string label_at(const Cells& cells, size_t row) {
  switch (cells.kind) {
    case CellKind::kTruth:
      return cells.integers[row] != 0 ? "True" : "False";
    case CellKind::kInteger:
      return std::to_string(cells.integers[row]);
    case CellKind::kNumber:
      return label_of_number(cells.numbers[row]);
    default:
      return cells.texts[cells.codes[row]];
  }
}

[[noreturn]] void refuse_number(const ParquetBlock& block, size_t column, size_t row, const std::string& found) {
  throw InputError(block.place(row),
                   fmt::format("column {}: found {}, expected a number", quoted(block.names[column]), quoted(found)),
                   fmt::format("--discrete {} takes every value as a level", shell_word(block.names[column])));
}

Column numbers_of(const ParquetBlock& block, size_t k) {
  const Cells& cells = block.cells[k];
  Column out;
  out.name = block.names[k];
  out.kind = ColumnKind::kContinuous;
  out.missing = gaps_of(cells);
  out.values.resize(cells.rows, kMissingNumber);
  std::vector<double> of_text;
  for (const std::string& text : cells.texts) {
    double number = kMissingNumber;
    of_text.push_back(parse_number(text, number) ? number : kMissingNumber);
  }
  for (size_t row = 0; row < cells.rows; ++row) {
    if (out.is_missing(row)) continue;
    double value = kMissingNumber;
    if (cells.kind == CellKind::kInteger) value = static_cast<double>(cells.integers[row]);
    if (cells.kind == CellKind::kNumber) value = cells.numbers[row];
    if (cells.kind == CellKind::kText) value = of_text[cells.codes[row]];
    if (!std::isfinite(value)) refuse_number(block, k, row, label_at(cells, row));
    out.values[row] = value;
  }
  return out;
}

// Levels in order of arrival. Nothing if more than `most` differ.
bool levels_of(const ParquetBlock& block, size_t k, size_t most, Column& out) {
  const Cells& cells = block.cells[k];
  out = {};
  out.name = block.names[k];
  out.kind = ColumnKind::kCategorical;
  out.missing = gaps_of(cells);
  out.codes.reserve(cells.rows);
  if (cells.kind == CellKind::kText) {
    for (const std::string& text : cells.texts) {
      if (is_utf8(text)) continue;
      throw InputError(block.place(0), fmt::format("column {}: {} is not UTF-8 text", quoted(out.name), quoted(text)));
    }
    if (cells.texts.size() > most) return false;
    out.levels = cells.texts;
    for (size_t row = 0; row < cells.rows; ++row) {
      out.codes.push_back(out.is_missing(row) ? kMissingCode : cells.codes[row]);
    }
    return true;
  }
  std::unordered_map<uint64_t, uint32_t> code_of;
  for (size_t row = 0; row < cells.rows; ++row) {
    if (out.is_missing(row)) {
      out.codes.push_back(kMissingCode);
      continue;
    }
    const double number = cells.kind == CellKind::kNumber ? cells.numbers[row] + 0.0 : 0;  // one zero
    const uint64_t key =
        cells.kind == CellKind::kNumber ? std::bit_cast<uint64_t>(number) : static_cast<uint64_t>(cells.integers[row]);
    const auto [at, is_new] = code_of.try_emplace(key, static_cast<uint32_t>(out.levels.size()));
    if (is_new && out.levels.size() == most) return false;
    if (is_new) out.levels.push_back(label_at(cells, row));
    out.codes.push_back(at->second);
  }
  return true;
}

Column category_of(const ParquetBlock& block, size_t k) {
  Column out;
  levels_of(block, k, SIZE_MAX, out);
  return out;
}

// Whether the cells of a column with the name of an index count the rows, from 0 or 1.
bool counts_rows(const Cells& cells) {
  if (cells.kind != CellKind::kInteger || cells.rows == 0 || !cells.missing.empty()) return false;
  const int64_t start = cells.integers[0];
  if (start != 0 && start != 1) return false;
  for (size_t row = 0; row < cells.rows; ++row) {
    if (cells.integers[row] != start + static_cast<int64_t>(row)) return false;
  }
  return true;
}

}  // namespace

std::string ParquetBlock::place(size_t row) const { return fmt::format("{}, row {}", file, first_row + row + 1); }

ParquetRows::ParquetRows(const std::string& path) : file_(path) {
  for (const parquet::ColumnInfo& column : file_.columns()) names_.push_back(column.name);
  readers_.resize(names_.size());
}

void ParquetRows::skip(const std::vector<std::string>& names) {
  skipped_.insert(names.begin(), names.end());
  for (size_t k = 0; k < names_.size(); ++k) {
    if (skipped_.contains(names_[k])) readers_[k].reset();
  }
}

std::shared_ptr<ParquetBlock> ParquetRows::next(size_t rows, int threads) {
  if (done_ >= file_.rows()) return nullptr;
  auto out = std::make_shared<ParquetBlock>();
  out->file = file_.path();
  out->first_row = done_;
  out->rows = static_cast<size_t>(std::min<uint64_t>(rows, file_.rows() - done_));
  std::vector<size_t> chosen;
  for (size_t k = 0; k < names_.size(); ++k) {
    if (skipped_.contains(names_[k])) continue;
    if (!readers_[k]) readers_[k] = std::make_unique<parquet::ColumnReader>(file_, k);
    chosen.push_back(k);
    out->names.push_back(names_[k]);
    out->category.push_back(file_.columns()[k].category);
  }
  out->cells.resize(chosen.size());
  parallel_for(static_cast<int>(chosen.size()), threads, [&](int k) {
    Cells& cells = out->cells[static_cast<size_t>(k)];
    readers_[chosen[static_cast<size_t>(k)]]->read(out->rows, cells);
  });
  done_ += out->rows;
  return out;
}

JudgedRows judge(const ParquetBlock& block, const std::vector<std::string>& names, const CsvOptions& options) {
  JudgedRows out;
  const ColumnPlan plan = plan_columns(names, options);
  ReadRecord& record = out.table.record;
  record.rows_read = block.rows;
  TypedColumns typed(block.file, ColumnBuilder::StrayText::kAccepted);
  std::vector<double> counts;
  const auto place_of = [&](const std::string& name) {
    return static_cast<size_t>(std::ranges::find(block.names, name) - block.names.begin());
  };
  if (!options.counts.empty()) {
    counts = numbers_of(block, place_of(options.counts)).values;
    for (double& count : counts) count = std::isnan(count) ? 0 : count;
  }
  for (size_t k = 0; k < names.size(); ++k) {
    const size_t at = place_of(names[k]);
    if (!plan.is_variable[k] || at == block.names.size()) continue;
    const Cells& cells = block.cells[at];
    const bool index = k == 0 && names.size() > 1 && !plan.is_named[k] && is_index_name(names[k]);
    if (index && counts_rows(cells)) {
      record.row_index_taken = true;
      record.notes.push_back(fmt::format(
          "The first column is called {} and counts the rows from {}: taken as a row index, not as a variable.",
          quoted(names[k]), cells.integers[0]));
      continue;
    }
    Column few;
    if (cells.kind == CellKind::kInteger) out.whole.insert(names[k]);
    if (plan.wish[k] == ColumnBuilder::Wish::kNumbers) {
      typed.add(numbers_of(block, at), {.told = ColumnKind::kContinuous});
    } else if (plan.wish[k] == ColumnBuilder::Wish::kLabels || cells.kind == CellKind::kTruth || block.category[at]) {
      typed.add(category_of(block, at), {.text = true, .told = ColumnKind::kCategorical});
    } else if (cells.kind == CellKind::kText) {
      typed.add_text(category_of(block, at), counts);
    } else if (cells.kind == CellKind::kInteger && levels_of(block, at, kMostIntegerLevels, few)) {
      typed.add(std::move(few), {.integers = true});
    } else if (cells.kind == CellKind::kInteger) {
      typed.add(numbers_of(block, at), {.integers = true});
    } else {
      typed.add(numbers_of(block, at), {.told = ColumnKind::kContinuous});
    }
  }
  if (typed.columns.empty()) throw UsageError("no column is left as a variable", "drop fewer columns");
  const std::vector<InferredKind> kinds = infer_kinds(typed.facts(counts));
  record.notes.insert(record.notes.end(), typed.notes.begin(), typed.notes.end());
  record.warnings = typed.warnings;
  std::vector<Column> columns = with_inferred_kinds(std::move(typed.columns), kinds, {}, record.notes);
  out.table.data = make_dataset(std::move(columns), block.file);
  return out;
}

std::vector<Column> told_columns(const ParquetBlock& block, const std::vector<std::string>& numbers,
                                 const std::set<std::string>& omitted) {
  const std::set<std::string> told(numbers.begin(), numbers.end());
  std::vector<Column> out;
  for (size_t k = 0; k < block.names.size(); ++k) {
    if (omitted.contains(block.names[k])) continue;
    out.push_back(told.contains(block.names[k]) ? numbers_of(block, k) : category_of(block, k));
  }
  return out;
}

}  // namespace agon
