#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "agon/agent/learning_options.h"
#include "agon/agent/paper_player.h"
#include "agon/base/error.h"
#include "agon/graph/graph_archive.h"

namespace agon {
namespace {

constexpr long kPaperMovesPerReport = 256;
// Of one core with AVX-512, by paper_bench; within a factor of a few elsewhere.
constexpr double kMultiplicationsPerSecond = 5e10;  // in products of matrices
constexpr double kWeightSeconds = 4e-9;             // to step a weight and move its twin in the target network
constexpr double kUnitSeconds = 1.2e-8;             // per transition and unit of the first layer: sums of its columns
constexpr double kStepSeconds = 1e-8;               // per ordered pair: the mask and the choice among its moves
constexpr double kOutputSeconds = 6e-8;             // per output of a valid move, for one state

MlpShape shape(int p, const PaperOptions& options) {
  return {.inputs = p * p, .hidden = options.hidden, .outputs = 3 * p * (p - 1), .leak = 0};
}

struct Weights {
  double inputs = 0, between = 0, outputs = 0;
  double all() const { return inputs + between + outputs; }
};

Weights count_weights(int p, const PaperOptions& options) {
  const double pairs = static_cast<double>(p) * (p - 1);
  Weights out{.inputs = static_cast<double>(p) * p * options.hidden[0], .outputs = 3 * pairs * options.hidden.back()};
  for (size_t l = 1; l < options.hidden.size(); ++l) {
    out.between += static_cast<double>(options.hidden[l - 1]) * options.hidden[l];
  }
  return out;
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 172800) return fmt::format("{:.0f} h", seconds / 3600);
  return fmt::format("{:.0f} days", seconds / 86400);
}

// The valid move with the highest reward, the first in a tie: the choice of the unlearned twin.
EdgeMove most_rewarding(const Game& game, const std::vector<EdgeMove>& valid) {
  EdgeMove best = valid[0];
  for (EdgeMove move : valid) {
    if (game.reward(move) > game.reward(best)) best = move;
  }
  return best;
}

}  // namespace

void describe(PaperOptions& o, const Describe& option) {
  option(OptionField::off(o.learning), no_learning(o.learning));
  option(o.episode_moves, episode_moves("20 per column, flat at most 300"));
  option(o.discount, discount(at_least(0).at_most(1), o.learning));
  describe_learning(o, option);
  option(o.optimizer, {.name = "optimizer",
                       .value = "NAME",
                       .help = "how the network takes its steps: adam or sgd",
                       .choices = {"adam", "sgd"},
                       .acts = o.learning});
  option(o.clip, {.name = "clip",
                  .value = "X",
                  .help = "longest gradient of an update, longer ones are shortened; 0: any",
                  .range = at_least(0),
                  .acts = o.learning});
  option(o.rate_steps, {.name = "rate-steps",
                        .value = "N",
                        .help = "updates after which the learning rate falls, again and again; 0: never",
                        .range = at_least(0),
                        .acts = o.learning});
  option(o.rate_decay, {.name = "rate-decay",
                        .value = "X",
                        .help = "what the learning rate is multiplied by then",
                        .range = more_than(0).at_most(1),
                        .acts = o.learning && o.rate_steps > 0});
  option(o.bonus, {.name = "bonus",
                   .value = "X",
                   .help = "added to the reward of a move to the player's best graph so far",
                   .range = at_least(0),
                   .acts = o.learning});
  describe(o.exploration, option);
  option(o.episodes, {.name = "episodes",
                      .value = "E",
                      .help = "episodes of each player, whatever they find; 0: as many as --moves allows",
                      .range = at_least(0)});
  option(o.champion_every, {.name = "champion-every",
                            .value = "P",
                            .help = "let only the last graph of every P-th episode be champion; 0: any graph visited",
                            .range = at_least(0)});
  option(o.most_hours, {.name = "most-hours",
                        .value = "H",
                        .help = "where no --time-limit is given, refuse what would take longer",
                        .range = more_than(0)});
  option(o.most_gigabytes,
         {.name = "most-gigabytes", .value = "G", .help = "refuse what would need more memory", .range = more_than(0)});
}

