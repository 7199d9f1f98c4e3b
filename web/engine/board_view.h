// web/engine/board_view.h
//
// A board and its moves in JSON: a move is {"kind": "add", "from": .., "to": .., "gain": ..}.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "web/engine/board.h"

namespace agon::web {

EdgeMove move_of(const Dataset& data, const nlohmann::ordered_json& request);  // UsageError for an unknown name

nlohmann::ordered_json moves_view(const Dataset& data, const std::vector<ScoredMove>& moves);
nlohmann::ordered_json board_view(const Board& board);

// What the three moves of the pair that a request names would earn, or why each is refused ("why_not").
nlohmann::ordered_json pair_view(const Board& board, const nlohmann::ordered_json& request);

}  // namespace agon::web
