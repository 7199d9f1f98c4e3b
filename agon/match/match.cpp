#include "agon/match/match.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "agon/base/grace.h"
#include "agon/base/parallel.h"
#include "agon/graph/central_member.h"
#include "agon/graph/graph_archive.h"
#include "agon/match/player.h"
#include "agon/match/saved_match.h"
#include "agon/match/seats.h"
#include "agon/match/trace.h"

// Most of the time of a match is spent in play, and most of play on columns of gains that its caches do not hold. The
// work between two rounds costs little beside that, so it is written for clarity, not speed. Opponents may dominate on
// dense tables (run/forecast.h has the figures), and pruning on tables of many rows.

namespace agon {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A player below the champion that has not improved for this many rounds restarts from the champion. One idle round is
// no sign of a dead end: it may take longer than a round to find a perturbation that gains.
constexpr int kLonelyRounds = 2;

// Adds all fields but `taken_back`, which is about a single episode.
void add(PlayCounts& sum, const PlayCounts& part) {
  sum.moves += part.moves;
  sum.episodes += part.episodes;
  sum.accepted += part.accepted;
  sum.improved += part.improved;
}

using Stage = SavedMatch::Stage;

// How much of the time limit the opponents may take together, if there is to be play. One that is cut there is resumed
// when play has ended early.
constexpr double kOpponentShare = 0.5;

// A match in progress. run() goes through its chapters from top to bottom. Each leaves a valid result in `out_`, so a
// match may be cut short after any of them.
//
// Invariant: out_.champion satisfies the knowledge and scores out_.score, which never falls; the last point of
// out_.history is about it; and it is among out_.candidates.
class Contest {
 public:
  Contest(const LocalScore& score, const std::vector<Entrant>& entrants, const MatchOptions& options,
          const Knowledge& knowledge, Rng rng, const Watch& watch)
      : score_(score),
        entrants_(entrants),
        options_(options),
        knowledge_(knowledge),
        rng_(rng),
        watch_(watch),
        tolerance_(tie_tolerance(score)),
        arms_(make_arms(options.challenger)),
        seats_(seats_of(options, arms_, entrants.size())),
        budget_(planned_moves(score, options, entrants.size())),
        patience_(options.patience >= 0 ? options.patience
                  : arms_[0].wants      ? budget_
                                        : default_patience(score)),
        bandit_(weights_of(arms_)),
        trace_(out_.trace) {}

  MatchResult run() {
    refuse_what_is_too_much();

    // 0. What was done in this match before. Its seconds count, so that the history of a resumed match continues.
    SavedMatch saved(options_.checkpoint, entrants_.size());
    const auto before = std::chrono::duration<double>(options_.checkpoint ? options_.checkpoint->seconds_before() : 0);
    start_ = Clock::now() - std::chrono::duration_cast<Clock::duration>(before);

    // 1. The opponents propose. The best of them, the first in a tie, is the first champion.
    ask_opponents(saved);
    crown_best_opponent();

    // 2. Play, in rounds. Every opponent's graph is the warm start of some player. If time is left when play has ended,
    // opponents that were cut have it; a better graph from one of them is played on.
    prepare_play();
    const bool plays = budget_ > 0 && saved.stage() != Stage::kPlayed;
    if (plays && (saved.stage() == Stage::kPlaying || !watch_.stop_requested())) seat_players();
    saved.read_standing([&](Archive& archive) { exchange_state(archive, saved.stage()); });
    if (saved.stage() == Stage::kPlaying) resume_opponents(share_of_opponents());  // a longer limit may have been given
    if (saved.stage() != Stage::kPlayed) {
      do {
        while (may_go_on()) play_on();
      } while (resume_opponents(watch_));
      ask_players();
      save(Stage::kPlayed);
    }

    // 3. Pruned graphs of the champion and the opponents are candidates.
    if (options_.prune && !watch_.was_interrupted()) try_pruned_graphs();

    // 4. The champion is made 1-optimal, if a stop leaves time for it, and named by the central member of its class.
    finish_champion();
    return std::move(out_);
  }

 private:
  static std::vector<double> weights_of(const std::vector<Arm>& arms) {
    std::vector<double> weights;
    for (const Arm& arm : arms) weights.push_back(arm.weight);
    return weights;
  }

  double seconds() const { return seconds_since(start_); }
  const OpponentResult& best_opponent() const { return out_.opponents[out_.best_opponent]; }

