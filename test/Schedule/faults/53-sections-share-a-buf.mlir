// The section runs two steps ahead of the one that reads.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @sections_share_a_buf[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<32xf32, shared, slots = 3>
    %r = tile.ring %a protocol cp_async : !tile.buf<32xf32, shared, slots = 3> -> !tile.ring<3>
    %b = tile.alloc : !tile.buf<32xf32, shared>
    tile.for %k in tiles(%c0 to %N by 32) {
      tile.section @load lead 2 {
        %s = tile.acquire %r : !tile.ring<3>
        tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
          to !tile.buf<32xf32, shared, slots = 3>
        %t = tile.load %x[%k] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
        // expected-note@+1 {{`tile.write` is here}}
        tile.write %t to %b : tensor<32xf32> to !tile.buf<32xf32, shared>
        tile.barrier cta
        tile.commit %r : !tile.ring<3>
      }
      tile.section @use {
        %s = tile.await %r : !tile.ring<3>
        tile.barrier cta
        %u = tile.read %a slot %s span[%k] : !tile.buf<32xf32, shared, slots = 3>, !tile.span<32> -> tensor<32xf32>
        // expected-error@+2 {{T1212: sections that run 2 and 0 steps ahead share `!tile.buf<32xf32, shared>` without a ring: `tile.write` and `tile.read`}}
        // expected-note@+1 {{missing: an edge from section `@load` to section `@use`}}
        %v = tile.read %b span[%k] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
        tile.barrier cta
        %sum = tile.add %u, %v : tensor<32xf32>
        tile.store %sum, %y[%k] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
        tile.release %r : !tile.ring<3>
      }
    }
  }
}
