// RUN: tile-opt %s --tile-assign --split-input-file --verify-diagnostics

tile.kernel @cluster[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0), %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<64>
  // expected-error@+1 {{`cluster` factors of an op have no code yet: leave them to the grid of the kernel}}
  %t = tile.load %x[%r] {tile.iter = #tile.iter<d0 = cluster 2 * lane 32>} : !tile.view<?xf32, in>, !tile.span<64> -> tensor<64xf32>
  tile.store %t, %y[%r] : tensor<64xf32>, !tile.view<?xf32, out>, !tile.span<64>
}

// -----

// One step at a place that has no code is no factor.
tile.kernel @one[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0), %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<64>
  %t = tile.load %x[%r] {tile.iter = #tile.iter<d0 = cluster 1 * reg 2 * lane 32>} : !tile.view<?xf32, in>, !tile.span<64> -> tensor<64xf32>
  tile.store %t, %y[%r] : tensor<64xf32>, !tile.view<?xf32, out>, !tile.span<64>
}

// -----

// What one thread does alone cannot be shared out.
tile.kernel @elected[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0))
body {
  %c0 = tile.constant 0 : i64
  %r = tile.span %c0, %N : !tile.span<64>
  %b = tile.alloc : !tile.buf<64xf32, shared>
  tile.elect {
    // expected-error@+1 {{lanes or warps share out what one thread does alone: give no factors to dims of ops inside `elect`, or take the op out of it}}
    tile.copy %x[%r] to %b fill zero {tile.iter = #tile.iter<d0 = reg 2 * lane 32>} : !tile.view<?xf32, in>, !tile.span<64> to !tile.buf<64xf32, shared>
  }
}
