// Load and store of one box, with lanes chosen apart. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @in_place_unpinned[%N "N"](%x "x": !tile.view<?xf32, inout> shape ()[s0] -> (s0)) attributes {tile.warps = 4 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %t = tile.load %x[%m] {tile.iter = #tile.iter<d0 = warp 4 * lane 8>} : !tile.view<?xf32, inout>, !tile.span<32> -> tensor<32xf32>
    tile.store %t, %x[%m] {tile.iter = #tile.iter<d0 = warp 4 * lane 8>} : tensor<32xf32>, !tile.view<?xf32, inout>, !tile.span<32>
  }
}
