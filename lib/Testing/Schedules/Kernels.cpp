// Small kernels of every kind that schedules are made for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tessera/Testing/ScheduleFuzz.h"

using namespace tessera;

namespace {
using Sizes = std::vector<std::map<std::string, int64_t>>;
} // namespace

/// Empty, one, odd, one less and one more than tiles of 4 and 16, small ones.
static const Sizes &matrixSizes() {
  static const Sizes sizes = {
      {{"M", 0}, {"N", 0}},  {{"M", 1}, {"N", 1}},   {{"M", 3}, {"N", 5}},   {{"M", 5}, {"N", 8}},
      {{"M", 8}, {"N", 7}},  {{"M", 0}, {"N", 9}},   {{"M", 7}, {"N", 0}},   {{"M", 9}, {"N", 16}},
      {{"M", 4}, {"N", 17}}, {{"M", 13}, {"N", 15}}, {{"M", 33}, {"N", 31}}, {{"M", 2}, {"N", 40}}};
  return sizes;
}

static const Sizes &productSizes() {
  static const Sizes sizes = {{{"M", 0}, {"N", 3}, {"K", 5}},    {{"M", 3}, {"N", 5}, {"K", 0}},
                              {{"M", 1}, {"N", 1}, {"K", 1}},    {{"M", 7}, {"N", 8}, {"K", 5}},
                              {{"M", 8}, {"N", 7}, {"K", 8}},    {{"M", 16}, {"N", 8}, {"K", 16}},
                              {{"M", 17}, {"N", 9}, {"K", 17}},  {{"M", 15}, {"N", 16}, {"K", 33}},
                              {{"M", 33}, {"N", 23}, {"K", 31}}, {{"M", 5}, {"N", 40}, {"K", 40}}};
  return sizes;
}

static const Sizes &twoSizes() {
  static const Sizes sizes = {
      {{"S", 0}, {"T", 3}},   {{"S", 3}, {"T", 0}},  {{"S", 1}, {"T", 1}},
      {{"S", 5}, {"T", 7}},   {{"S", 8}, {"T", 8}},  {{"S", 16}, {"T", 16}},
      {{"S", 17}, {"T", 15}}, {{"S", 7}, {"T", 33}}, {{"S", 20}, {"T", 40}}};
  return sizes;
}

