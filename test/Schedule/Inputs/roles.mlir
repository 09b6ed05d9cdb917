// A buf that passes from role to role, and is about to get a ring.
tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
    %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0)) attributes {tile.roles = {load = {warps = 4 : i64}, use = {warps = 4 : i64}}, tile.warps = 8 : i64} body {
  %c0 = tile.constant 0 : i64
  %a = tile.alloc : !tile.buf<32xf32, shared>
  tile.tasks (%q = tiles(%c0 to %N by 32)) {
    tile.section @fill role @load {
      tile.copy %x[%q] to %a fill zero : !tile.view<?xf32, in>, !tile.span<32> to !tile.buf<32xf32, shared>
    }
    tile.section @drain role @use {
      %u = tile.read %a span[%q] : !tile.buf<32xf32, shared>, !tile.span<32> -> tensor<32xf32>
      tile.store %u, %y[%q] : tensor<32xf32>, !tile.view<?xf32, out>, !tile.span<32>
    }
  }
}
