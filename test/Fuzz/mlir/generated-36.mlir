module {
  tile.kernel @generated[%N "N", %M "M", %K "K"](%x0 "x0": !tile.view<?x4xi16, in> shape ()[s0, s1, s2] -> (s0, 4), %x1 "x1": !tile.view<?x2x?xui64, in> shape ()[s0, s1, s2] -> (s1, 2, s0), %x2 "x2": !tile.view<3x2x?xui16, in> shape ()[s0, s1, s2] -> (3, 2, s2), %s0 "s0": i8, %y0 "y0": !tile.view<?x?x?xui16, out> shape ()[s0, s1, s2] -> (s1, s0, s2), %y1 "y1": !tile.view<?x?x?xf32, inout> shape ()[s0, s1, s2] -> (s1, s0, s2), %digest "digest": !tile.view<?x?x?xui64, out> shape ()[s0, s1, s2] -> (s1, s0, s2)) math fast
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.constant 0 : i64
    tile.grid (%arg0 = range(%0 to %M), %arg1 = range(%1 to %N), %arg2 = tiles(%2 to %K by 7)) {
      %3 = tile.load %x0[%arg1, :] : !tile.view<?x4xi16, in>, i64 -> tensor<4xi16>
      %4 = tile.constant 1 : i64
      %5 = tile.load %x1[%arg0, %4, %arg1] : !tile.view<?x2x?xui64, in>, i64, i64, i64 -> ui64
      %6 = tile.constant 0 : i64
      %7 = tile.load %x2[:, %6, %arg2] : !tile.view<3x2x?xui16, in>, i64, !tile.span<7> -> tensor<3x7xui16>
      %8 = tile.iota : tensor<4xi64>
      %9 = tile.constant 3 : i64 tensor<4xi64>
      %10 = tile.mod %8, %9 : tensor<4xi64>
      %11 = tile.constant 1 : i64 tensor<4xi64>
      %12 = tile.cmp ne, %10, %11 : tensor<4xi64>
      %13 = tile.keep_if %3, %12 over [0] : tensor<4xi16>, tensor<4xi1>
      %14 = tile.iota : tensor<4xi64>
      %15 = tile.constant 3 : i64 tensor<4xi64>
      %16 = tile.mod %14, %15 : tensor<4xi64>
      %17 = tile.constant 1 : i64 tensor<4xi64>
      %18 = tile.cmp ne, %16, %17 : tensor<4xi64>
      %19 = tile.keep_if %13, %18 over [0] : tensor<4xi16>, tensor<4xi1>
      %20 = tile.brev %3 : tensor<4xi16>
      %21 = tile.constant 1 : i16 tensor<4xi16>
      %22 = tile.cmp ne, %19, %21 : tensor<4xi16>
      %23 = tile.cast %5 {overflow = #tile.overflow<wrap>} : ui64 to ui16
      %24 = tile.splat %23 : ui16 to tensor<7xui16>
      tile.store %24, %y0[%arg0, %arg1, %arg2] : tensor<7xui16>, !tile.view<?x?x?xui16, out>, i64, i64, !tile.span<7>
      %25 = tile.cast %24 : tensor<7xui16> to tensor<7xf32>
      tile.store %25, %y1[%arg0, %arg1, %arg2] : tensor<7xf32>, !tile.view<?x?x?xf32, inout>, i64, i64, !tile.span<7>
      %26 = tile.cast %s0 {overflow = #tile.overflow<wrap>} : i8 to ui64
      %27 = tile.constant 527 : ui64
      %28 = tile.add %27, %26 : ui64
      %29 = tile.cast %3 {overflow = #tile.overflow<wrap>} : tensor<4xi16> to tensor<4xui64>
      %30 = tile.reshape %29 : tensor<4xui64> to tensor<4xui64>
      %31 = tile.iota : tensor<4xi64>
      %32 = tile.constant 2 : i64 tensor<4xi64>
      %33 = tile.mul %31, %32 : tensor<4xi64>
      %34 = tile.constant 1 : i64 tensor<4xi64>
      %35 = tile.add %33, %34 : tensor<4xi64>
      %36 = tile.cast %35 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %37 = tile.mul %30, %36 : tensor<4xui64>
      %38 = tile.reduce sum %37 along 0 : tensor<4xui64> -> ui64
      %39 = tile.constant 31 : ui64
      %40 = tile.mul %28, %39 : ui64
      %41 = tile.add %40, %38 : ui64
      %42 = tile.constant 31 : ui64
      %43 = tile.mul %41, %42 : ui64
      %44 = tile.add %43, %5 : ui64
      %45 = tile.cast %7 : tensor<3x7xui16> to tensor<3x7xui64>
      %46 = tile.reshape %45 : tensor<3x7xui64> to tensor<21xui64>
      %47 = tile.iota : tensor<21xi64>
      %48 = tile.constant 2 : i64 tensor<21xi64>
      %49 = tile.mul %47, %48 : tensor<21xi64>
      %50 = tile.constant 1 : i64 tensor<21xi64>
      %51 = tile.add %49, %50 : tensor<21xi64>
      %52 = tile.cast %51 {overflow = #tile.overflow<wrap>} : tensor<21xi64> to tensor<21xui64>
      %53 = tile.mul %46, %52 : tensor<21xui64>
      %54 = tile.reduce sum %53 along 0 : tensor<21xui64> -> ui64
      %55 = tile.constant 31 : ui64
      %56 = tile.mul %44, %55 : ui64
      %57 = tile.add %56, %54 : ui64
      %58 = tile.cast %13 {overflow = #tile.overflow<wrap>} : tensor<4xi16> to tensor<4xui64>
      %59 = tile.reshape %58 : tensor<4xui64> to tensor<4xui64>
      %60 = tile.iota : tensor<4xi64>
      %61 = tile.constant 2 : i64 tensor<4xi64>
      %62 = tile.mul %60, %61 : tensor<4xi64>
      %63 = tile.constant 1 : i64 tensor<4xi64>
      %64 = tile.add %62, %63 : tensor<4xi64>
      %65 = tile.cast %64 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %66 = tile.mul %59, %65 : tensor<4xui64>
      %67 = tile.reduce sum %66 along 0 : tensor<4xui64> -> ui64
      %68 = tile.constant 31 : ui64
      %69 = tile.mul %57, %68 : ui64
      %70 = tile.add %69, %67 : ui64
      %71 = tile.cast %19 {overflow = #tile.overflow<wrap>} : tensor<4xi16> to tensor<4xui64>
      %72 = tile.reshape %71 : tensor<4xui64> to tensor<4xui64>
      %73 = tile.iota : tensor<4xi64>
      %74 = tile.constant 2 : i64 tensor<4xi64>
      %75 = tile.mul %73, %74 : tensor<4xi64>
      %76 = tile.constant 1 : i64 tensor<4xi64>
      %77 = tile.add %75, %76 : tensor<4xi64>
      %78 = tile.cast %77 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %79 = tile.mul %72, %78 : tensor<4xui64>
      %80 = tile.reduce sum %79 along 0 : tensor<4xui64> -> ui64
      %81 = tile.constant 31 : ui64
      %82 = tile.mul %70, %81 : ui64
      %83 = tile.add %82, %80 : ui64
      %84 = tile.cast %20 {overflow = #tile.overflow<wrap>} : tensor<4xi16> to tensor<4xui64>
      %85 = tile.reshape %84 : tensor<4xui64> to tensor<4xui64>
      %86 = tile.iota : tensor<4xi64>
      %87 = tile.constant 2 : i64 tensor<4xi64>
      %88 = tile.mul %86, %87 : tensor<4xi64>
      %89 = tile.constant 1 : i64 tensor<4xi64>
      %90 = tile.add %88, %89 : tensor<4xi64>
      %91 = tile.cast %90 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %92 = tile.mul %85, %91 : tensor<4xui64>
      %93 = tile.reduce sum %92 along 0 : tensor<4xui64> -> ui64
      %94 = tile.constant 31 : ui64
      %95 = tile.mul %83, %94 : ui64
      %96 = tile.add %95, %93 : ui64
      %97 = tile.cast %22 : tensor<4xi1> to tensor<4xui64>
      %98 = tile.reshape %97 : tensor<4xui64> to tensor<4xui64>
      %99 = tile.iota : tensor<4xi64>
      %100 = tile.constant 2 : i64 tensor<4xi64>
      %101 = tile.mul %99, %100 : tensor<4xi64>
      %102 = tile.constant 1 : i64 tensor<4xi64>
      %103 = tile.add %101, %102 : tensor<4xi64>
      %104 = tile.cast %103 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %105 = tile.mul %98, %104 : tensor<4xui64>
      %106 = tile.reduce sum %105 along 0 : tensor<4xui64> -> ui64
      %107 = tile.constant 31 : ui64
      %108 = tile.mul %96, %107 : ui64
      %109 = tile.add %108, %106 : ui64
      %110 = tile.cast %24 : tensor<7xui16> to tensor<7xui64>
      %111 = tile.reshape %110 : tensor<7xui64> to tensor<7xui64>
      %112 = tile.iota : tensor<7xi64>
      %113 = tile.constant 2 : i64 tensor<7xi64>
      %114 = tile.mul %112, %113 : tensor<7xi64>
      %115 = tile.constant 1 : i64 tensor<7xi64>
      %116 = tile.add %114, %115 : tensor<7xi64>
      %117 = tile.cast %116 {overflow = #tile.overflow<wrap>} : tensor<7xi64> to tensor<7xui64>
      %118 = tile.mul %111, %117 : tensor<7xui64>
      %119 = tile.reduce sum %118 along 0 : tensor<7xui64> -> ui64
      %120 = tile.constant 31 : ui64
      %121 = tile.mul %109, %120 : ui64
      %122 = tile.add %121, %119 : ui64
      %123 = tile.bits %25 : tensor<7xf32>
      %124 = tile.isnan %25 : tensor<7xf32>
      %125 = tile.constant 1 : ui32 tensor<7xui32>
      %126 = tile.select %124, %125, %123 : tensor<7xui32>
      %127 = tile.cast %126 : tensor<7xui32> to tensor<7xui64>
      %128 = tile.reshape %127 : tensor<7xui64> to tensor<7xui64>
      %129 = tile.iota : tensor<7xi64>
      %130 = tile.constant 2 : i64 tensor<7xi64>
      %131 = tile.mul %129, %130 : tensor<7xi64>
      %132 = tile.constant 1 : i64 tensor<7xi64>
      %133 = tile.add %131, %132 : tensor<7xi64>
      %134 = tile.cast %133 {overflow = #tile.overflow<wrap>} : tensor<7xi64> to tensor<7xui64>
      %135 = tile.mul %128, %134 : tensor<7xui64>
      %136 = tile.reduce sum %135 along 0 : tensor<7xui64> -> ui64
      %137 = tile.constant 31 : ui64
      %138 = tile.mul %122, %137 : ui64
      %139 = tile.add %138, %136 : ui64
      %140 = tile.splat %139 : ui64 to tensor<7xui64>
      tile.store %140, %digest[%arg0, %arg1, %arg2] : tensor<7xui64>, !tile.view<?x?x?xui64, out>, i64, i64, !tile.span<7>
    }
  }
}
