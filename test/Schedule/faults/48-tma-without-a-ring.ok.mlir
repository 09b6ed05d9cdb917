// Only a ring's barriers tell when a bulk load is done. Repaired.
// RUN: tile-opt %s --tile-seal=target=sm_90 --verify-diagnostics -o /dev/null

tile.instr @tma_load on "sm_90" scope thread order exact via tma operands [
    {name = "dst", kind = "smem", out}, {name = "src", kind = "view"}] ptx "" {
^bb0(%dst: tensor<32xf32>, %src: tensor<32xf32>):
  %zero = tile.constant 0.0 : f32 tensor<32xf32>
  %0 = tile.fill_absent %src, %zero : tensor<32xf32>
  tile.yield %0 : tensor<32xf32>
}

tile.kernel @tma_without_a_ring[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared, slots = 2>
    %r = tile.ring %a protocol mbarrier : !tile.buf<32xf32, shared, slots = 2> -> !tile.ring<2>
    %s = tile.acquire %r : !tile.ring<2>
    tile.apply @tma_load via tma {
      tile.copy %x[%m] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
        to !tile.buf<32xf32, shared, slots = 2>
    }
    tile.commit %r : !tile.ring<2>
    %v = tile.await %r : !tile.ring<2>
    %u = tile.read %a slot %v span[%m] : !tile.buf<32xf32, shared, slots = 2>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
    tile.release %r : !tile.ring<2>
  }
}
