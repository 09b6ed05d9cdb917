## Other threads read what these have written to shared memory, and no barrier stands between.
##: run = tile-run FILE --in x=x.npy --out y=y.npy --device=sim
##: setup = python -c "import numpy as np; np.save('x.npy', np.arange(64, dtype=np.float32))"
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.warps = 2 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 64)) {
    %b = tile.alloc : !tile.buf<64xf32, shared>
    %t = tile.load %x[%r] {tile.iter = #tile.iter<d0 = warp 2 * lane 32>} : !tile.view<?xf32, in>, !tile.span<64> -> tensor<64xf32>
    tile.write %t to %b : tensor<64xf32> to !tile.buf<64xf32, shared>
    %u = tile.read %b span[%r] {tile.iter = #tile.iter<d0 = lane 32 * warp 2>} : !tile.buf<64xf32, shared>, !tile.span<64> -> tensor<64xf32>
    tile.store %u, %y[%r] {tile.iter = #tile.iter<d0 = lane 32 * warp 2>} : tensor<64xf32>, !tile.view<?xf32, out>, !tile.span<64>
  }
}
# ----- printed
T1182.mlir:1:1: error[T1182]: T1182.mlir:9:10: thread 62 of CTA 0 reads shared memory at byte 244, which no thread of the CTA has written
T1182.mlir:9:10: thread 10 of CTA 0 reads shared memory at byte 80, which thread 20 wrote by `tessera.st.shared.i32` at T1182.mlir:8:5; nothing orders the two
T1182.mlir:8:5: thread 40 of CTA 0 writes shared memory at byte 160, which thread 20 read by `tessera.ld.shared.i32` at T1182.mlir:9:10; nothing orders the two
    1 | tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
      | ^
help: the simulator has seen it in the device code; compare `--device=cpu`
# ----- repaired
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                       %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
attributes {tile.warps = 2 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%r = tiles(%c0 to %N by 64)) {
    %b = tile.alloc : !tile.buf<64xf32, shared>
    %t = tile.load %x[%r] {tile.iter = #tile.iter<d0 = warp 2 * lane 32>} : !tile.view<?xf32, in>, !tile.span<64> -> tensor<64xf32>
    tile.write %t to %b : tensor<64xf32> to !tile.buf<64xf32, shared>
    tile.barrier cta
    %u = tile.read %b span[%r] {tile.iter = #tile.iter<d0 = lane 32 * warp 2>} : !tile.buf<64xf32, shared>, !tile.span<64> -> tensor<64xf32>
    tile.store %u, %y[%r] {tile.iter = #tile.iter<d0 = lane 32 * warp 2>} : tensor<64xf32>, !tile.view<?xf32, out>, !tile.span<64>
  }
}
