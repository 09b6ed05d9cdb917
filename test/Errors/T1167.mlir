## The barrier is one of the whole CTA, of eight warps, and stands in the four steps of `tile.par`, each of which is run by one
## warp: the other four never come, and those that came wait for them.
##: run = tile-run FILE --in x=x.npy --out y=y.npy --adversarial=1
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(4, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.warps = 8 : i64} body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  tile.par warp 4 {
  ^bb0(%w: i64):
    tile.barrier cta
  }
  %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
  tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
}
# ----- printed
T1167.mlir:8:5: error[T1167]: `tile.barrier` is for a whole `cta`, and only one `warp` comes here
    8 |     tile.barrier cta
      |     ^
  with: adversary = seed 1
help: put it outside of what divides the threads
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.warps = 8 : i64} body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<4>
  tile.par warp 8 {
  ^bb0(%w: i64):
    tile.barrier cta
  }
  %t = tile.load %x[%r] : !tile.view<?xf32, in>, !tile.span<4> -> tensor<4xf32>
  tile.store %t, %y[%r] : tensor<4xf32>, !tile.view<?xf32, out>, !tile.span<4>
}
