// A condition over rows is still one after a reduction along them.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @mask_of_rows[%N "N"](%x "x": !tile.view<?x8xf32, in> shape ()[s0] -> (s0, 8),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %t = tile.load %x[%m, :] : !tile.view<?x8xf32, in>, !tile.span<32> -> tensor<32x8xf32>
    %i = tile.iota : tensor<32xi64>
    %four = tile.constant 4 : i64 tensor<32xi64>
    %c = tile.cmp lt, %i, %four : tensor<32xi64>
    %c2 = tile.expand %c at [1] : tensor<32xi1> to tensor<32x1xi1>
    %kept = tile.keep_if %t, %c2 over [0] : tensor<32x8xf32>, tensor<32x1xi1>
    %s = tile.reduce max %kept along 1 : tensor<32x8xf32> -> tensor<32xf32>
    // expected-note@+1 {{`tile.write` is here}}
    tile.write %s to %a : tensor<32xf32> to !tile.buf<32xf32, shared>
    tile.barrier cta
    // expected-error@+2 {{T1202: `tile.read` reads cells of `!tile.buf<32xf32, shared>` that `tile.write` leaves as they were}}
    // expected-note@+1 {{missing: which elements were written is not told by spans}}
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
