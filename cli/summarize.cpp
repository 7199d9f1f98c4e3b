#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/catalog/options.h"
#include "agon/data/summarize_files.h"
#include "agon/run/data_settings.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/interrupt.h"

namespace agon::cli {
namespace {

struct SummarizeArgs {
  explicit SummarizeArgs(CLI::App& app) : binding(app), data(binding, DataSettings::FilesAlone{}) {
    using enum OptionGroup;
    binding.positionals(
        "FILES", files,
        "tables (CSV, TSV, Parquet; - is standard input), folders of Parquet and summaries, of the same columns");
    binding.option(out, {.name = "out",
                         .value = "FILE",
                         .group = kOutput,
                         .help = "file for the summary",
                         .otherwise = "none; it is needed",
                         .aliases = {"output"},
                         .common = true});
    binding.option(parts, {.name = "parts",
                           .value = "N",
                           .group = kData,
                           .help = fmt::format("keep the sums of N parts apart, to which rows are dealt by runs of {}; "
                                               "{} or more are what --bootstrap resamples",
                                               kRunRows, kFewestParts),
                           .range = at_least(0).at_most(10'000)});
    binding.option(moments, {.name = "moments",
                             .group = kData,
                             .help = "of a table of categories too, keep means and products of indicators, not the "
                                     "distinct rows"});
    binding.option(threads, threads_option());
    binding.option(quiet, quiet_option());
  }
  Binding binding;
  DataSettings data;
  std::vector<std::string> files;
  std::string out;
  uint64_t parts = 0;
  bool moments = false;
  int threads = 0;
  bool quiet = false;
};

std::string what_was_summed(const Summary& summary) {
  std::string text = fmt::format("{}, {}: ", counted(std::llround(summary.rows()), "row"),
                                 counted(static_cast<long long>(summary.columns.size()), "column"));
  if (summary.form == SummaryForm::kCounts) {
    size_t cells = 0;
    for (const Sums& sums : summary.parts[0]) cells += sums.cells.size();
    text += counted(static_cast<long long>(cells), "distinct row");
  } else {
    text += "means and products";
  }
  if (summary.regimes.size() > 1) text += fmt::format(", of {} experiments", summary.regimes.size());
  if (summary.parts.size() > 1) text += fmt::format(", in {} parts", summary.parts.size());
  return text;
}

int run(const SummarizeArgs& args) {
  if (args.out.empty()) throw UsageError("agon summarize needs --out FILE", "name the file for the summary");
  Log log(args.quiet);
  Watch watch;
  watch.interrupted = catch_interrupts();
  SummarizeFilesOptions options;
  options.csv = args.data.csv_options();
  options.parts = args.parts;
  options.moments = args.moments;
  options.threads = args.threads > 0 ? args.threads : hardware_threads();
  const SummarizedFiles done = summarize_files(args.files, options, watch);
  for (const std::string& note : done.notes) log.note(note);
  for (const std::string& warning : done.warnings) log.warning(warning);
  if (args.parts > 0 && done.summary.keeps_parts && done.summary.parts.size() < args.parts) {
    log.warning(fmt::format("the rows fill {} of {} parts: a run has {} rows", done.summary.parts.size(), args.parts,
                            with_commas(kRunRows)));
  }
  const std::string text = summary_text(done.summary);
  write_file_atomically(args.out, text);
  print(fmt::format("{}: {} ({} bytes)\n", args.out, what_was_summed(done.summary),
                    with_commas(static_cast<long long>(text.size()))));
  return kOk;
}

}  // namespace

Action set_up_summarize(CLI::App& app) {
  auto args = std::make_shared<SummarizeArgs>(app);
  args->binding.examples(
      "  agon summarize jan.csv feb.csv --out q1.summary     # the rows are read once and not kept\n"
      "  agon summarize q1.summary mar.csv --out q1.summary  # more rows, or other summaries, are added\n"
      "  agon discover q1.summary\n"
      "  agon summarize claims/ --out claims.summary         # the Parquet files in a folder and below\n"
      "  agon summarize claims.csv --parts 50 --out claims.summary && agon discover claims.summary --bootstrap 50\n"
      "Kinds are judged by the first 10,000 rows. A later cell that contradicts them is an error that names its line;\n"
      "--discrete and --continuous decide instead.");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace agon::cli
