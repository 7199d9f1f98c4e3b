#include <fmt/format.h>

#include <memory>

#include "agon/agent/training.h"
#include "agon/base/atomic_file.h"
#include "agon/base/parallel.h"
#include "agon/catalog/options.h"
#include "agon/version.h"
#include "cli/app.h"
#include "cli/command_line.h"
#include "cli/console.h"
#include "cli/interrupt.h"

namespace agon::cli {
namespace {

struct TrainArgs {
  explicit TrainArgs(CLI::App& app) : binding(app) {
    describe(options, [this](const OptionField& field, Option option) {
      option.group = OptionGroup::kTraining;
      binding.option(field, option);
    });
    binding.option(seed, seed_option());
    binding.option(threads, threads_option());
    binding.option(output, output_option("standard output"));
    binding.option(quiet, quiet_option());
  }

  Binding binding;
  TrainOptions options;
  uint64_t seed = 0;
  int threads = 0;
  std::string output;
  bool quiet = false;
};

std::string line(const char* what, const RankingQuality& q, int failures) {
  if (q.groups == 0) return fmt::format("{}: no successes to evaluate", what);
  return fmt::format(
      "{}: {} successes, each against {} failures of its state: loss {:.4f} (knowing nothing {:.4f}), "
      "ranked first {:.1f} % (chance {:.1f} %), pairs in order {:.1f} %",
      what, q.groups, failures, q.loss, std::log(1.0 + failures), 100 * q.top, 100.0 / (1 + failures), 100 * q.auc);
}

int run(TrainArgs& args, const std::string& typed) {
  TrainOptions& options = args.options;
  options.threads = args.threads > 0 ? args.threads : hardware_threads();
  check(options);

  Log log(args.quiet);
  Watch watch;
  watch.interrupted = catch_interrupts();
  watch.report = [&log](const Progress& progress) { log.progress(progress); };
  const TrainResult result = train_proposal(options, Rng(args.seed), watch);
  log.finish_line();
  if (watch.was_interrupted()) {
    log.note("interrupted before training was finished: nothing was written");
    return kInterrupted;
  }

  std::vector<std::string> report = {
      fmt::format("{} problems, {} frozen states, {} perturbations, {} of them successes", options.problems,
                  result.states, result.perturbations, result.successes),
      line("trained on", result.trained_on, options.failures), line("held out", result.held_out, options.failures)};
  std::string text = "# A proposal network of agon's local challenger (agon/agent/training.h).\n";
  text += fmt::format("# agon " AGON_VERSION ", seed {}: {}\n", args.seed, typed);
  for (const std::string& sentence : report) text += "# " + sentence + "\n";
  text += to_text(result.network);
  if (args.output.empty()) {
    print(text);
  } else {
    write_file_atomically(args.output, text);
    for (const std::string& sentence : report) log.note(sentence);
    log.note("wrote " + args.output);
  }
  return kOk;
}

}  // namespace

Action set_up_train(CLI::App& app) {
  auto args = std::make_shared<TrainArgs>(app);
  args->binding.examples(
      "  agon train -o proposal.mlp                        the one that ships with agon\n"
      "  agon train -o mine.mlp --nodes 20,60 --discrete-share 1 --seed 7\n"
      "  agon discover my.csv --challenger local --proposal mine.mlp");
  return [args](const std::string& typed) { return run(*args, typed); };
}

}  // namespace agon::cli
