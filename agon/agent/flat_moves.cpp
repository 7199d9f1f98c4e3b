#include "agon/agent/flat_moves.h"

#include <algorithm>
#include <functional>

namespace agon {
namespace {

int rank(MoveKind kind) { return kind == MoveKind::kRemove ? 0 : kind == MoveKind::kReverse ? 1 : 2; }

bool better(const WorthyMove& a, const WorthyMove& b) {
  if (a.worth != b.worth) return a.worth > b.worth;
  if (a.move.kind != b.move.kind) return rank(a.move.kind) < rank(b.move.kind);
  return a.move.to != b.move.to ? a.move.to < b.move.to : a.move.from < b.move.from;
}

bool better_addition(const ParentGain& a, const ParentGain& b) {
  return a.gain != b.gain ? a.gain > b.gain : a.node < b.node;
}

double worth_of(double gain, MoveKind kind, double edge_price) {
  return kind == MoveKind::kAdd ? gain - edge_price : kind == MoveKind::kRemove ? gain + edge_price : gain;
}

double edge_price(const Game& game) { return game.options().lambda * game.size(); }

bool may_add(const Game& game, Node from, Node to) {
  return game.live().is_legal_addition(from, to) && game.knowledge().allows(Edge{from, to});
}

void keep_best(std::vector<WorthyMove>& moves, double reach, int most) {
  std::sort(moves.begin(), moves.end(), better);
  size_t kept = 0;
  while (kept < moves.size() && kept < static_cast<size_t>(most) && moves[kept].worth >= moves[0].worth - reach) ++kept;
  moves.resize(kept);
}

}  // namespace

MoveSieve::MoveSieve(const Game& game, const SieveOptions& options)
    : options_(options), edge_price_(edge_price(game)), list_(game.size()) {
  for (Node v = 0; v < game.size(); ++v) refresh(game, v);
}

double MoveSieve::worth(const Game& game, EdgeMove move) const {
  return worth_of(game.gain(move), move.kind, edge_price_);
}

void MoveSieve::refresh(const Game& game, Node child) {
  const std::span<const double> gains = game.deltas().additions(child);
  std::vector<ParentGain>& list = list_[child];
  list.clear();
  // A heap of the best so far, the worst of them on top: most gains are rejected by one comparison.
  for (Node v = 0; v < game.size(); ++v) {
    if (gains[v] == kNoGain) continue;
    if (static_cast<int>(list.size()) < options_.list) {
      list.push_back({gains[v], v});
      std::push_heap(list.begin(), list.end(), better_addition);
    } else if (gains[v] > list.front().gain) {
      std::pop_heap(list.begin(), list.end(), better_addition);
      list.back() = {gains[v], v};
      std::push_heap(list.begin(), list.end(), better_addition);
    }
  }
  std::sort_heap(list.begin(), list.end(), better_addition);
}

void MoveSieve::refresh(const Game& game, EdgeMove played) {
  refresh(game, played.to);
  if (played.kind == MoveKind::kReverse) refresh(game, played.from);
}

void MoveSieve::note_blocked(Node from, Node to, double gain) {
  const int size = static_cast<int>(blocked_.size());
  if (size >= options_.blocked && (options_.blocked == 0 || gain <= blocked_.back().gain)) return;
  if (size >= options_.blocked) blocked_.pop_back();
  auto at = blocked_.end();
  while (at != blocked_.begin() && (at - 1)->gain < gain) --at;
  blocked_.insert(at, {from, to, gain});
}

void MoveSieve::scan_edges(const Game& game, double threshold) {
  for (Node to = 0; to < game.size(); ++to) {
    const GainColumn& column = game.deltas().column(to);
    for (size_t k = 0; k < column.parents.size(); ++k) {
      const Node from = column.parents[k];
      if (game.knowledge().is_required({from, to})) continue;
      const double removal = column.removal[k], reversal = removal + game.deltas().addition(to, from);
      if (removal > kNoGain && removal + edge_price_ >= threshold) {
        pool_.push_back({{MoveKind::kRemove, from, to}, removal + edge_price_});
      }
      if (reversal > kNoGain && reversal >= threshold && game.live().is_legal_reversal(from, to) &&
          game.knowledge().allows(Edge{to, from})) {
        pool_.push_back({{MoveKind::kReverse, from, to}, reversal});
      }
    }
  }
}

void MoveSieve::find(const Game& game, double reach, std::vector<WorthyMove>& found) {
  const int p = game.size();
  const bool additions = game.dag().edge_count() < game.edge_budget();
  pool_.clear();
  blocked_.clear();

  // 1. The best legal addition of each node, as far as the short lists show. Blocked gains met on the way are kept.
  heads_.clear();
  for (Node to = 0; additions && to < p; ++to) {
    for (const ParentGain& c : list_[to]) {
      if (may_add(game, c.node, to)) {
        heads_.push_back(c.gain - edge_price_);
        break;
      }
      if (c.gain > 0 && game.live().reaches(to, c.node)) note_blocked(c.node, to, c.gain);
    }
  }

  // 2. Every move from the lists and the edges that may be within reach: no further below the best head than the reach,
  // and not below the `most` best heads.
  double best = heads_.empty() ? kNoGain : *std::max_element(heads_.begin(), heads_.end());
  double early = best - reach;
  if (static_cast<int>(heads_.size()) > options_.most) {
    const auto last = heads_.begin() + (options_.most - 1);
    std::nth_element(heads_.begin(), last, heads_.end(), std::greater<>());
    early = std::max(early, *last);
  }
  scan_edges(game, early);
  for (Node to = 0; additions && to < p; ++to) {
    for (const ParentGain& c : list_[to]) {
      if (c.gain - edge_price_ < early) break;
      if (may_add(game, c.node, to)) pool_.push_back({{MoveKind::kAdd, c.node, to}, c.gain - edge_price_});
    }
  }

  // 3. The final bound: within reach of the best, and among the `most` best.
  for (const WorthyMove& m : pool_) best = std::max(best, m.worth);
  double bound = std::max(early, best - reach);
  if (static_cast<int>(pool_.size()) >= options_.most) {
    const auto last = pool_.begin() + (options_.most - 1);
    std::nth_element(pool_.begin(), last, pool_.end(), better);
    bound = std::max(bound, last->worth);
    pool_.resize(options_.most);
  }

  // 4. If a list ends above the bound, the node may have more such moves, so all of its additions are examined.
  for (Node to = 0; additions && to < p; ++to) {
    const std::vector<ParentGain>& list = list_[to];
    if (static_cast<int>(list.size()) < options_.list) continue;
    const ParentGain& end = list.back();
    if (end.gain - edge_price_ < bound) continue;
    const std::span<const double> gains = game.deltas().additions(to);
    for (Node from = 0; from < p; ++from) {
      const double worth = gains[from] - edge_price_;
      if (gains[from] == kNoGain || worth < bound || !better_addition(end, {gains[from], from})) continue;
      if (may_add(game, from, to)) pool_.push_back({{MoveKind::kAdd, from, to}, worth});
    }
  }
  found = pool_;
  keep_best(found, reach, options_.most);
}

std::vector<WorthyMove> plain_worthy_moves(const Game& game, double reach, int most) {
  std::vector<WorthyMove> moves;
  for (EdgeMove move : game.valid_moves()) {
    moves.push_back({move, worth_of(game.gain(move), move.kind, edge_price(game))});
  }
  keep_best(moves, reach, most);
  return moves;
}

}  // namespace agon
