// agon/graph/varsortability.h
//
// How far the variances of the columns give the causal order away: the share of the causal paths of a graph along which
// the variance grows from the first node to the last (Reisach, Seiler & Weichwald 2021, NeurIPS 34, "Beware of
// the simulated DAG!", section 3.1). Scales that mean nothing give 0.5; near 1, as in most simulated data,
// methods that compare variances (NOTEARS, GOLEM) find the order for that reason alone, and lose it when columns are
// standardised.
//
//   varsortability(p, true_edges, column_variances(data));
//
// For every length, pairs of nodes joined by a path of that length count once; equal variances count one half. Absent
// for a graph without edges and for one with cycles.
#pragma once

#include <optional>
#include <vector>

#include "agon/data/dataset.h"
#include "agon/graph/dag.h"

namespace agon {

std::optional<double> varsortability(int nodes, const std::vector<Edge>& edges, const std::vector<double>& variance);

std::vector<double> column_variances(const Dataset& data);  // over n; of codes for categorical columns

}  // namespace agon
