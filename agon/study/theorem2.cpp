#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "agon/agent/paper_player.h"
#include "agon/base/parallel.h"
#include "agon/catalog/opponents.h"
#include "agon/catalog/scores.h"
#include "agon/certificate/plain_score.h"
#include "agon/data/simulate.h"
#include "agon/study/theorems.h"

namespace agon {
namespace {

constexpr int kSmallNodes = 4;
constexpr double kExploration = 0.5;  // eps, the share of moves drawn uniformly
constexpr int kEpisodeMoves = 16;     // longer than any shortest path between two DAGs of four nodes
constexpr int kWalks = 200;           // per problem and start
constexpr int kMatches = 40;          // of the learning agent, likewise
constexpr long kMostEpisodes = 100000;

// Every DAG of four nodes and the valid moves between them.
struct Board {
  std::vector<Dag> dags;
  std::vector<std::vector<int>> next;  // by DAG: where its moves lead
  std::map<uint32_t, int> place;       // of a DAG in the list, by its code
  size_t most_moves = 0;               // A_max
};

uint32_t code(const Dag& dag) {
  uint32_t bits = 0;
  for (const Edge& edge : dag.edges()) bits |= 1u << (edge.from * kSmallNodes + edge.to);
  return bits;
}

Board make_board() {
  Board board;
  board.dags.push_back(Dag(kSmallNodes));
  board.place[code(board.dags[0])] = 0;
  for (size_t at = 0; at < board.dags.size(); ++at) {
    board.next.emplace_back();
    for (Node from = 0; from < kSmallNodes; ++from) {
      for (Node to = 0; to < kSmallNodes; ++to) {
        const Dag here = board.dags[at];
        if (from == to) continue;
        std::vector<MoveKind> kinds = {MoveKind::kAdd};
        if (here.has_edge(to, from)) kinds = {};
        if (here.has_edge(from, to)) kinds = {MoveKind::kRemove, MoveKind::kReverse};
        for (const MoveKind kind : kinds) {
          Dag there = here;
          there.apply({kind, from, to});
          if (!is_acyclic(there)) continue;
          const auto [place, is_new] = board.place.try_emplace(code(there), static_cast<int>(board.dags.size()));
          if (is_new) board.dags.push_back(there);
          board.next[at].push_back(place->second);
        }
      }
    }
    board.most_moves = std::max(board.most_moves, board.next[at].size());
  }
  return board;
}

struct Start {
  int distance = 0;  // d, the length of the shortest improving path to a 1-optimal graph
  double bound = 1, mean = 0, error = 0, most = 0;

