// The next step writes what other threads still read.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @write_after_read[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  tile.grid (%m = range(%c0 to %c1)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    tile.for %k in tiles(%c0 to %N by 32) {
      %t = tile.load %x[%k] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
      // expected-error@+2 {{T1211: `tile.read` in one step of a loop and `tile.write` in the next touch `!tile.buf<32xf32, shared>` without a barrier between}}
      // expected-note@+1 {{missing: write after read needs a barrier of scope `cta` after `tile.read` in the loop, or before `tile.write`}}
      tile.write %t to %a : tensor<32xf32> to !tile.buf<32xf32, shared>
      tile.barrier cta
      // expected-note@+1 {{`tile.read` is here}}
      %u = tile.read %a span[%k] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
      tile.store %u, %y[%k] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
    }
  }
}
