// Rings whose memory threads fill themselves: a slot is filled again after all threads have read it, in the next step of a loop
// and in the next loop. Through a buf a tile goes to other threads.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as np; np.save(r'%t/x.npy', np.arange(7 * 32 * 8, dtype=np.int32).reshape(7, 32, 8))"
// RUN: tile-run %s --kernel=one_slot --in x=%t/x.npy --out y=%t/y.npy --check --device=sim --schedule=none | FileCheck %s
// RUN: tile-run %s --kernel=two_loops --in x=%t/x.npy --out y=%t/y.npy --check --device=sim --schedule=none | FileCheck %s
// RUN: tile-run %s --kernel=nested --in x=%t/x.npy --out y=%t/y.npy --check --device=sim --schedule=none | FileCheck %s
// CHECK: y: 1792 elements compared

tile.kernel @one_slot[%K "K"](%x "x": !tile.view<?x32x8xi32, in> shape ()[s0] -> (s0, 32, 8),
    %y "y": !tile.view<?x8x32xi32, out> shape ()[s0] -> (s0, 8, 32)) attributes {tile.warps = 2 : i64}
body {
  %c0 = tile.constant 0 : i64
  %c3 = tile.constant 3 : i64
  %b = tile.alloc : !tile.buf<32x8xi32, shared>
  %r = tile.ring %b protocol cta_sync : !tile.buf<32x8xi32, shared> -> !tile.ring<1>
  tile.for %k in range(%c0 to %K) {
    %s = tile.acquire %r : !tile.ring<1>
    %t = tile.load %x[%k, :, :] : !tile.view<?x32x8xi32, in>, i64 -> tensor<32x8xi32>
    tile.write %t to %b slot %s : tensor<32x8xi32> to !tile.buf<32x8xi32, shared>
    tile.commit %r : !tile.ring<1>
    %u = tile.await %r : !tile.ring<1>
    %m = tile.read %b slot %u span[:, :] : !tile.buf<32x8xi32, shared> -> tensor<32x8xi32>
    %p = tile.permute %m, [1, 0] : tensor<32x8xi32> to tensor<8x32xi32>
    tile.store %p, %y[%k, :, :] : tensor<8x32xi32>, !tile.view<?x8x32xi32, out>, i64
    tile.release %r : !tile.ring<1>
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

tile.kernel @two_loops[%K "K"](%x "x": !tile.view<?x32x8xi32, in> shape ()[s0] -> (s0, 32, 8),
    %y "y": !tile.view<?x8x32xi32, out> shape ()[s0] -> (s0, 8, 32)) attributes {tile.warps = 2 : i64}
body {
  %c0 = tile.constant 0 : i64
  %c3 = tile.constant 3 : i64
  %b = tile.alloc : !tile.buf<32x8xi32, shared, slots = 2>
  %r = tile.ring %b protocol cta_sync : !tile.buf<32x8xi32, shared, slots = 2> -> !tile.ring<2>
  tile.for %k in range(%c0 to %c3) {
    tile.section @load lead 1 {
      %s = tile.acquire %r : !tile.ring<2>
      %t = tile.load %x[%k, :, :] : !tile.view<?x32x8xi32, in>, i64 -> tensor<32x8xi32>
      tile.write %t to %b slot %s : tensor<32x8xi32> to !tile.buf<32x8xi32, shared, slots = 2>
      tile.commit %r : !tile.ring<2>
    }
    tile.section @use {
      %u = tile.await %r : !tile.ring<2>
      %m = tile.read %b slot %u span[:, :] : !tile.buf<32x8xi32, shared, slots = 2> -> tensor<32x8xi32>
      %p = tile.permute %m, [1, 0] : tensor<32x8xi32> to tensor<8x32xi32>
      tile.store %p, %y[%k, :, :] : tensor<8x32xi32>, !tile.view<?x8x32xi32, out>, i64
      tile.release %r : !tile.ring<2>
    }
  }
  tile.for %k in range(%c3 to %K) {
    tile.section @load lead 1 {
      %s = tile.acquire %r : !tile.ring<2>
      %t = tile.load %x[%k, :, :] : !tile.view<?x32x8xi32, in>, i64 -> tensor<32x8xi32>
      tile.write %t to %b slot %s : tensor<32x8xi32> to !tile.buf<32x8xi32, shared, slots = 2>
      tile.commit %r : !tile.ring<2>
    }
    tile.section @use {
      %u = tile.await %r : !tile.ring<2>
      %m = tile.read %b slot %u span[:, :] : !tile.buf<32x8xi32, shared, slots = 2> -> tensor<32x8xi32>
      %p = tile.permute %m, [1, 0] : tensor<32x8xi32> to tensor<8x32xi32>
      tile.store %p, %y[%k, :, :] : tensor<8x32xi32>, !tile.view<?x8x32xi32, out>, i64
      tile.release %r : !tile.ring<2>
    }
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

tile.kernel @nested[%K "K"](%x "x": !tile.view<?x32x8xi32, in> shape ()[s0] -> (s0, 32, 8),
    %y "y": !tile.view<?x8x32xi32, out> shape ()[s0] -> (s0, 8, 32)) attributes {tile.warps = 2 : i64}
body {
  %c0 = tile.constant 0 : i64
  %c3 = tile.constant 3 : i64
  %b = tile.alloc : !tile.buf<32x8xi32, shared>
  %r = tile.ring %b protocol cta_sync : !tile.buf<32x8xi32, shared> -> !tile.ring<1>
  %c1 = tile.constant 1 : i64
  tile.for %o in range(%c0 to %K) {
    %end = tile.add %o, %c1 : i64
    tile.for %k in range(%o to %end) {
      tile.section @load lead 1 {
        %s = tile.acquire %r : !tile.ring<1>
        %t = tile.load %x[%k, :, :] : !tile.view<?x32x8xi32, in>, i64 -> tensor<32x8xi32>
        tile.write %t to %b slot %s : tensor<32x8xi32> to !tile.buf<32x8xi32, shared>
        tile.commit %r : !tile.ring<1>
      }
      tile.section @use {
        %u = tile.await %r : !tile.ring<1>
        %m = tile.read %b slot %u span[:, :] : !tile.buf<32x8xi32, shared> -> tensor<32x8xi32>
        %p = tile.permute %m, [1, 0] : tensor<32x8xi32> to tensor<8x32xi32>
        tile.store %p, %y[%o, :, :] : tensor<8x32xi32>, !tile.view<?x8x32xi32, out>, i64
        tile.release %r : !tile.ring<1>
      }
    }
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
