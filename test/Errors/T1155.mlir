## `%b` takes the memory of `%a`: from the first write to `%b` on, `%a` holds nothing.
##: run = tile-run FILE --in x=x.npy --out y=y.npy
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(4, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared>
  %b = tile.alloc over %a : !tile.buf<4xf32, shared> over !tile.buf<4xf32, shared>
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  tile.write %t to %b : tensor<4xf32> to !tile.buf<4xf32, shared>
  %v = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  tile.store %v, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
}
# ----- printed
T1155.mlir:11:8: error[T1155]: `buf of line 6` is used after `buf of line 7` took its memory
   11 |   %v = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
      |        ^
help: do that before the first write to `buf of line 7`
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared>
  %b = tile.alloc over %a : !tile.buf<4xf32, shared> over !tile.buf<4xf32, shared>
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  %v = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  tile.write %t to %b : tensor<4xf32> to !tile.buf<4xf32, shared>
  tile.store %v, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
}
