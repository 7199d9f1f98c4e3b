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
#include "cli/score_suite.h"

namespace agon::cli {
namespace {

// The limits of --quick: with them the whole suite takes five minutes on two cores.
constexpr int kQuickSamples = 2;
constexpr double kQuickLimit = 2;
// The same for the scores: networks of at most so many nodes.
constexpr int kQuickNodes = 80;

struct BenchArgs {
  explicit BenchArgs(CLI::App& app) : binding(app) {
    using enum OptionGroup;
    binding.option(suite,
                   {.name = "suite",
                    .value = "NAME",
                    .help = "what to repeat; paper: its benchmarks; scores: which score is nearest to the truth; "
                            "signature: the number that commits cite",
                    .choices = {"paper", "scores", "signature"}});
    binding.option(quick,
                   {.name = "quick",
                    .help = fmt::format("paper: {0} samples and {1:g} s per cell; scores: {0} samples of 200, 1000 and "
                                        "5000 rows, up to {2} nodes. Five minutes on two cores",
                                        kQuickSamples, kQuickLimit, kQuickNodes)});
    binding.option(bench.choice.only,
                   {.name = "only", .value = "NAME,...", .help = "data sets to take", .otherwise = "all"});
    binding.option(bench.algorithms, {.name = "algorithms",
                                      .value = "NAME,...",
                                      .help = "algorithms to take, each with the match from its graph; the empty and "
                                              "the true graph are always there",
                                      .otherwise = "all"});
    binding.option(bench.challengers,
                   {.name = "challenger",
                    .value = "NAME,...",
                    .help = "who plays the matches: auto, flat, local, or paper, the published agent as published",
                    .otherwise = "auto"});
    binding.option(bench.choice.samples,
                   {.name = "samples", .value = "N", .help = "samples of each network", .range = at_least(1)});
    binding.option(bench.choice.data_dir, {.name = "data-dir",
                                           .value = "DIR",
                                           .group = kData,
                                           .help = "tables to take instead of embedded ones: DIR/NAME/data.csv with "
                                                   "DIR/NAME/truth.csv; scores: networks to take beside the embedded "
                                                   "ones, DIR/NAME.bif"});
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
  for (const std::string option : {"quick", "only", "algorithms", "challenger", "samples", "data-dir", "folder",
                                   "cell-limit", "jobs", "out", "json"}) {
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

int run_scores(const BenchArgs& args) {
  for (const std::string option : {"algorithms", "challenger", "folder", "cell-limit", "json"}) {
    if (args.binding.given(option)) {
      throw UsageError(fmt::format("--{} has no effect on the scores", option), "it belongs to --suite paper");
    }
  }
  ScoreSuite suite;
  suite.choice = {.only = args.bench.choice.only, .data_dir = args.bench.choice.data_dir};
  if (args.quick) suite.choice.most_nodes = kQuickNodes, suite.rows = {200, 1000, 5000}, suite.samples = kQuickSamples;
  if (args.binding.given("samples")) suite.samples = args.bench.choice.samples;
  if (args.binding.given("out")) suite.out = args.bench.out;
  suite.jobs = args.jobs > 0 ? args.jobs : hardware_threads();
  Log log(args.quiet);
  return run_score_suite(suite, log);
}

}  // namespace

Action set_up_bench(CLI::App& app) {
  auto args = std::make_shared<BenchArgs>(app);
  args->binding.examples(
      "  agon bench                              the signature that commits cite\n"
      "  agon bench --suite paper --quick        the benchmarks of the paper in five minutes\n"
      "  agon bench --suite paper --out study    all of them; a run that was stopped resumes where it was\n"
      "  agon bench --suite paper --data-dir DIR --only asia,sachs --algorithms ges,pc\n"
      "  agon bench --suite paper --only asia --algorithms ges,grandag --challenger auto,flat,paper\n"
      "  agon bench --suite scores --quick       which score is nearest to the truth, in five minutes");
  return [args](const std::string&) {
    if (args->suite == "signature") return print_signature(*args);
    if (args->suite == "scores") return run_scores(*args);
    return run_paper(*args);
  };
}

}  // namespace agon::cli
