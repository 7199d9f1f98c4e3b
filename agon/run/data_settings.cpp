#include "agon/run/data_settings.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/catalog/options.h"
#include "agon/data/csv.h"
#include "agon/data/embedded.h"
#include "agon/data/moment_table.h"
#include "agon/data/summary.h"
#include "agon/data/table_file.h"
#include "agon/report/table.h"
#include "agon/run/describe.h"
#include "agon/run/external.h"

namespace agon {
namespace {

const std::vector<std::string> kFileOptions = {
    "no-header",  "delimiter", "decimal", "quote",       "comment", "na",     "missing", "discrete",
    "continuous", "data-type", "drop",    "exclude-var", "draws",   "counts", "weights", "experiment"};

// One character, given as itself or as a word for it. `words` come first in messages.
char character(const std::string& option, const std::string& text,
               const std::vector<std::pair<std::string, char>>& words) {
  std::vector<std::string> names;
  for (const auto& [word, c] : words) {
    if (text == word) return c;
    names.push_back(word);
  }
  if (text == "\\t") return '\t';
  if (text.size() == 1 && text[0] != '\n' && text[0] != '\r') return text[0];
  const std::string near = did_you_mean(text, names);
  throw UsageError(fmt::format("--{} {} is neither one character nor one of {}", option, quoted(text), listed(names)),
                   near);
}

std::vector<std::string> names_in_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(path, "cannot be opened");
  std::vector<std::string> names;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    names.push_back(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
  }
  return names;
}

// Only a few findings of each kind: thousands of constant columns should not fill the screen.
void tell_findings(const DataRecord& record, Journal& log) {
  constexpr size_t kMostOfAKind = 5;
  std::map<std::string, size_t> told;
  for (const FindingRecord& finding : record.findings) {
    if (++told[finding.kind] > kMostOfAKind) continue;
    if (finding.severity == "info") {
      log.note(finding.text);
    } else {
      log.warning(finding.text);
    }
  }
  for (const auto& [kind, count] : told) {
    if (count > kMostOfAKind)
      log.note(fmt::format("... and {} more of kind {}; agon doctor lists all", count - kMostOfAKind, kind));
  }
}

// The experiments of an embedded table, read as the options say.
Dataset with_options(const Dataset& data, const ExperimentOptions& options) {
  RowInfo info = data.row_info();
  for (Regime& regime : info.regimes) {
    regime.intervention = options.intervention;
    if (!options.batches) regime.batch.clear();
  }
  std::vector<Column> columns;
  for (const int node : data.file_order()) columns.push_back(data.column(node));
  return make_dataset(std::move(columns), data.source(), std::move(info));
}

// To set a variable that never varies changes nothing.
void warn_of_targets(const Dataset& data, std::vector<std::string>& warnings) {
  std::set<std::string> constant;
  for (const Regime& regime : data.regimes()) {
    for (const std::string& target : regime.targets) {
      const Column& column = data.column(data.index_of(target));
      if (column.is_isolated()) constant.insert(quoted(target));
    }
  }
  if (constant.empty()) return;
  warnings.push_back(
      fmt::format("experiments set {}, which never varies in this table: nothing can be learned from that",
                  listed({constant.begin(), constant.end()})));
}

}  // namespace

DataSettings::DataSettings(Settings& settings, Settings::Need need) : settings_(settings) {
  settings.positional("DATA", source_, "file (CSV, TSV; - is standard input) or name of an embedded data set", need,
                      "--dataset");
  declare_source(settings);
  declare_format(settings);
  declare_gaps(settings);
  declare_rows(settings);
  declare_columns(settings);
}

DataSettings::DataSettings(Settings& settings, FilesAlone) : settings_(settings) {
  declare_format(settings);
  settings.option(missing_, {.name = "missing",
                             .value = "POLICY",
                             .group = OptionGroup::kData,
                             .help = "what to do about rows with missing cells; auto counts them in a table of "
                                     "categories and refuses them where there are numbers",
                             .choices = {"auto", "drop-rows", "error"},
                             .common = true});
  declare_rows(settings);
  declare_columns(settings);
}

// Where the table comes from.
void DataSettings::declare_source(Settings& settings) {
  using enum OptionGroup;
  settings.option(rows_, {.name = "rows",
                          .value = "N",
                          .group = kData,
                          .help = "rows to take of an embedded data set; with --covariance or --spearman, the rows "
                                  "that the matrix was computed from",
                          .range = at_least(1),
                          .otherwise = "what `agon list datasets` says",
                          .common = true});
  settings.option(data_seed_, {.name = "data-seed",
                               .value = "N",
                               .group = kData,
                               .help = "seed of the sample that --rows and embedded networks are drawn with",
                               .range = at_least(0)});
  settings.option(covariance_, {.name = "covariance",
                                .group = kData,
                                .help = "DATA is not a table but its covariance or correlation matrix, with the names "
                                        "in the header and the first column; needs --rows N"});
  settings.option(
      spearman_,
      {.name = "spearman", .group = kData, .help = "DATA is a matrix of Spearman's rank correlations; needs --rows N"});
  settings.option(folder_, folder_option());
}

