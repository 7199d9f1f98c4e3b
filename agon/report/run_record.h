// agon/report/run_record.h
//
// What happened in one run, as plain data: everything a person or a program is told about it, with names instead of
// indices. It has one writer and one reader (record_json.h); the text, the page, Python and `agon verify` are views of
// it.
//
//   RunRecord record = read_record(text, "result.json");
//   for (const EdgeRecord& edge : record.edges) fmt::print("{} -> {}\n", edge.from, edge.to);
//   out << summary_text(record);
//
// Names are sorted, and edges are sorted by (from, to), so that a record does not depend on the order of the columns.
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
#include "agon/posterior/posterior.h"
#include "agon/report/comparison.h"

namespace agon {

struct ColumnRecord {
  std::string name;
  ColumnKind kind = ColumnKind::kContinuous;
  size_t levels = 0;        // categorical: how many occur
  bool constant = false;    // only one level or one value occurs: an isolated node
  bool identifier = false;  // names, dates or codes that differ from row to row: an isolated node
  size_t missing = 0;       // cells
  std::string reason = {};  // why it is of this kind: "text", "4 integers"; "" where nobody inferred it
};

struct MissingRecord {
  size_t cells = 0;
  size_t rows = 0;         // with such a cell
  std::string policy;      // what was done about them: "em", "draws", ...; "" where nothing had to be
  std::string assumption;  // under which that is sound: a sentence
};

// An experiment, or a batch of observations.
struct RegimeRecord {
  std::string name;
  size_t rows = 0;
  std::vector<std::string> targets;  // variables that it set or moved
  std::string intervention;          // "perfect" or "soft"; "" without targets
  std::string batch;
  // Variables that are higher or lower here than in the other rows: their mean rank differs by more than half of its
  // standard deviation, or the share of a level by more than 0.15. The largest difference first.
  std::vector<std::string> moved;
  bool operator==(const RegimeRecord&) const = default;
};

struct FindingRecord {   // of the data doctor
  std::string severity;  // "info", "warning", "error"
  std::string kind;
  std::vector<std::string> columns;
  std::string text;  // what was found and what is done about it
};

struct DataRecord {
  std::string source;  // path, or name of an embedded data set
  size_t rows = 0;     // those used
  std::string checksum;
  std::vector<ColumnRecord> columns;
  MissingRecord missing;
  double weight = 0;                  // of all rows, where they have weights; 0: each counts once
  std::vector<RegimeRecord> regimes;  // by name; empty: all rows were observed alike
  bool summary = false;               // a matrix was given in place of rows
  bool kinds_inferred = false;        // from the cells of a file; otherwise they came with the data
  size_t rows_dropped = 0;            // because of a missing cell, with --missing drop-rows
  bool row_index_taken = false;       // a first column that counts the rows was taken as their index
  std::vector<std::string> notes;     // what was decided while reading
  std::vector<std::string> warnings;  // what may be a mistake in the file or in how it was read
  std::vector<FindingRecord> findings;
};

// How the matrix of a score came about, for scores that see the rows through one (mixed-bic).
struct MatrixRecord {
  double floor = 0;  // noise added to the diagonal
  int basis = 1;     // powers of a number
  struct Em {
    int steps = 0;
    double movement = 0;  // the largest change of an entry in the last step
    bool converged = true;
    bool restricted = false;  // each gap was regressed on some of the columns alone
  };
  std::optional<Em> em;  // with missing cells
};

// How the rows of experiments may be read, and what the best graph found under it scores.
struct TreatmentRecord {
  std::string name;  // "pooled", "targets", "within", "targets + within"
  double total = 0;
  bool used = false;
  std::vector<NamePair> edges = {};  // of that graph, sorted by (from, to)
};

// What a search by the score that comes next would have answered: how its class differs from that of the answer. Pairs
// are sorted, the smaller name first.
struct NextScoreRecord {
  std::string name;                      // "discrete-bic", "copula-bic with penalty 2"
  std::vector<NamePair> missing = {};    // adjacent in the answer, but not there
  std::vector<NamePair> extra = {};      // adjacent there, but not in the answer
  std::vector<NamePair> otherwise = {};  // adjacent in both: fixed in one and open in the other, or turned
};

struct ScoreRecord {
  std::string name;
  std::string reason;     // why this one: "because every column is categorical", "as --score asks"
  double empty = 0;       // of the graph without edges
  double value = 0;       // of the answer
  double edge_price = 0;  // what each parent costs beside the penalty (qnml-edges, --penalty auto), in nats
  std::optional<MatrixRecord> matrix = {};
  std::vector<TreatmentRecord> treatments = {};  // of experiments; empty: there are none
  std::string remark = {};                       // a sentence if a treatment that was not used fits better
  std::optional<NextScoreRecord> next = {};      // where agon chose the score
};

struct KnowledgeRecord {
  std::vector<std::string> sources;  // paths; empty: none was given
  int required = 0;                  // edges
  long forbidden = 0;                // edges, including those that tiers forbid, without the reverses of required edges
  size_t tiers = 0;
  bool satisfied = true;  // by the answer; checked after the search
};

struct LossRecord {     // against the best graph without an edge, or without its arrow (referee/edge_losses.h)
  double value = 0;     // nats
  bool proven = false;  // it is the loss; otherwise the loss is at least this
};

struct EdgeRecord {
  std::string from;
  std::string to;
  bool fixed = false;                     // the same arrow in every graph of the class that satisfies the knowledge
  double strength = 0;                    // how much the score falls when only this edge is removed
  bool by_knowledge = false;              // fixed, but would be open without the knowledge
  std::optional<PairShares> shares = {};  // of the bootstrap; forward is from -> to
  bool by_experiment = false;             // fixed, but would be open if nothing had been set
  std::optional<PairPosterior> posterior = {};                         // forward is from -> to
  std::optional<LossRecord> adjacency_loss = {}, direction_loss = {};  // with --edge-losses
};

struct PairRecord {  // two variables that are adjacent in some resample
  std::string a, b;  // the smaller name first; forward is a -> b
  PairShares shares;
  bool shown = false;  // the graph has an edge between them
};

struct BootstrapRecord {
  int asked = 0, resamples = 0;  // `resamples` is how many were finished; if fewer, `stopped_by` says why
  std::string search;            // what was run on each resample
  double seconds = 0;
  std::string stopped_by;         // "" when all were finished
  std::vector<PairRecord> pairs;  // all pairs that were ever adjacent, sorted by (a, b)
};

struct PdagRecord {
  std::vector<NamePair> directed;    // their arrows are fixed
  std::vector<NamePair> undirected;  // their arrows are open; the smaller name first
};

struct PairProbability {  // of two variables
  std::string a, b;       // the smaller name first; forward is a -> b
  PairPosterior posterior;
  bool shown = false;  // the graph has an edge between them
};

struct PathProbability {  // that `from` is an ancestor of `to`
  std::string from, to;
  double probability = 0;
};

// The most trusted edges: a DAG of which few mistakes are to be expected under the posterior (consensus.h).
struct ConsensusRecord {
  double score = 0;
  std::vector<NamePair> edges;  // sorted by (from, to)
  PdagRecord mpdag;             // of its class, with the knowledge
};

// Probabilities over all DAGs, each weighed by exp(score).
struct PosteriorRecord {
  static constexpr double kLeast = 0.01;  // what is less probable is not listed
  bool exact = false;
  bool marginal = false;  // the score is the logarithm of a marginal likelihood; otherwise it approximates one
  double seconds = 0;
  std::string stopped_by;                    // "" when nothing cut it short
  std::optional<SampleFigures> sample;       // unless it is exact
  std::vector<PairProbability> pairs;        // sorted by (a, b)
  std::vector<PathProbability> paths;        // sorted by (from, to)
  std::optional<ConsensusRecord> consensus;  // absent in old files, and if there is no sample

