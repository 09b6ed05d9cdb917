module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?xui32, in> shape ()[s0] -> (s0), %y0 "y0": !tile.view<4x?xui16, out> shape ()[s0] -> (4, s0), %y1 "y1": !tile.view<4x?xf64, inout> shape ()[s0] -> (4, s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0)) math fast
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 2)) {
      %1 = tile.load %x0[%arg0] : !tile.view<?xui32, in>, !tile.span<2> -> tensor<2xui32>
      %2 = tile.max %1, %1 : tensor<2xui32>
      %3 = tile.cmp ge, %2, %2 : tensor<2xui32>
      %4 = tile.not %3 : tensor<2xi1>
      %5 = tile.keep_if %2, %3 over [0] : tensor<2xui32>, tensor<2xi1>
      %6 = tile.cast %2 {round = #tile.round<rz>} : tensor<2xui32> to tensor<2xbf16>
      %7 = tile.constant 2 : ui16 tensor<4x2xui16>
      tile.store %7, %y0[:, %arg0] : tensor<4x2xui16>, !tile.view<4x?xui16, out>, !tile.span<2>
      %8 = tile.cast %7 : tensor<4x2xui16> to tensor<4x2xf64>
      tile.store %8, %y1[:, %arg0] : tensor<4x2xf64>, !tile.view<4x?xf64, inout>, !tile.span<2>
      %9 = tile.cast %1 : tensor<2xui32> to tensor<2xui64>
      %10 = tile.reshape %9 : tensor<2xui64> to tensor<2xui64>
      %11 = tile.iota : tensor<2xi64>
      %12 = tile.constant 2 : i64 tensor<2xi64>
      %13 = tile.mul %11, %12 : tensor<2xi64>
      %14 = tile.constant 1 : i64 tensor<2xi64>
      %15 = tile.add %13, %14 : tensor<2xi64>
      %16 = tile.cast %15 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
      %17 = tile.mul %10, %16 : tensor<2xui64>
      %18 = tile.reduce sum %17 along 0 : tensor<2xui64> -> ui64
      %19 = tile.constant 527 : ui64
      %20 = tile.add %19, %18 : ui64
      %21 = tile.cast %2 : tensor<2xui32> to tensor<2xui64>
      %22 = tile.reshape %21 : tensor<2xui64> to tensor<2xui64>
      %23 = tile.iota : tensor<2xi64>
      %24 = tile.constant 2 : i64 tensor<2xi64>
      %25 = tile.mul %23, %24 : tensor<2xi64>
      %26 = tile.constant 1 : i64 tensor<2xi64>
      %27 = tile.add %25, %26 : tensor<2xi64>
      %28 = tile.cast %27 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
      %29 = tile.mul %22, %28 : tensor<2xui64>
      %30 = tile.reduce sum %29 along 0 : tensor<2xui64> -> ui64
      %31 = tile.constant 31 : ui64
      %32 = tile.mul %20, %31 : ui64
      %33 = tile.add %32, %30 : ui64
      %34 = tile.cast %3 : tensor<2xi1> to tensor<2xui64>
      %35 = tile.reshape %34 : tensor<2xui64> to tensor<2xui64>
      %36 = tile.iota : tensor<2xi64>
      %37 = tile.constant 2 : i64 tensor<2xi64>
      %38 = tile.mul %36, %37 : tensor<2xi64>
      %39 = tile.constant 1 : i64 tensor<2xi64>
      %40 = tile.add %38, %39 : tensor<2xi64>
      %41 = tile.cast %40 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
      %42 = tile.mul %35, %41 : tensor<2xui64>
      %43 = tile.reduce sum %42 along 0 : tensor<2xui64> -> ui64
      %44 = tile.constant 31 : ui64
      %45 = tile.mul %33, %44 : ui64
      %46 = tile.add %45, %43 : ui64
      %47 = tile.cast %4 : tensor<2xi1> to tensor<2xui64>
      %48 = tile.reshape %47 : tensor<2xui64> to tensor<2xui64>
      %49 = tile.iota : tensor<2xi64>
      %50 = tile.constant 2 : i64 tensor<2xi64>
      %51 = tile.mul %49, %50 : tensor<2xi64>
      %52 = tile.constant 1 : i64 tensor<2xi64>
      %53 = tile.add %51, %52 : tensor<2xi64>
      %54 = tile.cast %53 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
      %55 = tile.mul %48, %54 : tensor<2xui64>
      %56 = tile.reduce sum %55 along 0 : tensor<2xui64> -> ui64
      %57 = tile.constant 31 : ui64
      %58 = tile.mul %46, %57 : ui64
      %59 = tile.add %58, %56 : ui64
      %60 = tile.cast %5 : tensor<2xui32> to tensor<2xui64>
      %61 = tile.reshape %60 : tensor<2xui64> to tensor<2xui64>
      %62 = tile.iota : tensor<2xi64>
      %63 = tile.constant 2 : i64 tensor<2xi64>
      %64 = tile.mul %62, %63 : tensor<2xi64>
      %65 = tile.constant 1 : i64 tensor<2xi64>
      %66 = tile.add %64, %65 : tensor<2xi64>
      %67 = tile.cast %66 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
      %68 = tile.mul %61, %67 : tensor<2xui64>
      %69 = tile.reduce sum %68 along 0 : tensor<2xui64> -> ui64
      %70 = tile.constant 31 : ui64
      %71 = tile.mul %59, %70 : ui64
      %72 = tile.add %71, %69 : ui64
      %73 = tile.bits %6 : tensor<2xbf16>
      %74 = tile.isnan %6 : tensor<2xbf16>
      %75 = tile.constant 1 : ui16 tensor<2xui16>
      %76 = tile.select %74, %75, %73 : tensor<2xui16>
      %77 = tile.cast %76 : tensor<2xui16> to tensor<2xui64>
      %78 = tile.reshape %77 : tensor<2xui64> to tensor<2xui64>
      %79 = tile.iota : tensor<2xi64>
      %80 = tile.constant 2 : i64 tensor<2xi64>
      %81 = tile.mul %79, %80 : tensor<2xi64>
      %82 = tile.constant 1 : i64 tensor<2xi64>
      %83 = tile.add %81, %82 : tensor<2xi64>
      %84 = tile.cast %83 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
      %85 = tile.mul %78, %84 : tensor<2xui64>
      %86 = tile.reduce sum %85 along 0 : tensor<2xui64> -> ui64
      %87 = tile.constant 31 : ui64
      %88 = tile.mul %72, %87 : ui64
      %89 = tile.add %88, %86 : ui64
      %90 = tile.cast %7 : tensor<4x2xui16> to tensor<4x2xui64>
      %91 = tile.reshape %90 : tensor<4x2xui64> to tensor<8xui64>
      %92 = tile.iota : tensor<8xi64>
      %93 = tile.constant 2 : i64 tensor<8xi64>
      %94 = tile.mul %92, %93 : tensor<8xi64>
      %95 = tile.constant 1 : i64 tensor<8xi64>
      %96 = tile.add %94, %95 : tensor<8xi64>
      %97 = tile.cast %96 {overflow = #tile.overflow<wrap>} : tensor<8xi64> to tensor<8xui64>
      %98 = tile.mul %91, %97 : tensor<8xui64>
      %99 = tile.reduce sum %98 along 0 : tensor<8xui64> -> ui64
      %100 = tile.constant 31 : ui64
      %101 = tile.mul %89, %100 : ui64
      %102 = tile.add %101, %99 : ui64
      %103 = tile.bits %8 : tensor<4x2xf64>
      %104 = tile.isnan %8 : tensor<4x2xf64>
      %105 = tile.constant 1 : ui64 tensor<4x2xui64>
      %106 = tile.select %104, %105, %103 : tensor<4x2xui64>
      %107 = tile.reshape %106 : tensor<4x2xui64> to tensor<8xui64>
      %108 = tile.iota : tensor<8xi64>
      %109 = tile.constant 2 : i64 tensor<8xi64>
      %110 = tile.mul %108, %109 : tensor<8xi64>
      %111 = tile.constant 1 : i64 tensor<8xi64>
      %112 = tile.add %110, %111 : tensor<8xi64>
      %113 = tile.cast %112 {overflow = #tile.overflow<wrap>} : tensor<8xi64> to tensor<8xui64>
      %114 = tile.mul %107, %113 : tensor<8xui64>
      %115 = tile.reduce sum %114 along 0 : tensor<8xui64> -> ui64
      %116 = tile.constant 31 : ui64
      %117 = tile.mul %102, %116 : ui64
      %118 = tile.add %117, %115 : ui64
      %119 = tile.splat %118 : ui64 to tensor<2xui64>
      tile.store %119, %digest[%arg0] : tensor<2xui64>, !tile.view<?xui64, out>, !tile.span<2>
    }
  }
}
