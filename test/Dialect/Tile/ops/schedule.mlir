// What a schedule says in attributes: factors of dims, layouts, warps and roles of kernels.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: func.func private @iters() attributes {
// CHECK-SAME:    all = #tile.iter<m = grid 2 * cluster 2 * wg 2 * warp 4 * lane 32 * reg 2 * seq 3 * open 5 * vec 4 * atom 8>,
// CHECK-SAME:    every = #tile.iter<d0 = warp 2147483648>, many = #tile.iter<d0 = warp 8, "a b" = reg 1 * reg 1, r = open 7>,
// CHECK-SAME:    none = #tile.iter<>}
func.func private @iters() attributes {
  all = #tile.iter<m = grid 2*cluster 2*wg 2*warp 4*lane 32*reg 2*seq 3*open 5*vec 4*atom 8>,
  every = #tile.iter<d0 = warp 2147483648>, many = #tile.iter<d0 = warp 8, "a b" = reg 1 * reg 1, r = open 7>, none = #tile.iter<>}

// CHECK-LABEL: func.func private @layouts() attributes {
// CHECK-SAME:    a = #tile.layout<"(128,32):(32,1)">, b = #tile.layout<"((4,8),(2,2,2)):((32,1),(16,8,128))">}
func.func private @layouts() attributes {a = #tile.layout<"(128,32):(32,1)">, b = #tile.layout<"((4,8),(2,2,2)):((32,1),(16,8,128))">}

// Factors on ops: all of the dims or some; more points than the dim has.
// CHECK-LABEL: @on_ops
func.func @on_ops(%a: tensor<16x32xbf16>, %b: tensor<32x8xbf16>, %c: tensor<16x8xf32>) {
  // CHECK: tile.mma {{.*}} {tile.iter = #tile.iter<m = warp 1 * atom 16, n = atom 8, k = reg 2 * atom 16>}
  %0 = tile.mma %a, %b, %c {tile.iter = #tile.iter<m = warp 1 * atom 16, n = atom 8, k = reg 2 * atom 16>}
    : tensor<16x32xbf16>, tensor<32x8xbf16>, tensor<16x8xf32>
  // CHECK: tile.reduce {{.*}} {tile.iter = #tile.iter<r = lane 3 * reg 3>}
  %1 = tile.reduce sum %c along 1 {tile.iter = #tile.iter<r = lane 3 * reg 3>} : tensor<16x8xf32> -> tensor<16xf32>
  // CHECK: tile.add {{.*}} {tile.iter = #tile.iter<d1 = vec 8>}
  %2 = tile.add %c, %c {tile.iter = #tile.iter<d1 = vec 8>} : tensor<16x8xf32>
  return
}

// CHECK-LABEL: tile.kernel @roles()
// CHECK-SAME:    attributes {tile.cluster = 2 : i64, tile.roles = {consumer = {regs = 232 : i64, warps = 8 : i64}, producer = {warps = 4 : i64}}, tile.warps = 12 : i64}
tile.kernel @roles() attributes {tile.warps = 12 : i64, tile.cluster = 2 : i64,
  tile.roles = {producer = {warps = 4 : i64}, consumer = {warps = 8 : i64, regs = 232 : i64}}} body {
}
// Each of them stands alone, too.
// CHECK-LABEL: tile.kernel @only_roles()
tile.kernel @only_roles() attributes {tile.roles = {one = {warps = 1 : i64, regs = 24 : i64}}} body {
}