  // The only way to become champion: a gain above the tolerance. A graph that merely ties changes nothing, so that
  // rounding in the last digits can neither replace the champion nor prolong a match.
  bool crown(const Champion& found, const std::string& by) {
    if (found.score <= out_.score + tolerance_) return false;
    out_.champion = found.dag;
    out_.score = found.score;
    out_.found_by = by;
    out_.candidates.push_back(found.dag);
    out_.history.push_back({out_.counts.moves, seconds(), found.score, by});
    if (options_.on_champion) options_.on_champion(out_.champion, out_.score, out_.found_by);
    return true;
  }

  // Called first, so that no work is wasted.
  void refuse_what_is_too_much() const {
    for (const Arm& arm : arms_) {
      if (arm.refuse && budget_ > 0) arm.refuse(score_.size(), budget_, watch_.deadline.has_value());
    }
  }

  // --- 1. Opponents ---

  // The watch of the opponents. Without play they have all the time there is.
  Watch share_of_opponents() const {
    Watch share = watch_;
    if (!watch_.deadline || budget_ == 0) return share;
    const std::chrono::duration<double> all = *watch_.deadline - start_;
    share.deadline = start_ + std::chrono::duration_cast<Clock::duration>(kOpponentShare * all);
    return share;
  }

  // Opponents run one after the other, since each may use threads of its own; what one leaves of their share is there
  // for the next. In a resumed match, the results of those that had finished are reused, and one that was stopped
  // continues from there. An opponent that was asked to stop and cannot be resumed is not saved: the next run should
  // have its whole answer.
  void ask_opponents(SavedMatch& saved) {
    const Watch share = share_of_opponents();
    bool whole = true;  // nothing would be lost if the match were resumed from here
    out_.opponents = std::move(saved.opponents());
    for (size_t k = 0; k < entrants_.size(); ++k) {
      if (k < out_.opponents.size()) {
        if (saved.stage() != Stage::kOpponents || !resume_opponent(k, share)) continue;
      } else {
        const auto began = Clock::now();
        SearchResult found = entrants_[k].propose(share, out_.opponents);
        out_.opponents.push_back({entrants_[k].name, std::move(found), seconds_since(began)});
        note_cut(out_.opponents.back(), share);
      }
      whole = whole && (!watch_.stop_requested() || !out_.opponents[k].result.unfinished.empty());
      if (whole) save_now(Stage::kOpponents);
    }
  }

  // Continues an opponent that was stopped, if it can be and there is time. Whether it did.
  bool resume_opponent(size_t k, const Watch& watch) {
    OpponentResult& opponent = out_.opponents[k];
    if (opponent.result.unfinished.empty() || !entrants_[k].resume || watch.stop_requested()) return false;
    const auto began = Clock::now();
    const OpponentResults earlier(out_.opponents.begin(), out_.opponents.begin() + static_cast<long>(k));
    opponent.result = entrants_[k].resume(watch, earlier, opponent.result);
    opponent.seconds += seconds_since(began);
    opponent.resumed = opponent.cut;
    note_cut(opponent, watch);
    return true;
  }

  // An opponent is cut if its own share of the time ended and the match's time did not: only then is there time to
  // resume it.
  void note_cut(OpponentResult& opponent, const Watch& watch) const {
    if (watch.deadline == watch_.deadline || opponent.result.stopped_by != "time limit") return;
    opponent.cut = true;
    opponent.resumed = false;
  }

  // Continues the opponents that were cut, between two rounds of play. Whether one of them found a new champion.
  bool resume_opponents(const Watch& watch) {
    const double before = out_.score;
    bool resumed = false;
    for (size_t k = 0; k < out_.opponents.size(); ++k) {
      if (!resume_opponent(k, watch)) continue;
      resumed = true;
      const SearchResult& found = out_.opponents[k].result;
      raise_edge_budget();
      if (!crown({found.dag, found.score, {}}, out_.opponents[k].name)) out_.candidates.push_back(found.dag);
    }
    if (!resumed) return false;
    choose_best_opponent();
    if (out_.score > before) {
      last_rise_ = out_.counts.moves;
      restart_lonely_players();
    }
    if (watch_.stop_requested()) out_.stopped_by = watch_.stop_reason();
    save_now(Stage::kPlaying);
    return out_.score > before;
  }

