// What each part of the challengers is worth: every challenger beside its unlearned twin, and the local one with every
// proposal, at equal moves and at equal CPU time, from the graph of GES. Writes docs/results/challengers.md.
//
//   cmake --build build --target ablation && build/ablation > docs/results/challengers.md
//   build/ablation --random 2 --seeds 2 --named asia                     a quick look
//   build/ablation --named alarm --only 'local uniform,local trained'    some of the players
//   build/ablation --times yes --random 48 --seeds 3 --most-seconds 1    minutes: time to 95 % of the gap by class
//
// With --times there are random problems alone, from a stream of their own (--stream: "times" for trials, "fresh" for
// docs/results/learning.md), and a run ends where it has 95 % of the gap, or after --most-seconds. It prints how many
// times sooner each arm gets there than its unlearned twin, by class of problem, with bootstrap intervals; or, with
// --champions yes, which arm finds the champions of default matches on these problems. Their best known scores take
// longer than the rest: they are kept in --references (build/ablation.references), and rise when a run finds more.
// The paper's challenger plays there only if --only names it, on at most 60 variables.
// --network FILE lets a network that `agon train` wrote play too, as "local FILE"; --figure FILE draws the gap against
// time (docs/results/learning.svg).
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
#include <fstream>
#include <map>
#include <mutex>

#include "agon/agent/challengers.h"
#include "agon/agent/training.h"
#include "agon/base/atomic_file.h"
#include "agon/base/item_list.h"
#include "agon/base/parallel.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/data/text_file.h"
#include "agon/match/match.h"
#include "agon/opponent/boss.h"
#include "agon/opponent/ges.h"
#include "agon/opponent/hill_climbing.h"
#include "agon/study/figure.h"
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
  bool times = false, champions = false;
  std::string stream = "times";  // the random problems of --times
  std::string references = "build/ablation.references";
  std::vector<std::string> networks;  // files that `agon train` wrote
  std::string figure;                 // where the gap against time is drawn
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
  if (s.times && !timed) return run.seconds >= s.most_seconds;
  if (!s.times && (run.moves < s.moves || run.seconds < s.seconds)) return false;
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

