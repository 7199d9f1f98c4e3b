// agon/opponent/neighbour_selection.h
//
// Which variables may be parents of which, before a costly learner considers all pairs: for every variable, the few
// others that together explain it best, by forward selection over linear and quadratic terms.
//
//   auto inputs = select_neighbours(standardise(data), 20);   // inputs[i]: at most 20 variables, ascending, without i
//
// A variable j enters with x_j and, if it has more than two values, with x_j^2. At each step the variable that lowers
// the residual variance of i most enters, until the best one lowers it by less than Akaike's criterion asks or enough
// have entered. Because i is regressed on all others, its children and spouses enter too. Everything is computed from
// one Gram matrix, without random numbers.
#pragma once

#include <functional>
#include <vector>

#include "agon/opponent/standard_table.h"

namespace agon {

// may_enter(j, i) says whether an edge j -> i is possible at all. If it is empty, all edges but i -> i are.
std::vector<std::vector<int>> select_neighbours(const StandardTable& table, int most,
                                                const std::function<bool(int from, int to)>& may_enter = nullptr,
                                                int threads = 1);

}  // namespace agon
