// agon/catalog/scores.h
//
// The scores, by name: which tables each takes, its parameters, and how it is made. `--score`, `agon list scores`,
// Python, the certificate and the tests over all scores read this table. To add a score, add an entry (see
// CONTRIBUTING.md).
//
//   const ScoreEntry& entry = choose_score("auto", data);  // qnml-edges, copula-bic or mixed-bic, by the columns
//   std::unique_ptr<LocalScore> score = entry.make(data, {.penalty = 2});
//   // The same score, for the certificate.
//   std::unique_ptr<plain::Scorer> judge = entry.make_plain(data, {.penalty = 2});
//
// What may be relied on, and is tested for every entry: the score and the plain scorer agree to nine digits on every
// family and share no code; `score_equivalent` and `max_parents` are what the score itself says in its traits.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agon/base/option.h"
#include "agon/certificate/plain_score.h"
#include "agon/data/capability.h"
#include "agon/score/local_score.h"

namespace agon {

// Something that the user may set: its option, with its range or choices, and the field it sets.
struct ScoreParameter {
  Option option;
  std::string symbol;                   // in the formula: "c"; "": not part of it
  OptionField (*field)(ScoreOptions&);  // the options must outlive the field
};

// For which tables "auto" takes a score, if it takes their kinds of columns.
enum class DefaultFor {
  kNone,
  kCompleteRows,  // without gaps, and without experiments
  kAnyRows,
};

struct ScoreEntry {
  std::string name;
  std::string formula;  // one line, larger is better
  std::string source;   // paper
  std::string summary;  // what it assumes, in a few words
  Capabilities takes;
  bool needs_ranks = false;  // so it cannot be had of a matrix alone
  std::vector<ScoreParameter> parameters;
  DefaultFor default_for;
  bool score_equivalent;               // Markov-equivalent DAGs score the same
  bool marginal_likelihood = false;    // it is the logarithm of a marginal likelihood; otherwise it approximates one
  int (*max_parents)(const Dataset&);  // most parents of a node, unless ScoreOptions::max_parents is set
  std::unique_ptr<LocalScore> (*make)(const Dataset&, const ScoreOptions&);
  // The same score, in code that the search does not use. The Dataset must outlive what is made from it.
  std::unique_ptr<plain::Scorer> (*make_plain)(const Dataset&, const ScoreOptions&);
};

const std::vector<ScoreEntry>& score_entries();
const ScoreEntry& score_entry(const std::string& name);  // UsageError with a suggestion when there is none
std::vector<std::string> score_names();
std::vector<ScoreParameter> score_parameters();  // of all scores, each once, in the order of the table

// The entry of that name; for "auto", the default for the table's kinds of columns. InputError when the table holds
// something the score cannot take. Isolated columns count as neither kind.
const ScoreEntry& choose_score(const std::string& name, const Dataset& data);
// The default score for tables with these needs, and for this table: the one that came nearest to the truth in
// docs/results/scores.md, where its rows are such as were studied.
const ScoreEntry& default_score(const Capabilities& needs);
const ScoreEntry& default_score(const Dataset& data);

// The one kind of columns that a score takes, to which columns of the other kind may be converted; absent: it takes
// both.
std::optional<ColumnKind> only_kind(const ScoreEntry& entry);
// "categorical", "continuous", "categorical or continuous", "any mix"
std::string column_kinds(const Capabilities& takes);

bool has_penalty(const ScoreEntry& entry);  // as the BIC scores have

// UsageError when a parameter of the score is out of its range, which it names.
void check_parameters(const ScoreEntry& entry, const ScoreOptions& options);

// Those parameters that nobody set, as agon sets them for its default score: numbers pay ln p for each edge too
// (docs/results/penalty.md).
ScoreOptions with_defaults(ScoreOptions options, const ScoreEntry& entry);

// choose_score, check_parameters and make in one. Without options, "auto" is what a run takes by default; with options,
// they are taken as they stand.
std::unique_ptr<LocalScore> make_score(const std::string& name, const Dataset& data);
std::unique_ptr<LocalScore> make_score(const std::string& name, const Dataset& data, const ScoreOptions& options);

}  // namespace agon
