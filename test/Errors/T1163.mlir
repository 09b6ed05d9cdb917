## Everybody waits, and nobody is left who could end it. Here nobody uses the slots, so the third step waits for a free one for
## ever. Where fillers do not wait, the same mistake is [T1150](T1150.md).
##: run = tile-run FILE --in x=x.npy --out y=y.npy --adversarial=1
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(12, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
  %q = tile.ring %a protocol mbarrier : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
  tile.for %k in tiles(%c0 to %N by 4) {
    %s = tile.acquire %q : !tile.ring<2>
    tile.copy %x[%k] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 2>
    tile.commit %q : !tile.ring<2>
  }
}
# ----- printed
T1163.mlir:8:10: error[T1163]: nobody can go on: the CTA waits for a free slot of `ring of line 6` (2 of 2 slots in use, 2 acquired, 2 committed, 0 awaited, 0 released)
    8 |     %s = tile.acquire %q : !tile.ring<2>
      |          ^
  with: adversary = seed 1
help: commit or release what is waited for
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
  %q = tile.ring %a protocol mbarrier : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
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
