// agon effect, agon effects and agon next: from a graph to an answer.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "agon/base/atomic_file.h"
#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/catalog/options.h"
#include "agon/data/text_file.h"
#include "agon/report/effect_texts.h"
#include "agon/report/record_json.h"
#include "agon/run/effects.h"
#include "agon/run/recorded.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/interrupt.h"

namespace agon::cli {
namespace {

// What the three commands share: a result, the table it is of, and how it is read again.
struct SourceArgs {
  SourceArgs(CLI::App& app, Settings::Need need) : binding(app), data((add_result(), binding), need) {}
  void add_result() {  // separate, because it comes before DATA
    binding.positional("RESULT", result, "result.json, or the folder it is in");
  }
  void add_output() {
    binding.option(threads, threads_option());
    binding.option(json, json_option());
    binding.option(quiet, quiet_option());
  }

  RunRecord read() {
    std::filesystem::path path = result;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) path /= "result.json";
    place = path.string();
    return read_record(read_text_file(place), place);
  }
  int thread_count() const { return threads > 0 ? threads : hardware_threads(); }

  Binding binding;
  std::string result, place;
  DataSettings data;
  int threads = 0;
  bool json = false, quiet = false;
};

// The result with its table, read as the run read it.
struct Opened {
  Opened(SourceArgs& args, const RunRecord& of, AsRecorded::Knowing what)
      : log(args.quiet),
        run(args.binding, args.data.source(), of, args.place, what),
        source(of, converted_as_recorded(run.data(log).table, of, args.place), args.place, args.thread_count()) {}

