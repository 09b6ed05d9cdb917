// A kernel in IR runs like one in the language: extents from the inputs, outputs allocated, both checks.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.arange(5, dtype=np.int64))"
// RUN: tile-run %s --in x=%t/x.npy --out y=%t/y.npy --check | FileCheck %s
// RUN: %python -c "import numpy as np; print(np.load(r'%t/y.npy'))" | FileCheck %s --check-prefix=VALUES
// CHECK: y: 5 elements compared
// CHECK: y in f64: 5 elements compared
// VALUES: [ 0 10 20 30 40]

tile.kernel @tenfold[%N "N"](%x "x": !tile.view<?xi64, in> shape ()[s0] -> (s0),
                             %y "y": !tile.view<?xi64, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %ten = tile.constant 10 : i64 tensor<4xi64>
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%r] : !tile.view<?xi64, in>, !tile.span<4> -> tensor<4xi64>
    %s = tile.mul %t, %ten : tensor<4xi64>
    tile.store %s, %y[%r] : tensor<4xi64>, !tile.view<?xi64, out>, !tile.span<4>
  }
} reference ["y"] {
  %c0 = tile.constant 0 : i64
  %c10 = tile.constant 10 : i64
  %r = tile.map (%i in %c0 to %N) -> tensor<?xi64> {
    %s = tile.fold sum %k in (%c0 to %c10) -> i64 {
      %e = tile.at %x[%i] : !tile.view<?xi64, in> -> i64
      tile.yield %e : i64
    }
    tile.yield %s : i64
  }
  tile.yield %r : tensor<?xi64>
} tolerance exact
