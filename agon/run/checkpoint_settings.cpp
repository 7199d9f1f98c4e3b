#include "agon/run/checkpoint_settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "agon/base/build_id.h"
#include "agon/base/error.h"
#include "agon/base/hash.h"
#include "agon/base/units.h"
#include "agon/nn/mlp.h"
#include "agon/version.h"

namespace agon {
namespace {

// Options that a checkpoint does not compare: paths of files, which are compared by content instead, and options that
// only change how fast and how long the search runs.
constexpr std::string_view kNotBound[] = {"start", "knowledge", "required", "forbidden", "threads", "time-limit"};

std::string digest(const std::vector<Edge>& edges) {
  uint64_t h = 0;
  for (const Edge& e : edges)
    h = hash_combine(hash_combine(h, static_cast<uint64_t>(e.from)), static_cast<uint64_t>(e.to));
  return fmt::format("{} edges, {}", edges.size(), hex64(h));
}

std::string digest(const Knowledge& knowledge) {
  if (knowledge.empty()) return "none";
  uint64_t h = 0;
  for (Node child = 0; child < knowledge.size(); ++child) {
    for (const NodeView row : {knowledge.required_parents(child), knowledge.forbidden_parents(child)}) {
      for (int k = 0; k < row.word_count(); ++k) h = hash_combine(h, row.word(k));
    }
  }
  return hex64(h);
}

std::string digest(const Mlp* network) {
  if (!network) return "none";
  const auto& weights = network->weights();
  const char* bytes = reinterpret_cast<const char*>(weights.data());
  return hex64(hash_text({bytes, static_cast<size_t>(weights.size()) * sizeof(float)}));
}

}  // namespace

CheckpointSettings::CheckpointSettings(Settings& settings) : settings_(settings) {
  using enum OptionGroup;
  settings.option(folder_, {.name = "checkpoint",
                            .value = "DIR",
                            .group = kResources,
                            .help = "folder to save progress in: a run that was killed resumes when "
                                    "the same command is given again, and ends with the same result",
                            .otherwise = "nothing is saved"});
  settings.option(every_, {.name = "checkpoint-every",
                           .value = "T",
                           .group = kResources,
                           .help = "time between two checkpoints, longer where saving takes long: 30s, 500ms"});
}

void CheckpointSettings::check(bool own_score) const {
  if (own_score && !folder_.empty()) {
    throw UsageError(
        "--checkpoint cannot be used with a score of your own: there is no way to tell whether it is the same");
  }
  parse_duration(every_, "checkpoint-every");
  if (settings_.given("checkpoint-every") && folder_.empty()) {
    throw UsageError("--checkpoint-every has no effect without --checkpoint");
  }
  if (settings_.given("checkpoint") && folder_.empty()) throw UsageError("--checkpoint needs the name of a folder");
}

std::unique_ptr<Checkpoint> CheckpointSettings::open(const Run& run, Journal& log) const {
  if (folder_.empty()) return nullptr;
  Checkpoint::Identity identity = {{"agon", AGON_VERSION},
                                   {"the build of agon", build_id()},
                                   {"the table", run.data},
                                   {"the start", digest(run.start.edges())},
                                   {"the knowledge", digest(run.knowledge)},
                                   {"the proposal network", digest(run.proposal)}};
  for (const auto& [name, value] : settings_.in_force()) {
    if (std::ranges::find(kNotBound, name) == std::end(kNotBound))
      identity.emplace_back("--" + name, value_text(value));
  }
  auto checkpoint =
      std::make_unique<Checkpoint>(folder_, std::move(identity), parse_duration(every_, "checkpoint-every"),
                                   [&log](const std::string& sentence) { log.warning(sentence); });
  if (checkpoint->resumed()) {
    log.note(
        fmt::format("resuming from the checkpoint in {}, saved after {:.1f} s", folder_, checkpoint->seconds_before()));
  }
  return checkpoint;
}

}  // namespace agon
