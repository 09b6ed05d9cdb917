// The end of a tile is not there: its cells of a buf are neither written nor read.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.arange(37, dtype=np.int32))"
// RUN: tile-run %s --in x=%t/x.npy --out y=%t/y.npy --check --device=sim --schedule=none | FileCheck %s
// CHECK: y: 37 elements compared

tile.kernel @ends[%N "N"](%x "x": !tile.view<?xi32, in> shape ()[s0] -> (s0),
                          %y "y": !tile.view<?xi32, out> shape ()[s0] -> (s0)) attributes {tile.warps = 1 : i64}
body {
  %c0 = tile.constant 0 : i64
  %b = tile.alloc : !tile.buf<64xi32, shared>
  %c = tile.span %c0, %N : !tile.span<64>
  %t = tile.load %x[%c] : !tile.view<?xi32, in>, !tile.span<64> -> tensor<64xi32>
  tile.write %t to %b : tensor<64xi32> to !tile.buf<64xi32, shared>
  tile.barrier cta
  %s = tile.read %b span[%c] : !tile.buf<64xi32, shared>, !tile.span<64> -> tensor<64xi32>
  tile.store %s, %y[%c] : tensor<64xi32>, !tile.view<?xi32, out>, !tile.span<64>
} reference ["y"] {
  %c0 = tile.constant 0 : i64
  %r = tile.map (%i in %c0 to %N) -> tensor<?xi32> {
    %e = tile.at %x[%i] : !tile.view<?xi32, in> -> i32
    tile.yield %e : i32
  }
  tile.yield %r : tensor<?xi32>
} tolerance exact
