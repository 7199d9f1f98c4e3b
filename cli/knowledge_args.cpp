#include "cli/knowledge_args.h"

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon::cli {
namespace {

OnConflict parse_on_conflict(const std::string& word) {
  if (word == "refuse") return OnConflict::kRefuse;
  if (word == "required" || word == "whitelist") return OnConflict::kRequiredWins;
  const std::string near = did_you_mean(word, {"refuse", "required", "whitelist"});
  throw UsageError(fmt::format("--on-conflict {} is not known", quoted(word)),
                   near.empty() ? "it is refuse or required" : near);
}

}  // namespace

KnowledgeArgs::KnowledgeArgs(Binding& binding) : binding_(binding) {
  binding.files("knowledge", files_);
  binding.files("required", required_);
  binding.files("forbidden", forbidden_);
  binding.value("on-conflict", on_conflict_);
}

void KnowledgeArgs::check() const {
  parse_on_conflict(on_conflict_);
  if (binding_.given("on-conflict") && sources().empty()) {
    throw UsageError("--on-conflict has no effect without knowledge",
                     "--knowledge FILE, --required FILE and --forbidden FILE say what is known");
  }
}

Knowledge KnowledgeArgs::load(const std::vector<std::string>& names) const {
  if (sources().empty()) return Knowledge(static_cast<int>(names.size()));
  KnowledgeBuilder builder(names);
  for (const std::string& path : files_) builder.read(path);
  for (const std::string& path : required_) builder.read(path, PairKind::kRequired);
  for (const std::string& path : forbidden_) builder.read(path, PairKind::kForbidden);
  return builder.build(parse_on_conflict(on_conflict_));
}

std::vector<std::string> KnowledgeArgs::sources() const {
  std::vector<std::string> all = files_;
  all.insert(all.end(), required_.begin(), required_.end());
  all.insert(all.end(), forbidden_.begin(), forbidden_.end());
  return all;
}

}  // namespace agon::cli
