// What each part of the challengers is worth: every challenger beside its unlearned twin, and the local one with every
// proposal, at equal moves and at equal CPU time, from the graph of GES. Writes docs/results/challengers.md.
//
//   cmake --build build --target ablation && build/ablation > docs/results/challengers.md
//   build/ablation --random 2 --seeds 2 --named asia                     a quick look
//   build/ablation --named alarm --only 'local uniform,local trained'    some of the players
//
// Problems: fresh samples of the embedded networks, and random problems that the training never saw (a stream of their
// own). Of the latter, only those count where GES leaves a gap of at least 10 nats to the best known graph. The best
// known graph is the best of the true graph after ascent, BOSS, a match with default options, and every run made here.
// A run continues until it has used both its moves and its CPU time; its score at either point is read off its history.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>

#include "agon/agent/challengers.h"
#include "agon/agent/training.h"
#include "agon/base/item_list.h"
#include "agon/base/parallel.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/match/match.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/hill_climbing.h"
#include "bench/clock.h"

namespace agon {
namespace {

struct Settings {
  int seeds = 10;
  int random = 24;  // random problems
  int most_nodes = 120;
  std::vector<std::string> named = {"asia", "lucas", "child", "sachs-net", "sachs", "hepar2", "alarm", "andes"};
  std::vector<std::string> only;  // players to run; empty: all
  long moves = 5'000;
  double seconds = 0.1;      // of CPU time, for the comparison at equal time
  double most_seconds = 10;  // of CPU time, for runs that have not reached the target yet
  int threads = 2;
};

// A moment of a run at which it reached a higher score.
struct Point {
  long moves;
  double seconds;
  double score;
};
struct Run {
  std::vector<Point> points;
  double seconds = 0;  // in total
  long moves = 0;

