// Each warp stores to the same elements. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @steps_write_one_cell[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) attributes {tile.warps = 4 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %c8 = tile.constant 8 : i64
    %start = tile.span_start %m : !tile.span<32>
    %stop = tile.span_stop %m : !tile.span<32>
    tile.par warp 4 {
    ^bb0(%w: i64):
      %off = tile.mul %w, %c8 : i64
      %from = tile.add %start, %off : i64
      %s = tile.span %from, %stop : !tile.span<8>
      %t = tile.load %x[%s] : !tile.view<?xf32, in>, !tile.span<8> -> tensor<8xf32>
      tile.store %t, %y[%s] : tensor<8xf32>, !tile.view<?xf32, out>, !tile.span<8>
    }
  }
}
