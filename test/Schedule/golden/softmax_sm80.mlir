// Row softmax, a warp for each of 4 rows, 16-byte accesses: no memory but the views, pads filled by hand.
// RUN: tile-opt %s --tile-seal=report -o %t | FileCheck %s

// CHECK:      seal `softmax`: sealed
// CHECK:        1 bounds            4        0        0        0
// CHECK-NEXT:   2 values            0        0        0        0
// CHECK-NEXT:   3 order             0        0        0        0
// CHECK-NEXT:   4 rings             0        0        0        0
// CHECK-NEXT:   5 uniformity        0        0        0        0
// CHECK-NEXT:   6 instances         1        0        0        0
// CHECK-NEXT:   7 outputs
// CHECK-NEXT:   8 resources         1        0        0        0
tile.kernel @softmax[%M "M", %N "N"](%x "x": !tile.view<?x?xbf16, in> shape ()[s0, s1] -> (s0, s1),
    %y "y": !tile.view<?x?xbf16, out> shape ()[s0, s1] -> (s0, s1)) attributes {tile.warps = 4 : i64}
where {
  %c0 = tile.constant 0 : i64
  %c8 = tile.constant 8 : i64
  %c4096 = tile.constant 4096 : i64
  %rest = tile.mod %N, %c8 : i64
  %0 = tile.cmp eq, %rest, %c0 : i64
  tile.require %0, "N % 8 == 0"
  %1 = tile.cmp le, %N, %c4096 : i64
  tile.require %1, "N <= 4096"
}
body {
  %c0 = tile.constant 0 : i64
  %least = tile.constant 0xFF800000 : f32 tensor<4x4096xf32>
  %zero = tile.constant 0.0 : f32 tensor<4x4096xf32>
  tile.grid (%r = tiles(%c0 to %M by 4)) {
    %c = tile.span %c0, %N exact : !tile.span<4096>
    %t = tile.load %x[%r, %c] {tile.iter = #tile.iter<d0 = warp 4, d1 = reg 16 * lane 32 * vec 8>}
      : !tile.view<?x?xbf16, in>, !tile.span<4>, !tile.span<4096> -> tensor<4x4096xbf16>
    %f = tile.cast %t : tensor<4x4096xbf16> to tensor<4x4096xf32>
    %p = tile.fill_absent %f, %least : tensor<4x4096xf32>
    %m = tile.reduce max %p along 1 : tensor<4x4096xf32> -> tensor<4xf32>
    %m1 = tile.expand %m at [1] : tensor<4xf32> to tensor<4x1xf32>
    %mb = tile.broadcast %m1 : tensor<4x1xf32> to tensor<4x4096xf32>
    %d = tile.sub %f, %mb : tensor<4x4096xf32>
    %e = tile.exp %d : tensor<4x4096xf32>
    %z = tile.fill_absent %e, %zero : tensor<4x4096xf32>
    %l = tile.reduce sum %z along 1 : tensor<4x4096xf32> -> tensor<4xf32>
    %l1 = tile.expand %l at [1] : tensor<4xf32> to tensor<4x1xf32>
    %lb = tile.broadcast %l1 : tensor<4x1xf32> to tensor<4x4096xf32>
    %q = tile.div %e, %lb : tensor<4x4096xf32>
    %o = tile.cast %q : tensor<4x4096xf32> to tensor<4x4096xbf16>
    tile.store %o, %y[%r, %c] {tile.iter = #tile.iter<d0 = warp 4, d1 = reg 16 * lane 32 * vec 8>}
      : tensor<4x4096xbf16>, !tile.view<?x?xbf16, out>, !tile.span<4>, !tile.span<4096>
  }
}
