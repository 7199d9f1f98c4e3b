#include "agon/data/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "agon/base/error.h"
#include "agon/base/item_list.h"
#include "agon/base/suggest.h"
#include "agon/base/text.h"
#include "agon/data/column_builder.h"
#include "agon/data/column_plan.h"
#include "agon/data/decimal_mark.h"
#include "agon/data/kinds.h"
#include "agon/data/records.h"
#include "agon/data/row_weights.h"
#include "agon/data/table_file.h"

namespace agon {
namespace {

constexpr size_t kBufferBytes = size_t{64} << 10;  // what is parsed stays in the processor's cache
constexpr size_t kForecastBytes = size_t{64}
                                  << 10;            // parsed before the number of rows is forecast from the file's size
constexpr size_t kManyBytes = size_t{1} << 20;      // parsed before columns grow by a quarter instead of doubling
constexpr size_t kSampleBytes = size_t{256} << 10;  // examined to find the delimiter

// ---------------------------------------------------------------------------------------------- missing cells

class MissingMarkers {
 public:
  explicit MissingMarkers(const std::vector<std::string>& markers) : markers_(markers.begin(), markers.end()) {
    for (const std::string& marker : markers_) {
      if (marker.empty()) {
        empty_ = true;
      } else {
        begins_[static_cast<unsigned char>(marker[0])] = true;
        longest_ = std::max(longest_, marker.size());
      }
    }
  }
  bool match(const Cell& cell) const {
    if (cell.size == 0) return empty_;
    if (!begins_[static_cast<unsigned char>(*cell.data)] || cell.size > longest_) return false;
    return markers_.count(std::string(cell.text())) > 0;
  }

 private:
  std::unordered_set<std::string> markers_;
  std::array<bool, 256> begins_{};
  bool empty_ = false;
  size_t longest_ = 0;
};

// ---------------------------------------------------------------------------------------------- the header

std::string blank_hint(size_t index, size_t count) {
  if (index + 1 == count && count > 1) return "do the lines end with an extra delimiter? if not, name the column";
  return "name every column in the header, or pass --no-header if there is none";
}

bool is_blank(std::string_view name) { return name.find_first_not_of(" \t\r\n") == std::string_view::npos; }

void check_names(const std::vector<std::string>& names, size_t first, const std::string& place) {
  std::unordered_map<std::string_view, size_t> seen;
  for (size_t k = first; k < names.size(); ++k) {
    const std::string& name = names[k];
    if (std::any_of(name.begin(), name.end(),
                    [](unsigned char c) { return c < 0x20 && c != '\t' && c != '\n' && c != '\r'; })) {
      throw InputError(place, fmt::format("not a text table: the name of column {} is {}", k + 1, quoted(name)),
                       "a table is expected as text, one row per line (CSV or TSV)");
    }
    if (!is_utf8(name)) {
      throw InputError(place, fmt::format("the name of column {}, {}, is not UTF-8 text", k + 1, quoted(name)),
                       "convert the file first, e.g. iconv -f LATIN1 -t UTF-8");
    }
    if (is_blank(name)) {
      std::string where = k > first ? fmt::format("after {}", quoted(names[k - 1])) : "";
      if (k + 1 < names.size()) where += fmt::format("{}before {}", where.empty() ? "" : ", ", quoted(names[k + 1]));
      throw InputError(place, fmt::format("column {}{} has no name", k + 1, where.empty() ? "" : " (" + where + ")"),
                       blank_hint(k, names.size()));
    }
    const auto [it, is_new] = seen.emplace(name, k);
    if (!is_new) {
      double number = 0;
      throw InputError(place, fmt::format("columns {} and {} are both named {}", it->second + 1, k + 1, quoted(name)),
                       parse_number(name, number) ? "pass --no-header if the first line is data, not names"
                                                  : "give each column a name of its own");
    }
  }
}

// ---------------------------------------------------------------------------------------------- the reading

class TableReader {
 public:
  TableReader(ByteSource source, const std::string& name, size_t file_size, const CsvOptions& options,
              size_t buffer_bytes)
      : name_(name), options_(options), markers_(options.missing), file_size_(file_size) {
    // One byte more than a file is thought to have, to see whether it ends there.
    const size_t most = file_size > 0 ? std::min(kSampleBytes, file_size + 1) : kSampleBytes;
    head_ = std::make_shared<const std::string>(read_head(source, most));
    const std::string& head = *head_;
    const bool whole = head.size() < most;
    refuse_known_formats(head, name_);
    Dialect dialect{.delimiter = options.delimiter, .quote = options.quote, .comment = options.comment};
    dialect.quote_hint += ", or pass --quote none if quotes are ordinary characters";
    if (dialect.delimiter == 0) dialect.delimiter = detect_delimiter(head, whole, dialect, options.decimal);
    record_.delimiter = dialect.delimiter;
    record_.decimal = options.decimal;
    if (options.decimal == 0) infer_decimal_mark(head, whole, dialect);
    dialect_ = dialect;
    records_.emplace(prepend(head_, std::move(source)), name_, dialect, buffer_bytes, options.first_line);
  }

