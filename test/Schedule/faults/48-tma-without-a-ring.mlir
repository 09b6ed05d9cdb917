// Only a ring's barriers tell when a bulk load is done.
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
    %a = tile.alloc : !tile.buf<32xf32, shared>
    tile.apply @tma_load via tma {
      // expected-note@+3 {{`@tma_load` is here}}
      // expected-error@+2 {{T1219: `@tma_load` may still run when the kernel ends}}
      // expected-note@+1 {{missing: a ring of protocol `mbarrier` around the slot it fills}}
      tile.copy %x[%m] to %a fill zero : !tile.view<?xf32, in>, !tile.span<32> to !tile.buf<32xf32, shared>
    }
    tile.barrier cta
    // expected-error@+2 {{T1214: `@tma_load` is asynchronous and never waited for before `tile.read` touches `!tile.buf<32xf32, shared>`}}
    // expected-note@+1 {{missing: only a ring of protocol `mbarrier` tells when it is done}}
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
