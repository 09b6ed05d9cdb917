//===- Mma.cpp - the matrix product of the exact system ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// acc += a * b with one fma per k, ascending. Both operands are first widened into panels of a few rows (a) and two
// vectors of columns (b), so that the inner loop is loads, broadcasts and fma whatever the input type and the strides.
// The order of additions per element never depends on the blocking.
//
//===----------------------------------------------------------------------===//

#include "FloatOps.h"
#include "Kernels.h"
#include "Loops.h"

#include <algorithm>
#include <vector>

namespace tessera::numeric {

template <class E> struct Lanes;
template <> struct Lanes<float> {
  using Vector = float __attribute__((ext_vector_type(8)));
  TESSERA_INLINE static Vector step(Vector a, Vector b, Vector c) {
    return __builtin_elementwise_fma(a, b, c);
  }
};
template <> struct Lanes<double> {
  using Vector = double __attribute__((ext_vector_type(4)));
  TESSERA_INLINE static Vector step(Vector a, Vector b, Vector c) {
    return __builtin_elementwise_fma(a, b, c);
  }
};
template <> struct Lanes<uint32_t> {
  using Vector = uint32_t __attribute__((ext_vector_type(8)));
  TESSERA_INLINE static Vector step(Vector a, Vector b, Vector c) { return a * b + c; }
};

constexpr int rows = 4;
template <class E> constexpr int lanes = sizeof(typename Lanes<E>::Vector) / sizeof(E);
template <class E> constexpr int columns = 2 * lanes<E>;

//===- splits of an f32 into parts ----------------------------------------===//

/// Rounds to 10 mantissa bits, ties away from zero.
static float toTf32(float x) {
  uint32_t bits = bitsOf(x);
  return (bits & 0x7fffffffu) >= 0x7f800000u ? x : floatOf((bits + 0x1000u) & ~0x1fffu);
}
static float toBf16(float x) { return widen<DType::bf16>(narrow<DType::bf16>(x)); }

struct Plain {
  static constexpr int parts = 1, count = 1;
  static constexpr uint8_t pairs[count][2] = {{0, 0}};
};
struct Tf32 : Plain {
  static void split(float x, float *part) { part[0] = toTf32(x); }
};
template <int Parts, float (*Round)(float)> struct SplitBy {
  static constexpr int parts = Parts;
  static void split(float x, float *part) {
    for (int i = 0; i < Parts; ++i) {
      part[i] = Round(x);
      x = IsFinite::apply(part[i]) ? x - part[i]
                                   : 0.0f; // exact: a part is never further than half a place
    }
  }
};
struct Tf32x3 : SplitBy<2, toTf32> {
  static constexpr int count = 3;
  static constexpr uint8_t pairs[count][2] = {{1, 0}, {0, 1}, {0, 0}};
};
struct Bf16x3 : SplitBy<2, toBf16> {
  static constexpr int count = 3;
  static constexpr uint8_t pairs[count][2] = {{1, 0}, {0, 1}, {0, 0}};
};
struct Bf16x6 : SplitBy<3, toBf16> {
  static constexpr int count = 6;
  static constexpr uint8_t pairs[count][2] = {{1, 1}, {2, 0}, {0, 2}, {1, 0}, {0, 1}, {0, 0}};
};

/// Reads an input element into the `parts` places `stride` apart.
template <DType In, class E, class Split>
TESSERA_INLINE void readParts(const void *p, int64_t at, E *out, int stride) {
  Storage<In> stored = static_cast<const Storage<In> *>(p)[at];
  if constexpr (!isFloat(In)) {
    out[0] = E(int32_t(stored));
  } else if constexpr (std::is_base_of_v<Plain, Split> && !std::is_same_v<Split, Tf32>) {
    out[0] = E(widen<In>(stored));
  } else {
    float part[Split::parts];
    Split::split(stored, part);
    for (int i = 0; i < Split::parts; ++i) {
      out[i * stride] = part[i];
    }
  }
}

//===- blocks -------------------------------------------------------------===//

/// a: [k][part][rows], b: [k][part][columns], c: [rows][columns].
template <class E, class Split> TESSERA_INLINE void block(const E *a, const E *b, E *c, int64_t k) {
  using V = typename Lanes<E>::Vector;
  V sum[rows][2];
  __builtin_memcpy(sum, c, sizeof(sum));
  for (int64_t step = 0; step < k; ++step) {
#pragma clang loop unroll(full)
    for (int pair = 0; pair < Split::count; ++pair) {
      const E *left = a + Split::pairs[pair][0] * rows;
      V right[2];
      __builtin_memcpy(right, b + Split::pairs[pair][1] * columns<E>, sizeof(right));
#pragma clang loop unroll(full)
      for (int i = 0; i < rows; ++i) {
        V wide = V(left[i]);
        sum[i][0] = Lanes<E>::step(wide, right[0], sum[i][0]);
        sum[i][1] = Lanes<E>::step(wide, right[1], sum[i][1]);
      }
    }
    a += Split::parts * rows;
    b += Split::parts * columns<E>;
  }
  __builtin_memcpy(c, sum, sizeof(sum));
}

template <class E, class Split> struct Block {
  TESSERA_FAST_TARGET static void fast(const E *a, const E *b, E *c, int64_t k) {
    block<E, Split>(a, b, c, k);
  }
  static void plain(const E *a, const E *b, E *c, int64_t k) { block<E, Split>(a, b, c, k); }
};

template <DType In, class E, class Split>
static void packRows(const void *a, int64_t first, int64_t m, int64_t k, const MmaStrides &s,
                     E *panel) {
  int count = int(std::min<int64_t>(rows, m - first));
  std::fill_n(panel, k * Split::parts * rows, E(0));
  for (int64_t step = 0; step < k; ++step) {
    for (int i = 0; i < count; ++i) {
      int64_t at = (first + i) * s.aRow + step * s.aCol;
      readParts<In, E, Split>(a, at, panel + step * Split::parts * rows + i, rows);
    }
  }
}

template <DType In, class E, class Split>
static void packColumns(const void *b, int64_t first, int64_t n, int64_t k, const MmaStrides &s,
                        E *panel) {
  int count = int(std::min<int64_t>(columns<E>, n - first));
  std::fill_n(panel, k * Split::parts * columns<E>, E(0));
  for (int64_t step = 0; step < k; ++step) {
    E *row = panel + step * Split::parts * columns<E>;
    for (int j = 0; j < count; ++j) {
      readParts<In, E, Split>(b, step * s.bRow + (first + j) * s.bCol, row + j, columns<E>);
    }
  }
}

template <DType In, class E, class Split>
static void product(const void *a, const void *b, void *acc, int64_t m, int64_t n, int64_t k,
                    const MmaStrides &s) {
  if (m <= 0 || n <= 0 || k <= 0) {
    return;
  }
  auto *run = useFastLoops() ? &Block<E, Split>::fast : &Block<E, Split>::plain;
  E *sums = static_cast<E *>(acc);
  int64_t panelSize = k * Split::parts * columns<E>;
  int64_t panelCount = (n + columns<E> - 1) / columns<E>;
  std::vector<E> left(k * Split::parts * rows), right(panelSize * panelCount);
  for (int64_t p = 0; p < panelCount; ++p) {
    packColumns<In, E, Split>(b, p * columns<E>, n, k, s, right.data() + p * panelSize);
  }
  for (int64_t i0 = 0; i0 < m; i0 += rows) {
    packRows<In, E, Split>(a, i0, m, k, s, left.data());
    int64_t height = std::min<int64_t>(rows, m - i0);
    for (int64_t p = 0; p < panelCount; ++p) {
      int64_t j0 = p * columns<E>, width = std::min<int64_t>(columns<E>, n - j0);
      E c[rows * columns<E>] = {};
      for (int64_t i = 0; i < height; ++i) {
        for (int64_t j = 0; j < width; ++j) {
          c[i * columns<E> + j] = sums[(i0 + i) * s.accRow + (j0 + j) * s.accCol];
        }
      }
      run(left.data(), right.data() + p * panelSize, c, k);
      for (int64_t i = 0; i < height; ++i) {
        for (int64_t j = 0; j < width; ++j) {
          sums[(i0 + i) * s.accRow + (j0 + j) * s.accCol] = c[i * columns<E> + j];
        }
      }
    }
  }
}

static MmaKernel splitProduct(MmaPrecision precision) {
  switch (precision) {
  case MmaPrecision::ieee:
    return &product<DType::f32, float, Plain>;
  case MmaPrecision::tf32:
    return &product<DType::f32, float, Tf32>;
  case MmaPrecision::tf32x3:
    return &product<DType::f32, float, Tf32x3>;
  case MmaPrecision::bf16x3:
    return &product<DType::f32, float, Bf16x3>;
  case MmaPrecision::bf16x6:
    return &product<DType::f32, float, Bf16x6>;
  }
  return nullptr;
}

} // namespace tessera::numeric

