#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/agent/learning_options.h"
#include "agon/agent/local_player.h"
#include "agon/base/error.h"

namespace agon {
namespace {

constexpr long kEpisodesPerReport = 256;

// Constants of the bandit: the share of choices that are uniform over the bins, what each bin is credited with at the
// start, and the factor on past figures per perturbation.
constexpr double kUniformBins = 0.2;
constexpr double kPriorSuccesses = 1, kPriorMoves = 100;
constexpr double kFadePerMove = 0.999;

constexpr double kRewardUnit = 10;  // nats
constexpr double kLeastReward = -1, kMostReward = 5;

const LocalOptions& checked(const LocalOptions& options) {
  check(options);
  return options;
}

}  // namespace

bool Champion::challenge(const Game& game) {
  const double found = game.score();
  if (found <= score + game.tolerance()) return false;
  dag = game.dag();
  score = found;
  if (on_new) on_new(game.moves(), score, dag);
  return true;
}

void describe(LocalOptions& o, const Describe& option, bool delta_plays_too) {
  describe(o.proposal, option, delta_plays_too);
  option(OptionField::off(o.learning), no_learning(o.learning));
  option(o.longest, {.name = "longest", .value = "N", .help = "most edits of a perturbation", .range = at_least(1)});
  option(OptionField::off(o.adaptive),
         {.name = "fixed-length", .help = "draw the lengths of perturbations uniformly, not by what succeeded"});
  option(o.temperature, {.name = "temperature",
                         .value = "T",
                         .help = "a loss of d nats is kept with probability exp(-d/T), 0: never",
                         .range = at_least(0)});
  option(o.return_after, {.name = "return-after",
                          .value = "N",
                          .help = "kept perturbations without a new champion after which play returns to it",
                          .range = at_least(1),
                          .acts = o.temperature > 0});
  option(o.value_temperature, {.name = "value-temperature",
                               .value = "T",
                               .help = "when learning: what is learned is divided by this before the pick",
                               .range = more_than(0),
                               .acts = o.learning});
  describe_learning(o, option);
}

void check(const LocalOptions& o) {
  check(o.proposal);
  check_described("local challenger", o);
}

LengthBandit::LengthBandit(int longest) {
  int first = 1;
  for (int last : {2, 5, 10, 20, 40, 80}) {
    if (first > longest) break;
    bins_.push_back({first, std::min(last, longest), kPriorSuccesses, kPriorMoves});
    first = last + 1;
  }
  if (first <= longest) bins_.back().last = longest;
}

int LengthBandit::draw(Rng& rng) {
  if (rng.uniform() < kUniformBins) {
    drawn_ = static_cast<size_t>(rng.below(static_cast<int>(bins_.size())));
  } else {
    double sum = 0;
    for (const Bin& bin : bins_) sum += bin.successes / bin.moves;
    double at = rng.uniform() * sum;
    for (size_t k = 0; k < bins_.size(); ++k) {
      drawn_ = k;
      at -= bins_[k].successes / bins_[k].moves;
      if (at < 0) break;
    }
  }
  const Bin& bin = bins_[drawn_];
  return bin.first + rng.below(bin.last - bin.first + 1);
}

void LengthBandit::report(bool success, long moves) {
  for (Bin& bin : bins_) {
    bin.successes = kPriorSuccesses + kFadePerMove * (bin.successes - kPriorSuccesses);
    bin.moves = kPriorMoves + kFadePerMove * (bin.moves - kPriorMoves);
  }
  bins_[drawn_].successes += success;
  bins_[drawn_].moves += static_cast<double>(moves);
}

LocalPlayer::LocalPlayer(const Game& game, const LocalOptions& options, Rng rng)
    : options_(checked(options)),
      rng_(rng.split("draw")),
      sample_(rng.split("sample")),
      proposer_(game.size(), options.proposal),
      lengths_(options.longest) {
  if (!options_.learning) return;
  const Mlp net({.inputs = kEditFeatures, .hidden = options.hidden, .outputs = 1, .zero_last = true},
                rng.split("network"));
  dqn_ = std::make_unique<Learner>(net, MoveScorer<float>{},
                                   DqnOptions{.discount = 1,
                                              .target_rate = options.target_rate,
                                              .huber = 1,
                                              .adam = {.learning_rate = options.learning_rate}});
  replay_ = std::make_unique<Replay<Learner::Transition>>(options.replay);
}

// Everything else (the proposer's marks, the edits of a perturbation) is reset in every perturbation.
void LocalPlayer::exchange_state(Archive& archive, const Game&) {
  archive(rng_);
  archive(sample_);
  lengths_.exchange_state(archive);
  archive(idle_);
  archive(edits_);
  if (dqn_) dqn_->exchange_state(archive);
  if (replay_) replay_->exchange_state(archive);
}

double LocalPlayer::perturb(Game& game) {
  played_.clear();
  waiting_ = false;
  const int length = options_.adaptive ? lengths_.draw(rng_) : 1 + rng_.below(options_.longest);
  proposer_.begin(length);
  double net = 0;
  for (int k = 0; k < length; ++k) {
    const std::optional<EdgeMove> move =
        proposer_.next(game, rng_, dqn_ ? &dqn_->online() : nullptr, 1 / options_.value_temperature);
    if (!move) break;
    if (dqn_) remember_edit();
    played_.push_back(game.play(*move));
    net += played_.back().gain;
    proposer_.played(*move);
  }
  return net;
}

void LocalPlayer::remember_edit() {
  if (waiting_) {
    Learner::Transition& t = replay_->slot();
    t.features = taken_;
    t.known = t.reward = 0;
    t.terminal = false;
    t.next = proposer_.columns();
    t.next_known.setZero(t.next.cols());
    learn();
  }
  taken_ = proposer_.columns().col(proposer_.chosen());
  waiting_ = true;
}

void LocalPlayer::remember_end(double gained) {
  if (!waiting_) return;
  waiting_ = false;
  Learner::Transition& t = replay_->slot();
  t.features = taken_;
  t.known = 0;
  t.reward = static_cast<float>(std::clamp(gained / kRewardUnit, kLeastReward, kMostReward));
  t.terminal = true;
  learn();
}

void LocalPlayer::learn() {
  if (++edits_ % options_.train_every != 0 || replay_->size() < options_.batch) return;
  replay_->sample(options_.batch, sample_, batch_);
  dqn_->update(batch_);
}

PlayCounts LocalPlayer::play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch) {
  PlayCounts counts;
  const long first_move = game.moves();
  const auto used = [&] { return game.moves() - first_move; };
  if (game.size() == 0) return counts;
  ascend(game);
  counts.improved += champion.challenge(game);
  while (used() < budget.moves && !watch.stop_requested()) {
    if (counts.episodes % kEpisodesPerReport == 0) {
      watch.tell({"play", game.moves(), champion.dag.edge_count(), champion.score});
    }
    ++counts.episodes;
    const long before = game.moves();
    double net = perturb(game);
    if (played_.empty()) {
      game.count_pass();
      continue;
    }
    const size_t edits = played_.size();
    ascend(game, played_);
    for (size_t k = edits; k < played_.size(); ++k) net += played_[k].gain;
    const bool better = net > game.tolerance(), worse = net < -game.tolerance();
    if (options_.adaptive) lengths_.report(better, game.moves() - before);
    if (dqn_) remember_end(net);
    if (worse && (options_.temperature <= 0 || rng_.uniform() >= std::exp(net / options_.temperature))) {
      for (size_t k = played_.size(); k-- > 0;) game.take_back(played_[k]);
      counts.taken_back = net;
      continue;
    }
    ++counts.accepted;
    counts.taken_back = 0;
    idle_ = better && champion.challenge(game) ? 0 : idle_ + 1;
    if (idle_ == 0) ++counts.improved;
    if (options_.temperature > 0 && idle_ >= options_.return_after) {
      game.reset(champion.dag);
      idle_ = 0;
    }
  }
  counts.moves = used();
  return counts;
}

}  // namespace agon
