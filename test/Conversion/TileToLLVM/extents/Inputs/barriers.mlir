// Barriers of warpgroups where a CTA has less than one, and where the last one has two warps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
tile.kernel @one_warp[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                              %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.warps = 1 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%n = tiles(%c0 to %N by 32)) {
    %b = tile.alloc : !tile.buf<32xf32, shared>
    %t = tile.load %x[%n] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    tile.write %t to %b : tensor<32xf32> to !tile.buf<32xf32, shared>
    tile.barrier wg
    %u = tile.read %b span[%n] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%n] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}

tile.kernel @six_warps[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                               %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.warps = 6 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%n = tiles(%c0 to %N by 192)) {
    %t = tile.load %x[%n] : !tile.view<?xf32, in>, !tile.span<192> -> tensor<192xf32>
    tile.barrier wg
    %u = tile.neg %t : tensor<192xf32>
    tile.store %u, %y[%n] : tensor<192xf32>, !tile.view<?xf32, out>, !tile.span<192>
  }
}
