// Times play: moves per second by challenger and table, from the graph GES finds, and where the time of a move is
// spent. CPU time of one thread; all of it takes about a minute.
//
//   match_bench                 all tables
//   match_bench alarm andes     some of them
//
// A move is one edit that the game counts; taking it back is included in its time and not counted. `us` is measured
// from an empty cache of columns. `cached` is the same play again, with the same seed and every column in the cache:
// the cost of a move without computing columns.
//
// The split is measured by replaying. An onlooker records everything that happens to the game in one play; then the
// same events are replayed with one part of the work added at a time, and a part costs what it adds (least of five
// runs):
//
//   mask      which node reaches which (LiveDag), drawing valid edits and finding the best move of an ascent (local),
//             the moves worth considering (flat), all valid moves (paper)
//   hits      updating gains from columns in the cache, and the rest of Game::play: the validity of the one move, its
//             reward
//   misses    computing columns: the events replayed with an empty cache, minus those with a full one
//   features  of the moves drawn or found   network  forward passes         update  steps of Double DQN, timed alone
//   rest      the actual play minus all of these: replay memory, acceptance, champions; and noise, so it may be
//             negative
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>

#include "agon/agent/challengers.h"
#include "agon/agent/flat_player.h"
#include "agon/agent/paper_player.h"
#include "agon/agent/proposer.h"
#include "agon/catalog/scores.h"
#include "agon/data/embedded.h"
#include "agon/data/simulate.h"
#include "agon/opponent/ges.h"
#include "bench/clock.h"

