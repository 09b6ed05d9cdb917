// Steps side by side, each with a row of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
tile.kernel @rows[%N "N"](%x "x": !tile.view<4x?xi64, in> shape ()[s0] -> (4, s0),
                          %y "y": !tile.view<4x?xi64, out> shape ()[s0] -> (4, s0))
body {
  %c0 = tile.constant 0 : i64
  tile.par warp 4 {
  ^bb0(%w: i64):
    %c = tile.span %c0, %N : !tile.span<131>
    %t = tile.load %x[%w, %c] : !tile.view<4x?xi64, in>, i64, !tile.span<131> -> tensor<131xi64>
    %s = tile.scan sum %t along 0 : tensor<131xi64> -> tensor<131xi64>
    tile.store %s, %y[%w, %c] : tensor<131xi64>, !tile.view<4x?xi64, out>, i64, !tile.span<131>
  }
}