std::vector<Variant> variants(const Settings& s) {
  const bool all_timed = s.times;
  std::vector<Variant> list;
  for (ProposalKind kind :
       {ProposalKind::kUniform, ProposalKind::kDelta, ProposalKind::kRule, ProposalKind::kTrained}) {
    ChallengerOptions o;
    o.name = "local";
    o.local.proposal.kind = kind;
    list.push_back(variant(std::string("local ") + to_string(kind), o, true));
    o.local.learning = true;
    if (kind == ProposalKind::kUniform || kind == ProposalKind::kTrained) {
      list.push_back(variant(std::string("local ") + to_string(kind) + " learning", o, all_timed));
    }
  }
  for (const std::string& file : s.networks) {
    ChallengerOptions o;
    o.name = "local";
    o.local.proposal.network = parse_proposal(read_text_file(file), file);
    list.push_back(variant("local " + file, o, true));
  }
  for (bool learning : {false, true}) {
    ChallengerOptions o;
    o.name = "flat";
    o.flat.learning = learning;
    list.push_back(variant(learning ? "flat" : "flat unlearned", o, all_timed));
  }
  if (!all_timed) list.push_back({"tabu", false, 10000, run_tabu});
  for (bool learning : {false, true}) {  // with a batch and a network small enough for the time
    ChallengerOptions o;
    o.name = "paper";
    o.paper.learning = learning;
    o.paper.hidden = {64, 64};
    o.paper.batch = 32;
    o.paper.train_every = 32;
    o.paper.exploration.steps = 2500;
    list.push_back(variant(learning ? "paper (small)" : "paper unlearned", o, false, all_timed ? 60 : 12));
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

// The best known scores of random problems, by their names and the score of GES, from one run of this program to the
// next: a file of lines "score<TAB>problem".
class References {
 public:
  explicit References(std::string path) : path_(std::move(path)) {
    std::ifstream file(path_);
    for (std::string line; std::getline(file, line);) {
      const size_t tab = line.find('\t');
      if (tab != std::string::npos) best_[line.substr(tab + 1)] = std::stod(line);
    }
  }
  static std::string key(const Case& c) { return fmt::format("{} ges={:.6f}", c.name, c.ges); }
  const double* find(const Case& c) const {
    const auto it = best_.find(key(c));
    return it == best_.end() ? nullptr : &it->second;
  }
  void raise(const Case& c) {
    const auto [it, is_new] = best_.emplace(key(c), c.best);
    if (!is_new) it->second = std::max(it->second, c.best);
  }
  void save() const {
    std::string text;
    for (const auto& [key, best] : best_) text += fmt::format("{:.17g}\t{}\n", best, key);
    write_file_atomically(path_, text);
  }

 private:
  std::string path_;
  std::map<std::string, double> best_;
};

void prepare(Case& c, const References* references) {
  const LocalScore& score = *c.problem.score;
  const SearchResult found = ges(score);
  c.start = found.dag;
  c.ges = c.best = found.score;
  if (references != nullptr) {
    if (const double* best = references->find(c)) {
      c.best = *best;
      return;
    }
  }
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
      "\nSpeed-up over `local uniform`: geometric mean over the {} random problems, with a 95 % interval (normal, on "
      "the logarithms). A run that missed the target counts as if it had reached it when it stopped. That was after "
      "{:.0f} s, or earlier, if another run raised the best known score afterwards. Both flatter the slower arm:\n\n",
      logs[timed[0]].size(), s.most_seconds);
  for (size_t v : timed) {
    std::vector<double> ratio;
    for (size_t k = 0; k < logs[v].size(); ++k) ratio.push_back(logs[timed[0]][k] - logs[v][k]);
    const double m = mean(ratio), e = 1.96 * standard_error(ratio);
    fmt::print("- {}: {:.2f} [{:.2f}, {:.2f}]\n", list[v].name, std::exp(m), std::exp(m - e), std::exp(m + e));
  }
}

// The named problems, then the random ones with a gap; `passed_over` had none.
std::vector<Case> gather_cases(const Settings& s, References& references, int& passed_over) {
  std::vector<Case> cases;
  passed_over = 0;
  for (const std::string& name : s.named) cases.push_back(named_case(name));
  // More problems than asked for, since not all have a gap. They are prepared in parallel and taken in order.
  const int offered = s.times ? s.random + s.random / 4 + 2 : 3 * s.random + 8;
  std::vector<Case> drawn(static_cast<size_t>(offered));
  parallel_for(offered + static_cast<int>(cases.size()), s.threads, [&](int k) {
    if (k >= offered) return prepare(cases[k - offered], nullptr);
    Case& c = drawn[k];
    c.random = true;
    ProblemRange range;
    range.most_nodes = s.most_nodes;
    c.problem = random_problem(range, Rng(0).split(s.times ? s.stream : "ablation", static_cast<uint64_t>(k)));
    c.name = c.problem.name;
    prepare(c, s.times ? &references : nullptr);
    if (s.times) fmt::print(stderr, "{}: gap {:.1f}\n", c.name, c.gap());
  });
  if (s.times) {
    for (const Case& c : drawn) references.raise(c);
    references.save();
  }
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

// How much sooner a run of one arm reaches the target than one of another: logarithms of ratios, one per problem.
struct Sooner {
  std::vector<double> time, moves;  // ln of geometric means over seeds, other over arm
  int reached = 0, other_reached = 0, runs = 0;
};

struct Hit {
  double seconds, moves;
  bool reached;
};

Hit hit_of(const Run& run, double target) {
  for (const Point& p : run.points) {
    if (p.score >= target) return {p.seconds, static_cast<double>(std::max(1L, p.moves)), true};
  }
  return {run.seconds, static_cast<double>(std::max(1L, run.moves)), false};
}

Sooner compare(const std::vector<const Case*>& cases, size_t arm, size_t other) {
  Sooner out;
  for (const Case* c : cases) {
    const double target = c->ges + 0.95 * c->gap();
    double time = 0, moves = 0;
    for (size_t seed = 0; seed < c->runs[arm].size(); ++seed) {
      const Hit a = hit_of(c->runs[arm][seed], target), b = hit_of(c->runs[other][seed], target);
      time += std::log(b.seconds / a.seconds);
      moves += std::log(b.moves / a.moves);
      out.reached += a.reached;
      out.other_reached += b.reached;
      ++out.runs;
    }
    const double seeds = static_cast<double>(c->runs[arm].size());
    out.time.push_back(time / seeds);
    out.moves.push_back(moves / seeds);
  }
  return out;
}

// Mean and 95 % interval of exp(mean of x), by resampling problems.
std::string with_interval(const std::vector<double>& x) {
  constexpr int kResamples = 2000;
  Rng rng = Rng(0).split("bootstrap");
  std::vector<double> means;
  for (int k = 0; k < kResamples; ++k) {
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) sum += x[rng.below(static_cast<int>(x.size()))];
    means.push_back(sum / static_cast<double>(x.size()));
  }
  std::sort(means.begin(), means.end());
  return fmt::format("{:.2f} [{:.2f}, {:.2f}]", std::exp(mean(x)), std::exp(means[kResamples / 40]),
                     std::exp(means[kResamples - 1 - kResamples / 40]));
}

struct ProblemClass {
  std::string name;
  std::function<bool(const Case&)> has;
};

double degree_of(const Case& c) { return 2.0 * c.problem.truth.edge_count() / c.problem.truth.size(); }

std::vector<ProblemClass> problem_classes() {
  const auto p = [](const Case& c) { return c.problem.score->size(); };
  return {{"all", [](const Case&) { return true; }},
          {"discrete", [](const Case& c) { return c.problem.discrete; }},
          {"Gaussian", [](const Case& c) { return !c.problem.discrete; }},
          {"sparse (degree below 3.5)", [](const Case& c) { return degree_of(c) < 3.5; }},
          {"dense", [](const Case& c) { return degree_of(c) >= 3.5; }},
          {"few rows (below 700)", [](const Case& c) { return c.problem.data->rows() < 700; }},
          {"many rows", [](const Case& c) { return c.problem.data->rows() >= 700; }},
          {"p 15 to 38", [p](const Case& c) { return p(c) <= 38; }},
          {"p 39 to 97", [p](const Case& c) { return p(c) > 38 && p(c) <= 97; }},
          {"p 98 to 250", [p](const Case& c) { return p(c) > 97; }},
          {"sparse, p above 80", [p](const Case& c) { return degree_of(c) < 3.5 && p(c) > 80; }}};
}

void print_classes(const std::vector<Case>& cases, const std::vector<Variant>& list, int passed_over,
                   const Settings& s) {
  fmt::print(
      "## Time to 95 % of the gap, by class\n\n"
      "Made by `build/ablation --times yes --stream {} --random {} --seeds {} --most-seconds {}`: {} random problems "
      "(15 to {} variables) {}; {} more had no gap of 10 nats. How many times sooner the first arm reaches "
      "95 % of the gap between GES and the best known score than the second: geometric means of CPU time "
      "(and of moves), with 95 % intervals from resampling the problems. A run that did not get there counts as if it "
      "had when it was stopped, which flatters the slower.\n",
      s.stream, s.random, s.seeds, s.most_seconds, cases.size(), s.most_nodes,
      s.stream == "times" ? "that trials were judged on" : "that neither training nor tuning saw", passed_over);
  const auto index = [&](const std::string& name) {
    size_t k = 0;
    while (k < list.size() && list[k].name != name) ++k;
    return k;
  };
  for (const Variant& v : list) {
    for (const std::string twin : {"local uniform", "local trained", "flat unlearned"}) {
      const size_t arm = index(v.name), other = index(twin);
      if (other == list.size() || arm == other || !v.timed || (twin == "flat unlearned" && v.name != "flat") ||
          (twin == "local trained" && !v.name.starts_with("local trained"))) {
        continue;
      }
      fmt::print("\n**{}** against {}:\n\n| class | problems | time | moves | reached | by {} |\n", v.name, twin, twin);
      fmt::print("|---|---|---|---|---|---|\n");
      for (const ProblemClass& of : problem_classes()) {
        std::vector<const Case*> members;
        for (const Case& c : cases) {
          if (of.has(c)) members.push_back(&c);
        }
        if (members.empty()) continue;
        const Sooner sooner = compare(members, arm, other);
        fmt::print("| {} | {} | {} | {} | {} of {} | {} |\n", of.name, members.size(), with_interval(sooner.time),
                   with_interval(sooner.moves), sooner.reached, sooner.runs, sooner.other_reached);
      }
    }
  }
  print_times(cases, list, s);
}

// The share of the gap that each arm has closed, against CPU time on steps of a logarithmic scale: means over problems
// with 95 % intervals. A run that ended at 95 % stays there.
std::string gap_figure(const std::vector<Case>& cases, const std::vector<Variant>& list, const Settings& s) {
  std::vector<int> steps;  // milliseconds
  for (int ms : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}) {
    if (ms <= 1000 * s.most_seconds) steps.push_back(ms);
  }
  const std::string colours[] = {"#777777", "#1f5fa8", "#c0392b", "#2e8b57", "#8e44ad", "#d68910", "#16a085"};
  Figure out{.title = "From the graph of GES towards the best known graph",
             .x = "milliseconds of CPU time",
             .left = "share of the gap closed, %",
             .right = ""};
  for (int ms : steps) out.x_names.push_back(std::to_string(ms));
  for (size_t v = 0; v < list.size(); ++v) {
    FigureSeries line{.name = list[v].name, .colour = colours[v % std::size(colours)]};
    for (size_t t = 0; t < steps.size(); ++t) {
      std::vector<double> shares;
      for (const Case& c : cases) {
        if (c.runs[v].empty()) continue;
        double sum = 0;
        for (const Run& run : c.runs[v]) {
          sum += std::min(0.95, (run.at_seconds(steps[t] / 1000.0, c.ges) - c.ges) / c.gap());
        }
        shares.push_back(100 * sum / static_cast<double>(c.runs[v].size()));
      }
      const double y = mean(shares), e = 1.96 * standard_error(shares);
      line.points.push_back({static_cast<double>(t), y, y - e, y + e});
    }
    const auto played = std::ranges::count_if(cases, [&](const Case& c) { return !c.runs[v].empty(); });
    if (played < std::ssize(cases)) line.name += fmt::format(" ({} problems)", played);
    out.series.push_back(std::move(line));
  }
  return out.svg();
}

