// Whether the tiles meet hangs on a product of two sizes, which is beyond the solver: refused, in other words.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @products_of_sizes[%N "N", %R "R"](%x "x": !tile.view<?xf32, in> shape ()[s0, s1] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0, s1] -> (s0),
    %z "z": !tile.view<?xf32, in> shape ()[s0, s1] -> (s1)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%p = range(%c0 to %N)) {
    %a = tile.mul %p, %R : i64
    %from = tile.mul %a, %R : i64
    %to = tile.mul %R, %R : i64
    %end = tile.add %from, %to : i64
    %limit = tile.min %end, %N : i64
    %s = tile.span %from, %limit : !tile.span<32>
    %t = tile.load %x[%s] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    // expected-error@+2 {{T1290: neither a proof nor a counterexample was found: `tile.store`}}
    // expected-note@+1 {{missing: an index that differs from one to the other}}
    tile.store %t, %y[%s] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
