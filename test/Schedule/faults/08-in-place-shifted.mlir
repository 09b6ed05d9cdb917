// A row is overwritten while its neighbour still reads it.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @in_place_shifted[%N "N"](%x "x": !tile.view<?xf32, inout> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %start = tile.span_start %m : !tile.span<32>
    %stop = tile.span_stop %m : !tile.span<32>
    %c1 = tile.constant 1 : i64
    %next = tile.add %start, %c1 : i64
    %last = tile.sub %stop, %c1 : i64
    %from = tile.span %next, %stop : !tile.span<32>
    %to = tile.span %start, %last : !tile.span<32>
    // expected-note@+1 {{`tile.load` is here}}
    %t = tile.load %x[%from] : !tile.view<?xf32, inout>, !tile.span<32> -> tensor<32xf32>
    // expected-error@+2 {{T1210: `tile.load` and `tile.store` touch `x` without a barrier between}}
    // expected-note@+1 {{missing: write after read needs a barrier of scope `cta` between them}}
    tile.store %t, %x[%to] : tensor<32xf32>, !tile.view<?xf32, inout>, !tile.span<32>
  }
}
