// The load is spread over more warps than its role has. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @more_warps_than_the_role[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) attributes {tile.roles = {one = {warps = 8 : i64}, two = {warps = 4 : i64}}} body {
  %c0 = tile.constant 0 : i64
  tile.tasks (%q = tiles(%c0 to %N by 32)) {
    tile.section @all role @one {
      %u = tile.load %x[%q] {tile.iter = #tile.iter<d0 = warp 8 * lane 4>} : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
      tile.store %u, %y[%q] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
    }
    tile.section @none role @two {
    }
  }
}
