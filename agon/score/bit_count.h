// agon/score/bit_count.h
//
// Counting the bits that two bit columns share: the inner loop of every discrete score. The fastest instruction set of
// the running processor is chosen once; the answers are integers and the same everywhere.
#pragma once

#include <cstdint>

namespace agon {

// counts[m] += number of bits set in both `column` and masks[m], m = 0 .. mask_count-1, over `words` words.
// Masks lie one after another, `stride` words apart.
void add_shared_bits(const uint64_t* column, const uint64_t* masks, int mask_count, int stride, int words,
                     uint32_t* counts);

// out = a AND b; returns the number of bits set in it.
uint32_t intersect_bits(const uint64_t* a, const uint64_t* b, int words, uint64_t* out);

}  // namespace agon
