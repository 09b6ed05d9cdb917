// Layout assignment: pins are kept, values follow from anchors, what is free is made where it is needed, a conversion stands
// where a user needs other threads. No product of attention's chain makes elements move.
// RUN: tile-opt %s --tile-assign -o %t 2> %t.remarks
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: tile-opt %S/golden/attention_sm80.mlir --tile-assign 2> %t.attention | FileCheck %s --check-prefix=CHAIN
// CHAIN: tile.mma {{.*}}tile.dist
// CHAIN-NOT: tile.convert
// CHAIN: tile.mma {{.*}}tile.dist

// A row in a warp: the maximum is a copy in all lanes, its broadcast lies as the row does.
// CHECK-LABEL: tile.kernel @rows
// CHECK: tile.load {{.*}}tile.dist = [#tile.dist<reg 8 d1 1, lane 32 d1 8, warp 4 d0 1>]
// CHECK: tile.reduce max {{.*}}tile.dist = [#tile.dist<warp 4 d0 1>]
// CHECK: tile.broadcast {{.*}}tile.dist = [#tile.dist<reg 8 d1 1, lane 32 d1 8, warp 4 d0 1>]
// CHECK-NOT: tile.convert
// CHECK: tile.store {{.*}}tile.dist = [#tile.dist<reg 8 d1 1, lane 32 d1 8, warp 4 d0 1>]
tile.kernel @rows[%M "M", %N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1),
    %y "y": !tile.view<?x?xf32, out> shape ()[s0, s1] -> (s0, s1)) attributes {tile.warps = 4 : i64}
body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %M by 4)) {
    %c = tile.span %c0, %N : !tile.span<256>
    %t = tile.load %x[%r, %c] {tile.iter = #tile.iter<d0 = warp 4, d1 = lane 32 * vec 8>}
      : !tile.view<?x?xf32, in>, !tile.span<4>, !tile.span<256> -> tensor<4x256xf32>
    %m = tile.reduce max %t along 1 : tensor<4x256xf32> -> tensor<4xf32>
    %m1 = tile.expand %m at [1] : tensor<4xf32> to tensor<4x1xf32>
    %mb = tile.broadcast %m1 : tensor<4x1xf32> to tensor<4x256xf32>
    %d = tile.sub %t, %mb : tensor<4x256xf32>
    tile.store %d, %y[%r, %c] : tensor<4x256xf32>, !tile.view<?x?xf32, out>, !tile.span<4>, !tile.span<256>
  }
}

// The store is pinned to other threads than the load: the tile moves, and in the loop that is said.
// CHECK-LABEL: tile.kernel @moved
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[C:.*]] = tile.convert %[[X]] {tile.dist = [#tile.dist<reg 2 d0 32, lane 32 d0 1, warp 2 d1 1>]}
// CHECK: tile.store %[[C]]
// REMARK: assign.mlir:[[@LINE+7]]:{{.*}}: remark: a tile moves between threads in each step of the loop: it is held as <reg 2 d0 32, lane 2 d1 1
tile.kernel @moved[%M "M", %N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1),
    %y "y": !tile.view<?x?xf32, out> shape ()[s0, s1] -> (s0, s1)) attributes {tile.warps = 2 : i64}
body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %M by 64)) {
    tile.for %c in tiles(%c0 to %N by 2) {
      %t = tile.load %x[%r, %c] {tile.iter = #tile.iter<d0 = reg 2 * warp 2 * lane 16, d1 = lane 2>}
        : !tile.view<?x?xf32, in>, !tile.span<64>, !tile.span<2> -> tensor<64x2xf32>
      tile.store %t, %y[%r, %c] {tile.iter = #tile.iter<d0 = reg 2 * lane 32, d1 = warp 2>}
        : tensor<64x2xf32>, !tile.view<?x?xf32, out>, !tile.span<64>, !tile.span<2>
    }
  }
}

// One constant for two users in two distributions: it is made twice.
// CHECK-LABEL: tile.kernel @free
// CHECK-DAG: tile.constant {{.*}}tile.dist = [#tile.dist<lane 32 d0 1>]
// CHECK-DAG: tile.constant {{.*}}tile.dist = [#tile.dist<reg 32 d0 1>]
tile.kernel @free[%N "N"](%y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0), %z "z": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.warps = 1 : i64} body {
  %c0 = tile.constant 0 : i64
  %one = tile.constant 1.0 : f32 tensor<32xf32>
  tile.grid (%r = tiles(%c0 to %N by 32)) {
    tile.store %one, %y[%r] {tile.iter = #tile.iter<d0 = lane 32>} : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
    tile.store %one, %z[%r] {tile.iter = #tile.iter<d0 = reg 32>} : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}

// Three lanes are four of which one has no elements, and the dim that is left open takes the eight lanes that remain.
// CHECK-LABEL: tile.kernel @lanes
// CHECK: tile.load {{.*}}tile.dist = [#tile.dist<reg 8 d1 8, lane 4 d0 1, lane 8 d1 1>]
tile.kernel @lanes[%M "M", %N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1),
    %y "y": !tile.view<?x?xf32, out> shape ()[s0, s1] -> (s0, s1)) attributes {tile.warps = 1 : i64}
body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %M by 3), %c = tiles(%c0 to %N by 64)) {
    %t = tile.load %x[%r, %c] {tile.iter = #tile.iter<d0 = lane 3>}
      : !tile.view<?x?xf32, in>, !tile.span<3>, !tile.span<64> -> tensor<3x64xf32>
    tile.store %t, %y[%r, %c] : tensor<3x64xf32>, !tile.view<?x?xf32, out>, !tile.span<3>, !tile.span<64>
  }
}
