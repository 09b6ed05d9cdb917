// What is absent in the copy is read whole: older data. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @partial_fill[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    tile.copy %x[%m] to %a fill zero : !tile.view<?xf32, in>, !tile.span<32> to !tile.buf<32xf32, shared>
    tile.barrier cta
    %u = tile.read %a span[:] : !tile.buf<32xf32, shared> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
