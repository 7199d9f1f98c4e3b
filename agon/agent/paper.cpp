#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "agon/agent/learning_options.h"
#include "agon/agent/paper_player.h"
#include "agon/base/error.h"
#include "agon/graph/graph_archive.h"

namespace agon {
namespace {

constexpr long kPaperMovesPerReport = 256;
constexpr double kMultiplicationsPerSecond = 1.5e10;  // of one core in matrix products; measured
constexpr double kStepSeconds = 1e-8;                 // per ordered pair: the mask and the choice among its moves

MlpShape shape(int p, const PaperOptions& options) {
  return {.inputs = p * p, .hidden = options.hidden, .outputs = 3 * p * (p - 1), .leak = 0};
}

double weight_count(int p, const PaperOptions& options) {
  double weights = 0, width = static_cast<double>(p) * p;
  for (int next : options.hidden) {
    weights += width * next;
    width = next;
  }
  return weights + width * 3 * p * (p - 1);
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
  describe(o.exploration, option);
}

void check(const PaperOptions& o) {
  check_described("paper challenger", o);
  check(o.exploration);
  if (o.hidden.empty()) throw UsageError("paper challenger: --hidden needs at least one layer");
  if (!(o.most_seconds > 0 && o.most_bytes > 0)) {
    throw UsageError("paper challenger: the most seconds and bytes it may take must be more than 0");
  }
}

void refuse_what_is_too_much(int p, const PaperOptions& options, long moves, bool has_time_limit) {
  const PaperCost cost = paper_cost(p, options, moves);
  const std::string hint = "--challenger flat plays the same game at any size; or pass a smaller --hidden or --batch";
  if (cost.bytes > options.most_bytes) {
    throw UsageError(
        fmt::format("the paper's network for {} variables takes about {:.1f} GB, more than the {:.1f} GB allowed", p,
                    cost.bytes / 1e9, options.most_bytes / 1e9),
        hint);
  }
  if (cost.seconds > options.most_seconds && !has_time_limit) {
    throw UsageError(
        fmt::format("the paper's challenger would take about {} for {} moves on {} variables, more than the {} allowed",
                    duration(cost.seconds), with_commas(moves), p, duration(options.most_seconds)),
        hint + ", fewer --moves, a larger --train-every, or a --time-limit");
  }
}

int paper_input(int nodes, Edge edge) { return edge.from * nodes + edge.to; }

int paper_output(int nodes, EdgeMove move) {
  const int pair = move.from * (nodes - 1) + move.to - (move.to > move.from ? 1 : 0);
  return 3 * pair + static_cast<int>(move.kind);
}

PaperCost paper_cost(int nodes, const PaperOptions& options, long moves) {
  const double pairs = static_cast<double>(nodes) * (nodes - 1), m = static_cast<double>(moves);
  PaperCost cost;
  cost.seconds = m * pairs * kStepSeconds;
  if (!options.learning) return cost;
  const double weights = weight_count(nodes, options);
  const double inputs = static_cast<double>(nodes) * nodes * options.hidden[0];
  // A move needs one forward pass without the first layer. An update: three forward passes over the batch (state,
  // next state by both networks) and a backward pass of twice the work, then seven passes over the weights.
  cost.seconds += m * (weights - inputs) / kMultiplicationsPerSecond;
  const double updates = std::max(0.0, m - options.batch) / options.train_every;
  cost.seconds += updates * (5.0 * options.batch + 7) * weights / kMultiplicationsPerSecond;
  const double kept = std::min(m, static_cast<double>(options.replay));
  cost.bytes = 4 * 5 * weights + kept * (4.0 * 4 * nodes + 3 * pairs / 8 + 100) +
               4.0 * options.batch * (4 * static_cast<double>(nodes) * nodes + 3 * 3 * pairs);
  return cost;
}

void FirstLayer::rebuild(const Mlp& net, const Dag& dag) {
  value_ = net.bias(0);
  for (const Edge& e : dag.edges()) value_ += net.matrix(0).col(paper_input(dag.size(), e));
}

void FirstLayer::play(const Mlp& net, int nodes, EdgeMove move) {
  const auto forward = net.matrix(0).col(paper_input(nodes, {move.from, move.to}));
  if (move.kind == MoveKind::kAdd) {
    value_ += forward;
    return;
  }
  value_ -= forward;
  if (move.kind == MoveKind::kReverse) value_ += net.matrix(0).col(paper_input(nodes, {move.to, move.from}));
}

PaperPlayer::PaperPlayer(const Game& game, const PaperOptions& options, Rng rng)
    : options_((check(options), options)),
      warm_start_(game.dag()),
      explore_(rng.split("explore")),
      sample_(rng.split("sample")),
      replay_(options.replay) {
  if (!options.learning || game.size() < 2) return;
  dqn_.emplace(Mlp(shape(game.size(), options), rng.split("network")), MoveOutputs<float>{},
               DqnOptions{.discount = options.discount,
                          .target_rate = options.target_rate,
                          .adam = {.learning_rate = options.learning_rate}});
  dense_.resize(static_cast<size_t>(options.batch));
  for (const Learner::Transition& t : dense_) batch_.push_back(&t);
}

void PaperPlayer::expand(const Memory& memory, int p, Learner::Transition& t) {
  t.state.setZero(static_cast<long>(p) * p);
  for (int k : memory.inputs) t.state[k] = 1;
  t.move = paper_output(p, memory.move);
  t.reward = memory.reward;
  t.next = t.state;
  const Edge edge{memory.move.from, memory.move.to};
  t.next[paper_input(p, edge)] = memory.move.kind == MoveKind::kAdd ? 1 : 0;
  if (memory.move.kind == MoveKind::kReverse) t.next[paper_input(p, {edge.to, edge.from})] = 1;
  t.next_valid.clear();
  for (Node k : NodeView(memory.next_valid.data(), static_cast<int>(memory.next_valid.size()))) {
    t.next_valid.push_back(k);
  }
  t.terminal = t.next_valid.empty();
}

void PaperPlayer::exchange_state(Archive& archive, const Game& game) {
  archive(warm_start_);
  Archive::demand(warm_start_.size() == game.size());
  archive(explore_);
  archive(sample_);
  archive(steps_);
  if (dqn_) dqn_->exchange_state(archive);
  replay_.exchange_state(archive);
}

EdgeMove PaperPlayer::choose(const Game& game, const std::vector<EdgeMove>& valid) {
  if (explore_.uniform() < epsilon_at(options_.exploration, steps_)) {
    return valid[explore_.below(static_cast<int>(valid.size()))];
  }
  if (!dqn_) return most_rewarding(game, valid);
  const NetVector<float>& q = dqn_->online().forward_from_first(first_.value(), work_);
  EdgeMove best = valid[0];
  for (EdgeMove move : valid) {
    if (q[paper_output(game.size(), move)] > q[paper_output(game.size(), best)]) best = move;
  }
  return best;
}

void PaperPlayer::remember(const std::vector<Edge>& before, const Undo& played, const std::vector<EdgeMove>& next,
                           int p) {
  Memory& memory = replay_.slot();
  memory.inputs.clear();
  for (const Edge& e : before) memory.inputs.push_back(paper_input(p, e));
  memory.move = played.move;
  memory.reward = static_cast<float>(played.reward);
  memory.next_valid.assign(detail::word_count(3 * p * (p - 1)), 0);
  for (EdgeMove move : next) {
    const int k = paper_output(p, move);
    memory.next_valid[k / detail::kWordBits] |= detail::bit(k);
  }
}

void PaperPlayer::learn(const Game& game) {
  if (replay_.size() < options_.batch || steps_ % options_.train_every != 0) return;
  replay_.sample(options_.batch, sample_, drawn_);
  for (int k = 0; k < options_.batch; ++k) expand(*drawn_[k], game.size(), dense_[k]);
  dqn_->update(batch_);
  first_.rebuild(dqn_->online(), game.dag());
}

PlayCounts PaperPlayer::play(Game& game, Champion& champion, const PlayBudget& budget, const Watch& watch) {
  PlayCounts counts;
  const int p = game.size();
  if (p < 2) return counts;
  const int episode_moves = options_.episode_moves > 0 ? options_.episode_moves : 20 * p;
  const long first_move = game.moves();
  const auto used = [&] { return game.moves() - first_move; };
  while (used() < budget.moves && !watch.stop_requested()) {
    ++counts.episodes;
    game.reset(warm_start_);
    double score = game.score();
    if (dqn_) first_.rebuild(dqn_->online(), game.dag());
    std::vector<EdgeMove> valid = game.valid_moves();
    for (int t = 0; t < episode_moves && used() < budget.moves && !watch.stop_requested(); ++t) {
      if (used() % kPaperMovesPerReport == 0)
        watch.tell({"play", game.moves(), champion.dag.edge_count(), champion.score});
      if (valid.empty()) {
        game.count_pass();
        break;
      }
      const EdgeMove move = choose(game, valid);
      ++steps_;
      std::vector<Edge> before;
      if (dqn_) before = game.dag().edges();
      const Undo played = game.play(move);
      assert(played.made);
      score += played.gain;
      if (score > champion.score + game.tolerance() && champion.challenge(game)) {
        ++counts.improved;
        score = champion.score;
      }
      valid = game.valid_moves();
      if (!dqn_) continue;
      first_.play(dqn_->online(), p, move);
      remember(before, played, valid, p);
      learn(game);
    }
  }
  counts.moves = used();
  return counts;
}

}  // namespace agon
