// agon/match/history.h
//
// The course of a match as plain data: each new champion, and how episodes ended. For charts and records.
#pragma once

#include <cstddef>
#include <string>

namespace agon {

struct HistoryPoint {  // a new champion
  long moves = 0;      // made by all players until the end of its round; 0: before play
  double seconds = 0;
  double score = 0;
  std::string found_by;  // the name of an opponent, of an arm, or of the arms that tied: "local trained and flat"
};

struct TracePoint {  // how the last episode of a player in a round ended
  long moves = 0;    // made by all players until then
  double score = 0;  // of its last graph, whether the episode was kept or taken back
  size_t arm = 0;
};

}  // namespace agon
