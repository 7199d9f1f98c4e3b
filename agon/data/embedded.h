// agon/data/embedded.h
//
// The data sets that come with the program, by name, without any file or network access. The files are in datasets/
// (with their sources and licences) and are part of the binary; each is parsed when it is asked for.
//
//   for (const EmbeddedInfo& info : embedded_datasets()) ...
//   Dataset d = embedded_table("asia");          // a sample of 10000 rows with seed 0
//   Dataset e = embedded_table("asia", 500, 3);  // 500 rows with seed 3
//   embedded_truth("asia");                      // {("asia", "tub"), ...}
//
// Three kinds:
//
//   network    a Bayesian network; as a table it is sampled: the same name, rows and seed give the same cells for ever
//   table      measured rows
//   external   not included: listed with where to get it and how to read it
//
// Sachs is there three times: `sachs` is the table of 7466 measured cells, as if they were one sample;
// `sachs-experiments` the same cells with the experiment each comes from, and what it set; `sachs-net` the network that
// others fitted to a discretised form of them. embedded_network("sachs") still gives the network.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "agon/data/bayes_net.h"
#include "agon/data/dataset.h"

namespace agon {

struct EmbeddedInfo {
  std::string name;
  std::string kind;     // "network", "table", "external"
  int nodes = 0;        // variables
  int edges = 0;        // of the network, or of the graph held to be true
  long parameters = 0;  // network: free probabilities; else 0
  size_t rows = 0;      // network: rows sampled by default; table: rows there are
  std::string source;   // who published it, and where
  std::string licence;
  std::string note;  // what else to know; external: where to get it and how to name it
};

const std::vector<EmbeddedInfo>& embedded_datasets();  // smallest first
bool is_embedded(const std::string& name);             // a network or table of this name is here

// All of these throw UsageError for a name that is not here (with the nearest one, or where to get it).
BayesNet embedded_network(const std::string& name);
// rows = 0: as many as EmbeddedInfo says. Fewer rows of a measured table: drawn without replacement by the seed, in
// file order; more than there are: UsageError.
Dataset embedded_table(const std::string& name, size_t rows = 0, uint64_t seed = 0);
// The true graph as (from, to), by column name.
std::vector<std::pair<std::string, std::string>> embedded_truth(const std::string& name);

}  // namespace agon
