#map = affine_map<(d0) -> (d0 mod 16, (d0 floordiv 16) * 8)>
module {
  tile.kernel @attention.yes[%B "B", %H "H", %SQ "SQ", %SK "SK"](%q "q": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3] -> (s0, s1, s2, 128), %k "k": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3] -> (s0, s1, s3, 128), %v "v": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3] -> (s0, s1, s3, 128), %scale "scale": f32, %o "o": !tile.view<?x?x?x128xbf16, out> shape ()[s0, s1, s2, s3] -> (s0, s1, s2, 128)) math contract attributes {tile.sealed, tile.version_of = @attention, tile.warps = 8 : i64, tile.when = ["(aligned(q, 16) and aligned(k, 16)) and aligned(v, 16)"]}
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %SQ by 128), %arg1 = range(%1 to %H), %arg2 = range(%2 to %B)) {
      %3 = tile.alloc : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      %4 = tile.alloc : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
      %5 = tile.ring %4 protocol cp_async : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))"> -> !tile.ring<2>
      %6 = tile.alloc : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
      %7 = tile.ring %6 protocol cp_async : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))"> -> !tile.ring<2>
      %8 = tile.alloc over %3 : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))"> over !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      %9 = tile.sub %SK, %SQ : i64
      %10 = tile.span_stop %arg0 : !tile.span<128>
      %11 = tile.add %10, %9 : i64
      %12 = tile.min %SK, %11 : i64
      tile.apply @cp_async_16 via cp_async {
        tile.copy %q[%arg2, %arg1, %arg0, :] to %3 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<128> to !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      }
      tile.group_commit cp_async
      tile.group_wait cp_async pending 0
      tile.barrier cta
      %13 = tile.apply @ldmatrix_x4 -> tensor<128x128xbf16> {
        %29 = tile.read %3 span[%arg0, :] {tile.iter = #tile.iter<d0 = reg 8 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">, !tile.span<128> -> tensor<128x128xbf16>
        tile.yield %29 : tensor<128x128xbf16>
      }
      %14 = tile.constant 0xFF800000 : f32 tensor<128xf32>
      %15 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %16 = tile.constant 0.000000e+00 : f32 tensor<128x128xf32>
      %17 = tile.constant 0 : i64
      %18:3 = tile.for %arg3 in tiles(%17 to %12 by 64) carry(%arg4 = %14 : tensor<128xf32>, %arg5 = %15 : tensor<128xf32>, %arg6 = %16 : tensor<128x128xf32>) {
        tile.section @lk lead 1 {
          %30 = tile.acquire %5 : !tile.ring<2>
          tile.apply @cp_async_16 via cp_async {
            tile.copy %k[%arg2, %arg1, %arg3, :] to %4 slot %30 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          }
          tile.commit %5 : !tile.ring<2>
        }
        tile.section @lv lead 1 {
          %30 = tile.acquire %7 : !tile.ring<2>
          tile.apply @cp_async_16 via cp_async {
            tile.copy %v[%arg2, %arg1, %arg3, :] to %6 slot %30 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          }
          tile.commit %7 : !tile.ring<2>
        }
        %29:3 = tile.section @use -> tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32> {
          %30 = tile.await %5 : !tile.ring<2>
          %31 = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
            %75 = tile.read %4 slot %30 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %75 : tensor<64x128xbf16>
          }
          tile.release %5 : !tile.ring<2>
          %32 = tile.permute %31, [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
          %33 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %34 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x64xf32> {
            %75 = tile.mma %13, %32, %33 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 8 * atom 8, k = reg 8 * atom 16>} : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
            tile.yield %75 : tensor<128x64xf32>
          }
          %35 = tile.splat %scale : f32 to tensor<128x64xf32>
          %36 = tile.mul %34, %35 : tensor<128x64xf32>
          %37 = tile.span_index %arg3 : !tile.span<64> -> tensor<64xi64>
          %38 = tile.expand %37 at [0] : tensor<64xi64> to tensor<1x64xi64>
          %39 = tile.span_index %arg0 : !tile.span<128> -> tensor<128xi64>
          %40 = tile.expand %39 at [1] : tensor<128xi64> to tensor<128x1xi64>
          %41 = tile.splat %9 : i64 to tensor<128x1xi64>
          %42 = tile.add %40, %41 : tensor<128x1xi64>
          %43 = tile.broadcast %38 : tensor<1x64xi64> to tensor<128x64xi64>
          %44 = tile.broadcast %42 : tensor<128x1xi64> to tensor<128x64xi64>
          %45 = tile.cmp le, %43, %44 : tensor<128x64xi64>
          %46 = tile.keep_if %36, %45 over [0, 1] : tensor<128x64xf32>, tensor<128x64xi1>
          %47 = tile.constant 0xFF800000 : f32 tensor<128x64xf32>
          %48 = tile.fill_absent %46, %47 : tensor<128x64xf32>
          %49 = tile.reduce max %48 along 1 : tensor<128x64xf32> -> tensor<128xf32>
          %50 = tile.max %arg4, %49 : tensor<128xf32>
          %51 = tile.constant 0xFF800000 : f32 tensor<128xf32>
          %52 = tile.cmp eq, %50, %51 : tensor<128xf32>
          %53 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
          %54 = tile.select %52, %53, %50 : tensor<128xf32>
          %55 = tile.expand %54 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %56 = tile.broadcast %55 : tensor<128x1xf32> to tensor<128x64xf32>
          %57 = tile.sub %46, %56 : tensor<128x64xf32>
          %58 = tile.exp2 %57 {accuracy = #tile.accuracy<fast>} : tensor<128x64xf32>
          %59 = tile.sub %arg4, %54 : tensor<128xf32>
          %60 = tile.exp2 %59 {accuracy = #tile.accuracy<fast>} : tensor<128xf32>
          %61 = tile.mul %arg5, %60 : tensor<128xf32>
          %62 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %63 = tile.fill_absent %58, %62 : tensor<128x64xf32>
          %64 = tile.reduce sum %63 along 1 {order = #tile.reduce_order<any>} : tensor<128x64xf32> -> tensor<128xf32>
          %65 = tile.add %61, %64 : tensor<128xf32>
          %66 = tile.cast %58 : tensor<128x64xf32> to tensor<128x64xbf16>
          %67 = tile.await %7 : !tile.ring<2>
          %68 = tile.apply @ldmatrix_x4_trans -> tensor<64x128xbf16> {
            %75 = tile.read %6 slot %67 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %75 : tensor<64x128xbf16>
          }
          tile.release %7 : !tile.ring<2>
          %69 = tile.expand %60 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %70 = tile.broadcast %69 : tensor<128x1xf32> to tensor<128x128xf32>
          %71 = tile.mul %arg6, %70 : tensor<128x128xf32>
          %72 = tile.constant 0.000000e+00 : bf16 tensor<128x64xbf16>
          %73 = tile.fill_absent %66, %72 : tensor<128x64xbf16>
          %74 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %75 = tile.mma %73, %68, %71 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 16 * atom 8, k = reg 4 * atom 16>} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
            tile.yield %75 : tensor<128x128xf32>
          }
          tile.yield %50, %65, %74 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
        }
        tile.yield %29#0, %29#1, %29#2 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
      }
      %19 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %20 = tile.cmp eq, %18#1, %19 : tensor<128xf32>
      %21 = tile.constant 1.000000e+00 : f32 tensor<128xf32>
      %22 = tile.div %21, %18#1 : tensor<128xf32>
      %23 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %24 = tile.select %20, %23, %22 : tensor<128xf32>
      %25 = tile.expand %24 at [1] : tensor<128xf32> to tensor<128x1xf32>
      %26 = tile.broadcast %25 : tensor<128x1xf32> to tensor<128x128xf32>
      %27 = tile.mul %18#2, %26 : tensor<128x128xf32>
      %28 = tile.cast %27 : tensor<128x128xf32> to tensor<128x128xbf16>
      tile.barrier cta
      tile.write %28 to %8 : tensor<128x128xbf16> to !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      tile.barrier cta
      tile.copy_out %8 to %o[%arg2, %arg1, %arg0, :] : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))"> to !tile.view<?x?x?x128xbf16, out>, i64, i64, !tile.span<128>
    }
  }
  tile.kernel @attention[%B "B", %H "H", %SQ "SQ", %SK "SK"](%q "q": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3] -> (s0, s1, s2, 128), %k "k": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3] -> (s0, s1, s3, 128), %v "v": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3] -> (s0, s1, s3, 128), %scale "scale": f32, %o "o": !tile.view<?x?x?x128xbf16, out> shape ()[s0, s1, s2, s3] -> (s0, s1, s2, 128)) math contract attributes {tile.sealed, tile.warps = 8 : i64}
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %SQ by 128), %arg1 = range(%1 to %H), %arg2 = range(%2 to %B)) {
      %3 = tile.alloc : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      %4 = tile.alloc : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
      %5 = tile.ring %4 protocol cta_sync : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))"> -> !tile.ring<2>
      %6 = tile.alloc : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
      %7 = tile.ring %6 protocol cta_sync : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))"> -> !tile.ring<2>
      %8 = tile.alloc over %3 : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))"> over !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      %9 = tile.sub %SK, %SQ : i64
      %10 = tile.span_stop %arg0 : !tile.span<128>
      %11 = tile.add %10, %9 : i64
      %12 = tile.min %SK, %11 : i64
      tile.copy %q[%arg2, %arg1, %arg0, :] to %3 fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<128> to !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      tile.barrier cta
      %13 = tile.apply @ldmatrix_x4 -> tensor<128x128xbf16> {
        %29 = tile.read %3 span[%arg0, :] {tile.iter = #tile.iter<d0 = reg 8 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">, !tile.span<128> -> tensor<128x128xbf16>
        tile.yield %29 : tensor<128x128xbf16>
      }
      %14 = tile.constant 0xFF800000 : f32 tensor<128xf32>
      %15 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %16 = tile.constant 0.000000e+00 : f32 tensor<128x128xf32>
      %17 = tile.constant 0 : i64
      %18:3 = tile.for %arg3 in tiles(%17 to %12 by 64) carry(%arg4 = %14 : tensor<128xf32>, %arg5 = %15 : tensor<128xf32>, %arg6 = %16 : tensor<128x128xf32>) {
        tile.section @lk lead 1 {
          %30 = tile.acquire %5 : !tile.ring<2>
          tile.copy %k[%arg2, %arg1, %arg3, :] to %4 slot %30 fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          tile.commit %5 : !tile.ring<2>
        }
        tile.section @lv lead 1 {
          %30 = tile.acquire %7 : !tile.ring<2>
          tile.copy %v[%arg2, %arg1, %arg3, :] to %6 slot %30 fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          tile.commit %7 : !tile.ring<2>
        }
        %29:3 = tile.section @use -> tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32> {
          %30 = tile.await %5 : !tile.ring<2>
          %31 = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
            %75 = tile.read %4 slot %30 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %75 : tensor<64x128xbf16>
          }
          tile.release %5 : !tile.ring<2>
          %32 = tile.permute %31, [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
          %33 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %34 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x64xf32> {
            %75 = tile.mma %13, %32, %33 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 8 * atom 8, k = reg 8 * atom 16>} : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
            tile.yield %75 : tensor<128x64xf32>
          }
          %35 = tile.splat %scale : f32 to tensor<128x64xf32>
          %36 = tile.mul %34, %35 : tensor<128x64xf32>
          %37 = tile.span_index %arg3 : !tile.span<64> -> tensor<64xi64>
          %38 = tile.expand %37 at [0] : tensor<64xi64> to tensor<1x64xi64>
          %39 = tile.span_index %arg0 : !tile.span<128> -> tensor<128xi64>
          %40 = tile.expand %39 at [1] : tensor<128xi64> to tensor<128x1xi64>
          %41 = tile.splat %9 : i64 to tensor<128x1xi64>
          %42 = tile.add %40, %41 : tensor<128x1xi64>
          %43 = tile.broadcast %38 : tensor<1x64xi64> to tensor<128x64xi64>
          %44 = tile.broadcast %42 : tensor<128x1xi64> to tensor<128x64xi64>
          %45 = tile.cmp le, %43, %44 : tensor<128x64xi64>
          %46 = tile.keep_if %36, %45 over [0, 1] : tensor<128x64xf32>, tensor<128x64xi1>
          %47 = tile.constant 0xFF800000 : f32 tensor<128x64xf32>
          %48 = tile.fill_absent %46, %47 : tensor<128x64xf32>
          %49 = tile.reduce max %48 along 1 : tensor<128x64xf32> -> tensor<128xf32>
          %50 = tile.max %arg4, %49 : tensor<128xf32>
          %51 = tile.constant 0xFF800000 : f32 tensor<128xf32>
          %52 = tile.cmp eq, %50, %51 : tensor<128xf32>
          %53 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
          %54 = tile.select %52, %53, %50 : tensor<128xf32>
          %55 = tile.expand %54 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %56 = tile.broadcast %55 : tensor<128x1xf32> to tensor<128x64xf32>
          %57 = tile.sub %46, %56 : tensor<128x64xf32>
          %58 = tile.exp2 %57 {accuracy = #tile.accuracy<fast>} : tensor<128x64xf32>
          %59 = tile.sub %arg4, %54 : tensor<128xf32>
          %60 = tile.exp2 %59 {accuracy = #tile.accuracy<fast>} : tensor<128xf32>
          %61 = tile.mul %arg5, %60 : tensor<128xf32>
          %62 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %63 = tile.fill_absent %58, %62 : tensor<128x64xf32>
          %64 = tile.reduce sum %63 along 1 {order = #tile.reduce_order<any>} : tensor<128x64xf32> -> tensor<128xf32>
          %65 = tile.add %61, %64 : tensor<128xf32>
          %66 = tile.cast %58 : tensor<128x64xf32> to tensor<128x64xbf16>
          %67 = tile.await %7 : !tile.ring<2>
          %68 = tile.apply @ldmatrix_x4_trans -> tensor<64x128xbf16> {
            %75 = tile.read %6 slot %67 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %75 : tensor<64x128xbf16>
          }
          tile.release %7 : !tile.ring<2>
          %69 = tile.expand %60 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %70 = tile.broadcast %69 : tensor<128x1xf32> to tensor<128x128xf32>
          %71 = tile.mul %arg6, %70 : tensor<128x128xf32>
          %72 = tile.constant 0.000000e+00 : bf16 tensor<128x64xbf16>
          %73 = tile.fill_absent %66, %72 : tensor<128x64xbf16>
          %74 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %75 = tile.mma %73, %68, %71 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 16 * atom 8, k = reg 4 * atom 16>} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
            tile.yield %75 : tensor<128x128xf32>
          }
          tile.yield %50, %65, %74 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
        }
        tile.yield %29#0, %29#1, %29#2 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
      }
      %19 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %20 = tile.cmp eq, %18#1, %19 : tensor<128xf32>
      %21 = tile.constant 1.000000e+00 : f32 tensor<128xf32>
      %22 = tile.div %21, %18#1 : tensor<128xf32>
      %23 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %24 = tile.select %20, %23, %22 : tensor<128xf32>
      %25 = tile.expand %24 at [1] : tensor<128xf32> to tensor<128x1xf32>
      %26 = tile.broadcast %25 : tensor<128x1xf32> to tensor<128x128xf32>
      %27 = tile.mul %18#2, %26 : tensor<128x128xf32>
      %28 = tile.cast %27 : tensor<128x128xf32> to tensor<128x128xbf16>
      tile.barrier cta
      tile.write %28 to %8 : tensor<128x128xbf16> to !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
      tile.barrier cta
      tile.copy_out %8 to %o[%arg2, %arg1, %arg0, :] : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))"> to !tile.view<?x?x?x128xbf16, out>, i64, i64, !tile.span<128>
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

