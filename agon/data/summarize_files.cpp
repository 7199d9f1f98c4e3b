#include "agon/data/summarize_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/base/suggest.h"
#include "agon/data/experiments.h"
#include "agon/data/kinds.h"
#include "agon/data/number_text.h"
#include "agon/data/parquet_rows.h"
#include "agon/data/record_blocks.h"
#include "agon/data/row_weights.h"
#include "agon/data/table_file.h"

namespace agon {
namespace {

constexpr size_t kRunsApart = 10;  // between the first runs of two blocks, so that few rows reach many parts
constexpr size_t kMostBlockRows = size_t{1} << 16;  // of Parquet
constexpr size_t kHeadBytes = size_t{256} << 10;    // examined to find the delimiter

// What the first rows of the first table say of all rows.
struct Recipe {
  CsvOptions csv;                        // reads a block: every kind is named, every column a variable
  std::vector<std::string> identifiers;  // left out of blocks
  std::set<std::string> coded;           // categories whose labels are numbers, and go by value
  std::vector<std::string> categories, numbers;
  std::vector<std::string> variables;
  std::optional<RowWeights> weights;
  std::vector<std::string> labels;  // columns of experiments
  std::vector<ExperimentTargets> targets;
  ExperimentOptions experiments;
  std::vector<std::string> header;  // of the first table
  std::string sample_place, sample_file;
};

struct FileBlock {
  std::string text;  // the header and some rows
  size_t line = 1;   // of the first of its rows
  size_t header_lines = 0;
  size_t number = 0;                         // among all blocks
  std::shared_ptr<const ParquetBlock> rows;  // of Parquet, in place of text
};

// The same integer, however it is spelled, is one level; as in with_inferred_kinds().
std::string by_value(const std::string& label, char mark) {
  int64_t integer = 0;
  double number = 0;
  if (parse_integer(label, integer, mark)) return std::to_string(integer);
  return parse_number(label, number, mark) ? fmt::format("{}", number) : label;
}

class FileSummarizer {
 public:
  FileSummarizer(const SummarizeFilesOptions& options, const Watch& watch) : options_(options), watch_(watch) {}

  void take(const std::string& path) {
    if (is_summary_file(path, watch_)) {
      add_whole(read_summary(path, watch_), path);
      return;
    }
    read_table(path);
  }

  SummarizedFiles finish() {
    if (!out_ && parts_.empty()) throw InputError(first_, "there are no rows");
    for (Summary& part : parts_) {
      if (part.columns.empty()) continue;  // no run of rows was dealt to it
      part.keeps_parts = part.form == SummaryForm::kMoments;
      add_to(out_, std::move(part), first_);
    }
    SummarizedFiles out{std::move(*out_), std::move(notes_), std::move(warnings_)};
    if (out.summary.weight() == 0) {
      throw InputError(first_, "no row is complete, so there is nothing to add up",
                       "leave out what is mostly missing: --drop NAMES");
    }
    if (out.summary.dropped > 0) {
      out.notes.push_back(fmt::format("Dropped {} for missing cells; {} remain.",
                                      counted(std::llround(out.summary.dropped), "row"),
                                      with_commas(std::llround(out.summary.rows()))));
    }
    to_table(out.summary, first_);  // what discover would refuse is refused here
    return out;
  }

 private:
  void add_whole(Summary summary, const std::string& place) {
    if (first_.empty()) first_ = place;
    if (options_.parts > 0 && summary.form == SummaryForm::kMoments) {
      throw UsageError("--parts has no effect on summaries: their rows were dealt when they were made",
                       "give --parts to the commands that read the tables");
    }
    if (out_) {
      add(*out_, summary, place);
    } else {
      out_ = std::move(summary);
    }
  }

