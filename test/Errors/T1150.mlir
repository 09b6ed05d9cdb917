## A ring gives a slot to fill, and all of them are in use. Here nobody uses them, and the third step finds no slot.
##: run = tile-run FILE --in x=x.npy --out y=y.npy
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(12, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
  %q = tile.ring %a protocol cp_async : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
  tile.for %k in tiles(%c0 to %N by 4) {
    %s = tile.acquire %q : !tile.ring<2>
    tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 2>
    tile.commit %q : !tile.ring<2>
  }
}
# ----- printed
T1150.mlir:8:10: error[T1150]: `ring of line 6` has no free slot: 2 of its 2 slots are in use (2 acquired, 0 free again)
    8 |     %s = tile.acquire %q : !tile.ring<2>
      |          ^
help: release them earlier, run less far ahead, or give the ring more slots
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
  %q = tile.ring %a protocol cp_async : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
  tile.for %k in tiles(%c0 to %N by 4) {
    %s = tile.acquire %q : !tile.ring<2>
    tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 2>
    tile.commit %q : !tile.ring<2>
    %u = tile.await %q : !tile.ring<2>
    %t = tile.read %a slot %u span[%k] : !tile.buf<4xf32, shared, slots = 2>, !tile.span<4> -> tensor<4xf32>
    tile.release %q : !tile.ring<2>
    tile.store %t, %y[%k] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  }
}