  LoadedTable read() {
    const auto start = std::chrono::steady_clock::now();
    if (!records_->next(cells_)) refuse_empty();
    begin_table();
    head_.reset();
    if (first_row_waits_) add_row();
    while (records_->next(cells_)) {
      drop_blank_end(width_);
      add_row();
    }
    record_.bytes = records_->bytes();
    if (record_.rows_read == 0) refuse_no_rows();
    if (rows_kept_ == 0 && incomplete_rows_ == 0) refuse_only_zeros();
    take_named_index();
    if (record_.row_index_taken) note_row_index();
    if (ends_blank_) {
      record_.notes.push_back("Lines end with a delimiter: the empty cell after it belongs to no column.");
    }
    if (incomplete_rows_ > 0) settle_missing();
    if (options_.missing_policy != MissingPolicy::kKeep) record_.rows_dropped = incomplete_rows_;
    LoadedTable table{make_table(), {}};
    record_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    table.record = std::move(record_);
    return table;
  }

 private:
  void infer_decimal_mark(std::string_view head, bool whole, const Dialect& dialect) {
    record_.decimal = '.';
    if (options_.kind == ColumnKind::kCategorical && options_.continuous.empty()) return;  // cells stay as they are
    std::vector<std::string> unread = options_.drop;
    unread.insert(unread.end(), options_.discrete.begin(), options_.discrete.end());
    const DecimalMark found = detect_decimal_mark(head, whole, dialect, {.header = options_.header, .unread = unread});
    record_.decimal = found.mark;
    thousands_ = found.thousands;
    if (!found.note.empty()) record_.notes.push_back(found.note);
  }

  [[noreturn]] void refuse_empty() const {
    if (records_->bytes() == 0) throw InputError(name_, "the file is empty (0 bytes)");
    throw InputError(name_, fmt::format("read {} bytes and found only blank lines and comments", records_->bytes()),
                     "expected a line of column names, then rows");
  }

  [[noreturn]] void refuse_no_rows() const {
    throw InputError(
        name_, fmt::format("read a header of {} column{} and no rows", names_.size(), names_.size() == 1 ? "" : "s"),
        "expected rows after the header; pass --no-header if the first line is data");
  }

  [[noreturn]] void refuse_only_zeros() const {
    throw InputError(name_, fmt::format("{} is 0 in every row", quoted(weights_.name)), weights_.hint());
  }

  // The columns with their kinds, and the weights of the rows.
  Dataset make_table() {
    if (weight_cell_ != kNoColumn) settle(weights_, name_, record_.rows_of_zero, record_.rows_read, record_.notes);
    std::vector<ColumnFacts> facts;
    std::vector<Column> columns;
    const std::vector<double> counts = options_.counts.empty() ? std::vector<double>{} : weights_.weights;
    for (ColumnBuilder& builder : builders_) {
      builder.settle(name_, counts);
      facts.push_back(builder.facts(counts));
      const std::string warning = builder.stray_text_warning("on line");
      if (!warning.empty()) record_.warnings.push_back(warning);
      const std::string note = builder.printed_numbers_note("on line");
      if (!note.empty()) record_.notes.push_back(note);
    }
    for (ColumnBuilder& builder : builders_) columns.push_back(builder.finish());
    builders_ = {};
    const std::vector<InferredKind> kinds = infer_kinds(facts);
    for (const InferredKind& kind : kinds) record_.reasons.push_back(kind.reason);
    columns = with_inferred_kinds(std::move(columns), kinds, weights_.weights, record_.notes);
    RowInfo info{.weights = std::move(weights_.weights)};
    if (!labels_.empty()) add_experiments(columns, info);
    return make_dataset(std::move(columns), name_, std::move(info));
  }

