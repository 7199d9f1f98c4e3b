// agon/effect/pag_adjustment.h
//
// Effects in a partial ancestral graph, where hidden common causes are allowed for: which columns to adjust for, or
// that adjustment cannot answer.
//
//   const PagEffect found = pag_adjustment(pag, x, y, names);
//   found.status == PagEffect::kAdjust;      // regress y on x and found.set
//   found.why;                               // a sentence, with names, when it is not identified
//
// The generalised adjustment criterion (Perković, Textor, Kalisch & Maathuis 2018): a set works when
//   1. every path that may lead from x to y starts with a *visible* arrow out of x, one that no hidden common cause can
//      stand behind (Zhang 2008, definition 8),
//   2. it holds no possible descendant of a node on such a path, and
//   3. it blocks every other path of definite status; checked after the first edges of those of 1 have been removed.
// If any set works, then the possible ancestors of x and y without those of 2 and without x and y work (theorem 14).
// From that set, nodes are dropped one by one while it still works.
//
// Sound, and complete among adjustment sets: an effect may be identified by other means where this says that it is not.
// A graph with a --- b tells of selected rows, and no set is trusted there.
#pragma once

#include <string>
#include <vector>

#include "agon/graph/pag.h"

namespace agon {

struct PagEffect {
  enum Status { kNone, kAdjust, kNotIdentified };  // kNone: y is no effect of x in any member, so the effect is 0
  Status status = kNotIdentified;
  std::vector<Node> set = {};  // ascending
  std::string why = {};
};

// `names` by node, for `why`.
PagEffect pag_adjustment(const Pag& pag, Node cause, Node outcome, const std::vector<std::string>& names);

// The three parts of the criterion, for tests.
bool is_visible(const Pag& pag, Node from, Node to);                     // from --> to
NodeSet possible_pag_descendants(const Pag& pag, Node v, Node without);  // `without`: a node that no path may enter; -1

}  // namespace agon
