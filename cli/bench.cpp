#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/base/units.h"
#include "agon/catalog/options.h"
#include "agon/study/signature.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/paper_bench.h"

namespace agon::cli {
namespace {

// The limits of --quick: with them the whole suite takes five minutes on two cores.
constexpr int kQuickSamples = 2;
constexpr double kQuickLimit = 2;

struct BenchArgs {
  explicit BenchArgs(CLI::App& app) : binding(app) {
    using enum OptionGroup;
    binding.option(suite, {.name = "suite",
                           .value = "NAME",
                           .help = "what to repeat; paper: its benchmarks; signature: the number that commits cite",
                           .choices = {"paper", "signature"}});
    binding.option(quick, {.name = "quick",
                           .help = fmt::format("{} samples and {:g} s per cell: five minutes on two cores",
                                               kQuickSamples, kQuickLimit)});
    binding.option(bench.choice.only,
                   {.name = "only", .value = "NAME,...", .help = "data sets to take", .otherwise = "all"});
    binding.option(bench.algorithms, {.name = "algorithms",
                                      .value = "NAME,...",
                                      .help = "algorithms to take, each with the match from its graph; the empty and "
                                              "the true graph are always there",
                                      .otherwise = "all"});
    binding.option(bench.choice.samples,
                   {.name = "samples", .value = "N", .help = "samples of each network", .range = at_least(1)});
    binding.option(bench.choice.data_dir, {.name = "data-dir",
                                           .value = "DIR",
                                           .group = kData,
                                           .help = "tables to take instead of embedded ones: DIR/NAME/data.csv with "
                                                   "DIR/NAME/truth.csv"});
    binding.option(bench.choice.dream4, folder_option());
    binding.option(limit, {.name = "cell-limit",
                           .value = "T",
                           .help = "CPU time of one algorithm on one sample; the best until then counts, and is "
                                   "marked",
                           .otherwise = fmt::format("{:g}s", bench.limit)});
    binding.option(jobs, {.name = "jobs",
                          .value = "N",
                          .help = "processes at a time, one cell each",
                          .range = at_least(1),
                          .otherwise = "all cores"});
    binding.option(bench.out, out_option("folder for the cells and tables"));
    binding.option(bench.json, json_option());
    binding.option(quiet, quiet_option());
  }
  Binding binding;
  std::string suite = "signature", limit;
  bool quick = false, quiet = false;
  int jobs = 0;
  PaperBench bench;
};

int print_signature(const BenchArgs& args) {
  for (const std::string option :
       {"quick", "only", "algorithms", "samples", "data-dir", "folder", "cell-limit", "jobs", "out", "json"}) {
    if (args.binding.given(option)) {
      throw UsageError(fmt::format("--{} has no effect on the signature", option), "it belongs to --suite paper");
    }
  }
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const Signature s = run_signature();
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  print(fmt::format("signature {}   moves {}  local scores {}  graphs {}   ({:.1f} s, {:.1f} k scores/s)\n", s.name(),
                    s.moves(), s.local_scores, s.name().substr(s.name().find('-') + 1), seconds,
                    static_cast<double>(s.local_scores) / 1000 / seconds));
  return kOk;
}

int run_paper(const BenchArgs& args) {
  PaperBench bench = args.bench;
  if (args.quick && !args.binding.given("samples")) bench.choice.samples = kQuickSamples;
  if (args.quick) bench.limit = kQuickLimit;
  if (!args.limit.empty()) bench.limit = parse_duration(args.limit, "cell-limit");
  bench.jobs = args.jobs > 0 ? args.jobs : hardware_threads();
  Log log(args.quiet);
  return run_paper_bench(bench, log);
}

}  // namespace

Action set_up_bench(CLI::App& app) {
  auto args = std::make_shared<BenchArgs>(app);
  args->binding.examples(
      "  agon bench                              the signature that commits cite\n"
      "  agon bench --suite paper --quick        the benchmarks of the paper in five minutes\n"
      "  agon bench --suite paper --out study    all of them; a run that was stopped goes on where it was\n"
      "  agon bench --suite paper --data-dir DIR --only asia,sachs --algorithms ges,pc");
  return [args](const std::string&) {
    if (args->suite == "signature") return print_signature(*args);
    return run_paper(*args);
  };
}

}  // namespace agon::cli
