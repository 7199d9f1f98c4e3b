#include "agon/score/bit_count.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace agon {
namespace {

using Kernel = void (*)(const uint64_t*, const uint64_t*, int, int, int, uint32_t*);

#if defined(__x86_64__)
#define AGON_TARGET(isa) __attribute__((target(isa)))
#else
#define AGON_TARGET(isa)
#endif

// The plain loop. It is compiled again below with the popcnt instruction.
#define AGON_PLAIN_KERNEL(name, isa)                                                                  \
  isa void name(const uint64_t* column, const uint64_t* masks, int mask_count, int stride, int words, \
                uint32_t* counts) {                                                                   \
    for (int m = 0; m < mask_count; ++m, masks += stride) {                                           \
      uint64_t even = 0, odd = 0;                                                                     \
      int k = 0;                                                                                      \
      for (; k + 1 < words; k += 2) {                                                                 \
        even += __builtin_popcountll(column[k] & masks[k]);                                           \
        odd += __builtin_popcountll(column[k + 1] & masks[k + 1]);                                    \
      }                                                                                               \
      if (k < words) even += __builtin_popcountll(column[k] & masks[k]);                              \
      counts[m] += static_cast<uint32_t>(even + odd);                                                 \
    }                                                                                                 \
  }

AGON_PLAIN_KERNEL(kernel_plain, )
#if defined(__x86_64__)
AGON_PLAIN_KERNEL(kernel_popcnt, AGON_TARGET("popcnt"))

AGON_TARGET("avx512f,avx512vpopcntdq")
void kernel_avx512(const uint64_t* column, const uint64_t* masks, int mask_count, int stride, int words,
                   uint32_t* counts) {
  const int whole = words / 8 * 8;
  const __mmask8 tail = static_cast<__mmask8>((1u << (words - whole)) - 1);
  // Four masks share each load of the column. Past the last mask, that mask is repeated and the extra counts are not
  // kept.
  for (int m = 0; m < mask_count; m += 4) {
    const int last = mask_count - 1 - m;
    const uint64_t* at[4];
    for (int i = 0; i < 4; ++i) at[i] = masks + static_cast<size_t>(m + (i < last ? i : last)) * stride;
    __m512i sum[4] = {};
    for (int k = 0; k < whole; k += 8) {
      const __m512i bits = _mm512_loadu_si512(column + k);
      for (int i = 0; i < 4; ++i) {
        const __m512i both = _mm512_and_si512(bits, _mm512_loadu_si512(at[i] + k));
        sum[i] = _mm512_add_epi64(sum[i], _mm512_popcnt_epi64(both));
      }
    }
    if (tail) {
      const __m512i bits = _mm512_maskz_loadu_epi64(tail, column + whole);
      for (int i = 0; i < 4; ++i) {
        const __m512i both = _mm512_and_si512(bits, _mm512_maskz_loadu_epi64(tail, at[i] + whole));
        sum[i] = _mm512_add_epi64(sum[i], _mm512_popcnt_epi64(both));
      }
    }
    for (int i = 0; i < 4 && i <= last; ++i) {
      alignas(64) uint64_t lane[8];
      _mm512_store_si512(lane, sum[i]);
      for (uint64_t part : lane) counts[m + i] += static_cast<uint32_t>(part);
    }
  }
}

// Adds three bits into (sum, carry), at 256 places at once.
#define AGON_ADD3(carry, sum, a, b)                           \
  {                                                           \
    const __m256i x_ = (a), y_ = (b);                         \
    (carry) = _mm256_ternarylogic_epi64((sum), x_, y_, 0xE8); \
    (sum) = _mm256_ternarylogic_epi64((sum), x_, y_, 0x96);   \
  }
#define AGON_ROW(k) _mm256_loadu_si256(reinterpret_cast<const __m256i*>(matrix + static_cast<size_t>(rows[k]) * stride))

AGON_TARGET("avx512f,avx512vl,avx512bw")
void columns_avx512(const uint64_t* matrix, int stride, const uint32_t* rows, size_t count, int bits,
                    uint32_t* counts) {
  for (; bits > 0; bits -= 256, matrix += 4, counts += 256) {
    // level[d]: the bits of weight 2^d of 256 counters. held[d]: more bits of that weight, waiting for a third to be
    // added.
    __m256i level[33], held[33];
    int depth = 3;
    __m256i ones = _mm256_setzero_si256(), twos = ones, fours = ones;
    for (size_t k = 0; k < count; k += 8) {
      __m256i two_a, two_b, four_a, four_b, carry;
      AGON_ADD3(two_a, ones, AGON_ROW(k), AGON_ROW(k + 1));
      AGON_ADD3(two_b, ones, AGON_ROW(k + 2), AGON_ROW(k + 3));
      AGON_ADD3(four_a, twos, two_a, two_b);
      AGON_ADD3(two_a, ones, AGON_ROW(k + 4), AGON_ROW(k + 5));
      AGON_ADD3(two_b, ones, AGON_ROW(k + 6), AGON_ROW(k + 7));
      AGON_ADD3(four_b, twos, two_a, two_b);
      AGON_ADD3(carry, fours, four_a, four_b);
      int d = 3;
      for (size_t group = k / 8; group & 1; group >>= 1, ++d) {
        __m256i next;
        AGON_ADD3(next, level[d], held[d], carry);
        carry = next;
      }
      if (d == depth) level[depth++] = _mm256_setzero_si256();
      held[d] = carry;
    }
    // What is still held is added with a carry that runs through all levels.
    __m256i run = _mm256_setzero_si256();
    const int last = depth;
    for (int d = 3; d < last; ++d) {
      __m256i next;
      const bool holds = (count / 8) >> (d - 3) & 1;
      AGON_ADD3(next, level[d], holds ? held[d] : _mm256_setzero_si256(), run);
      run = next;
    }
    level[depth++] = run;
    level[0] = ones;
    level[1] = twos;
    level[2] = fours;
    alignas(32) uint16_t piece[33][16];
    for (int d = 0; d < depth; ++d) _mm256_store_si256(reinterpret_cast<__m256i*>(piece[d]), level[d]);
    for (int k = 0; k < 16 && 16 * k < bits; ++k) {
      __m512i sum = _mm512_setzero_si512();
      for (int d = 0; d < depth; ++d) {
        sum = _mm512_mask_add_epi32(sum, static_cast<__mmask16>(piece[d][k]), sum, _mm512_set1_epi32(1 << d));
      }
      _mm512_storeu_si512(counts + 16 * k, sum);
    }
  }
}
#undef AGON_ADD3
#undef AGON_ROW
#endif

Kernel choose_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq")) return kernel_avx512;
  if (__builtin_cpu_supports("popcnt")) return kernel_popcnt;
#endif
  return kernel_plain;
}

}  // namespace

void add_shared_bits(const uint64_t* column, const uint64_t* masks, int mask_count, int stride, int words,
                     uint32_t* counts) {
  static const Kernel kernel = choose_kernel();
  kernel(column, masks, mask_count, stride, words, counts);
}

uint32_t intersect_bits(const uint64_t* a, const uint64_t* b, int words, uint64_t* out) {
  for (int k = 0; k < words; ++k) out[k] = a[k] & b[k];
  uint32_t count = 0;
  add_shared_bits(out, out, 1, words, words, &count);
  return count;
}

bool can_count_columns() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#else
  return false;
#endif
}

void count_columns([[maybe_unused]] const uint64_t* matrix, [[maybe_unused]] int stride,
                   [[maybe_unused]] const uint32_t* rows, [[maybe_unused]] size_t count, [[maybe_unused]] int bits,
                   [[maybe_unused]] uint32_t* counts) {
#if defined(__x86_64__)
  columns_avx512(matrix, stride, rows, count, bits, counts);
#endif
}

}  // namespace agon
