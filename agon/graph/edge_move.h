// agon/graph/edge_move.h
//
// An edge, and a single edit of a DAG: the alphabet of every search and of the game.
//
//   kAdd      no edge between them yet   -> from -> to
//   kRemove   there is from -> to        -> nothing
//   kReverse  there is from -> to        -> to -> from
#pragma once

#include <compare>

#include "agon/graph/node_set.h"

namespace agon {

struct Edge {
  Node from;
  Node to;
  auto operator<=>(const Edge&) const = default;
};

enum class MoveKind { kAdd, kRemove, kReverse };

struct EdgeMove {
  MoveKind kind;
  Node from;
  Node to;
  auto operator<=>(const EdgeMove&) const = default;
};

// The move that undoes `move`.
inline EdgeMove inverse(EdgeMove move) {
  switch (move.kind) {
    case MoveKind::kAdd:
      return {MoveKind::kRemove, move.from, move.to};
    case MoveKind::kRemove:
      return {MoveKind::kAdd, move.from, move.to};
    case MoveKind::kReverse:
      break;
  }
  return {MoveKind::kReverse, move.to, move.from};
}

}  // namespace agon
