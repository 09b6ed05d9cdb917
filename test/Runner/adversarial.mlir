// A seed makes a run one of those that a machine may have: the good schedule stands it, the one without a barrier does not.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.arange(8, dtype=np.float32))"
// RUN: tile-run %s --kernel=good --in x=%t/x.npy --out y=%t/y.npy --adversarial=3
// RUN: %python -c "import numpy as np; print(np.load(r'%t/y.npy'))" | FileCheck %s --check-prefix=VALUES
// RUN: tile-run %s --kernel=bad --in x=%t/x.npy --out y=%t/y.npy
// RUN: not tile-run %s --kernel=bad --in x=%t/x.npy --out y=%t/y.npy --adversarial=3 2>&1 | FileCheck %s
// VALUES: [0. 1. 2. 3. 4. 5. 6. 7.]
// CHECK: error[T1160]: element {{.*}} is read by warp {{[0-3]}} and written by warp {{[0-3]}}, and nothing orders the two
// CHECK: adversary = seed 3
// CHECK: note: written here by warp

tile.kernel @good[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                          %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<8xf32, shared>
  tile.grid (%r = tiles(%c0 to %N by 8)) {
    tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<8> to !tile.buf<8xf32, shared>
    tile.barrier cta
    %t = tile.read %a span[%r] : !tile.buf<8xf32, shared>, !tile.span<8> -> tensor<8xf32>
    tile.store %t, %y[%r] : tensor<8xf32>, !tile.view<?xf32, out>, !tile.span<8>
  }
}

tile.kernel @bad[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                         %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<8xf32, shared>
  tile.grid (%r = tiles(%c0 to %N by 8)) {
    tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<8> to !tile.buf<8xf32, shared>
    %t = tile.read %a span[%r] : !tile.buf<8xf32, shared>, !tile.span<8> -> tensor<8xf32>
    tile.store %t, %y[%r] : tensor<8xf32>, !tile.view<?xf32, out>, !tile.span<8>
  }
}
