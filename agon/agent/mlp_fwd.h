// agon/agent/mlp_fwd.h
//
// The name of a network, for headers that only pass one on: mlp.h brings Eigen along, which is dear to compile.
#pragma once

namespace agon {

template <class Real>
class BasicMlp;
using Mlp = BasicMlp<float>;

}  // namespace agon
