// agon/report/sentences.h
//
// What a record says, in sentences. The text and the page both take them from here, so that they never disagree.
//
//   arrows_sentence(record);       // "The data determine 5 of 8 arrows; the other 3 may point either way."
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

// What the class says about the arrows; for a PAG, what its marks say.
std::string arrows_sentence(const RunRecord& record);
std::string knowledge_sentence(const KnowledgeRecord& known);

// "challenger auto against ges (1 ms), boss (20 ms): 300 moves in 1 s; stopped by: moves", and what came of it.
std::string match_sentence(const RunRecord& record);
std::string progress_sentence(const MatchRecord& match);

// What the shares of the bootstrap mean, and where they disagree with the graph: one sentence each.
std::vector<std::string> bootstrap_sentences(const RunRecord& record);

// The share of resamples in which two variables are adjacent.
double edge_share(const BootstrapRecord& bootstrap, const std::string& a, const std::string& b);

// What the varsortability of an answer means.
std::string varsortability_sentence(double varsortability);

// "compelled", "reversible" or "by knowledge".
std::string arrow_kind(const EdgeRecord& edge);

// What an edge of a PAG says: "a causes b", "b does not cause a; the rest is open", ...
std::string mark_meaning(const NamedEdge& edge);

// Constant columns that have no edge in the answer.
std::vector<std::string> isolated_constants(const RunRecord& record);

}  // namespace agon
