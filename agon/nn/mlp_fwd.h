// agon/nn/mlp_fwd.h
//
// A forward declaration of Mlp, for headers that only pass one on: mlp.h includes Eigen, which is slow to compile.
#pragma once

namespace agon {

template <class Real>
class BasicMlp;
using Mlp = BasicMlp<float>;

}  // namespace agon