namespace {

using namespace agon;
using bench::cpu_seconds;

constexpr double kPlaySeconds = 0.25;  // for each challenger on each table, roughly
constexpr long kSliceMoves = 250;
constexpr long kRecordedMoves = 4000;

const Knowledge kNothing;

struct Table {
  Table(std::string table_name, Dataset table, const std::string& score_name)
      : name(std::move(table_name)),
        data(std::move(table)),
        score(make_score(score_name, data)),
        start(ges(*score).dag) {}
  std::string name;
  Dataset data;
  std::unique_ptr<LocalScore> score;
  Dag start;
};

Table gaussian(int nodes) {
  const Rng rng(1);
  const auto parents = random_graph({.nodes = nodes, .average_degree = 6}, rng.split("graph"));
  return Table(fmt::format("gaussian {}", nodes), simulate_sem(parents, 1000, {}, rng.split("data")).data,
               "gaussian-bic");
}

// 1. Moves per second.

struct Speed {
  long moves = 0;
  double seconds = 0, cached = 0;  // cached = 0: not measured
  CacheCounts counts;
};

// Plays slices until the time is used, or `slices` of them; returns the number of slices.
long play(const Table& table, ColumnCache& cache, const Arm& arm, long slices, Speed& speed, double& seconds) {
  Game game(cache, table.start, {}, kNothing);
  Champion champion{table.start, game.score(), {}};
  const std::unique_ptr<Challenger> player = arm.make(game, Rng(1));
  const double begin = cpu_seconds();
  long done = 0;
  while (slices > 0 ? done < slices : done == 0 || cpu_seconds() - begin < kPlaySeconds) {
    player->play(game, champion, {.moves = kSliceMoves});
    ++done;
  }
  seconds = cpu_seconds() - begin;
  speed.moves = game.moves();
  return done;
}

Speed time_play(const Table& table, const Arm& arm) {
  Speed speed;
  ColumnCache cache(*table.score);
  const long slices = play(table, cache, arm, 0, speed, speed.seconds);
  speed.counts = cache.counts();
  play(table, cache, arm, slices, speed, speed.cached);
  return speed;
}

void print_speed(const Table& table, const std::string& name, const Speed& s) {
  const double moves = static_cast<double>(s.moves), looks = static_cast<double>(s.counts.columns + s.counts.hits);
  fmt::print("{:<13} {:<23} {:>9.0f} {:>10.2f} {:>10} {:>8.3f}\n", table.name, name, moves / s.seconds,
             1e6 * s.seconds / moves, s.cached > 0 ? fmt::format("{:.2f}", 1e6 * s.cached / moves) : "-",
             static_cast<double>(s.counts.hits) / looks);
  std::fflush(stdout);
}

// 2. Recording and replaying.

struct Event {
  GameEvent what;
  EdgeMove move{MoveKind::kAdd, 0, 0};
  bool made = false;
  int number = 0;  // reset: which graph; first edit of a perturbation: how many edits it has
};

struct Recording {
  std::vector<Event> events;
  std::vector<Dag> graphs;
  Dag end;                    // the last graph of the play; a replay must end there too
  long moves = 0, edits = 0;  // edits: moves that are not steepest ascent
  double seconds = 0;         // of the play without an onlooker, from an empty cache; the smaller of two
};

Recording record(const Table& table, const Arm& arm, long moves) {
  Recording out;
  out.seconds = 1e300;
  for (bool observed : {false, false, true}) {
    ColumnCache cache(*table.score);
    Game game(cache, table.start, {}, kNothing);
    Champion champion{table.start, game.score(), {}};
    const std::unique_ptr<Challenger> player = arm.make(game, Rng(1));
    bool climbing = false;
    size_t first_edit = 0;  // 1 + index of the event that began the perturbation
    if (observed) {
      game.set_onlooker([&](const Game& told, GameEvent what, const Undo& undo) {
        Event event{what, undo.move, undo.made, 0};
        if (what == GameEvent::kReset) {
          event.number = static_cast<int>(out.graphs.size());
          out.graphs.push_back(told.dag());
        }
        out.events.push_back(event);
        if (what == GameEvent::kAscentBegins || what == GameEvent::kAscentEnds) {
          climbing = what == GameEvent::kAscentBegins;
          first_edit = 0;
        }
        if (what != GameEvent::kPlayed) return;
        ++out.moves;
        if (climbing) return;
        ++out.edits;
        if (first_edit == 0) first_edit = out.events.size();
        ++out.events[first_edit - 1].number;
      });
    }
    const double begin = cpu_seconds();
    player->play(game, champion, {.moves = moves});
    out.end = game.dag();
    if (!observed) out.seconds = std::min(out.seconds, cpu_seconds() - begin);
  }
  return out;
}

// How much of a challenger's work a replay does in addition to the moves: each depth adds a part.
enum Depth { kPlain, kMask, kFeatures, kNetwork };
constexpr int kDepths = 4;

// Work added to a replay.
struct Extra {
  virtual ~Extra() = default;
  virtual void before_edit(const Game&, EdgeMove, int /*length, at the first edit*/) {}
  virtual void before_climb(const Game&) {}
  virtual void played(const Game&, const Undo&) {}
  virtual void reset(const Game&) {}
};

double replay_once(const Table& table, ColumnCache& cache, const Recording& recording, Extra& extra) {
  Game game(cache, table.start, {}, kNothing);
  bool climbing = false;
  const double begin = cpu_seconds();
  for (const Event& event : recording.events) {
    switch (event.what) {
      case GameEvent::kPlayed:
        if (climbing) {
          extra.before_climb(game);
        } else {
          extra.before_edit(game, event.move, event.number);
        }
        extra.played(game, game.play(event.move));
        break;
      case GameEvent::kTakenBack:
        game.take_back({event.move, event.made, 0, 0});
        break;
      case GameEvent::kReset:
        game.reset(recording.graphs[event.number]);
        extra.reset(game);
        break;
      case GameEvent::kAscentBegins:
        climbing = true;
        break;
      case GameEvent::kAscentEnds:
        extra.before_climb(game);  // the last look, which finds no gaining move
        climbing = false;
        break;
    }
  }
  const double taken = cpu_seconds() - begin;
  if (game.dag() != recording.end) fmt::print("{}: the replay ended in ANOTHER GRAPH\n", table.name);
  return taken;
}

constexpr int kRuns = 5;

// The least time of each depth. The depths take turns, so that a busy moment of the machine affects all of them.
template <class MakeExtra>
std::array<double, kDepths> replay(const Table& table, ColumnCache& cache, const Recording& recording, MakeExtra make) {
  std::array<double, kDepths> least;
  least.fill(1e300);
  for (int run = 0; run < kRuns; ++run) {
    for (int depth = 0; depth < kDepths; ++depth) {
      auto extra = make(static_cast<Depth>(depth));
      least[depth] = std::min(least[depth], replay_once(table, cache, recording, extra));
    }
  }
  return least;
}

// The graph alone, without gains.
double replay_graph(const Table& table, const Recording& recording) {
  double least = 1e300;
  for (int run = 0; run < kRuns; ++run) {
    LiveDag live(table.start);
    const double begin = cpu_seconds();
    for (const Event& event : recording.events) {
      if (event.what == GameEvent::kPlayed && event.made) live.apply(event.move);
      if (event.what == GameEvent::kTakenBack && event.made) live.apply(inverse(event.move));
      if (event.what == GameEvent::kReset) live = LiveDag(recording.graphs[event.number]);
    }
    least = std::min(least, cpu_seconds() - begin);
  }
  return least;
}

struct Split {
  double mask = 0, hits = 0, misses = 0, features = 0, network = 0, update = 0;
};

// The least time of one update on batches drawn from the transitions.
template <class Q>
double time_update(DoubleDqn<Q>& dqn, const std::vector<typename Q::Transition>& all, int batch_size, int updates) {
  Rng rng(2);
  std::vector<const typename Q::Transition*> batch;
  return bench::least_seconds(
             [&] {
               for (int k = 0; k < updates; ++k) {
                 batch.clear();
                 for (int b = 0; b < batch_size; ++b) batch.push_back(&all[rng.below(static_cast<int>(all.size()))]);
                 dqn.update(batch);
               }
             },
             0.05, 5) /
         updates;
}

// The cost of each part of a play, up to the network. Fills `cache`.
template <class MakeExtra>
Split split_play(const Table& table, const Recording& recording, ColumnCache& cache, MakeExtra make) {
  ColumnCache other(*table.score);
  Extra nothing;
  const double cold =
      std::min(replay_once(table, cache, recording, nothing), replay_once(table, other, recording, nothing));
  const auto time = replay(table, cache, recording, make);
  const double graph = replay_graph(table, recording);
  Split split;
  split.mask = graph + time[kMask] - time[kPlain];
  split.hits = time[kPlain] - graph;
  split.misses = cold - time[kPlain];
  split.features = time[kFeatures] - time[kMask];
  split.network = time[kNetwork] - time[kFeatures];
  return split;
}

// 3. The local challenger.

struct LocalExtra : Extra {
  LocalExtra(const Table& table, const LocalOptions& o, Depth to)
      : depth(to),
        options(o),
        drawer(table.data.size(), uniform(o.proposal)),
        learned({.inputs = kEditFeatures, .hidden = o.hidden, .outputs = 1}, Rng(3)) {}

