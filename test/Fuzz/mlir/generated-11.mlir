module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?xui64, in> shape ()[s0] -> (s0), %x1 "x1": !tile.view<?x1x?xbf16, in> shape ()[s0] -> (s0, 1, s0), %s0 "s0": f32, %y0 "y0": !tile.view<4x3x?xbf16, out> shape ()[s0] -> (4, 3, s0), %y1 "y1": !tile.view<?xui64, out> shape ()[s0] -> (s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0))
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 3)) {
      %1 = tile.load %x0[%arg0] : !tile.view<?xui64, in>, !tile.span<3> -> tensor<3xui64>
      %2 = tile.load %x0[%arg0] : !tile.view<?xui64, in>, !tile.span<3> -> tensor<3xui64>
      %3 = tile.shl %2, %1 : tensor<3xui64>
      %4 = tile.ctz %1 : tensor<3xui64>
      %5 = tile.reduce sum %3 along 0 : tensor<3xui64> -> ui64
      %6 = tile.floordiv %4, %3 : tensor<3xui64>
      %7 = tile.constant 127 : ui64
      %8 = tile.cmp lt, %5, %7 : ui64
      %9 = scf.if %8 -> (tensor<3xui64>) {
        %120 = tile.constant 100 : ui64 tensor<3xui64>
        %121 = tile.div_trunc %3, %120 : tensor<3xui64>
        %122 = tile.max %2, %4 : tensor<3xui64>
        scf.yield %122 : tensor<3xui64>
      } else {
        %120 = tile.cat %6, %6 along 0 : tensor<3xui64>, tensor<3xui64> to tensor<6xui64>
        %121 = tile.mul %2, %2 : tensor<3xui64>
        scf.yield %121 : tensor<3xui64>
      }
      %10 = tile.cast %5 {round = #tile.round<ru>} : ui64 to bf16
      %11 = tile.splat %10 : bf16 to tensor<4x3x3xbf16>
      tile.store %11, %y0[:, :, %arg0] : tensor<4x3x3xbf16>, !tile.view<4x3x?xbf16, out>, !tile.span<3>
      tile.store %9, %y1[%arg0] : tensor<3xui64>, !tile.view<?xui64, out>, !tile.span<3>
      %12 = tile.bits %s0 : f32
      %13 = tile.isnan %s0 : f32
      %14 = tile.constant 1 : ui32
      %15 = tile.select %13, %14, %12 : ui32
      %16 = tile.cast %15 : ui32 to ui64
      %17 = tile.constant 527 : ui64
      %18 = tile.add %17, %16 : ui64
      %19 = tile.reshape %1 : tensor<3xui64> to tensor<3xui64>
      %20 = tile.iota : tensor<3xi64>
      %21 = tile.constant 2 : i64 tensor<3xi64>
      %22 = tile.mul %20, %21 : tensor<3xi64>
      %23 = tile.constant 1 : i64 tensor<3xi64>
      %24 = tile.add %22, %23 : tensor<3xi64>
      %25 = tile.cast %24 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %26 = tile.mul %19, %25 : tensor<3xui64>
      %27 = tile.reduce sum %26 along 0 : tensor<3xui64> -> ui64
      %28 = tile.constant 31 : ui64
      %29 = tile.mul %18, %28 : ui64
      %30 = tile.add %29, %27 : ui64
      %31 = tile.reshape %2 : tensor<3xui64> to tensor<3xui64>
      %32 = tile.iota : tensor<3xi64>
      %33 = tile.constant 2 : i64 tensor<3xi64>
      %34 = tile.mul %32, %33 : tensor<3xi64>
      %35 = tile.constant 1 : i64 tensor<3xi64>
      %36 = tile.add %34, %35 : tensor<3xi64>
      %37 = tile.cast %36 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %38 = tile.mul %31, %37 : tensor<3xui64>
      %39 = tile.reduce sum %38 along 0 : tensor<3xui64> -> ui64
      %40 = tile.constant 31 : ui64
      %41 = tile.mul %30, %40 : ui64
      %42 = tile.add %41, %39 : ui64
      %43 = tile.reshape %3 : tensor<3xui64> to tensor<3xui64>
      %44 = tile.iota : tensor<3xi64>
      %45 = tile.constant 2 : i64 tensor<3xi64>
      %46 = tile.mul %44, %45 : tensor<3xi64>
      %47 = tile.constant 1 : i64 tensor<3xi64>
      %48 = tile.add %46, %47 : tensor<3xi64>
      %49 = tile.cast %48 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %50 = tile.mul %43, %49 : tensor<3xui64>
      %51 = tile.reduce sum %50 along 0 : tensor<3xui64> -> ui64
      %52 = tile.constant 31 : ui64
      %53 = tile.mul %42, %52 : ui64
      %54 = tile.add %53, %51 : ui64
      %55 = tile.reshape %4 : tensor<3xui64> to tensor<3xui64>
      %56 = tile.iota : tensor<3xi64>
      %57 = tile.constant 2 : i64 tensor<3xi64>
      %58 = tile.mul %56, %57 : tensor<3xi64>
      %59 = tile.constant 1 : i64 tensor<3xi64>
      %60 = tile.add %58, %59 : tensor<3xi64>
      %61 = tile.cast %60 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %62 = tile.mul %55, %61 : tensor<3xui64>
      %63 = tile.reduce sum %62 along 0 : tensor<3xui64> -> ui64
      %64 = tile.constant 31 : ui64
      %65 = tile.mul %54, %64 : ui64
      %66 = tile.add %65, %63 : ui64
      %67 = tile.constant 31 : ui64
      %68 = tile.mul %66, %67 : ui64
      %69 = tile.add %68, %5 : ui64
      %70 = tile.reshape %6 : tensor<3xui64> to tensor<3xui64>
      %71 = tile.iota : tensor<3xi64>
      %72 = tile.constant 2 : i64 tensor<3xi64>
      %73 = tile.mul %71, %72 : tensor<3xi64>
      %74 = tile.constant 1 : i64 tensor<3xi64>
      %75 = tile.add %73, %74 : tensor<3xi64>
      %76 = tile.cast %75 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %77 = tile.mul %70, %76 : tensor<3xui64>
      %78 = tile.reduce sum %77 along 0 : tensor<3xui64> -> ui64
      %79 = tile.constant 31 : ui64
      %80 = tile.mul %69, %79 : ui64
      %81 = tile.add %80, %78 : ui64
      %82 = tile.reshape %9 : tensor<3xui64> to tensor<3xui64>
      %83 = tile.iota : tensor<3xi64>
      %84 = tile.constant 2 : i64 tensor<3xi64>
      %85 = tile.mul %83, %84 : tensor<3xi64>
      %86 = tile.constant 1 : i64 tensor<3xi64>
      %87 = tile.add %85, %86 : tensor<3xi64>
      %88 = tile.cast %87 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %89 = tile.mul %82, %88 : tensor<3xui64>
      %90 = tile.reduce sum %89 along 0 : tensor<3xui64> -> ui64
      %91 = tile.constant 31 : ui64
      %92 = tile.mul %81, %91 : ui64
      %93 = tile.add %92, %90 : ui64
      %94 = tile.bits %10 : bf16
      %95 = tile.isnan %10 : bf16
      %96 = tile.constant 1 : ui16
      %97 = tile.select %95, %96, %94 : ui16
      %98 = tile.cast %97 : ui16 to ui64
      %99 = tile.constant 31 : ui64
      %100 = tile.mul %93, %99 : ui64
      %101 = tile.add %100, %98 : ui64
      %102 = tile.bits %11 : tensor<4x3x3xbf16>
      %103 = tile.isnan %11 : tensor<4x3x3xbf16>
      %104 = tile.constant 1 : ui16 tensor<4x3x3xui16>
      %105 = tile.select %103, %104, %102 : tensor<4x3x3xui16>
      %106 = tile.cast %105 : tensor<4x3x3xui16> to tensor<4x3x3xui64>
      %107 = tile.reshape %106 : tensor<4x3x3xui64> to tensor<36xui64>
      %108 = tile.iota : tensor<36xi64>
      %109 = tile.constant 2 : i64 tensor<36xi64>
      %110 = tile.mul %108, %109 : tensor<36xi64>
      %111 = tile.constant 1 : i64 tensor<36xi64>
      %112 = tile.add %110, %111 : tensor<36xi64>
      %113 = tile.cast %112 {overflow = #tile.overflow<wrap>} : tensor<36xi64> to tensor<36xui64>
      %114 = tile.mul %107, %113 : tensor<36xui64>
      %115 = tile.reduce sum %114 along 0 : tensor<36xui64> -> ui64
      %116 = tile.constant 31 : ui64
      %117 = tile.mul %101, %116 : ui64
      %118 = tile.add %117, %115 : ui64
      %119 = tile.splat %118 : ui64 to tensor<3xui64>
      tile.store %119, %digest[%arg0] : tensor<3xui64>, !tile.view<?xui64, out>, !tile.span<3>
    }
  }
}