// How its file is written.
void DataSettings::declare_format(Settings& settings) {
  using enum OptionGroup;
  settings.option(
      no_header_,
      {.name = "no-header", .group = kData, .help = "the file has no line of names; columns are called V1, V2, ..."});
  settings.option(delimiter_, {.name = "delimiter",
                               .value = "D",
                               .group = kData,
                               .help = "comma, tab, semicolon, pipe, space, colon or one character",
                               .otherwise = "inferred"});
  settings.option(decimal_, {.name = "decimal",
                             .value = "D",
                             .group = kData,
                             .help = "decimal mark of numbers: comma or point (or , or .)",
                             .otherwise = "inferred"});
  settings.option(quote_, {.name = "quote",
                           .value = "C",
                           .group = kData,
                           .help = "character around quoted cells, or none",
                           .aliases = {"quote-char"}});
  settings.option(comment_, {.name = "comment",
                             .value = "S",
                             .group = kData,
                             .help = "lines that begin with this are skipped, or none",
                             .aliases = {"comment-marker"}});
  settings.option(na_,
                  {.name = "na",
                   .value = "TOKEN",
                   .group = kData,
                   .help = "another spelling of a missing cell, besides the usual ones (empty, NA, NaN, ?, NULL, ...); "
                           "repeatable, commas separate",
                   .aliases = {"missing-marker"}});
}

// What to do about missing cells.
void DataSettings::declare_gaps(Settings& settings) {
  using enum OptionGroup;
  settings.option(missing_, {.name = "missing",
                             .value = "POLICY",
                             .group = kData,
                             .help = "what to do about missing cells",
                             .choices = {"auto", "em", "draws", "level", "drop-rows", "error"},
                             .common = true});
  settings.option(draws_, {.name = "draws",
                           .value = "M",
                           .group = kData,
                           .help = "how many times a row with missing cells is completed, where they are drawn",
                           .range = at_least(1).at_most(1000)});
}

// What its rows are: how often they occurred, and what was done in them.
void DataSettings::declare_rows(Settings& settings) {
  using enum OptionGroup;
  settings.option(counts_, {.name = "counts",
                            .value = "NAME",
                            .group = kData,
                            .help = "column that says how often each row occurred; it is not a variable",
                            .otherwise = "once each"});
  settings.option(weights_,
                  {.name = "weights",
                   .value = "NAME",
                   .group = kData,
                   .help = "column of sampling weights, rescaled to the effective number of rows; it is not a variable",
                   .otherwise = "equal"});
  settings.option(targets_, {.name = "targets",
                             .value = "NAME",
                             .group = kData,
                             .help = "column whose cells name the variables that were set in that row (a;b); with "
                                     "--experiment, a file experiment,targets; it is not a variable",
                             .otherwise = "what the data set says, or none",
                             .bare = true,
                             .common = true});
  settings.option(experiment_, {.name = "experiment",
                                .value = "NAME",
                                .group = kData,
                                .help = "column that says which experiment a row comes from; it is not a variable",
                                .otherwise = "none"});
  settings.option(within_, {.name = "within",
                            .value = "NAMES",
                            .group = kData,
                            .help = "columns of batches, between which the means of variables may differ, or none; "
                                    "experiments are batches too; the score decides whether that is used",
                            .otherwise = "experiments"});
  settings.option(intervention_, {.name = "intervention",
                                  .value = "KIND",
                                  .group = kData,
                                  .help = "what experiments did to their targets: set them, so that their causes did "
                                          "not act there, or moved them",
                                  .choices = {"perfect", "soft"}});
}

// Which columns are variables, and of which kind.
void DataSettings::declare_columns(Settings& settings) {
  using enum OptionGroup;
  settings.option(discrete_, {.name = "discrete",
                              .value = "NAMES",
                              .group = kData,
                              .help = "columns to read as categories, whatever they look like",
                              .common = true});
  settings.option(continuous_, {.name = "continuous",
                                .value = "NAMES",
                                .group = kData,
                                .help = "columns to read as numbers, however few values they have"});
  settings.option(data_type_, {.name = "data-type",
                               .value = "KIND",
                               .group = kData,
                               .help = "kind of all columns not named elsewhere",
                               .choices = {"mixed", "continuous", "discrete"}});
  settings.option(drop_, {.name = "drop", .value = "NAMES", .group = kData, .help = "columns to omit", .common = true});
  settings.option(exclude_file_, {.name = "exclude-var",
                                  .value = "FILE",
                                  .group = kData,
                                  .help = "file with the names of columns to omit, one per line"});
}

