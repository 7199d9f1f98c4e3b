#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/catalog/opponents.h"
#include "cli/search.h"
#include "cli/test_args.h"

namespace agon::cli {
namespace {

struct Args {
  explicit Args(CLI::App& app) : binding(app), search((add_algorithm(), binding)) {}
  void add_algorithm() {  // stands before DATA
    binding.positional("ALGO", algorithm, "algorithm, see `agon list opponents`", Binding::kRequired, "--algorithm");
  }

  Binding binding;
  std::string algorithm;
  SearchArgs search;
  TestArgs test{binding};
};

void refuse_what_has_no_effect(const OpponentEntry& opponent, const Binding& binding) {
  std::vector<std::string> starters;
  for (const OpponentEntry& entry : opponent_entries()) {
    if (entry.takes_start) starters.push_back(entry.name);
  }
  if (binding.given("start") && !opponent.takes_start) {
    throw UsageError(fmt::format("--start has no effect on {}: {}", opponent.name, opponent.summary),
                     "algorithms that begin at a given graph: " + listed(starters));
  }
  if (opponent.takes_start && !opponent.searches && !binding.given("start")) {
    throw UsageError(fmt::format("the algorithm {} needs --start GRAPH", opponent.name));
  }
  for (const std::string option : {"max-parents", "time-limit", "bootstrap"}) {
    if (binding.given(option) && !opponent.searches) {
      throw UsageError(fmt::format("--{} has no effect on {}, which does not search", option, opponent.name));
    }
  }
}

SearchResult propose(const OpponentEntry& opponent, const TestOptions& test, const Task& task) {
  return opponent.propose({.data = task.data,
                           .score = task.score,
                           .start = task.start,
                           .knowledge = task.knowledge,
                           .rng = Rng(task.seed),
                           .threads = task.threads,
                           .test = test,
                           .watch = task.watch});
}

Answer run_alone(const OpponentEntry& opponent, const TestOptions& test, const Task& task) {
  SearchResult found = propose(opponent, test, task);
  Answer answer;
  answer.dag = std::move(found.dag);
  answer.pag = std::move(found.pag);
  answer.algorithm = opponent.name;
  answer.reason = opponent.summary;
  answer.own_start = !opponent.takes_start;
  answer.moves = found.steps;
  answer.stopped_by = std::move(found.stopped_by);
  answer.story = std::move(found.story);
  return answer;
}

}  // namespace

Action set_up_run(CLI::App& app) {
  auto args = std::make_shared<Args>(app);
  args->binding.examples(
      "  agon run ges asia\n"
      "  agon run boss my.csv --knowledge known.txt --required must.csv --time-limit 60s\n"
      "  agon run tabu my.csv --score gaussian-bic --penalty 2 --out result --format dot,tetrad\n"
      "  agon run pc my.csv --test chi2 --alpha 0.05 --max-conditioning 3\n"
      "  agon run hc alarm --rows 5000 --truth alarm --json");
  return [args](const std::string& typed) {
    const OpponentEntry& opponent = opponent_entry(args->algorithm);
    refuse_what_has_no_effect(opponent, args->binding);
    const TestOptions test = args->test.options({&opponent});
    return args->search.carry_out({.search = [&](const Task& task) { return run_alone(opponent, test, task); },
                                   .resample = [&](const Task& task) { return propose(opponent, test, task).dag; },
                                   .resample_name = opponent.name},
                                  typed);
  };
}

}  // namespace agon::cli