  double at_moves(long moves_given, double start) const {
    double score = start;
    for (const Point& p : points) score = p.moves <= moves_given ? p.score : score;
    return score;
  }
  double at_seconds(double given, double start) const {
    double score = start;
    for (const Point& p : points) score = p.seconds <= given ? p.score : score;
    return score;
  }
};

struct Variant {
  std::string name;
  bool timed;      // takes part in the time to the target
  int most_nodes;  // larger problems are skipped
  std::function<Run(const LocalScore&, const Dag&, const Settings&, double target, Rng)> run;
};

bool done(const Run& run, const Settings& s, bool timed, double best, double target) {
  if (run.moves < s.moves || run.seconds < s.seconds) return false;
  return !timed || best >= target || run.seconds >= s.most_seconds;
}

Run play(const Arm& arm, bool timed, const LocalScore& score, const Dag& start, const Settings& s, double target,
         Rng rng) {
  Run run;
  const Knowledge nothing;
  const double began = bench::cpu_seconds();
  ColumnCache cache(score, size_t{128} << 20);
  Game game(cache, start, {}, nothing);
  Champion champion{start, game.score(), {}};
  champion.on_new = [&](long moves, double found, const Dag&) {
    run.points.push_back({moves, bench::cpu_seconds() - began, found});
  };
  const std::unique_ptr<Challenger> player = arm.make(game, rng);
  while (!done(run, s, timed, champion.score, target)) {
    run.moves += player->play(game, champion, {.moves = 500}).moves;
    run.seconds = bench::cpu_seconds() - began;
  }
  return run;
}

Variant variant(const std::string& name, const ChallengerOptions& options, bool timed, int most_nodes = 10000) {
  const Arm arm = make_arms(options)[0];
  return {name, timed, most_nodes,
          [arm, timed](const LocalScore& score, const Dag& start, const Settings& s, double target, Rng rng) {
            return play(arm, timed, score, start, s, target, rng);
          }};
}

// Tabu search makes single edits too, and does not take one back soon after: what flat gains by that alone is not due
// to learning. It is run twice: for the given number of moves, and for as many moves as fit into the time.
Run run_tabu(const LocalScore& score, const Dag& start, const Settings& s, double, Rng) {
  const auto search = [&](long steps) {
    const double began = bench::cpu_seconds();
    const double found =
        tabu_search(score, start, {.patience = 1 << 30, .climb = {.max_steps = static_cast<int>(steps)}}).score;
    return Point{steps, bench::cpu_seconds() - began, found};
  };
  const Point by_moves = search(s.moves);
  Point by_time = search(std::lround(static_cast<double>(s.moves) * s.seconds / by_moves.seconds));
  by_time.seconds = s.seconds;
  Run run{{by_moves, by_time}, s.seconds, s.moves};
  if (by_time.moves < by_moves.moves) std::swap(run.points[0], run.points[1]);
  return run;
}

std::vector<Variant> variants() {
  std::vector<Variant> list;
  for (ProposalKind kind :
       {ProposalKind::kUniform, ProposalKind::kDelta, ProposalKind::kRule, ProposalKind::kTrained}) {
    ChallengerOptions o;
    o.name = "local";
    o.local.proposal.kind = kind;
    list.push_back(variant(std::string("local ") + to_string(kind), o, true));
    o.local.learning = true;
    if (kind == ProposalKind::kUniform || kind == ProposalKind::kTrained) {
      list.push_back(variant(std::string("local ") + to_string(kind) + " learning", o, false));
    }
  }
  for (bool learning : {false, true}) {
    ChallengerOptions o;
    o.name = "flat";
    o.flat.learning = learning;
    list.push_back(variant(learning ? "flat" : "flat unlearned", o, false));
  }
  list.push_back({"tabu", false, 10000, run_tabu});
  for (bool learning : {false, true}) {  // with a batch and a network small enough for the time
    ChallengerOptions o;
    o.name = "paper";
    o.paper.learning = learning;
    o.paper.hidden = {64, 64};
    o.paper.batch = 32;
    o.paper.train_every = 32;
    o.paper.exploration.steps = 2500;
    list.push_back(variant(learning ? "paper (small)" : "paper unlearned", o, false, 12));
  }
  return list;
}

struct Case {
  std::string name;
  bool random = false;
  Problem problem;
  Dag start;
  double ges = 0, best = 0;
  std::vector<std::vector<Run>> runs;  // by variant, seed
  double gap() const { return best - ges; }
};

void prepare(Case& c) {
  const LocalScore& score = *c.problem.score;
  const SearchResult found = ges(score);
  c.start = found.dag;
  c.ges = c.best = found.score;
  const Knowledge nothing;
  if (c.problem.truth.size() == score.size()) {
    ColumnCache cache(score);
    Game game(cache, c.problem.truth, {}, nothing);
    ascend(game);
    c.best = std::max(c.best, game.score());
  }
  c.best = std::max(c.best, boss(score, {}, Rng(1)).score);
  c.best = std::max(
      c.best, play_match(score, {{"ges", [&](const Watch&, const auto&) { return found; }}}, {}, {}, Rng(2)).score);
}

Case named_case(const std::string& name) {
  Case c;
  c.name = name;
  // Rows are drawn with a seed that nothing else uses; the table sachs is fixed.
  c.problem.data = std::make_unique<Dataset>(embedded_table(name, 0, name == "sachs" ? 0 : 4711));
  c.problem.discrete = c.problem.data->column(0).kind == ColumnKind::kCategorical;
  c.problem.score = make_score(c.problem.discrete ? "discrete-bic" : "copula-bic", *c.problem.data);
  return c;
}

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (double v : x) sum += v;
  return x.empty() ? 0 : sum / static_cast<double>(x.size());
}

double standard_error(const std::vector<double>& x) {
  if (x.size() < 2) return 0;
  const double m = mean(x);
  double sum = 0;
  for (double v : x) sum += (v - m) * (v - m);
  return std::sqrt(sum / static_cast<double>(x.size() - 1) / static_cast<double>(x.size()));
}

enum class Equal { kMoves, kSeconds };

// How far the run of one seed is below the best known graph.
double shortfall(const Case& c, size_t v, size_t seed, Equal equal, const Settings& s) {
  const Run& run = c.runs[v][seed];
  const double reached = equal == Equal::kMoves ? run.at_moves(s.moves, c.ges) : run.at_seconds(s.seconds, c.ges);
  return c.best - reached;
}

void print_table(const std::vector<Case>& cases, const std::vector<Variant>& list, Equal equal, bool random,
                 const Settings& s) {
  fmt::print("\n| problem | gap |");
  for (const Variant& v : list) fmt::print(" {} |", v.name);
  fmt::print("\n|---|---|");
  for (size_t v = 0; v < list.size(); ++v) fmt::print("---|");
  fmt::print("\n");
  for (const Case& c : cases) {
    if (c.random != random) continue;
    fmt::print("| {} | {:.1f} |", c.name, c.gap());
    for (size_t v = 0; v < list.size(); ++v) {
      if (c.runs[v].empty()) {
        fmt::print(" |");
        continue;
      }
      std::vector<double> below;
      for (size_t k = 0; k < c.runs[v].size(); ++k) below.push_back(shortfall(c, v, k, equal, s));
      fmt::print(" {:.1f} |", mean(below));
    }
    fmt::print("\n");
  }
}

// The difference between `a` and `b`, paired by problem and seed, in nats and in percent of the gap; the error is that
// of the mean over problems.
void print_difference(const std::vector<Case>& cases, const std::vector<Variant>& list, const std::string& a,
                      const std::string& b, const Settings& s) {
  const auto index = [&](const std::string& name) {
    size_t k = 0;
    while (k < list.size() && list[k].name != name) ++k;
    return k;
  };
  const size_t first = index(a), second = index(b);
  if (first == list.size() || second == list.size()) return;
  fmt::print("| {} − {} |", a, b);
  for (bool random : {false, true}) {
    for (Equal equal : {Equal::kMoves, Equal::kSeconds}) {
      std::vector<double> nats, percent;
      for (const Case& c : cases) {
        if (c.random != random || c.runs[first].empty() || c.runs[second].empty()) continue;
        std::vector<double> pairs;
        for (size_t k = 0; k < c.runs[first].size(); ++k) {
          pairs.push_back(shortfall(c, second, k, equal, s) - shortfall(c, first, k, equal, s));
        }
        nats.push_back(mean(pairs));
        if (c.gap() >= 1) percent.push_back(100 * mean(pairs) / c.gap());
      }
      if (nats.empty()) {
        fmt::print(" |");
      } else {
        fmt::print(" {:+.1f} ± {:.1f} nats, {:+.1f} ± {:.1f} % ({}) |", mean(nats), standard_error(nats), mean(percent),
                   standard_error(percent), nats.size());
      }
    }
  }
  fmt::print("\n");
}

void print_times(const std::vector<Case>& cases, const std::vector<Variant>& list, const Settings& s) {
  std::vector<size_t> timed;
  for (size_t v = 0; v < list.size(); ++v) {
    if (list[v].timed) timed.push_back(v);
  }
  fmt::print("\n| problem | gap |");
  for (size_t v : timed) fmt::print(" {} ms | moves | reached |", list[v].name);
  fmt::print("\n|---|---|");
  for (size_t k = 0; k < timed.size(); ++k) fmt::print("---|---|---|");
  fmt::print("\n");
  std::vector<std::vector<double>> logs(list.size());  // ln seconds, by variant and random problem
  for (const Case& c : cases) {
    if (c.gap() < 1) continue;
    const double target = c.ges + 0.95 * c.gap();
    fmt::print("| {} | {:.1f} |", c.name, c.gap());
    for (size_t v : timed) {
      std::vector<double> seconds, moves;
      int reached = 0;
      for (const Run& run : c.runs[v]) {
        const auto hit =
            std::find_if(run.points.begin(), run.points.end(), [&](const Point& p) { return p.score >= target; });
        reached += hit != run.points.end();
        seconds.push_back(std::log(hit != run.points.end() ? hit->seconds : run.seconds));
        moves.push_back(std::log(static_cast<double>(hit != run.points.end() ? hit->moves : run.moves)));
      }
      fmt::print(" {:.2f} | {:.0f} | {}/{} |", 1000 * std::exp(mean(seconds)), std::exp(mean(moves)), reached,
                 c.runs[v].size());
      if (c.random) logs[v].push_back(mean(seconds));
    }
    fmt::print("\n");
  }
  fmt::print(
      "\nHow many times sooner than `local uniform`, geometric mean over the {} random problems with a 95 % "
      "interval (normal, on the logarithms; a run that never reached the target counts as reaching it when it "
      "was stopped: after {:.0f} s, or at the target as it stood before another run raised the best known; both "
      "flatter the slower):\n\n",
      logs[timed[0]].size(), s.most_seconds);
  for (size_t v : timed) {
    std::vector<double> ratio;
    for (size_t k = 0; k < logs[v].size(); ++k) ratio.push_back(logs[timed[0]][k] - logs[v][k]);
    const double m = mean(ratio), e = 1.96 * standard_error(ratio);
    fmt::print("- {}: {:.2f} [{:.2f}, {:.2f}]\n", list[v].name, std::exp(m), std::exp(m - e), std::exp(m + e));
  }
}

// The named problems, then the random ones with a gap; `passed_over` had none.
std::vector<Case> gather_cases(const Settings& s, int& passed_over) {
  std::vector<Case> cases;
  passed_over = 0;
  for (const std::string& name : s.named) cases.push_back(named_case(name));
  // More problems than asked for, since not all have a gap. They are prepared in parallel and taken in order.
  const int offered = 3 * s.random + 8;
  std::vector<Case> drawn(static_cast<size_t>(offered));
  parallel_for(offered + static_cast<int>(cases.size()), s.threads, [&](int k) {
    if (k >= offered) return prepare(cases[k - offered]);
    Case& c = drawn[k];
    c.random = true;
    ProblemRange range;
    range.most_nodes = s.most_nodes;
    c.problem = random_problem(range, Rng(0).split("ablation", static_cast<uint64_t>(k)));
    c.name = c.problem.name;
    prepare(c);
  });
  for (Case& c : drawn) {
    if (static_cast<int>(cases.size() - s.named.size()) == s.random) break;
    if (c.gap() < 10) {
      ++passed_over;
    } else {
      cases.push_back(std::move(c));
    }
  }
  return cases;
}

// Every variant on every case it is for, with every seed; then the best known score of each case.
void run_variants(std::vector<Case>& cases, const std::vector<Variant>& list, const Settings& s) {
  struct Task {
    Case* c;
    size_t v;
    int seed;
  };
  std::vector<Task> tasks;
  for (Case& c : cases) {
    c.runs.resize(list.size());
    for (size_t v = 0; v < list.size(); ++v) {
      if (c.problem.score->size() > list[v].most_nodes) continue;
      c.runs[v].resize(static_cast<size_t>(s.seeds));
      for (int seed = 0; seed < s.seeds; ++seed) tasks.push_back({&c, v, seed});
    }
  }
  std::atomic<size_t> finished{0};
  parallel_for(static_cast<int>(tasks.size()), s.threads, [&](int k) {
    const Task& t = tasks[k];
    t.c->runs[t.v][t.seed] = list[t.v].run(*t.c->problem.score, t.c->start, s, t.c->ges + 0.95 * t.c->gap(),
                                           Rng(0).split("seed", static_cast<uint64_t>(t.seed)));
    if (++finished % 100 == 0) fmt::print(stderr, "{} of {} runs\n", finished.load(), tasks.size());
  });
  for (Case& c : cases) {
    for (const auto& runs : c.runs) {
      for (const Run& run : runs) {
        if (!run.points.empty()) c.best = std::max(c.best, run.points.back().score);
      }
    }
  }
}

void print_report(const std::vector<Case>& cases, const std::vector<Variant>& list, int passed_over,
                  const Settings& s) {
  fmt::print(
      "# What the parts of the challengers are worth\n\n"
      "Made by `build/ablation` (bench/ablation.cpp). Every run begins at the graph of GES; {} seeds; the figures "
      "are means over seeds of nats below the best known score, so 0 is best. Moves are game moves, time is CPU "
      "time of one thread. Named sets are fresh samples of the embedded networks (the Sachs table as it is); the "
      "random problems come from a stream that neither training nor tuning used, and {} more had no gap of 10 "
      "nats and were passed over. Two settings of flat were tuned on other samples of alarm and andes; "
      "the temperature and the lengths of local on other samples of alarm, hepar2 and andes, on dense Gaussian graphs, "
      "and on the Sachs table itself, whose row is therefore not fresh; the paper's challenger runs with a network of "
      "64, 64 and an update every 32 moves, on "
      "at most 12 variables, because as published it needs about 60 ms a move.\n",
      s.seeds, passed_over);
  for (Equal equal : {Equal::kMoves, Equal::kSeconds}) {
    fmt::print("\n## {}\n", equal == Equal::kMoves ? fmt::format("After {} moves", s.moves)
                                                   : fmt::format("After {:.2g} s of CPU time", s.seconds));
    for (bool random : {false, true}) {
      fmt::print("\n{}:\n", random ? "Random problems" : "Named sets");
      print_table(cases, list, equal, random, s);
    }
  }
  fmt::print(
      "\n## Paired differences\n\nMean over problems (how many) ± standard error; percent are shares of the gap "
      "between GES and the best known, on problems with one. Above 0: the first is better.\n\n"
      "| | named, equal moves | named, equal time | random, equal moves | random, equal time "
      "|\n|---|---|---|---|---|\n");
  for (const auto& [a, b] :
       std::vector<std::pair<std::string, std::string>>{{"local trained", "local uniform"},
                                                        {"local rule", "local uniform"},
                                                        {"local delta", "local uniform"},
                                                        {"local trained", "local rule"},
                                                        {"local uniform learning", "local uniform"},
                                                        {"local trained learning", "local trained"},
                                                        {"flat", "flat unlearned"},
                                                        {"flat", "tabu"},
                                                        {"local trained", "flat"},
                                                        {"paper (small)", "paper unlearned"}}) {
    print_difference(cases, list, a, b, s);
  }
  fmt::print(
      "\n## Time to 95 % of the gap\n\nGeometric means over seeds, CPU time of one thread, the making of the "
      "game included.\n");
  print_times(cases, list, s);
}

void run_all(const Settings& s) {
  int passed_over = 0;
  std::vector<Case> cases = gather_cases(s, passed_over);
  std::vector<Variant> list = variants();
  std::erase_if(list, [&](const Variant& v) {
    return !s.only.empty() && std::find(s.only.begin(), s.only.end(), v.name) == s.only.end();
  });
  run_variants(cases, list, s);
  print_report(cases, list, passed_over, s);
}

}  // namespace
}  // namespace agon

int main(int argc, char** argv) {
  agon::Settings s;
  for (int k = 1; k + 1 < argc; k += 2) {
    const std::string option = argv[k], value = argv[k + 1];
    if (option == "--seeds") {
      s.seeds = std::stoi(value);
    } else if (option == "--random") {
      s.random = std::stoi(value);
    } else if (option == "--threads") {
      s.threads = std::stoi(value);
    } else if (option == "--most-seconds") {
      s.most_seconds = std::stod(value);
    } else if (option == "--named") {
      s.named = agon::split_items(value);
    } else if (option == "--only") {
      s.only = agon::split_items(value);
    } else {
      fmt::print(stderr, "ablation: unknown option {}\n", option);
      return 2;
    }
  }
  agon::run_all(s);
}
