## No CTA has 40 warps.
##: run = tile-run FILE --in x=x.npy --out y=y.npy --device=sim
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(6, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.warps = 40 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
    tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
}
# ----- printed
T1181.mlir:1:1: error[T1181]: kernel `k` cannot be launched: launch record of `k`: version `k` has 1280 threads
    1 | tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
      | ^
help: a CTA has 1 to 1024
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.warps = 4 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
    tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
}
