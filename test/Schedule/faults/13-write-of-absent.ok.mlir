// Elements that a condition made absent are not written. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @write_of_absent[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    %i = tile.span_index %m : !tile.span<32> -> tensor<32xi64>
    %eight = tile.constant 8 : i64 tensor<32xi64>
    %c = tile.cmp lt, %i, %eight : tensor<32xi64>
    %kept = tile.keep_if %t, %c over [0] : tensor<32xf32>, tensor<32xi1>
    %zero = tile.constant 0.0 : f32 tensor<32xf32>
    %filled = tile.fill_absent %kept, %zero : tensor<32xf32>
    tile.write %filled to %a : tensor<32xf32> to !tile.buf<32xf32, shared>
    tile.barrier cta
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