  // In a tie the first wins: the caller's order is a preference, and times must not decide.
  void choose_best_opponent() {
    out_.best_opponent = 0;
    for (size_t k = 1; k < out_.opponents.size(); ++k) {
      if (out_.opponents[k].result.score > best_opponent().result.score + tolerance_) out_.best_opponent = k;
    }
  }

  // The first champion needs no gain: there is none before it. Every later one goes through crown().
  void crown_best_opponent() {
    choose_best_opponent();
    for (const OpponentResult& opponent : out_.opponents) out_.candidates.push_back(opponent.result.dag);
    out_.champion = best_opponent().result.dag;
    out_.score = best_opponent().result.score;
    out_.found_by = best_opponent().name;
    out_.history.push_back({0, seconds(), out_.score, out_.found_by});
    if (options_.on_champion) options_.on_champion(out_.champion, out_.score, out_.found_by);
  }

  // --- 2. Play ---

  // No edge budget may exclude an opponent's graph, because a player begins there. The default leaves room to double
  // the densest of them, and is at least four edges per node.
  int edge_budget() const {
    int most = 0;
    for (const OpponentResult& opponent : out_.opponents) most = std::max(most, opponent.result.dag.edge_count());
    const int asked = options_.game.edge_budget;
    return asked > 0 ? std::max(asked, most) : std::max(2 * most, 4 * score_.size());
  }

  // For a graph that has more edges than those known when play began.
  void raise_edge_budget() {
    game_options_.edge_budget = out_.edge_budget = std::max(out_.edge_budget, edge_budget());
    for (const auto& player : players_) player->game.raise_edge_budget(out_.edge_budget);
  }

  void prepare_play() {
    game_options_ = options_.game;
    game_options_.edge_budget = out_.edge_budget = edge_budget();
    out_.challenger = options_.challenger.name;
    for (const Arm& arm : arms_) out_.arms.push_back({arm.name, arm.cost, {}, 0, 0});
    out_.stopped_by = "moves";
  }

  // There are at least as many seats as opponents, so that each of their graphs is a warm start. Further seats begin at
  // the best of them: what is known to be good is the best place to look for something better. Arms take turns, so that
  // each has a seat near the front, and a player's random stream depends on its seat alone.
  void seat_players() {
    seats_of_.assign(arms_.size(), 0);
    for (size_t k = 0; k < seats_; ++k) {
      const size_t of = k < entrants_.size() ? k : out_.best_opponent;
      players_.push_back(std::make_unique<Player>(score_, out_.opponents[of].result.dag, game_options_, knowledge_,
                                                  options_.cache_bytes / seats_, k % arms_.size()));
      Player& player = *players_.back();
      player.challenger = arms_[player.arm].make(player.game, rng_.split("player", k));
      ++seats_of_[player.arm];
    }
  }

  // Whether to play another round; if not, out_.stopped_by says why. Patience is counted in moves, not in rounds or
  // seconds, so it means the same for any round length, and ends the match at the same move on every machine.
  bool may_go_on() {
    if (out_.counts.moves >= budget_) return false;
    if (const std::string stop = watch_.stop_reason(); !stop.empty()) {
      out_.stopped_by = stop;
      return false;
    }
    if (out_.counts.moves - last_rise_ >= patience_) {
      out_.stopped_by = "no gain expected";
      return false;
    }
    return true;
  }

  void play_on() {
    play_round();
    book_round();
    crown_players();
    restart_lonely_players();
    watch_.tell({"play", out_.counts.moves, out_.champion.edge_count(), out_.score,
                 out_.score - best_opponent().result.score, budget_, "move"});
    if (options_.on_round) options_.on_round(out_.arms, bandit_.shares());
    if (options_.checkpoint && options_.checkpoint->due()) save(Stage::kPlaying);
  }

  // Why there are rounds: players learn of each other only between them. Within a round, a player depends on nothing
  // but its own state and the moves it was given, so threads cannot change its play. Rounds have a fixed length, short
  // compared with the budget, so players soon see what others found. Shares are parts of the cost: with the same share,
  // an expensive arm makes fewer moves.
  void play_round() {
    const std::vector<double> share = bandit_.shares();
    double moves_per_cost = 0;
    for (size_t a = 0; a < arms_.size(); ++a) moves_per_cost += share[a] / arms_[a].cost;
    const int64_t all = options_.round_moves * static_cast<int64_t>(seats_);
    const auto round = static_cast<double>(std::min<int64_t>(all, budget_ - out_.counts.moves));
    parallel_for(static_cast<int>(seats_), options_.threads, [&](int k) {
      Player& player = *players_[k];
      // The seats of an arm divide its share evenly: its players differ only in their starts and random streams.
      const double part = share[player.arm] / arms_[player.arm].cost / moves_per_cost / seats_of_[player.arm];
      Watch quiet = watch_;
      quiet.report = nullptr;  // progress is reported once per round, by one thread
      // At least one move, or an arm with a tiny share could never show a gain.
      player.play(std::max(1L, std::lround(part * round)), tolerance_, quiet);
    });
  }

