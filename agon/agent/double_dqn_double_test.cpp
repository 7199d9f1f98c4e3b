// The learner in double precision: gradients are compared with finite differences, for which floats are too coarse.
// The library itself learns with floats only.
#include "agon/agent/double_dqn.inc"
#include "agon/nn/mlp.inc"

namespace agon {

template class BasicMlp<double>;
template class Adam<double>;
template struct MoveOutputs<double>;
template struct MoveScorer<double>;

}  // namespace agon
