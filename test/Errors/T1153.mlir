## A slot belongs to who fills it from `acquire` to `commit`, and to who uses it from `await` to `release`. Outside of that
## anybody may write it.
##: run = tile-run FILE --in x=x.npy --out y=y.npy
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(4, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
  %q = tile.ring %a protocol cp_async : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
  %s = tile.acquire %q : !tile.ring<2>
  tile.copy %x[%r] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 2>
  tile.commit %q : !tile.ring<2>
  %u = tile.await %q : !tile.ring<2>
  tile.release %q : !tile.ring<2>
  %t = tile.read %a slot %u span[%r] : !tile.buf<4xf32, shared, slots = 2>, !tile.span<4> -> tensor<4xf32>
  tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
}
# ----- printed
T1153.mlir:13:8: error[T1153]: slot 0 of `buf of line 6` is used outside of its time
   13 |   %t = tile.read %a slot %u span[%r] : !tile.buf<4xf32, shared, slots = 2>, !tile.span<4> -> tensor<4xf32>
      |        ^
help: use it between `acquire` and `commit`, or between `await` and `release`
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
  %q = tile.ring %a protocol cp_async : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
  %s = tile.acquire %q : !tile.ring<2>
  tile.copy %x[%r] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 2>
  tile.commit %q : !tile.ring<2>
  %u = tile.await %q : !tile.ring<2>
  %t = tile.read %a slot %u span[%r] : !tile.buf<4xf32, shared, slots = 2>, !tile.span<4> -> tensor<4xf32>
  tile.release %q : !tile.ring<2>
  tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
}
