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

// "dag" and "cpdag"; "mpdag" when there was knowledge; "pag" of an algorithm that finds one.
std::vector<std::string> graphs_of(const RunRecord& record);

NamedGraph graph_of(const RunRecord& record, const std::string& which);  // UsageError when there is no such graph

// Can the format hold this kind of graph?
bool can_write(const std::string& which, const std::string& format);

// A BIF file holds the DAG with probabilities counted from the table where all columns are categorical; else the graph
// alone, and the log says so. Names that a format cannot hold are changed, and the log says so too.
std::string written_graph(const RunResult& result, const std::string& which, const std::string& format, Journal& log);

// Writes into a folder that exists: result.json, report.html, and every graph in every format that can hold it, as
// dag.csv, cpdag.dot, ...; with a prefix, PREFIX_dag.csv. Gives the place of report.html.
struct OutputFiles {
  std::string folder;
  std::string prefix = "";
  std::vector<std::string> formats = {"csv"};
};
std::string write_files(const RunResult& result, const OutputFiles& files, Journal& log);

}  // namespace agon
