#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "agon/base/error.h"
#include "agon/base/parallel.h"
#include "agon/base/suggest.h"
#include "agon/base/units.h"
#include "agon/study/signature.h"
#include "cli/app.h"
#include "cli/binding.h"
#include "cli/console.h"
#include "cli/paper_bench.h"

namespace agon::cli {
namespace {

// What --quick means: the whole suite in five minutes on two cores.
constexpr int kQuickSamples = 2;
constexpr double kQuickLimit = 2;

struct Args {
  explicit Args(CLI::App& app) : binding(app) {
    binding.value("suite", suite);
    binding.flag("quick", quick);
    binding.list("only", bench.choice.only);
    binding.list("algorithms", bench.algorithms);
    binding.value("samples", bench.choice.samples);
    binding.value("data-dir", bench.choice.data_dir);
    binding.value("folder", bench.choice.dream4);
    binding.value("cell-limit", limit);
    binding.value("jobs", bench.jobs);
    binding.value("out", bench.out);
    binding.flag("json", bench.json);
    binding.flag("quiet", quiet);
  }
  Binding binding;
  std::string suite = "signature", limit;
  bool quick = false, quiet = false;
  PaperBench bench;
};

int print_signature(const Args& args) {
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

int run_paper(const Args& args) {
  PaperBench bench = args.bench;
  if (args.quick && !args.binding.given("samples")) bench.choice.samples = kQuickSamples;
  if (args.quick) bench.limit = kQuickLimit;
  if (!args.limit.empty()) bench.limit = parse_duration(args.limit, "cell-limit");
  if (!args.binding.given("jobs")) bench.jobs = hardware_threads();
  if (bench.jobs < 1) throw UsageError("--jobs must be 1 or more");
  if (bench.choice.samples < 1) throw UsageError("--samples must be 1 or more");
  Log log(args.quiet);
  return run_paper_bench(bench, log);
}

}  // namespace

Action set_up_bench(CLI::App& app) {
  auto args = std::make_shared<Args>(app);
  args->binding.examples(
      "  agon bench                              the signature that commits cite\n"
      "  agon bench --suite paper --quick        the benchmarks of the paper in five minutes\n"
      "  agon bench --suite paper --out study    all of them; a run that was stopped goes on where it was\n"
      "  agon bench --suite paper --data-dir DIR --only asia,sachs --algorithms ges,pc");
  return [args](const std::string&) {
    if (args->suite == "signature") return print_signature(*args);
    if (args->suite == "paper") return run_paper(*args);
    const std::vector<std::string> suites = {"paper", "signature"};
    throw UsageError(fmt::format("there is no suite {}", quoted(args->suite)), "the suites are " + listed(suites));
  };
}

}  // namespace agon::cli
