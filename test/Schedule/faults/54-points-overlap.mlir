// Tiles of 32 at every 31st element: neighbours write one cell.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @points_overlap[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%p = range(%c0 to %N)) {
    %c31 = tile.constant 31 : i64
    %from = tile.mul %p, %c31 : i64
    %s = tile.span %from, %N : !tile.span<32>
    %t = tile.load %x[%s] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    // expected-error@+2 {{T1240: `tile.store` and `tile.store` of two grid points touch one cell}}
    // expected-note@+1 {{missing: an index that differs from one to the other}}
    tile.store %t, %y[%s] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
