## A released slot may be filled again at once, and an asynchronous op still reads it. The op must be waited for, or the section
## has a `lag` that frees the slot steps later.
##: run = tile-run FILE --in x=x.npy --out y=y.npy --adversarial=1
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(4, dtype=np.float32))"
tile.instr @store_bulk on "sm_90" scope thread order exact via bulk operands [
    {name = "dst", kind = "view", out}, {name = "src", kind = "smem"}] ptx "cp.async.bulk.global.shared::cta.bulk_group [{dst}], [{src}], 16;" {
^bb0(%dst: tensor<4xf32>, %src: tensor<4xf32>):
  tile.yield %src : tensor<4xf32>
}
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
  %q = tile.ring %a protocol mbarrier : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
  %s = tile.acquire %q : !tile.ring<2>
  tile.copy %x[%r] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 2>
  tile.fence
  tile.commit %q : !tile.ring<2>
  %u = tile.await %q : !tile.ring<2>
  tile.apply @store_bulk via bulk {
    tile.copy_out %a slot %u to %y[%r] : !tile.buf<4xf32, shared, slots = 2> to !tile.view<?xf32, out>, !tile.span<4>
  }
  tile.release %q : !tile.ring<2>
  tile.group_commit bulk
  tile.group_wait bulk pending 0
}
# ----- printed
T1165.mlir:21:3: error[T1165]: slot 0 of `ring of line 12` becomes free while an asynchronous op (`bulk`) still reads it
   21 |   tile.release %q : !tile.ring<2>
      |   ^
  with: adversary = seed 1
T1165.mlir:19:5: note: it reads here
   19 |     tile.copy_out %a slot %u to %y[%r] : !tile.buf<4xf32, shared, slots = 2> to !tile.view<?xf32, out>, !tile.span<4>
      |     ^
help: release it after `group_wait`, or with a lag
# ----- repaired
tile.instr @store_bulk on "sm_90" scope thread order exact via bulk operands [
    {name = "dst", kind = "view", out}, {name = "src", kind = "smem"}] ptx "cp.async.bulk.global.shared::cta.bulk_group [{dst}], [{src}], 16;" {
^bb0(%dst: tensor<4xf32>, %src: tensor<4xf32>):
  tile.yield %src : tensor<4xf32>
}
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared, slots = 2>
  %q = tile.ring %a protocol mbarrier : !tile.buf<4xf32, shared, slots = 2> -> !tile.ring<2>
  %s = tile.acquire %q : !tile.ring<2>
  tile.copy %x[%r] to %a slot %s fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared, slots = 2>
  tile.fence
  tile.commit %q : !tile.ring<2>
  %u = tile.await %q : !tile.ring<2>
  tile.apply @store_bulk via bulk {
    tile.copy_out %a slot %u to %y[%r] : !tile.buf<4xf32, shared, slots = 2> to !tile.view<?xf32, out>, !tile.span<4>
  }
  tile.group_commit bulk
  tile.group_wait bulk pending 0
  tile.release %q : !tile.ring<2>
}