namespace tessera {

using namespace numeric;

MmaKernel ExactSystem::mma(DType in, DType acc, MmaPrecision precision) {
  if (in == DType::f32 && acc == DType::f32) {
    return splitProduct(precision);
  }
  if (precision != MmaPrecision::ieee) {
    return nullptr;
  }
  switch (in) {
  case DType::bf16:
    return acc == DType::f32 ? &product<DType::bf16, float, Plain> : nullptr;
  case DType::f16:
    return acc == DType::f32 ? &product<DType::f16, float, Plain> : nullptr;
  case DType::f8E4M3FN:
    return acc == DType::f32 ? &product<DType::f8E4M3FN, float, Plain> : nullptr;
  case DType::f8E5M2:
    return acc == DType::f32 ? &product<DType::f8E5M2, float, Plain> : nullptr;
  case DType::f64:
    return acc == DType::f64 ? &product<DType::f64, double, Plain> : nullptr;
  case DType::i8:
    return acc == DType::i32 ? &product<DType::i8, uint32_t, Plain> : nullptr;
  case DType::ui8:
    return acc == DType::i32 ? &product<DType::ui8, uint32_t, Plain> : nullptr;
  default:
    return nullptr;
  }
}

MmaKernel F64System::mma(DType in, DType acc, MmaPrecision precision) {
  if (!isFloat(in)) {
    return ExactSystem::mma(in, acc, precision);
  }
  bool fits = ExactSystem::mma(in, acc, precision) != nullptr;
  return fits ? &product<DType::f64, double, Plain> : nullptr;
}

} // namespace tessera
