// The networks in double precision: gradients are compared with differences, for which floats are too coarse. The
// library itself needs them as floats alone.
#include "agon/agent/double_dqn.inc"
#include "agon/agent/mlp.inc"

namespace agon {

template class BasicMlp<double>;
template class Adam<double>;
template struct MoveOutputs<double>;
template struct MoveScorer<double>;

}  // namespace agon