const std::vector<ScheduleKernel> &tessera::scheduleKernels() {
  static const std::vector<ScheduleKernel> kernels = {
      {"scaled", R"(kernel scaled(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
  grid r in tiles(M, 4), c in tiles(N, 16)
  let t = x[r, c]
  y[r, c] = t * 2.0 + 1.0
})",
       matrixSizes()},
      {"normal",
       R"(kernel normal(x: in view<[M, N], f32>, y: out view<[M, N], f32>) where N <= 40 {
  let c = whole(N, width = 48)
  grid r in tiles(M, 4)
  let t = x[r, c]
  let e = exp(t - max(t, axis = 1, keep = true))
  y[r, c] = e / sum(e, axis = 1, keep = true)
})",
       matrixSizes()},
      {"product",
       R"(kernel product(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, d: out view<[M, N], f32>) {
  grid m in tiles(M, 16), n in tiles(N, 8)
  var acc = zeros(f32, [16, 8])
  for k in tiles(K, 16) { acc = mma(a[m, k], b[k, n], acc) }
  d[m, n] = acc
})",
       productSizes(), RunContents::integers},
      {"scores",
       R"(kernel scores(q: in view<[S, 16], bf16>, k: in view<[T, 16], bf16>, v: in view<[T, 16], bf16>,
              o: out view<[S, 16], f32>) {
  grid m in tiles(S, 16)
  let qt = q[m, :]
  var acc = zeros(f32, [16, 16])
  var top = full(f32, [16], 0.0)
  for n in tiles(T, 16) {
    let s = mma(qt, k[n, :].T)
    top = max(top, max(s, axis = 1))
    let p = min(max(s, 0.0), 4.0)
    acc = mma(p as bf16, v[n, :], acc)
  }
  o[m, :] = acc + top[:, _]
})",
       twoSizes(), RunContents::integers},
      {"rows",
       R"(kernel rows(x: in view<[M, N], f32>, y: out view<[M], f32>, z: out view<[M], f32>) {
  grid r in tiles(M, 4)
  var total = zeros(f32, [4])
  var least = full(f32, [4], inf)
  for c in tiles(N, 8) {
    let t = x[r, c]
    total = total + sum(t, axis = 1)
    least = min(least, min(t, axis = 1))
  }
  y[r] = total
  z[r] = least
})",
       matrixSizes()},
      {"update", R"(kernel update(x: inout view<[M, N], f32>) {
  grid r in tiles(M, 4)
  for c in tiles(N, 8) {
    let t = x[r, c]
    x[r, c] = t * 3.0 - 1.0
  }
})",
       matrixSizes()},
      {"running", R"(kernel running(x: in view<[M, N], f32>, y: out view<[M, N], f32>) {
  grid r in tiles(M, 4)
  var carry = zeros(f32, [4])
  for c in tiles(N, 8) reversed {
    let t = x[r, c]
    y[r, c] = cumsum(t, axis = 1, reverse = true) + carry[:, _]
    carry = carry + sum(t, axis = 1)
  }
})",
       matrixSizes()},
      {"twice",
       R"(kernel twice(x: in view<[M, N], f32>, y: out view<[M, N], f32>, z: out view<[M, N], f32>) {
  grid r in tiles(M, 4)
  for c in tiles(N, 8) { y[r, c] = x[r, c] * 2.0 }
  for d in tiles(N, 8) { z[r, d] = y[r, d] + 1.0 }
})",
       matrixSizes()},
      {"turned", R"(kernel turned(x: in view<[M, N], bf16>, y: out view<[N, M], bf16>) {
  grid r in tiles(M, 8), c in tiles(N, 16)
  y[c, r] = x[r, c].T
})",
       matrixSizes()},
      {"columns",
       R"(kernel columns(x: in view<[M, N], f16>, w: in view<[N], f16>, y: out view<[M, N], f16>) {
  grid r in tiles(M, 8)
  for c in tiles(N, 16) {
    let s = w[c]
    y[r, c] = max(x[r, c] * s[_, :], 0.0)
  }
})",
       matrixSizes()},
      {"counted",
       R"(kernel counted(x: in view<[M, N], f32>, y: out view<[M, N], f32>, n: out view<[M], f32>) where N <= 40 {
  grid r in tiles(M, 4)
  let c = whole(N, width = 40)
  let t = x[r, c]
  let kept = t.keep_if(t > 0.0)
  n[r] = sum(kept, axis = 1, order = any)
  y[r, c] = (kept ?? 0.0) + 1.0
})",
       {{{"M", 0}, {"N", 5}},
        {{"M", 1}, {"N", 1}},
        {{"M", 3}, {"N", 8}},
        {{"M", 8}, {"N", 7}},
        {{"M", 5}, {"N", 39}},
        {{"M", 12}, {"N", 40}}},
       RunContents::integers},
      {"halves",
       R"(kernel halves(a: in view<[M, K], bf16>, b: in view<[K, N], bf16>, w: in view<[N], f32>, d: out view<[M, N], bf16>) {
  grid m in tiles(M, 16), n in tiles(N, 16)
  let bias = w[n] * 2.0
  var acc = zeros(f32, [16, 16])
  for k in tiles(K, 16) { acc = mma(a[m, k], b[k, n], acc) }
  d[m, n] = (acc + bias[_, :]) as bf16
})",
       productSizes(), RunContents::integers},
      {"scaled_product",
       R"(kernel scaled_product(x: in view<[M, K], f32>, w: in view<[K, N], f32>, v: in view<[M], f32>,
              y: out view<[M, N], f32>) where K <= 40 {
  grid m in tiles(M, 8), n in tiles(N, 8)
  let row = whole(K, width = 40)
  let f = v[m] * 2.0
  let s = sum(x[m, row], axis = 1)
  var acc = zeros(f32, [8, 8])
  for k in tiles(K, 16) {
    let h = x[m, k] * s[:, _] + f[:, _]
    acc = mma(h, w[k, n], acc)
  }
  y[m, n] = acc
})",
       productSizes(), RunContents::integers},
      {"masked",
       R"(kernel masked(q: in view<[S, 16], bf16>, k: in view<[T, 16], bf16>, v: in view<[T, 16], bf16>,
              o: out view<[S, 16], f32>) {
  grid m in tiles(S, 16)
  let qt = q[m, :]
  var acc = zeros(f32, [16, 16])
  var total = zeros(f32, [16])
  for n in tiles(T, 16) {
    let s = mma(qt, k[n, :].T)
    let t = s.keep_if(n.index[_, :] <= m.index[:, _])
    let p = min(max(t, 0.0), 4.0)
    total = total + sum(p, axis = 1, order = any)
    acc = mma(p as bf16, v[n, :], acc)
  }
  o[m, :] = acc + total[:, _]
})",
       twoSizes(), RunContents::integers},
      {"padded",
       R"(kernel padded(x: in view<[M, N], f32>, w: in view<[N], f32>, s: out view<[M], f32>, y: out view<[M, N], f32>)
    where N <= 40 {
  let c = whole(N, width = 40)
  grid r in tiles(M, 4)
  let f = x[r, c] ?? 0.0
  let g = w[c] ?? 1.0
  s[r] = sum(f, axis = 1)
  y[r, c] = x[r, c] * g[_, :]
})",
       matrixSizes(), RunContents::integers}};
  return kernels;
}
