// Read by a longer span than it was copied by. Repaired.
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
    tile.copy %x[%few] to %a fill undef : !tile.view<?xf32, in>, !tile.span<32> to !tile.buf<32xf32, shared>
    tile.barrier cta
    %u = tile.read %a span[%few] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%few] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