  static ProposalOptions uniform(ProposalOptions proposal) {
    proposal.kind = ProposalKind::kUniform;
    return proposal;
  }

  void before_climb(const Game& game) override {
    if (depth >= kMask) found += game.best_gaining_move().has_value();
  }
  void before_edit(const Game& game, EdgeMove move, int length) override {
    if (depth < kMask) return;
    if (length > 0) drawer.begin(length);
    columns.resize(kEditFeatures, options.proposal.shortlist);
    long drawn = 0;
    for (int k = 0; k < options.proposal.shortlist; ++k) {
      const std::optional<EdgeMove> candidate = drawer.next(game, rng);
      if (!candidate) break;
      if (depth >= kFeatures) drawer.features().write(game, *candidate, columns.col(drawn).data());
      ++drawn;
    }
    if (depth >= kNetwork) {
      for (long k = 0; k < drawn; ++k) sum += shipped_proposal().forward_one(columns.col(k), work)[0];
      for (long k = 0; k < drawn; ++k) sum += learned.forward_one(columns.col(k), learned_work)[0];
    }
    drawer.played(move);
    if (keep) keep->push_back(columns.leftCols(std::max(1L, drawn)));
  }

  Depth depth;
  LocalOptions options;
  Proposer drawer;
  Mlp learned;
  Rng rng{4};
  NetMatrix<float> columns;
  MlpWork<float> work, learned_work;
  double sum = 0;
  long found = 0;
  std::vector<NetMatrix<float>>* keep = nullptr;
};

Split split_local(const Table& table, const LocalOptions& options, const Recording& recording) {
  ColumnCache cache(*table.score);
  Split split = split_play(table, recording, cache, [&](Depth depth) { return LocalExtra(table, options, depth); });
  std::vector<NetMatrix<float>> seen;
  LocalExtra keeper(table, options, kFeatures);
  keeper.keep = &seen;
  replay_once(table, cache, recording, keeper);
  std::vector<MoveScorer<float>::Transition> all;
  for (size_t k = 0; k + 1 < seen.size(); ++k) {
    all.push_back({seen[k].col(0), 0, 0, false, seen[k + 1], NetVector<float>::Zero(seen[k + 1].cols())});
  }
  DoubleDqn<MoveScorer<float>> dqn(keeper.learned, {}, {.discount = 1, .target_rate = 0.01, .huber = 1});
  split.update = time_update(dqn, all, options.batch, 200) * static_cast<double>(recording.edits) / options.train_every;
  return split;
}

// 4. The flat challenger.

struct FlatExtra : Extra {
  FlatExtra(const Table& table, const Game& game, const FlatOptions& o, Depth to)
      : depth(to),
        options(o),
        champion{table.start, game.score(), {}},
        sieve(game, {.most = o.shortlist}),
        features(table.start),
        net({.inputs = kFlatFeatures, .hidden = o.hidden, .outputs = 1}, Rng(3)) {}

