## The load is made of vectors of four elements, and `x` has six: the second vector would read two elements that are not there. A
## vector, or what an instruction accesses at once, is present as a whole or not at all, lies side by side, at an address that is
## a multiple of its size.
##: run = tile-run FILE --in x=x.npy --out y=y.npy --adversarial=1
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(6, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<8>
  %t = tile.load %x[%r] {tile.iter = #tile.iter<d0 = reg 2 * vec 4>} : !tile.view<?xf32, in>, !tile.span<8> -> tensor<8xf32>
  tile.store %t, %y[%r] : tensor<8xf32>, !tile.view<?xf32, out>, !tile.span<8>
}
# ----- printed
T1168.mlir:6:8: error[T1168]: element [4] of `x` and the 3 elements behind it are one access (`vec 4`), and only 2 of them are present
    6 |   %t = tile.load %x[%r] {tile.iter = #tile.iter<d0 = reg 2 * vec 4>} : !tile.view<?xf32, in>, !tile.span<8> -> tensor<8xf32>
      |        ^
  with: adversary = seed 1
help: access them one by one, or by a narrower vector or instruction
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<8>
  %t = tile.load %x[%r] {tile.iter = #tile.iter<d0 = reg 4 * vec 2>} : !tile.view<?xf32, in>, !tile.span<8> -> tensor<8xf32>
  tile.store %t, %y[%r] : tensor<8xf32>, !tile.view<?xf32, out>, !tile.span<8>
}
