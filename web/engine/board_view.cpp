#include "web/engine/board_view.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "agon/base/error.h"
#include "agon/base/text.h"

namespace agon::web {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownMoves = 12;
constexpr MoveKind kKinds[] = {MoveKind::kAdd, MoveKind::kRemove, MoveKind::kReverse};

const char* word(MoveKind kind) {
  return kind == MoveKind::kAdd ? "add" : kind == MoveKind::kRemove ? "remove" : "reverse";
}

MoveKind kind_of(const std::string& name) {
  for (const MoveKind kind : kKinds) {
    if (name == word(kind)) return kind;
  }
  throw UsageError(fmt::format("there is no move {}", quoted(name)), "moves are add, remove and reverse");
}

Node node_of(const Dataset& data, const Json& request, const char* end) {
  const std::string name = request.at(end).get<std::string>();
  const int node = data.index_of(name);
  if (node < 0) throw UsageError(fmt::format("there is no column {}", quoted(name)));
  return node;
}

Json move_view(const Dataset& data, EdgeMove move) {
  return {{"kind", word(move.kind)}, {"from", data.column(move.from).name}, {"to", data.column(move.to).name}};
}

}  // namespace

EdgeMove move_of(const Dataset& data, const Json& request) {
  return {kind_of(request.at("kind").get<std::string>()), node_of(data, request, "from"), node_of(data, request, "to")};
}

Json moves_view(const Dataset& data, const std::vector<ScoredMove>& moves) {
  Json all = Json::array();
  for (const ScoredMove& move : moves) {
    all.push_back(move_view(data, move.move));
    all.back()["gain"] = move.gain;
  }
  return all;
}

Json board_view(const Board& board) {
  const Dataset& data = board.data();
  Json edges = Json::array();
  for (const Edge& edge : board.dag().edges()) {
    edges.push_back({{"from", data.column(edge.from).name},
                     {"to", data.column(edge.to).name},
                     {"strength", -board.gain({MoveKind::kRemove, edge.from, edge.to})}});
  }
  std::vector<ScoredMove> played;
  for (const Undo& undo : board.played()) played.push_back({undo.move, undo.gain});
  std::vector<std::string> names;
  for (const int node : data.file_order()) names.push_back(data.column(node).name);
  return {{"names", names},
          {"score_name", board.score_name()},
          {"score", board.score()},
          {"edges", edges},
          {"start_score", board.start_score()},
          {"best", moves_view(data, board.best_moves(kShownMoves))},
          {"played", moves_view(data, played)}};
}

Json pair_view(const Board& board, const Json& request) {
  const Dataset& data = board.data();
  const Node from = node_of(data, request, "from"), to = node_of(data, request, "to");
  Json moves = Json::array();
  for (const MoveKind kind : kKinds) {
    const EdgeMove move{kind, from, to};
    Json view = move_view(data, move);
    const std::string why = board.why_not(move);
    if (why.empty())
      view["gain"] = board.gain(move);
    else
      view["why_not"] = why;
    moves.push_back(view);
  }
  return moves;
}

}  // namespace agon::web
