// Copies in flight, four bytes each, and an extent that is asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
tile.instr @cp_async_4 on "sm_80" scope thread order exact via cp_async operands [
    {name = "dst", kind = "smem", out, whole, align = 4 : i64, contiguous},
    {name = "src", kind = "view", align = 4 : i64, contiguous} ] ptx "cp.async.ca.shared.global [{dst}], [{src}], 4, {present_bytes(src)};" {
^bb0(%dst: tensor<1xf32>, %src: tensor<1xf32>):
  %zero = tile.constant 0.0 : f32 tensor<1xf32>
  %0 = tile.fill_absent %src, %zero : tensor<1xf32>
  tile.yield %0 : tensor<1xf32>
}

tile.kernel @in_flight[%N "N"](%x "x": !tile.view<?xf32, in> shape ()[s0] -> (s0),
                               %y "y": !tile.view<?xf32, out> shape ()[s0] -> (s0),
                               %z "z": !tile.view<1xi64, out> shape ()[s0] -> (1))
attributes {tile.warps = 2 : i64} body {
  %c0 = tile.constant 0 : i64
  %n = tile.dim %x, 0 : !tile.view<?xf32, in>
  tile.grid (%c = tiles(%c0 to %n by 64)) {
    %a = tile.alloc : !tile.buf<64xf32, shared>
    tile.apply @cp_async_4 via cp_async {
      tile.copy %x[%c] to %a fill zero {tile.iter = #tile.iter<d0 = warp 2 * lane 32 * atom 1>}
          : !tile.view<?xf32, in>, !tile.span<64> to !tile.buf<64xf32, shared>
    }
    tile.group_commit cp_async
    tile.group_wait cp_async pending 0
    tile.barrier cta
    %t = tile.read %a span[%c] {tile.iter = #tile.iter<d0 = lane 32 * warp 2>} : !tile.buf<64xf32, shared>, !tile.span<64> -> tensor<64xf32>
    tile.store %t, %y[%c] : tensor<64xf32>, !tile.view<?xf32, out>, !tile.span<64>
    tile.elect {
      %first = tile.span_start %c : !tile.span<64>
      %is_first = tile.cmp eq, %first, %c0 : i64
      scf.if %is_first {
        tile.store %n, %z[%c0] : i64, !tile.view<1xi64, out>, i64
      }
    }
  }
}
