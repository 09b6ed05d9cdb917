module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<2xi1, in> shape ()[s0] -> (2), %x1 "x1": !tile.view<?xi64, in> shape ()[s0] -> (s0), %y0 "y0": !tile.view<?xbf16, out> shape ()[s0] -> (s0), %y1 "y1": !tile.view<2xi8, out> shape ()[s0] -> (2), %digest "digest": !tile.view<1xui64, out> shape ()[s0] -> (1)) math contract
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
    %1 = tile.span %0, %M exact : !tile.span<16>
    %2 = tile.load %x0[:] : !tile.view<2xi1, in> -> tensor<2xi1>
    %3 = tile.load %x1[%1] : !tile.view<?xi64, in>, !tile.span<16> -> tensor<16xi64>
    %4 = tile.constant 7 : ui64
    %5 = tile.constant 3 : ui64
    %r0, %r1, %r2, %r3 = tile.philox %4, %5, %3 : tensor<16xi64> -> tensor<16xui32>
    %6 = tile.constant 8 : ui32 tensor<16xui32>
    %7 = tile.shr %r0, %6 : tensor<16xui32>
    %8 = tile.cast %7 : tensor<16xui32> to tensor<16xf32>
    %9 = tile.constant 5.96046448E-8 : f32 tensor<16xf32>
    %10 = tile.mul %8, %9 : tensor<16xf32>
    %11 = tile.shr %3, %3 : tensor<16xi64>
    %12 = tile.select %2, %2, %2 : tensor<2xi1>
    %13 = tile.constant 0 : i64
    %14 = tile.constant 3 : i64
    %15 = tile.for %arg0 in range(%13 to %14) carry(%arg1 = %11 : tensor<16xi64>) {
      %130 = tile.iota : tensor<2xi64>
      %131 = tile.constant 3 : i64 tensor<2xi64>
      %132 = tile.mul %130, %131 : tensor<2xi64>
      %133 = tile.constant 2 : i64 tensor<2xi64>
      %134 = tile.mod %132, %133 : tensor<2xi64>
      %135 = tile.cast %134 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xi32>
      %136 = tile.load %x0[%135] : !tile.view<2xi1, in>, tensor<2xi32> -> tensor<2xi1>
      %137 = tile.fill_absent %136, %136 : tensor<2xi1>
      %138 = tile.sin %10 : tensor<16xf32>
      %139 = tile.add %arg1, %3 : tensor<16xi64>
      tile.yield %139 : tensor<16xi64>
    }
    %16 = tile.cast %10 : tensor<16xf32> to tensor<16xbf16>
    tile.store %16, %y0[%1] : tensor<16xbf16>, !tile.view<?xbf16, out>, !tile.span<16>
    %17 = tile.cast %12 : tensor<2xi1> to tensor<2xi8>
    tile.store %17, %y1[:] : tensor<2xi8>, !tile.view<2xi8, out>
    %18 = tile.cast %2 : tensor<2xi1> to tensor<2xui64>
    %19 = tile.reshape %18 : tensor<2xui64> to tensor<2xui64>
    %20 = tile.iota : tensor<2xi64>
    %21 = tile.constant 2 : i64 tensor<2xi64>
    %22 = tile.mul %20, %21 : tensor<2xi64>
    %23 = tile.constant 1 : i64 tensor<2xi64>
    %24 = tile.add %22, %23 : tensor<2xi64>
    %25 = tile.cast %24 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
    %26 = tile.mul %19, %25 : tensor<2xui64>
    %27 = tile.reduce sum %26 along 0 : tensor<2xui64> -> ui64
    %28 = tile.constant 527 : ui64
    %29 = tile.add %28, %27 : ui64
    %30 = tile.cast %3 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
    %31 = tile.reshape %30 : tensor<16xui64> to tensor<16xui64>
    %32 = tile.iota : tensor<16xi64>
    %33 = tile.constant 2 : i64 tensor<16xi64>
    %34 = tile.mul %32, %33 : tensor<16xi64>
    %35 = tile.constant 1 : i64 tensor<16xi64>
    %36 = tile.add %34, %35 : tensor<16xi64>
    %37 = tile.cast %36 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
    %38 = tile.mul %31, %37 : tensor<16xui64>
    %39 = tile.reduce sum %38 along 0 : tensor<16xui64> -> ui64
    %40 = tile.constant 31 : ui64
    %41 = tile.mul %29, %40 : ui64
    %42 = tile.add %41, %39 : ui64
    %43 = tile.bits %10 : tensor<16xf32>
    %44 = tile.isnan %10 : tensor<16xf32>
    %45 = tile.constant 1 : ui32 tensor<16xui32>
    %46 = tile.select %44, %45, %43 : tensor<16xui32>
    %47 = tile.cast %46 : tensor<16xui32> to tensor<16xui64>
    %48 = tile.reshape %47 : tensor<16xui64> to tensor<16xui64>
    %49 = tile.iota : tensor<16xi64>
    %50 = tile.constant 2 : i64 tensor<16xi64>
    %51 = tile.mul %49, %50 : tensor<16xi64>
    %52 = tile.constant 1 : i64 tensor<16xi64>
    %53 = tile.add %51, %52 : tensor<16xi64>
    %54 = tile.cast %53 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
    %55 = tile.mul %48, %54 : tensor<16xui64>
    %56 = tile.reduce sum %55 along 0 : tensor<16xui64> -> ui64
    %57 = tile.constant 31 : ui64
    %58 = tile.mul %42, %57 : ui64
    %59 = tile.add %58, %56 : ui64
    %60 = tile.cast %11 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
    %61 = tile.reshape %60 : tensor<16xui64> to tensor<16xui64>
    %62 = tile.iota : tensor<16xi64>
    %63 = tile.constant 2 : i64 tensor<16xi64>
    %64 = tile.mul %62, %63 : tensor<16xi64>
    %65 = tile.constant 1 : i64 tensor<16xi64>
    %66 = tile.add %64, %65 : tensor<16xi64>
    %67 = tile.cast %66 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
    %68 = tile.mul %61, %67 : tensor<16xui64>
    %69 = tile.reduce sum %68 along 0 : tensor<16xui64> -> ui64
    %70 = tile.constant 31 : ui64
    %71 = tile.mul %59, %70 : ui64
    %72 = tile.add %71, %69 : ui64
    %73 = tile.cast %12 : tensor<2xi1> to tensor<2xui64>
    %74 = tile.reshape %73 : tensor<2xui64> to tensor<2xui64>
    %75 = tile.iota : tensor<2xi64>
    %76 = tile.constant 2 : i64 tensor<2xi64>
    %77 = tile.mul %75, %76 : tensor<2xi64>
    %78 = tile.constant 1 : i64 tensor<2xi64>
    %79 = tile.add %77, %78 : tensor<2xi64>
    %80 = tile.cast %79 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
    %81 = tile.mul %74, %80 : tensor<2xui64>
    %82 = tile.reduce sum %81 along 0 : tensor<2xui64> -> ui64
    %83 = tile.constant 31 : ui64
    %84 = tile.mul %72, %83 : ui64
    %85 = tile.add %84, %82 : ui64
    %86 = tile.cast %15 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
    %87 = tile.reshape %86 : tensor<16xui64> to tensor<16xui64>
    %88 = tile.iota : tensor<16xi64>
    %89 = tile.constant 2 : i64 tensor<16xi64>
    %90 = tile.mul %88, %89 : tensor<16xi64>
    %91 = tile.constant 1 : i64 tensor<16xi64>
    %92 = tile.add %90, %91 : tensor<16xi64>
    %93 = tile.cast %92 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
    %94 = tile.mul %87, %93 : tensor<16xui64>
    %95 = tile.reduce sum %94 along 0 : tensor<16xui64> -> ui64
    %96 = tile.constant 31 : ui64
    %97 = tile.mul %85, %96 : ui64
    %98 = tile.add %97, %95 : ui64
    %99 = tile.bits %16 : tensor<16xbf16>
    %100 = tile.isnan %16 : tensor<16xbf16>
    %101 = tile.constant 1 : ui16 tensor<16xui16>
    %102 = tile.select %100, %101, %99 : tensor<16xui16>
    %103 = tile.cast %102 : tensor<16xui16> to tensor<16xui64>
    %104 = tile.reshape %103 : tensor<16xui64> to tensor<16xui64>
    %105 = tile.iota : tensor<16xi64>
    %106 = tile.constant 2 : i64 tensor<16xi64>
    %107 = tile.mul %105, %106 : tensor<16xi64>
    %108 = tile.constant 1 : i64 tensor<16xi64>
    %109 = tile.add %107, %108 : tensor<16xi64>
    %110 = tile.cast %109 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
    %111 = tile.mul %104, %110 : tensor<16xui64>
    %112 = tile.reduce sum %111 along 0 : tensor<16xui64> -> ui64
    %113 = tile.constant 31 : ui64
    %114 = tile.mul %98, %113 : ui64
    %115 = tile.add %114, %112 : ui64
    %116 = tile.cast %17 {overflow = #tile.overflow<wrap>} : tensor<2xi8> to tensor<2xui64>
    %117 = tile.reshape %116 : tensor<2xui64> to tensor<2xui64>
    %118 = tile.iota : tensor<2xi64>
    %119 = tile.constant 2 : i64 tensor<2xi64>
    %120 = tile.mul %118, %119 : tensor<2xi64>
    %121 = tile.constant 1 : i64 tensor<2xi64>
    %122 = tile.add %120, %121 : tensor<2xi64>
    %123 = tile.cast %122 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
    %124 = tile.mul %117, %123 : tensor<2xui64>
    %125 = tile.reduce sum %124 along 0 : tensor<2xui64> -> ui64
    %126 = tile.constant 31 : ui64
    %127 = tile.mul %115, %126 : ui64
    %128 = tile.add %127, %125 : ui64
    %129 = tile.constant 0 : i64
    tile.store %128, %digest[%129] : ui64, !tile.view<1xui64, out>, i64
  }
}
