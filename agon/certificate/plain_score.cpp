#include "agon/certificate/plain_score.h"

namespace agon::plain {

Family family_of(const Dag& dag, Node child) { return {child, dag.parent_list(child)}; }

Value total(const Scorer& scorer, const Dag& dag) {
  Value sum;
  for (Node v = 0; v < dag.size(); ++v) {
    const Value local = scorer.local(v, dag.parent_list(v));
    sum.score += local.score;
    sum.rounding += local.rounding;
  }
  return sum;
}

}  // namespace agon::plain
