// agon/match/saved_match.h
//
// What a checkpoint holds of a match: the stage it had reached, what the opponents found, and after that (from kPlaying
// on) the standing, which can be read only once there are players to read it into. Without a checkpoint, or with an
// empty one, the match is at its beginning.
//
//   SavedMatch saved(nullptr, 2);  // of a match with two opponents
//   saved.stage();                 // SavedMatch::Stage::kOpponents
//   saved.read_standing([](Archive& archive) { int moves; archive(moves); });
#pragma once

#include <string>

#include "agon/base/archive.h"
#include "agon/base/checkpoint.h"
#include "agon/match/match.h"

namespace agon {

// Archive finds these by argument-dependent lookup.
void exchange(Archive& archive, OpponentResult& opponent);
void exchange(Archive& archive, HistoryPoint& point);
void exchange(Archive& archive, ArmResult& arm);

class SavedMatch {
 public:
  // How far a match had come when it was saved.
  enum class Stage { kOpponents, kPlaying, kPlayed };
  static constexpr const char* kPart = "match";  // its name in the checkpoint

  SavedMatch(const Checkpoint* checkpoint, size_t opponents);
  SavedMatch(const SavedMatch&) = delete;
  SavedMatch& operator=(const SavedMatch&) = delete;

  Stage stage() const { return stage_; }
  OpponentResults& opponents() { return opponents_; }
  template <class Read>
  void read_standing(Read read) {
    if (bytes_.empty()) return;
    if (stage_ != Stage::kOpponents) read(archive_);
    archive_.finish();
  }

 private:
  std::string bytes_;  // a copy, because the checkpoint overwrites its own when it is saved again
  Archive archive_;
  Stage stage_ = Stage::kOpponents;
  OpponentResults opponents_;
};

}  // namespace agon
