#include "web/engine/board.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "agon/base/error.h"
#include "agon/base/text.h"

namespace agon::web {
namespace {

// Any graph may be drawn, so the number of edges is bounded by the pairs alone.
GameOptions any_number_of_edges(int nodes) { return {.edge_budget = std::max(1, nodes * (nodes - 1) / 2)}; }

// The edits by which two graphs differ.
std::vector<EdgeMove> differences(const Dag& now, const Dag& goal) {
  std::vector<EdgeMove> moves;
  for (const Edge& edge : now.edges()) {
    if (goal.has_edge(edge.from, edge.to)) continue;
    const bool turned = goal.has_edge(edge.to, edge.from);
    moves.push_back({turned ? MoveKind::kReverse : MoveKind::kRemove, edge.from, edge.to});
  }
  for (const Edge& edge : goal.edges()) {
    if (!now.adjacent(edge.from, edge.to)) moves.push_back({MoveKind::kAdd, edge.from, edge.to});
  }
  return moves;
}

}  // namespace

Board::Board(Prepared ready, const Dag& start)
    : ready_(std::move(ready)),
      cache_(*ready_.chosen.score),
      game_(cache_, repair(start, ready_.knowledge), any_number_of_edges(start.size()), ready_.knowledge),
      start_score_(game_.score()) {}

// A shortest directed path, by names.
std::string Board::path_text(Node from, Node to) const {
  std::vector<Node> reached{from}, came_from(game_.size(), -1);
  came_from[from] = from;
  for (size_t k = 0; k < reached.size() && came_from[to] < 0; ++k) {
    for (Node next = 0; next < game_.size(); ++next) {
      if (!dag().has_edge(reached[k], next) || came_from[next] >= 0) continue;
      came_from[next] = reached[k];
      reached.push_back(next);
    }
  }
  std::string text = shown(data().column(to).name);
  for (Node at = to; at != from;) {
    at = came_from[at];
    text = shown(data().column(at).name) + " -> " + text;
  }
  return text;
}

std::string Board::why_not(EdgeMove move) const {
  if (game_.is_valid(move)) return "";
  const auto [kind, from, to] = move;
  const std::string a = shown(data().column(from).name), b = shown(data().column(to).name);
  if (from == to) return fmt::format("{} cannot cause itself", a);
  if (kind != MoveKind::kAdd && !dag().has_edge(from, to)) return fmt::format("there is no edge {} -> {}", a, b);
  if (kind == MoveKind::kAdd && dag().has_edge(from, to)) return fmt::format("{} -> {} is there already", a, b);
  if (kind == MoveKind::kAdd && dag().has_edge(to, from)) {
    return fmt::format("{} -> {} is there: reverse it instead", b, a);
  }
  const Knowledge& known = ready_.knowledge;
  if (kind != MoveKind::kAdd && known.is_required({from, to})) {
    return fmt::format("what you know requires {} -> {}", a, b);
  }
  const Edge made = kind == MoveKind::kReverse ? Edge{to, from} : Edge{from, to};
  const std::string tail = shown(data().column(made.from).name), head = shown(data().column(made.to).name);
  if (kind != MoveKind::kRemove && known.is_forbidden(made)) {
    return fmt::format("what you know forbids {} -> {}", tail, head);
  }
  if (!game_.live().is_legal(move)) {
    // Reversing closes a cycle if a second path leads from -> to; the path without the edge begins at another child.
    for (Node child = 0; child < game_.size(); ++child) {
      if (kind != MoveKind::kReverse || child == to || !dag().has_edge(from, child)) continue;
      if (!game_.live().reaches(child, to)) continue;
      return fmt::format("{} -> {} would close a cycle: {} -> {} is there", tail, head, a, path_text(child, to));
    }
    return fmt::format("{} -> {} would close a cycle: {} is there", tail, head, path_text(made.to, made.from));
  }
  for (const Node end : {from, to}) {
    const Column& column = data().column(end);
    if (!column.is_isolated()) continue;
    return fmt::format("{} is {}: no edge can be judged there", shown(column.name),
                       column.identifier ? "an identifier" : "constant");
  }
  return fmt::format("{} with these parents has no score: there would be too many, or they determine each other", head);
}

const Undo& Board::play(EdgeMove move) {
  if (const std::string why = why_not(move); !why.empty()) throw UsageError(why);
  played_.push_back(game_.play(move));
  return played_.back();
}

void Board::take_back() {
  if (played_.empty()) return;
  game_.take_back(played_.back());
  played_.pop_back();
}

std::vector<ScoredMove> Board::best_moves(size_t most) const {
  std::vector<ScoredMove> moves;
  for (const EdgeMove& move : game_.valid_moves()) {
    const double gain = game_.gain(move);
    if (gain > game_.tolerance()) moves.push_back({move, gain});
  }
  std::sort(moves.begin(), moves.end(), [](const ScoredMove& a, const ScoredMove& b) {
    return std::tuple(-a.gain, a.move) < std::tuple(-b.gain, b.move);
  });
  if (moves.size() > most) moves.resize(most);
  return moves;
}

std::vector<ScoredMove> Board::steps_to(const Dag& goal) const {
  Game game(cache_, dag(), game_.options(), ready_.knowledge);
  std::vector<ScoredMove> steps;
  for (std::vector<EdgeMove> left = differences(game.dag(), goal); !left.empty();
       left = differences(game.dag(), goal)) {
    const ScoredMove* best = nullptr;
    std::vector<ScoredMove> valid;
    for (const EdgeMove& move : left) {
      if (game.is_valid(move)) valid.push_back({move, game.gain(move)});
    }
    // Removing what is to be reversed is always valid.
    if (valid.empty()) valid.push_back({{MoveKind::kRemove, left[0].from, left[0].to}, 0});
    for (const ScoredMove& move : valid) {
      if (best == nullptr || move.gain > best->gain + game.tolerance()) best = &move;
    }
    steps.push_back({best->move, game.play(best->move).gain});
  }
  return steps;
}

}  // namespace agon::web
