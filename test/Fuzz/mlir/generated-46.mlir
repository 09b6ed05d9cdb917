module {
  tile.kernel @generated[%N "N", %M "M"](%x0 "x0": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1), %x1 "x1": !tile.view<3x?xi32, in> shape ()[s0, s1] -> (3, s0), %x2 "x2": !tile.view<?xf32, in> shape ()[s0, s1] -> (s0), %s0 "s0": ui16, %s1 "s1": i1, %y0 "y0": !tile.view<?x?x?xi32, inout> shape ()[s0, s1] -> (s1, s0, s0), %digest "digest": !tile.view<?x?xui64, out> shape ()[s0, s1] -> (s1, s0))
  where {
    %0 = tile.constant 4096 : i64
    %1 = tile.cmp le, %M, %0 : i64
    tile.require %1, "M <= 4096"
    %2 = tile.constant 1 : i64
    %3 = tile.add %N, %2 : i64
    %4 = tile.constant 0 : i64
    %5 = tile.cmp gt, %3, %4 : i64
    tile.require %5, "N + 1 > 0"
  }
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 4), %arg1 = range(%1 to %N)) {
      %2 = tile.load %x1[:, %arg1] : !tile.view<3x?xi32, in>, i64 -> tensor<3xi32>
      %3 = tile.load %x1[:, %arg1] : !tile.view<3x?xi32, in>, i64 -> tensor<3xi32>
      %4 = tile.load %x2[%arg1] : !tile.view<?xf32, in>, i64 -> f32
      %5 = tile.shr %3, %3 : tensor<3xi32>
      %6 = tile.reshape %3 : tensor<3xi32> to tensor<3xi32>
      %7 = tile.cmp eq, %2, %5 : tensor<3xi32>
      %8 = tile.load %x2[%arg1] : !tile.view<?xf32, in>, i64 -> f32
      %9 = tile.xor %6, %2 : tensor<3xi32>
      %10 = tile.reshape %5 : tensor<3xi32> to tensor<3xi32>
      %11 = tile.reduce or %5 along 0 : tensor<3xi32> -> i32
      %12 = tile.cast %8 {overflow = #tile.overflow<wrap>, round = #tile.round<ru>} : f32 to i32
      %13 = tile.splat %12 : i32 to tensor<4xi32>
      tile.store %13, %y0[%arg0, %arg1, %arg1] : tensor<4xi32>, !tile.view<?x?x?xi32, inout>, !tile.span<4>, i64, i64
      %14 = tile.cast %s0 : ui16 to ui64
      %15 = tile.constant 527 : ui64
      %16 = tile.add %15, %14 : ui64
      %17 = tile.cast %s1 : i1 to ui64
      %18 = tile.constant 31 : ui64
      %19 = tile.mul %16, %18 : ui64
      %20 = tile.add %19, %17 : ui64
      %21 = tile.cast %2 {overflow = #tile.overflow<wrap>} : tensor<3xi32> to tensor<3xui64>
      %22 = tile.reshape %21 : tensor<3xui64> to tensor<3xui64>
      %23 = tile.iota : tensor<3xi64>
      %24 = tile.constant 2 : i64 tensor<3xi64>
      %25 = tile.mul %23, %24 : tensor<3xi64>
      %26 = tile.constant 1 : i64 tensor<3xi64>
      %27 = tile.add %25, %26 : tensor<3xi64>
      %28 = tile.cast %27 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %29 = tile.mul %22, %28 : tensor<3xui64>
      %30 = tile.reduce sum %29 along 0 : tensor<3xui64> -> ui64
      %31 = tile.constant 31 : ui64
      %32 = tile.mul %20, %31 : ui64
      %33 = tile.add %32, %30 : ui64
      %34 = tile.cast %3 {overflow = #tile.overflow<wrap>} : tensor<3xi32> to tensor<3xui64>
      %35 = tile.reshape %34 : tensor<3xui64> to tensor<3xui64>
      %36 = tile.iota : tensor<3xi64>
      %37 = tile.constant 2 : i64 tensor<3xi64>
      %38 = tile.mul %36, %37 : tensor<3xi64>
      %39 = tile.constant 1 : i64 tensor<3xi64>
      %40 = tile.add %38, %39 : tensor<3xi64>
      %41 = tile.cast %40 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %42 = tile.mul %35, %41 : tensor<3xui64>
      %43 = tile.reduce sum %42 along 0 : tensor<3xui64> -> ui64
      %44 = tile.constant 31 : ui64
      %45 = tile.mul %33, %44 : ui64
      %46 = tile.add %45, %43 : ui64
      %47 = tile.bits %4 : f32
      %48 = tile.isnan %4 : f32
      %49 = tile.constant 1 : ui32
      %50 = tile.select %48, %49, %47 : ui32
      %51 = tile.cast %50 : ui32 to ui64
      %52 = tile.constant 31 : ui64
      %53 = tile.mul %46, %52 : ui64
      %54 = tile.add %53, %51 : ui64
      %55 = tile.cast %5 {overflow = #tile.overflow<wrap>} : tensor<3xi32> to tensor<3xui64>
      %56 = tile.reshape %55 : tensor<3xui64> to tensor<3xui64>
      %57 = tile.iota : tensor<3xi64>
      %58 = tile.constant 2 : i64 tensor<3xi64>
      %59 = tile.mul %57, %58 : tensor<3xi64>
      %60 = tile.constant 1 : i64 tensor<3xi64>
      %61 = tile.add %59, %60 : tensor<3xi64>
      %62 = tile.cast %61 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %63 = tile.mul %56, %62 : tensor<3xui64>
      %64 = tile.reduce sum %63 along 0 : tensor<3xui64> -> ui64
      %65 = tile.constant 31 : ui64
      %66 = tile.mul %54, %65 : ui64
      %67 = tile.add %66, %64 : ui64
      %68 = tile.cast %6 {overflow = #tile.overflow<wrap>} : tensor<3xi32> to tensor<3xui64>
      %69 = tile.reshape %68 : tensor<3xui64> to tensor<3xui64>
      %70 = tile.iota : tensor<3xi64>
      %71 = tile.constant 2 : i64 tensor<3xi64>
      %72 = tile.mul %70, %71 : tensor<3xi64>
      %73 = tile.constant 1 : i64 tensor<3xi64>
      %74 = tile.add %72, %73 : tensor<3xi64>
      %75 = tile.cast %74 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %76 = tile.mul %69, %75 : tensor<3xui64>
      %77 = tile.reduce sum %76 along 0 : tensor<3xui64> -> ui64
      %78 = tile.constant 31 : ui64
      %79 = tile.mul %67, %78 : ui64
      %80 = tile.add %79, %77 : ui64
      %81 = tile.cast %7 : tensor<3xi1> to tensor<3xui64>
      %82 = tile.reshape %81 : tensor<3xui64> to tensor<3xui64>
      %83 = tile.iota : tensor<3xi64>
      %84 = tile.constant 2 : i64 tensor<3xi64>
      %85 = tile.mul %83, %84 : tensor<3xi64>
      %86 = tile.constant 1 : i64 tensor<3xi64>
      %87 = tile.add %85, %86 : tensor<3xi64>
      %88 = tile.cast %87 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %89 = tile.mul %82, %88 : tensor<3xui64>
      %90 = tile.reduce sum %89 along 0 : tensor<3xui64> -> ui64
      %91 = tile.constant 31 : ui64
      %92 = tile.mul %80, %91 : ui64
      %93 = tile.add %92, %90 : ui64
      %94 = tile.cast %9 {overflow = #tile.overflow<wrap>} : tensor<3xi32> to tensor<3xui64>
      %95 = tile.reshape %94 : tensor<3xui64> to tensor<3xui64>
      %96 = tile.iota : tensor<3xi64>
      %97 = tile.constant 2 : i64 tensor<3xi64>
      %98 = tile.mul %96, %97 : tensor<3xi64>
      %99 = tile.constant 1 : i64 tensor<3xi64>
      %100 = tile.add %98, %99 : tensor<3xi64>
      %101 = tile.cast %100 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %102 = tile.mul %95, %101 : tensor<3xui64>
      %103 = tile.reduce sum %102 along 0 : tensor<3xui64> -> ui64
      %104 = tile.constant 31 : ui64
      %105 = tile.mul %93, %104 : ui64
      %106 = tile.add %105, %103 : ui64
      %107 = tile.cast %10 {overflow = #tile.overflow<wrap>} : tensor<3xi32> to tensor<3xui64>
      %108 = tile.reshape %107 : tensor<3xui64> to tensor<3xui64>
      %109 = tile.iota : tensor<3xi64>
      %110 = tile.constant 2 : i64 tensor<3xi64>
      %111 = tile.mul %109, %110 : tensor<3xi64>
      %112 = tile.constant 1 : i64 tensor<3xi64>
      %113 = tile.add %111, %112 : tensor<3xi64>
      %114 = tile.cast %113 {overflow = #tile.overflow<wrap>} : tensor<3xi64> to tensor<3xui64>
      %115 = tile.mul %108, %114 : tensor<3xui64>
      %116 = tile.reduce sum %115 along 0 : tensor<3xui64> -> ui64
      %117 = tile.constant 31 : ui64
      %118 = tile.mul %106, %117 : ui64
      %119 = tile.add %118, %116 : ui64
      %120 = tile.cast %11 {overflow = #tile.overflow<wrap>} : i32 to ui64
      %121 = tile.constant 31 : ui64
      %122 = tile.mul %119, %121 : ui64
      %123 = tile.add %122, %120 : ui64
      %124 = tile.cast %12 {overflow = #tile.overflow<wrap>} : i32 to ui64
      %125 = tile.constant 31 : ui64
      %126 = tile.mul %123, %125 : ui64
      %127 = tile.add %126, %124 : ui64
      %128 = tile.cast %13 {overflow = #tile.overflow<wrap>} : tensor<4xi32> to tensor<4xui64>
      %129 = tile.reshape %128 : tensor<4xui64> to tensor<4xui64>
      %130 = tile.iota : tensor<4xi64>
      %131 = tile.constant 2 : i64 tensor<4xi64>
      %132 = tile.mul %130, %131 : tensor<4xi64>
      %133 = tile.constant 1 : i64 tensor<4xi64>
      %134 = tile.add %132, %133 : tensor<4xi64>
      %135 = tile.cast %134 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %136 = tile.mul %129, %135 : tensor<4xui64>
      %137 = tile.reduce sum %136 along 0 : tensor<4xui64> -> ui64
      %138 = tile.constant 31 : ui64
      %139 = tile.mul %127, %138 : ui64
      %140 = tile.add %139, %137 : ui64
      %141 = tile.splat %140 : ui64 to tensor<4xui64>
      tile.store %141, %digest[%arg0, %arg1] : tensor<4xui64>, !tile.view<?x?xui64, out>, !tile.span<4>, i64
    }
  }
}
