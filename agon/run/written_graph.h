// agon/run/written_graph.h
//
// The graphs of a run as text, in any format of agon/graph/formats.h.
//
//   for (const std::string& which : graphs_of(result.record)) out << written_graph(result, which, "dot", log);
#pragma once

#include <string>
#include <vector>

#include "agon/graph/named_graph.h"
#include "agon/run/run.h"

namespace agon {

// "dag" and "cpdag"; also "mpdag" when there was knowledge, and "pag" when the algorithm found one.
std::vector<std::string> graphs_of(const RunRecord& record);

NamedGraph graph_of(const RunRecord& record, const std::string& which);  // UsageError when there is no such graph

// Can the format hold this kind of graph?
bool can_write(const std::string& which, const std::string& format);

// A BIF file holds the DAG, with probabilities counted from the table if all columns are categorical; otherwise it
// holds only the graph, and the log says so. Names that a format cannot hold are changed, and the log says so too.
std::string written_graph(const RunResult& result, const std::string& which, const std::string& format, Journal& log);

// Writes into an existing folder: result.json, report.html, proof.txt where there is a proof of how much better any
// graph could be, and every graph in every format asked for that can hold it, as dag.csv, cpdag.dot, ...; with a
// prefix, PREFIX_dag.csv. For a table with missing cells also what was made of them: moments.csv, the matrix that EM
// found, or completed.csv, the rows with their gaps drawn and a column of weights. Files of an earlier run that this
// one does not write are removed (written_files.h). Returns the path of report.html. Only the effects in the page may
// take long; after a stop they have half a second.
struct OutputFiles {
  std::string folder;
  std::string prefix = "";
  std::vector<std::string> formats = {"csv"};
};
std::string write_files(const RunResult& result, const OutputFiles& files, Journal& log, const Watch& watch = {});

}  // namespace agon
