#include "agon/graph/fit_network.h"

#include <algorithm>

#include "agon/base/error.h"
#include "agon/data/capability.h"

namespace agon {

double network_size(const Dataset& data, const Dag& dag) {
  double all = 0;
  for (Node v = 0; v < dag.size(); ++v) {
    double cells = static_cast<double>(data.column(v).levels.size());
    for (const Node parent : dag.parents(v)) cells *= static_cast<double>(data.column(parent).levels.size());
    all += cells;
  }
  return all;
}

BayesNet fit_network(const Dataset& data, const Dag& dag) {
  refuse_beyond({.categorical = true, .continuous = true, .mixed = true, .weights = true}, data,
                "the fit of probability tables");
  BayesNet net;
  std::vector<int> order = data.file_order();
  std::sort(order.begin(), order.end(), [&](int a, int b) { return data.column(a).name < data.column(b).name; });
  std::vector<int> place(order.size());
  for (size_t k = 0; k < order.size(); ++k) place[static_cast<size_t>(order[k])] = static_cast<int>(k);
  for (const Node node : order) {
    const Column& column = data.column(node);
    if (column.kind != ColumnKind::kCategorical) {
      throw InputError(data.source(), "column " + quoted(column.name) + " is continuous: it has no probability table");
    }
    net.names.push_back(column.name);
    net.levels.push_back(column.levels);
    std::vector<int> parents;
    for (const Node parent : dag.parents(node)) parents.push_back(place[static_cast<size_t>(parent)]);
    std::sort(parents.begin(), parents.end());
    net.parents.push_back(std::move(parents));
  }

  for (int v = 0; v < net.size(); ++v) {
    const size_t levels = net.levels[v].size(), configurations = net.configurations(v);
    std::vector<double> table(configurations * levels), seen(configurations);
    for (size_t row = 0; row < data.rows(); ++row) {
      size_t configuration = 0;
      for (const int parent : net.parents[v]) {
        configuration = configuration * net.levels[parent].size() + data.column(order[parent]).codes[row];
      }
      table[configuration * levels + data.column(order[v]).codes[row]] += data.weight(row);
      seen[configuration] += data.weight(row);
    }
    const double share = 1.0 / static_cast<double>(configurations);
    for (size_t c = 0; c < configurations; ++c) {
      for (size_t level = 0; level < levels; ++level) {
        double& cell = table[c * levels + level];
        cell = (cell + share / static_cast<double>(levels)) / (seen[c] + share);
      }
    }
    net.tables.push_back(std::move(table));
  }
  check(net, data.source());
  return net;
}

}  // namespace agon