  void read_table(const std::string& path) {
    if (first_.empty()) first_ = path;
    const TableFile file(path);
    const std::string name = path == "-" ? "<stdin>" : path;
    ByteSource source = [&](char* to, size_t size) { return file.read(to, size, name, watch_); };
    std::string head = read_head(source, kHeadBytes);
    const bool whole = head.size() < kHeadBytes;
    if (parquet::is_parquet(head)) {
      read_parquet(path, name);
      return;
    }
    refuse_known_formats(head, name);
    if (head.starts_with("\xEF\xBB\xBF")) head.erase(0, 3);
    const CsvOptions& csv = options_.csv;
    Dialect dialect{.delimiter = csv.delimiter, .quote = csv.quote, .comment = csv.comment};
    if (dialect.delimiter == 0) dialect.delimiter = detect_delimiter(head, whole, dialect, csv.decimal);
    RecordBlocks blocks(prepend(std::make_shared<const std::string>(std::move(head)), std::move(source)), dialect,
                        options_.block_bytes);

    const FileBlock sample = first_block(blocks, dialect, name);
    if (!recipe_) {
      CsvOptions csv_of_sample = csv;
      csv_of_sample.delimiter = dialect.delimiter;
      csv_of_sample.missing_policy = MissingPolicy::kKeep;
      const LoadedTable read = read_csv_text(sample.text, name, csv_of_sample);
      make_recipe(read, header_names(sample.text, csv_of_sample, name), nullptr, name);
    }
    Recipe own = *recipe_;  // of this file, whose order of columns and delimiter may be others
    own.csv.delimiter = dialect.delimiter;
    check_header(header_names(sample.text, own.csv, name), own, name);
    FileBlock next = sample;
    bool more = true;
    while (more) {
      std::vector<FileBlock> batch;
      for (int k = 0; k < std::max(1, options_.threads) && more; ++k) {
        next.number = block_number_++;
        batch.push_back(std::move(next));
        more = next_block(blocks, next);
      }
      add_batch(batch, own, name);
    }
  }

  // The same of a Parquet file, which knows its columns.
  void read_parquet(const std::string& path, const std::string& name) {
    if (path == "-") {
      throw InputError(name, "is Parquet, whose end must be read first", "save it to a file, and name the file");
    }
    ParquetRows rows(path);
    if (recipe_) check_header(rows.names(), *recipe_, name);
    rows.skip(recipe_ ? recipe_->csv.drop : options_.csv.drop);
    FileBlock next{.text = {}, .rows = rows.next(options_.sample_rows, options_.threads)};
    if (next.rows == nullptr) return;  // engines that write one file per task leave files without rows
    if (!recipe_) {
      JudgedRows judged = judge(*next.rows, rows.names(), options_.csv);
      make_recipe(judged.table, rows.names(), &judged.whole, name);
      rows.skip(recipe_->csv.drop);
    }
    Recipe own = *recipe_;
    own.csv.decimal = '.';
    const size_t columns = std::max<size_t>(1, rows.names().size());
    const size_t some = std::clamp<size_t>(options_.block_bytes / 8 / columns, kRunRows, kMostBlockRows);
    while (next.rows != nullptr) {
      std::vector<FileBlock> batch;
      for (int k = 0; k < std::max(1, options_.threads) && next.rows != nullptr; ++k) {
        if (watch_.was_interrupted()) {
          throw Interrupted("interrupted while " + name + " was read: there is no answer yet");
        }
        next.number = block_number_++;
        batch.push_back(std::move(next));
        next = {.text = {}, .rows = rows.next(some, options_.threads)};
      }
      add_batch(batch, own, name);
    }
  }

  // The header, if there is one, with the rows that tell the kinds.
  FileBlock first_block(RecordBlocks& blocks, const Dialect& dialect, const std::string& name) {
    FileBlock out;
    RecordBlock block;
    header_.clear();
    while (options_.csv.header && header_.empty()) {
      if (!blocks.next(block, 1)) break;
      RecordReader reader(text_source(block.text), name, dialect, block.text.size() + 16, block.line);
      std::vector<Cell> cells;
      if (reader.next(cells)) header_ = block.text;
    }
    header_lines_ = static_cast<size_t>(std::count(header_.begin(), header_.end(), '\n'));
    if (header_lines_ == 0) header_lines_ = static_cast<size_t>(std::count(header_.begin(), header_.end(), '\r'));
    if (blocks.next(block, options_.sample_rows)) {
      out.line = block.line;
      out.text = header_ + block.text;
    } else {
      out.text = header_;
      out.line = header_lines_ + 1;
    }
    out.header_lines = header_lines_;
    return out;
  }

  bool next_block(RecordBlocks& blocks, FileBlock& out) {
    RecordBlock block;
    if (!blocks.next(block)) return false;
    out.line = block.line;
    out.text = header_ + block.text;
    out.header_lines = header_lines_;
    return true;
  }

