// agon/run/checkpoint_settings.h
//
// --checkpoint DIR and --checkpoint-every T: a run that is killed goes on when the same command is given again.
#pragma once

#include <memory>
#include <string>

#include "agon/agent/mlp_fwd.h"
#include "agon/base/checkpoint.h"
#include "agon/catalog/settings.h"
#include "agon/graph/knowledge.h"
#include "agon/run/journal.h"

namespace agon {

class CheckpointSettings {
 public:
  explicit CheckpointSettings(Settings& settings);

  void check(bool own_score) const;  // UsageError for values that make no sense

  // What an answer depends on. A checkpoint is bound to all of it, and to the options in force: graphs and files count
  // by what they hold, not by their paths; the threads and the time limit, which only set the pace, do not count.
  struct Run {
    const std::string& data;  // checksum
    const Dag& start;
    const Knowledge& knowledge;
    const Mlp* proposal;  // of one's own; null: none
  };
  std::unique_ptr<Checkpoint> open(const Run& run, Journal& log) const;  // null: none was asked for

 private:
  const Settings& settings_;
  std::string folder_, every_ = "10s";
};

}  // namespace agon
