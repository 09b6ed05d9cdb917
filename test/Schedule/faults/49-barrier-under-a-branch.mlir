// Some warps reach the barrier, others do not.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @barrier_under_a_branch[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) attributes {tile.warps = 4 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    tile.par warp 4 {
    ^bb0(%w: i64):
      %first = tile.cmp eq, %w, %c0 : i64
      // expected-note@+1 {{`scf.if` is here}}
      scf.if %first {
        // expected-error@+2 {{T1230: `tile.barrier` is not reached by all threads of its scope: the condition differs among warps}}
        // expected-note@+1 {{missing: the condition must be equal in all threads of scope `cta`}}
        tile.barrier cta
      }
    }
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    tile.store %t, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