  // From the first rows, read as any table; later files are checked against what the first one said. `whole`: the
  // columns that may be coded numbers, where types tell; else all.
  void make_recipe(const LoadedTable& read, std::vector<std::string> header, const std::set<std::string>* whole,
                   const std::string& name) {
    CsvOptions csv = options_.csv;
    csv.missing_policy = MissingPolicy::kKeep;
    notes_.insert(notes_.end(), read.record.notes.begin(), read.record.notes.end());
    warnings_.insert(warnings_.end(), read.record.warnings.begin(), read.record.warnings.end());

    Recipe out;
    out.csv = csv;
    out.csv.decimal = read.record.decimal;
    out.csv.kind = std::nullopt;
    out.csv.counts = out.csv.weights = "";
    out.csv.experiments = {};
    const std::set<std::string> told(csv.discrete.begin(), csv.discrete.end());
    std::set<std::string> known;
    for (const int node : read.data.file_order()) {
      const Column& column = read.data.column(node);
      known.insert(column.name);
      out.variables.push_back(column.name);
      const bool as_told = told.contains(column.name) || csv.kind == ColumnKind::kCategorical;
      double value = 0;
      const bool numbers =
          column.kind == ColumnKind::kCategorical && !as_told && (!whole || whole->contains(column.name)) &&
          std::ranges::all_of(column.levels, [&](const std::string& label) { return parse_number(label, value); });
      if (column.identifier) {
        out.identifiers.push_back(column.name);
      } else if (column.kind == ColumnKind::kContinuous || (numbers && column.levels.size() <= 1)) {
        out.numbers.push_back(column.name);
      } else {
        out.categories.push_back(column.name);
        if (numbers) out.coded.insert(column.name);
      }
    }
    out.csv.continuous = out.numbers;
    out.csv.discrete = out.categories;
    if (!csv.counts.empty() || !csv.weights.empty()) {
      out.weights = RowWeights{
          .name = csv.counts.empty() ? csv.weights : csv.counts, .sampling = csv.counts.empty(), .weights = {}};
      out.csv.continuous.push_back(out.weights->name);
      known.insert(out.weights->name);
    }
    out.experiments = csv.experiments;
    if (!csv.experiments.experiment.empty()) out.labels.push_back(csv.experiments.experiment);
    if (!csv.experiments.targets.empty() && !csv.experiments.targets_in_file()) {
      out.labels.push_back(csv.experiments.targets);
    }
    for (const std::string& label : csv.experiments.within) out.labels.push_back(label);
    for (const std::string& label : out.labels) {
      out.csv.discrete.push_back(label);
      known.insert(label);
    }
    if (csv.experiments.targets_in_file()) out.targets = read_targets(csv.experiments.targets);
    out.header = std::move(header);
    // An index of the rows, by its name, counts no longer in the middle of a file.
    if (read.record.row_index_taken && !out.header.empty() && !out.header[0].empty() &&
        !known.contains(out.header[0]) && std::ranges::find(csv.drop, out.header[0]) == csv.drop.end()) {
      out.csv.drop.push_back(out.header[0]);
    }
    for (const std::string& identifier : out.identifiers) out.csv.drop.push_back(identifier);
    out.sample_file = shown(name);
    out.sample_place =
        fmt::format("the first {} of {}", counted(static_cast<long long>(read.record.rows_read), "row"), shown(name));
    const auto list = [](const std::vector<std::string>& names) {
      return names.empty() ? std::string("none") : listed(names);
    };
    std::string note = fmt::format("Kinds, by {}: categories {}; numbers {}", out.sample_place, list(out.categories),
                                   list(out.numbers));
    if (!out.identifiers.empty()) note += fmt::format("; identifiers {}", list(out.identifiers));
    notes_.push_back(note + ".");
    if (out.categories.empty() && out.numbers.empty()) {
      throw InputError(name, "no column is left to be summed", "--discrete NAMES takes text as categories");
    }
    recipe_ = std::move(out);
  }

  static std::vector<std::string> header_names(const std::string& text, const CsvOptions& csv,
                                               const std::string& name) {
    std::vector<std::string> out;
    if (!csv.header) return out;
    RecordReader reader(text_source(text), name,
                        {.delimiter = csv.delimiter, .quote = csv.quote, .comment = csv.comment}, text.size() + 16);
    std::vector<Cell> cells;
    reader.next(cells);
    for (const Cell& cell : cells) out.emplace_back(cell.text());
    return out;
  }

