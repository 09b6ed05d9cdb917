module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?xui8, in> shape ()[s0] -> (s0), %y0 "y0": !tile.view<?x?x?xbf16, out> shape ()[s0] -> (s0, s0, s0), %digest "digest": !tile.view<1xui64, out> shape ()[s0] -> (1))
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
    %1 = tile.span %0, %M exact : !tile.span<59>
    %2 = tile.load %x0[%1] : !tile.view<?xui8, in>, !tile.span<59> -> tensor<59xui8>
    %3 = tile.mulhi %2, %2 : tensor<59xui8>
    %4 = tile.cast %2 : tensor<59xui8> to tensor<59xui32>
    %5 = tile.cmp lt, %3, %3 : tensor<59xui8>
    %6 = tile.constant 0 : i64
    %7 = tile.cmp gt, %M, %6 : i64
    %8 = scf.if %7 -> (tensor<59xui32>) {
      %144 = tile.cast %4 : tensor<59xui32> to tensor<59xui64>
      %145 = tile.max %4, %4 : tensor<59xui32>
      scf.yield %145 : tensor<59xui32>
    } else {
      scf.yield %4 : tensor<59xui32>
    }
    %9 = tile.constant 7 : ui32 tensor<59xui32>
    %10 = tile.cmp gt, %8, %9 : tensor<59xui32>
    %11 = tile.not %10 : tensor<59xi1>
    %values, %indices = tile.topk 1 of %8 along 0 : tensor<59xui32> -> tensor<1xui32>, tensor<1xi64>
    %12 = tile.bits %values : tensor<1xui32>
    %13 = tile.constant 5.000000e-01 : bf16 tensor<59x59x59xbf16>
    tile.store %13, %y0[%1, %1, %1] : tensor<59x59x59xbf16>, !tile.view<?x?x?xbf16, out>, !tile.span<59>, !tile.span<59>, !tile.span<59>
    %14 = tile.cast %2 : tensor<59xui8> to tensor<59xui64>
    %15 = tile.reshape %14 : tensor<59xui64> to tensor<59xui64>
    %16 = tile.iota : tensor<59xi64>
    %17 = tile.constant 2 : i64 tensor<59xi64>
    %18 = tile.mul %16, %17 : tensor<59xi64>
    %19 = tile.constant 1 : i64 tensor<59xi64>
    %20 = tile.add %18, %19 : tensor<59xi64>
    %21 = tile.cast %20 {overflow = #tile.overflow<wrap>} : tensor<59xi64> to tensor<59xui64>
    %22 = tile.mul %15, %21 : tensor<59xui64>
    %23 = tile.reduce sum %22 along 0 : tensor<59xui64> -> ui64
    %24 = tile.constant 527 : ui64
    %25 = tile.add %24, %23 : ui64
    %26 = tile.cast %3 : tensor<59xui8> to tensor<59xui64>
    %27 = tile.reshape %26 : tensor<59xui64> to tensor<59xui64>
    %28 = tile.iota : tensor<59xi64>
    %29 = tile.constant 2 : i64 tensor<59xi64>
    %30 = tile.mul %28, %29 : tensor<59xi64>
    %31 = tile.constant 1 : i64 tensor<59xi64>
    %32 = tile.add %30, %31 : tensor<59xi64>
    %33 = tile.cast %32 {overflow = #tile.overflow<wrap>} : tensor<59xi64> to tensor<59xui64>
    %34 = tile.mul %27, %33 : tensor<59xui64>
    %35 = tile.reduce sum %34 along 0 : tensor<59xui64> -> ui64
    %36 = tile.constant 31 : ui64
    %37 = tile.mul %25, %36 : ui64
    %38 = tile.add %37, %35 : ui64
    %39 = tile.cast %4 : tensor<59xui32> to tensor<59xui64>
    %40 = tile.reshape %39 : tensor<59xui64> to tensor<59xui64>
    %41 = tile.iota : tensor<59xi64>
    %42 = tile.constant 2 : i64 tensor<59xi64>
    %43 = tile.mul %41, %42 : tensor<59xi64>
    %44 = tile.constant 1 : i64 tensor<59xi64>
    %45 = tile.add %43, %44 : tensor<59xi64>
    %46 = tile.cast %45 {overflow = #tile.overflow<wrap>} : tensor<59xi64> to tensor<59xui64>
    %47 = tile.mul %40, %46 : tensor<59xui64>
    %48 = tile.reduce sum %47 along 0 : tensor<59xui64> -> ui64
    %49 = tile.constant 31 : ui64
    %50 = tile.mul %38, %49 : ui64
    %51 = tile.add %50, %48 : ui64
    %52 = tile.cast %5 : tensor<59xi1> to tensor<59xui64>
    %53 = tile.reshape %52 : tensor<59xui64> to tensor<59xui64>
    %54 = tile.iota : tensor<59xi64>
    %55 = tile.constant 2 : i64 tensor<59xi64>
    %56 = tile.mul %54, %55 : tensor<59xi64>
    %57 = tile.constant 1 : i64 tensor<59xi64>
    %58 = tile.add %56, %57 : tensor<59xi64>
    %59 = tile.cast %58 {overflow = #tile.overflow<wrap>} : tensor<59xi64> to tensor<59xui64>
    %60 = tile.mul %53, %59 : tensor<59xui64>
    %61 = tile.reduce sum %60 along 0 : tensor<59xui64> -> ui64
    %62 = tile.constant 31 : ui64
    %63 = tile.mul %51, %62 : ui64
    %64 = tile.add %63, %61 : ui64
    %65 = tile.cast %8 : tensor<59xui32> to tensor<59xui64>
    %66 = tile.reshape %65 : tensor<59xui64> to tensor<59xui64>
    %67 = tile.iota : tensor<59xi64>
    %68 = tile.constant 2 : i64 tensor<59xi64>
    %69 = tile.mul %67, %68 : tensor<59xi64>
    %70 = tile.constant 1 : i64 tensor<59xi64>
    %71 = tile.add %69, %70 : tensor<59xi64>
    %72 = tile.cast %71 {overflow = #tile.overflow<wrap>} : tensor<59xi64> to tensor<59xui64>
    %73 = tile.mul %66, %72 : tensor<59xui64>
    %74 = tile.reduce sum %73 along 0 : tensor<59xui64> -> ui64
    %75 = tile.constant 31 : ui64
    %76 = tile.mul %64, %75 : ui64
    %77 = tile.add %76, %74 : ui64
    %78 = tile.cast %10 : tensor<59xi1> to tensor<59xui64>
    %79 = tile.reshape %78 : tensor<59xui64> to tensor<59xui64>
    %80 = tile.iota : tensor<59xi64>
    %81 = tile.constant 2 : i64 tensor<59xi64>
    %82 = tile.mul %80, %81 : tensor<59xi64>
    %83 = tile.constant 1 : i64 tensor<59xi64>
    %84 = tile.add %82, %83 : tensor<59xi64>
    %85 = tile.cast %84 {overflow = #tile.overflow<wrap>} : tensor<59xi64> to tensor<59xui64>
    %86 = tile.mul %79, %85 : tensor<59xui64>
    %87 = tile.reduce sum %86 along 0 : tensor<59xui64> -> ui64
    %88 = tile.constant 31 : ui64
    %89 = tile.mul %77, %88 : ui64
    %90 = tile.add %89, %87 : ui64
    %91 = tile.cast %11 : tensor<59xi1> to tensor<59xui64>
    %92 = tile.reshape %91 : tensor<59xui64> to tensor<59xui64>
    %93 = tile.iota : tensor<59xi64>
    %94 = tile.constant 2 : i64 tensor<59xi64>
    %95 = tile.mul %93, %94 : tensor<59xi64>
    %96 = tile.constant 1 : i64 tensor<59xi64>
    %97 = tile.add %95, %96 : tensor<59xi64>
    %98 = tile.cast %97 {overflow = #tile.overflow<wrap>} : tensor<59xi64> to tensor<59xui64>
    %99 = tile.mul %92, %98 : tensor<59xui64>
    %100 = tile.reduce sum %99 along 0 : tensor<59xui64> -> ui64
    %101 = tile.constant 31 : ui64
    %102 = tile.mul %90, %101 : ui64
    %103 = tile.add %102, %100 : ui64
    %104 = tile.cast %values : tensor<1xui32> to tensor<1xui64>
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
    %117 = tile.cast %indices {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
    %118 = tile.reshape %117 : tensor<1xui64> to tensor<1xui64>
    %119 = tile.iota : tensor<1xi64>
    %120 = tile.constant 2 : i64 tensor<1xi64>
    %121 = tile.mul %119, %120 : tensor<1xi64>
    %122 = tile.constant 1 : i64 tensor<1xi64>
    %123 = tile.add %121, %122 : tensor<1xi64>
    %124 = tile.cast %123 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
    %125 = tile.mul %118, %124 : tensor<1xui64>
    %126 = tile.reduce sum %125 along 0 : tensor<1xui64> -> ui64
    %127 = tile.constant 31 : ui64
    %128 = tile.mul %116, %127 : ui64
    %129 = tile.add %128, %126 : ui64
    %130 = tile.cast %12 : tensor<1xui32> to tensor<1xui64>
    %131 = tile.reshape %130 : tensor<1xui64> to tensor<1xui64>
    %132 = tile.iota : tensor<1xi64>
    %133 = tile.constant 2 : i64 tensor<1xi64>
    %134 = tile.mul %132, %133 : tensor<1xi64>
    %135 = tile.constant 1 : i64 tensor<1xi64>
    %136 = tile.add %134, %135 : tensor<1xi64>
    %137 = tile.cast %136 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
    %138 = tile.mul %131, %137 : tensor<1xui64>
    %139 = tile.reduce sum %138 along 0 : tensor<1xui64> -> ui64
    %140 = tile.constant 31 : ui64
    %141 = tile.mul %129, %140 : ui64
    %142 = tile.add %141, %139 : ui64
    %143 = tile.constant 0 : i64
    tile.store %142, %digest[%143] : ui64, !tile.view<1xui64, out>, i64
  }
}
