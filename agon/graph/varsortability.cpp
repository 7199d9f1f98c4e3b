#include "agon/graph/varsortability.h"

#include <cmath>

#include "agon/data/capability.h"

namespace agon {

std::optional<double> varsortability(int nodes, const std::vector<Edge>& edges, const std::vector<double>& variance) {
  const std::optional<Dag> dag = dag_from_edges(nodes, edges);
  if (!dag || edges.empty()) return std::nullopt;
  constexpr double kEqual = 1e-9;  // relative
  double paths = 0, grows = 0;
  for (Node from = 0; from < nodes; ++from) {
    NodeSet ends(nodes);
    ends.insert(from);
    while (true) {  // ends of paths that are longer by one each time
      NodeSet next(nodes);
      for (Node v : ends) next |= dag->children(v);
      if (next.empty()) break;
      for (Node to : next) {
        const double a = variance[from], b = variance[to];
        paths += 1;
        grows += std::abs(a - b) <= kEqual * std::max(a, b) ? 0.5 : b > a ? 1 : 0;
      }
      ends = next;
    }
  }
  return grows / paths;
}

std::vector<double> column_variances(const Dataset& data) {
  refuse_beyond(kOrdinaryTables, data, "varsortability");
  std::vector<double> out;
  const double n = static_cast<double>(data.rows());
  for (const Column& column : data.columns()) {
    const bool codes = column.kind == ColumnKind::kCategorical;
    double mean = 0, square = 0;
    for (size_t r = 0; r < data.rows(); ++r) mean += (codes ? column.codes[r] : column.values[r]) / n;
    for (size_t r = 0; r < data.rows(); ++r) {
      const double off = (codes ? column.codes[r] : column.values[r]) - mean;
      square += off * off / n;
    }
    out.push_back(square);
  }
  return out;
}

}  // namespace agon
