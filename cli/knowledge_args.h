// cli/knowledge_args.h
//
// What the user knows about the graph: --knowledge, --required, --forbidden, --on-conflict. Every file is read before
// any is judged, so that a contradiction between two of them is found, and before the search begins.
//
//   KnowledgeArgs known(binding);
//   Knowledge knowledge = known.load(data.names());
#pragma once

#include <string>
#include <vector>

#include "agon/graph/knowledge.h"
#include "cli/binding.h"

namespace agon::cli {

class KnowledgeArgs {
 public:
  explicit KnowledgeArgs(Binding& binding);

  void check() const;  // UsageError; before anything is read
  Knowledge load(const std::vector<std::string>& names) const;
  std::vector<std::string> sources() const;  // the files, in the order in which they are read

 private:
  const Binding& binding_;
  std::vector<std::string> files_, required_, forbidden_;
  std::string on_conflict_ = "refuse";
};

}  // namespace agon::cli
