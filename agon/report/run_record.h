// agon/report/run_record.h
//
// What happened in one run, as plain data: everything a person or a program is told about it, by name. There is one
// writer and one reader of it (record_json.h); the text, the page, Python and `agon verify` are views of it.
//
//   RunRecord record = read_record(text, "result.json");
//   for (const EdgeRecord& edge : record.edges) fmt::print("{} -> {}\n", edge.from, edge.to);
//   out << summary_text(record);
//
// Names stand in name order and edges in order of (from, to), so that a record does not depend on the order of columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "agon/base/option_value.h"
#include "agon/certificate/certificate.h"
#include "agon/data/dataset.h"
#include "agon/graph/named_graph.h"
#include "agon/match/bootstrap.h"
#include "agon/match/history.h"
#include "agon/report/comparison.h"

namespace agon {

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

struct OpponentRecord {
  std::string name;
  double score = 0;
  std::vector<NamePair> edges;  // of its graph, in order of (from, to)
  double seconds = 0;
  PdagRecord mpdag = {};  // what data and knowledge determine of it; without knowledge, its CPDAG
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
  long episodes = 0;
  int edge_budget = 0;
  std::vector<HistoryPoint> history;  // the best opponent's graph, then each new champion
  std::vector<ArmRecord> arms;
  std::vector<TracePoint> trace;
};

struct RunRecord {
  std::string version;
  DataRecord data;
  ScoreRecord score;
  KnowledgeRecord knowledge;

  // The answer: a DAG and its class, or a PAG. An algorithm that finds a PAG gives a DAG too, made from it by
  // rule, for whoever needs one and so that it has a score; its claim is the PAG.
  std::vector<EdgeRecord> edges;  // the DAG
  PdagRecord cpdag;               // its class
  PdagRecord mpdag;               // the members of the class that satisfy the knowledge; without any, the CPDAG
  std::optional<std::vector<NamedEdge>> pag;  // of an algorithm that allows for hidden variables; normalized()

  std::string command;     // as it was typed, quoted for a shell
  std::string algorithm;   // its name in the catalog; "match"
  std::string reason;      // why this one; of a match, why these opponents and this much play
  std::string start;       // path of the graph started from; empty: none was given
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
  std::optional<Certificate> certificate;  // of a match
  std::optional<Comparison> comparison;    // with a truth, when one was given
  OptionList options;                      // all that were in force, by their names in the catalog

  bool has_knowledge() const { return !knowledge.sources.empty(); }
};

}  // namespace agon
