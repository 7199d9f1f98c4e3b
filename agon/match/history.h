// agon/match/history.h
//
// The course of a match as plain figures: each new champion, and how episodes ended. For charts and records.
#pragma once

#include <cstddef>
#include <string>

namespace agon {

struct HistoryPoint {  // a new champion
  long moves = 0;      // game moves made by all players until the end of its round; 0: an opponent's graph
  double seconds = 0;
  double score = 0;
  std::string found_by;  // an opponent's name, an arm's, or the arms that tied: "local trained and flat"
};

struct TracePoint {  // how an episode ended: the last one of a player in a round
  long moves = 0;    // made by all players until then
  double score = 0;  // of its graph, whether play went on from there or took it back
  size_t arm = 0;
};

}  // namespace agon
