// The roles want more registers than an SM has.
// RUN: tile-opt %s --tile-seal --verify-diagnostics -o /dev/null

// expected-error@+2 {{T1253: the roles need 70656 registers, an SM has 65536}}
// expected-note@+1 {{missing: 5120 registers}}
tile.kernel @too_many_registers[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) attributes {tile.roles = {load = {warps = 4 : i64, regs = 40 : i64}, use = {warps = 8 : i64, regs = 256 : i64}}} body {
  %c0 = tile.constant 0 : i64
  tile.grid (%m = tiles(%c0 to %N by 32)) {
    %t = tile.load %x[%m] : !tile.view<?xf32, in>, !tile.span<32> -> tensor<32xf32>
    tile.store %t, %y[%m] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
  }
}
