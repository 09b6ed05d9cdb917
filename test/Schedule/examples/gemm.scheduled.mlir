#map = affine_map<(d0) -> (d0 mod 16, (d0 floordiv 16) * 8)>
module {
  tile.kernel @gemm.yes[%M "M", %K "K", %N "N"](%a "a": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s0, s1), %b "b": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s1, s2), %d "d": !tile.view<?x?xbf16, out> shape ()[s0, s1, s2] -> (s0, s2)) attributes {tile.sealed, tile.version_of = @gemm, tile.warps = 8 : i64, tile.when = ["((((K % 8) == 0) and ((N % 8) == 0)) and aligned(a, 16)) and aligned(b, 16)"]}
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 128), %arg1 = tiles(%1 to %N by 128)) {
      %2 = tile.alloc : !tile.buf<128x32xbf16, shared, slots = 3, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">
      %3 = tile.alloc : !tile.buf<32x128xbf16, shared, slots = 3, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))">
      %4 = tile.ring %2, %3 protocol cp_async : !tile.buf<128x32xbf16, shared, slots = 3, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">, !tile.buf<32x128xbf16, shared, slots = 3, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))"> -> !tile.ring<3>
      %5 = tile.alloc over %2, %3 : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))"> over !tile.buf<128x32xbf16, shared, slots = 3, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">, !tile.buf<32x128xbf16, shared, slots = 3, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))">
      %6 = tile.constant 0.000000e+00 : f32 tensor<128x128xf32>
      %7 = tile.constant 0 : i64
      %8 = tile.for %arg2 in tiles(%7 to %K by 32) carry(%arg3 = %6 : tensor<128x128xf32>) {
        tile.section @load lead 2 {
          %11 = tile.acquire %4 : !tile.ring<3>
          tile.apply @cp_async_16 via cp_async {
            tile.copy %a[%arg0, %arg2] to %2 slot %11 fill zero {tile.iter = #tile.iter<d1 = open 4 * atom 8>} : !tile.view<?x?xbf16, in>, !tile.span<128>, !tile.span<32> to !tile.buf<128x32xbf16, shared, slots = 3, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">
          }
          tile.apply @cp_async_16 via cp_async {
            tile.copy %b[%arg2, %arg1] to %3 slot %11 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?xbf16, in>, !tile.span<32>, !tile.span<128> to !tile.buf<32x128xbf16, shared, slots = 3, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))">
          }
          tile.commit %4 : !tile.ring<3>
        }
        %10 = tile.section @use -> tensor<128x128xf32> {
          %11 = tile.await %4 : !tile.ring<3>
          %12 = tile.apply @ldmatrix_x4 -> tensor<128x32xbf16> {
            %15 = tile.read %2 slot %11 span[%arg0, %arg2] {tile.iter = #tile.iter<d0 = reg 8 * atom 16, d1 = reg 2 * atom 16>} : !tile.buf<128x32xbf16, shared, slots = 3, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">, !tile.span<128>, !tile.span<32> -> tensor<128x32xbf16>
            tile.yield %15 : tensor<128x32xbf16>
          }
          %13 = tile.apply @ldmatrix_x4_trans -> tensor<32x128xbf16> {
            %15 = tile.read %3 slot %11 span[%arg2, %arg1] {tile.iter = #tile.iter<d0 = reg 2 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<32x128xbf16, shared, slots = 3, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))">, !tile.span<32>, !tile.span<128> -> tensor<32x128xbf16>
            tile.yield %15 : tensor<32x128xbf16>
          }
          tile.release %4 : !tile.ring<3>
          %14 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %15 = tile.mma %12, %13, %arg3 {tile.iter = #tile.iter<m = warp 2 * reg 4 * atom 16, n = warp 4 * reg 4 * atom 8, k = reg 2 * atom 16>} : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
            tile.yield %15 : tensor<128x128xf32>
          }
          tile.yield %14 : tensor<128x128xf32>
        }
        tile.yield %10 : tensor<128x128xf32>
      }
      %9 = tile.cast %8 : tensor<128x128xf32> to tensor<128x128xbf16>
      tile.barrier cta
      tile.write %9 to %5 : tensor<128x128xbf16> to !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      tile.barrier cta
      tile.copy_out %5 to %d[%arg0, %arg1] : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))"> to !tile.view<?x?xbf16, out>, !tile.span<128>, !tile.span<128>
    }
  }
  tile.kernel @gemm[%M "M", %K "K", %N "N"](%a "a": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s0, s1), %b "b": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s1, s2), %d "d": !tile.view<?x?xbf16, out> shape ()[s0, s1, s2] -> (s0, s2)) attributes {tile.sealed, tile.warps = 8 : i64}
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 128), %arg1 = tiles(%1 to %N by 128)) {
      %2 = tile.alloc : !tile.buf<128x32xbf16, shared, slots = 2, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">
      %3 = tile.alloc : !tile.buf<32x128xbf16, shared, slots = 2, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))">
      %4 = tile.ring %2, %3 protocol cta_sync : !tile.buf<128x32xbf16, shared, slots = 2, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">, !tile.buf<32x128xbf16, shared, slots = 2, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))"> -> !tile.ring<2>
      %5 = tile.alloc over %2, %3 : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))"> over !tile.buf<128x32xbf16, shared, slots = 2, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">, !tile.buf<32x128xbf16, shared, slots = 2, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))">
      %6 = tile.constant 0.000000e+00 : f32 tensor<128x128xf32>
      %7 = tile.constant 0 : i64
      %8 = tile.for %arg2 in tiles(%7 to %K by 32) carry(%arg3 = %6 : tensor<128x128xf32>) {
        tile.section @load lead 1 {
          %11 = tile.acquire %4 : !tile.ring<2>
          tile.copy %a[%arg0, %arg2] to %2 slot %11 fill zero : !tile.view<?x?xbf16, in>, !tile.span<128>, !tile.span<32> to !tile.buf<128x32xbf16, shared, slots = 2, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">
          tile.copy %b[%arg2, %arg1] to %3 slot %11 fill zero : !tile.view<?x?xbf16, in>, !tile.span<32>, !tile.span<128> to !tile.buf<32x128xbf16, shared, slots = 2, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))">
          tile.commit %4 : !tile.ring<2>
        }
        %10 = tile.section @use -> tensor<128x128xf32> {
          %11 = tile.await %4 : !tile.ring<2>
          %12 = tile.apply @ldmatrix_x4 -> tensor<128x32xbf16> {
            %15 = tile.read %2 slot %11 span[%arg0, %arg2] {tile.iter = #tile.iter<d0 = reg 8 * atom 16, d1 = reg 2 * atom 16>} : !tile.buf<128x32xbf16, shared, slots = 2, layout = "compose(swizzle(2, 3, 2), (128, 32) : (32, 1))">, !tile.span<128>, !tile.span<32> -> tensor<128x32xbf16>
            tile.yield %15 : tensor<128x32xbf16>
          }
          %13 = tile.apply @ldmatrix_x4_trans -> tensor<32x128xbf16> {
            %15 = tile.read %3 slot %11 span[%arg2, %arg1] {tile.iter = #tile.iter<d0 = reg 2 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<32x128xbf16, shared, slots = 2, layout = "compose(swizzle(3, 3, 4), (32, 128) : (128, 1))">, !tile.span<32>, !tile.span<128> -> tensor<32x128xbf16>
            tile.yield %15 : tensor<32x128xbf16>
          }
          tile.release %4 : !tile.ring<2>
          %14 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %15 = tile.mma %12, %13, %arg3 {tile.iter = #tile.iter<m = warp 2 * reg 4 * atom 16, n = warp 4 * reg 4 * atom 8, k = reg 2 * atom 16>} : tensor<128x32xbf16>, tensor<32x128xbf16>, tensor<128x128xf32>
            tile.yield %15 : tensor<128x128xf32>
          }
          tile.yield %14 : tensor<128x128xf32>
        }
        tile.yield %10 : tensor<128x128xf32>
      }
      %9 = tile.cast %8 : tensor<128x128xf32> to tensor<128x128xbf16>
      tile.barrier cta
      tile.write %9 to %5 : tensor<128x128xbf16> to !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      tile.barrier cta
      tile.copy_out %5 to %d[%arg0, %arg1] : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))"> to !tile.view<?x?xbf16, out>, !tile.span<128>, !tile.span<128>
    }
  }
  tile.instr @cp_async_16 on "sm_80" scope thread order exact via cp_async operands [{align = 16 : i64, contiguous, kind = "smem", name = "dst", out, whole}, {align = 16 : i64, contiguous, kind = "view", name = "src"}] ptx "cp.async.cg.shared.global [{dst}], [{src}], 16, {present_bytes(src)};" attributes {completes = "group"} {
  ^bb0(%arg0: tensor<8xbf16>, %arg1: tensor<8xbf16>):
    %0 = tile.constant 0.000000e+00 : bf16 tensor<8xbf16>
    %1 = tile.fill_absent %arg1, %0 : tensor<8xbf16>
    tile.yield %1 : tensor<8xbf16>
  }
  tile.instr @mma_m16n8k16_bf16 on "sm_80" scope warp order dot via generic operands [{kind = "frag", layout = "((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))", name = "a"}, {kind = "frag", layout = "((4, 8), (2, 2)) : ((2, 16), (1, 8))", name = "b"}, {inout, kind = "frag", layout = "((4, 8), (2, 2)) : ((32, 1), (16, 8))", name = "c"}] ptx "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {c}, {a}, {b}, {c};" attributes {converged} {
  ^bb0(%arg0: tensor<16x16xbf16>, %arg1: tensor<16x8xbf16>, %arg2: tensor<16x8xf32>):
    %0 = tile.mma %arg0, %arg1, %arg2 : tensor<16x16xbf16>, tensor<16x8xbf16>, tensor<16x8xf32>
    tile.yield %0 : tensor<16x8xf32>
  }
  tile.instr @ldmatrix_x4 on "sm_75" scope warp order exact via generic operands [{kind = "frag", layout = "((4, 8), (2, 2, 2)) : ((32, 1), (16, 8, 128))", name = "dst", out}, {address = #map, align = 16 : i64, kind = "smem", name = "src", rows = 8 : i64}] ptx "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {dst}, [{src}];" attributes {converged} {
  ^bb0(%arg0: tensor<16x16xbf16>, %arg1: tensor<16x16xbf16>):
    tile.yield %arg1 : tensor<16x16xbf16>
  }
  tile.instr @ldmatrix_x4_trans on "sm_75" scope warp order exact via generic operands [{kind = "frag", layout = "((4, 8), (2, 2, 2)) : ((2, 16), (1, 8, 128))", name = "dst", out}, {address = #map, align = 16 : i64, kind = "smem", name = "src", rows = 8 : i64}] ptx "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {dst}, [{src}];" attributes {converged} {
  ^bb0(%arg0: tensor<16x16xbf16>, %arg1: tensor<16x16xbf16>):
    tile.yield %arg1 : tensor<16x16xbf16>
  }
}

