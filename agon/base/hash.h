// agon/base/hash.h
//
// One 64-bit hash for names, data checksums and cache keys: the same value on every machine, for ever.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace agon {

// The finaliser of splitmix64 (Steele, Lea & Flood 2014): a bijection that spreads every input bit over the output.
constexpr uint64_t mix64(uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

// Order-dependent combination: combine(combine(seed, a), b).
constexpr uint64_t hash_combine(uint64_t seed, uint64_t value) { return mix64(seed ^ mix64(value)); }

// FNV-1a over the bytes, then mixed.
constexpr uint64_t hash_text(std::string_view text) {
  uint64_t h = 0xCBF29CE484222325ull;
  for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ull;
  return mix64(h);
}

std::string hex64(uint64_t value);  // 16 lower-case digits

}  // namespace agon
