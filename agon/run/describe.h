// agon/run/describe.h
//
// Translates what a search works on (tables, nodes, graphs) into what a record holds (names): the parts of a RunRecord
// that follow from the table, the score and the answer. Scores are recomputed.
//
//   DataRecord data_record = describe_data(data);
//   RunRecord record;
//   describe_answer(record, data, score, dag, knowledge);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agon/graph/pag.h"
#include "agon/match/bootstrap.h"
#include "agon/match/match.h"
#include "agon/posterior/posterior.h"
#include "agon/report/run_record.h"
#include "agon/score/local_score.h"

namespace agon {

// The columns of a table, by name, and its checksum.
void describe_columns(DataRecord& record, const Dataset& data);

// Without what only the reader of the table knows: its notes, and how many rows it dropped. A time limit cuts the
// findings short, and they say so; an interrupt throws Interrupted.
DataRecord describe_data(const Dataset& data, const Watch& watch = {});

// Adds why each column is of its kind. `reasons` are in file order, as the reader gives them.
void describe_kinds(DataRecord& record, const Dataset& data, const std::vector<std::string>& reasons);

// How the matrix behind the score came about; nothing for scores without one.
std::optional<MatrixRecord> describe_matrix(const LocalScore& score, const ScoreOptions& options);

// Score, edges, classes, and whether the answer satisfies the knowledge.
void describe_answer(RunRecord& record, const Dataset& data, const LocalScore& score, const Dag& dag,
                     const Knowledge& knowledge = {});

std::vector<NamePair> describe_edges(const Dag& dag, const std::vector<std::string>& names);  // sorted by (from, to)

// How the class of `other` differs from that of `dag`.
NextScoreRecord describe_next_score(const std::string& name, const Dag& dag, const Dag& other,
                                    const std::vector<std::string>& names);

std::vector<NamedEdge> describe_pag(const Pag& pag, const std::vector<std::string>& names);

// Sets the shares of the record's edges and lists the pairs. The edges must have been described before.
void describe_bootstrap(RunRecord& record, const Bootstrap& bootstrap, const std::vector<std::string>& names);

// Gives the record's edges their probabilities and lists pairs and paths. The edges must have been described before.
// `marginal`: the score is the logarithm of a marginal likelihood.
void describe_posterior(RunRecord& record, const Posterior& posterior, const std::vector<std::string>& names,
                        bool marginal);

// The graph that the posterior trusts most, beside the record's.
ConsensusRecord describe_consensus(const Dag& dag, const LocalScore& score, const std::vector<std::string>& names,
                                   const Knowledge& knowledge);

// `row_set`: those of the score.
MatchRecord describe_match(const MatchResult& match, const std::vector<std::string>& names,
                           const Knowledge& knowledge = {}, const std::vector<int>& row_set = {});

std::vector<ArmRecord> describe_arms(const std::vector<ArmResult>& arms);

}  // namespace agon
