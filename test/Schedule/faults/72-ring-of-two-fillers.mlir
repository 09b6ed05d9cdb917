// Two roles fill one ring: which of them gets the next slot depends on who comes first.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @two_fillers[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) attributes {tile.roles = {a = {warps = 4 : i64}, b = {warps = 4 : i64}, c = {warps = 4 : i64}}} body {
  %c0 = tile.constant 0 : i64
  %zero = tile.constant 0.0 : f32 tensor<32xf32>
  %a = tile.alloc : !tile.buf<32xf32, shared, slots = 3>
  %r = tile.ring %a protocol mbarrier : !tile.buf<32xf32, shared, slots = 3> -> !tile.ring<3>
  tile.tasks (%q = tiles(%c0 to %N by 32)) {
    tile.section @one role @a {
      // expected-note@+1 {{`tile.acquire` is here}}
      %s = tile.acquire %r : !tile.ring<3>
      tile.copy %x[%q] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32> to !tile.buf<32xf32, shared, slots = 3>
      tile.commit %r : !tile.ring<3>
    }
    tile.section @two role @b {
      // expected-note@+2 {{missing: an edge from `tile.acquire` of role `@a` to that of role `@b`}}
      // expected-error@+1 {{T1260: a ring is filled by role `@a` and by role `@b`: nothing tells whose turn it is}}
      %s = tile.acquire %r : !tile.ring<3>
      tile.write %zero to %a slot %s : tensor<32xf32> to !tile.buf<32xf32, shared, slots = 3>
      tile.commit %r : !tile.ring<3>
    }
    tile.section @drain role @c {
      %s = tile.await %r : !tile.ring<3>
      %u = tile.read %a slot %s span[%q] : !tile.buf<32xf32, shared, slots = 3>, !tile.span<32> -> tensor<32xf32>
      tile.store %u, %y[%q] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
      tile.release %r : !tile.ring<3>
      %t = tile.await %r : !tile.ring<3>
      %v = tile.read %a slot %t span[%q] : !tile.buf<32xf32, shared, slots = 3>, !tile.span<32> -> tensor<32xf32>
      tile.print "v", %v : tensor<32xf32>
      tile.release %r : !tile.ring<3>
    }
  }
}
