// A barrier in a loop that may have no step. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @barrier_in_an_empty_loop[%N "N", %N2 "R"](%x "x": !tile.view<?xf32, in> shape ()[s0, s1] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0, s1] -> (s0),
    %z "z": !tile.view<?xf32, in> shape ()[s0, s1] -> (s1)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    tile.write %t to %a : tensor<32xf32> to !tile.buf<32xf32, shared>
    tile.for %j in range(%c0 to %N) {
      tile.barrier cta
    }
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
