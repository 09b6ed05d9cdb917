module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?x?xi32, in> shape ()[s0] -> (s0, s0), %x1 "x1": !tile.view<?xi1, in> shape ()[s0] -> (s0), %s0 "s0": i1, %y0 "y0": !tile.view<?xf32, out> shape ()[s0] -> (s0), %y1 "y1": !tile.view<5x?x3xf8E5M2, out> shape ()[s0] -> (5, s0, 3), %digest "digest": !tile.view<1xui64, out> shape ()[s0] -> (1)) math fast
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
    %1 = tile.span %0, %M exact : !tile.span<7>
    %2 = tile.load %x1[%1] : !tile.view<?xi1, in>, !tile.span<7> -> tensor<7xi1>
    %3 = tile.load %x0[%1, %1] : !tile.view<?x?xi32, in>, !tile.span<7>, !tile.span<7> -> tensor<7x7xi32>
    %4 = tile.cast %3 : tensor<7x7xi32> to tensor<7x7xi64>
    %5 = tile.not %s0 : i1
    %6 = tile.cast %5 : i1 to bf16
    %value, %index = tile.argmin %4 along 0 : tensor<7x7xi64> -> tensor<7xi64>, tensor<7xi64>
    %7 = tile.cast %value : tensor<7xi64> to tensor<7xf32>
    tile.store %7, %y0[%1] : tensor<7xf32>, !tile.view<?xf32, out>, !tile.span<7>
    %8 = tile.cast %5 : i1 to f8E5M2
    %9 = tile.splat %8 : f8E5M2 to tensor<5x7x3xf8E5M2>
    tile.store %9, %y1[:, %1, :] : tensor<5x7x3xf8E5M2>, !tile.view<5x?x3xf8E5M2, out>, !tile.span<7>
    %10 = tile.cast %s0 : i1 to ui64
    %11 = tile.constant 527 : ui64
    %12 = tile.add %11, %10 : ui64
    %13 = tile.cast %2 : tensor<7xi1> to tensor<7xui64>
    %14 = tile.reshape %13 : tensor<7xui64> to tensor<7xui64>
    %15 = tile.iota : tensor<7xi64>
    %16 = tile.constant 2 : i64 tensor<7xi64>
    %17 = tile.mul %15, %16 : tensor<7xi64>
    %18 = tile.constant 1 : i64 tensor<7xi64>
    %19 = tile.add %17, %18 : tensor<7xi64>
    %20 = tile.cast %19 {overflow = #tile.overflow<wrap>} : tensor<7xi64> to tensor<7xui64>
    %21 = tile.mul %14, %20 : tensor<7xui64>
    %22 = tile.reduce sum %21 along 0 : tensor<7xui64> -> ui64
    %23 = tile.constant 31 : ui64
    %24 = tile.mul %12, %23 : ui64
    %25 = tile.add %24, %22 : ui64
    %26 = tile.cast %3 {overflow = #tile.overflow<wrap>} : tensor<7x7xi32> to tensor<7x7xui64>
    %27 = tile.reshape %26 : tensor<7x7xui64> to tensor<49xui64>
    %28 = tile.iota : tensor<49xi64>
    %29 = tile.constant 2 : i64 tensor<49xi64>
    %30 = tile.mul %28, %29 : tensor<49xi64>
    %31 = tile.constant 1 : i64 tensor<49xi64>
    %32 = tile.add %30, %31 : tensor<49xi64>
    %33 = tile.cast %32 {overflow = #tile.overflow<wrap>} : tensor<49xi64> to tensor<49xui64>
    %34 = tile.mul %27, %33 : tensor<49xui64>
    %35 = tile.reduce sum %34 along 0 : tensor<49xui64> -> ui64
    %36 = tile.constant 31 : ui64
    %37 = tile.mul %25, %36 : ui64
    %38 = tile.add %37, %35 : ui64
    %39 = tile.cast %4 {overflow = #tile.overflow<wrap>} : tensor<7x7xi64> to tensor<7x7xui64>
    %40 = tile.reshape %39 : tensor<7x7xui64> to tensor<49xui64>
    %41 = tile.iota : tensor<49xi64>
    %42 = tile.constant 2 : i64 tensor<49xi64>
    %43 = tile.mul %41, %42 : tensor<49xi64>
    %44 = tile.constant 1 : i64 tensor<49xi64>
    %45 = tile.add %43, %44 : tensor<49xi64>
    %46 = tile.cast %45 {overflow = #tile.overflow<wrap>} : tensor<49xi64> to tensor<49xui64>
    %47 = tile.mul %40, %46 : tensor<49xui64>
    %48 = tile.reduce sum %47 along 0 : tensor<49xui64> -> ui64
    %49 = tile.constant 31 : ui64
    %50 = tile.mul %38, %49 : ui64
    %51 = tile.add %50, %48 : ui64
    %52 = tile.bits %6 : bf16
    %53 = tile.isnan %6 : bf16
    %54 = tile.constant 1 : ui16
    %55 = tile.select %53, %54, %52 : ui16
    %56 = tile.cast %55 : ui16 to ui64
    %57 = tile.constant 31 : ui64
    %58 = tile.mul %51, %57 : ui64
    %59 = tile.add %58, %56 : ui64
    %60 = tile.cast %value {overflow = #tile.overflow<wrap>} : tensor<7xi64> to tensor<7xui64>
    %61 = tile.reshape %60 : tensor<7xui64> to tensor<7xui64>
    %62 = tile.iota : tensor<7xi64>
    %63 = tile.constant 2 : i64 tensor<7xi64>
    %64 = tile.mul %62, %63 : tensor<7xi64>
    %65 = tile.constant 1 : i64 tensor<7xi64>
    %66 = tile.add %64, %65 : tensor<7xi64>
    %67 = tile.cast %66 {overflow = #tile.overflow<wrap>} : tensor<7xi64> to tensor<7xui64>
    %68 = tile.mul %61, %67 : tensor<7xui64>
    %69 = tile.reduce sum %68 along 0 : tensor<7xui64> -> ui64
    %70 = tile.constant 31 : ui64
    %71 = tile.mul %59, %70 : ui64
    %72 = tile.add %71, %69 : ui64
    %73 = tile.cast %index {overflow = #tile.overflow<wrap>} : tensor<7xi64> to tensor<7xui64>
    %74 = tile.reshape %73 : tensor<7xui64> to tensor<7xui64>
    %75 = tile.iota : tensor<7xi64>
    %76 = tile.constant 2 : i64 tensor<7xi64>
    %77 = tile.mul %75, %76 : tensor<7xi64>
    %78 = tile.constant 1 : i64 tensor<7xi64>
    %79 = tile.add %77, %78 : tensor<7xi64>
    %80 = tile.cast %79 {overflow = #tile.overflow<wrap>} : tensor<7xi64> to tensor<7xui64>
    %81 = tile.mul %74, %80 : tensor<7xui64>
    %82 = tile.reduce sum %81 along 0 : tensor<7xui64> -> ui64
    %83 = tile.constant 31 : ui64
    %84 = tile.mul %72, %83 : ui64
    %85 = tile.add %84, %82 : ui64
    %86 = tile.bits %7 : tensor<7xf32>
    %87 = tile.isnan %7 : tensor<7xf32>
    %88 = tile.constant 1 : ui32 tensor<7xui32>
    %89 = tile.select %87, %88, %86 : tensor<7xui32>
    %90 = tile.cast %89 : tensor<7xui32> to tensor<7xui64>
    %91 = tile.reshape %90 : tensor<7xui64> to tensor<7xui64>
    %92 = tile.iota : tensor<7xi64>
    %93 = tile.constant 2 : i64 tensor<7xi64>
    %94 = tile.mul %92, %93 : tensor<7xi64>
    %95 = tile.constant 1 : i64 tensor<7xi64>
    %96 = tile.add %94, %95 : tensor<7xi64>
    %97 = tile.cast %96 {overflow = #tile.overflow<wrap>} : tensor<7xi64> to tensor<7xui64>
    %98 = tile.mul %91, %97 : tensor<7xui64>
    %99 = tile.reduce sum %98 along 0 : tensor<7xui64> -> ui64
    %100 = tile.constant 31 : ui64
    %101 = tile.mul %85, %100 : ui64
    %102 = tile.add %101, %99 : ui64
    %103 = tile.cast %8 : f8E5M2 to f32
    %104 = tile.bits %103 : f32
    %105 = tile.isnan %103 : f32
    %106 = tile.constant 1 : ui32
    %107 = tile.select %105, %106, %104 : ui32
    %108 = tile.cast %107 : ui32 to ui64
    %109 = tile.constant 31 : ui64
    %110 = tile.mul %102, %109 : ui64
    %111 = tile.add %110, %108 : ui64
    %112 = tile.cast %9 : tensor<5x7x3xf8E5M2> to tensor<5x7x3xf32>
    %113 = tile.bits %112 : tensor<5x7x3xf32>
    %114 = tile.isnan %112 : tensor<5x7x3xf32>
    %115 = tile.constant 1 : ui32 tensor<5x7x3xui32>
    %116 = tile.select %114, %115, %113 : tensor<5x7x3xui32>
    %117 = tile.cast %116 : tensor<5x7x3xui32> to tensor<5x7x3xui64>
    %118 = tile.reshape %117 : tensor<5x7x3xui64> to tensor<105xui64>
    %119 = tile.iota : tensor<105xi64>
    %120 = tile.constant 2 : i64 tensor<105xi64>
    %121 = tile.mul %119, %120 : tensor<105xi64>
    %122 = tile.constant 1 : i64 tensor<105xi64>
    %123 = tile.add %121, %122 : tensor<105xi64>
    %124 = tile.cast %123 {overflow = #tile.overflow<wrap>} : tensor<105xi64> to tensor<105xui64>
    %125 = tile.mul %118, %124 : tensor<105xui64>
    %126 = tile.reduce sum %125 along 0 : tensor<105xui64> -> ui64
    %127 = tile.constant 31 : ui64
    %128 = tile.mul %111, %127 : ui64
    %129 = tile.add %128, %126 : ui64
    %130 = tile.constant 0 : i64
    tile.store %129, %digest[%130] : ui64, !tile.view<1xui64, out>, i64
  }
}