void check(const PaperOptions& o) {
  check_described("paper challenger", o);
  check(o.exploration);
  if (o.hidden.empty()) throw UsageError("paper challenger: --hidden needs at least one layer");
}

void refuse_what_is_too_much(int p, const PaperOptions& options, long moves, bool has_time_limit) {
  const PaperCost cost = paper_cost(p, options, moves);
  const std::string hint = "--challenger flat plays the same game at any size; or pass a smaller --hidden or --batch";
  if (cost.bytes > 1e9 * options.most_gigabytes) {
    throw UsageError(
        fmt::format("the paper's network for {} variables takes about {:.1f} GB, more than the {:.1f} GB allowed", p,
                    cost.bytes / 1e9, options.most_gigabytes),
        hint + ", or a larger --most-gigabytes");
  }
  if (cost.seconds > 3600 * options.most_hours && !has_time_limit) {
    throw UsageError(
        fmt::format("the paper's challenger would take about {} for {} moves on {} variables, more than the {} allowed",
                    duration(cost.seconds), with_commas(moves), p, duration(3600 * options.most_hours)),
        hint + ", fewer --moves, a larger --train-every or --most-hours, or a --time-limit");
  }
}

PaperCost paper_cost(int nodes, const PaperOptions& options, long moves) {
  const double pairs = static_cast<double>(nodes) * (nodes - 1), m = static_cast<double>(moves);
  PaperCost cost;
  cost.seconds = m * pairs * kStepSeconds;
  if (!options.learning) return cost;
  const Weights weights = count_weights(nodes, options);
  // A move needs one forward pass. An update: three forward passes over the batch (state, next state by both networks)
  // and a backward pass of twice the work between the hidden layers, the values of all additions, one pass over the
  // weights.
  cost.seconds += m * (weights.between / kMultiplicationsPerSecond + pairs * kOutputSeconds);
  const double updates = std::max(0.0, m - options.batch) / options.train_every;
  const double products = options.batch * (5 * weights.between + weights.outputs / 3);
  cost.seconds += updates * (products / kMultiplicationsPerSecond + weights.all() * kWeightSeconds +
                             options.batch * options.hidden[0] * kUnitSeconds);
  // Two networks, the gradient, Adam's two means, and for a moment the weights as they were drawn.
  const double kept = std::min(m, static_cast<double>(options.replay));
  const double units = std::accumulate(options.hidden.begin(), options.hidden.end(), 0.0);
  cost.bytes =
      4 * 6 * weights.all() + kept * (4.0 * 4 * nodes + pairs / 8 + 150) + 4.0 * options.batch * (pairs + 4 * units);
  return cost;
}

int paper_episode_moves(int nodes, const PaperOptions& options) {
  return options.episode_moves > 0 ? options.episode_moves : 20 * nodes;
}

long paper_moves(int nodes, const PaperOptions& options, long usual) {
  if (options.episodes > 0) return static_cast<long>(options.episodes) * paper_episode_moves(nodes, options);
  // A hair less than what is refused, so that rounding cannot refuse it.
  const double most = 0.99 * 3600 * options.most_hours;
  long least = 0, moves = usual;
  if (paper_cost(nodes, options, usual).seconds <= most) return usual;
  while (moves - least > 1) {
    const long middle = least + (moves - least) / 2;
    (paper_cost(nodes, options, middle).seconds <= most ? least : moves) = middle;
  }
  return least;
}

PaperPlayer::PaperPlayer(const Game& game, const PaperOptions& options, Rng rng)
    : options_((check(options), options)),
      warm_start_(game.dag()),
      start_(game.score()),
      best_(start_),
      explore_(rng.split("explore")),
      sample_(rng.split("sample")),
      replay_(options.replay) {
  if (!options.learning || game.size() < 2) return;
  learner_.emplace(game.size(), Mlp(shape(game.size(), options), rng.split("network")),
                   PaperLearning{.discount = options.discount,
                                 .target_rate = options.target_rate,
                                 .optimizer = options.optimizer == "sgd" ? PaperOptimizer::kSgd : PaperOptimizer::kAdam,
                                 .learning_rate = options.learning_rate,
                                 .clip = options.clip,
                                 .rate_steps = options.rate_steps,
                                 .rate_decay = options.rate_decay});
}

