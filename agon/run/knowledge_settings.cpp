#include "agon/run/knowledge_settings.h"

#include <fmt/format.h>

#include "agon/base/error.h"
#include "agon/base/suggest.h"

namespace agon {
namespace {

OnConflict parse_on_conflict(const std::string& word) {
  return word == "refuse" ? OnConflict::kRefuse : OnConflict::kRequiredWins;
}

}  // namespace

KnowledgeSettings::KnowledgeSettings(Settings& settings) : settings_(settings) {
  settings.option(files_, {.name = "knowledge",
                           .value = "FILE",
                           .help = "required and forbidden edges and tiers: a knowledge file of Tetrad, or CSV with "
                                   "from,to,type; repeatable",
                           .common = true,
                           .splits = false});
  settings.option(required_, {.name = "required",
                              .value = "FILE",
                              .help = "edges that must be in the graph: CSV with from,to; repeatable",
                              .splits = false});
  settings.option(forbidden_, {.name = "forbidden",
                               .value = "FILE",
                               .help = "edges that must not be in the graph: CSV with from,to; repeatable",
                               .splits = false});
  settings.option(context_, {.name = "context",
                             .value = "NAMES",
                             .help = "variables that nothing in the table causes, such as the experiment, the site or "
                                     "the day: no edges into them or among them"});
  settings.option(on_conflict_, {.name = "on-conflict",
                                 .value = "WHAT",
                                 .help = "what to do about an edge both required and forbidden; required (or "
                                         "whitelist) keeps it",
                                 .choices = {"refuse", "required", "whitelist"}});
}

void KnowledgeSettings::check(const KnowledgeStatements* given) const {
  if (settings_.given("on-conflict") && sources(given).empty()) {
    throw UsageError("--on-conflict has no effect without knowledge",
                     "--knowledge FILE, --required FILE and --forbidden FILE say what is known");
  }
}

Knowledge KnowledgeSettings::load(const std::vector<std::string>& names, const KnowledgeStatements* given) const {
  if (sources(given).empty()) return Knowledge(static_cast<int>(names.size()));
  KnowledgeBuilder builder(names);
  for (const std::string& path : files_) builder.read(path);
  for (const std::string& path : required_) builder.read(path, PairKind::kRequired);
  for (const std::string& path : forbidden_) builder.read(path, PairKind::kForbidden);
  builder.pairs(PairKind::kForbidden, names, context_, "--context");
  if (given) {
    for (const auto& [from, to] : given->required) builder.require(from, to, given->place);
    for (const auto& [from, to] : given->forbidden) builder.forbid(from, to, given->place);
    for (size_t k = 0; k < given->tiers.size(); ++k) {
      builder.tier(static_cast<int>(k) + 1, given->tiers[k], true, false, given->place);
    }
  }
  return builder.build(parse_on_conflict(on_conflict_));
}

std::vector<std::string> KnowledgeSettings::sources(const KnowledgeStatements* given) const {
  std::vector<std::string> all = files_;
  all.insert(all.end(), required_.begin(), required_.end());
  all.insert(all.end(), forbidden_.begin(), forbidden_.end());
  if (!context_.empty()) all.push_back("--context");
  if (given) all.push_back(given->place);
  return all;
}

}  // namespace agon
