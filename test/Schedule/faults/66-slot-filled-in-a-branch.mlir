// Each step has its turn of the ring, and only the first one fills it.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @slot_filled_in_a_branch[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<32xf32, shared, slots = 3>
    %r = tile.ring %a protocol cta_sync : !tile.buf<32xf32, shared, slots = 3> -> !tile.ring<3>
    tile.for %k in tiles(%c0 to %N by 32) {
      %start = tile.span_start %k : !tile.span<32>
      %first = tile.cmp eq, %start, %c0 : i64
      %s = tile.acquire %r : !tile.ring<3>
      scf.if %first {
        tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
          to !tile.buf<32xf32, shared, slots = 3>
      }
      tile.commit %r : !tile.ring<3>
      %v = tile.await %r : !tile.ring<3>
      // expected-error@+2 {{T1201: `tile.read` reads `!tile.buf<32xf32, shared, slots = 3>` before anything is written to it}}
      // expected-note@+1 {{missing: a write that every way to the read passes}}
      %u = tile.read %a slot %v span[%k] : !tile.buf<32xf32, shared, slots = 3>, !tile.span<32> -> tensor<32xf32>
      tile.store %u, %y[%k] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
      tile.release %r : !tile.ring<3>
    }
  }
}
