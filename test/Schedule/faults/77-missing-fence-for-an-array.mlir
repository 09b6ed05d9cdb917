// A bulk copy reads from an array what was stored to it in the generic way.
// RUN: tile-opt %s --tile-seal=target=sm_90 --verify-diagnostics -o /dev/null

tile.instr @tma_load on "sm_90" scope thread order exact via tma operands [
    {name = "dst", kind = "smem", out, whole}, {name = "src", kind = "view"}] ptx "" {
^bb0(%dst: tensor<32xf32>, %src: tensor<32xf32>):
  %zero = tile.constant 0.0 : f32 tensor<32xf32>
  %0 = tile.fill_absent %src, %zero : tensor<32xf32>
  tile.yield %0 : tensor<32xf32>
}

tile.kernel @stored_array[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, inout> shape ()[s0] -> (s0), %z "z": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %ring = tile.ring %a protocol mbarrier : !tile.buf<32xf32, shared> -> !tile.ring<1>
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    // expected-note@+1 {{`tile.store` is here}}
    tile.store %t, %y[%m] : tensor<32xf32>, !tile.view<?xf32, inout>, !tile.span<32>
    tile.barrier cta
    %s = tile.acquire %ring : !tile.ring<1>
    tile.apply @tma_load via tma {
      // expected-error@+2 {{T1217: `tile.store` writes `y` in the generic way and `@tma_load` accesses it asynchronously without a fence between}}
      // expected-note@+1 {{missing: `tile.fence` by the threads of `tile.store`, then a barrier}}
      tile.copy %y[%m] to %a slot %s fill zero : !tile.view<?xf32, inout>, !tile.span<32> to !tile.buf<32xf32, shared>
    }
    tile.commit %ring : !tile.ring<1>
    %u = tile.await %ring : !tile.ring<1>
    %r = tile.read %a slot %u span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.release %ring : !tile.ring<1>
    tile.store %r, %z[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
