#include "agon/base/rng.h"

#include <bit>
#include <cmath>

#include "agon/base/hash.h"

namespace agon {

Rng::Rng(uint64_t seed) : seed_(seed) {
  uint64_t x = seed;
  for (uint64_t& word : state_) {
    word = mix64(x);
    x += 0x9E3779B97F4A7C15ull;
  }
}

Rng Rng::split(std::string_view name, uint64_t index) const {
  return Rng(hash_combine(hash_combine(seed_, hash_text(name)), index));
}

uint64_t Rng::next() {
  const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
  const uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

double Rng::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

int Rng::below(int bound) {
  // Lemire's multiply-shift with rejection: exactly uniform.
  const uint64_t range = static_cast<uint64_t>(bound);
  const uint64_t threshold = (uint64_t{1} << 32) % range;
  for (;;) {
    const uint64_t product = (next() >> 32) * range;
    if ((product & 0xFFFFFFFFull) >= threshold) return static_cast<int>(product >> 32);
  }
}

double Rng::normal() {
  for (;;) {
    const double u = uniform(-1, 1), v = uniform(-1, 1), s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * std::log(s) / s);
  }
}

double Rng::exponential() { return -std::log1p(-uniform()); }

}  // namespace agon