  // What learned during the match can say what it learned, and only at the end.
  void ask_players() {
    for (const auto& player : players_) {
      for (const std::string& sentence : player->challenger->story()) out_.story.push_back(sentence);
    }
  }

  // Updates counts, trace and bandit in the order of the seats, so that sums of gains round the same way every time.
  void book_round() {
    trace_.begin_round();
    for (const auto& player : players_) {
      ArmResult& arm = out_.arms[player->arm];
      add(out_.counts, player->counts);
      trace_.add({out_.counts.moves, player->game.score() + player->counts.taken_back, player->arm});
      add(arm.counts, player->counts);
      arm.gained += player->gained;
      bandit_.report(player->arm, player->gained, static_cast<double>(player->counts.moves) * arm.cost);
    }
    bandit_.end_round();
  }

  // Among players with equally good graphs, the first one's becomes champion: some rule has to choose. All of them get
  // the credit, or the arm of the first seat would look better than it is.
  void crown_players() {
    const double before = out_.score;
    for (const auto& player : players_) {
      if (player->best.score <= out_.score + tolerance_) continue;
      const std::vector<size_t> finders = finders_of(*player);
      crown(player->best, names_of(finders));
      for (const size_t arm : finders) ++out_.arms[arm].champions;
    }
    if (out_.score > before) last_rise_ = out_.counts.moves;
  }

  // The arm of `first`, then, by seat, the other arms that reached the same score in this round.
  std::vector<size_t> finders_of(const Player& first) const {
    std::vector<size_t> arms{first.arm};
    for (const auto& player : players_) {
      const bool ties = player->idle_rounds == 0 && std::abs(player->best.score - first.best.score) <= tolerance_;
      if (ties && std::find(arms.begin(), arms.end(), player->arm) == arms.end()) arms.push_back(player->arm);
    }
    return arms;
  }

  // "a", "a and b", "a, b and c".
  std::string names_of(const std::vector<size_t>& arms) const {
    std::string text;
    for (size_t k = 0; k < arms.size(); ++k) {
      text += (k == 0 ? "" : k + 1 == arms.size() ? " and " : ", ") + arms_[arms[k]].name;
    }
    return text;
  }

  // A player below the champion may be climbing another hill, so it is left alone while it improves.
  void restart_lonely_players() {
    if (options_.as_visited) return;
    for (const auto& player : players_) {
      const bool behind = player->best.score < out_.score - tolerance_;
      if (behind && player->idle_rounds >= kLonelyRounds) player->restart(out_.champion);
    }
  }

  // --- Checkpoints ---

  // Nothing is saved once a stop was requested: a match must not be resumed from work that was cut short, since the
  // clock decided where that ended. An opponent that can continue as if nothing had happened is another matter.
  void save(Stage stage) {
    if (!watch_.stop_requested()) save_now(stage);
  }

  void save_now(Stage stage) {
    if (!options_.checkpoint) return;
    Archive archive;
    archive(stage);
    archive(out_.opponents);
    if (stage != Stage::kOpponents) exchange_state(archive, stage);
    options_.checkpoint->save(SavedMatch::kPart, archive.bytes());
  }

  // The state of a match between two rounds, except for what the opponents found. After play, players are not needed.
  void exchange_state(Archive& archive, Stage stage) {
    archive(out_.edge_budget);
    if (archive.reads()) raise_edge_budget();
    archive(out_.champion);
    archive(out_.score);
    archive(out_.found_by);
    archive(out_.history);
    archive(out_.candidates);
    archive(out_.counts);
    archive(out_.stopped_by);
    archive(out_.arms);
    Archive::demand(out_.arms.size() == arms_.size());
    trace_.exchange_state(archive);  // with its current round, or thinning would continue differently
    bandit_.exchange_state(archive);
    archive(last_rise_);
    archive(out_.story);
    if (stage != Stage::kPlaying) return;
    for (const auto& player : players_) player->exchange_state(archive);
  }

