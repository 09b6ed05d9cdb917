// A lag counts the steps around the section: none of those inside of it frees a slot for the next. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @lag_around_a_loop[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<2x?xf32, out> shape ()[s0] -> (2, s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %c2 = tile.constant 2 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
    %r = tile.ring %a protocol mbarrier : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
    tile.for %j in range(%c0 to %c2) {
      tile.section @all {
        tile.for %k in tiles(%c0 to %N by 4) {
          %s = tile.acquire %r : !tile.ring<2>
          tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4>
            to !tile.buf<4xf32, shared, slots = 2>
          tile.commit %r : !tile.ring<2>
          %u = tile.await %r : !tile.ring<2>
          %t = tile.read %a slot %u span[%k] : !tile.buf<4xf32, shared, slots = 2>, !tile.span<4> -> tensor<4xf32>
          tile.store %t, %y[%j, %k] : tensor<4xf32>, !tile.view<2x?xf32, out>, i64, !tile.span<4>
          tile.release %r : !tile.ring<2>
        }
      }
    }
  }
}
