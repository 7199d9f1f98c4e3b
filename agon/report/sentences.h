// agon/report/sentences.h
//
// What a record says, in sentences. The text and the page both take them from here, so that they never disagree.
//
//   arrows_sentence(record);       // "In the class of this graph 5 of 8 arrows are fixed; the other 3 are open: ..."
#pragma once

#include <string>
#include <vector>

#include "agon/report/run_record.h"

namespace agon {

// How kinds are inferred, for the reader.
inline constexpr const char* kKindRule =
    "text, two numbers, or few integers are categorical, the rest continuous; --discrete and --continuous override";

// "8 categorical (2 levels)", or the names by kind when there are both kinds and few columns.
std::string kinds_text(const DataRecord& data);

// "19 of 2,752 cells (0.7 %), in 11 of 344 rows: sex 3.2 %, ..."; "" when none is missing.
std::string missing_text(const DataRecord& data);

// "9, 7 of them with targets; read as targets + within"; "" when all rows were observed alike.
std::string experiments_text(const RunRecord& record);

// "qnml-edges (2.08 nats for each edge), because every column is categorical; --score chooses another"
std::string score_sentence(const ScoreRecord& score);
// What the score that comes next would have said of an answer with so many edges.
std::string next_score_sentence(const NextScoreRecord& next, size_t edges);

// What the class says about the arrows; for a PAG, what its marks say. Then under which assumptions a fixed arrow is a
// cause, and what the strengths mean ("" where there are none).
std::string arrows_sentence(const RunRecord& record);
std::string assumptions_sentence(const RunRecord& record);
std::string strength_sentence(const RunRecord& record);
// Of an edge against the best graph without it: whether any is known, what they mean, "114.2", ">= 3.1" or "".
bool shows_losses(const RunRecord& record);
std::string losses_sentence(const RunRecord& record);
std::vector<std::string> loss_headings();
std::string loss_text(const std::optional<LossRecord>& loss);
std::string knowledge_sentence(const KnowledgeRecord& known);

// "challenger auto against ges (1 ms), boss (20 ms): 300 moves in 1 s; stopped by: moves", and what came of it.
std::string match_sentence(const RunRecord& record);
std::string progress_sentence(const MatchRecord& match);
// The same in one line: who played, what came of it, the score.
std::string match_line(const RunRecord& record);
// Which claims were derived again, in one line, and by which score.
std::string certificate_line(const Certificate& certificate, const std::string& score);
// How much better any graph could be, and how long it took to show it; "" when it was not attempted.
std::string optimum_line(const Certificate& certificate);

// What the shares of the bootstrap mean, and where they disagree with the graph: one sentence each.
std::vector<std::string> bootstrap_sentences(const RunRecord& record);

// Which edges the posterior trusts most, and how they differ from the graph; "" without a consensus.
std::string consensus_sentence(const RunRecord& record);

// That sentence, what the probabilities of the posterior mean and how far they can be trusted, then where they
// disagree with the graph.
std::vector<std::string> posterior_sentences(const RunRecord& record);

// Is there a posterior to show? Not if it was stopped before its first sample.
bool shows_posterior(const RunRecord& record);
bool shows_consensus(const RunRecord& record);

// Headings of the columns of an edge: its posterior, and the shares of the bootstrap, which are P unless there are
// both.
std::vector<std::string> posterior_headings();
std::vector<std::string> share_headings(const RunRecord& record);

// The share of resamples in which two variables are adjacent.
double edge_share(const BootstrapRecord& bootstrap, const std::string& a, const std::string& b);

// What the varsortability of an answer means.
std::string varsortability_sentence(double varsortability);

// "fixed", "open", "by experiment" or "by knowledge".
std::string arrow_kind(const EdgeRecord& edge);

// An edge is weak when the score loses less than this without it (a factor of 20 in likelihood, "positive" evidence in
// Kass & Raftery 1995), or when fewer than half of the resamples, or less than half of the posterior, have it. A fixed
// arrow is unsure when less than half of the one or the other has it.
inline constexpr double kWeakStrength = 3;
bool is_weak(const EdgeRecord& edge);
bool is_unsure(const EdgeRecord& edge);
std::string remark(const EdgeRecord& edge);  // "weak", "arrow unsure", both, or ""

// The strongest first; equals by name.
std::vector<EdgeRecord> by_strength(std::vector<EdgeRecord> edges);

// What an edge of a PAG says: "a causes b", "b does not cause a; the rest is open", ...
std::string mark_meaning(const NamedEdge& edge);

// Constant columns that have no edge in the answer.
std::vector<std::string> isolated_constants(const RunRecord& record);

}  // namespace agon
