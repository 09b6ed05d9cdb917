## An asynchronous op goes on after the threads that started it. Until it was waited for, nobody may read what it writes, or
## write what it reads.
##: run = tile-run FILE --in x=x.npy --out y=y.npy --adversarial=1
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(4, dtype=np.float32))"
tile.instr @cp_async_16 on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out}, {name = "src", kind = "view"}] ptx "cp.async.cg.shared.global [{dst}], [{src}], 16;" {
^bb0(%dst: tensor<4xf32>, %src: tensor<4xf32>):
  tile.yield %src : tensor<4xf32>
}
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared>
  tile.apply @cp_async_16 via cp_async {
    tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  }
  tile.group_commit cp_async
  tile.barrier cta
  %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
  tile.group_wait cp_async pending 0
}
# ----- printed
T1161.mlir:17:8: error[T1161]: element [0] of `buf of line 11` is read while an asynchronous op (`cp_async`) writes it
   17 |   %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
      |        ^
  with: adversary = seed 1
T1161.mlir:13:5: note: it started here
   13 |     tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
      |     ^
help: wait first, by `await` of its slot or `group_wait`
# ----- repaired
tile.instr @cp_async_16 on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out}, {name = "src", kind = "view"}] ptx "cp.async.cg.shared.global [{dst}], [{src}], 16;" {
^bb0(%dst: tensor<4xf32>, %src: tensor<4xf32>):
  tile.yield %src : tensor<4xf32>
}
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  %a = tile.alloc : !tile.buf<4xf32, shared>
  tile.apply @cp_async_16 via cp_async {
    tile.copy %x[%r] to %a fill zero : !tile.view<?xf32, in>, !tile.span<4> to !tile.buf<4xf32, shared>
  }
  tile.group_commit cp_async
  tile.group_wait cp_async pending 0
  tile.barrier cta
  %t = tile.read %a span[%r] : !tile.buf<4xf32, shared>, !tile.span<4> -> tensor<4xf32>
  tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
}