  void add_experiments(const std::vector<Column>& columns, RowInfo& info) {
    const ExperimentOptions& options = options_.experiments;
    ExperimentLabels labels;
    size_t next = 0;
    if (!options.experiment.empty()) labels.experiment = labels_[next++].finish();
    if (!options.targets.empty() && !options.targets_in_file()) labels.targets = labels_[next++].finish();
    while (next < labels_.size()) labels.within.push_back(labels_[next++].finish());
    std::vector<std::string> variables;
    for (const Column& column : columns) variables.push_back(column.name);
    std::vector<ExperimentTargets> file;
    if (options.targets_in_file()) file = read_targets(options.targets);
    Experiments found = experiments_of(labels, file, options, variables);
    info.regimes = std::move(found.regimes);
    info.regime = std::move(found.regime);
    for (std::string& warning : found.warnings) record_.warnings.push_back(std::move(warning));
  }

  // On entry, cells_ holds the first record. On return it holds the first row, if there is one: the next record if the
  // first one held the names.
  void begin_table() {
    if (options_.header) {
      for (const Cell& cell : cells_) names_.emplace_back(cell.text());
      header_line_ = records_->line();
      first_row_waits_ = records_->next(cells_);
      if (first_row_waits_) {
        if (names_.size() > 2 && is_blank(names_.back()) && cells_.size() == names_.size() && cells_.back().size == 0) {
          names_.pop_back();
          ends_blank_ = true;
        } else if (cells_.size() == names_.size() + 1 && cells_.back().size == 0 && all_lines_end_blank()) {
          ends_blank_ = true;
        }
        drop_blank_end(names_.size());
        if (cells_.size() == names_.size() + 1) {
          index_by_width_ = record_.row_index_taken = true;
          names_.insert(names_.begin(), "");
        } else if (cells_.size() == names_.size() && names_.size() > 1 && is_blank(names_[0])) {
          record_.row_index_taken = true;
        }
      }
      check_names(names_, record_.row_index_taken ? 1 : 0, fmt::format("{}:{}", name_, header_line_));
    } else {
      first_row_waits_ = true;
      for (size_t k = 0; k < cells_.size(); ++k) names_.push_back(fmt::format("V{}", k + 1));
    }
    width_ = names_.size();
    if (record_.row_index_taken) names_.erase(names_.begin());

    const ColumnPlan plan = plan_columns(names_, options_);
    const size_t offset = width_ - names_.size();
    const auto stray = options_.missing_policy == MissingPolicy::kKeep ? ColumnBuilder::StrayText::kAccepted
                                                                       : ColumnBuilder::StrayText::kRefused;
    const PrintedNumbers numbers = {.mark = record_.decimal, .thousands = thousands_};
    for (size_t k = 0; k < names_.size(); ++k) {
      if (!plan.is_variable[k]) continue;
      builders_.emplace_back(names_[k], plan.wish[k], numbers, stray);
      cell_of_.push_back(static_cast<uint32_t>(k + offset));
    }
    if (builders_.empty()) throw UsageError("no column is left as a variable", "drop fewer columns");
    for (size_t k : plan.labels) {
      labels_.emplace_back(names_[k], ColumnBuilder::Wish::kLabels);
      label_cell_.push_back(k + offset);
    }
    if (plan.weights != kNoColumn) {
      weight_cell_ = plan.weights + offset;
      weights_.name = options_.counts.empty() ? options_.weights : options_.counts;
      weights_.sampling = options_.counts.empty();
    }
    may_be_index_ =
        options_.header && offset == 0 && builders_.size() > 1 && !plan.is_named[0] && is_index_name(names_[0]);
    stands_for_no_name_ = names_[0] == "Unnamed: 0";
    missing_.assign(builders_.size(), 0);
    note_odd_header();
  }

  // Whether every line of the sample that has more cells than there are names ends with an empty one: it closes each
  // cell with a delimiter. R puts names of the rows first instead.
  bool all_lines_end_blank() const {
    RecordReader reader(text_source(*head_), "", dialect_, head_->size() + 1);
    std::vector<Cell> cells;
    try {
      while (reader.next(cells)) {
        if (reader.cut_short()) break;
        if (cells.size() > names_.size() && cells.back().size > 0) return false;
      }
    } catch (const InputError&) {  // an open quote at the end of the sample
    }
    return true;
  }

