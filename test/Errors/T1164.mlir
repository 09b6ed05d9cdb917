## A CTA ends while an asynchronous op of it is under way. Its memory may be given to another CTA by then, and a store may not
## have reached its place.
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
  %a = tile.alloc : !tile.buf<4xf32, shared>
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  tile.fence
  tile.barrier cta
  tile.elect {
    tile.apply @store_bulk via bulk {
      tile.copy_out %a to %y[%r] : !tile.buf<4xf32, shared> to !tile.view<?xf32, out>, !tile.span<4>
    }
  }
}
# ----- printed
T1164.mlir:6:1: error[T1164]: 1 asynchronous op (`bulk`) not waited for when the CTA ends
    6 | tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
      | ^
  with: adversary = seed 1
T1164.mlir:17:7: note: the first one started here
   17 |       tile.copy_out %a to %y[%r] : !tile.buf<4xf32, shared> to !tile.view<?xf32, out>, !tile.span<4>
      |       ^
help: put `group_wait` there, or await the slots
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
  %a = tile.alloc : !tile.buf<4xf32, shared>
  tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  tile.fence
  tile.barrier cta
  tile.elect {
    tile.apply @store_bulk via bulk {
      tile.copy_out %a to %y[%r] : !tile.buf<4xf32, shared> to !tile.view<?xf32, out>, !tile.span<4>
    }
  }
  tile.group_commit bulk
  tile.group_wait bulk pending 0
}
