#include "cli/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "agon/base/error.h"
#include "agon/catalog/options.h"
#include "agon/graph/formats.h"
#include "agon/report/record_json.h"
#include "agon/report/summary.h"
#include "agon/run/written_graph.h"
#include "cli/console.h"
#include "cli/interrupt.h"

namespace agon::cli {
OutputArgs::OutputArgs(Binding& binding) : binding_(binding) {
  using enum OptionGroup;
  binding.option(
      out_, out_option("folder to write result.json, report.html and the graphs to; created if it does not exist"));
  binding.option(formats_, {.name = "format",
                            .value = "F,...",
                            .group = kOutput,
                            .help = "formats of the graphs in --out, see `agon list formats`",
                            .common = true});
  binding.option(json_graph_, {.name = "json-graph",
                               .group = kOutput,
                               .help = "the graphs in --out as JSON too: the same as adding json to --format"});
  binding.option(
      prefix_,
      {.name = "prefix", .value = "P", .group = kOutput, .help = "prefix of the file names in --out: P_result.json"});
  binding.option(json_, json_option());
  binding.option(quiet_, quiet_option());
  binding.option(verbose_, verbose_option());
}

std::vector<std::string> OutputArgs::checked_formats() const {
  for (const std::string option : {"format", "json-graph", "prefix"}) {
    if (!binding_.given(option) || !out_.empty()) continue;
    throw UsageError(fmt::format("--{} has no effect without --out", option),
                     "--out DIR names the folder to write to; --out . is this one");
  }
  if (prefix_.find('/') != std::string::npos) {
    throw UsageError("--prefix is part of a file name and cannot contain /", "--out DIR names the folder");
  }
  if (quiet_ && verbose_) throw UsageError("--quiet and --verbose contradict each other", "omit one of them");
  std::vector<std::string> formats = formats_;
  if (json_graph_ && std::find(formats.begin(), formats.end(), "json") == formats.end()) formats.push_back("json");
  for (const std::string& format : formats) graph_format(format);
  return formats;
}

int OutputArgs::carry_out(RunRequest& request, const std::string& typed) const {
  const std::vector<std::string> formats = checked_formats();
  Log log(verbose_ ? Log::Level::kVerbose : quiet_ ? Log::Level::kQuiet : Log::Level::kUsual);
  Watch watch;
  watch.interrupted = catch_interrupts();
  watch.report = [&log](const Progress& progress) { log.progress(progress); };
  Watch until = watch;  // run() adds the time limit for itself
  if (const double limit = request.seconds(); limit > 0) {
    log.set_time_limit(limit);
    until.deadline =
        Watch::Clock::now() + std::chrono::duration_cast<Watch::Clock::duration>(std::chrono::duration<double>(limit));
  }

  const RunResult result = run(request, {}, {.log = log, .watch = watch, .command = typed, .folder = out_});
  log.finish_line();

  std::string page;
  std::optional<InputError> unwritten;  // the answer is printed all the same: it may have taken hours
  try {
    if (!out_.empty()) page = write_files(result, {out_, prefix_, formats}, log, until);
  } catch (const InputError& error) {
    unwritten = error;
  }
  std::string text = json_ ? write_record(result.record)
                           : summary_text(result.record, output_style(), verbose_ ? Detail::kFull : Detail::kBrief);
  if (!json_ && !page.empty()) text += fmt::format("\nreport {}\n", page);
  print(text);
  if (unwritten) throw *unwritten;
  if (result.checkpoint) result.checkpoint->remove();
  return watch.was_interrupted() ? kInterrupted : kOk;
}

}  // namespace agon::cli
