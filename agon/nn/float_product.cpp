#include "agon/nn/float_product.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstddef>

namespace agon {
namespace {

// Goto & van de Geijn (2008, ACM Transactions on Mathematical Software 34): the inner loop makes a tile of the result
// that fits into registers; the factors are copied beforehand into panels as high and as wide as a tile, so that it
// reads them one after the other. kDeep terms of a panel of b stay in the first cache, a block of kHigh rows of a in
// the second.
constexpr int kDeep = 512, kHigh = 256;

struct Tile {
  int rows, columns;
  // c (rows x columns, `stride` between columns) = or += the product of a panel of a and one of b, `depth` terms.
  void (*multiply)(int depth, const float* a, const float* b, float* c, long stride, bool add);
};

template <int kRows, int kColumns>
void multiply_plain(int depth, const float* a, const float* b, float* c, long stride, bool add) {
  float sum[kColumns][kRows];
  for (int j = 0; j < kColumns; ++j) {
    for (int i = 0; i < kRows; ++i) sum[j][i] = add ? c[j * stride + i] : 0;
  }
  for (int k = 0; k < depth; ++k, a += kRows, b += kColumns) {
    for (int j = 0; j < kColumns; ++j) {
      for (int i = 0; i < kRows; ++i) sum[j][i] += a[i] * b[j];
    }
  }
  for (int j = 0; j < kColumns; ++j) {
    for (int i = 0; i < kRows; ++i) c[j * stride + i] = sum[j][i];
  }
}
constexpr Tile kPlainTile = {8, 4, multiply_plain<8, 4>};

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) void multiply_avx2(int depth, const float* a, const float* b, float* c, long stride,
                                                       bool add) {
  __m256 sum[6][2];
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    sum[j][0] = add ? _mm256_loadu_ps(c + j * stride) : _mm256_setzero_ps();
    sum[j][1] = add ? _mm256_loadu_ps(c + j * stride + 8) : _mm256_setzero_ps();
  }
  for (int k = 0; k < depth; ++k, a += 16, b += 6) {
    const __m256 upper = _mm256_loadu_ps(a), lower = _mm256_loadu_ps(a + 8);
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const __m256 factor = _mm256_set1_ps(b[j]);
      sum[j][0] = _mm256_fmadd_ps(upper, factor, sum[j][0]);
      sum[j][1] = _mm256_fmadd_ps(lower, factor, sum[j][1]);
    }
  }
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    _mm256_storeu_ps(c + j * stride, sum[j][0]);
    _mm256_storeu_ps(c + j * stride + 8, sum[j][1]);
  }
}

__attribute__((target("avx512f"))) void multiply_avx512(int depth, const float* a, const float* b, float* c,
                                                        long stride, bool add) {
  __m512 sum[12][2];
#pragma GCC unroll 12
  for (int j = 0; j < 12; ++j) {
    sum[j][0] = add ? _mm512_loadu_ps(c + j * stride) : _mm512_setzero_ps();
    sum[j][1] = add ? _mm512_loadu_ps(c + j * stride + 16) : _mm512_setzero_ps();
  }
  for (int k = 0; k < depth; ++k, a += 32, b += 12) {
    const __m512 upper = _mm512_loadu_ps(a), lower = _mm512_loadu_ps(a + 16);
#pragma GCC unroll 12
    for (int j = 0; j < 12; ++j) {
      const __m512 factor = _mm512_set1_ps(b[j]);
      sum[j][0] = _mm512_fmadd_ps(upper, factor, sum[j][0]);
      sum[j][1] = _mm512_fmadd_ps(lower, factor, sum[j][1]);
    }
  }
#pragma GCC unroll 12
  for (int j = 0; j < 12; ++j) {
    _mm512_storeu_ps(c + j * stride, sum[j][0]);
    _mm512_storeu_ps(c + j * stride + 16, sum[j][1]);
  }
}
#endif

Tile widest_tile() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return {32, 12, multiply_avx512};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {16, 6, multiply_avx2};
#endif
  return kPlainTile;
}

// Copies a matrix of `lines` rows and `depth` columns into panels of `width` rows each, column by column; the last
// panel is filled up with zeros.
void pack(const float* from, long line, long step, int lines, int depth, int width, std::vector<float>& to) {
  const int panels = (lines + width - 1) / width;
  to.resize(static_cast<size_t>(panels) * width * depth);
  float* out = to.data();
  for (int panel = 0; panel < panels; ++panel) {
    const float* first = from + static_cast<long>(panel) * width * line;
    const int here = std::min(width, lines - panel * width);
    for (int k = 0; k < depth; ++k, out += width) {
      for (int i = 0; i < here; ++i) out[i] = first[i * line + k * step];
      std::fill(out + here, out + width, 0.0f);
    }
  }
}

}  // namespace

void FloatProduct::operator()(const Strided& a, const Strided& b, int m, int k, int n, float* c, long stride) {
  static const Tile tile = widest_tile();
  float edge[32 * 12];
  for (int k0 = 0; k0 < k; k0 += kDeep) {
    const int depth = std::min(kDeep, k - k0);
    pack(b.data + k0 * b.row, b.column, b.row, n, depth, tile.columns, b_);
    for (int m0 = 0; m0 < m; m0 += kHigh) {
      const int high = std::min(kHigh, m - m0);
      pack(a.data + m0 * a.row + k0 * a.column, a.row, a.column, high, depth, tile.rows, a_);
      for (int j = 0; j < n; j += tile.columns) {
        const float* b_panel = b_.data() + static_cast<size_t>(j) * depth;
        for (int i = 0; i < high; i += tile.rows) {
          const float* a_panel = a_.data() + static_cast<size_t>(i) * depth;
          float* out = c + j * stride + m0 + i;
          const int rows = std::min(tile.rows, high - i), columns = std::min(tile.columns, n - j);
          if (rows == tile.rows && columns == tile.columns) {
            tile.multiply(depth, a_panel, b_panel, out, stride, k0 > 0);
            continue;
          }
          // A tile that juts out of the result is made beside it.
          for (int y = 0; y < columns; ++y) std::copy_n(out + y * stride, rows, edge + y * tile.rows);
          tile.multiply(depth, a_panel, b_panel, edge, tile.rows, k0 > 0);
          for (int y = 0; y < columns; ++y) std::copy_n(edge + y * tile.rows, rows, out + y * stride);
        }
      }
    }
  }
}

}  // namespace agon
