// All threads copy, and one of them waits: for its own copies.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.instr @cp_async_16 on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out}, {name = "src", kind = "view"}] ptx "cp.async.cg.shared.global [{dst}], [{src}], 16;" {
^bb0(%dst: tensor<4xf32>, %src: tensor<4xf32>):
  %zero = tile.constant 0.0 : f32 tensor<4xf32>
  %0 = tile.fill_absent %src, %zero : tensor<4xf32>
  tile.yield %0 : tensor<4xf32>
}

tile.kernel @one_thread_waits[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    tile.apply @cp_async_16 via cp_async {
      // expected-note@+1 {{`@cp_async_16` is here}}
      tile.copy %x[%m] to %a fill zero : !tile.view<?xf32, in>, !tile.span<32> to !tile.buf<32xf32, shared>
    }
    tile.group_commit cp_async
    tile.elect {
      tile.group_wait cp_async pending 0
    }
    tile.barrier cta
    // expected-error@+2 {{T1214: `@cp_async_16` is asynchronous and never waited for before `tile.read` touches `!tile.buf<32xf32, shared>`}}
    // expected-note@+1 {{missing: `tile.group_wait cp_async`, then a barrier}}
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
    tile.group_wait cp_async pending 0
  }
}
