// A span that goes one element beyond the array.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @bounds[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %c1 = tile.constant 1 : i64
    %start = tile.span_start %m : !tile.span<32>
    %end = tile.add %N, %c1 : i64
    %over = tile.span %start, %end : !tile.span<32>
    // expected-error@+2 {{T1200: `tile.load` leaves axis 0 of its view}}
    // expected-note@+1 {{missing: the index stays in [0, N)}}
    %t = tile.load %x[%over] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    tile.store %t, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
