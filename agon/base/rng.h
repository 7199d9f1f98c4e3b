// agon/base/rng.h
//
// The one source of randomness, passed in by value or reference, never global. Bit for bit the same on every machine:
// the generator is xoshiro256++ (Blackman & Vigna 2021) and the distributions are ours, because those of the standard
// library are not specified to the last bit.
//
//   Rng rng(seed);
//   Rng replay = rng.split("replay");     // its own stream; draws from it do not shift any other stream
//   double u = rng.uniform();             // [0, 1)
//   int k = rng.below(6);                 // 0..5
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace agon {

class Rng {
 public:
  explicit Rng(uint64_t seed);

  // An independent stream that depends on this generator's seed and the name (and index) alone, not on how many
  // numbers were drawn.
  Rng split(std::string_view name, uint64_t index = 0) const;

  uint64_t next();
  double uniform();  // [0, 1), 53 random bits
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  int below(int bound);  // uniform on 0 .. bound - 1; bound >= 1
  double normal();       // standard normal (Marsaglia's polar method)
  double exponential();  // rate 1

  template <class Sequence>
  void shuffle(Sequence& items) {  // Fisher-Yates
    for (int i = static_cast<int>(items.size()) - 1; i > 0; --i) std::swap(items[i], items[below(i + 1)]);
  }

 private:
  uint64_t seed_;
  std::array<uint64_t, 4> state_;
};

}  // namespace agon
