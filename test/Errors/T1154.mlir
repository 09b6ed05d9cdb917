## A cell of a buf is read that holds no value: nothing was written to it, `fill undef` left it out, or its slot was acquired
## again since. The element that is read must be absent or written.
##: run = tile-run FILE --in x=x.npy --out y=y.npy
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(4, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared>
  %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
}
# ----- printed
T1154.mlir:7:8: error[T1154]: element [0] of `buf of line 6` is read and has no value: nothing was written to it
    7 |   %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
      |        ^
T1154.mlir:6:8: note: the memory is made here
    6 |   %a = tile.alloc : !tile.buf<4xf32, shared>
      |        ^
help: write it first, or let it be absent
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared>
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
}
