#include <filesystem>
#include <memory>

#include "agon/base/atomic_file.h"
#include "agon/catalog/options.h"
#include "agon/data/text_file.h"
#include "agon/report/html.h"
#include "agon/report/record_json.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"

namespace agon::cli {
namespace {

struct ReportArgs {
  std::string result, output;
  bool plain = false, quiet = false;
};

int run(const ReportArgs& args) {
  Log log(args.quiet);
  std::filesystem::path source = args.result;
  std::error_code ignored;
  if (std::filesystem::is_directory(source, ignored)) source /= "result.json";
  const RunRecord record = read_record(read_text_file(source.string()), source.string());
  const std::string page = html_report(record, args.plain ? PageKind::kPlain : PageKind::kInteractive);
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
  auto args = std::make_shared<ReportArgs>();
  Binding binding(app);
  binding.positional("RESULT", args->result, "result.json, or the folder it is in");
  binding.option(args->output, output_option("report.html beside the result"));
  binding.option(args->plain,
                 {.name = "plain", .group = OptionGroup::kOutput, .help = "a page of tables alone, without script"});
  binding.option(args->quiet, quiet_option());
  binding.examples(
      "  agon report result                      writes result/report.html\n"
      "  agon report old/result.json -o old.html");
  return [args](const std::string&) { return run(*args); };
}

}  // namespace agon::cli