  void take(const std::vector<double>& episodes) {
    const double n = static_cast<double>(episodes.size());
    double sum = 0, squares = 0;
    for (const double e : episodes) sum += e, squares += e * e, most = std::max(most, e);
    mean = sum / n;
    error = std::sqrt(std::max(0.0, squares / n - mean * mean) / n);
  }
  bool holds() const { return mean - 3 * error <= bound; }
};
struct WalkedProblem {
  int optimal = 0;  // 1-optimal graphs
  Start warm, cold;
  Start warm_agent, cold_agent;
};

Start walk(const Board& board, const std::vector<double>& scores, const std::vector<int>& distance, int start,
           Rng rng) {
  Start out;
  out.distance = distance[start];
  out.bound = std::pow(kExploration / static_cast<double>(board.most_moves), -out.distance);
  std::vector<double> counts;
  for (int walk = 0; walk < kWalks; ++walk) {
    double episodes = 1;
    for (bool hit = distance[start] == 0; !hit && episodes < kMostEpisodes; episodes += !hit) {
      int at = start;
      for (int move = 0; move < kEpisodeMoves && !hit; ++move) {
        const std::vector<int>& next = board.next[at];
        if (rng.uniform() < kExploration) {
          at = next[rng.below(static_cast<int>(next.size()))];
        } else {
          at = *std::min_element(next.begin(), next.end(), [&](int a, int b) { return scores[a] < scores[b]; });
        }
        hit = distance[at] == 0;
      }
    }
    counts.push_back(episodes);
  }
  out.take(counts);
  return out;
}

// The published agent in place of the adversary: it learns while it plays, from a new network each time. The share of
// random moves stays at eps.
Start play_agent(const Board& board, const LocalScore& score, const std::vector<int>& distance, int start, Rng rng) {
  Start out;
  out.distance = distance[start];
  out.bound = std::pow(kExploration / static_cast<double>(board.most_moves), -out.distance);
  PaperOptions options{.episode_moves = kEpisodeMoves, .hidden = {32}, .batch = 16, .replay = 2000};
  options.exploration = {.from = kExploration, .floor = kExploration, .steps = 0};
  ColumnCache cache(score);
  const Knowledge nothing(kSmallNodes);
  std::vector<double> counts;
  for (int match = 0; match < kMatches; ++match) {
    Game game(cache, board.dags[start], {}, nothing);
    Champion champion{game.dag(), game.score(), {}};
    PaperPlayer player(game, options, rng.split("match", static_cast<uint64_t>(match)));
    long moves = 0;
    for (bool hit = distance[start] == 0; !hit && moves < kMostEpisodes; ++moves) {
      player.play(game, champion, {.moves = 1});
      hit = distance[board.place.at(code(game.dag()))] == 0;
    }
    counts.push_back(1 + static_cast<double>(std::max(0L, moves - 1) / kEpisodeMoves));
  }
  out.take(counts);
  return out;
}

WalkedProblem solve(const Board& board, const Rng& rng) {
  Rng draw = rng.split("size");
  const auto parents = random_graph({.nodes = kSmallNodes, .expected_edges = draw.uniform(2, 6)}, rng.split("graph"));
  const Dataset data = simulate_sem(parents, 200, {}, rng.split("rows")).data;
  const auto scorer = plain::gaussian_bic(data, ScoreOptions{}.penalty);
  const auto played = make_score("gaussian-bic", data, {});
  std::vector<double> scores;
  for (const Dag& dag : board.dags) scores.push_back(plain::total(*scorer, dag).score);
  const auto improves = [&](int a, int b) { return scores[b] > scores[a] + 1e-8 * (1 + std::abs(scores[a])); };

  // From the best graph downwards: an improving move leads to a graph whose distance is already known.
  std::vector<int> order(scores.size()), distance(scores.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return scores[a] > scores[b]; });
  WalkedProblem out;
  for (const int at : order) {
    int nearest = -1;
    for (const int there : board.next[at]) {
      if (improves(at, there) && (nearest < 0 || distance[there] < nearest)) nearest = distance[there];
    }
    distance[at] = nearest + 1;
    out.optimal += nearest < 0;
  }

  // The opponent does not see the rows of the score, but 40 other rows of the same model.
  const Dataset few = simulate_sem(parents, 40, {}, rng.split("few")).data;
  const auto score = make_score("gaussian-bic", few, {});
  const Dag empty(kSmallNodes);
  const Knowledge nothing(kSmallNodes);
  const Watch watch;
  const Dag warm = opponent_entry("hc")
                       .propose({.data = few,
                                 .score = *score,
                                 .start = empty,
                                 .knowledge = nothing,
                                 .rng = rng.split("opponent"),
                                 .watch = watch})
                       .dag;
  const auto place = std::find(board.dags.begin(), board.dags.end(), warm) - board.dags.begin();
  out.warm = walk(board, scores, distance, static_cast<int>(place), rng.split("warm"));
  out.cold = walk(board, scores, distance, 0, rng.split("cold"));
  out.warm_agent = play_agent(board, *played, distance, static_cast<int>(place), rng.split("warm agent"));
  out.cold_agent = play_agent(board, *played, distance, 0, rng.split("cold agent"));
  return out;
}

}  // namespace

