#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "agon/agent/flat_player.h"
#include "agon/agent/learning_options.h"
#include "agon/base/error.h"
#include "agon/graph/graph_archive.h"

namespace agon {
namespace {

constexpr long kFlatMovesPerReport = 4096;
constexpr long kMovesPerWatch = 16;

MoveScorer<float> scorer(const FlatOptions& options) {
  return {.weight = static_cast<float>(options.discount), .bound = 1};  // in units of w
}

DqnOptions dqn_options(const FlatOptions& options) {
  return {.discount = options.discount,
          .target_rate = options.target_rate,
          .huber = 1,
          .adam = {.learning_rate = options.learning_rate}};
}

const FlatOptions& checked(const FlatOptions& options) {
  check(options);
  return options;
}

}  // namespace

void describe(FlatOptions& o, const Describe& option) {
  option(OptionField::off(o.learning), no_learning(o.learning));
  option(OptionField::off(o.follow),
         {.name = "fixed-start",
          .help = "every episode begins at the opponent's graph, not at the champion once there "
                  "is a better one"});
  option(o.episode_moves, episode_moves("20 per column, flat at most 300"));
  option(o.discount, discount(at_least(0).less_than(1), o.learning));
  option(o.bound, {.name = "future-bound",
                   .value = "W",
                   .help = "the future of a move counts for at most W nats",
                   .range = more_than(0),
                   .acts = o.learning});
  option(o.shortlist, {.name = "shortlist",
                       .value = "K",
                       .help = "moves its network sees",
                       .range = at_least(1),
                       .aliases = {"candidates"},
                       .acts = o.learning});
  describe_learning(o, option);
  describe(o.exploration, option);
}

void check(const FlatOptions& o) {
  check_described("flat challenger", o);
  check(o.exploration);
}

FlatPlayer::FlatPlayer(const Game& game, const FlatOptions& options, Rng rng)
    : options_(checked(options)),
      episode_moves_(options.episode_moves > 0 ? options.episode_moves : std::clamp(20 * game.size(), 1, 300)),
      warm_start_(game.dag()),
      warm_score_(game.score()),
      explore_(rng.split("explore")),
      sample_(rng.split("sample")),
      sieve_(game, {.most = options.shortlist}),
      features_(warm_start_),
      dqn_(Mlp({.inputs = kFlatFeatures, .hidden = options.hidden, .outputs = 1, .zero_last = true},
               rng.split("network")),
           scorer(options), dqn_options(options)),
      replay_(options.replay) {
  score_ = warm_score_;
  features_.begin_episode(episode_moves_);
}

void FlatPlayer::set_warm_start(const Game& game) {
  warm_start_ = game.dag();
  warm_score_ = score_ = game.score();
  sieve_ = MoveSieve(game, {.most = options_.shortlist});
  features_ = FlatFeatures(warm_start_);
  features_.begin_episode(episode_moves_);
  dirty_.clear();
  waiting_ = false;
}

// Everything else is reset at the start of an episode, and play() begins with a new episode.
void FlatPlayer::exchange_state(Archive& archive, const Game& game) {
  archive(warm_start_);
  archive(warm_score_);
  archive(explore_);
  archive(sample_);
  archive(steps_);
  dqn_.exchange_state(archive);
  replay_.exchange_state(archive);
  if (!archive.reads()) return;
  Archive::demand(warm_start_.size() == game.size());
  sieve_ = MoveSieve(game, {.most = options_.shortlist});
  features_ = FlatFeatures(warm_start_);
  waiting_ = false;
  dirty_.clear();  // any node may differ from the warm start
  for (Node v = 0; v < game.size(); ++v) dirty_.push_back(v);
}

void FlatPlayer::begin_episode(Game& game) {
  game.reset(warm_start_);
  // The lists are those of the warm start, except at nodes this player has changed since.
  for (Node v : dirty_) sieve_.refresh(game, v);
  dirty_.clear();
  features_.begin_episode(episode_moves_);
  score_ = warm_score_;
  waiting_ = false;
}

void FlatPlayer::look(const Game& game, const Champion& champion) {
  sieve_.find(game, reach(), found_);
  if (!options_.learning) return;
  columns_.resize(kFlatFeatures, static_cast<long>(found_.size()));
  for (size_t k = 0; k < found_.size(); ++k) {
    features_.write(game, sieve_.blocked(), champion, score_, found_[k].move,
                    columns_.col(static_cast<long>(k)).data());
  }
}

size_t FlatPlayer::choose() const {
  if (!options_.learning || found_.size() == 1) return 0;
  const NetMatrix<float>& out = dqn_.online().forward(columns_, work_);
  size_t best = 0;
  double best_q = 0;
  for (size_t k = 0; k < found_.size(); ++k) {
    const double q =
        found_[k].worth + options_.discount * options_.bound * dqn_.q().clamp(out(0, static_cast<long>(k)));
    if (k == 0 || q > best_q) {
      best = k;
      best_q = q;
    }
  }
  return best;
}

Undo FlatPlayer::move_to(Game& game, Champion& champion, EdgeMove move, PlayCounts& counts) {
  if (options_.learning) {
    taken_.resize(kFlatFeatures);
    features_.write(game, sieve_.blocked(), champion, score_, move, taken_.data());
    taken_worth_ = sieve_.worth(game, move);
    waiting_ = true;
  }
  const Undo played = game.play(move);
  assert(played.made);
  sieve_.refresh(game, move);
  dirty_.push_back(move.to);
  if (move.kind == MoveKind::kReverse) dirty_.push_back(move.from);
  features_.played(move);
  score_ += played.gain;
  if (score_ > champion.score + game.tolerance() && champion.challenge(game)) {
    ++counts.improved;
    score_ = champion.score;
  }
  return played;
}

// Stores the last move together with the moves that can follow it, which look() has just found.
void FlatPlayer::remember() {
  if (!waiting_) return;
  waiting_ = false;
  Learner::Transition& t = replay_.slot();
  const float unit = static_cast<float>(1 / options_.bound);
  t.features = taken_;
  t.known = t.reward = static_cast<float>(taken_worth_) * unit;
  t.terminal = found_.empty();
  t.next = columns_;
  t.next_known.resize(static_cast<long>(found_.size()));
  for (size_t k = 0; k < found_.size(); ++k) {
    t.next_known[static_cast<long>(k)] = static_cast<float>(found_[k].worth) * unit;
  }
}

void FlatPlayer::learn() {
  if (!options_.learning || steps_ % options_.train_every != 0 || replay_.size() < options_.batch) return;
  replay_.sample(options_.batch, sample_, batch_);
  dqn_.update(batch_);
}

PlayCounts FlatPlayer::play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch) {
  PlayCounts counts;
  if (options_.follow && champion.score > warm_score_ + game.tolerance()) {
    game.reset(champion.dag);
    set_warm_start(game);
  }
  const long first_move = game.moves();
  const auto used = [&] { return game.moves() - first_move; };
  while (used() < budget.moves && !watch.stop_requested()) {
    ++counts.episodes;
    begin_episode(game);
    for (int t = 0; t < episode_moves_ && used() < budget.moves; ++t) {
      if (used() % kFlatMovesPerReport == 0)
        watch.tell({"play", game.moves(), champion.dag.edge_count(), champion.score});
      if (used() % kMovesPerWatch == 0 && watch.stop_requested()) break;
      look(game, champion);
      remember();
      if (found_.empty()) {
        game.count_pass();
        break;
      }
      EdgeMove move = found_[0].move;
      if (explore_.uniform() < epsilon_at(options_.exploration, steps_)) {
        move = *random_valid_move(game, explore_);  // there is one: found_ is not empty
      } else {
        move = found_[choose()].move;
      }
      move_to(game, champion, move, counts);
      ++steps_;
      learn();
    }
    if (options_.learning) {
      look(game, champion);
      remember();
    }
  }
  counts.moves = used();
  return counts;
}

std::vector<Undo> FlatPlayer::show(Game& game, Champion& champion, const Watch& watch) {
  PlayCounts counts;
  std::vector<Undo> played;
  begin_episode(game);
  for (int t = 0; t < episode_moves_ && !watch.stop_requested(); ++t) {
    look(game, champion);
    if (found_.empty()) break;
    played.push_back(move_to(game, champion, found_[choose()].move, counts));
  }
  waiting_ = false;
  return played;
}

std::optional<EdgeMove> FlatPlayer::best_move(const Game& game, const Champion& champion) {
  look(game, champion);
  if (found_.empty()) return std::nullopt;
  return found_[choose()].move;
}

double FlatPlayer::q(const Game& game, const Champion& champion, EdgeMove move) {
  sieve_.find(game, reach(), found_);  // to update the blocked gains
  NetVector<float> column(kFlatFeatures);
  features_.write(game, sieve_.blocked(), champion, score_, move, column.data());
  const double future =
      options_.learning ? static_cast<double>(dqn_.q().clamp(dqn_.online().forward_one(column, work_)[0])) : 0;
  return sieve_.worth(game, move) + options_.discount * options_.bound * future;
}

}  // namespace agon
