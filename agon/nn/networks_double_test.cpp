// Networks in double precision: gradients are compared with finite differences, for which floats are too coarse. The
// library itself has them for float alone.
#include "agon/nn/layers.inc"
#include "agon/nn/mlp.inc"

namespace agon {

template NetVector<double> WeightLayout::draw<double>(Rng) const;
template struct Linear<double>;
template struct BatchNorm<double>;
template class Encoder<double>;
template void mean_of_tokens(const double*, int, int, int, double*);
template void add_mean_of_tokens_back(const double*, int, int, int, double*);
template class BasicMlp<double>;
template class Adam<double>;

}  // namespace agon