void PaperPlayer::exchange_state(Archive& archive, const Game& game) {
  archive(warm_start_);
  Archive::demand(warm_start_.size() == game.size());
  archive(explore_);
  archive(sample_);
  archive(steps_);
  archive(in_episode_);
  archive(episodes_);
  archive(start_);
  archive(best_);
  archive(best_episode_);
  if (learner_) learner_->exchange_state(archive);
  replay_.exchange_state(archive);
}

EdgeMove PaperPlayer::choose(const Game& game, const std::vector<EdgeMove>& valid) {
  if (explore_.uniform() < epsilon_at(options_.exploration, steps_)) {
    return valid[explore_.below(static_cast<int>(valid.size()))];
  }
  return learner_ ? learner_->best(first_, valid) : most_rewarding(game, valid);
}

void PaperPlayer::remember(const std::vector<Edge>& before, EdgeMove move, double reward,
                           const std::vector<EdgeMove>& next, int p) {
  PaperMemory& memory = replay_.slot();
  memory.inputs.clear();
  for (const Edge& e : before) memory.inputs.push_back(paper_input(p, e));
  memory.move = move;
  memory.reward = static_cast<float>(reward);
  memory.set_next(next, p);
}

void PaperPlayer::learn(const Game& game) {
  if (replay_.size() < options_.batch || steps_ % options_.train_every != 0) return;
  replay_.sample(options_.batch, sample_, batch_);
  learner_->update(batch_);
  first_.rebuild(learner_->online(), game.dag());
}

void PaperPlayer::set_warm_start(const Game& game) {
  warm_start_ = game.dag();
  start_ = best_ = game.score();
  best_episode_ = 0;
  in_episode_ = 0;
}

std::vector<std::string> PaperPlayer::story() const {
  const long begun = episodes_ + (in_episode_ > 0 ? 1 : 0);
  if (begun == 0) return {};
  if (best_episode_ == 0) {
    return {fmt::format("paper: no graph visited in {} beat the first", counted(begun, "episode"))};
  }
  return {fmt::format("paper: the best graph visited in {} scores {:.3f}, {:.3f} above the first, in episode {}",
                      counted(begun, "episode"), best_, best_ - start_, best_episode_)};
}

PlayCounts PaperPlayer::play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch) {
  PlayCounts counts;
  const int p = game.size();
  if (p < 2) return counts;
  const int episode_moves = paper_episode_moves(p, options_);
  const long first_move = game.moves();
  const auto used = [&] { return game.moves() - first_move; };
  while (used() < budget.moves && !watch.stop_requested()) {
    if (in_episode_ == 0) {
      ++counts.episodes;
      game.reset(warm_start_);
    }
    double score = game.score();
    if (learner_) first_.rebuild(learner_->online(), game.dag());
    std::vector<EdgeMove> valid = game.valid_moves();
    while (in_episode_ < episode_moves && used() < budget.moves && !watch.stop_requested()) {
      if (used() % kPaperMovesPerReport == 0)
        watch.tell({"play", game.moves(), champion.dag.edge_count(), champion.score});
      if (valid.empty()) {
        game.count_pass();
        in_episode_ = episode_moves;
        break;
      }
      const EdgeMove move = choose(game, valid);
      ++steps_;
      ++in_episode_;
      std::vector<Edge> before;
      if (learner_) before = game.dag().edges();
      const Undo played = game.play(move);
      assert(played.made);
      score += played.gain;
      double reward = played.reward;
      if (score > best_ + game.tolerance()) {
        best_ = score;
        best_episode_ = episodes_ + 1;
        reward += options_.bonus;
      }
      if (options_.champion_every == 0 && score > champion.score + game.tolerance() && champion.challenge(game)) {
        ++counts.improved;
        score = champion.score;
      }
      valid = game.valid_moves();
      if (!learner_) continue;
      first_.play(learner_->online(), p, move);
      remember(before, move, reward, valid, p);
      learn(game);
    }
    if (in_episode_ < episode_moves) break;  // the next play() continues here
    in_episode_ = 0;
    ++episodes_;
    if (options_.champion_every > 0 && episodes_ % options_.champion_every == 0 && champion.challenge(game)) {
      ++counts.improved;
    }
  }
  counts.moves = used();
  return counts;
}

}  // namespace agon