  // --- 3. Pruning ---

  // Pruning tests the edges, and the score decides afterwards: a pruned graph is a candidate in any case, and becomes
  // champion only if it scores higher. The opponents' graphs are pruned too, since the champion may have grown out of
  // one whose pruned graph is better.
  void try_pruned_graphs() {
    std::vector<Dag> sources{out_.champion};
    for (const OpponentResult& opponent : out_.opponents) {
      const Dag& dag = opponent.result.dag;
      if (std::find(sources.begin(), sources.end(), dag) == sources.end()) sources.push_back(dag);
    }
    for (const Dag& source : sources) {
      for (const Dag& pruned : options_.prune(source)) {
        const Champion found{pruned, total(score_, pruned), {}};
        if (!crown(found, "pruning")) out_.candidates.push_back(pruned);
      }
    }
  }

  // --- 4. The end ---

  // Steepest ascent from `from`. Each step costs one column of gains for the node it changes (two for a reversal), so
  // this is quick even for a champion that was never improved by play.
  struct Climb {
    bool arrived;  // at a 1-optimal graph: no stop cut it
    bool crowned;  // it found a new champion
  };
  Climb climb(Game& game, const Dag& from, const Watch& watch) {
    if (!(game.dag() == from)) game.reset(from, watch);
    std::vector<Undo> played;
    const bool arrived = ascend(game, played, watch);
    Champion climbed{out_.champion, out_.score, {}};
    const bool crowned = climbed.challenge(game) && crown(climbed, "ascent");
    if (arrived || crowned) out_.ascent_cut = !arrived;
    return {arrived, crowned};
  }

  // A champion that beat the opponents is replaced by the central member of its class: play ended at some member by
  // chance, and the data cannot tell them apart. Members have different single edits, so the central one may have a
  // gaining edit where the other had none. Then the climb is repeated; this ends because every repetition gains. An
  // opponent's own graph stays as it was proposed.
  //
  // After a stop all of this has a short time. On a wide table that may not even do for the gains of the first move.
  void finish_champion() {
    const Watch watch = with_grace(watch_, options_.grace);
    out_.ascent_cut = true;  // until an ascent arrives
    if (options_.as_visited) return;
    try {
      ColumnCache cache(score_, options_.cache_bytes / seats_);
      Game game(cache, out_.champion, game_options_, knowledge_, watch);
      climb(game, out_.champion, watch);
      name_champion(game, watch);
    } catch (const Interrupted&) {
    }
  }

  void name_champion(Game& game, const Watch& watch) {
    while (!out_.ascent_cut && score_.traits().score_equivalent &&
           out_.score > best_opponent().result.score + tolerance_) {
      const Dag central = *central_member(mpdag_of(out_.champion, knowledge_, score_.traits().row_set));
      const double same = total(score_, central);
      // Members score the same up to rounding. In nearly singular models they may not; then nothing is changed.
      if (central == out_.champion || !(std::abs(same - out_.score) <= tolerance_)) break;
      const Climb from_central = climb(game, central, watch);
      if (from_central.crowned) continue;
      if (from_central.arrived && game.dag() == central) {  // 1-optimal as it is
        out_.champion = central;
        out_.score = out_.history.back().score = same;
        out_.candidates.push_back(central);
      }
      break;
    }
  }

  const LocalScore& score_;
  const std::vector<Entrant>& entrants_;
  const MatchOptions& options_;
  const Knowledge& knowledge_;
  const Rng rng_;
  const Watch& watch_;
  const double tolerance_;
  const std::vector<Arm> arms_;
  const size_t seats_;
  const long budget_, patience_;
  GameOptions game_options_;
  Clock::time_point start_;

  MatchResult out_;
  ArmBandit bandit_;
  Trace trace_;  // writes to out_.trace
  std::vector<std::unique_ptr<Player>> players_;
  std::vector<int> seats_of_;  // by arm
  long last_rise_ = 0;         // moves made when the champion last rose
};

}  // namespace

MatchResult play_match(const LocalScore& score, const std::vector<Entrant>& entrants, const MatchOptions& options,
                       const Knowledge& knowledge, Rng rng, const Watch& watch) {
  if (entrants.empty()) throw std::invalid_argument("a match needs an opponent");
  return Contest(score, entrants, options, knowledge, rng, watch).run();
}

}  // namespace agon