  Log log;
  AsRecorded run;
  EffectSource source;
};

Option of_option(const std::string& help) { return {.name = "of", .value = "X", .help = help, .common = true}; }
Option on_option(const std::string& help) { return {.name = "on", .value = "Y", .help = help, .common = true}; }

struct EffectArgs : SourceArgs {
  explicit EffectArgs(CLI::App& app) : SourceArgs(app, Binding::kRequired), knowledge(binding) {
    binding.option(
        of,
        {.name = "of",
         .value = "X",
         .help =
             "the column that is set; several, separated by commas, are set together: all numbers, or all categories",
         .common = true});
    binding.option(on, on_option("the outcome: the column whose change is asked for"));
    binding.option(levels, {.name = "levels",
                            .value = "A,B",
                            .help = "which levels of a categorical cause to compare: the change from A to B",
                            .otherwise = "its first and its last level",
                            .common = true});
    binding.option(resample, {.name = "resample",
                              .value = "N",
                              .help = "intervals from N resamples of the rows, with the graph kept as it is",
                              .range = at_least(0),
                              .otherwise = fmt::format("by formula; {} resamples for several causes", kJointResamples),
                              .common = true});
    binding.option(bootstrap, {.name = "bootstrap",
                               .value = "N",
                               .help = "resample the rows N times and search for the graph again each time, so that "
                                       "the interval includes the uncertainty about the graph",
                               .range = at_least(0),
                               .otherwise = "0",
                               .common = true});
    binding.option(seed, seed_option());
    add_output();
  }
  KnowledgeSettings knowledge;  // for --bootstrap, which searches
  std::vector<std::string> of, levels;
  std::string on;
  int resample = 0, bootstrap = 0;
  uint64_t seed = 0;
};

int run(EffectArgs& args) {
  if (args.of.empty() || args.on.empty()) {
    throw UsageError("--of X and --on Y are required", "agon effect RESULT DATA --of X --on Y");
  }
  if (!args.levels.empty() && args.levels.size() != 2) throw UsageError("--levels takes two levels: --levels A,B");
  const bool searches = args.bootstrap > 0;
  for (const auto& bound : args.binding.all()) {
    const std::string& name = bound->option.name;
    if (searches || !args.binding.given(name) || !(is_about_knowledge(name) || name == "on-conflict")) continue;
    throw UsageError(
        fmt::format("--{} has no effect without --bootstrap: the graph of the result is used as it is", name));
  }
  const RunRecord record = args.read();
  const Opened opened(args, record, searches ? AsRecorded::kWithKnowledge : AsRecorded::kTableAlone);
  EffectRequest request{.of = args.of, .on = args.on};
  if (!args.levels.empty()) request.levels = {args.levels[0], args.levels[1]};
  request.resample = args.resample;
  request.bootstrap = args.bootstrap;
  request.seed = args.seed;
  request.threads = args.thread_count();
  Watch watch;
  watch.interrupted = catch_interrupts();
  const Knowledge knowledge = searches ? opened.run.knowledge(opened.source.rows().names()) : Knowledge();
  const EffectAnswer answer = answer_effect(opened.source, request, knowledge, watch);
  if (watch.was_interrupted() && (!answer.resampled || answer.resampled->resamples == 0)) return kInterrupted;
  print(args.json ? effect_json_text(answer) : effect_text(answer, output_style()));
  return watch.was_interrupted() ? kInterrupted : kOk;
}

struct EffectsArgs : SourceArgs {
  explicit EffectsArgs(CLI::App& app) : SourceArgs(app, Binding::kRequired) {
    binding.option(on, on_option("list the causes of this column"));
    binding.option(of, of_option("list what this column causes"));
    binding.option(most, {.name = "most",
                          .value = "N",
                          .group = OptionGroup::kOutput,
                          .help = "rows to print; 0: all",
                          .range = at_least(0),
                          .common = true});
    binding.option(csv, {.name = "csv",
                         .value = "FILE",
                         .group = OptionGroup::kOutput,
                         .help = "write all of them to a CSV file; - is standard output, in place of the table",
                         .common = true});
    add_output();
  }
  std::string of, on, csv;
  int most = 20;
};

int run(EffectsArgs& args) {
  if (args.of.empty() == args.on.empty()) {
    throw UsageError("give either --on Y, for its causes, or --of X, for its effects",
                     "agon effects RESULT DATA --on Y");
  }
  const RunRecord record = args.read();
  const Opened opened(args, record, AsRecorded::kTableAlone);
  const std::vector<RankedEffect> list = answer_effects(opened.source, args.of, args.on, args.thread_count());
  if (!args.csv.empty() && args.csv != "-") write_file_atomically(args.csv, effects_csv(list));
  if (args.csv == "-") {
    print(effects_csv(list));
  } else {
    print(args.json ? effects_json_text(list, args.of, args.on)
                    : effects_text(list, args.of, args.on, static_cast<size_t>(args.most), output_style()));
  }
  return kOk;
}

struct NextArgs : SourceArgs {
  explicit NextArgs(CLI::App& app) : SourceArgs(app, Binding::kOptional) {
    binding.option(budget, {.name = "budget",
                            .value = "K",
                            .help = "how many variables can be set, each in an experiment of its own",
                            .range = at_least(1).at_most(20),
                            .common = true});
    binding.option(of, of_option("the effect that matters is that of this column"));
    binding.option(on, on_option("and on this one; with DATA its possible values are compared too"));
    add_output();
  }
  std::string of, on;
  int budget = 1;
};

int run(NextArgs& args) {
  const bool has_data = !args.data.source().empty();
  for (const auto& bound : args.binding.all()) {
    if (has_data || bound->option.group != OptionGroup::kData) continue;
    if (args.binding.given(bound->option.name)) {
      throw UsageError(fmt::format("--{} has no effect without DATA", bound->option.name));
    }
  }
  if (has_data && args.of.empty()) throw UsageError("DATA has no effect without --of X and --on Y");
  const RunRecord record = args.read();
  std::optional<Opened> opened;
  if (has_data) opened.emplace(args, record, AsRecorded::kTableAlone);
  const NextAnswer answer = answer_next(record, opened ? &opened->source : nullptr,
                                        {.budget = args.budget, .of = args.of, .on = args.on}, args.place);
  print(args.json ? next_json_text(answer) : next_text(answer, output_style()));
  return kOk;
}

template <class Args>
Action action_of(std::shared_ptr<Args> args) {
  return [args](const std::string&) { return run(*args); };
}

}  // namespace

Action set_up_effect(CLI::App& app) {
  auto args = std::make_shared<EffectArgs>(app);
  args->binding.examples(
      "  agon discover my.csv --out result && agon effect result my.csv --of price --on sales\n"
      "  agon effect result my.csv --of drug --on recovery --levels placebo,high\n"
      "  agon effect result my.csv --of price,adverts --on sales       both set together\n"
      "  agon effect result my.csv --of price --on sales --bootstrap 100");
  return action_of(args);
}

Action set_up_effects(CLI::App& app) {
  auto args = std::make_shared<EffectsArgs>(app);
  args->binding.examples(
      "  agon effects result my.csv --on sales                what to change, the surest first\n"
      "  agon effects result my.csv --of price --csv -        what it changes, as CSV");
  return action_of(args);
}

Action set_up_next(CLI::App& app) {
  auto args = std::make_shared<NextArgs>(app);
  args->binding.examples(
      "  agon next result                                     which experiment settles most arrows\n"
      "  agon next result --budget 3\n"
      "  agon next result my.csv --of price --on sales        and what it does for this effect");
  return action_of(args);
}

}  // namespace agon::cli
