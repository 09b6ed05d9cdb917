## A filled slot of a ring is awaited, and in the order of the program nobody has filled one by then.
##: run = tile-run FILE --in x=x.npy --out y=y.npy
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(4, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
  %q = tile.ring %a protocol cp_async : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
  %u = tile.await %q : !tile.ring<2>
  %t = tile.read %a slot %u span[%r] : !tile.buf<4xf32, shared, slots = 2>, !tile.span<4> -> tensor<4xf32>
  tile.release %q : !tile.ring<2>
  tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  %s = tile.acquire %q : !tile.ring<2>
  tile.copy %x[%r] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 2>
  tile.commit %q : !tile.ring<2>
}
# ----- printed
T1151.mlir:8:8: error[T1151]: `ring of line 7` has no filled slot: 0 committed, 0 awaited
    8 |   %u = tile.await %q : !tile.ring<2>
      |        ^
help: commit one before it is awaited
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
