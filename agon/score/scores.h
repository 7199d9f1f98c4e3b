// agon/score/scores.h
//
// Scores by name, and which one a table asks for.
//
//   std::string name = resolve_score("auto", data);          // "discrete-bic" or "copula-bic"
//   std::unique_ptr<LocalScore> score = make_score(name, data, {.penalty = 2});
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "agon/score/local_score.h"

namespace agon {

struct ScoreEntry {
  std::string name;
  std::string formula;  // one line, larger is better
  std::string source;   // paper
  ColumnKind kind;      // the columns it is for
  bool has_penalty;     // does ScoreOptions::penalty matter, or ess?
  std::unique_ptr<LocalScore> (*make)(const Dataset&, const ScoreOptions&);
};

const std::vector<ScoreEntry>& score_entries();
const ScoreEntry& score_entry(const std::string& name);  // UsageError with a suggestion when there is none

// "auto" becomes the score for the kinds of the columns; both kinds in one table is an InputError that names them. Any
// other name is checked against the kinds. Constant columns count for neither.
std::string resolve_score(const std::string& name, const Dataset& data);

std::unique_ptr<LocalScore> make_score(const std::string& name, const Dataset& data, const ScoreOptions& options = {});

}  // namespace agon