  bool empty() const { return sample && sample->samples == 0; }
};

struct OpponentRecord {
  std::string name;
  double score = 0;
  std::vector<NamePair> edges;  // of its graph, sorted by (from, to)
  double seconds = 0;
  PdagRecord mpdag = {};  // which of its arrows data and knowledge determine; without knowledge, its CPDAG
};

struct ArmRecord {  // one of the arms that share the moves of the match
  std::string name;
  double cost = 1;  // of a move, as the allocation counts it
  long moves = 0;
  long episodes = 0;
  double gained = 0;  // by how much its players raised their best scores
  int champions = 0;  // new champions it found
};

// What a match adds to a run of one algorithm.
struct MatchRecord {
  std::vector<OpponentRecord> opponents;  // in the order they proposed
  size_t best = 0;                        // index of the best opponent, whose graph the champion had to beat
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

  // The answer: a DAG and its class, or a PAG. An algorithm that finds a PAG also gives a DAG, made from the PAG by
  // fixed rules, so that there is a DAG for those who need one, and a score. What such an algorithm claims is the PAG.
  std::vector<EdgeRecord> edges;  // the DAG
  PdagRecord cpdag;               // its class; of experiments with targets, the interventional one
  bool interventional = false;
  PdagRecord mpdag;  // the members of the class that satisfy the knowledge; without knowledge, the CPDAG
  std::optional<std::vector<NamedEdge>> pag;  // from an algorithm that allows for hidden variables; normalized()

  std::string command;     // as it was typed, quoted for a shell
  std::string algorithm;   // its name in the catalog; "match"
  std::string reason;      // why this one; for a match, why these opponents and this much play
  std::string start;       // path of the graph started from; empty: none was given
  bool own_start = false;  // the algorithm has a beginning of its own; otherwise it began at `start` or the empty graph
  uint64_t seed = 0;
  int threads = 1;
  long moves = 0;
  double seconds = 0;
  std::string stopped_by;
  std::vector<std::string> story;        // how the algorithm got its answer: a sentence per phase
  std::optional<double> varsortability;  // of the answer, from an algorithm that compares variances
  std::optional<MatchRecord> match;
  std::optional<BootstrapRecord> bootstrap;
  std::optional<PosteriorRecord> posterior;
  std::optional<Certificate> certificate;  // of a match
  std::optional<Comparison> comparison;    // with a truth, when one was given
  OptionList options;                      // all options in force, by their names in the catalog

  bool has_knowledge() const { return !knowledge.sources.empty(); }
};

}  // namespace agon
