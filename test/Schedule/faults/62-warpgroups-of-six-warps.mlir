// A warpgroup is 4 warps.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @warpgroups_of_six_warps[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) attributes {tile.warps = 6 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    // expected-error@+2 {{T1256: `tile.barrier` wants warpgroups, and 6 warps are no multiple of 4}}
    // expected-note@+1 {{missing: 4 warps for each warpgroup}}
    tile.barrier wg
    tile.store %t, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