  // Another file than the first has the same columns, in any order.
  static void check_header(const std::vector<std::string>& names, const Recipe& recipe, const std::string& name) {
    std::vector<std::string> missing, extra;
    const auto without = [](const std::vector<std::string>& a, const std::vector<std::string>& b,
                            std::vector<std::string>& out) {
      for (const std::string& x : a) {
        if (std::ranges::find(b, x) == b.end() && !x.empty()) out.push_back(quoted(x));
      }
    };
    without(recipe.header, names, missing);
    without(names, recipe.header, extra);
    if (missing.empty() && extra.empty()) return;
    std::string what = fmt::format("the columns are not those of {}", recipe.sample_file);
    if (!missing.empty()) what += ": without " + listed(missing);
    if (!extra.empty()) what += (missing.empty() ? ": with " : ", and with ") + listed(extra);
    throw InputError(name, what, "only tables of the same columns can be added up");
  }

  static bool has_rows(const FileBlock& block, const Recipe& recipe, const std::string& name) {
    if (block.rows) return true;
    RecordReader reader(text_source(block.text), name,
                        {.delimiter = recipe.csv.delimiter, .quote = recipe.csv.quote, .comment = recipe.csv.comment},
                        1 << 12);
    std::vector<Cell> cells;
    return (!recipe.csv.header || reader.next(cells)) && reader.next(cells);
  }

  // The columns as they were told to be, in the order of the file.
  static std::vector<Column> parse(const FileBlock& block, const Recipe& recipe, const std::string& name) {
    if (block.rows) {
      std::set<std::string> dropped(recipe.csv.drop.begin(), recipe.csv.drop.end());
      std::vector<Column> columns = told_columns(*block.rows, recipe.csv.continuous, dropped);
      const Dataset data = make_dataset(std::move(columns), name);
      return in_file_order(data);
    }
    CsvOptions csv = recipe.csv;
    csv.first_line = block.line - std::min(block.header_lines, block.line - 1);
    return in_file_order(read_csv_text(block.text, name, csv).data);
  }

  static std::vector<Column> in_file_order(const Dataset& data) {
    std::vector<Column> out;
    for (const int node : data.file_order()) out.push_back(data.column(node));
    return out;
  }

  // Where the row with this number stands in the file.
  static std::string place_of(const FileBlock& block, const Recipe& recipe, const std::string& name, size_t row) {
    if (block.rows) return block.rows->place(row);
    RecordReader reader(text_source(block.text), name,
                        {.delimiter = recipe.csv.delimiter, .quote = recipe.csv.quote, .comment = recipe.csv.comment},
                        block.text.size() + 16, block.line - std::min(block.header_lines, block.line - 1));
    std::vector<Cell> cells;
    if (recipe.csv.header) reader.next(cells);
    for (size_t k = 0; k <= row; ++k) reader.next(cells);
    return fmt::format("{}:{}", name, reader.line());
  }

  void add_batch(const std::vector<FileBlock>& batch, const Recipe& recipe, const std::string& name) {
    std::vector<std::vector<std::pair<size_t, Summary>>> done(batch.size());  // by block: part and sums
    parallel_for(static_cast<int>(batch.size()), options_.threads, [&](int k) {
      const FileBlock& block = batch[static_cast<size_t>(k)];
      if (block.number > 0 && !has_rows(block, recipe, name)) return;
      done[static_cast<size_t>(k)] = sums_of(block, recipe, name);
    });
    for (size_t k = 0; k < batch.size(); ++k) {
      for (auto& [part, summary] : done[k]) {
        check_levels(summary, batch[k], recipe, name);
        if (options_.parts == 0) {
          add_to(out_, std::move(summary), name);
          continue;
        }
        if (parts_.size() <= part) parts_.resize(part + 1);
        if (parts_[part].columns.empty()) {
          parts_[part] = std::move(summary);
        } else {
          add(parts_[part], summary, name);
        }
      }
    }
  }

  static void add_to(std::optional<Summary>& to, Summary summary, const std::string& name) {
    if (to) {
      add(*to, summary, name);
    } else {
      to = std::move(summary);
    }
  }

