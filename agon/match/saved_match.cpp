#include "agon/match/saved_match.h"

#include <string_view>

#include "agon/graph/graph_archive.h"

namespace agon {
namespace {

std::string saved_bytes(const Checkpoint* checkpoint) {
  const std::string* const saved = checkpoint ? checkpoint->part(SavedMatch::kPart) : nullptr;
  return saved ? *saved : "";
}

}  // namespace

void exchange(Archive& archive, OpponentResult& opponent) {
  archive(opponent.name);
  archive(opponent.result);
  archive(opponent.seconds);
  archive(opponent.cut);
  archive(opponent.resumed);
}

void exchange(Archive& archive, HistoryPoint& point) {
  archive(point.moves);
  archive(point.seconds);
  archive(point.score);
  archive(point.found_by);
}

void exchange(Archive& archive, ArmResult& arm) {
  archive(arm.name);
  archive(arm.cost);
  archive(arm.counts);
  archive(arm.gained);
  archive(arm.champions);
}

SavedMatch::SavedMatch(const Checkpoint* checkpoint, size_t opponents)
    : bytes_(saved_bytes(checkpoint)), archive_(std::string_view(bytes_)) {
  if (bytes_.empty()) return;
  archive_(stage_);
  archive_(opponents_);
  Archive::demand(opponents_.size() <= opponents);
}

}  // namespace agon