// Only some treatments draw.
void DataSettings::check_draws() const {
  const MissingTreatment policy = missing_policy();
  if (policy == MissingTreatment::kAuto || policy == MissingTreatment::kDraws) return;
  refuse({"draws"}, fmt::format("--missing {} draws nothing", missing_), "--missing draws does");
}

ExperimentOptions DataSettings::experiments() const {
  ExperimentOptions out{.targets = targets_, .experiment = experiment_};
  out.batches = within_ != std::vector<std::string>{"none"};
  if (out.batches) out.within = within_;
  out.intervention = intervention_ == "soft" ? Intervention::kSoft : Intervention::kPerfect;
  return out;
}

// Options about experiments that say nothing together.
void DataSettings::check_experiments() const {
  if (settings_.given("targets") && targets_.empty() && !is_embedded(source_)) {
    throw UsageError("--targets needs a value here", "name the column that says what was set: --targets NAME");
  }
  if (is_embedded(source_)) return;
  if (!experiments().batches && experiment_.empty() && targets_.empty()) {
    throw UsageError("--within none has no effect: there are no experiments", "--targets or --experiment name them");
  }
  if (targets_.empty()) {
    refuse({"intervention"}, "nothing was set", "--targets says what was set where");
  }
}

LoadedData DataSettings::load(Journal& log, Findings findings, const Watch& watch) const {
  check_draws();
  check_experiments();
  LoadedData loaded = covariance_ || spearman_          ? load_matrix(watch)
                      : is_summary_file(source_, watch) ? load_summary(watch)
                      : is_embedded(source_)            ? load_embedded(watch)
                      : is_external(source_)            ? load_external_table(watch)
                                                        : load_file(log, watch);
  for (const std::string& note : loaded.record.notes) log.note(note);
  for (const std::string& warning : loaded.record.warnings) log.warning(warning);
  if (findings == Findings::kToLog) tell_findings(loaded.record, log);
  return loaded;
}

// An option that would have no effect is an error.
void DataSettings::refuse(const std::vector<std::string>& options, const std::string& reason,
                          const std::string& hint) const {
  for (const std::string& option : options) {
    if (settings_.given(option)) throw UsageError(fmt::format("--{} has no effect: {}", option, reason), hint);
  }
}

LoadedData DataSettings::load_embedded(const Watch& watch) const {
  const std::string reason = fmt::format("{} is an embedded data set", source_);
  refuse(kFileOptions, reason, fmt::format("to read a file of that name: ./{}", source_));
  refuse({"folder"}, reason, "");
  for (const EmbeddedInfo& info : embedded_datasets()) {
    if (info.name != source_ || info.kind != "table" || (rows_ > 0 && rows_ < info.rows)) continue;
    refuse({"data-seed"}, fmt::format("{} is a table, used as a whole", source_), "--rows N draws some of its rows");
  }
  LoadedData loaded;
  loaded.table = embedded_table(source_, rows_, data_seed_);
  if (!loaded.table.has_regimes()) {
    refuse({"targets", "within", "intervention"}, fmt::format("{} is one sample, without experiments", source_),
           "sachs-experiments has them");
  } else if (!targets_.empty() || !experiments().within.empty()) {
    throw UsageError(fmt::format("{} comes with its own targets and batches", source_),
                     "leave out the value of --targets; --within none ignores the batches");
  } else {
    loaded.table = with_options(loaded.table, experiments());
  }
  loaded.record = describe_data(loaded.table, watch);
  return loaded;
}

LoadedData DataSettings::load_matrix(const Watch& watch) const {
  const std::string option = spearman_ ? "--spearman" : "--covariance";
  if (covariance_ && spearman_)
    throw UsageError("--covariance and --spearman cannot be used together", "pass one of them");
  if (rows_ == 0) {
    throw UsageError(option + " needs --rows N", "say how many rows the matrix was computed from");
  }
  refuse(kFileOptions, fmt::format("{} is a matrix, not a table", source_), "");
  refuse({"targets", "within", "intervention"}, fmt::format("{} is a matrix, not a table", source_), "");
  refuse({"folder", "data-seed"}, fmt::format("{} is a matrix, not a data set", source_), "");
  MomentTable read = read_covariance(source_, {.rows = static_cast<double>(rows_), .spearman = spearman_});
  LoadedData loaded;
  loaded.record = describe_data(read.data, watch);
  loaded.record.notes = std::move(read.notes);
  loaded.table = std::move(read.data);
  return loaded;
}