  void before_edit(const Game& game, EdgeMove move, int) override {
    if (depth < kMask) return;
    sieve.find(game, 2 * options.discount * options.bound, found);
    const bool explores = rng.uniform() < epsilon_at(options.exploration, step++);
    if (explores) sum += random_valid_move(game, rng)->to;
    if (depth < kFeatures) return;
    columns.resize(kFlatFeatures, static_cast<long>(found.size()) + 1);  // the last: the move made, written once more
    for (size_t k = 0; k <= found.size(); ++k) {
      features.write(game, sieve.blocked(), champion, champion.score, k < found.size() ? found[k].move : move,
                     columns.col(static_cast<long>(k)).data());
    }
    if (keep) keep->push_back(columns);
    if (depth >= kNetwork && !explores) sum += net.forward(columns.leftCols(columns.cols() - 1), work)(0, 0);
  }
  void played(const Game& game, const Undo& undo) override {
    if (depth < kMask) return;
    sieve.refresh(game, undo.move);
    dirty.push_back(undo.move.to);
    if (undo.move.kind == MoveKind::kReverse) dirty.push_back(undo.move.from);
    if (depth >= kFeatures) features.played(undo.move);
  }
  void reset(const Game& game) override {
    if (depth < kMask) return;
    for (Node v : dirty) sieve.refresh(game, v);
    dirty.clear();
    if (depth >= kFeatures) features.begin_episode(std::min(20 * game.size(), 300));
  }

