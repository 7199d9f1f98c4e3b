// The game: the input is a table (its first bytes) and a script of edits, valid or not. After each the game is held
// against a twin that does everything by definition: a copy of the graph, edited, looked at as a whole, scored from
// scratch.
#include <cmath>

#include "agon/catalog/scores.h"
#include "agon/game/game.h"
#include "agon/score/test_tables.h"
#include "tests/fuzz/target.h"

using namespace agon;
using namespace agon::fuzz;

namespace {

struct Twin {
  const LocalScore& score;
  const Knowledge& knowledge;
  int edge_budget;
  Dag dag;

  bool is_valid(EdgeMove move) const {
    if (move.from == move.to) return false;
    if (move.kind == MoveKind::kAdd ? dag.adjacent(move.from, move.to) : !dag.has_edge(move.from, move.to))
      return false;
    Dag after = dag;
    after.apply(move);
    if (!is_acyclic(after) || after.edge_count() > edge_budget || !satisfies(after, knowledge)) return false;
    const Node child = move.kind == MoveKind::kReverse ? move.from : move.to;
    if (move.kind != MoveKind::kRemove && after.parents(child).count() > score.traits().max_parents) return false;
    const auto& constant = score.traits().constant;
    if (move.kind != MoveKind::kRemove && (constant[move.from] || constant[move.to])) return false;
    try {
      total(score, after);
    } catch (const ScoreUndefined&) {
      return false;
    }
    return true;
  }
};

bool near(double a, double b, double scale) { return std::abs(a - b) <= 1e-7 * std::max(1.0, std::abs(scale)); }

}  // namespace

FUZZ_TARGET(text) {
  Bytes bytes(text);
  Rng rng(static_cast<uint64_t>(bytes.take()));
  const auto& entries = score_entries();
  const ScoreEntry& entry = entries[static_cast<size_t>(bytes.below(static_cast<int>(entries.size())))];
  const int p = 2 + bytes.below(5);
  const Dataset data = entry.takes.continuous
                           ? agon::testing::random_continuous(p, 40, bytes.below(2) == 0, rng)
                           : agon::testing::random_categorical({.variables = p, .rows = 40, .most_levels = 3}, rng);
  const auto score = entry.make(data, {.max_parents = 1 + bytes.below(4)});

  KnowledgeBuilder builder(data.names());
  for (int pairs = bytes.below(4); pairs > 0; --pairs) {
    const Node from = bytes.below(data.size()), to = bytes.below(data.size());
    if (from != to) builder.forbid(data.column(from).name, data.column(to).name, "fuzz");
  }
  const Knowledge knowledge = builder.build();
  ColumnCache cache(*score);
  const GameOptions options{.edge_budget = bytes.below(12), .lambda = 0.1, .step_cost = 0.25, .illegal_penalty = 3};
  Game game(cache, Dag(data.size()), options, knowledge);
  Twin twin{*score, knowledge, game.edge_budget(), Dag(data.size())};

  std::vector<Undo> played;
  for (int steps = 0; steps < 60 && !bytes.empty(); ++steps) {
    const int order = bytes.take();
    const double before = total(*score, twin.dag);
    if (order % 8 == 7) {  // take the last move back
      if (played.empty()) continue;
      game.take_back(played.back());
      if (played.back().made) twin.dag.apply(inverse(played.back().move));
      played.pop_back();
    } else {
      const EdgeMove move{static_cast<MoveKind>(order % 3), bytes.below(data.size()), bytes.below(data.size())};
      const bool valid = twin.is_valid(move);
      must(game.is_valid(move) == valid, "a move is valid just when its definition says so");
      const Undo undo = game.play(move);
      must(undo.made == valid, "valid moves are made, others are not");
      if (valid) {
        twin.dag.apply(move);
        const double gain = total(*score, twin.dag) - before;
        must(near(undo.gain, gain, before), "a gain is a difference of scores");
        must(near(undo.reward, gain / data.size() - 0.1 * twin.dag.edge_count() - 0.25, before),
             "the reward is as defined");
      } else {
        must(undo.reward == -3, "forcing an invalid move costs delta");
      }
      played.push_back(undo);
    }
    must(game.dag() == twin.dag, "game and twin hold the same graph");
    must(game.live().check_invariants(), "who reaches whom is right");
    must(near(game.score(), total(*score, twin.dag), before), "the score is that of the graph");
  }
  for (const EdgeMove& move : game.valid_moves()) must(twin.is_valid(move), "every move of the mask is valid");
  while (!played.empty()) {
    game.take_back(played.back());
    played.pop_back();
  }
  must(game.dag() == Dag(data.size()), "taking everything back leads to the start");
  ascend(game);
  must(!game.best_gaining_move(), "after an ascent no move gains");
}