LoadedData DataSettings::load_summary(const Watch& watch) const {
  const std::string place = source_ == "-" ? "<stdin>" : source_;
  const std::string reason = fmt::format("{} is a summary, not a table", place);
  std::vector<std::string> options = kFileOptions;
  options.insert(options.end(), {"targets", "within", "intervention"});
  const Summary summary = read_summary(source_, watch);
  if (summary.form == SummaryForm::kCounts) {  // whose gaps are still there
    std::erase_if(options, [](const std::string& option) { return option == "missing" || option == "draws"; });
  }
  refuse(options, reason, "pass it to agon summarize, which reads the rows");
  refuse({"rows", "folder", "data-seed"}, reason, "");
  SummaryTable read = to_table(summary, place);
  if (read.data.has_missing() && (missing_ == "drop-rows" || missing_ == "error")) {
    throw InputError(place, fmt::format("--missing {} needs the rows, and this is a summary of them", missing_),
                     "pass it to agon summarize; --missing em, draws and level take the gaps as they are");
  }
  LoadedData loaded;
  loaded.record = describe_data(read.data, watch);
  loaded.record.notes = std::move(read.notes);
  loaded.table = std::move(read.data);
  return loaded;
}

LoadedData DataSettings::load_external_table(const Watch& watch) const {
  const std::string reason = fmt::format("{} is a data set with a form of its own", source_);
  refuse(kFileOptions, reason, fmt::format("to read a file of that name: ./{}", source_));
  refuse({"rows", "data-seed", "targets", "within", "intervention"}, reason, "");
  LoadedData loaded;
  loaded.table = load_external(source_, folder_).data;
  loaded.record = describe_data(loaded.table, watch);
  return loaded;
}

LoadedData DataSettings::load_file(Journal& log, const Watch& watch) const {
  refuse({"rows", "data-seed", "folder"}, fmt::format("{} is not an embedded data set", source_),
         "see agon list datasets");
  std::error_code ignored;
  if (source_ != "-" && !std::filesystem::exists(source_, ignored)) {
    std::vector<std::string> names;
    for (const EmbeddedInfo& info : embedded_datasets()) names.push_back(info.name);
    const std::string near = did_you_mean(source_, names);
    throw InputError(source_, "no such file, and no embedded data set of that name",
                     near.empty() ? similar_file_hint(source_) : near);
  }

  LoadedTable read = read_csv(source_, csv_options(), watch);
  warn_of_targets(read.data, read.record.warnings);
  LoadedData loaded;
  loaded.record = describe_data(read.data, watch);
  loaded.record.kinds_inferred = true;
  loaded.record.rows_dropped = read.record.rows_dropped;
  loaded.record.row_index_taken = read.record.row_index_taken;
  loaded.record.notes = read.record.notes;
  loaded.record.warnings = read.record.warnings;
  describe_kinds(loaded.record, read.data, read.record.reasons);
  loaded.table = std::move(read.data);
  log.detail(fmt::format("read {} of {} in {} ({} rows/s)",
                         counted(static_cast<long long>(read.record.rows_read), "row"),
                         counted(loaded.table.size(), "column"), duration_text(read.record.seconds),
                         with_commas(std::llround(read.record.rows_per_second()))));
  return loaded;
}

CsvOptions DataSettings::csv_options() const {
  check_experiments();
  CsvOptions options;
  options.header = !no_header_;
  if (!delimiter_.empty()) {
    options.delimiter = character("delimiter", delimiter_,
                                  {{"comma", ','},
                                   {"tab", '\t'},
                                   {"semicolon", ';'},
                                   {"pipe", '|'},
                                   {"space", ' '},
                                   {"whitespace", ' '},
                                   {"colon", ':'}});
  }
  if (!decimal_.empty()) {
    options.decimal = character("decimal", decimal_, {{"comma", ','}, {"point", '.'}});
    if (options.decimal != ',' && options.decimal != '.') {
      throw UsageError(fmt::format("--decimal {} is neither comma nor point", quoted(decimal_)));
    }
  }
  options.quote = character("quote", quote_, {{"none", '\0'}, {"double", '"'}, {"single", '\''}});
  options.comment = comment_ == "none" ? "" : comment_;
  options.missing.insert(options.missing.end(), na_.begin(), na_.end());
  options.missing_policy = missing_ == "error"       ? MissingPolicy::kError
                           : missing_ == "drop-rows" ? MissingPolicy::kDropRows
                                                     : MissingPolicy::kKeep;
  if (data_type_ != "mixed") {
    options.kind = data_type_ == "discrete" ? ColumnKind::kCategorical : ColumnKind::kContinuous;
  }
  options.discrete = discrete_;
  options.continuous = continuous_;
  options.drop = drop_;
  options.counts = counts_;
  options.weights = weights_;
  options.experiments = experiments();
  if (!exclude_file_.empty()) {
    for (std::string& name : names_in_file(exclude_file_)) options.drop.push_back(std::move(name));
  }
  return options;
}

}  // namespace agon
