#include <cmath>

#include "agon/agent/challenger.h"

namespace agon {
namespace {

constexpr long kEpisodesPerReport = 256;
constexpr int kTries = 16;  // draws of an edit before a perturbation settles for fewer

// The nodes a perturbation has touched, each once.
class Touched {
 public:
  explicit Touched(int nodes) : is_touched_(nodes) {}
  bool empty() const { return nodes_.empty(); }
  Node draw(Rng& rng) const { return nodes_[rng.below(static_cast<int>(nodes_.size()))]; }
  void add(Node v) {
    if (is_touched_[v]) return;
    is_touched_[v] = true;
    nodes_.push_back(v);
  }
  void clear() {
    for (Node v : nodes_) is_touched_[v] = false;
    nodes_.clear();
  }

 private:
  std::vector<bool> is_touched_;
  std::vector<Node> nodes_;
};

// The k-th member of the two sets laid end to end.
Node pick(NodeView first, NodeView second, int k) {
  for (Node v : first) {
    if (k-- == 0) return v;
  }
  for (Node v : second) {
    if (k-- == 0) return v;
  }
  return -1;
}

// A random edit with `at` as one end, its kind drawn first; nothing when `at` has no edge to remove or reverse, or the
// edit is not valid.
std::optional<EdgeMove> draw_edit(const Game& game, Node at, Rng& rng) {
  const MoveKind kind = static_cast<MoveKind>(rng.below(3));
  EdgeMove move{kind, at, at};
  if (kind == MoveKind::kAdd) {
    const Node other = rng.below(game.size());
    move = rng.below(2) == 0 ? EdgeMove{kind, at, other} : EdgeMove{kind, other, at};
  } else {
    const NodeView parents = game.dag().parents(at), children = game.dag().children(at);
    const int parent_count = parents.count(), degree = parent_count + children.count();
    if (degree == 0) return std::nullopt;
    const int k = rng.below(degree);
    const Node other = pick(parents, children, k);
    move = k < parent_count ? EdgeMove{kind, other, at} : EdgeMove{kind, at, other};
  }
  if (!game.is_valid(move)) return std::nullopt;
  return move;
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

PlayCounts play_local(Game& game, Champion& champion, const PlayBudget& budget, const LocalOptions& options, Rng rng,
                      const Watch& watch) {
  PlayCounts counts;
  const long first_move = game.moves();
  const auto used = [&] { return game.moves() - first_move; };
  if (game.size() == 0) return counts;
  ascend(game);
  counts.improved += champion.challenge(game);
  Touched touched(game.size());
  std::vector<Undo> played;
  int idle = 0;  // accepted episodes since the champion last changed
  while (used() < budget.moves && !watch.stop_requested()) {
    if (counts.episodes % kEpisodesPerReport == 0) {
      watch.tell({"play", game.moves(), champion.dag.edge_count(), champion.score});
    }
    ++counts.episodes;
    touched.clear();
    played.clear();
    double net = 0;
    const int length = 1 + rng.below(options.longest);
    for (int k = 0; k < length; ++k) {
      for (int tries = 0; tries < kTries; ++tries) {
        const bool near = !touched.empty() && rng.uniform() < options.locality;
        const Node at = near ? touched.draw(rng) : rng.below(game.size());
        const std::optional<EdgeMove> move = draw_edit(game, at, rng);
        if (!move) continue;
        played.push_back(game.play(*move));
        net += played.back().gain;
        touched.add(move->from);
        touched.add(move->to);
        break;
      }
    }
    if (played.empty()) {
      game.count_pass();
      continue;
    }
    const size_t perturbed = played.size();
    ascend(game, played);
    for (size_t k = perturbed; k < played.size(); ++k) net += played[k].gain;
    const bool worse = net < -game.tolerance();
    if (worse && (options.temperature <= 0 || rng.uniform() >= std::exp(net / options.temperature))) {
      for (size_t k = played.size(); k-- > 0;) game.take_back(played[k]);
      continue;
    }
    ++counts.accepted;
    idle = worse || !(net > game.tolerance()) || !champion.challenge(game) ? idle + 1 : 0;
    if (idle == 0) ++counts.improved;
    if (options.temperature > 0 && idle >= options.return_after) {
      game.reset(champion.dag);
      idle = 0;
    }
  }
  counts.moves = used();
  return counts;
}

}  // namespace agon
