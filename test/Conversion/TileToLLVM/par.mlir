// Steps side by side, on the simulator: each does its rows, whoever runs it; memory of a step is its own.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.arange(24, dtype=np.int64).reshape(4, 6))"
// RUN: tile-run %s --in x=%t/x.npy --out y=%t/y.npy --check --device=sim --schedule=none | FileCheck %s
// CHECK: y: 24 elements compared

tile.kernel @rows[%M "M", %N "N"](%x "x": !tile.view<?x?xi64, in> shape ()[s0, s1] -> (s0, s1),
                                  %y "y": !tile.view<?x?xi64, out> shape ()[s0, s1] -> (s0, s1))
body {
  %c0 = tile.constant 0 : i64
  tile.par warp 4 {
  ^bb0(%w: i64):
    %c = tile.span %c0, %N : !tile.span<8>
    %t = tile.load %x[%w, %c] : !tile.view<?x?xi64, in>, i64, !tile.span<8> -> tensor<8xi64>
    %s = tile.scan sum %t along 0 : tensor<8xi64> -> tensor<8xi64>
    tile.store %s, %y[%w, %c] : tensor<8xi64>, !tile.view<?x?xi64, out>, i64, !tile.span<8>
  }
} reference ["y"] {
  %c0 = tile.constant 0 : i64
  %c1 = tile.constant 1 : i64
  %r = tile.map (%i in %c0 to %M, %j in %c0 to %N) -> tensor<?x?xi64> {
    %n = tile.add %j, %c1 : i64
    %s = tile.fold sum %k in (%c0 to %n) -> i64 {
      %e = tile.at %x[%i, %k] : !tile.view<?x?xi64, in> -> i64
      tile.yield %e : i64
    }
    tile.yield %s : i64
  }
  tile.yield %r : tensor<?x?xi64>
} tolerance exact
