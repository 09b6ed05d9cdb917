// A sum is kept in a slot; the next step gets another one.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @carried_in_a_ring[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<32xf32, shared, slots = 3>
    %r = tile.ring %a protocol cta_sync : !tile.buf<32xf32, shared, slots = 3> -> !tile.ring<3>
    tile.for %k in tiles(%c0 to %N by 32) {
      // expected-note@+1 {{`tile.acquire` is here}}
      %s = tile.acquire %r : !tile.ring<3>
      %t = tile.load %x[%k] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
      // expected-error@+2 {{T1204: `tile.read` reads a slot of a ring before its fill wrote to it: a ring carries nothing from slot to slot}}
      // expected-note@+1 {{missing: a write in the same turn of the ring}}
      %old = tile.read %a slot %s span[:] : !tile.buf<32xf32, shared, slots = 3> -> tensor<32xf32>
      %new = tile.add %old, %t : tensor<32xf32>
      tile.barrier cta
      tile.write %new to %a slot %s : tensor<32xf32> to !tile.buf<32xf32, shared, slots = 3>
      tile.commit %r : !tile.ring<3>
      %v = tile.await %r : !tile.ring<3>
      %u = tile.read %a slot %v span[%k] : !tile.buf<32xf32, shared, slots = 3>, !tile.span<32> -> tensor<32xf32>
      tile.store %u, %y[%k] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
      tile.release %r : !tile.ring<3>
    }
  }
}
