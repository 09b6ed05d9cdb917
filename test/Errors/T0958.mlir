## A version of a kernel is launched by its name, and its condition does not hold: the kernel relies on it.
##: run = tile-run FILE --in x=x.npy --out y=y.npy --kernel=k.yes
##: repair = tile-run FILE --in x=x.npy --out y=y.npy
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(6, dtype=np.float32))"
tile.kernel @k.yes[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                           %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.version_of = @k, tile.when = ["(N % 4) == 0"]} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
    tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
}
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
    tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
}
# ----- printed
T0958.mlir:1:1: error[T0958]: version `k.yes`: `(N % 4) == 0` does not hold
    1 | tile.kernel @k.yes[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
      | ^
help: leave out `--kernel`, so that the launch takes the version that fits
# ----- repaired
tile.kernel @k.yes[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                           %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.version_of = @k, tile.when = ["(N % 4) == 0"]} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
    tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
}
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 4)) {
    %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
    tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
}
