module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?x3xf8E4M3FN, in> shape ()[s0] -> (s0, 3), %s0 "s0": i1, %y0 "y0": !tile.view<?xi1, inout> shape ()[s0] -> (s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0))
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = range(%0 to %M)) {
      %1 = tile.constant 0 : i64
      %2 = tile.load %x0[%arg0, %1] : !tile.view<?x3xf8E4M3FN, in>, i64, i64 -> f8E4M3FN
      %3 = tile.cast %2 : f8E4M3FN to f32
      %4 = tile.sub %3, %3 : f32
      %5 = tile.bits %4 : f32
      %6 = tile.round_away %4 : f32
      %7 = tile.constant -1 : i64
      %8 = tile.constant 1 : i64
      %9 = tile.for %arg1 in range(%7 to %8) reversed carry(%arg2 = %6 : f32) {
        %65 = tile.load %x0[%arg0, :] : !tile.view<?x3xf8E4M3FN, in>, i64 -> tensor<3xf8E4M3FN>
        %66 = tile.sub %4, %4 : f32
        %67 = tile.add %arg2, %3 : f32
        tile.yield %67 : f32
      }
      %10 = tile.cast %9 {overflow = #tile.overflow<nan>} : f32 to f8E4M3FN
      %11 = tile.constant 0 : i64
      %12 = tile.constant 3 : i64
      %13:2 = tile.for %arg1 in range(%11 to %12) carry(%arg2 = %9 : f32, %arg3 = %9 : f32) {
        %65 = tile.load %x0[%arg0, :] : !tile.view<?x3xf8E4M3FN, in>, i64 -> tensor<3xf8E4M3FN>
        %66 = tile.cast %65 : tensor<3xf8E4M3FN> to tensor<3xf32>
        %67 = tile.max_num %3, %9 : f32
        %68 = tile.iota : tensor<3xi64>
        %69 = tile.constant 3 : i64 tensor<3xi64>
        %70 = tile.mod %68, %69 : tensor<3xi64>
        %71 = tile.constant 1 : i64 tensor<3xi64>
        %72 = tile.cmp ne, %70, %71 : tensor<3xi64>
        %73 = tile.keep_if %66, %72 over [0] : tensor<3xf32>, tensor<3xi1>
        %74 = tile.max %arg3, %67 : f32
        tile.yield %74, %arg2 : f32, f32
      }
      %14 = tile.constant 3.000000e+00 : f32
      %15 = tile.cmp le, %4, %14 : f32
      %16 = tile.rsqrt %13#1 : f32
      tile.store %15, %y0[%arg0] : i1, !tile.view<?xi1, inout>, i64
      %17 = tile.cast %s0 : i1 to ui64
      %18 = tile.constant 527 : ui64
      %19 = tile.add %18, %17 : ui64
      %20 = tile.bits %4 : f32
      %21 = tile.isnan %4 : f32
      %22 = tile.constant 1 : ui32
      %23 = tile.select %21, %22, %20 : ui32
      %24 = tile.cast %23 : ui32 to ui64
      %25 = tile.constant 31 : ui64
      %26 = tile.mul %19, %25 : ui64
      %27 = tile.add %26, %24 : ui64
      %28 = tile.bits %6 : f32
      %29 = tile.isnan %6 : f32
      %30 = tile.constant 1 : ui32
      %31 = tile.select %29, %30, %28 : ui32
      %32 = tile.cast %31 : ui32 to ui64
      %33 = tile.constant 31 : ui64
      %34 = tile.mul %27, %33 : ui64
      %35 = tile.add %34, %32 : ui64
      %36 = tile.bits %9 : f32
      %37 = tile.isnan %9 : f32
      %38 = tile.constant 1 : ui32
      %39 = tile.select %37, %38, %36 : ui32
      %40 = tile.cast %39 : ui32 to ui64
      %41 = tile.constant 31 : ui64
      %42 = tile.mul %35, %41 : ui64
      %43 = tile.add %42, %40 : ui64
      %44 = tile.cast %10 : f8E4M3FN to f32
      %45 = tile.bits %44 : f32
      %46 = tile.isnan %44 : f32
      %47 = tile.constant 1 : ui32
      %48 = tile.select %46, %47, %45 : ui32
      %49 = tile.cast %48 : ui32 to ui64
      %50 = tile.constant 31 : ui64
      %51 = tile.mul %43, %50 : ui64
      %52 = tile.add %51, %49 : ui64
      %53 = tile.cast %15 : i1 to ui64
      %54 = tile.constant 31 : ui64
      %55 = tile.mul %52, %54 : ui64
      %56 = tile.add %55, %53 : ui64
      %57 = tile.bits %16 : f32
      %58 = tile.isnan %16 : f32
      %59 = tile.constant 1 : ui32
      %60 = tile.select %58, %59, %57 : ui32
      %61 = tile.cast %60 : ui32 to ui64
      %62 = tile.constant 31 : ui64
      %63 = tile.mul %56, %62 : ui64
      %64 = tile.add %63, %61 : ui64
      tile.store %64, %digest[%arg0] : ui64, !tile.view<?xui64, out>, i64
    }
  }
}
