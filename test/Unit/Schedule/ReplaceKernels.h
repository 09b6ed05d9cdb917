// Kernels and instructions for tests of `replace`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_SCHEDULE_REPLACEKERNELS_H
#define TESSERA_TEST_UNIT_SCHEDULE_REPLACEKERNELS_H

#include "MemoryTesting.h"

namespace tessera::testing {

inline const std::vector<Extents> productSizes = {{{"M", 130}, {"N", 40}, {"K", 33}},
                                                  {{"M", 1}, {"N", 1}, {"K", 0}}};

inline Scheduled::Options on(llvm::StringRef target = "sm_80") {
  Scheduled::Options options;
  options.target = target.str();
  options.instructions = true;
  return options;
}

/// A product of one tile a step, 32 x 16 x 32.
inline const char *const kProduct = R"(
layout pair = (1, 2) : (0, 1)
instr st_f16(dst: out view<[2], f16>, src: frag<[2], f16, pair>)
    on sm_80 scope thread ptx "st {src}, [{dst}];" { dst = src }
kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>)
{
    grid m in tiles(M, 32), n in tiles(N, 16)
    var acc = zeros(f32, [32, 16])
    for k in tiles(K, 32) { acc = mma(a[m, k], b[k, n], acc) }
    d[m, n] = acc
}
)";

/// Elementwise ops and a row sum, with instructions for them.
inline const char *const kRowsOfOps = R"(
layout two = (1, 2) : (0, 1)
layout eight = (1, 8) : (0, 1)

instr fma_cvt(d: out frag<[2], bf16, two>, a: frag<[2], f32, two>, b: frag<[2], f32, two>, c: frag<[2], f32, two>)
    on sm_80 scope thread order exact ptx "fma {d}, {a}, {b}, {c};" { d = fma(a, b, c) as bf16 }
instr square(d: out frag<[2], f32, two>, a: frag<[2], f32, two>)
    on sm_80 scope thread order exact ptx "sq {d}, {a};" { d = a * a }
instr times(d: out frag<[2], f32, two>, a: frag<[2], f32, two>, b: frag<[2], f32, two>)
    on sm_80 scope thread order exact ptx "mul {d}, {a}, {b};" { d = a * b }
instr loose(d: out frag<[2], f32, two>, a: frag<[2], f32, two>, b: frag<[2], f32, two>)
    on sm_80 scope thread order any ptx "mul.ftz {d}, {a}, {b};" { d = a * b }
instr twice(d: out frag<[2], f32, two>, a: frag<[2], f32, two>)
    on sm_80 scope thread order exact ptx "dbl {d}, {a};" { d = a * 2.0 }

kernel rows(x: in view<[M, 16], f32>, w: in view<[M, 16], f32>, y: out view<[M, 16], bf16>, z: out view<[M, 16], f32>)
{
    grid r in tiles(M, 4)
    let u = x[r, :]
    let v = w[r, :]
    let p = u * v
    let q = u * u
    let t = fma(v, u, q)
    y[r, :] = t as bf16
    let h = p * 2.0
    z[r, :] = h - v
}
)";

inline const std::vector<Extents> rowSizes = {{{"M", 1}}, {{"M", 7}}, {{"M", 8}}};

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_SCHEDULE_REPLACEKERNELS_H
