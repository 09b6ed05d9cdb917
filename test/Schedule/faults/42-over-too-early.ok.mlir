// The other buf takes the memory while it is still read. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @over_too_early[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    %c = tile.alloc over %a : !tile.buf<32xf32, shared> over !tile.buf<32xf32, shared>
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    tile.write %t to %a : tensor<32xf32> to !tile.buf<32xf32, shared>
    tile.barrier cta
    %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    %d = tile.add %u, %u : tensor<32xf32>
    tile.barrier cta
    tile.write %d to %c : tensor<32xf32> to !tile.buf<32xf32, shared>
    tile.barrier cta
    %v = tile.read %c span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
    tile.store %v, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