  // A category of numbers holds whole numbers, few of them, and those of the first rows.
  void check_levels(const Summary& summary, const FileBlock& block, const Recipe& recipe, const std::string& name) {
    for (const SummaryColumn& column : summary.columns) {
      if (column.kind != ColumnKind::kCategorical || column.identifier) continue;
      std::set<std::string>& met = met_[column.name];
      const bool coded = recipe.coded.contains(column.name);
      for (const std::string& label : column.levels) {
        if (met.contains(label)) continue;
        double number = 0;
        int64_t integer = 0;
        const bool fraction =
            coded && block.number > 0 && parse_number(label, number) && !parse_integer(label, integer);
        met.insert(label);
        const size_t most = coded ? kMostIntegerLevels : kMostLevels;
        if (!fraction && met.size() <= most) continue;
        const std::string what = fraction ? "a fraction"
                                 : coded  ? fmt::format("number {} that differs", met.size())
                                          : fmt::format("level {}", met.size());
        throw InputError(place_of_label(block, recipe, name, column.name, label),
                         fmt::format("column {}: found {}, {}, and {} made it a category", quoted(column.name),
                                     quoted(label), what, recipe.sample_place),
                         coded ? fmt::format("--continuous {0} takes it as numbers, --discrete {0} every number as a "
                                             "level",
                                             shell_word(column.name))
                               : fmt::format("--drop {} omits it", shell_word(column.name)));
      }
    }
  }

  std::string place_of_label(const FileBlock& block, const Recipe& recipe, const std::string& name,
                             const std::string& column, const std::string& label) const {
    const std::vector<Column> columns = parse(block, recipe, name);
    const Column& cells = *std::ranges::find(columns, column, &Column::name);
    const char mark = recipe.csv.decimal == 0 ? '.' : recipe.csv.decimal;
    for (size_t row = 0; row < cells.rows(); ++row) {
      if (cells.is_missing(row)) continue;
      const std::string& found = cells.levels[cells.codes[row]];
      if (found == label || (recipe.coded.contains(column) && by_value(found, mark) == label)) {
        return place_of(block, recipe, name, row);
      }
    }
    return name;
  }

  // The rows of a block by part and experiment, each summed by itself.
  std::vector<std::pair<size_t, Summary>> sums_of(const FileBlock& block, const Recipe& recipe,
                                                  const std::string& name) const {
    std::vector<Column> read = parse(block, recipe, name);
    const size_t rows = read.at(0).rows();
    const char mark = recipe.csv.decimal == 0 ? '.' : recipe.csv.decimal;
    std::vector<Column> columns;
    RowInfo info;
    for (Column& column : read) {
      if (recipe.weights && column.name == recipe.weights->name) {
        info.weights = weights_of(column, block, recipe, name);
        continue;
      }
      refuse_without_label(column, block, recipe, name);
      columns.push_back(std::move(column));
      if (recipe.coded.contains(columns.back().name)) merge_levels(columns.back(), mark);
    }
    refuse_gaps(columns, block, recipe, name);
    for (const std::string& identifier : recipe.identifiers) {
      Column& column = columns.emplace_back(categorical_column(identifier, std::vector<int>(rows, 0)));
      column.identifier = true;
    }

    std::map<size_t, std::vector<size_t>> dealt;  // rows, by part
    for (size_t row = 0; row < rows; ++row) {
      if (!info.weights.empty() && info.weights[row] == 0) continue;
      const size_t run = block.number * kRunsApart + row / kRunRows;
      dealt[options_.parts == 0 ? 0 : run % options_.parts].push_back(row);
    }
    for (double& w : info.weights) w = w == 0 ? 1 : w;  // of rows that no part has
    const Dataset data = make_dataset(std::move(columns), name, std::move(info));
    const SummarizeOptions how{.drop_missing = options_.csv.missing_policy == MissingPolicy::kDropRows,
                               .moments = options_.moments};
    std::vector<std::pair<size_t, Summary>> out;
    for (const auto& [part, own] : dealt) {
      const Dataset some = own.size() == rows ? data : with_rows(data, own);
      Summary summary =
          recipe.labels.empty() ? summarize(some, how) : summarize(some, recipe.experiments, recipe.targets, how);
      summary.weighted = recipe.weights.has_value();
      summary.sampling = recipe.weights && recipe.weights->sampling;
      out.emplace_back(part, std::move(summary));
    }
    return out;
  }

