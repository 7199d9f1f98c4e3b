#include "agon/agent/double_dqn.inc"

namespace agon {

template struct MoveOutputs<float>;
template struct MoveScorer<float>;

}  // namespace agon