  Depth depth;
  FlatOptions options;
  Champion champion;
  MoveSieve sieve;
  FlatFeatures features;
  Mlp net;
  Rng rng{4};
  long step = 0;
  std::vector<WorthyMove> found;
  std::vector<Node> dirty;
  NetMatrix<float> columns;
  MlpWork<float> work;
  double sum = 0;
  std::vector<NetMatrix<float>>* keep = nullptr;
};

Split split_flat(const Table& table, const FlatOptions& options, const Recording& recording) {
  ColumnCache cache(*table.score);
  const Game at_start(cache, table.start, {}, kNothing);
  Split split =
      split_play(table, recording, cache, [&](Depth depth) { return FlatExtra(table, at_start, options, depth); });
  std::vector<NetMatrix<float>> seen;
  FlatExtra keeper(table, at_start, options, kFeatures);
  keeper.keep = &seen;
  replay_once(table, cache, recording, keeper);
  std::vector<MoveScorer<float>::Transition> all;
  for (size_t k = 0; k + 1 < seen.size(); ++k) {
    all.push_back({seen[k].col(0), 0, 0, false, seen[k + 1], NetVector<float>::Zero(seen[k + 1].cols())});
  }
  DoubleDqn<MoveScorer<float>> dqn(keeper.net, {.weight = 1, .bound = 1}, {.discount = 0.95, .huber = 1});
  split.update = time_update(dqn, all, options.batch, 100) * static_cast<double>(recording.moves) / options.train_every;
  return split;
}

void print_split(const Table& table, const std::string& name, const Recording& r, const Split& s) {
  const double unit = 1e6 / static_cast<double>(r.moves);
  const double rest = r.seconds - s.mask - s.hits - s.misses - s.features - s.network - s.update;
  fmt::print("{:<13} {:<23} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f}\n", table.name,
             name, unit * r.seconds, unit * s.mask, unit * s.hits, unit * s.misses, unit * s.features, unit * s.network,
             unit * s.update, unit * rest);
  std::fflush(stdout);
}

// 5. The paper's challenger. Its update is timed as part of play: the time with learning minus that of the unlearned
// twin and the forward pass. Moves before the first update are not timed. Its columns are in `rest`.

struct Paper {
  Speed speed;
  Recording recording;  // totals only
  Split split;
};

Paper time_paper(const Table& table, long moves) {
  Paper out;
  const auto run = [&](bool learning, long count) {
    PaperOptions options;
    options.learning = learning;
    ColumnCache cache(*table.score);
    Game game(cache, table.start, {}, kNothing);
    Champion champion{table.start, game.score(), {}};
    PaperPlayer player(game, options, Rng(1));
    player.play(game, champion, {.moves = options.batch});
    const double begin = cpu_seconds();
    player.play(game, champion, {.moves = count});
    out.speed.counts = cache.counts();
    return (cpu_seconds() - begin) / static_cast<double>(count);
  };
  const double twin = run(false, 2000), learning = run(true, moves);
  const int p = table.data.size();
  ColumnCache cache(*table.score);
  const Game game(cache, table.start, {}, kNothing);
  PaperLearner learner(p, Mlp({.inputs = p * p, .hidden = {512, 512}, .outputs = 3 * p * (p - 1)}, Rng(1)), {});
  FirstLayer first;
  first.rebuild(learner.online(), game.dag());
  std::vector<EdgeMove> valid;
  EdgeMove best{MoveKind::kAdd, 0, 0};
  const double mask = bench::least_seconds([&] { valid = game.valid_moves(); }, 0.05, 99);
  const double forward = bench::least_seconds([&] { best = learner.best(first, valid); }, 0.05, 99);
  if (!game.is_valid(best)) fmt::print("the paper's network chose a move that is not valid\n");
  const double n = static_cast<double>(moves);
  out.speed.moves = out.recording.moves = moves;
  out.speed.seconds = out.recording.seconds = learning * n;
  out.split = {.mask = mask * n, .network = forward * n, .update = (learning - twin - forward) * n};
  return out;
}

// 6. Everything together.

std::vector<Arm> arms_to_time() {
  std::vector<Arm> arms;
  ChallengerOptions options{.name = "local"};
  for (ProposalKind kind :
       {ProposalKind::kUniform, ProposalKind::kDelta, ProposalKind::kRule, ProposalKind::kTrained}) {
    options.local.proposal.kind = kind;
    arms.push_back(make_arms(options)[0]);
  }
  options.local.learning = true;
  arms.push_back(make_arms(options)[0]);
  options.name = "flat";
  for (bool learning : {true, false}) {
    options.flat.learning = learning;
    arms.push_back(make_arms(options)[0]);
  }
  return arms;
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = [&](const std::string& name) {
    return argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* a) { return name == a; });
  };
  std::vector<Table> tables;
  for (const char* name : {"asia", "child", "alarm", "hepar2", "andes"}) {
    if (wanted(name)) tables.emplace_back(name, embedded_table(name), "discrete-bic");
  }
  for (int nodes : {30, 100}) {
    if (wanted(fmt::format("gaussian {}", nodes))) tables.push_back(gaussian(nodes));
  }
  std::vector<std::pair<const Table*, Paper>> paper;
  std::map<std::string, std::vector<double>> cost;  // of a move relative to the first's; by challenger, table
  fmt::print("{:<13} {:<23} {:>9} {:>10} {:>10} {:>8}\n", "play from GES", "challenger", "moves/s", "us/move", "cached",
             "hits");
  for (const Table& table : tables) {
    double unit = 0;
    for (const Arm& arm : arms_to_time()) {
      const Speed speed = time_play(table, arm);
      print_speed(table, arm.name, speed);
      const double per_move = speed.seconds / static_cast<double>(speed.moves);
      if (unit <= 0) unit = per_move;
      if (table.data.size() >= 30) cost[arm.name].push_back(per_move / unit);
    }
    if (table.name == "asia" || table.name == "child") {
      paper.emplace_back(&table, time_paper(table, table.name == "asia" ? 30 : 12));
      print_speed(table, "paper", paper.back().second.speed);
    }
  }
  fmt::print("\n{:<13} {:<23} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "us per move", "challenger", "all",
             "mask", "hits", "misses", "features", "network", "update", "rest");
  for (const Table& table : tables) {
    ChallengerOptions options{.name = "local"};
    options.local.learning = true;
    const Arm local = make_arms(options)[0];
    const Recording local_play = record(table, local, kRecordedMoves);
    print_split(table, local.name, local_play, split_local(table, options.local, local_play));
    options.name = "flat";
    const Arm flat = make_arms(options)[0];
    const Recording flat_play = record(table, flat, kRecordedMoves);
    print_split(table, flat.name, flat_play, split_flat(table, options.flat, flat_play));
    for (const auto& [of, figures] : paper) {
      if (of == &table) print_split(table, "paper", figures.recording, figures.split);
    }
  }
  if (!cost.empty())
    fmt::print("\n{:<37} {:>9} {:>9}\n", "cost of a move, median from 30 nodes up", "measured", "in table");
  for (const Arm& arm : arms_to_time()) {
    std::vector<double>& of = cost[arm.name];
    if (of.empty()) continue;
    std::sort(of.begin(), of.end());
    fmt::print("{:<37} {:>9.2f} {:>9.2f}\n", arm.name, of[of.size() / 2], arm.cost);
  }
}
