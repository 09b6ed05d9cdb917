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
        %55 = tile.read %3 span[%arg0, :] {tile.iter = #tile.iter<d0 = reg 8 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">, !tile.span<128> -> tensor<128x128xbf16>
        tile.yield %55 : tensor<128x128xbf16>
      }
      %14 = tile.constant 0xFF800000 : f32 tensor<128xf32>
      %15 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %16 = tile.constant 0.000000e+00 : f32 tensor<128x128xf32>
      %17 = tile.constant 0 : i64
      %18 = tile.span_start %arg0 : !tile.span<128>
      %19 = tile.add %18, %SK : i64
      %20 = tile.sub %19, %SQ : i64
      %21 = tile.sub %20, %17 : i64
      %22 = tile.constant 1 : i64
      %23 = tile.add %21, %22 : i64
      %24 = tile.constant 64 : i64
      %25 = tile.floordiv %23, %24 : i64
      %26 = tile.constant 0 : i64
      %27 = tile.max %25, %26 : i64
      %28 = tile.constant 64 : i64
      %29 = tile.mul %27, %28 : i64
      %30 = tile.add %17, %29 : i64
      %31 = tile.min %30, %12 : i64
      %32 = tile.sub %31, %17 : i64
      %33 = tile.constant 0 : i64
      %34 = tile.constant 64 : i64
      %35 = tile.floordiv %32, %34 : i64
      %36 = tile.constant 0 : i64
      %37 = tile.max %35, %36 : i64
      %38 = tile.constant 64 : i64
      %39 = tile.mul %37, %38 : i64
      %40 = tile.add %17, %39 : i64
      %41 = tile.min %40, %31 : i64
      %42:3 = tile.for %arg3 in tiles(%17 to %41 by 64) carry(%arg4 = %14 : tensor<128xf32>, %arg5 = %15 : tensor<128xf32>, %arg6 = %16 : tensor<128x128xf32>) {
        tile.section @lk lead 1 {
          %56 = tile.acquire %5 : !tile.ring<2>
          tile.apply @cp_async_16 via cp_async {
            tile.copy %k[%arg2, %arg1, %arg3, :] to %4 slot %56 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          }
          tile.commit %5 : !tile.ring<2>
        }
        tile.section @lv lead 1 {
          %56 = tile.acquire %7 : !tile.ring<2>
          tile.apply @cp_async_16 via cp_async {
            tile.copy %v[%arg2, %arg1, %arg3, :] to %6 slot %56 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          }
          tile.commit %7 : !tile.ring<2>
        }
        %55:3 = tile.section @use -> tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32> {
          %56 = tile.await %5 : !tile.ring<2>
          %57 = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
            %88 = tile.read %4 slot %56 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %88 : tensor<64x128xbf16>
          }
          tile.release %5 : !tile.ring<2>
          %58 = tile.permute %57, [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
          %59 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %60 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x64xf32> {
            %88 = tile.mma %13, %58, %59 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 8 * atom 8, k = reg 8 * atom 16>} : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
            tile.yield %88 : tensor<128x64xf32>
          }
          %61 = tile.splat %scale : f32 to tensor<128x64xf32>
          %62 = tile.mul %60, %61 : tensor<128x64xf32>
          %63 = tile.constant 0xFF800000 : f32 tensor<128x64xf32>
          %64 = tile.reduce max %62 along 1 : tensor<128x64xf32> -> tensor<128xf32>
          %65 = tile.max %arg4, %64 : tensor<128xf32>
          %66 = tile.constant 0xFF800000 : f32 tensor<128xf32>
          %67 = tile.cmp eq, %65, %66 : tensor<128xf32>
          %68 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
          %69 = tile.select %67, %68, %65 : tensor<128xf32>
          %70 = tile.expand %69 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %71 = tile.broadcast %70 : tensor<128x1xf32> to tensor<128x64xf32>
          %72 = tile.sub %62, %71 : tensor<128x64xf32>
          %73 = tile.exp2 %72 {accuracy = #tile.accuracy<fast>} : tensor<128x64xf32>
          %74 = tile.sub %arg4, %69 : tensor<128xf32>
          %75 = tile.exp2 %74 {accuracy = #tile.accuracy<fast>} : tensor<128xf32>
          %76 = tile.mul %arg5, %75 : tensor<128xf32>
          %77 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %78 = tile.reduce sum %73 along 1 {order = #tile.reduce_order<any>} : tensor<128x64xf32> -> tensor<128xf32>
          %79 = tile.add %76, %78 : tensor<128xf32>
          %80 = tile.cast %73 : tensor<128x64xf32> to tensor<128x64xbf16>
          %81 = tile.await %7 : !tile.ring<2>
          %82 = tile.apply @ldmatrix_x4_trans -> tensor<64x128xbf16> {
            %88 = tile.read %6 slot %81 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %88 : tensor<64x128xbf16>
          }
          tile.release %7 : !tile.ring<2>
          %83 = tile.expand %75 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %84 = tile.broadcast %83 : tensor<128x1xf32> to tensor<128x128xf32>
          %85 = tile.mul %arg6, %84 : tensor<128x128xf32>
          %86 = tile.constant 0.000000e+00 : bf16 tensor<128x64xbf16>
          %87 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %88 = tile.mma %80, %82, %85 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 16 * atom 8, k = reg 4 * atom 16>} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
            tile.yield %88 : tensor<128x128xf32>
          }
          tile.yield %65, %79, %87 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
        }
        tile.yield %55#0, %55#1, %55#2 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
      }
      %43:3 = tile.for %arg3 in tiles(%40 to %31 by 64) carry(%arg4 = %42#0 : tensor<128xf32>, %arg5 = %42#1 : tensor<128xf32>, %arg6 = %42#2 : tensor<128x128xf32>) {
        tile.section @lk lead 1 {
          %56 = tile.acquire %5 : !tile.ring<2>
          tile.apply @cp_async_16 via cp_async {
            tile.copy %k[%arg2, %arg1, %arg3, :] to %4 slot %56 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          }
          tile.commit %5 : !tile.ring<2>
        }
        tile.section @lv lead 1 {
          %56 = tile.acquire %7 : !tile.ring<2>
          tile.apply @cp_async_16 via cp_async {
            tile.copy %v[%arg2, %arg1, %arg3, :] to %6 slot %56 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          }
          tile.commit %7 : !tile.ring<2>
        }
        %55:3 = tile.section @use -> tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32> {
          %56 = tile.await %5 : !tile.ring<2>
          %57 = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
            %91 = tile.read %4 slot %56 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %91 : tensor<64x128xbf16>
          }
          tile.release %5 : !tile.ring<2>
          %58 = tile.permute %57, [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
          %59 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %60 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x64xf32> {
            %91 = tile.mma %13, %58, %59 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 8 * atom 8, k = reg 8 * atom 16>} : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
            tile.yield %91 : tensor<128x64xf32>
          }
          %61 = tile.splat %scale : f32 to tensor<128x64xf32>
          %62 = tile.mul %60, %61 : tensor<128x64xf32>
          %63 = tile.constant 0xFF800000 : f32 tensor<128x64xf32>
          %64 = tile.fill_absent %62, %63 : tensor<128x64xf32>
          %65 = tile.reduce max %64 along 1 : tensor<128x64xf32> -> tensor<128xf32>
          %66 = tile.max %arg4, %65 : tensor<128xf32>
          %67 = tile.constant 0xFF800000 : f32 tensor<128xf32>
          %68 = tile.cmp eq, %66, %67 : tensor<128xf32>
          %69 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
          %70 = tile.select %68, %69, %66 : tensor<128xf32>
          %71 = tile.expand %70 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %72 = tile.broadcast %71 : tensor<128x1xf32> to tensor<128x64xf32>
          %73 = tile.sub %62, %72 : tensor<128x64xf32>
          %74 = tile.exp2 %73 {accuracy = #tile.accuracy<fast>} : tensor<128x64xf32>
          %75 = tile.sub %arg4, %70 : tensor<128xf32>
          %76 = tile.exp2 %75 {accuracy = #tile.accuracy<fast>} : tensor<128xf32>
          %77 = tile.mul %arg5, %76 : tensor<128xf32>
          %78 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %79 = tile.fill_absent %74, %78 : tensor<128x64xf32>
          %80 = tile.reduce sum %79 along 1 {order = #tile.reduce_order<any>} : tensor<128x64xf32> -> tensor<128xf32>
          %81 = tile.add %77, %80 : tensor<128xf32>
          %82 = tile.cast %74 : tensor<128x64xf32> to tensor<128x64xbf16>
          %83 = tile.await %7 : !tile.ring<2>
          %84 = tile.apply @ldmatrix_x4_trans -> tensor<64x128xbf16> {
            %91 = tile.read %6 slot %83 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %91 : tensor<64x128xbf16>
          }
          tile.release %7 : !tile.ring<2>
          %85 = tile.expand %76 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %86 = tile.broadcast %85 : tensor<128x1xf32> to tensor<128x128xf32>
          %87 = tile.mul %arg6, %86 : tensor<128x128xf32>
          %88 = tile.constant 0.000000e+00 : bf16 tensor<128x64xbf16>
          %89 = tile.fill_absent %82, %88 : tensor<128x64xbf16>
          %90 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %91 = tile.mma %89, %84, %87 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 16 * atom 8, k = reg 4 * atom 16>} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
            tile.yield %91 : tensor<128x128xf32>
          }
          tile.yield %66, %81, %90 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
        }
        tile.yield %55#0, %55#1, %55#2 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
      }
      %44:3 = tile.for %arg3 in tiles(%30 to %12 by 64) carry(%arg4 = %43#0 : tensor<128xf32>, %arg5 = %43#1 : tensor<128xf32>, %arg6 = %43#2 : tensor<128x128xf32>) {
        tile.section @lk lead 1 {
          %56 = tile.acquire %5 : !tile.ring<2>
          tile.apply @cp_async_16 via cp_async {
            tile.copy %k[%arg2, %arg1, %arg3, :] to %4 slot %56 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          }
          tile.commit %5 : !tile.ring<2>
        }
        tile.section @lv lead 1 {
          %56 = tile.acquire %7 : !tile.ring<2>
          tile.apply @cp_async_16 via cp_async {
            tile.copy %v[%arg2, %arg1, %arg3, :] to %6 slot %56 fill zero {tile.iter = #tile.iter<d1 = open 16 * atom 8>} : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          }
          tile.commit %7 : !tile.ring<2>
        }
        %55:3 = tile.section @use -> tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32> {
          %56 = tile.await %5 : !tile.ring<2>
          %57 = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
            %101 = tile.read %4 slot %56 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %101 : tensor<64x128xbf16>
          }
          tile.release %5 : !tile.ring<2>
          %58 = tile.permute %57, [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
          %59 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %60 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x64xf32> {
            %101 = tile.mma %13, %58, %59 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 8 * atom 8, k = reg 8 * atom 16>} : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
            tile.yield %101 : tensor<128x64xf32>
          }
          %61 = tile.splat %scale : f32 to tensor<128x64xf32>
          %62 = tile.mul %60, %61 : tensor<128x64xf32>
          %63 = tile.span_index %arg3 : !tile.span<64> -> tensor<64xi64>
          %64 = tile.expand %63 at [0] : tensor<64xi64> to tensor<1x64xi64>
          %65 = tile.span_index %arg0 : !tile.span<128> -> tensor<128xi64>
          %66 = tile.expand %65 at [1] : tensor<128xi64> to tensor<128x1xi64>
          %67 = tile.splat %9 : i64 to tensor<128x1xi64>
          %68 = tile.add %66, %67 : tensor<128x1xi64>
          %69 = tile.broadcast %64 : tensor<1x64xi64> to tensor<128x64xi64>
          %70 = tile.broadcast %68 : tensor<128x1xi64> to tensor<128x64xi64>
          %71 = tile.cmp le, %69, %70 : tensor<128x64xi64>
          %72 = tile.keep_if %62, %71 over [0, 1] : tensor<128x64xf32>, tensor<128x64xi1>
          %73 = tile.constant 0xFF800000 : f32 tensor<128x64xf32>
          %74 = tile.fill_absent %72, %73 : tensor<128x64xf32>
          %75 = tile.reduce max %74 along 1 : tensor<128x64xf32> -> tensor<128xf32>
          %76 = tile.max %arg4, %75 : tensor<128xf32>
          %77 = tile.constant 0xFF800000 : f32 tensor<128xf32>
          %78 = tile.cmp eq, %76, %77 : tensor<128xf32>
          %79 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
          %80 = tile.select %78, %79, %76 : tensor<128xf32>
          %81 = tile.expand %80 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %82 = tile.broadcast %81 : tensor<128x1xf32> to tensor<128x64xf32>
          %83 = tile.sub %72, %82 : tensor<128x64xf32>
          %84 = tile.exp2 %83 {accuracy = #tile.accuracy<fast>} : tensor<128x64xf32>
          %85 = tile.sub %arg4, %80 : tensor<128xf32>
          %86 = tile.exp2 %85 {accuracy = #tile.accuracy<fast>} : tensor<128xf32>
          %87 = tile.mul %arg5, %86 : tensor<128xf32>
          %88 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %89 = tile.fill_absent %84, %88 : tensor<128x64xf32>
          %90 = tile.reduce sum %89 along 1 {order = #tile.reduce_order<any>} : tensor<128x64xf32> -> tensor<128xf32>
          %91 = tile.add %87, %90 : tensor<128xf32>
          %92 = tile.cast %84 : tensor<128x64xf32> to tensor<128x64xbf16>
          %93 = tile.await %7 : !tile.ring<2>
          %94 = tile.apply @ldmatrix_x4_trans -> tensor<64x128xbf16> {
            %101 = tile.read %6 slot %93 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %101 : tensor<64x128xbf16>
          }
          tile.release %7 : !tile.ring<2>
          %95 = tile.expand %86 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %96 = tile.broadcast %95 : tensor<128x1xf32> to tensor<128x128xf32>
          %97 = tile.mul %arg6, %96 : tensor<128x128xf32>
          %98 = tile.constant 0.000000e+00 : bf16 tensor<128x64xbf16>
          %99 = tile.fill_absent %92, %98 : tensor<128x64xbf16>
          %100 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %101 = tile.mma %99, %94, %97 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 16 * atom 8, k = reg 4 * atom 16>} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
            tile.yield %101 : tensor<128x128xf32>
          }
          tile.yield %76, %91, %100 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
        }
        tile.yield %55#0, %55#1, %55#2 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
      }
      %45 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %46 = tile.cmp eq, %44#1, %45 : tensor<128xf32>
      %47 = tile.constant 1.000000e+00 : f32 tensor<128xf32>
      %48 = tile.div %47, %44#1 : tensor<128xf32>
      %49 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %50 = tile.select %46, %49, %48 : tensor<128xf32>
      %51 = tile.expand %50 at [1] : tensor<128xf32> to tensor<128x1xf32>
      %52 = tile.broadcast %51 : tensor<128x1xf32> to tensor<128x128xf32>
      %53 = tile.mul %44#2, %52 : tensor<128x128xf32>
      %54 = tile.cast %53 : tensor<128x128xf32> to tensor<128x128xbf16>
      tile.barrier cta
      tile.write %54 to %8 : tensor<128x128xbf16> to !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
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
        %55 = tile.read %3 span[%arg0, :] {tile.iter = #tile.iter<d0 = reg 8 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">, !tile.span<128> -> tensor<128x128xbf16>
        tile.yield %55 : tensor<128x128xbf16>
      }
      %14 = tile.constant 0xFF800000 : f32 tensor<128xf32>
      %15 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %16 = tile.constant 0.000000e+00 : f32 tensor<128x128xf32>
      %17 = tile.constant 0 : i64
      %18 = tile.span_start %arg0 : !tile.span<128>
      %19 = tile.add %18, %SK : i64
      %20 = tile.sub %19, %SQ : i64
      %21 = tile.sub %20, %17 : i64
      %22 = tile.constant 1 : i64
      %23 = tile.add %21, %22 : i64
      %24 = tile.constant 64 : i64
      %25 = tile.floordiv %23, %24 : i64
      %26 = tile.constant 0 : i64
      %27 = tile.max %25, %26 : i64
      %28 = tile.constant 64 : i64
      %29 = tile.mul %27, %28 : i64
      %30 = tile.add %17, %29 : i64
      %31 = tile.min %30, %12 : i64
      %32 = tile.sub %31, %17 : i64
      %33 = tile.constant 0 : i64
      %34 = tile.constant 64 : i64
      %35 = tile.floordiv %32, %34 : i64
      %36 = tile.constant 0 : i64
      %37 = tile.max %35, %36 : i64
      %38 = tile.constant 64 : i64
      %39 = tile.mul %37, %38 : i64
      %40 = tile.add %17, %39 : i64
      %41 = tile.min %40, %31 : i64
      %42:3 = tile.for %arg3 in tiles(%17 to %41 by 64) carry(%arg4 = %14 : tensor<128xf32>, %arg5 = %15 : tensor<128xf32>, %arg6 = %16 : tensor<128x128xf32>) {
        tile.section @lk lead 1 {
          %56 = tile.acquire %5 : !tile.ring<2>
          tile.copy %k[%arg2, %arg1, %arg3, :] to %4 slot %56 fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          tile.commit %5 : !tile.ring<2>
        }
        tile.section @lv lead 1 {
          %56 = tile.acquire %7 : !tile.ring<2>
          tile.copy %v[%arg2, %arg1, %arg3, :] to %6 slot %56 fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          tile.commit %7 : !tile.ring<2>
        }
        %55:3 = tile.section @use -> tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32> {
          %56 = tile.await %5 : !tile.ring<2>
          %57 = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
            %88 = tile.read %4 slot %56 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %88 : tensor<64x128xbf16>
          }
          tile.release %5 : !tile.ring<2>
          %58 = tile.permute %57, [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
          %59 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %60 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x64xf32> {
            %88 = tile.mma %13, %58, %59 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 8 * atom 8, k = reg 8 * atom 16>} : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
            tile.yield %88 : tensor<128x64xf32>
          }
          %61 = tile.splat %scale : f32 to tensor<128x64xf32>
          %62 = tile.mul %60, %61 : tensor<128x64xf32>
          %63 = tile.constant 0xFF800000 : f32 tensor<128x64xf32>
          %64 = tile.reduce max %62 along 1 : tensor<128x64xf32> -> tensor<128xf32>
          %65 = tile.max %arg4, %64 : tensor<128xf32>
          %66 = tile.constant 0xFF800000 : f32 tensor<128xf32>
          %67 = tile.cmp eq, %65, %66 : tensor<128xf32>
          %68 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
          %69 = tile.select %67, %68, %65 : tensor<128xf32>
          %70 = tile.expand %69 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %71 = tile.broadcast %70 : tensor<128x1xf32> to tensor<128x64xf32>
          %72 = tile.sub %62, %71 : tensor<128x64xf32>
          %73 = tile.exp2 %72 {accuracy = #tile.accuracy<fast>} : tensor<128x64xf32>
          %74 = tile.sub %arg4, %69 : tensor<128xf32>
          %75 = tile.exp2 %74 {accuracy = #tile.accuracy<fast>} : tensor<128xf32>
          %76 = tile.mul %arg5, %75 : tensor<128xf32>
          %77 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %78 = tile.reduce sum %73 along 1 {order = #tile.reduce_order<any>} : tensor<128x64xf32> -> tensor<128xf32>
          %79 = tile.add %76, %78 : tensor<128xf32>
          %80 = tile.cast %73 : tensor<128x64xf32> to tensor<128x64xbf16>
          %81 = tile.await %7 : !tile.ring<2>
          %82 = tile.apply @ldmatrix_x4_trans -> tensor<64x128xbf16> {
            %88 = tile.read %6 slot %81 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %88 : tensor<64x128xbf16>
          }
          tile.release %7 : !tile.ring<2>
          %83 = tile.expand %75 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %84 = tile.broadcast %83 : tensor<128x1xf32> to tensor<128x128xf32>
          %85 = tile.mul %arg6, %84 : tensor<128x128xf32>
          %86 = tile.constant 0.000000e+00 : bf16 tensor<128x64xbf16>
          %87 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %88 = tile.mma %80, %82, %85 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 16 * atom 8, k = reg 4 * atom 16>} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
            tile.yield %88 : tensor<128x128xf32>
          }
          tile.yield %65, %79, %87 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
        }
        tile.yield %55#0, %55#1, %55#2 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
      }
      %43:3 = tile.for %arg3 in tiles(%40 to %31 by 64) carry(%arg4 = %42#0 : tensor<128xf32>, %arg5 = %42#1 : tensor<128xf32>, %arg6 = %42#2 : tensor<128x128xf32>) {
        tile.section @lk lead 1 {
          %56 = tile.acquire %5 : !tile.ring<2>
          tile.copy %k[%arg2, %arg1, %arg3, :] to %4 slot %56 fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          tile.commit %5 : !tile.ring<2>
        }
        tile.section @lv lead 1 {
          %56 = tile.acquire %7 : !tile.ring<2>
          tile.copy %v[%arg2, %arg1, %arg3, :] to %6 slot %56 fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          tile.commit %7 : !tile.ring<2>
        }
        %55:3 = tile.section @use -> tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32> {
          %56 = tile.await %5 : !tile.ring<2>
          %57 = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
            %91 = tile.read %4 slot %56 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %91 : tensor<64x128xbf16>
          }
          tile.release %5 : !tile.ring<2>
          %58 = tile.permute %57, [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
          %59 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %60 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x64xf32> {
            %91 = tile.mma %13, %58, %59 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 8 * atom 8, k = reg 8 * atom 16>} : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
            tile.yield %91 : tensor<128x64xf32>
          }
          %61 = tile.splat %scale : f32 to tensor<128x64xf32>
          %62 = tile.mul %60, %61 : tensor<128x64xf32>
          %63 = tile.constant 0xFF800000 : f32 tensor<128x64xf32>
          %64 = tile.fill_absent %62, %63 : tensor<128x64xf32>
          %65 = tile.reduce max %64 along 1 : tensor<128x64xf32> -> tensor<128xf32>
          %66 = tile.max %arg4, %65 : tensor<128xf32>
          %67 = tile.constant 0xFF800000 : f32 tensor<128xf32>
          %68 = tile.cmp eq, %66, %67 : tensor<128xf32>
          %69 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
          %70 = tile.select %68, %69, %66 : tensor<128xf32>
          %71 = tile.expand %70 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %72 = tile.broadcast %71 : tensor<128x1xf32> to tensor<128x64xf32>
          %73 = tile.sub %62, %72 : tensor<128x64xf32>
          %74 = tile.exp2 %73 {accuracy = #tile.accuracy<fast>} : tensor<128x64xf32>
          %75 = tile.sub %arg4, %70 : tensor<128xf32>
          %76 = tile.exp2 %75 {accuracy = #tile.accuracy<fast>} : tensor<128xf32>
          %77 = tile.mul %arg5, %76 : tensor<128xf32>
          %78 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %79 = tile.fill_absent %74, %78 : tensor<128x64xf32>
          %80 = tile.reduce sum %79 along 1 {order = #tile.reduce_order<any>} : tensor<128x64xf32> -> tensor<128xf32>
          %81 = tile.add %77, %80 : tensor<128xf32>
          %82 = tile.cast %74 : tensor<128x64xf32> to tensor<128x64xbf16>
          %83 = tile.await %7 : !tile.ring<2>
          %84 = tile.apply @ldmatrix_x4_trans -> tensor<64x128xbf16> {
            %91 = tile.read %6 slot %83 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %91 : tensor<64x128xbf16>
          }
          tile.release %7 : !tile.ring<2>
          %85 = tile.expand %76 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %86 = tile.broadcast %85 : tensor<128x1xf32> to tensor<128x128xf32>
          %87 = tile.mul %arg6, %86 : tensor<128x128xf32>
          %88 = tile.constant 0.000000e+00 : bf16 tensor<128x64xbf16>
          %89 = tile.fill_absent %82, %88 : tensor<128x64xbf16>
          %90 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %91 = tile.mma %89, %84, %87 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 16 * atom 8, k = reg 4 * atom 16>} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
            tile.yield %91 : tensor<128x128xf32>
          }
          tile.yield %66, %81, %90 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
        }
        tile.yield %55#0, %55#1, %55#2 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
      }
      %44:3 = tile.for %arg3 in tiles(%30 to %12 by 64) carry(%arg4 = %43#0 : tensor<128xf32>, %arg5 = %43#1 : tensor<128xf32>, %arg6 = %43#2 : tensor<128x128xf32>) {
        tile.section @lk lead 1 {
          %56 = tile.acquire %5 : !tile.ring<2>
          tile.copy %k[%arg2, %arg1, %arg3, :] to %4 slot %56 fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          tile.commit %5 : !tile.ring<2>
        }
        tile.section @lv lead 1 {
          %56 = tile.acquire %7 : !tile.ring<2>
          tile.copy %v[%arg2, %arg1, %arg3, :] to %6 slot %56 fill zero : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> to !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">
          tile.commit %7 : !tile.ring<2>
        }
        %55:3 = tile.section @use -> tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32> {
          %56 = tile.await %5 : !tile.ring<2>
          %57 = tile.apply @ldmatrix_x4 -> tensor<64x128xbf16> {
            %101 = tile.read %4 slot %56 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %101 : tensor<64x128xbf16>
          }
          tile.release %5 : !tile.ring<2>
          %58 = tile.permute %57, [1, 0] : tensor<64x128xbf16> to tensor<128x64xbf16>
          %59 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %60 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x64xf32> {
            %101 = tile.mma %13, %58, %59 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 8 * atom 8, k = reg 8 * atom 16>} : tensor<128x128xbf16>, tensor<128x64xbf16>, tensor<128x64xf32>
            tile.yield %101 : tensor<128x64xf32>
          }
          %61 = tile.splat %scale : f32 to tensor<128x64xf32>
          %62 = tile.mul %60, %61 : tensor<128x64xf32>
          %63 = tile.span_index %arg3 : !tile.span<64> -> tensor<64xi64>
          %64 = tile.expand %63 at [0] : tensor<64xi64> to tensor<1x64xi64>
          %65 = tile.span_index %arg0 : !tile.span<128> -> tensor<128xi64>
          %66 = tile.expand %65 at [1] : tensor<128xi64> to tensor<128x1xi64>
          %67 = tile.splat %9 : i64 to tensor<128x1xi64>
          %68 = tile.add %66, %67 : tensor<128x1xi64>
          %69 = tile.broadcast %64 : tensor<1x64xi64> to tensor<128x64xi64>
          %70 = tile.broadcast %68 : tensor<128x1xi64> to tensor<128x64xi64>
          %71 = tile.cmp le, %69, %70 : tensor<128x64xi64>
          %72 = tile.keep_if %62, %71 over [0, 1] : tensor<128x64xf32>, tensor<128x64xi1>
          %73 = tile.constant 0xFF800000 : f32 tensor<128x64xf32>
          %74 = tile.fill_absent %72, %73 : tensor<128x64xf32>
          %75 = tile.reduce max %74 along 1 : tensor<128x64xf32> -> tensor<128xf32>
          %76 = tile.max %arg4, %75 : tensor<128xf32>
          %77 = tile.constant 0xFF800000 : f32 tensor<128xf32>
          %78 = tile.cmp eq, %76, %77 : tensor<128xf32>
          %79 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
          %80 = tile.select %78, %79, %76 : tensor<128xf32>
          %81 = tile.expand %80 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %82 = tile.broadcast %81 : tensor<128x1xf32> to tensor<128x64xf32>
          %83 = tile.sub %72, %82 : tensor<128x64xf32>
          %84 = tile.exp2 %83 {accuracy = #tile.accuracy<fast>} : tensor<128x64xf32>
          %85 = tile.sub %arg4, %80 : tensor<128xf32>
          %86 = tile.exp2 %85 {accuracy = #tile.accuracy<fast>} : tensor<128xf32>
          %87 = tile.mul %arg5, %86 : tensor<128xf32>
          %88 = tile.constant 0.000000e+00 : f32 tensor<128x64xf32>
          %89 = tile.fill_absent %84, %88 : tensor<128x64xf32>
          %90 = tile.reduce sum %89 along 1 {order = #tile.reduce_order<any>} : tensor<128x64xf32> -> tensor<128xf32>
          %91 = tile.add %87, %90 : tensor<128xf32>
          %92 = tile.cast %84 : tensor<128x64xf32> to tensor<128x64xbf16>
          %93 = tile.await %7 : !tile.ring<2>
          %94 = tile.apply @ldmatrix_x4_trans -> tensor<64x128xbf16> {
            %101 = tile.read %6 slot %93 span[%arg3, :] {tile.iter = #tile.iter<d0 = reg 4 * atom 16, d1 = reg 8 * atom 16>} : !tile.buf<64x128xbf16, shared, slots = 2, layout = "compose(swizzle(4, 3, 4), (64, 128) : (128, 1))">, !tile.span<64> -> tensor<64x128xbf16>
            tile.yield %101 : tensor<64x128xbf16>
          }
          tile.release %7 : !tile.ring<2>
          %95 = tile.expand %86 at [1] : tensor<128xf32> to tensor<128x1xf32>
          %96 = tile.broadcast %95 : tensor<128x1xf32> to tensor<128x128xf32>
          %97 = tile.mul %arg6, %96 : tensor<128x128xf32>
          %98 = tile.constant 0.000000e+00 : bf16 tensor<128x64xbf16>
          %99 = tile.fill_absent %92, %98 : tensor<128x64xbf16>
          %100 = tile.apply @mma_m16n8k16_bf16 -> tensor<128x128xf32> {
            %101 = tile.mma %99, %94, %97 {tile.iter = #tile.iter<m = warp 8 * atom 16, n = reg 16 * atom 8, k = reg 4 * atom 16>} : tensor<128x64xbf16>, tensor<64x128xbf16>, tensor<128x128xf32>
            tile.yield %101 : tensor<128x128xf32>
          }
          tile.yield %76, %91, %100 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
        }
        tile.yield %55#0, %55#1, %55#2 : tensor<128xf32>, tensor<128xf32>, tensor<128x128xf32>
      }
      %45 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %46 = tile.cmp eq, %44#1, %45 : tensor<128xf32>
      %47 = tile.constant 1.000000e+00 : f32 tensor<128xf32>
      %48 = tile.div %47, %44#1 : tensor<128xf32>
      %49 = tile.constant 0.000000e+00 : f32 tensor<128xf32>
      %50 = tile.select %46, %49, %48 : tensor<128xf32>
      %51 = tile.expand %50 at [1] : tensor<128xf32> to tensor<128x1xf32>
      %52 = tile.broadcast %51 : tensor<128x1xf32> to tensor<128x128xf32>
      %53 = tile.mul %44#2, %52 : tensor<128x128xf32>
      %54 = tile.cast %53 : tensor<128x128xf32> to tensor<128x128xbf16>
      tile.barrier cta
      tile.write %54 to %8 : tensor<128x128xbf16> to !tile.buf<128x128xbf16, shared, layout = "compose(swizzle(4, 3, 4), (128, 128) : (128, 1))">
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