  // Only targets may be missing: nothing was set then.
  static void refuse_without_label(const Column& column, const FileBlock& block, const Recipe& recipe,
                                   const std::string& name) {
    if (!column.has_missing() || std::ranges::find(recipe.labels, column.name) == recipe.labels.end()) return;
    if (column.name == recipe.experiments.targets) return;
    size_t row = 0;
    while (!column.is_missing(row)) ++row;
    throw InputError(place_of(block, recipe, name, row),
                     fmt::format("column {}: the row has no label", quoted(column.name)),
                     "say for every row where it comes from");
  }

  static void merge_levels(Column& column, char mark) {
    std::vector<std::string> labels;
    std::vector<uint32_t> code;
    for (const std::string& label : column.levels) {
      const std::string value = by_value(label, mark);
      const auto at = std::find(labels.begin(), labels.end(), value);
      code.push_back(static_cast<uint32_t>(at - labels.begin()));
      if (at == labels.end()) labels.push_back(value);
    }
    if (labels.size() < code.size() || labels != column.levels) column.codes.recode(code);
    column.levels = std::move(labels);
  }

  void refuse_gaps(const std::vector<Column>& columns, const FileBlock& block, const Recipe& recipe,
                   const std::string& name) const {
    const bool counts = recipe.numbers.empty() && !options_.moments;
    if (options_.csv.missing_policy == MissingPolicy::kDropRows) return;
    if (options_.csv.missing_policy == MissingPolicy::kKeep && counts) return;
    size_t first = SIZE_MAX;
    const Column* which = nullptr;
    for (const Column& column : columns) {
      if (std::ranges::find(recipe.labels, column.name) != recipe.labels.end()) continue;
      for (size_t row = 0; row < std::min(column.rows(), first) && column.has_missing(); ++row) {
        if (!column.is_missing(row)) continue;
        first = row;
        which = &column;
      }
    }
    if (which == nullptr) return;
    throw InputError(place_of(block, recipe, name, first),
                     fmt::format("column {} is missing here, and sums of products have no gaps", quoted(which->name)),
                     fmt::format("--missing drop-rows leaves out the rows that have gaps, --drop {} the column",
                                 shell_word(which->name)));
  }

  static std::vector<double> weights_of(const Column& column, const FileBlock& block, const Recipe& recipe,
                                        const std::string& name) {
    for (size_t row = 0; row < column.rows(); ++row) {
      if (!column.is_missing(row) && recipe.weights->accepts(column.values[row])) continue;
      throw InputError(place_of(block, recipe, name, row),
                       fmt::format("column {}: found {}, expected {}", quoted(column.name),
                                   column.is_missing(row) ? "a missing cell" : fmt::format("{}", column.values[row]),
                                   recipe.weights->expected()),
                       recipe.weights->hint());
    }
    return column.values;
  }

  const SummarizeFilesOptions& options_;
  const Watch& watch_;
  std::string first_;  // the first file
  std::optional<Recipe> recipe_;
  std::string header_;  // of the file that is read
  size_t header_lines_ = 0;
  size_t block_number_ = 0;
  std::map<std::string, std::set<std::string>> met_;  // levels, by column
  std::optional<Summary> out_;
  std::vector<Summary> parts_;
  std::vector<std::string> notes_, warnings_;
};

// A folder stands for the Parquet files in it and below, by name.
std::vector<std::string> files_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (path == "-" || !fs::is_directory(path, error)) return {path};
  std::vector<std::string> out;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with('.') || name.starts_with('_')) {  // what engines keep beside their tables
      if (it->is_directory(error)) it.disable_recursion_pending();
      continue;
    }
    const std::string extension = lower(it->path().extension().string());
    if (extension == ".parquet" || extension == ".pq") out.push_back(it->path().string());
  }
  if (error) throw InputError(path, "cannot list the folder: " + error.message());
  if (out.empty()) throw InputError(path, "is a folder without Parquet files", "name the tables in it");
  std::ranges::sort(out);
  return out;
}

}  // namespace

SummarizedFiles summarize_files(const std::vector<std::string>& paths, const SummarizeFilesOptions& options,
                                const Watch& watch) {
  FileSummarizer summarizer(options, watch);
  for (const std::string& path : paths) {
    for (const std::string& file : files_of(path)) summarizer.take(file);
  }
  return summarizer.finish();
}

}  // namespace agon