Study study_theorem2(const StudyOptions& options, const Watch& watch) {
  const int problems = options.trials > 0 ? options.trials : kTheorem2Problems;
  const Rng root = Rng(options.seed).split("theorem2");
  const Board board = make_board();
  std::vector<WalkedProblem> solved(static_cast<size_t>(problems));
  parallel_for(problems, options.threads, [&](int i) {
    if (!watch.was_interrupted()) {
      solved[static_cast<size_t>(i)] = solve(board, root.split("problem", static_cast<uint64_t>(i)));
    }
  });
  if (watch.was_interrupted()) throw std::runtime_error("interrupted");

  Study study;
  study.headings = {"problem", "player",        "start",          "distance",      "a_max", "eps",
                    "bound",   "mean_episodes", "standard_error", "most_episodes", "holds"};
  struct Sum {
    int starts = 0;
    double episodes = 0, agent = 0, bound = 1;
  };
  std::map<int, Sum> by_distance;
  int broken = 0;
  double warm = 0, cold = 0, warm_agent = 0, cold_agent = 0;
  for (size_t i = 0; i < solved.size(); ++i) {
    const WalkedProblem& p = solved[i];
    warm += p.warm.mean / problems;
    cold += p.cold.mean / problems;
    warm_agent += p.warm_agent.mean / problems;
    cold_agent += p.cold_agent.mean / problems;
    const auto add_row = [&](const std::string& player, const std::string& start, const Start& s) {
      broken += !s.holds();
      study.rows.push_back({std::to_string(i), player, start, std::to_string(s.distance),
                            std::to_string(board.most_moves), fmt::format("{}", kExploration),
                            fmt::format("{}", s.bound), fmt::format("{}", s.mean), fmt::format("{}", s.error),
                            fmt::format("{}", s.most), s.holds() ? "1" : "0"});
    };
    add_row("adversary", "warm", p.warm);
    add_row("adversary", "cold", p.cold);
    add_row("agent", "warm", p.warm_agent);
    add_row("agent", "cold", p.cold_agent);
    for (const auto& [walked, played] : {std::pair(&p.warm, &p.warm_agent), std::pair(&p.cold, &p.cold_agent)}) {
      Sum& sum = by_distance[walked->distance];
      sum.starts += 1;
      sum.episodes += walked->mean;
      sum.agent += played->mean;
      sum.bound = walked->bound;
    }
  }
  FigureSeries measured{.name = "adversary, mean", .points = {}},
      bound{.name = "bound", .colour = "#a33", .points = {}};
  FigureSeries agent{.name = "learning agent, mean", .colour = "#2a7d3f", .points = {}};
  bound.dashed = true;
  study.table_headings = {">distance", ">starts", ">episodes: adversary", ">learning agent", ">bound"};
  for (const auto& [distance, sum] : by_distance) {
    const double mean = sum.episodes / sum.starts;
    study.table.push_back({std::to_string(distance), std::to_string(sum.starts), fmt::format("{:.2f}", mean),
                           fmt::format("{:.2f}", sum.agent / sum.starts), fmt::format("{:.4g}", sum.bound)});
    measured.points.push_back({static_cast<double>(distance), mean});
    agent.points.push_back({static_cast<double>(distance), sum.agent / sum.starts});
    bound.points.push_back({static_cast<double>(distance), sum.bound});
  }
  study.holds = broken == 0 && warm <= cold && warm_agent <= cold_agent;
  study.verdict = fmt::format(
      "Theorem 2 {}: {} of {} means stay under the bound; the adversary takes {:.2f} episodes on average from the "
      "opponent's graph and {:.2f} from the empty one, the learning agent {:.2f} and {:.2f}.",
      study.holds ? "holds" : "FAILS", 4 * problems - broken, 4 * problems, warm, cold, warm_agent, cold_agent);
  study.notes = {fmt::format(
      "{} nodes, A_max {}, eps {}, {} moves per episode. The adversary's other moves go where the score is "
      "lowest; {} walks per start. The learning agent is the published one with a small network, {} matches "
      "per start, each with a new network",
      kSmallNodes, board.most_moves, kExploration, kEpisodeMoves, kWalks, kMatches)};
  study.figure = {.title = "Episodes until a 1-optimal graph",
                  .x = "distance of the start, moves",
                  .left = "episodes",
                  .right = "",
                  .log_left = true};
  study.figure.series = {measured, agent, bound};
  return study;
}

}  // namespace agon
