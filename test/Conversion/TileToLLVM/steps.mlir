// Memory of one task, or of one step of several side by side, is the next one's: through a buf a tile goes to other threads, so
// some of them may still read as others write. Of the second kernel half the threads hold copies.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; [np.save(r'%t/%%d.npy' %% k, np.arange(k * 32 * 8, dtype=np.int32).reshape(k, 32, 8)) for k in (7, 300)]"
// RUN: tile-run %s --kernel=tasks --in x=%t/300.npy --out y=%t/y.npy --check --device=sim --schedule=none | FileCheck %s --check-prefix=TASKS
// RUN: tile-run %s --kernel=steps --in x=%t/7.npy --out y=%t/y.npy --check --device=sim --schedule=none | FileCheck %s --check-prefix=STEPS
// TASKS: y: 76800 elements compared
// STEPS: y: 1792 elements compared

tile.kernel @tasks[%K "K"](%x "x": !tile.view<?x32x8xi32, in> shape ()[s0] -> (s0, 32, 8),
                           %y "y": !tile.view<?x8x32xi32, out> shape ()[s0] -> (s0, 8, 32)) attributes {tile.warps = 2 : i64}
body {
  %c0 = tile.constant 0 : i64
  %c32 = tile.constant 32 : i64
  %b = tile.alloc : !tile.buf<32x8xi32, shared>
  tile.tasks (%k = range(%c0 to %K)) {
    %t = tile.load %x[%k, :, :] : !tile.view<?x32x8xi32, in>, i64 -> tensor<32x8xi32>
    tile.write %t to %b : tensor<32x8xi32> to !tile.buf<32x8xi32, shared>
    tile.barrier cta
    %s = tile.read %b span[:, :] : !tile.buf<32x8xi32, shared> -> tensor<32x8xi32>
    %p = tile.permute %s, [1, 0] : tensor<32x8xi32> to tensor<8x32xi32>
    tile.store %p, %y[%k, :, :] : tensor<8x32xi32>, !tile.view<?x8x32xi32, out>, i64
  }
} reference ["y"] {
  %c0 = tile.constant 0 : i64
  %c8 = tile.constant 8 : i64
  %c32 = tile.constant 32 : i64
  %r = tile.map (%k in %c0 to %K, %j in %c0 to %c8, %i in %c0 to %c32) -> tensor<?x?x?xi32> {
    %e = tile.at %x[%k, %i, %j] : !tile.view<?x32x8xi32, in> -> i32
    tile.yield %e : i32
  }
  tile.yield %r : tensor<?x?x?xi32>
} tolerance exact

tile.kernel @steps[%K "K"](%x "x": !tile.view<?x32x8xi32, in> shape ()[s0] -> (s0, 32, 8),
                           %y "y": !tile.view<?x8x32xi32, out> shape ()[s0] -> (s0, 8, 32)) attributes {tile.warps = 16 : i64}
body {
  %c0 = tile.constant 0 : i64
  %c32 = tile.constant 32 : i64
  %b = tile.alloc : !tile.buf<32x8xi32, shared>
  tile.par warp 7 {
  ^bb0(%k: i64):
    %t = tile.load %x[%k, :, :] : !tile.view<?x32x8xi32, in>, i64 -> tensor<32x8xi32>
    tile.write %t to %b : tensor<32x8xi32> to !tile.buf<32x8xi32, shared>
    tile.barrier cta
    %s = tile.read %b span[:, :] : !tile.buf<32x8xi32, shared> -> tensor<32x8xi32>
    %p = tile.permute %s, [1, 0] : tensor<32x8xi32> to tensor<8x32xi32>
    tile.store %p, %y[%k, :, :] : tensor<8x32xi32>, !tile.view<?x8x32xi32, out>, i64
  }
} reference ["y"] {
  %c0 = tile.constant 0 : i64
  %c8 = tile.constant 8 : i64
  %c32 = tile.constant 32 : i64
  %r = tile.map (%k in %c0 to %K, %j in %c0 to %c8, %i in %c0 to %c32) -> tensor<?x?x?xi32> {
    %e = tile.at %x[%k, %i, %j] : !tile.view<?x32x8xi32, in> -> i32
    tile.yield %e : i32
  }
  tile.yield %r : tensor<?x?x?xi32>
} tolerance exact
