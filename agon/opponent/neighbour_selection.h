// agon/opponent/neighbour_selection.h
//
// Which variables may be parents of which, before a costly learner looks at all pairs: for every variable the few
// others that together explain it best, by forward selection over linear and quadratic terms.
//
//   auto inputs = select_neighbours(standardise(data), 20);   // inputs[i]: at most 20 variables, ascending, without i
//
// A variable j enters with x_j and, where it has more than two values, with x_j^2; at each step the one enters that
// lowers the residual variance of i most, until the best lowers it by less than Akaike's criterion asks or there are
// enough. Because it regresses on all others, children and spouses of i enter too. Everything is computed from one Gram
// matrix and draws nothing.
#pragma once

#include <functional>
#include <vector>

#include "agon/opponent/standard_table.h"

namespace agon {

// may_enter(j, i) says which edges j -> i are possible at all; none: all but i -> i.
std::vector<std::vector<int>> select_neighbours(const StandardTable& table, int most,
                                                const std::function<bool(int from, int to)>& may_enter = nullptr,
                                                int threads = 1);

}  // namespace agon
