// A tile is written to a buf and read by other threads at once.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @missing_barrier[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    // expected-note@+1 {{`tile.write` is here}}
    tile.write %t to %a : tensor<32xf32> to !tile.buf<32xf32, shared>
    // expected-error@+2 {{T1210: `tile.write` and `tile.read` touch `!tile.buf<32xf32, shared>` without a barrier between}}
    // expected-note@+1 {{missing: read after write needs a barrier of scope `cta` between them}}
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
