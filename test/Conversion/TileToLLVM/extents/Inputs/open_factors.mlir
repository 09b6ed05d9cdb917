// Factors whose place is left open and that are no powers of two: no two threads may hold one element unless as copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
tile.kernel @cut_in_three[%N "N"](%x "x": !tile.view<?x8xf32, in> shape ()[s0] -> (s0, 8),
                                  %y "y": !tile.view<?x8xf32, out> shape ()[s0] -> (s0, 8))
attributes {tile.warps = 1 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%n = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%n, :] {tile.iter = #tile.iter<d1 = open 3 * open 3>}
      : !tile.view<?x8xf32, in>, !tile.span<4> -> tensor<4x8xf32>
    %s = tile.scan max %t along 1 {reverse} : tensor<4x8xf32> -> tensor<4x8xf32>
    tile.store %s, %y[%n, :] : tensor<4x8xf32>, !tile.view<?x8xf32, out>, !tile.span<4>
  }
}

tile.kernel @cut_in_five[%N "N"](%x "x": !tile.view<?xi32, in> shape ()[s0] -> (s0),
                                 %s "s": !tile.view<1xi32, out> shape ()[s0] -> (1))
attributes {tile.warps = 1 : i64} body {
  %c0 = tile.constant 0 : i64
  %c = tile.span %c0, %N : !tile.span<135>
  %zero = tile.constant 0 : i32 tensor<135xi32>
  %t = tile.load %x[%c] : !tile.view<?xi32, in>, !tile.span<135> -> tensor<135xi32>
  %f = tile.fill_absent %t, %zero {tile.iter = #tile.iter<d0 = open 27 * open 5>} : tensor<135xi32>
  %r = tile.reduce sum %f along 0 : tensor<135xi32> -> i32
  tile.store %r, %s[%c0] : i32, !tile.view<1xi32, out>, i64
}
