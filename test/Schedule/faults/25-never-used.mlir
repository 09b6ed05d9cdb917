// A ring that is filled and never used: its fourth fill waits for ever.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @never_used[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<32xf32, shared, slots = 3>
    // expected-note@+1 {{`tile.ring` is here}}
    %r = tile.ring %a protocol cta_sync : !tile.buf<32xf32, shared, slots = 3> -> !tile.ring<3>
    tile.for %k in tiles(%c0 to %N by 32) {
      // expected-error@+2 {{T1221: a ring is filled and used at different rates: it is never used}}
      // expected-note@+1 {{missing: `tile.await` and `tile.release` of the ring}}
      %s = tile.acquire %r : !tile.ring<3>
      tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
        to !tile.buf<32xf32, shared, slots = 3>
      tile.commit %r : !tile.ring<3>
    }
  }
}
