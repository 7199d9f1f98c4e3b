#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/catalog/options.h"
#include "agon/data/text_file.h"
#include "agon/report/html.h"
#include "agon/report/record_json.h"
#include "agon/run/effects.h"
#include "agon/run/recorded.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/watch.h"

namespace agon::cli {
namespace {

struct ReportArgs {
  explicit ReportArgs(CLI::App& app) : binding(app), data((add_result(), binding), Binding::kOptional) {}
  void add_result() {  // separate, because it comes before DATA
    binding.positional("RESULT", result, "result.json, or the folder it is in");
  }
  Binding binding;
  std::string result, output;
  DataSettings data;
  bool plain = false, quiet = false, watch = false;
  uint64_t results = 0;
};

int run(const ReportArgs& args) {
  for (const auto& bound : args.binding.all()) {
    if (!args.data.source().empty() && !args.plain) break;
    if (bound->option.group == OptionGroup::kData && args.binding.given(bound->option.name)) {
      throw UsageError(fmt::format("--{} has no effect without DATA and a page with a script", bound->option.name));
    }
  }
  if (args.plain && !args.data.source().empty()) throw UsageError("DATA has no effect on a plain page");
  Log log(args.quiet);
  if (args.results > 0 && !args.watch) throw UsageError("--results has no effect without --watch", "add --watch");
  if (args.watch) {
    if (!args.data.source().empty() || !args.output.empty()) {
      throw UsageError("--watch takes neither DATA nor --output: the page is report.html in the folder",
                       "leave them out");
    }
    watch_results(args.result, static_cast<long>(args.results), args.plain ? PageKind::kPlain : PageKind::kInteractive,
                  log);
    return kOk;
  }
  std::filesystem::path source = args.result;
  std::error_code ignored;
  if (std::filesystem::is_directory(source, ignored)) source /= "result.json";
  const RunRecord record = read_record(read_text_file(source.string()), source.string());
  std::string effects;
  if (!args.data.source().empty()) {
    const AsRecorded run(args.binding, args.data.source(), record, source.string(), AsRecorded::kTableAlone);
    const Dataset table = converted_as_recorded(run.data(log).table, record, source.string());
    if (fits_page(table)) {
      effects = page_effects({record, table, source.string(), hardware_threads()}, hardware_threads());
    } else {
      require_same_table(record, table, source.string());
      log.note("the table is too large for the page to hold its effects; agon effects lists them");
    }
  }
  const PageKind kind = args.plain ? PageKind::kPlain : PageKind::kInteractive;
  const std::string page = html_report(record, kind, effects);
  if (args.output == "-") {
    print(page);
    return kOk;
  }
  const std::string target = args.output.empty() ? (source.parent_path() / "report.html").string() : args.output;
  write_file_atomically(target, page);
  if (!args.plain && !report_is_interactive()) log.note("built without Node: the report is a plain page of tables");
  print(target + "\n");
  return kOk;
}

}  // namespace

Action set_up_report(CLI::App& app) {
  auto args = std::make_shared<ReportArgs>(app);
  Binding& binding = args->binding;
  binding.option(args->output, output_option("report.html beside the result"));
  binding.option(args->plain,
                 {.name = "plain", .group = OptionGroup::kOutput, .help = "a page of tables alone, without script"});
  binding.option(args->watch, {.name = "watch",
                               .group = OptionGroup::kOutput,
                               .help = "RESULT is a folder that results come into, as those of a league: keep its "
                                       "report.html at the best of them, until Ctrl-C",
                               .common = true});
  binding.option(args->results, {.name = "results",
                                 .value = "N",
                                 .group = OptionGroup::kOutput,
                                 .help = "with --watch, stop when so many results are there",
                                 .range = at_least(0)});
  binding.option(args->quiet, quiet_option());
  binding.examples(
      "  agon report result my.csv               writes result/report.html, with the effects of the table\n"
      "  agon report old/result.json -o old.html\n"
      "  agon report --watch league              keeps league/report.html at the best result so far");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace agon::cli
