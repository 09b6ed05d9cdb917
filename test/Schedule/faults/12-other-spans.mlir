// Read by a longer span than it was copied by.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @other_spans[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %start = tile.span_start %m : !tile.span<32>
    %c8 = tile.constant 8 : i64
    %end = tile.add %start, %c8 : i64
    %limit = tile.min %end, %N : i64
    %few = tile.span %start, %limit : !tile.span<32>
    // expected-note@+1 {{`tile.copy` is here}}
    tile.copy %x[%few] to %a fill undef : !tile.view<?xf32, in>, !tile.span<32> to !tile.buf<32xf32, shared>
    tile.barrier cta
    // expected-error@+2 {{T1202: `tile.read` reads cells of `!tile.buf<32xf32, shared>` that `tile.copy` leaves as they were}}
    // expected-note@+1 {{missing: a write to every cell that is read: 32 * point0 + min(32, min(N, 32 * point0 + 32) - 32 * point0) <= min(N, 32 * point0 + 8) or min(32, min(N, 32 * point0 + 32) - 32 * point0) <= 0}}
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
