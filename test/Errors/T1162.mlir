## Asynchronous ops do not see what threads wrote in the ordinary way before a `fence`. It stands with those who wrote, before
## what tells of it: a barrier, or the commit of a slot.
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
  tile.barrier cta
  tile.elect {
    tile.apply @store_bulk via bulk {
      tile.copy_out %a to %y[%r] : !tile.buf<4xf32, shared> to !tile.view<?xf32, out>, !tile.span<4>
    }
  }
  tile.group_commit bulk
  tile.group_wait bulk pending 0
}
# ----- printed
T1162.mlir:16:7: error[T1162]: element [0] of `buf of line 11`, written by warp 3 in the generic way, is read by an asynchronous op (`bulk`) with no fence between
   16 |       tile.copy_out %a to %y[%r] : !tile.buf<4xf32, shared> to !tile.view<?xf32, out>, !tile.span<4>
      |       ^
  with: adversary = seed 1
T1162.mlir:12:3: note: written here
   12 |   tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
      |   ^
help: put `fence` after the write, before the barrier or commit
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
