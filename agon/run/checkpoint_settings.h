// agon/run/checkpoint_settings.h
//
// --checkpoint DIR and --checkpoint-every T: a run that was killed is resumed when the same command is given again.
#pragma once

#include <memory>
#include <string>

#include "agon/base/checkpoint.h"
#include "agon/catalog/settings.h"
#include "agon/graph/knowledge.h"
#include "agon/nn/mlp_fwd.h"
#include "agon/run/journal.h"

namespace agon {

class CheckpointSettings {
 public:
  explicit CheckpointSettings(Settings& settings);

  void check(bool own_score) const;  // UsageError for values that make no sense

  // What an answer depends on. A checkpoint is valid only for the same values of all of these and of the options in
  // force. Graphs and files are compared by content, not by path. Threads and the time limit may differ, since they
  // only change how fast and how long the search runs.
  struct Run {
    const std::string& data;  // checksum
    const Dag& start;
    const Knowledge& knowledge;
    const Mlp* proposal;  // a network of the user's own; null: none
  };
  std::unique_ptr<Checkpoint> open(const Run& run, Journal& log) const;  // null: none was asked for

 private:
  const Settings& settings_;
  std::string folder_, every_ = "10s";
};

}  // namespace agon