  void drop_blank_end(size_t width) {
    if (ends_blank_ && cells_.size() == width + 1 && cells_.back().size == 0) cells_.pop_back();
  }

  void note_odd_header() {
    if (!options_.header) return;
    std::vector<std::string> numbers;
    for (const std::string& name : names_) {
      if (double number = 0; parse_number(name, number, record_.decimal)) numbers.push_back(name);
    }
    if (numbers.size() < 2 || 2 * numbers.size() < names_.size()) return;
    record_.warnings.push_back(fmt::format(
        "{} column names are numbers ({}): the first line was taken as names; if it is data, pass --no-header.",
        numbers.size() == names_.size() ? "All" : "Half or more of the", listed(numbers, 3)));
  }

  void add_row() {
    if (cells_.size() != width_) refuse_ragged();
    ++record_.rows_read;
    if (record_.row_index_taken) check_row_index();
    if (may_be_index_) may_be_index_ = stands_for_no_name_ ? names_row() && is_name(cells_[0]) : counts_on();
    const double weight = weight_cell_ == kNoColumn ? 1 : read_weight();
    if (weight == 0) {
      ++record_.rows_of_zero;
      return;
    }
    const bool incomplete = has_missing();
    if (incomplete && options_.missing_policy != MissingPolicy::kKeep) return;
    if (rows_kept_ == reserved_) reserve_more();
    ++rows_kept_;
    if (weight_cell_ != kNoColumn) weights_.weights.push_back(weight);
    const size_t line = records_->line();
    for (size_t k = 0; k < labels_.size(); ++k) add_label(k, line);
    for (size_t k = 0; k < builders_.size(); ++k) {
      if (incomplete && markers_.match(cells_[cell_of_[k]])) {
        builders_[k].add_missing();
      } else {
        builders_[k].add(cells_[cell_of_[k]].text(), name_, line);
      }
    }
  }

  // Only targets may be missing: nothing was set then.
  void add_label(size_t k, size_t line) {
    const Cell& cell = cells_[label_cell_[k]];
    if (markers_.match(cell) && labels_[k].name() != options_.experiments.targets) {
      throw InputError(fmt::format("{}:{}", name_, line),
                       fmt::format("column {}: the row has no label", quoted(labels_[k].name())),
                       "say for every row where it comes from");
    }
    static constexpr char kNone[8 + 4] = "none";  // 8 bytes from the start of a cell may be read
    labels_[k].add(markers_.match(cell) ? std::string_view(kNone, 4) : cell.text(), name_, line);
  }

  bool has_missing() {
    bool any = false;
    for (size_t k = 0; k < builders_.size(); ++k) {
      if (!markers_.match(cells_[cell_of_[k]])) continue;
      if (incomplete_rows_ == 0 && !any) {
        first_missing_line_ = records_->line();
        first_missing_column_ = k;
        first_missing_text_ = cells_[cell_of_[k]].text();
      }
      any = true;
      ++missing_[k];
    }
    incomplete_rows_ += any;
    return any;
  }

  // How often the row counts.
  double read_weight() const {
    const Cell& cell = cells_[weight_cell_];
    double weight = 0;
    const bool missing = markers_.match(cell);
    if (!missing && parse_number(cell.text(), weight, record_.decimal) && weights_.accepts(weight)) return weight;
    throw InputError(fmt::format("{}:{}", name_, records_->line()),
                     fmt::format("column {}: found {}, expected {}", quoted(weights_.name),
                                 missing ? "a missing cell" : quoted(std::string(cell.text())), weights_.expected()),
                     weights_.hint());
  }

  // Reserves room for all the rows to be expected from the bytes read so far, so that columns need not double and copy.
  void reserve_more() {
    const double parsed = static_cast<double>(records_->bytes_parsed());
    const double rows = static_cast<double>(rows_kept_);
    double target = std::max(16.0, 2 * rows);
    if (parsed >= static_cast<double>(kManyBytes)) target = 1.25 * rows;
    if (file_size_ > 0 && rows > 0 && parsed >= static_cast<double>(kForecastBytes)) {
      target = std::max(1.02 * rows * static_cast<double>(file_size_) / parsed, 1.02 * rows);
    }
    reserved_ = static_cast<size_t>(target) + 16;
    for (ColumnBuilder& builder : builders_) builder.reserve(reserved_);
  }

