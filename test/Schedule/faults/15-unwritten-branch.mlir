// Written on one way only.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @unwritten_branch[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    %start = tile.span_start %m : !tile.span<32>
    %first = tile.cmp eq, %start, %c0 : i64
    scf.if %first {
      tile.write %t to %a : tensor<32xf32> to !tile.buf<32xf32, shared>
    }
    tile.barrier cta
    // expected-error@+2 {{T1201: `tile.read` reads `!tile.buf<32xf32, shared>` before anything is written to it}}
    // expected-note@+1 {{missing: a write that every way to the read passes}}
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