// Default matches from the graph of GES: which arm found how many new champions, and what part of the moves it made.
void print_champions(const std::vector<Case>& cases, const Settings& s) {
  std::vector<MatchResult> matches(cases.size());
  parallel_for(static_cast<int>(cases.size()), s.threads, [&](int k) {
    const Case& c = cases[k];
    SearchResult proposed;
    proposed.dag = c.start;
    proposed.score = c.ges;
    const auto from_ges = [&](const Watch&, const auto&) { return proposed; };
    matches[k] = play_match(*c.problem.score, {{"ges", from_ges}}, {}, {}, Rng(3));
  });
  int all = 0;
  double gained = 0, moves = 0;
  std::vector<ArmResult> arms = matches.at(0).arms;
  for (ArmResult& sum : arms) sum = {sum.name, sum.cost, {}, 0, 0};
  for (const MatchResult& match : matches) {
    for (size_t a = 0; a < arms.size(); ++a) {
      arms[a].champions += match.arms[a].champions;
      arms[a].gained += match.arms[a].gained;
      arms[a].counts.moves += match.arms[a].counts.moves;
      gained += match.arms[a].gained;
      moves += static_cast<double>(match.arms[a].counts.moves) * arms[a].cost;
    }
    all += static_cast<int>(match.history.size()) - 1;
  }
  fmt::print(
      "## Who finds the champions of `auto`\n\nOne default match from the graph of GES on each of {} problems; {} new "
      "champions, some of which several arms reached in the same round, and each is credited.\n\n"
      "| arm | champions | share of what its players gained | share of the cost |\n|---|---|---|---|\n",
      matches.size(), all);
  for (const ArmResult& arm : arms) {
    fmt::print("| {} | {} | {:.0f} % | {:.0f} % |\n", arm.name, arm.champions, 100 * arm.gained / gained,
               100 * static_cast<double>(arm.counts.moves) * arm.cost / moves);
  }
}

void run_all(const Settings& s) {
  int passed_over = 0;
  References references(s.references);
  std::vector<Case> cases = gather_cases(s, references, passed_over);
  if (s.champions) return print_champions(cases, s);
  std::vector<Variant> list = variants(s);
  std::erase_if(list, [&](const Variant& v) {
    if (s.only.empty()) return s.times && !v.timed;
    return std::find(s.only.begin(), s.only.end(), v.name) == s.only.end();
  });
  run_variants(cases, list, s);
  if (!s.times) return print_report(cases, list, passed_over, s);
  for (Case& c : cases) references.raise(c);
  references.save();
  print_classes(cases, list, passed_over, s);
  if (!s.figure.empty()) write_file_atomically(s.figure, gap_figure(cases, list, s));
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
    } else if (option == "--times") {
      s.times = value == "yes";
      s.named.clear();
      s.most_nodes = 250;
    } else if (option == "--champions") {
      s.champions = value == "yes";
    } else if (option == "--stream") {
      s.stream = value;
    } else if (option == "--references") {
      s.references = value;
    } else if (option == "--network") {
      s.networks.push_back(value);
    } else if (option == "--figure") {
      s.figure = value;
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
