// Whole scripts as users write them; the mutation test damages them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TESSERA_TEST_UNIT_SCRIPT_EXAMPLES_H
#define TESSERA_TEST_UNIT_SCRIPT_EXAMPLES_H

namespace tessera::testing {

inline const char *const kArrays = R"(
schedule norm_matmul on sm_80 {
  let y = def(y), h = def(h), s = def(s)
  let {outer: m} = realize(split(y.M, 128)), {outer: n} = realize(split(y.N, 128)), {outer: k} = realize(split(y.K, 64))
  bind(y.M, grid); bind(y.N, grid); compute_at(h, k); compute_at(s, before = k)           # s needs the whole row
}
)";

inline const char *const kRows = R"(
def row_in_warp(q, V) { let x = q.load(x);  let {outer: v, inner: e} = split(x.c, 32*V)
                        let {outer: ln, inner: w} = split(e, V)
                        bind(x.r, warp); bind(v, reg); bind(ln, lane); vectorize(w); pin(x); pin(q.store(y), like = x); seal(q) }
schedule softmax on sm_80 { let {yes, no} = versions(N % 8 == 0 and aligned(x, 16) and aligned(y, 16))
  row_in_warp(yes, 8); row_in_warp(no, 1) }
)";

inline const char *const kMatmul = R"(
schedule gemm on sm_80 (WM = 2, WN = 4, S = choose(3, {2, 3, 4})) {
  let {yes, no} = versions(K % 8 == 0 and N % 8 == 0 and aligned(a, 16) and aligned(b, 16));  for g in [yes, no] {
  let mm = g.def(acc), k = g.loop(k), A = stage(mm.a, shared, layout = xor16(4)), B = stage(mm.b, shared, layout = xor16(8))
  if g == yes { replace(A.copy, cp_async_16); replace(B.copy, cp_async_16) } else { S = 2 }   # `no`: synchronous copy
  sections(k, {load: [A.copy, B.copy], use: rest});  ring([A.buf, B.buf], S)
  bind(split(mm.m, 128/WM).outer, warp); bind(split(mm.n, 128/WN).outer, warp)
  replace(mm, mma_m16n8k16_bf16); replace(A.read, ldmatrix_x4); replace(B.read, ldmatrix_x4_trans)
  let C = stage(g.store(d).value, shared, layout = xor16(16));  overlay(C.buf, A.buf, B.buf);  auto_sync(g); seal(g) } }
)";

inline const char *const kAttention = R"(
schedule attention on sm_80 {
  let qk = def(s).mma, pv = def(acc), n = loop(n)
  let Q = stage(qk.a, shared), K = stage(qk.b, shared), V = stage(pv.b, shared)
  for c in [Q.copy, K.copy, V.copy] { replace(c, cp_async_16) };  hoist(Q.copy, n); hoist(Q.read, n)
  sections(n, {lk: [K.copy], lv: [V.copy], use: rest}); ring(K.buf, 2); ring(V.buf, 2)
  bind(split(qk.m, 16).outer, warp); replace(qk, mma_m16n8k16_bf16)
  bind(split(pv.m, 16).outer, warp); replace(pv, mma_m16n8k16_bf16)
  let O = stage(store(o).value, shared)
  replace(K.read, ldmatrix_x4); replace(V.read, ldmatrix_x4_trans)
  peel(n, keep_if); peel(n, edge); overlay(O.buf, Q.buf); auto_sync(self); seal() }
)";

inline const char *const kRoles = R"(
schedule gemm on sm_90 (S = choose(4, {3, 4, 5})) {
  let t = persistent(self, order = grouped(8)); cluster(t.m, 2);  let mm = def(acc), k = loop(k)
  let A = stage(mm.a, shared, layout = sw128), B = stage(mm.b, shared, layout = sw128)
  replace(A.copy, tma_load_2d); replace(B.copy, tma_load_2d); multicast(B.copy, over = cluster)
  sections(k, {load: [A.copy, B.copy], use: rest}); ring([A.buf, B.buf], S, protocol = mbarrier)
  bind(split(mm.m, 64).outer, warpgroup); replace(mm, wgmma_m64k16(256)); set_lag(use, 1)   # absorbs both reads
  let C = stage(store(d).value, shared, layout = sw128, per = warp)
  replace(C.write, stmatrix_x4); replace(C.copy, tma_store_2d); ring([C.buf], 2, protocol = bulk)
  roles({producer: [load], consumer: rest}, warps = {producer: 4, consumer: 8}, regs = {producer: 40, consumer: 232})
  auto_sync(self); seal() }
)";

/// Every form of the language once.
inline const char *const kForms = R"(
def tile(l: loop, d: dim, n: int = 4) -> {outer, inner} {
  require n > 0, "tile: n must be positive"
  if n > 8 { return split(d, n) } else if n == 8 { print "eight" } else { }
  return {outer: d, inner: split(d, n).inner}
}
def pipeline(l: loop, stages: int) { sections(l, {all: rest}); ring(stage(l.a, shared).buf, stages) }
def down(n: int) -> int { return if n <= 0 { 0 } else { 1 + down(n - 1) } }

schedule forms on sm_90 (P = mbarrier, DEEP = choose(true, {true, false}), S = choose(2, {1..4, 8})) {
  let k = loop(k), mm = op(`mma(_, truncf(p), ..)`), set = call(st.push)
  pipeline k stages 3
  let i = 0
  while i < 3 { i = i + 1 }
  for j in 0..2 { print "step", j, -j, not (j == 0 or DEEP), [j, {a: j}], {1, 2} }
  try { split(mm.m, 0) } else err { print err.code, err.primitive; i = 7 }
  assume M > 0, K % 64 == 0
  trust("measured by hand") { unroll(k) }
  expect bank_degree(stage(mm.a, shared).buf) <= 1, regs <= 128
  let t = tile(loop(n), mm.m, n = 16), big = if provable(K % 8 == 0) { t.outer } else { t.inner }
  print down(5), i, P in {mbarrier, cp_async}, 7 // 2, -7 % 4, 1 << 4, 9 xor 3, big, mm.before
  seal
}
)";

inline const char *const kScripts[] = {kArrays, kRows, kMatmul, kAttention, kRoles, kForms};

} // namespace tessera::testing

#endif // TESSERA_TEST_UNIT_SCRIPT_EXAMPLES_H
