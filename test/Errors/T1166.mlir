## `%b` takes the memory of `%a`. Its first write comes when everybody is done with `%a`: every read is over and ordered before it,
## and so is every asynchronous op.
##: run = tile-run FILE --in x=x.npy --out y=y.npy --adversarial=1
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(4, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared>
  %b = tile.alloc over %a : !tile.buf<4xf32, shared> over !tile.buf<4xf32, shared>
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  tile.barrier cta
  %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  tile.write %t to %b : tensor<4xf32> to !tile.buf<4xf32, shared>
  tile.barrier cta
  tile.copy_out %b to %y[%r] : !tile.buf<4xf32, shared> to !tile.view<?xf32, out>, !tile.span<4>
}
# ----- printed
T1166.mlir:11:3: error[T1166]: `buf of line 7` takes the memory of `buf of line 6` too early: an access by warp 2 is not ordered before warp 0
   11 |   tile.write %t to %b : tensor<4xf32> to !tile.buf<4xf32, shared>
      |   ^
  with: adversary = seed 1
T1166.mlir:10:8: note: it is here
   10 |   %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
      |        ^
help: put a barrier between
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared>
  %b = tile.alloc over %a : !tile.buf<4xf32, shared> over !tile.buf<4xf32, shared>
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  tile.barrier cta
  %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  tile.barrier cta
  tile.write %t to %b : tensor<4xf32> to !tile.buf<4xf32, shared>
  tile.barrier cta
  tile.copy_out %b to %y[%r] : !tile.buf<4xf32, shared> to !tile.view<?xf32, out>, !tile.span<4>
}
