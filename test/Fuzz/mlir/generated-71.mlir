module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?x?x6xbf16, in> shape ()[s0] -> (s0, s0, 6), %x1 "x1": !tile.view<?xf16, in> shape ()[s0] -> (s0), %x2 "x2": !tile.view<?x?x?xf8E4M3FN, in> shape ()[s0] -> (s0, s0, s0), %y0 "y0": !tile.view<?xbf16, out> shape ()[s0] -> (s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0))
  where {
    %0 = tile.constant 4096 : i64
    %1 = tile.cmp le, %M, %0 : i64
    tile.require %1, "M <= 4096"
    %2 = tile.constant 1 : i64
    %3 = tile.add %M, %2 : i64
    %4 = tile.constant 0 : i64
    %5 = tile.cmp gt, %3, %4 : i64
    tile.require %5, "M + 1 > 0"
  }
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = range(%0 to %M)) {
      %1 = tile.load %x1[%arg0] : !tile.view<?xf16, in>, i64 -> f16
      %2 = tile.load %x2[%arg0, %arg0, %arg0] : !tile.view<?x?x?xf8E4M3FN, in>, i64, i64, i64 -> f8E4M3FN
      %3 = tile.load %x1[%arg0] : !tile.view<?xf16, in>, i64 -> f16
      %4 = tile.constant 1 : i64
      %5 = tile.constant 3 : i64
      %6:2 = tile.for %arg1 in range(%4 to %5) reversed carry(%arg2 = %3 : f16, %arg3 = %3 : f16) {
        %74 = tile.load %x0[%arg0, %arg0, :] : !tile.view<?x?x6xbf16, in>, i64, i64 -> tensor<6xbf16>
        %75 = tile.slice %74 from [3] : tensor<6xbf16> to tensor<2xbf16>
        %76 = tile.cat %75, %75 along 0 : tensor<2xbf16>, tensor<2xbf16> to tensor<4xbf16>
        %77 = tile.max %arg3, %1 : f16
        tile.yield %77, %arg2 : f16, f16
      }
      %7 = tile.trunc %3 : f16
      %8 = tile.iota : tensor<4xi64>
      %9 = tile.constant 7 : ui64
      %10 = tile.constant 3 : ui64
      %r0, %r1, %r2, %r3 = tile.philox %9, %10, %8 : tensor<4xi64> -> tensor<4xui32>
      %11 = tile.constant 8 : ui32 tensor<4xui32>
      %12 = tile.shr %r0, %11 : tensor<4xui32>
      %13 = tile.cast %12 : tensor<4xui32> to tensor<4xf32>
      %14 = tile.constant 5.96046448E-8 : f32 tensor<4xf32>
      %15 = tile.mul %13, %14 : tensor<4xf32>
      %16 = tile.cast %2 : f8E4M3FN to bf16
      tile.store %16, %y0[%arg0] : bf16, !tile.view<?xbf16, out>, i64
      %17 = tile.bits %1 : f16
      %18 = tile.isnan %1 : f16
      %19 = tile.constant 1 : ui16
      %20 = tile.select %18, %19, %17 : ui16
      %21 = tile.cast %20 : ui16 to ui64
      %22 = tile.constant 527 : ui64
      %23 = tile.add %22, %21 : ui64
      %24 = tile.cast %2 : f8E4M3FN to f32
      %25 = tile.bits %24 : f32
      %26 = tile.isnan %24 : f32
      %27 = tile.constant 1 : ui32
      %28 = tile.select %26, %27, %25 : ui32
      %29 = tile.cast %28 : ui32 to ui64
      %30 = tile.constant 31 : ui64
      %31 = tile.mul %23, %30 : ui64
      %32 = tile.add %31, %29 : ui64
      %33 = tile.bits %6#0 : f16
      %34 = tile.isnan %6#0 : f16
      %35 = tile.constant 1 : ui16
      %36 = tile.select %34, %35, %33 : ui16
      %37 = tile.cast %36 : ui16 to ui64
      %38 = tile.constant 31 : ui64
      %39 = tile.mul %32, %38 : ui64
      %40 = tile.add %39, %37 : ui64
      %41 = tile.bits %6#1 : f16
      %42 = tile.isnan %6#1 : f16
      %43 = tile.constant 1 : ui16
      %44 = tile.select %42, %43, %41 : ui16
      %45 = tile.cast %44 : ui16 to ui64
      %46 = tile.constant 31 : ui64
      %47 = tile.mul %40, %46 : ui64
      %48 = tile.add %47, %45 : ui64
      %49 = tile.bits %7 : f16
      %50 = tile.isnan %7 : f16
      %51 = tile.constant 1 : ui16
      %52 = tile.select %50, %51, %49 : ui16
      %53 = tile.cast %52 : ui16 to ui64
      %54 = tile.constant 31 : ui64
      %55 = tile.mul %48, %54 : ui64
      %56 = tile.add %55, %53 : ui64
      %57 = tile.bits %15 : tensor<4xf32>
      %58 = tile.isnan %15 : tensor<4xf32>
      %59 = tile.constant 1 : ui32 tensor<4xui32>
      %60 = tile.select %58, %59, %57 : tensor<4xui32>
      %61 = tile.cast %60 : tensor<4xui32> to tensor<4xui64>
      %62 = tile.reshape %61 : tensor<4xui64> to tensor<4xui64>
      %63 = tile.iota : tensor<4xi64>
      %64 = tile.constant 2 : i64 tensor<4xi64>
      %65 = tile.mul %63, %64 : tensor<4xi64>
      %66 = tile.constant 1 : i64 tensor<4xi64>
      %67 = tile.add %65, %66 : tensor<4xi64>
      %68 = tile.cast %67 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %69 = tile.mul %62, %68 : tensor<4xui64>
      %70 = tile.reduce sum %69 along 0 : tensor<4xui64> -> ui64
      %71 = tile.constant 31 : ui64
      %72 = tile.mul %56, %71 : ui64
      %73 = tile.add %72, %70 : ui64
      tile.store %73, %digest[%arg0] : ui64, !tile.view<?xui64, out>, i64
    }
  }
}
