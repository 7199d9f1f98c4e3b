#include "agon/match/match.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "agon/base/parallel.h"
#include "agon/graph/central_member.h"
#include "agon/graph/graph_archive.h"

namespace agon {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// One seat at the table: a game, its own cache and random stream, and the best graph this player has seen since it was
// last given one.
struct Player {
  ColumnCache cache;
  Game game;
  Champion best;
  size_t arm;
  std::unique_ptr<Challenger> challenger;
  PlayCounts counts;    // of the last round
  double gained = 0;    // in the last round
  int idle_rounds = 0;  // rounds since its best last rose

  Player(const LocalScore& score, const Dag& start, const GameOptions& options, const Knowledge& knowledge,
         size_t cache_bytes, size_t arm_number)
      : cache(score, cache_bytes), game(cache, start, options, knowledge), arm(arm_number) {
    best.dag = start;
    best.score = game.score();
  }

  void restart(const Dag& dag) {
    game.reset(dag);
    best.dag = dag;
    best.score = game.score();
    challenger->set_warm_start(game);
    idle_rounds = 0;
  }

  void play(long moves, double tolerance, const Watch& watch) {
    const double before = best.score;
    counts = challenger->play(game, best, {.moves = moves}, watch);
    gained = best.score - before;
    idle_rounds = gained > tolerance ? 0 : idle_rounds + 1;
  }

  // Between two rounds.
  void exchange_state(Archive& archive) {
    Dag stands = game.dag();
    archive(stands);
    archive(best.dag);
    archive(best.score);
    archive(idle_rounds);
    Archive::demand(stands.size() == game.size() && best.dag.size() == game.size());
    if (archive.reads()) game.reset(stands);
    challenger->exchange_state(archive, game);
  }
};

// A player that has not risen for this many rounds while others stand higher goes on from the champion.
constexpr int kLonelyRounds = 2;

// Keeps the points of every 1st, 2nd, 4th, ... round: as many as a chart can show.
class Trace {
 public:
  explicit Trace(std::vector<TracePoint>& points) : points_(points) {}
  void begin_round() {
    ++round_;
    if (points_.size() < kMostPoints) return;
    stride_ *= 2;
    size_t kept = 0;
    for (size_t k = 0; k < points_.size(); ++k) {
      if (rounds_[k] % stride_ != 0) continue;
      points_[kept] = points_[k];
      rounds_[kept++] = rounds_[k];
    }
    points_.resize(kept);
    rounds_.resize(kept);
  }
  void add(const TracePoint& point) {
    if (round_ % stride_ != 0) return;
    points_.push_back(point);
    rounds_.push_back(round_);
  }
  void exchange_state(Archive& archive) {
    archive(points_);
    archive(rounds_);
    archive(round_);
    archive(stride_);
    Archive::demand(points_.size() == rounds_.size() && stride_ > 0);
  }

 private:
  static constexpr size_t kMostPoints = 1500;
  std::vector<TracePoint>& points_;
  std::vector<long> rounds_;  // of each point
  long round_ = -1, stride_ = 1;
};

void add(PlayCounts& sum, const PlayCounts& part) {
  sum.moves += part.moves;
  sum.episodes += part.episodes;
  sum.accepted += part.accepted;
  sum.improved += part.improved;
}

// How far a match had come when it was kept.
enum class Stage { kProposing, kPlaying, kPlayed };

// What a match is between two rounds, beside its proposals. The players are of no use once play has ended.
struct Standing {
  MatchResult& out;
  Trace& trace;
  ArmBandit& bandit;
  long& last_rise;
  std::vector<std::unique_ptr<Player>>& players;

  void exchange_state(Archive& archive, Stage stage) const {
    archive(out.champion);
    archive(out.score);
    archive(out.found_by);
    archive(out.history);
    archive(out.candidates);
    archive(out.counts);
    archive(out.stopped_by);
    const size_t arms = out.arms.size();
    archive(out.arms);
    Archive::demand(out.arms.size() == arms);
    trace.exchange_state(archive);
    bandit.exchange_state(archive);
    archive(last_rise);
    if (stage != Stage::kPlaying) return;
    for (const auto& player : players) player->exchange_state(archive);
  }
};

constexpr const char* kPart = "match";  // of the checkpoint

void keep(Checkpoint& checkpoint, std::vector<Proposal>& proposals, Stage stage, const Standing* standing) {
  Archive archive;
  archive(stage);
  archive(proposals);
  if (standing) standing->exchange_state(archive, stage);
  checkpoint.save(kPart, archive.bytes());
}

}  // namespace

// Found by Archive through its argument, hence outside the unnamed namespace.
void exchange(Archive& archive, SearchResult& result) {
  archive(result.dag);
  archive(result.score);
  archive(result.steps);
  archive(result.counts);
  archive(result.stopped_by);
  archive(result.cpdag);
  archive(result.pag);
  archive(result.story);
}

