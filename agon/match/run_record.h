// agon/match/run_record.h
//
// What happened in one run, as plain data: everything a person or a program is told about it, by name. The text summary
// and result.json are written from this and nothing else.
//
// Names stand in name order and edges in order of (from, to), so that a record does not depend on the order of columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/dag.h"
#include "agon/graph/knowledge.h"
#include "agon/match/bootstrap.h"
#include "agon/match/match.h"
#include "agon/score/local_score.h"

namespace agon {

using NamePair = std::pair<std::string, std::string>;

struct ColumnRecord {
  std::string name;
  ColumnKind kind = ColumnKind::kContinuous;
  size_t levels = 0;      // categorical: how many occur
  bool constant = false;  // one level or one value: an isolated node
};

struct FindingRecord {   // of the data doctor
  std::string severity;  // "info", "warning", "error"
  std::string kind;
  std::vector<std::string> columns;
  std::string text;  // what was found and what is done about it
};

struct DataRecord {
  std::string source;  // path, or name of an embedded data set
  size_t rows = 0;     // used
  std::string checksum;
  std::vector<ColumnRecord> columns;
  bool kinds_inferred = false;     // from the cells of a file; else they came with the data
  size_t rows_dropped = 0;         // left out for a missing cell, as --missing drop-rows asked
  bool row_index_taken = false;    // an unnamed counting first column was taken as row index
  std::vector<std::string> notes;  // what was decided while reading
  std::vector<FindingRecord> findings;
};

struct ScoreRecord {
  std::string name;
  std::string reason;  // why this one: "because every column is categorical", "as --score asks"
  double empty = 0;    // of the graph without edges
  double value = 0;    // of the answer
};

struct KnowledgeRecord {
  std::vector<std::string> sources;  // paths; empty: none was given
  int required = 0;                  // edges
  long forbidden = 0;                // edges, those that tiers forbid among them, without the reverses of required ones
  size_t tiers = 0;
  bool satisfied = true;  // by the answer: checked when the search has ended
};

struct EdgeRecord {
  std::string from;
  std::string to;
  bool compelled = false;                     // the same arrow in every graph of the class that satisfies the knowledge
  double loss = 0;                            // score lost when this edge alone is removed
  bool by_knowledge = false;                  // compelled, and would not be by the data alone
  std::optional<PairShares> confidence = {};  // of the bootstrap; forward is from -> to
};

struct PairRecord {  // two variables adjacent in a resample
  std::string a, b;  // the smaller name first; forward is a -> b
  PairShares shares;
  bool shown = false;  // the graph has an edge between them
};

struct BootstrapRecord {
  int asked = 0, resamples = 0;  // resamples finished may be fewer: `stopped_by` says why
  std::string search;            // what was run on each
  double seconds = 0;
  std::string stopped_by;         // "" when all were finished
  std::vector<PairRecord> pairs;  // all that were ever adjacent, in order of (a, b)
};

struct PdagRecord {
  std::vector<NamePair> directed;    // compelled
  std::vector<NamePair> undirected;  // reversible, the smaller name first
};

using OptionValue = std::variant<bool, int64_t, double, std::string, std::vector<std::string>>;
using OptionList = std::vector<std::pair<std::string, OptionValue>>;

struct OpponentRecord {
  std::string name;
  double score = 0;
  std::vector<NamePair> edges;  // of its graph, in order of (from, to)
  double seconds = 0;
  PdagRecord mpdag = {};  // what data and knowledge determine of it; without knowledge, its CPDAG
};

struct HistoryRecord {  // a new champion
  long moves = 0;       // game moves made until then; 0: an opponent's graph
  double seconds = 0;
  double score = 0;
  std::string found_by;
};

struct ArmRecord {  // one of those who share the challenger's moves
  std::string name;
  double cost = 1;  // of a move, as the allocation counts it
  long moves = 0;
  long episodes = 0;
  double gained = 0;  // what its players' best graphs rose by
  int champions = 0;  // new champions it found
};

// What a match adds to a run of one algorithm.
struct MatchRecord {
  std::vector<OpponentRecord> opponents;  // in the order they proposed
  size_t best = 0;                        // whose graph the champion had to beat
  std::string found_by;                   // who found the champion
  std::string challenger;
  std::string reason;  // why these opponents and this much play
  long episodes = 0;
  int edge_budget = 0;
  std::vector<HistoryRecord> history;
  std::vector<ArmRecord> arms;
  std::vector<TracePoint> trace;
};

struct RunRecord {
  std::string version;
  DataRecord data;
  ScoreRecord score;
  KnowledgeRecord knowledge;
  std::vector<EdgeRecord> edges;  // the Dag
  PdagRecord cpdag;               // its class
  PdagRecord mpdag;               // the members of the class that satisfy the knowledge; without any, the CPDAG

  std::string command;           // as it was typed, quoted for a shell
  std::string algorithm;         // its name in the catalog
  std::string algorithm_reason;  // why this one
  std::string start;             // path of the graph started from; empty: none was given
  bool own_start = false;  // the algorithm has a beginning of its own; else it began at `start` or the empty graph
  uint64_t seed = 0;
  int threads = 1;
  long moves = 0;
  double seconds = 0;
  std::string stopped_by;
  std::vector<std::string> story;        // how the algorithm got there: a sentence per phase
  std::optional<double> varsortability;  // of the answer, from an algorithm that compares variances
  std::optional<MatchRecord> match;
  std::optional<BootstrapRecord> bootstrap;
  OptionList options;  // all that were in force, by their names in the catalog
};

// The parts of a record that follow from the table (without what its reader alone knows: notes, rows dropped), and from
// the table, the score and the answer. Scores are computed afresh.
DataRecord describe_data(const Dataset& data);
void describe_answer(RunRecord& record, const Dataset& data, const LocalScore& score, const Dag& dag,
                     const Knowledge& knowledge = {});
// Sets the confidence of the record's edges and lists the pairs. The edges must have been described before.
void describe_bootstrap(RunRecord& record, const Bootstrap& bootstrap, const std::vector<std::string>& names);
MatchRecord describe_match(const MatchResult& match, const std::vector<std::string>& names,
                           const Knowledge& knowledge = {});

}  // namespace agon
