#include <cmath>
#include <cstring>

#include "agon/opponent/lingam.h"

namespace agon {
namespace {

typedef float Pack __attribute__((vector_size(32)));
typedef float LoosePack __attribute__((vector_size(32), aligned(alignof(float)), may_alias));
typedef int IntPack __attribute__((vector_size(32)));
constexpr int kLanes = 8;
constexpr int kBlock = 512;  // rows whose sums are kept in floats

#define AGON_INLINE inline __attribute__((always_inline))

// e^x for x <= 0, to a relative error of about 1e-7; 0 below -87. Structs, because one-expression macros would hide
// what these are.
struct Exp {
  static AGON_INLINE void apply(Pack& x) {
    const Pack low = Pack{} - 87.0f;
    x = x > low ? x : low;
    const IntPack k = __builtin_convertvector(x * 1.44269504f - 0.5f, IntPack);  // rounds to nearest, as x <= 0
    const Pack whole = __builtin_convertvector(k, Pack);
    const Pack r = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;  // ln 2 in two parts
    Pack value = r * (1.0f / 720) + (1.0f / 120);
    value = value * r + (1.0f / 24);
    value = value * r + (1.0f / 6);
    value = value * r + 0.5f;
    value = value * r + 1.0f;
    value = value * r + 1.0f;
    const IntPack scale = (k + 127) << 23;
    Pack power;
    std::memcpy(&power, &scale, sizeof power);
    x = value * power;
  }
};

// ln(1 + y) for y in [0, 1]: 2 artanh(z), z = y / (2 + y) <= 1/3.
struct Log1p {
  static AGON_INLINE void apply(Pack& y) {
    const Pack z = y / (y + 2.0f), q = z * z;
    Pack value = q * (1.0f / 11) + (1.0f / 9);
    value = value * q + (1.0f / 7);
    value = value * q + (1.0f / 5);
    value = value * q + (1.0f / 3);
    value = value * q + 1.0f;
    y = 2.0f * z * value;
  }
};

struct Sums {
  Pack log_cosh = {}, odd = {};
  AGON_INLINE void add(const Pack& u) {
    const Pack size = u < 0.0f ? -u : u;
    Pack tail = size * -2.0f, bell = u * u * -0.5f;
    Exp::apply(tail);
    Exp::apply(bell);
    Log1p::apply(tail);
    log_cosh += size + (tail - 0.693147181f);
    odd += u * bell;
  }
};

AGON_INLINE void means(const float* x, const float* y, int rows, float r, float s, double* out) {
  double total[4] = {};
  for (int first = 0; first < rows; first += kBlock) {
    const int last = first + kBlock < rows ? first + kBlock : rows;
    Sums a, b;
    int row = first;
    for (; row + kLanes <= last; row += kLanes) {
      const Pack u = *reinterpret_cast<const LoosePack*>(x + row), v = *reinterpret_cast<const LoosePack*>(y + row);
      a.add((u - v * r) * s);
      b.add((v - u * r) * s);
    }
    if (row < last) {  // the rest is padded with zeros, which add nothing
      Pack u = {}, v = {};
      for (int k = 0; row + k < last; ++k) {
        u[k] = x[row + k];
        v[k] = y[row + k];
      }
      a.add((u - v * r) * s);
      b.add((v - u * r) * s);
    }
    for (int k = 0; k < kLanes; ++k) {
      total[0] += a.log_cosh[k];
      total[1] += a.odd[k];
      total[2] += b.log_cosh[k];
      total[3] += b.odd[k];
    }
  }
  for (int k = 0; k < 4; ++k) out[k] = total[k] / rows;
}

AGON_INLINE double tanh_all(float* y, int count) {
  Pack slopes = {};
  double total = 0;
  for (int k = 0; k < count; k += kLanes) {
    LoosePack* at = reinterpret_cast<LoosePack*>(y + k);
    const Pack u = *at;
    Pack e = (u < 0.0f ? u : -u) * 2.0f;
    Exp::apply(e);
    const Pack size = (1.0f - e) / (1.0f + e);
    *at = u < 0.0f ? -size : size;
    slopes += 1.0f - size * size;
  }
  for (int k = 0; k < kLanes; ++k) total += slopes[k];
  return total;
}

void means_plain(const float* x, const float* y, int rows, float r, float s, double* out) {
  means(x, y, rows, r, s, out);
}
double tanh_plain(float* y, int count) { return tanh_all(y, count); }

#if defined(__x86_64__)
__attribute__((target("avx2"))) void means_avx2(const float* x, const float* y, int rows, float r, float s,
                                                double* out) {  // without fma: the same bits
  means(x, y, rows, r, s, out);
}
__attribute__((target("avx2"))) double tanh_avx2(float* y, int count) { return tanh_all(y, count); }

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2");
  return has;
}
#endif

}  // namespace

double tanh_and_slopes(float* y, int count) {
#if defined(__x86_64__)
  if (has_avx2()) return tanh_avx2(y, count);
#endif
  return tanh_plain(y, count);
}

EntropyPair entropy_means(const float* x, const float* y, int rows, float r, float s) {
  double out[4];
  auto* means_of_rows = means_plain;
#if defined(__x86_64__)
  if (has_avx2()) means_of_rows = means_avx2;
#endif
  means_of_rows(x, y, rows, r, s, out);
  return {{out[0], out[1]}, {out[2], out[3]}};
}

double entropy_of(const EntropyMeans& m) {
  // Hyvarinen 1998, NIPS 10, equations 5 and 11: constants k1, k2, gamma.
  const double a = m.log_cosh - 0.37457;
  return 0.5 * (1 + std::log(2 * M_PI)) - 79.047 * a * a - 7.4129 * m.odd * m.odd;
}

}  // namespace agon
