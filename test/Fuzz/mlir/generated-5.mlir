module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?x?x?xui64, in> shape ()[s0] -> (s0, s0, s0), %x1 "x1": !tile.view<?x6x3xf32, in> shape ()[s0] -> (s0, 6, 3), %s0 "s0": i8, %s1 "s1": bf16, %y0 "y0": !tile.view<?xf8E5M2, out> shape ()[s0] -> (s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0))
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 2)) {
      %1 = tile.constant 3 : i64
      %2 = tile.load %x1[%arg0, %1, :] : !tile.view<?x6x3xf32, in>, !tile.span<2>, i64 -> tensor<2x3xf32>
      %3 = tile.iota : tensor<1xi64>
      %4 = tile.constant 3 : i64 tensor<1xi64>
      %5 = tile.mul %3, %4 : tensor<1xi64>
      %6 = tile.constant 3 : i64 tensor<1xi64>
      %7 = tile.mod %5, %6 : tensor<1xi64>
      %8 = tile.cast %7 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xi32>
      %9 = tile.load %x1[%arg0, :, %8] : !tile.view<?x6x3xf32, in>, !tile.span<2>, tensor<1xi32> -> tensor<2x6x1xf32>
      %10 = tile.erfc %2 {accuracy = #tile.accuracy<fast>} : tensor<2x3xf32>
      %11 = tile.tan %9 {accuracy = #tile.accuracy<fast>} : tensor<2x6x1xf32>
      %12 = tile.erf %s1 : bf16
      %13 = tile.constant 0xFF800000 : f32 tensor<2x3xf32>
      %14 = tile.fill_absent %10, %13 : tensor<2x3xf32>
      %15 = tile.cast %s0 {overflow = #tile.overflow<inf>, round = #tile.round<ru>} : i8 to f8E5M2
      %16 = tile.splat %15 : f8E5M2 to tensor<2xf8E5M2>
      tile.store %16, %y0[%arg0] : tensor<2xf8E5M2>, !tile.view<?xf8E5M2, out>, !tile.span<2>
      %17 = tile.cast %s0 {overflow = #tile.overflow<wrap>} : i8 to ui64
      %18 = tile.constant 527 : ui64
      %19 = tile.add %18, %17 : ui64
      %20 = tile.bits %s1 : bf16
      %21 = tile.isnan %s1 : bf16
      %22 = tile.constant 1 : ui16
      %23 = tile.select %21, %22, %20 : ui16
      %24 = tile.cast %23 : ui16 to ui64
      %25 = tile.constant 31 : ui64
      %26 = tile.mul %19, %25 : ui64
      %27 = tile.add %26, %24 : ui64
      %28 = tile.bits %2 : tensor<2x3xf32>
      %29 = tile.isnan %2 : tensor<2x3xf32>
      %30 = tile.constant 1 : ui32 tensor<2x3xui32>
      %31 = tile.select %29, %30, %28 : tensor<2x3xui32>
      %32 = tile.cast %31 : tensor<2x3xui32> to tensor<2x3xui64>
      %33 = tile.reshape %32 : tensor<2x3xui64> to tensor<6xui64>
      %34 = tile.iota : tensor<6xi64>
      %35 = tile.constant 2 : i64 tensor<6xi64>
      %36 = tile.mul %34, %35 : tensor<6xi64>
      %37 = tile.constant 1 : i64 tensor<6xi64>
      %38 = tile.add %36, %37 : tensor<6xi64>
      %39 = tile.cast %38 {overflow = #tile.overflow<wrap>} : tensor<6xi64> to tensor<6xui64>
      %40 = tile.mul %33, %39 : tensor<6xui64>
      %41 = tile.reduce sum %40 along 0 : tensor<6xui64> -> ui64
      %42 = tile.constant 31 : ui64
      %43 = tile.mul %27, %42 : ui64
      %44 = tile.add %43, %41 : ui64
      %45 = tile.bits %9 : tensor<2x6x1xf32>
      %46 = tile.isnan %9 : tensor<2x6x1xf32>
      %47 = tile.constant 1 : ui32 tensor<2x6x1xui32>
      %48 = tile.select %46, %47, %45 : tensor<2x6x1xui32>
      %49 = tile.cast %48 : tensor<2x6x1xui32> to tensor<2x6x1xui64>
      %50 = tile.reshape %49 : tensor<2x6x1xui64> to tensor<12xui64>
      %51 = tile.iota : tensor<12xi64>
      %52 = tile.constant 2 : i64 tensor<12xi64>
      %53 = tile.mul %51, %52 : tensor<12xi64>
      %54 = tile.constant 1 : i64 tensor<12xi64>
      %55 = tile.add %53, %54 : tensor<12xi64>
      %56 = tile.cast %55 {overflow = #tile.overflow<wrap>} : tensor<12xi64> to tensor<12xui64>
      %57 = tile.mul %50, %56 : tensor<12xui64>
      %58 = tile.reduce sum %57 along 0 : tensor<12xui64> -> ui64
      %59 = tile.constant 31 : ui64
      %60 = tile.mul %44, %59 : ui64
      %61 = tile.add %60, %58 : ui64
      %62 = tile.bits %10 : tensor<2x3xf32>
      %63 = tile.isnan %10 : tensor<2x3xf32>
      %64 = tile.constant 1 : ui32 tensor<2x3xui32>
      %65 = tile.select %63, %64, %62 : tensor<2x3xui32>
      %66 = tile.cast %65 : tensor<2x3xui32> to tensor<2x3xui64>
      %67 = tile.reshape %66 : tensor<2x3xui64> to tensor<6xui64>
      %68 = tile.iota : tensor<6xi64>
      %69 = tile.constant 2 : i64 tensor<6xi64>
      %70 = tile.mul %68, %69 : tensor<6xi64>
      %71 = tile.constant 1 : i64 tensor<6xi64>
      %72 = tile.add %70, %71 : tensor<6xi64>
      %73 = tile.cast %72 {overflow = #tile.overflow<wrap>} : tensor<6xi64> to tensor<6xui64>
      %74 = tile.mul %67, %73 : tensor<6xui64>
      %75 = tile.reduce sum %74 along 0 : tensor<6xui64> -> ui64
      %76 = tile.constant 31 : ui64
      %77 = tile.mul %61, %76 : ui64
      %78 = tile.add %77, %75 : ui64
      %79 = tile.bits %11 : tensor<2x6x1xf32>
      %80 = tile.isnan %11 : tensor<2x6x1xf32>
      %81 = tile.constant 1 : ui32 tensor<2x6x1xui32>
      %82 = tile.select %80, %81, %79 : tensor<2x6x1xui32>
      %83 = tile.cast %82 : tensor<2x6x1xui32> to tensor<2x6x1xui64>
      %84 = tile.reshape %83 : tensor<2x6x1xui64> to tensor<12xui64>
      %85 = tile.iota : tensor<12xi64>
      %86 = tile.constant 2 : i64 tensor<12xi64>
      %87 = tile.mul %85, %86 : tensor<12xi64>
      %88 = tile.constant 1 : i64 tensor<12xi64>
      %89 = tile.add %87, %88 : tensor<12xi64>
      %90 = tile.cast %89 {overflow = #tile.overflow<wrap>} : tensor<12xi64> to tensor<12xui64>
      %91 = tile.mul %84, %90 : tensor<12xui64>
      %92 = tile.reduce sum %91 along 0 : tensor<12xui64> -> ui64
      %93 = tile.constant 31 : ui64
      %94 = tile.mul %78, %93 : ui64
      %95 = tile.add %94, %92 : ui64
      %96 = tile.bits %14 : tensor<2x3xf32>
      %97 = tile.isnan %14 : tensor<2x3xf32>
      %98 = tile.constant 1 : ui32 tensor<2x3xui32>
      %99 = tile.select %97, %98, %96 : tensor<2x3xui32>
      %100 = tile.cast %99 : tensor<2x3xui32> to tensor<2x3xui64>
      %101 = tile.reshape %100 : tensor<2x3xui64> to tensor<6xui64>
      %102 = tile.iota : tensor<6xi64>
      %103 = tile.constant 2 : i64 tensor<6xi64>
      %104 = tile.mul %102, %103 : tensor<6xi64>
      %105 = tile.constant 1 : i64 tensor<6xi64>
      %106 = tile.add %104, %105 : tensor<6xi64>
      %107 = tile.cast %106 {overflow = #tile.overflow<wrap>} : tensor<6xi64> to tensor<6xui64>
      %108 = tile.mul %101, %107 : tensor<6xui64>
      %109 = tile.reduce sum %108 along 0 : tensor<6xui64> -> ui64
      %110 = tile.constant 31 : ui64
      %111 = tile.mul %95, %110 : ui64
      %112 = tile.add %111, %109 : ui64
      %113 = tile.cast %16 : tensor<2xf8E5M2> to tensor<2xf32>
      %114 = tile.bits %113 : tensor<2xf32>
      %115 = tile.isnan %113 : tensor<2xf32>
      %116 = tile.constant 1 : ui32 tensor<2xui32>
      %117 = tile.select %115, %116, %114 : tensor<2xui32>
      %118 = tile.cast %117 : tensor<2xui32> to tensor<2xui64>
      %119 = tile.reshape %118 : tensor<2xui64> to tensor<2xui64>
      %120 = tile.iota : tensor<2xi64>
      %121 = tile.constant 2 : i64 tensor<2xi64>
      %122 = tile.mul %120, %121 : tensor<2xi64>
      %123 = tile.constant 1 : i64 tensor<2xi64>
      %124 = tile.add %122, %123 : tensor<2xi64>
      %125 = tile.cast %124 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
      %126 = tile.mul %119, %125 : tensor<2xui64>
      %127 = tile.reduce sum %126 along 0 : tensor<2xui64> -> ui64
      %128 = tile.constant 31 : ui64
      %129 = tile.mul %112, %128 : ui64
      %130 = tile.add %129, %127 : ui64
      %131 = tile.splat %130 : ui64 to tensor<2xui64>
      tile.store %131, %digest[%arg0] : tensor<2xui64>, !tile.view<?xui64, out>, !tile.span<2>
    }
  }
}
