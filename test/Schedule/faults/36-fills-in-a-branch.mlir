// Some steps use what no step filled.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @fills_in_a_branch[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<32xf32, shared, slots = 3>
    %r = tile.ring %a protocol cta_sync : !tile.buf<32xf32, shared, slots = 3> -> !tile.ring<3>
    tile.for %k in tiles(%c0 to %N by 32) {
      %start = tile.span_start %k : !tile.span<32>
      %first = tile.cmp eq, %start, %c0 : i64
      scf.if %first {
        // expected-note@+1 {{`tile.acquire` is here}}
        %s = tile.acquire %r : !tile.ring<3>
        tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
          to !tile.buf<32xf32, shared, slots = 3>
        tile.commit %r : !tile.ring<3>
      }
      // expected-error@+2 {{T1221: a ring is filled and used at different rates: one of them stands in `scf.if`, which does not run as often as the other}}
      // expected-note@+1 {{missing: one use for each fill}}
      %v = tile.await %r : !tile.ring<3>
      %u = tile.read %a slot %v span[%k] : !tile.buf<32xf32, shared, slots = 3>, !tile.span<32> -> tensor<32xf32>
      tile.store %u, %y[%k] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
      tile.release %r : !tile.ring<3>
    }
  }
}
