// agon/data/bayes_net.h
//
// A discrete Bayesian network: the parents of each node, and one probability table per node. It comes from a BIF file
// (bif.h), from the embedded networks (embedded.h) or from a random draw (simulate.h), and is sampled into a Dataset.
//
//   BayesNet net = embedded_network("asia");
//   net.size(); net.edge_count(); net.parameter_count();              // 8, 8, 18
//   Dataset d = sample(net, 10000, Rng(0), "asia");
//   sample(under_experiment(net, {setting_of(net, "smoke=yes")}), 500, Rng(1), "asia");  // everyone smokes
//
// A table is one flat list: for each configuration of the parents, the probabilities of the node's levels.
//
//   node dysp, levels yes no, parents bronc either        index = configuration * levels + level
//     bronc=yes either=yes   0.9 0.1     configuration 0
//     bronc=yes either=no    0.8 0.2     configuration 1   the last parent varies fastest
//     bronc=no  either=yes   0.7 0.3     configuration 2
//     bronc=no  either=no    0.1 0.9     configuration 3
//
// Nodes are in declared order here; a Dataset puts its columns into canonical order, so match the two by name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agon/base/rng.h"
#include "agon/data/dataset.h"

namespace agon {

struct BayesNet {
  std::vector<std::string> names;                // by node, in declared order
  std::vector<std::vector<std::string>> levels;  // by node: at least one each
  std::vector<std::vector<int>> parents;         // by node, in declared order
  std::vector<std::vector<double>> tables;       // by node: [configuration of the parents][level]

  int size() const { return static_cast<int>(names.size()); }
  int edge_count() const;
  size_t configurations(int node) const;        // product of the parents' level counts; 1 without parents
  long parameter_count() const;                 // free ones: sum over nodes of (levels - 1) * configurations
  int index_of(const std::string& name) const;  // node, or -1
  std::vector<std::pair<std::string, std::string>> edges() const;  // (from, to) by name, by child in declared order
  bool operator==(const BayesNet&) const = default;
};

// Throws InputError naming the node when something does not fit: sizes, blank or repeated names or levels, repeated or
// unknown parents, cycles (shown), rows that are not probabilities. What the readers return has passed it.
void check(const BayesNet& net, const std::string& place);

// Ancestral sampling: every node is drawn given its parents. Each node has its own random stream, named after it, so
// the first rows of a longer sample are the shorter sample, and the order in which nodes are declared changes nothing.
// Columns are in declared order (file_index); levels that were never drawn are absent from the Dataset.
Dataset sample(const BayesNet& net, size_t rows, Rng rng, std::string source);

// What an experiment gives a node.
struct Setting {
  int node = 0;
  size_t level = 0;
  bool operator==(const Setting&) const = default;
};

// "smoke=yes". UsageError for a variable or a level that the network has not, with the nearest one.
Setting setting_of(const BayesNet& net, const std::string& text);

// The network under an experiment, each node set at most once (else UsageError). Perfect: the node takes the
// level whatever its parents are, so it loses them. Soft: in half of the rows, by chance and for each node on its own,
// it takes the level, and otherwise it follows its parents.
BayesNet under_experiment(const BayesNet& net, const std::vector<Setting>& settings,
                          Intervention kind = Intervention::kPerfect);

// The network with one more node, without parents, that has the same level in every row: a column of labels.
BayesNet with_label(BayesNet net, const std::string& name, const std::string& label);

// How far the sum of a table's row may be from 1. Up to kRowRounding the difference counts as rounding of binary
// fractions, and the row is left alone. Up to kRowTolerance it counts as rounding of the printed figures, and the row
// is divided by its sum. Beyond that it is a mistake in the file.
inline constexpr double kRowRounding = 1e-9;
inline constexpr double kRowTolerance = 1e-3;

// Divides the row by its sum where the rule above says so. Returns how far the sum was from 1.
double normalise_row(std::span<double> row);

// Graphs as parent lists, for the readers and simulators of this folder; everything else uses graph/dag.h.
std::vector<int> parents_first_order(const std::vector<std::vector<int>>& parents);  // shorter than p if cyclic
std::vector<int> find_cycle(const std::vector<std::vector<int>>& parents);  // nodes a, b, .. with a->b->..->a; or empty

}  // namespace agon
