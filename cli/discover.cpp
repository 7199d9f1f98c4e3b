#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/base/suggest.h"
#include "agon/catalog/opponents.h"
#include "agon/match/bootstrap.h"
#include "agon/match/cam_pruning.h"
#include "agon/match/match.h"
#include "agon/opponent/independence.h"
#include "agon/report/table.h"
#include "cli/challenger_args.h"
#include "cli/console.h"
#include "cli/search.h"
#include "cli/test_args.h"

namespace agon::cli {
namespace {

// Past this many single edits the certificate checks the first of them and says that it did not check all: at about a
// thousand columns the check would take longer than the match.
constexpr long kMostNeighbours = 1'000'000;

struct Args {
  explicit Args(CLI::App& app) : binding(app), search(binding) {
    binding.list("opponent", opponents);
    binding.value("prune", prune);
  }
  Binding binding;
  SearchArgs search;
  std::vector<std::string> opponents;
  std::string prune = "none";
  TestArgs test{binding};
  ChallengerArgs challenger{binding};
};

std::vector<const OpponentEntry*> chosen_opponents(const Args& args) {
  std::vector<std::string> names = args.opponents;
  if (names.empty() && args.binding.given("start")) names = {"file"};
  if (names.empty()) names = {"ges", "boss"};
  std::vector<const OpponentEntry*> chosen;
  bool takes_start = false;
  for (const std::string& name : names) {
    const OpponentEntry& entry = opponent_entry(name);
    if (std::find(chosen.begin(), chosen.end(), &entry) != chosen.end()) {
      throw UsageError(fmt::format("--opponent names {} twice", name));
    }
    if (entry.takes_start && !entry.searches && !args.binding.given("start")) {
      throw UsageError(fmt::format("the opponent {} needs --start GRAPH", name));
    }
    takes_start = takes_start || entry.takes_start;
    chosen.push_back(&entry);
  }
  if (args.binding.given("start") && !takes_start) {
    throw UsageError("--start has no effect on these opponents: " + listed(names),
                     "leave --opponent away, or add file to it: the graph you have, to be improved");
  }
  return chosen;
}

// Why these opponents and this much play, for the reader.
std::string why_so(const Args& args, const MatchOptions& options, int columns) {
  const std::string opponents = args.binding.given("opponent") ? "opponents as --opponent asks"
                                : args.binding.given("start")
                                    ? "the graph of --start is the opponent, --opponent chooses others"
                                    : "opponents by default, --opponent chooses others";
  const long moves = options.moves < 0 ? default_moves(columns) : options.moves;
  const std::string budget = options.moves >= 0 ? fmt::format("at most {}, as --moves asks", counted(moves, "move"))
                                                : fmt::format("at most {} for {}, --moves or --time-limit changes that",
                                                              counted(moves, "move"), counted(columns, "column"));
  return opponents + "; " + budget;
}

Answer play(const std::vector<const OpponentEntry*>& opponents, const TestOptions& test, const MatchOptions& options,
            const Task& task) {
  const Rng rng(task.seed);
  std::vector<Entrant> entrants;
  for (const OpponentEntry* opponent : opponents) {
    entrants.push_back({opponent->name, [&task, &test, &rng, opponent](const Watch& match_watch) {
                          Watch watch = match_watch;
                          watch.report = [&match_watch, opponent](Progress progress) {
                            progress.phase = opponent->name + ", " + progress.phase;
                            match_watch.tell(progress);
                          };
                          return opponent->propose({.data = task.data,
                                                    .score = task.score,
                                                    .start = task.start,
                                                    .knowledge = task.knowledge,
                                                    .rng = rng.split(opponent->name),
                                                    .threads = task.threads,
                                                    .test = test,
                                                    .watch = watch});
                        }});
  }
  const MatchResult match = play_match(task.score, entrants, options, task.knowledge, rng.split("match"), task.watch);

  Claim claim{.data = task.data, .score = task.score.traits().name, .knowledge = task.knowledge};
  claim.penalty = task.score_options.penalty;
  claim.sample_size = task.score_options.sample_size;
  claim.max_parents = task.score.traits().max_parents;
  claim.champion = match.champion;
  claim.candidates = match.candidates;
  claim.edge_budget = match.edge_budget;
  for (const Proposal& proposal : match.opponents) claim.opponents.push_back(proposal.result.dag);
  task.watch.tell({"certificate", match.counts.moves, match.champion.edge_count(), match.score,
                   match.score - match.opponents[match.best_opponent].result.score, 0, "move"});
  // The certificate is made even after an interruption or at the end of the time: it is part of the answer.
  const Certificate certificate =
      certify(claim, {.seed = task.seed, .threads = task.threads, .neighbour_limit = kMostNeighbours});
  enforce(certificate, task.data.names());

  Answer answer;
  answer.dag = match.champion;
  answer.algorithm = "match";
  answer.reason = "opponents propose, the challenger edits, the best is the champion";
  answer.own_start = true;
  answer.moves = match.counts.moves;
  answer.stopped_by = match.stopped_by;
  for (const Proposal& proposal : match.opponents) {
    for (const std::string& sentence : proposal.result.story) answer.story.push_back(proposal.name + ": " + sentence);
  }
  answer.match = describe_match(match, task.data.names(), task.knowledge);
  answer.certificate = certificate;
  return answer;
}

}  // namespace

Action set_up_discover(CLI::App& app) {
  auto args = std::make_shared<Args>(app);
  args->binding.examples(
      "  agon discover asia --truth asia\n"
      "  agon discover my.csv --out result --format dot\n"
      "  agon discover my.csv --opponent ges,tabu --time-limit 60s\n"
      "  agon discover my.csv --start graph.txt          improve the graph you have\n"
      "  agon discover my.csv --challenger flat --no-learning --moves 100000");
  return [args](const std::string& typed) {
    MatchOptions options;
    args->challenger.fill(options);
    if (args->prune != "cam" && args->prune != "none") {
      throw UsageError(fmt::format("--prune {} is unknown; expected cam or none", quoted(args->prune)));
    }
    const std::vector<const OpponentEntry*> opponents = chosen_opponents(*args);
    const TestOptions test = args->test.options(opponents);
    return args->search.carry_out(
        {.search =
             [&](const Task& task) {
               if (asks_tests(opponents)) resolve_test(task.data, test.name);  // before others have worked in vain
               options.threads = task.threads;
               if (args->prune == "cam") {
                 options.prune = [&task](const Dag& dag) {
                   return pruned_candidates(task.data, dag, {.threads = task.threads}, task.knowledge);
                 };
               }
               Answer answer = play(opponents, test, options, task);
               answer.match->reason = why_so(*args, options, task.data.size());
               return answer;
             },
         .resample =
             [](const Task& task) { return quick_match(task.score, task.knowledge, Rng(task.seed), task.watch); },
         .resample_name = "boss and a short play"},
        typed);
  };
}

}  // namespace agon::cli
