// Shared memory between other distributions, written back without registers; points taken one after the other; what one thread does
// for all.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
tile.kernel @through_memory[%N "N"](%x "x": !tile.view<?x3xf32, in> shape ()[s0] -> (s0, 3),
                                    %y "y": !tile.view<?x3xf32, out> shape ()[s0] -> (s0, 3),
                                    %z "z": !tile.view<?x3xf32, out> shape ()[s0] -> (s0, 3))
attributes {tile.warps = 2 : i64} body {
  %c0 = tile.constant 0 : i64
  %c3 = tile.constant 3 : i64
  tile.grid (%n = tiles(%c0 to %N by 48)) {
    %b = tile.alloc : !tile.buf<48x3xf32, shared>
    %d = tile.alloc : !tile.buf<48x3xf32, shared>
    tile.copy %x[%n, :] to %d fill zero : !tile.view<?x3xf32, in>, !tile.span<48> to !tile.buf<48x3xf32, shared>
    tile.barrier cta
    %t = tile.read %d span[%n, :] : !tile.buf<48x3xf32, shared>, !tile.span<48> -> tensor<48x3xf32>
    %u = tile.neg %t : tensor<48x3xf32>
    tile.write %u to %b : tensor<48x3xf32> to !tile.buf<48x3xf32, shared>
    tile.barrier cta
    tile.copy_out %b to %y[%n, :] : !tile.buf<48x3xf32, shared> to !tile.view<?x3xf32, out>, !tile.span<48>
    tile.store %t, %z[%n, :] : tensor<48x3xf32>, !tile.view<?x3xf32, out>, !tile.span<48>
  }
}

tile.kernel @point_by_point[%N "N"](%x "x": !tile.view<?xi32, in> shape ()[s0] -> (s0),
                                    %y "y": !tile.view<?xi32, out> shape ()[s0] -> (s0),
                                    %z "z": !tile.view<?xi64, out> shape ()[s0] -> (s0))
attributes {tile.warps = 1 : i64} body {
  %c0 = tile.constant 0 : i64
  tile.tasks (%n = tiles(%c0 to %N by 32)) {
    %t = tile.load %x[%n] : !tile.view<?xi32, in>, !tile.span<32> -> tensor<32xi32>
    %u = tile.add %t, %t : tensor<32xi32>
    tile.store %u, %y[%n] : tensor<32xi32>, !tile.view<?xi32, out>, !tile.span<32>
    %first = tile.span_start %n : !tile.span<32>
    %stop = tile.span_stop %n : !tile.span<32>
    tile.for %i in range(%first to %stop) {
      tile.elect {
        tile.store %i, %z[%i] : i64, !tile.view<?xi64, out>, i64
      }
    }
  }
}
