// Barriers in the inner loop do not order the last inner step before the next outer one. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @outer_loop[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    tile.for %j in range(%c0 to %N) {
      %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
      tile.write %t to %a : tensor<32xf32> to !tile.buf<32xf32, shared>
      tile.barrier cta
      %n = tile.add %j, %c0 : i64
      tile.for %i in range(%c0 to %n) {
        %u = tile.read %a span[%m] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
        tile.print "seen", %u : tensor<32xf32>
      }
      tile.barrier cta
    }
  }
}