  // Whether the first cell, so far, counts the rows.
  bool counts_on() {
    int64_t value = 0;
    if (!parse_integer(cells_[0].text(), value)) return false;
    if (record_.rows_read == 1) index_start_ = value == 0 ? 0 : 1;
    return value == index_start_ + static_cast<int64_t>(record_.rows_read) - 1;
  }

  // Whether the first cell, so far, counts the rows, or names each of them differently.
  bool names_row() {
    if (row_names_.empty() && counts_on()) return true;
    if (row_names_.empty()) {
      for (size_t row = 0; row + 1 < record_.rows_read; ++row) {  // those that counted
        row_names_.insert(std::to_string(index_start_ + static_cast<int64_t>(row)));
      }
    }
    return row_names_.insert(std::string(cells_[0].text())).second;
  }

  // Neither a gap nor a measurement.
  bool is_name(const Cell& cell) const { return !markers_.match(cell) && !is_fraction(std::string(cell.text())); }

  // A first column with the name of an index that counted the rows to the end is one.
  void take_named_index() {
    if (!may_be_index_) return;
    record_.row_index_taken = true;
    builders_.erase(builders_.begin());
    cell_of_.erase(cell_of_.begin());
    missing_.erase(missing_.begin());
    if (first_missing_column_ > 0) --first_missing_column_;
  }

  void note_row_index() {
    const std::string which = may_be_index_ ? fmt::format("is called {}", agon::quoted(names_[0])) : "has no name";
    const std::string what = row_names_.empty()
                                 ? fmt::format("counts the rows from {}: taken as a row index", index_start_)
                                 : "names each row differently: taken as names of the rows";
    record_.notes.push_back(fmt::format("The first column {} and {}, not as a variable.", which, what));
  }

  // A first column without a name counts the rows, or names each of them differently.
  void check_row_index() {
    const std::string cell(cells_[0].text());
    if (names_row() && !(index_by_width_ && is_fraction(cell))) return;
    const std::string place = fmt::format("{}:{}", name_, records_->line());
    if (index_by_width_) {
      throw InputError(place,
                       fmt::format("found {} cells, expected the {} that the header names; the line starts {}", width_,
                                   width_ - 1, first_cells()),
                       "is a name missing from the header, or is there an extra delimiter in the rows?");
    }
    throw InputError(
        place, fmt::format("the first column has no name, does not count the rows and holds {} twice", quoted(cell)),
        "name it in the header, then pass --drop NAME if it is not a variable");
  }

  // A measurement, which names no row.
  bool is_fraction(const std::string& cell) const {
    double number = 0;
    int64_t integer = 0;
    return parse_number(cell, number, record_.decimal) && !parse_integer(cell, integer, record_.decimal);
  }

  std::string first_cells() const {
    std::vector<std::string> shown;
    for (size_t k = 0; k < std::min<size_t>(4, cells_.size()); ++k)
      shown.push_back(quoted(std::string(cells_[k].text()), 20));
    return fmt::format("{}{}", joined(shown, ", "), cells_.size() > shown.size() ? ", ..." : "");
  }

  [[noreturn]] void refuse_ragged() const {
    std::string hint = records_->cut_short() && cells_.size() < width_
                           ? "the file ends inside this line; it may have been cut short"
                       : cells_.size() == 1 && width_ > 2
                           ? "if it is a note and not a row, delete the line, or begin it with #"
                           : fmt::format("cells are taken to be separated by {}; pass --delimiter if that is wrong{}",
                                         delimiter_name(record_.delimiter),
                                         width_ == 1 ? ", and delete a title above the names of the columns" : "");
    throw InputError(fmt::format("{}:{}", name_, records_->line()),
                     fmt::format("found {} cell{}, expected {}; the line starts {}", cells_.size(),
                                 cells_.size() == 1 ? "" : "s", width_, first_cells()),
                     hint);
  }

