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

// The plain loop; compiled again below with the popcnt instruction.
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
  for (int m = 0; m < mask_count; ++m, masks += stride) {
    __m512i sum = _mm512_setzero_si512();
    for (int k = 0; k < whole; k += 8) {
      const __m512i both = _mm512_and_si512(_mm512_loadu_si512(column + k), _mm512_loadu_si512(masks + k));
      sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
    }
    if (tail) {
      const __m512i both = _mm512_and_si512(_mm512_maskz_loadu_epi64(tail, column + whole),
                                            _mm512_maskz_loadu_epi64(tail, masks + whole));
      sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
    }
    alignas(64) uint64_t lane[8];
    _mm512_store_si512(lane, sum);
    for (uint64_t part : lane) counts[m] += static_cast<uint32_t>(part);
  }
}
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

}  // namespace agon
