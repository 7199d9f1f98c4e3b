#include "agon/nn/layers.h"

#include <cmath>

#include "agon/nn/layers.inc"

namespace agon {

long WeightLayout::add_uniform(int out, int in) {
  const long at = size();
  begin_.push_back(at + static_cast<long>(out) * in);
  start_.push_back({std::sqrt(6.0 / (in + out)), 0});
  return at;
}

long WeightLayout::add_vector(int count) {
  const long at = size();
  begin_.push_back(at + count);
  start_.push_back({std::sqrt(3.0 / count), 0});
  return at;
}

long WeightLayout::add_constant(int count, double value) {
  const long at = size();
  begin_.push_back(at + count);
  start_.push_back({0, value});
  return at;
}

template NetVector<float> WeightLayout::draw<float>(Rng) const;
template struct Linear<float>;
template struct BatchNorm<float>;
template class Encoder<float>;
template void mean_of_tokens(const float*, int, int, int, float*);
template void add_mean_of_tokens_back(const float*, int, int, int, float*);

}  // namespace agon
