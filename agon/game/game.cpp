#include "agon/game/game.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "agon/base/text.h"

namespace agon {
namespace {

constexpr MoveKind kKinds[] = {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse};

int edges_after(const Dag& dag, EdgeMove move) {
  return dag.edge_count() + (move.kind == MoveKind::kAdd ? 1 : move.kind == MoveKind::kRemove ? -1 : 0);
}

const char* verb(MoveKind kind) {
  return kind == MoveKind::kAdd ? "add" : kind == MoveKind::kRemove ? "remove" : "reverse";
}

}  // namespace

Game::Game(ColumnCache& cache, const Dag& start, const GameOptions& options, const Knowledge& knowledge,
           const Watch& watch)
    : knowledge_(knowledge),
      options_(options),
      live_(start),
      deltas_(cache, start, 1, watch),
      edge_budget_(std::max(start.edge_count(), options.edge_budget > 0
                                                    ? options.edge_budget
                                                    : std::max(2 * start.edge_count(), 4 * start.size()))),
      tolerance_(tie_tolerance(cache.score())),
      gaining_(start.size(), tolerance_) {
  assert(satisfies(start, knowledge));
}

double Game::score() const { return deltas_.total(); }

bool Game::is_valid(EdgeMove move) const {
  return live_.is_legal(move) && edges_after(dag(), move) <= edge_budget_ && knowledge_.allows(move) &&
         deltas_.gain(move) > kNoGain;
}

double Game::reward(EdgeMove move) const {
  return gain(move) / size() - options_.lambda * edges_after(dag(), move) - options_.step_cost;
}

std::vector<EdgeMove> Game::valid_moves() const {
  std::vector<EdgeMove> moves;
  for (Node to = 0; to < size(); ++to) {
    for (Node from = 0; from < size(); ++from) {
      for (MoveKind kind : kKinds) {
        if (is_valid({kind, from, to})) moves.push_back({kind, from, to});
      }
    }
  }
  return moves;
}

std::optional<EdgeMove> Game::best_gaining_move() const {
  return gaining_.best(live_, deltas_, knowledge_, dag().edge_count() < edge_budget_);
}

double Game::make(EdgeMove move) {
  live_.apply(move);
  gaining_.note(move, live_);
  return deltas_.refresh(live_.dag(), move);
}

Undo Game::play(EdgeMove move) {
  ++moves_;
  Undo undo{move, false, 0, -options_.illegal_penalty};
  if (is_valid(move)) {
    undo.made = true;
    undo.reward = reward(move);
    undo.gain = make(move);
  }
  tell(GameEvent::kPlayed, undo);
  return undo;
}

void Game::take_back(const Undo& undo) {
  if (undo.made) make(inverse(undo.move));
  tell(GameEvent::kTakenBack, undo);
}

void Game::reset(const Dag& dag, const Watch& watch) {
  live_ = LiveDag(dag);
  deltas_.refresh(dag, watch);
  gaining_.note_all();
  tell(GameEvent::kReset);
}

std::vector<Undo> ascend(Game& game) {
  std::vector<Undo> played;
  ascend(game, played);
  return played;
}

void ascend(Game& game, std::vector<Undo>& played) { ascend(game, played, {}); }

bool ascend(Game& game, std::vector<Undo>& played, const Watch& watch) {
  game.tell(GameEvent::kAscentBegins);
  bool arrived = true;
  while (const std::optional<EdgeMove> move = game.best_gaining_move()) {
    if (watch.stop_requested()) {
      arrived = false;
      break;
    }
    played.push_back(game.play(*move));
    // A move whose gain was only rounding is taken back, so the score rises with every move and the climb must end.
    if (played.back().gain <= 0) {
      game.take_back(played.back());
      played.pop_back();
      break;
    }
  }
  game.tell(GameEvent::kAscentEnds);
  return arrived;
}

std::string describe(const Game& game, const std::vector<std::string>& names) {
  int count[3] = {0, 0, 0};
  for (EdgeMove move : game.valid_moves()) ++count[static_cast<int>(move.kind)];
  std::string text =
      fmt::format("edges {} of at most {}   score {:.3f}\n", game.dag().edge_count(), game.edge_budget(), game.score());
  std::vector<std::string> edges;
  for (const Edge& e : game.dag().edges()) edges.push_back(names[e.from] + " -> " + names[e.to]);
  std::sort(edges.begin(), edges.end());
  text += fmt::format("  {}\n", edges.empty() ? "no edges" : joined(edges, "   "));
  return text + fmt::format("  valid {} of {} ({} add, {} remove, {} reverse)\n", count[0] + count[1] + count[2],
                            3 * game.size() * (game.size() - 1), count[0], count[1], count[2]);
}

std::string describe(const Undo& played, const std::vector<std::string>& names) {
  const std::string move =
      fmt::format("{} {} -> {}", verb(played.move.kind), names[played.move.from], names[played.move.to]);
  if (!played.made) return fmt::format("{}: not valid, nothing changes   reward {:.4f}\n", move, played.reward);
  const double gain = std::abs(played.gain) < 5e-4 ? 0 : played.gain;  // avoids "-0.000"
  return fmt::format("{}   gain {:+.3f}   reward {:+.4f}\n", move, gain, played.reward);
}

}  // namespace agon
