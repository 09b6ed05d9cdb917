// A ring counts its groups itself: the wait leaves the first copy pending.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.instr @cp_async_16 on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out}, {name = "src", kind = "view"}] ptx "cp.async.cg.shared.global [{dst}], [{src}], 16;" {
^bb0(%dst: tensor<4xf32>, %src: tensor<4xf32>):
  %zero = tile.constant 0.0 : f32 tensor<4xf32>
  %0 = tile.fill_absent %src, %zero : tensor<4xf32>
  tile.yield %0 : tensor<4xf32>
}

tile.kernel @groups_of_a_ring[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %b = tile.alloc : !tile.buf<32xf32, shared, slots = 2>
    %r = tile.ring %b protocol cp_async : !tile.buf<32xf32, shared, slots = 2> -> !tile.ring<2>
    tile.apply @cp_async_16 via cp_async {
      // expected-note@+1 {{`@cp_async_16` is here}}
      tile.copy %x[%m] to %a fill zero : !tile.view<?xf32, in>, !tile.span<32> to !tile.buf<32xf32, shared>
    }
    tile.group_commit cp_async
    %s = tile.acquire %r : !tile.ring<2>
    tile.apply @cp_async_16 via cp_async {
      tile.copy %x[%m] to %b slot %s fill zero : !tile.view<?xf32, in>, !tile.span<32>
        to !tile.buf<32xf32, shared, slots = 2>
    }
    tile.commit %r : !tile.ring<2>
    tile.group_wait cp_async pending 1
    tile.barrier cta
    // expected-error@+2 {{T1215: `@cp_async_16` may still run when `tile.read` touches `!tile.buf<32xf32, shared>`: the wait leaves 1 groups pending, and 0 are committed since}}
    // expected-note@+1 {{missing: the wait must reach the group of `@cp_async_16`}}
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    %v = tile.await %r : !tile.ring<2>
    %w = tile.read %b slot %v span[%m] : !tile.buf<32xf32, shared, slots = 2>, !tile.span<32> -> tensor<32xf32>
    %sum = tile.add %u, %w : tensor<32xf32>
    tile.store %sum, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
    tile.release %r : !tile.ring<2>
    tile.group_wait cp_async pending 0
  }
}
