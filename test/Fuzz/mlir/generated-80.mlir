module {
  tile.kernel @generated[%M "M", %N "N", %K "K"](%x0 "x0": !tile.view<?xi8, in> shape ()[s0, s1, s2] -> (s0), %x1 "x1": !tile.view<?xf16, in> shape ()[s0, s1, s2] -> (s1), %x2 "x2": !tile.view<?xui16, in> shape ()[s0, s1, s2] -> (s2), %y0 "y0": !tile.view<?x?x?xf8E4M3FN, out> shape ()[s0, s1, s2] -> (s0, s2, s2), %y1 "y1": !tile.view<?x?xi64, out> shape ()[s0, s1, s2] -> (s0, s2), %digest "digest": !tile.view<?x?xui64, out> shape ()[s0, s1, s2] -> (s0, s2), %counts "counts": !tile.view<8xi32, inout> shape ()[s0, s1, s2] -> (8))
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.span %0, %N exact : !tile.span<32>
    %2 = tile.constant 0 : i64
    %3 = tile.constant 0 : i64
    tile.grid (%arg0 = range(%2 to %M), %arg1 = tiles(%3 to %K by 3)) {
      %4 = tile.load %x0[%arg0] : !tile.view<?xi8, in>, i64 -> i8
      %5 = tile.load %x0[%arg0] : !tile.view<?xi8, in>, i64 -> i8
      %6 = tile.load %x0[%arg0] : !tile.view<?xi8, in>, i64 -> i8
      %7 = tile.iota : tensor<4xi64>
      %8 = tile.constant 7 : ui64
      %9 = tile.constant 3 : ui64
      %r0, %r1, %r2, %r3 = tile.philox %8, %9, %7 : tensor<4xi64> -> tensor<4xui32>
      %10 = tile.constant 8 : ui32 tensor<4xui32>
      %11 = tile.shr %r0, %10 : tensor<4xui32>
      %12 = tile.cast %11 : tensor<4xui32> to tensor<4xf32>
      %13 = tile.constant 5.96046448E-8 : f32 tensor<4xf32>
      %14 = tile.mul %12, %13 : tensor<4xf32>
      %value, %index = tile.argmin %14 along 0 : tensor<4xf32> -> f32, i64
      %15 = tile.min %14, %14 : tensor<4xf32>
      %16 = tile.constant 1.200000e+01 : f32 tensor<4xf32>
      %17 = tile.fill_absent %15, %16 : tensor<4xf32>
      %18 = tile.bits %17 : tensor<4xf32>
      %19 = tile.iota : tensor<5xi64>
      %20 = tile.constant 4 : i64 tensor<5xi64>
      %21 = tile.mod %19, %20 : tensor<5xi64>
      %22 = tile.constant 3 : i32 tensor<5xi32>
      tile.atomic max %22, %counts[%21] : tensor<5xi32>, !tile.view<8xi32, inout>, tensor<5xi64>
      %23 = tile.cast %index {overflow = #tile.overflow<nan>, round = #tile.round<rd>} : i64 to f8E4M3FN
      %24 = tile.splat %23 : f8E4M3FN to tensor<3x3xf8E4M3FN>
      tile.store %24, %y0[%arg0, %arg1, %arg1] : tensor<3x3xf8E4M3FN>, !tile.view<?x?x?xf8E4M3FN, out>, i64, !tile.span<3>, !tile.span<3>
      %25 = tile.cast %value {round = #tile.round<rne>} : f32 to i64
      %26 = tile.splat %25 : i64 to tensor<3xi64>
      tile.store %26, %y1[%arg0, %arg1] : tensor<3xi64>, !tile.view<?x?xi64, out>, i64, !tile.span<3>
      %27 = tile.cast %4 {overflow = #tile.overflow<wrap>} : i8 to ui64
      %28 = tile.constant 527 : ui64
      %29 = tile.add %28, %27 : ui64
      %30 = tile.cast %5 {overflow = #tile.overflow<wrap>} : i8 to ui64
      %31 = tile.constant 31 : ui64
      %32 = tile.mul %29, %31 : ui64
      %33 = tile.add %32, %30 : ui64
      %34 = tile.bits %14 : tensor<4xf32>
      %35 = tile.isnan %14 : tensor<4xf32>
      %36 = tile.constant 1 : ui32 tensor<4xui32>
      %37 = tile.select %35, %36, %34 : tensor<4xui32>
      %38 = tile.cast %37 : tensor<4xui32> to tensor<4xui64>
      %39 = tile.reshape %38 : tensor<4xui64> to tensor<4xui64>
      %40 = tile.iota : tensor<4xi64>
      %41 = tile.constant 2 : i64 tensor<4xi64>
      %42 = tile.mul %40, %41 : tensor<4xi64>
      %43 = tile.constant 1 : i64 tensor<4xi64>
      %44 = tile.add %42, %43 : tensor<4xi64>
      %45 = tile.cast %44 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %46 = tile.mul %39, %45 : tensor<4xui64>
      %47 = tile.reduce sum %46 along 0 : tensor<4xui64> -> ui64
      %48 = tile.constant 31 : ui64
      %49 = tile.mul %33, %48 : ui64
      %50 = tile.add %49, %47 : ui64
      %51 = tile.bits %value : f32
      %52 = tile.isnan %value : f32
      %53 = tile.constant 1 : ui32
      %54 = tile.select %52, %53, %51 : ui32
      %55 = tile.cast %54 : ui32 to ui64
      %56 = tile.constant 31 : ui64
      %57 = tile.mul %50, %56 : ui64
      %58 = tile.add %57, %55 : ui64
      %59 = tile.bits %15 : tensor<4xf32>
      %60 = tile.isnan %15 : tensor<4xf32>
      %61 = tile.constant 1 : ui32 tensor<4xui32>
      %62 = tile.select %60, %61, %59 : tensor<4xui32>
      %63 = tile.cast %62 : tensor<4xui32> to tensor<4xui64>
      %64 = tile.reshape %63 : tensor<4xui64> to tensor<4xui64>
      %65 = tile.iota : tensor<4xi64>
      %66 = tile.constant 2 : i64 tensor<4xi64>
      %67 = tile.mul %65, %66 : tensor<4xi64>
      %68 = tile.constant 1 : i64 tensor<4xi64>
      %69 = tile.add %67, %68 : tensor<4xi64>
      %70 = tile.cast %69 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %71 = tile.mul %64, %70 : tensor<4xui64>
      %72 = tile.reduce sum %71 along 0 : tensor<4xui64> -> ui64
      %73 = tile.constant 31 : ui64
      %74 = tile.mul %58, %73 : ui64
      %75 = tile.add %74, %72 : ui64
      %76 = tile.bits %17 : tensor<4xf32>
      %77 = tile.isnan %17 : tensor<4xf32>
      %78 = tile.constant 1 : ui32 tensor<4xui32>
      %79 = tile.select %77, %78, %76 : tensor<4xui32>
      %80 = tile.cast %79 : tensor<4xui32> to tensor<4xui64>
      %81 = tile.reshape %80 : tensor<4xui64> to tensor<4xui64>
      %82 = tile.iota : tensor<4xi64>
      %83 = tile.constant 2 : i64 tensor<4xi64>
      %84 = tile.mul %82, %83 : tensor<4xi64>
      %85 = tile.constant 1 : i64 tensor<4xi64>
      %86 = tile.add %84, %85 : tensor<4xi64>
      %87 = tile.cast %86 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %88 = tile.mul %81, %87 : tensor<4xui64>
      %89 = tile.reduce sum %88 along 0 : tensor<4xui64> -> ui64
      %90 = tile.constant 31 : ui64
      %91 = tile.mul %75, %90 : ui64
      %92 = tile.add %91, %89 : ui64
      %93 = tile.cast %18 : tensor<4xui32> to tensor<4xui64>
      %94 = tile.reshape %93 : tensor<4xui64> to tensor<4xui64>
      %95 = tile.iota : tensor<4xi64>
      %96 = tile.constant 2 : i64 tensor<4xi64>
      %97 = tile.mul %95, %96 : tensor<4xi64>
      %98 = tile.constant 1 : i64 tensor<4xi64>
      %99 = tile.add %97, %98 : tensor<4xi64>
      %100 = tile.cast %99 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %101 = tile.mul %94, %100 : tensor<4xui64>
      %102 = tile.reduce sum %101 along 0 : tensor<4xui64> -> ui64
      %103 = tile.constant 31 : ui64
      %104 = tile.mul %92, %103 : ui64
      %105 = tile.add %104, %102 : ui64
      %106 = tile.cast %23 : f8E4M3FN to f32
      %107 = tile.bits %106 : f32
      %108 = tile.isnan %106 : f32
      %109 = tile.constant 1 : ui32
      %110 = tile.select %108, %109, %107 : ui32
      %111 = tile.cast %110 : ui32 to ui64
      %112 = tile.constant 31 : ui64
      %113 = tile.mul %105, %112 : ui64
      %114 = tile.add %113, %111 : ui64
      %115 = tile.cast %24 : tensor<3x3xf8E4M3FN> to tensor<3x3xf32>
      %116 = tile.bits %115 : tensor<3x3xf32>
      %117 = tile.isnan %115 : tensor<3x3xf32>
      %118 = tile.constant 1 : ui32 tensor<3x3xui32>
      %119 = tile.select %117, %118, %116 : tensor<3x3xui32>
      %120 = tile.cast %119 : tensor<3x3xui32> to tensor<3x3xui64>
      %121 = tile.reshape %120 : tensor<3x3xui64> to tensor<9xui64>
      %122 = tile.iota : tensor<9xi64>
      %123 = tile.constant 2 : i64 tensor<9xi64>
      %124 = tile.mul %122, %123 : tensor<9xi64>
      %125 = tile.constant 1 : i64 tensor<9xi64>
      %126 = tile.add %124, %125 : tensor<9xi64>
      %127 = tile.cast %126 {overflow = #tile.overflow<wrap>} : tensor<9xi64> to tensor<9xui64>
      %128 = tile.mul %121, %127 : tensor<9xui64>
      %129 = tile.reduce sum %128 along 0 : tensor<9xui64> -> ui64
      %130 = tile.constant 31 : ui64
      %131 = tile.mul %114, %130 : ui64
      %132 = tile.add %131, %129 : ui64
      %133 = tile.cast %26 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %134 = tile.reshape %133 : tensor<3xui64> to tensor<3xui64>
      %135 = tile.iota : tensor<3xi64>
      %136 = tile.constant 2 : i64 tensor<3xi64>
      %137 = tile.mul %135, %136 : tensor<3xi64>
      %138 = tile.constant 1 : i64 tensor<3xi64>
      %139 = tile.add %137, %138 : tensor<3xi64>
      %140 = tile.cast %139 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %141 = tile.mul %134, %140 : tensor<3xui64>
      %142 = tile.reduce sum %141 along 0 : tensor<3xui64> -> ui64
      %143 = tile.constant 31 : ui64
      %144 = tile.mul %132, %143 : ui64
      %145 = tile.add %144, %142 : ui64
      %146 = tile.splat %145 : ui64 to tensor<3xui64>
      tile.store %146, %digest[%arg0, %arg1] : tensor<3xui64>, !tile.view<?x?xui64, out>, i64, !tile.span<3>
    }
  }
}
