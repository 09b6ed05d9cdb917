// The copy writes all only where 32 divides N. Repaired.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

tile.kernel @wrong_version_fact[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
where {
  %c0 = tile.constant 0 : i64
  %c16 = tile.constant 32 : i64
  %rest = tile.mod %N, %c16 : i64
  %0 = tile.cmp eq, %rest, %c0 : i64
  tile.require %0, "N % 32 == 0"
}
body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %a = tile.alloc : !tile.buf<32xf32, shared>
    tile.copy %x[%m] to %a fill undef : !tile.view<?xf32, in>, !tile.span<32> to !tile.buf<32xf32, shared>
    tile.barrier cta
    %u = tile.read %a span[:] : !tile.buf<32xf32, shared> -> tensor<32xf32>
    tile.store %u, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
