// The loops differ by a step: a slot is filled and never used.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @unequal_steps[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %c96 = tile.constant 96 : i64
    %limit = tile.min %N, %c96 : i64
    %less = tile.sub %limit, %c1 : i64
    %a = tile.alloc : !tile.buf<32xf32, shared, slots = 3>
    %r = tile.ring %a protocol cta_sync : !tile.buf<32xf32, shared, slots = 3> -> !tile.ring<3>
    tile.for %k in tiles(%c0 to %limit by 32) {
      // expected-note@+1 {{`tile.acquire` is here}}
      %s = tile.acquire %r : !tile.ring<3>
      tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
        to !tile.buf<32xf32, shared, slots = 3>
      tile.commit %r : !tile.ring<3>
    }
    tile.for %k in tiles(%c0 to %less by 32) {
      // expected-error@+2 {{T1221: a ring is filled and used at different rates: their loops have different numbers of steps}}
      // expected-note@+1 {{missing: one use for each fill}}
      %s = tile.await %r : !tile.ring<3>
      %u = tile.read %a slot %s span[%k] : !tile.buf<32xf32, shared, slots = 3>, !tile.span<32> -> tensor<32xf32>
      tile.store %u, %y[%k] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
      tile.release %r : !tile.ring<3>
    }
  }
}
