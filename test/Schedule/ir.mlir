// A kernel given as IR, with a script beside it; JSON report.
// RUN: split-file %s %t
// RUN: tile-sched %t/k.mlir --script=%t/k.sched | FileCheck %s
// RUN: tile-sched %t/k.mlir --script=%t/k.sched --emit=none --explain=json | FileCheck %s --check-prefix=JSON
// JSON: "primitive": "split"
// JSON: "totals": {
// RUN: not tile-sched %t/k.mlir 2>&1 | FileCheck %s --check-prefix=SCRIPT
// SCRIPT: error: a .mlir file has no schedules of its own: give `--script=FILE`
// RUN: not tile-sched %t/wrong.mlir --script=%t/k.sched 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error[T1078]: the schedule `k` cannot start: the module has no kernel `k`

//--- k.mlir
// CHECK: tile.kernel @k
// CHECK: tile.load {{.*}} {tile.iter = #tile.iter<d0 = lane 4 * reg 2>}
tile.kernel @k[%M "M"](%x "x": !tile.view<?xf32, inout> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %M by 8)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, inout>, !tile.span<8> -> tensor<8xf32>
    tile.store %t, %x[%r] : tensor<8xf32>, !tile.view<?xf32, inout>, !tile.span<8>
  }
}
//--- wrong.mlir
tile.kernel @other[%M "M"]() body {
}
//--- k.sched


# the dim has no name in the source
schedule k on sm_80 {
  let {outer: o, inner: i} = split(load(x).d0, 2)
  bind(o, lane); unroll(i)
}
