// The roles' loops differ by a step. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @unequal_steps[%N "N", %R "R"](%x "x": !tile.view<?xf32, in> shape ()[s0, s1] -> (s1),
    %y "y": !tile.view<?xf32, out> shape ()[s0, s1] -> (s0)) attributes {tile.roles = {load = {warps = 4 : i64}, use = {warps = 4 : i64}}} body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<32xf32, shared, slots = 3>
  %r = tile.ring %a protocol mbarrier : !tile.buf<32xf32, shared, slots = 3> -> !tile.ring<3>
  tile.tasks (%m = range(%c0 to %N)) {
    tile.section @fill role @load {
      tile.for %k in tiles(%c0 to %R by 32) {
        %s = tile.acquire %r : !tile.ring<3>
        tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
          to !tile.buf<32xf32, shared, slots = 3>
        tile.commit %r : !tile.ring<3>
      }
    }
    tile.section @drain role @use {
      %c1 = tile.constant 1 : i64
      %less = tile.sub %R, %c1 : i64
      tile.for %k in tiles(%c0 to %R by 32) {
        %s = tile.await %r : !tile.ring<3>
        %u = tile.read %a slot %s span[%k] : !tile.buf<32xf32, shared, slots = 3>, !tile.span<32> -> tensor<32xf32>
        tile.print "seen", %u : tensor<32xf32>
        tile.release %r : !tile.ring<3>
      }
    }
  }
}
