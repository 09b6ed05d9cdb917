// Load and store of one box, with lanes chosen apart.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @in_place_unpinned[%N "N"](%x "x": !tile.view<?xf32, inout> shape ()[s0] -> (s0)) attributes {tile.warps = 4 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    // expected-note@+1 {{`tile.load` is here}}
    %t = tile.load %x[%m] {tile.iter = #tile.iter<d0 = warp 4 * lane 8>} : !tile.view<?xf32, inout>, !tile.span<32> -> tensor<32xf32>
    // expected-error@+2 {{T1210: `tile.load` and `tile.store` touch `x` without a barrier between}}
    // expected-note@+1 {{missing: write after read needs a barrier of scope `cta` between them}}
    tile.store %t, %x[%m] {tile.iter = #tile.iter<d0 = lane 8 * warp 4>} : tensor<32xf32>, !tile.view<?xf32, inout>, !tile.span<32>
  }
}
