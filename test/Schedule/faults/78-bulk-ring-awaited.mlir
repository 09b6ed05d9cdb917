// Threads of one kind fill and use, and the protocol counts bulk stores, of which only those who started them know.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @bulk_ring_awaited[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<32xf32, shared, slots = 3>
  %r = tile.ring %a protocol bulk : !tile.buf<32xf32, shared, slots = 3> -> !tile.ring<3>
  tile.tasks (%q = tiles(%c0 to %N by 32)) {
    // expected-note@+1 {{`tile.acquire` is here}}
    %s = tile.acquire %r : !tile.ring<3>
    tile.copy %x[%q] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
      to !tile.buf<32xf32, shared, slots = 3>
    tile.commit %r : !tile.ring<3>
    // expected-error@+2 {{T1222: a ring of protocol `bulk` is filled by all threads and used by all threads: bulk stores are over for those who started them only}}
    // expected-note@+1 {{missing: an edge from `tile.commit` of all threads to `tile.await` of all threads}}
    %u = tile.await %r : !tile.ring<3>
    %v = tile.read %a slot %u span[%q] : !tile.buf<32xf32, shared, slots = 3>, !tile.span<32> -> tensor<32xf32>
    tile.store %v, %y[%q] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
    tile.release %r : !tile.ring<3>
  }
}
