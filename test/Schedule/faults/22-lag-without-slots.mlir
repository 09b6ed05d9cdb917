// One slot, and what is released becomes free a step later: both sides wait.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @lag_without_slots[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<32xf32, shared, slots = 1>
    %r = tile.ring %a protocol mbarrier : !tile.buf<32xf32, shared, slots = 1> -> !tile.ring<1>
    tile.for %k in tiles(%c0 to %N by 32) {
      tile.section @load lead 0 {
        // expected-error@+2 {{T1220: a ring of 1 slots is too short: 1 > 0 - 0 + 1 does not hold}}
        // expected-note@+1 {{missing: a free slot when the fill of step 1 starts}}
        %s = tile.acquire %r : !tile.ring<1>
        tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
          to !tile.buf<32xf32, shared, slots = 1>
        tile.commit %r : !tile.ring<1>
      }
      tile.section @use lag 1 {
        // expected-note@+1 {{`tile.await` is here}}
        %s = tile.await %r : !tile.ring<1>
        %u = tile.read %a slot %s span[%k] : !tile.buf<32xf32, shared, slots = 1>, !tile.span<32> -> tensor<32xf32>
        tile.store %u, %y[%k] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
        tile.release %r : !tile.ring<1>
      }
    }
  }
}
