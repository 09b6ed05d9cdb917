module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?x?x?xf64, in> shape ()[s0] -> (s0, s0, s0), %x1 "x1": !tile.view<?xi16, in> shape ()[s0] -> (s0), %x2 "x2": !tile.view<?xui64, in> shape ()[s0] -> (s0), %s0 "s0": f16, %s1 "s1": i32, %y0 "y0": !tile.view<?xui16, out> shape ()[s0] -> (s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0))
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = range(%0 to %M)) {
      %1 = tile.load %x2[%arg0] : !tile.view<?xui64, in>, i64 -> ui64
      %2 = tile.load %x0[%arg0, %arg0, %arg0] : !tile.view<?x?x?xf64, in>, i64, i64, i64 -> f64
      %3 = tile.load %x2[%arg0] : !tile.view<?xui64, in>, i64 -> ui64
      %4 = tile.cast %3 {round = #tile.round<rz>} : ui64 to bf16
      %5 = tile.cast %s1 {overflow = #tile.overflow<sat>} : i32 to i8
      %6 = tile.cast %4 {overflow = #tile.overflow<nan>} : bf16 to f8E4M3FN
      %7 = tile.iota : tensor<4xi64>
      %8 = tile.constant 7 : ui64
      %9 = tile.constant 3 : ui64
      %r0, %r1, %r2, %r3 = tile.philox %8, %9, %7 : tensor<4xi64> -> tensor<4xui32>
      %10 = tile.constant 8 : ui32 tensor<4xui32>
      %11 = tile.shr %r0, %10 : tensor<4xui32>
      %12 = tile.cast %11 : tensor<4xui32> to tensor<4xf32>
      %13 = tile.constant 5.96046448E-8 : f32 tensor<4xf32>
      %14 = tile.mul %12, %13 : tensor<4xf32>
      %15 = tile.max %14, %14 : tensor<4xf32>
      %16 = tile.constant 2 : ui64
      %17 = tile.cmp le, %3, %16 : ui64
      %18 = scf.if %17 -> (tensor<4xf32>) {
        %121 = tile.iota : tensor<4xi64>
        %122 = tile.constant 7 : ui64
        %123 = tile.constant 3 : ui64
        %r0_0, %r1_1, %r2_2, %r3_3 = tile.philox %122, %123, %121 : tensor<4xi64> -> tensor<4xui32>
        %124 = tile.constant 8 : ui32 tensor<4xui32>
        %125 = tile.shr %r0_0, %124 : tensor<4xui32>
        %126 = tile.cast %125 : tensor<4xui32> to tensor<4xf32>
        %127 = tile.constant 5.96046448E-8 : f32 tensor<4xf32>
        %128 = tile.mul %126, %127 : tensor<4xf32>
        %129 = tile.max %15, %128 : tensor<4xf32>
        scf.yield %129 : tensor<4xf32>
      } else {
        scf.yield %15 : tensor<4xf32>
      }
      %19 = tile.cmp lt, %14, %15 : tensor<4xf32>
      %20 = tile.reshape %18 : tensor<4xf32> to tensor<2x2xf32>
      %21 = tile.cast %2 {overflow = #tile.overflow<wrap>, round = #tile.round<rz>} : f64 to ui16
      tile.store %21, %y0[%arg0] : ui16, !tile.view<?xui16, out>, i64
      %22 = tile.bits %s0 : f16
      %23 = tile.isnan %s0 : f16
      %24 = tile.constant 1 : ui16
      %25 = tile.select %23, %24, %22 : ui16
      %26 = tile.cast %25 : ui16 to ui64
      %27 = tile.constant 527 : ui64
      %28 = tile.add %27, %26 : ui64
      %29 = tile.constant 31 : ui64
      %30 = tile.mul %28, %29 : ui64
      %31 = tile.add %30, %3 : ui64
      %32 = tile.cast %5 {overflow = #tile.overflow<wrap>} : i8 to ui64
      %33 = tile.constant 31 : ui64
      %34 = tile.mul %31, %33 : ui64
      %35 = tile.add %34, %32 : ui64
      %36 = tile.bits %14 : tensor<4xf32>
      %37 = tile.isnan %14 : tensor<4xf32>
      %38 = tile.constant 1 : ui32 tensor<4xui32>
      %39 = tile.select %37, %38, %36 : tensor<4xui32>
      %40 = tile.cast %39 : tensor<4xui32> to tensor<4xui64>
      %41 = tile.reshape %40 : tensor<4xui64> to tensor<4xui64>
      %42 = tile.iota : tensor<4xi64>
      %43 = tile.constant 2 : i64 tensor<4xi64>
      %44 = tile.mul %42, %43 : tensor<4xi64>
      %45 = tile.constant 1 : i64 tensor<4xi64>
      %46 = tile.add %44, %45 : tensor<4xi64>
      %47 = tile.cast %46 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %48 = tile.mul %41, %47 : tensor<4xui64>
      %49 = tile.reduce sum %48 along 0 : tensor<4xui64> -> ui64
      %50 = tile.constant 31 : ui64
      %51 = tile.mul %35, %50 : ui64
      %52 = tile.add %51, %49 : ui64
      %53 = tile.bits %15 : tensor<4xf32>
      %54 = tile.isnan %15 : tensor<4xf32>
      %55 = tile.constant 1 : ui32 tensor<4xui32>
      %56 = tile.select %54, %55, %53 : tensor<4xui32>
      %57 = tile.cast %56 : tensor<4xui32> to tensor<4xui64>
      %58 = tile.reshape %57 : tensor<4xui64> to tensor<4xui64>
      %59 = tile.iota : tensor<4xi64>
      %60 = tile.constant 2 : i64 tensor<4xi64>
      %61 = tile.mul %59, %60 : tensor<4xi64>
      %62 = tile.constant 1 : i64 tensor<4xi64>
      %63 = tile.add %61, %62 : tensor<4xi64>
      %64 = tile.cast %63 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %65 = tile.mul %58, %64 : tensor<4xui64>
      %66 = tile.reduce sum %65 along 0 : tensor<4xui64> -> ui64
      %67 = tile.constant 31 : ui64
      %68 = tile.mul %52, %67 : ui64
      %69 = tile.add %68, %66 : ui64
      %70 = tile.bits %18 : tensor<4xf32>
      %71 = tile.isnan %18 : tensor<4xf32>
      %72 = tile.constant 1 : ui32 tensor<4xui32>
      %73 = tile.select %71, %72, %70 : tensor<4xui32>
      %74 = tile.cast %73 : tensor<4xui32> to tensor<4xui64>
      %75 = tile.reshape %74 : tensor<4xui64> to tensor<4xui64>
      %76 = tile.iota : tensor<4xi64>
      %77 = tile.constant 2 : i64 tensor<4xi64>
      %78 = tile.mul %76, %77 : tensor<4xi64>
      %79 = tile.constant 1 : i64 tensor<4xi64>
      %80 = tile.add %78, %79 : tensor<4xi64>
      %81 = tile.cast %80 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %82 = tile.mul %75, %81 : tensor<4xui64>
      %83 = tile.reduce sum %82 along 0 : tensor<4xui64> -> ui64
      %84 = tile.constant 31 : ui64
      %85 = tile.mul %69, %84 : ui64
      %86 = tile.add %85, %83 : ui64
      %87 = tile.cast %19 : tensor<4xi1> to tensor<4xui64>
      %88 = tile.reshape %87 : tensor<4xui64> to tensor<4xui64>
      %89 = tile.iota : tensor<4xi64>
      %90 = tile.constant 2 : i64 tensor<4xi64>
      %91 = tile.mul %89, %90 : tensor<4xi64>
      %92 = tile.constant 1 : i64 tensor<4xi64>
      %93 = tile.add %91, %92 : tensor<4xi64>
      %94 = tile.cast %93 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %95 = tile.mul %88, %94 : tensor<4xui64>
      %96 = tile.reduce sum %95 along 0 : tensor<4xui64> -> ui64
      %97 = tile.constant 31 : ui64
      %98 = tile.mul %86, %97 : ui64
      %99 = tile.add %98, %96 : ui64
      %100 = tile.bits %20 : tensor<2x2xf32>
      %101 = tile.isnan %20 : tensor<2x2xf32>
      %102 = tile.constant 1 : ui32 tensor<2x2xui32>
      %103 = tile.select %101, %102, %100 : tensor<2x2xui32>
      %104 = tile.cast %103 : tensor<2x2xui32> to tensor<2x2xui64>
      %105 = tile.reshape %104 : tensor<2x2xui64> to tensor<4xui64>
      %106 = tile.iota : tensor<4xi64>
      %107 = tile.constant 2 : i64 tensor<4xi64>
      %108 = tile.mul %106, %107 : tensor<4xi64>
      %109 = tile.constant 1 : i64 tensor<4xi64>
      %110 = tile.add %108, %109 : tensor<4xi64>
      %111 = tile.cast %110 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %112 = tile.mul %105, %111 : tensor<4xui64>
      %113 = tile.reduce sum %112 along 0 : tensor<4xui64> -> ui64
      %114 = tile.constant 31 : ui64
      %115 = tile.mul %99, %114 : ui64
      %116 = tile.add %115, %113 : ui64
      %117 = tile.cast %21 : ui16 to ui64
      %118 = tile.constant 31 : ui64
      %119 = tile.mul %116, %118 : ui64
      %120 = tile.add %119, %117 : ui64
      tile.store %120, %digest[%arg0] : ui64, !tile.view<?xui64, out>, i64
    }
  }
}
