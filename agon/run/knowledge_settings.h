// agon/run/knowledge_settings.h
//
// What the user knows about the graph: --knowledge, --required, --forbidden, --context, --on-conflict. All files are
// read before any is judged, so that a contradiction between two of them is found, and all that happens before the
// search begins.
//
//   Settings settings;
//   KnowledgeSettings known(settings);
//   Knowledge knowledge = known.load(data.names());
#pragma once

#include <string>
#include <vector>

#include "agon/catalog/settings.h"
#include "agon/graph/knowledge.h"
#include "agon/graph/named_graph.h"

namespace agon {

// The same knowledge, as a program passes it.
struct KnowledgeStatements {
  std::string place = "knowledge given";                // in messages and records
  std::vector<NamePair> required = {}, forbidden = {};  // (from, to)
  std::vector<std::vector<std::string>> tiers = {};     // earliest first
};

class KnowledgeSettings {
 public:
  explicit KnowledgeSettings(Settings& settings);

  // `given` may be null; otherwise it is used together with the files.
  void check(const KnowledgeStatements* given = nullptr) const;  // UsageError; before anything is read
  Knowledge load(const std::vector<std::string>& names, const KnowledgeStatements* given = nullptr) const;
  std::vector<std::string> sources(const KnowledgeStatements* given = nullptr) const;  // in the order they are read

 private:
  const Settings& settings_;
  std::vector<std::string> files_, required_, forbidden_, context_;
  std::string on_conflict_ = "refuse";
};

}  // namespace agon