  // All rows have been read, so the counts are complete.
  void settle_missing() {
    std::vector<std::string> counts;
    for (size_t k = 0; k < missing_.size(); ++k) {
      if (missing_[k] > 0) counts.push_back(fmt::format("{} {}", quoted(builders_[k].name()), missing_[k]));
    }
    const size_t cells = std::accumulate(missing_.begin(), missing_.end(), size_t{0});
    const std::string found =
        fmt::format("{} in {} of {}: {}", counted(static_cast<long long>(cells), "missing cell"),
                    with_commas(incomplete_rows_), counted(record_.rows_read, "row"), listed(counts));
    if (options_.missing_policy == MissingPolicy::kKeep) return;
    if (options_.missing_policy == MissingPolicy::kDropRows && rows_kept_ > 0) {
      record_.notes.push_back(fmt::format(
          "Dropped {} of {} rows for missing cells ({}); {} remain. This is sound when cells "
          "are missing at random, regardless of the values.",
          with_commas(incomplete_rows_), with_commas(record_.rows_read), listed(counts), with_commas(rows_kept_)));
      return;
    }
    const size_t worst = std::max_element(missing_.begin(), missing_.end()) - missing_.begin();
    const std::string hint =
        rows_kept_ > 0 ? fmt::format("--missing drop-rows would keep the {} complete rows", with_commas(rows_kept_))
                       : "no row is complete; leave out what is mostly missing, e.g. " +
                             typed_items("drop", {builders_[worst].name()});
    throw InputError(
        fmt::format("{}:{}", name_, first_missing_line_),
        fmt::format("column {} is missing here ({}); in all {}", quoted(builders_[first_missing_column_].name()),
                    first_missing_text_.empty() ? "an empty cell" : agon::quoted(first_missing_text_), found),
        hint);
  }

  const std::string name_;
  const CsvOptions& options_;
  const MissingMarkers markers_;
  const size_t file_size_;
  Dialect dialect_;
  std::shared_ptr<const std::string> head_;  // the sample, until the header has been read
  std::optional<RecordReader> records_;
  std::vector<Cell> cells_;
  ReadRecord record_;

  std::vector<std::string> names_;
  size_t header_line_ = 0;
  size_t width_ = 0;              // cells per record
  bool first_row_waits_ = false;  // cells_ holds a row that has not been added yet
  bool index_by_width_ = false;   // the header has one name fewer than the rows have cells
  bool thousands_ = true;         // see PrintedNumbers
  bool ends_blank_ = false;       // lines end with a delimiter: the empty cell after it is none
  int64_t index_start_ = 0;
  // Cells of a first column without a name, once one of them did not count on; they must all differ.
  std::unordered_set<std::string> row_names_;

  std::vector<ColumnBuilder> builders_;  // one per kept column
  std::vector<uint32_t> cell_of_;        // its cell in the record
  size_t rows_kept_ = 0, reserved_ = 0;
  size_t weight_cell_ = kNoColumn;     // of counts or weights
  RowWeights weights_;                 // of the rows kept; none without such a column
  std::vector<ColumnBuilder> labels_;  // experiment, targets, batches: those that were named
  std::vector<size_t> label_cell_;
  bool may_be_index_ = false;        // the first column is called like an index, and has been one so far
  bool stands_for_no_name_ = false;  // by the name that pandas gives a column without one
  std::vector<size_t> missing_;
  size_t incomplete_rows_ = 0, first_missing_line_ = 0, first_missing_column_ = 0;
  std::string first_missing_text_;
};

}  // namespace

LoadedTable read_csv(const std::string& path, const CsvOptions& options, const Watch& watch) {
  const TableFile file(path);
  const std::string name = path == "-" ? "<stdin>" : path;
  const auto source = [&](char* to, size_t size) { return file.read(to, size, name, watch); };
  return TableReader(source, name, file.size(), options, kBufferBytes).read();
}

LoadedTable read_csv_text(std::string_view text, const std::string& name, const CsvOptions& options) {
  return detail::read_csv_text(text, name, options, kBufferBytes);
}

LoadedTable detail::read_csv_text(std::string_view text, const std::string& name, const CsvOptions& options,
                                  size_t buffer_bytes) {
  return TableReader(text_source(text), name, text.size(), options, buffer_bytes).read();
}

std::string delimiter_name(char delimiter) {
  switch (delimiter) {
    case ',':
      return "comma";
    case '\t':
      return "tab";
    case ';':
      return "semicolon";
    case '|':
      return "pipe";
    case ' ':
      return "space";
    default:
      return quoted(std::string(1, delimiter));
  }
}

}  // namespace agon
