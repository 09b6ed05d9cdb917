tile.kernel @k[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0), %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0))
    attributes {tile.roles = {p = {warps = 1 : i64}, q = {regs = 64 : i64, warps = 4 : i64}}, tile.warps = 5 : i64} body {
  %c0 = tile.constant 0 : i64
  %zero = tile.constant 0.0 : f32 tensor<8xf32>
  %a = tile.alloc : !tile.buf<8xf32, shared, slots = 3>
  %b = tile.alloc : !tile.buf<8xf32, shared, layout = "(8):(2)">
  %c = tile.alloc over %b : !tile.buf<4xf32, shared> over !tile.buf<8xf32, shared, layout = "(8):(2)">
  %r = tile.ring %a protocol cp_async : !tile.buf<8xf32, shared, slots = 3> -> !tile.ring<3>
  tile.tasks (%m = tiles(%c0 to %N by 8), %h = range(%c0 to %N)) grouped 2 {
    %start = tile.span_start %m : !tile.span<8>
    %sum = tile.for %k in tiles(%start to %N by 8) carry(%acc = %zero : tensor<8xf32>) {
      tile.section @load lead 2 role @p {
        %s = tile.acquire %r : !tile.ring<3>
        tile.copy %x[%k] to %a slot %s fill zero {tile.iter = #tile.iter<d0 = lane 2 * vec 4>}
          : !tile.view<?xf32, in>, !tile.span<8> to !tile.buf<8xf32, shared, slots = 3>
        tile.commit %r : !tile.ring<3>
      }
      %u = tile.section @use lag 1 role @q -> tensor<8xf32> {
        %s = tile.await %r : !tile.ring<3>
        %t = tile.read %a slot %s span[%k] : !tile.buf<8xf32, shared, slots = 3>, !tile.span<8> -> tensor<8xf32>
        tile.release %r : !tile.ring<3>
        %p = tile.add %acc, %t : tensor<8xf32>
        tile.yield %p : tensor<8xf32>
      }
      tile.yield %u : tensor<8xf32>
    }
    tile.section @out role @q {
      tile.write %sum to %b : tensor<8xf32> to !tile.buf<8xf32, shared, layout = "(8):(2)">
      tile.fence
      tile.barrier cta
      tile.elect {
        tile.copy_out %b to %y[%m] : !tile.buf<8xf32, shared, layout = "(8):(2)"> to !tile.view<?xf32, out>, !tile.span<8>
        tile.group_commit bulk
        tile.group_wait bulk pending 0
      }
      tile.par warp 4 {
      ^bb0(%w: i64):
        tile.print "w", %w : i64
      }
    }
  }
}
