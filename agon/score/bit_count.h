// agon/score/bit_count.h
//
// Counts the bits that two bit columns share: the inner loop of every discrete score. The fastest instruction set of
// the running processor is chosen once. The answers are integers, and the same everywhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace agon {

// counts[m] += number of bits set in both `column` and masks[m], for m = 0 .. mask_count-1, over `words` words. The
// masks are stored one after another, `stride` words apart.
void add_shared_bits(const uint64_t* column, const uint64_t* masks, int mask_count, int stride, int words,
                     uint32_t* counts);

// out = a AND b; returns the number of bits set in `out`.
uint32_t intersect_bits(const uint64_t* a, const uint64_t* b, int words, uint64_t* out);

// The transposed layout: a matrix of bits, row after row, `stride` words each (a multiple of 4), and a list of some of
// its rows. counts[k] = how many of the listed rows have bit k set, for all k < `bits` (rounded up to 16). One pass
// over the rows serves 256 columns at once: eight rows at a time are added into bit-sliced counters by carry-save
// adders (Harley & Seal, in Warren 2013, Hacker's Delight, section 5-1). `count` must be a multiple of 8; pad the list
// with a row of zeros.
bool can_count_columns();  // whether this processor has the instructions that make it worthwhile (AVX-512)
void count_columns(const uint64_t* matrix, int stride, const uint32_t* rows, size_t count, int bits, uint32_t* counts);

}  // namespace agon