void exchange(Archive& archive, Proposal& proposal) {
  archive(proposal.name);
  archive(proposal.result);
  archive(proposal.seconds);
}

void exchange(Archive& archive, HistoryPoint& point) {
  archive(point.moves);
  archive(point.seconds);
  archive(point.score);
  archive(point.found_by);
}

void exchange(Archive& archive, ArmResult& arm) {
  archive(arm.name);
  archive(arm.cost);
  archive(arm.counts);
  archive(arm.gained);
  archive(arm.champions);
}

long default_moves(int nodes) { return nodes <= 1 ? 0 : 20 * default_patience(nodes); }

long default_patience(int nodes) { return std::clamp(20'000'000L / std::max(1, nodes), 60'000L, 300'000L); }

MatchResult play_match(const LocalScore& score, const std::vector<Entrant>& entrants, const MatchOptions& options,
                       const Knowledge& knowledge, Rng rng, const Watch& watch) {
  if (entrants.empty()) throw std::invalid_argument("a match needs an opponent");
  const double tolerance = tie_tolerance(score);
  MatchResult out;

  // 0. What was done of this match before.
  Checkpoint* const checkpoint = options.checkpoint;
  const std::string* const saved = checkpoint ? checkpoint->part(kPart) : nullptr;
  const std::string kept = saved ? *saved : "";  // the checkpoint changes when it is saved again
  Archive archive{std::string_view(kept)};
  Stage stage = Stage::kProposing;
  std::vector<Proposal> proposed;
  if (saved) {
    archive(stage);
    archive(proposed);
    Archive::demand(proposed.size() <= entrants.size());
  }
  const auto before = std::chrono::duration<double>(checkpoint ? checkpoint->seconds_before() : 0);
  const auto start = Clock::now() - std::chrono::duration_cast<Clock::duration>(before);

  // 1. The opponents propose. The first of the best is the champion to begin with.
  int most_edges = 0;
  for (size_t k = 0; k < entrants.size(); ++k) {
    Proposal proposal;
    if (k < proposed.size()) {
      proposal = std::move(proposed[k]);
    } else {
      const auto began = Clock::now();
      proposal = {entrants[k].name, entrants[k].propose(watch), 0};
      proposal.seconds = seconds_since(began);
    }
    most_edges = std::max(most_edges, proposal.result.dag.edge_count());
    out.candidates.push_back(proposal.result.dag);
    out.opponents.push_back(std::move(proposal));
    const size_t last = out.opponents.size() - 1;
    if (last == 0 || out.opponents[last].result.score > out.opponents[out.best_opponent].result.score + tolerance) {
      out.best_opponent = last;
    }
    if (checkpoint && k >= proposed.size() && !watch.stop_requested()) {
      keep(*checkpoint, out.opponents, Stage::kProposing, nullptr);
    }
  }
  const Proposal& best_opponent = out.opponents[out.best_opponent];
  out.champion = best_opponent.result.dag;
  out.score = best_opponent.result.score;
  out.found_by = best_opponent.name;
  out.history.push_back({0, seconds_since(start), out.score, out.found_by});

  const int p = score.size();
  GameOptions game_options = options.game;
  game_options.edge_budget =
      options.game.edge_budget > 0 ? std::max(options.game.edge_budget, most_edges) : std::max(2 * most_edges, 4 * p);
  out.edge_budget = game_options.edge_budget;
  const auto crown = [&](const Champion& found, const std::string& by) {
    if (found.score <= out.score + tolerance) return false;
    out.champion = found.dag;
    out.score = found.score;
    out.found_by = by;
    out.candidates.push_back(found.dag);
    out.history.push_back({out.counts.moves, seconds_since(start), found.score, by});
    return true;
  };

  // 2. Play, in rounds. Every opponent's graph is somebody's warm start.
  const long budget = options.moves < 0 ? default_moves(p) : options.moves;
  if (options.challenger.kind == ChallengerKind::kPaper && budget > 0) {
    refuse_what_is_too_much(p, options.challenger.paper, budget, watch.deadline.has_value());
  }
  const std::vector<Arm> arms = make_arms(options.challenger);
  out.challenger = to_string(options.challenger.kind);
  const size_t seats = std::max({arms.size(), static_cast<size_t>(std::max(1, options.players)), entrants.size()});
  std::vector<double> weights;
  for (const Arm& arm : arms) {
    weights.push_back(arm.weight);
    out.arms.push_back({arm.name, arm.cost, {}, 0, 0});
  }
  ArmBandit bandit(weights);
  std::vector<std::unique_ptr<Player>> players;
  std::vector<int> seats_of(arms.size(), 0);
  for (size_t k = 0; budget > 0 && stage != Stage::kPlayed && k < seats; ++k) {
    const size_t of = k < entrants.size() ? k : out.best_opponent;
    players.push_back(std::make_unique<Player>(score, out.opponents[of].result.dag, game_options, knowledge,
                                               options.cache_bytes / seats, k % arms.size()));
    Player& player = *players.back();
    player.challenger = arms[player.arm].make(player.game, rng.split("player", k));
    ++seats_of[player.arm];
  }
  out.stopped_by = "moves";
  const long patience = options.patience < 0 ? default_patience(p) : options.patience;
  long last_rise = 0;
  Trace trace(out.trace);
  const Standing standing{out, trace, bandit, last_rise, players};
  if (saved && stage != Stage::kProposing) standing.exchange_state(archive, stage);
  if (saved) archive.finish();
  while (stage != Stage::kPlayed && out.counts.moves < budget) {
    const std::string stop = watch.stop_reason();
    if (!stop.empty()) {
      out.stopped_by = stop;
      break;
    }
    if (out.counts.moves - last_rise >= patience) {
      out.stopped_by = "no gain expected";
      break;
    }
    // Shares are parts of the cost; a dear arm makes fewer moves with the same share.
    const std::vector<double> share = bandit.shares();
    double moves_per_cost = 0;
    for (size_t a = 0; a < arms.size(); ++a) moves_per_cost += share[a] / arms[a].cost;
    const double round =
        static_cast<double>(std::min(options.round_moves * static_cast<long>(seats), budget - out.counts.moves));
    parallel_for(static_cast<int>(seats), options.threads, [&](int k) {
      Player& player = *players[k];
      const double part = share[player.arm] / arms[player.arm].cost / moves_per_cost / seats_of[player.arm];
      Watch quiet = watch;
      quiet.report = nullptr;
      player.play(std::max(1L, std::lround(part * round)), tolerance, quiet);
    });
    bool risen = false;
    trace.begin_round();
    for (const auto& player : players) {
      ArmResult& arm = out.arms[player->arm];
      add(out.counts, player->counts);
      trace.add({out.counts.moves, player->game.score() + player->counts.taken_back, player->arm});
      add(arm.counts, player->counts);
      arm.gained += player->gained;
      bandit.report(player->arm, player->gained, static_cast<double>(player->counts.moves) * arm.cost);
    }
    bandit.end_round();
    for (const auto& player : players) {
      if (!crown(player->best, arms[player->arm].name)) continue;
      ++out.arms[player->arm].champions;
      risen = true;
    }
    if (risen) last_rise = out.counts.moves;
    for (const auto& player : players) {
      const bool behind = player->best.score < out.score - tolerance;
      if (behind && player->idle_rounds >= kLonelyRounds) player->restart(out.champion);
    }
    watch.tell({"play", out.counts.moves, out.champion.edge_count(), out.score, out.score - best_opponent.result.score,
                budget, "move"});
    // A round that was cut short is no place to go on from.
    if (checkpoint && checkpoint->due() && !watch.stop_requested()) {
      keep(*checkpoint, out.opponents, Stage::kPlaying, &standing);
    }
  }
  if (checkpoint && stage != Stage::kPlayed && !watch.stop_requested()) {
    keep(*checkpoint, out.opponents, Stage::kPlayed, &standing);
  }

  // 3. Pruned graphs of the champion and the opponents are candidates.
  if (options.prune && !watch.was_interrupted()) {
    std::vector<Dag> sources{out.champion};
    for (const Proposal& proposal : out.opponents) {
      const Dag& dag = proposal.result.dag;
      if (std::find(sources.begin(), sources.end(), dag) == sources.end()) sources.push_back(dag);
    }
    for (const Dag& source : sources) {
      for (const Dag& pruned : options.prune(source)) {
        const Champion found{pruned, total(score, pruned), {}};
        if (!crown(found, "pruning")) out.candidates.push_back(pruned);
      }
    }
  }

  // 4. The champion is made 1-optimal, whatever cut the play short. One that beat the opponents is named by the central
  // member of its class, from which there may be a way up again; an opponent's own graph stays as it was proposed.
  ColumnCache cache(score, options.cache_bytes / seats);
  Game game(cache, out.champion, game_options, knowledge);
  const auto climb = [&](const Dag& from) {
    game.reset(from);
    ascend(game);
    Champion climbed{out.champion, out.score, {}};
    return climbed.challenge(game) && crown(climbed, "ascent");
  };
  climb(out.champion);
  while (score.traits().score_equivalent && out.score > best_opponent.result.score + tolerance) {
    const Dag central = *central_member(mpdag_of(out.champion, knowledge));
    const double same = total(score, central);
    if (central == out.champion || !(std::abs(same - out.score) <= tolerance)) break;  // nearly singular models differ
    if (climb(central)) continue;
    if (game.dag() == central) {
      out.champion = central;
      out.score = out.history.back().score = same;
      out.candidates.push_back(central);
    }
    break;
  }
  return out;
}

}  // namespace agon
