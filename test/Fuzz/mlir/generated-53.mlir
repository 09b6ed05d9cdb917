module {
  tile.kernel @generated[%N "N", %K "K", %M "M"](%x0 "x0": !tile.view<?x?x?xui16, in> shape ()[s0, s1, s2] -> (s0, s1, s0), %x1 "x1": !tile.view<?xi8, in> shape ()[s0, s1, s2] -> (s2), %s0 "s0": i1, %s1 "s1": i64, %y0 "y0": !tile.view<?x5x?xui32, inout> shape ()[s0, s1, s2] -> (s2, 5, s0), %digest "digest": !tile.view<?x?xui64, out> shape ()[s0, s1, s2] -> (s2, s0)) math contract
  where {
    %0 = tile.constant 4096 : i64
    %1 = tile.cmp le, %M, %0 : i64
    tile.require %1, "M <= 4096"
    %2 = tile.constant 1 : i64
    %3 = tile.add %K, %2 : i64
    %4 = tile.constant 0 : i64
    %5 = tile.cmp gt, %3, %4 : i64
    tile.require %5, "K + 1 > 0"
  }
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.span %0, %K exact : !tile.span<17>
    %2 = tile.constant 0 : i64
    %3 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%2 to %M by 16), %arg1 = tiles(%3 to %N by 3)) {
      %4 = tile.span_start %arg1 : !tile.span<3>
      %5 = tile.load %x0[%4, %1, %arg1] : !tile.view<?x?x?xui16, in>, i64, !tile.span<17>, !tile.span<3> -> tensor<17x3xui16>
      %6 = tile.load %x1[%arg0] : !tile.view<?xi8, in>, !tile.span<16> -> tensor<16xi8>
      %7 = tile.constant 100 : i8 tensor<16xi8>
      %8 = tile.max %6, %7 : tensor<16xi8>
      %9 = tile.constant -1 : i8 tensor<16xi8>
      %10 = tile.fill_absent %6, %9 : tensor<16xi8>
      %11 = tile.iota : tensor<16xi64>
      %12 = tile.constant 3 : i64 tensor<16xi64>
      %13 = tile.mod %11, %12 : tensor<16xi64>
      %14 = tile.constant 1 : i64 tensor<16xi64>
      %15 = tile.cmp ne, %13, %14 : tensor<16xi64>
      %16 = tile.keep_if %6, %15 over [0] : tensor<16xi8>, tensor<16xi1>
      %17 = tile.span_index %arg0 : !tile.span<16> -> tensor<16xi64>
      %18 = tile.span_stop %arg0 : !tile.span<16>
      %19 = tile.reduce and %8 along 0 : tensor<16xi8> -> i8
      %20 = tile.expand %19 at [0] : i8 to tensor<1xi8>
      %21 = tile.cast %18 {overflow = #tile.overflow<wrap>} : i64 to ui32
      %22 = tile.splat %21 : ui32 to tensor<16x5x3xui32>
      tile.store %22, %y0[%arg0, :, %arg1] : tensor<16x5x3xui32>, !tile.view<?x5x?xui32, inout>, !tile.span<16>, !tile.span<3>
      %23 = tile.cast %s1 {overflow = #tile.overflow<wrap>} : i64 to ui64
      %24 = tile.constant 527 : ui64
      %25 = tile.add %24, %23 : ui64
      %26 = tile.cast %5 : tensor<17x3xui16> to tensor<17x3xui64>
      %27 = tile.reshape %26 : tensor<17x3xui64> to tensor<51xui64>
      %28 = tile.iota : tensor<51xi64>
      %29 = tile.constant 2 : i64 tensor<51xi64>
      %30 = tile.mul %28, %29 : tensor<51xi64>
      %31 = tile.constant 1 : i64 tensor<51xi64>
      %32 = tile.add %30, %31 : tensor<51xi64>
      %33 = tile.cast %32 {overflow = #tile.overflow<wrap>} : tensor<51xi64> to tensor<51xui64>
      %34 = tile.mul %27, %33 : tensor<51xui64>
      %35 = tile.reduce sum %34 along 0 : tensor<51xui64> -> ui64
      %36 = tile.constant 31 : ui64
      %37 = tile.mul %25, %36 : ui64
      %38 = tile.add %37, %35 : ui64
      %39 = tile.cast %6 {overflow = #tile.overflow<wrap>} : tensor<16xi8> to tensor<16xui64>
      %40 = tile.reshape %39 : tensor<16xui64> to tensor<16xui64>
      %41 = tile.iota : tensor<16xi64>
      %42 = tile.constant 2 : i64 tensor<16xi64>
      %43 = tile.mul %41, %42 : tensor<16xi64>
      %44 = tile.constant 1 : i64 tensor<16xi64>
      %45 = tile.add %43, %44 : tensor<16xi64>
      %46 = tile.cast %45 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
      %47 = tile.mul %40, %46 : tensor<16xui64>
      %48 = tile.reduce sum %47 along 0 : tensor<16xui64> -> ui64
      %49 = tile.constant 31 : ui64
      %50 = tile.mul %38, %49 : ui64
      %51 = tile.add %50, %48 : ui64
      %52 = tile.cast %8 {overflow = #tile.overflow<wrap>} : tensor<16xi8> to tensor<16xui64>
      %53 = tile.reshape %52 : tensor<16xui64> to tensor<16xui64>
      %54 = tile.iota : tensor<16xi64>
      %55 = tile.constant 2 : i64 tensor<16xi64>
      %56 = tile.mul %54, %55 : tensor<16xi64>
      %57 = tile.constant 1 : i64 tensor<16xi64>
      %58 = tile.add %56, %57 : tensor<16xi64>
      %59 = tile.cast %58 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
      %60 = tile.mul %53, %59 : tensor<16xui64>
      %61 = tile.reduce sum %60 along 0 : tensor<16xui64> -> ui64
      %62 = tile.constant 31 : ui64
      %63 = tile.mul %51, %62 : ui64
      %64 = tile.add %63, %61 : ui64
      %65 = tile.cast %10 {overflow = #tile.overflow<wrap>} : tensor<16xi8> to tensor<16xui64>
      %66 = tile.reshape %65 : tensor<16xui64> to tensor<16xui64>
      %67 = tile.iota : tensor<16xi64>
      %68 = tile.constant 2 : i64 tensor<16xi64>
      %69 = tile.mul %67, %68 : tensor<16xi64>
      %70 = tile.constant 1 : i64 tensor<16xi64>
      %71 = tile.add %69, %70 : tensor<16xi64>
      %72 = tile.cast %71 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
      %73 = tile.mul %66, %72 : tensor<16xui64>
      %74 = tile.reduce sum %73 along 0 : tensor<16xui64> -> ui64
      %75 = tile.constant 31 : ui64
      %76 = tile.mul %64, %75 : ui64
      %77 = tile.add %76, %74 : ui64
      %78 = tile.cast %16 {overflow = #tile.overflow<wrap>} : tensor<16xi8> to tensor<16xui64>
      %79 = tile.reshape %78 : tensor<16xui64> to tensor<16xui64>
      %80 = tile.iota : tensor<16xi64>
      %81 = tile.constant 2 : i64 tensor<16xi64>
      %82 = tile.mul %80, %81 : tensor<16xi64>
      %83 = tile.constant 1 : i64 tensor<16xi64>
      %84 = tile.add %82, %83 : tensor<16xi64>
      %85 = tile.cast %84 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
      %86 = tile.mul %79, %85 : tensor<16xui64>
      %87 = tile.reduce sum %86 along 0 : tensor<16xui64> -> ui64
      %88 = tile.constant 31 : ui64
      %89 = tile.mul %77, %88 : ui64
      %90 = tile.add %89, %87 : ui64
      %91 = tile.cast %17 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
      %92 = tile.reshape %91 : tensor<16xui64> to tensor<16xui64>
      %93 = tile.iota : tensor<16xi64>
      %94 = tile.constant 2 : i64 tensor<16xi64>
      %95 = tile.mul %93, %94 : tensor<16xi64>
      %96 = tile.constant 1 : i64 tensor<16xi64>
      %97 = tile.add %95, %96 : tensor<16xi64>
      %98 = tile.cast %97 {overflow = #tile.overflow<wrap>} : tensor<16xi64> to tensor<16xui64>
      %99 = tile.mul %92, %98 : tensor<16xui64>
      %100 = tile.reduce sum %99 along 0 : tensor<16xui64> -> ui64
      %101 = tile.constant 31 : ui64
      %102 = tile.mul %90, %101 : ui64
      %103 = tile.add %102, %100 : ui64
      %104 = tile.cast %20 {overflow = #tile.overflow<wrap>} : tensor<1xi8> to tensor<1xui64>
      %105 = tile.reshape %104 : tensor<1xui64> to tensor<1xui64>
      %106 = tile.iota : tensor<1xi64>
      %107 = tile.constant 2 : i64 tensor<1xi64>
      %108 = tile.mul %106, %107 : tensor<1xi64>
      %109 = tile.constant 1 : i64 tensor<1xi64>
      %110 = tile.add %108, %109 : tensor<1xi64>
      %111 = tile.cast %110 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
      %112 = tile.mul %105, %111 : tensor<1xui64>
      %113 = tile.reduce sum %112 along 0 : tensor<1xui64> -> ui64
      %114 = tile.constant 31 : ui64
      %115 = tile.mul %103, %114 : ui64
      %116 = tile.add %115, %113 : ui64
      %117 = tile.cast %22 : tensor<16x5x3xui32> to tensor<16x5x3xui64>
      %118 = tile.reshape %117 : tensor<16x5x3xui64> to tensor<240xui64>
      %119 = tile.iota : tensor<240xi64>
      %120 = tile.constant 2 : i64 tensor<240xi64>
      %121 = tile.mul %119, %120 : tensor<240xi64>
      %122 = tile.constant 1 : i64 tensor<240xi64>
      %123 = tile.add %121, %122 : tensor<240xi64>
      %124 = tile.cast %123 {overflow = #tile.overflow<wrap>} : tensor<240xi64> to tensor<240xui64>
      %125 = tile.mul %118, %124 : tensor<240xui64>
      %126 = tile.reduce sum %125 along 0 : tensor<240xui64> -> ui64
      %127 = tile.constant 31 : ui64
      %128 = tile.mul %116, %127 : ui64
      %129 = tile.add %128, %126 : ui64
      %130 = tile.splat %129 : ui64 to tensor<16x3xui64>
      tile.store %130, %digest[%arg0, %arg1] : tensor<16x3xui64>, !tile.view<?x?xui64, out>, !tile.span<16>, !tile.span<3>
    }
  }
}
