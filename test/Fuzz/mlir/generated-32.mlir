module {
  tile.kernel @generated[%M "M", %N "N"](%x0 "x0": !tile.view<5xf32, in> shape ()[s0, s1] -> (5), %x1 "x1": !tile.view<?xi32, in> shape ()[s0, s1] -> (s0), %x2 "x2": !tile.view<?xi16, in> shape ()[s0, s1] -> (s1), %s0 "s0": ui32, %s1 "s1": i16, %y0 "y0": !tile.view<5xi8, out> shape ()[s0, s1] -> (5), %y1 "y1": !tile.view<?x1xi64, out> shape ()[s0, s1] -> (s0, 1), %digest "digest": !tile.view<1xui64, out> shape ()[s0, s1] -> (1))
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.span %0, %M exact : !tile.span<8>
    %2 = tile.constant 0 : i64
    %3 = tile.span %2, %N exact : !tile.span<22>
    %4 = tile.load %x2[%3] : !tile.view<?xi16, in>, !tile.span<22> -> tensor<22xi16>
    %5 = tile.load %x0[:] : !tile.view<5xf32, in> -> tensor<5xf32>
    %6 = tile.load %x1[%1] : !tile.view<?xi32, in>, !tile.span<8> -> tensor<8xi32>
    %7 = tile.sub %6, %6 : tensor<8xi32>
    %8 = tile.constant 7 : i32 tensor<8xi32>
    %9 = tile.mod %7, %8 : tensor<8xi32>
    %10 = tile.load %x1[%1] : !tile.view<?xi32, in>, !tile.span<8> -> tensor<8xi32>
    %11 = tile.scan prod %10 along 0 {exclusive} : tensor<8xi32> -> tensor<8xi32>
    %12 = tile.cast %5 {round = #tile.round<rz>} : tensor<5xf32> to tensor<5xi8>
    tile.store %12, %y0[:] : tensor<5xi8>, !tile.view<5xi8, out>
    %13 = tile.cast %s0 : ui32 to i64
    %14 = tile.splat %13 : i64 to tensor<8x1xi64>
    tile.store %14, %y1[%1, :] : tensor<8x1xi64>, !tile.view<?x1xi64, out>, !tile.span<8>
    %15 = tile.cast %s0 : ui32 to ui64
    %16 = tile.constant 527 : ui64
    %17 = tile.add %16, %15 : ui64
    %18 = tile.cast %4 {overflow = #tile.overflow<wrap>} : tensor<22xi16> to tensor<22xui64>
    %19 = tile.reshape %18 : tensor<22xui64> to tensor<22xui64>
    %20 = tile.iota : tensor<22xi64>
    %21 = tile.constant 2 : i64 tensor<22xi64>
    %22 = tile.mul %20, %21 : tensor<22xi64>
    %23 = tile.constant 1 : i64 tensor<22xi64>
    %24 = tile.add %22, %23 : tensor<22xi64>
    %25 = tile.cast %24 {overflow = #tile.overflow<wrap>} : tensor<22xi64> to tensor<22xui64>
    %26 = tile.mul %19, %25 : tensor<22xui64>
    %27 = tile.reduce sum %26 along 0 : tensor<22xui64> -> ui64
    %28 = tile.constant 31 : ui64
    %29 = tile.mul %17, %28 : ui64
    %30 = tile.add %29, %27 : ui64
    %31 = tile.bits %5 : tensor<5xf32>
    %32 = tile.isnan %5 : tensor<5xf32>
    %33 = tile.constant 1 : ui32 tensor<5xui32>
    %34 = tile.select %32, %33, %31 : tensor<5xui32>
    %35 = tile.cast %34 : tensor<5xui32> to tensor<5xui64>
    %36 = tile.reshape %35 : tensor<5xui64> to tensor<5xui64>
    %37 = tile.iota : tensor<5xi64>
    %38 = tile.constant 2 : i64 tensor<5xi64>
    %39 = tile.mul %37, %38 : tensor<5xi64>
    %40 = tile.constant 1 : i64 tensor<5xi64>
    %41 = tile.add %39, %40 : tensor<5xi64>
    %42 = tile.cast %41 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
    %43 = tile.mul %36, %42 : tensor<5xui64>
    %44 = tile.reduce sum %43 along 0 : tensor<5xui64> -> ui64
    %45 = tile.constant 31 : ui64
    %46 = tile.mul %30, %45 : ui64
    %47 = tile.add %46, %44 : ui64
    %48 = tile.cast %6 {overflow = #tile.overflow<wrap>} : tensor<8xi32> to tensor<8xui64>
    %49 = tile.reshape %48 : tensor<8xui64> to tensor<8xui64>
    %50 = tile.iota : tensor<8xi64>
    %51 = tile.constant 2 : i64 tensor<8xi64>
    %52 = tile.mul %50, %51 : tensor<8xi64>
    %53 = tile.constant 1 : i64 tensor<8xi64>
    %54 = tile.add %52, %53 : tensor<8xi64>
    %55 = tile.cast %54 {overflow = #tile.overflow<wrap>} : tensor<8xi64> to tensor<8xui64>
    %56 = tile.mul %49, %55 : tensor<8xui64>
    %57 = tile.reduce sum %56 along 0 : tensor<8xui64> -> ui64
    %58 = tile.constant 31 : ui64
    %59 = tile.mul %47, %58 : ui64
    %60 = tile.add %59, %57 : ui64
    %61 = tile.cast %7 {overflow = #tile.overflow<wrap>} : tensor<8xi32> to tensor<8xui64>
    %62 = tile.reshape %61 : tensor<8xui64> to tensor<8xui64>
    %63 = tile.iota : tensor<8xi64>
    %64 = tile.constant 2 : i64 tensor<8xi64>
    %65 = tile.mul %63, %64 : tensor<8xi64>
    %66 = tile.constant 1 : i64 tensor<8xi64>
    %67 = tile.add %65, %66 : tensor<8xi64>
    %68 = tile.cast %67 {overflow = #tile.overflow<wrap>} : tensor<8xi64> to tensor<8xui64>
    %69 = tile.mul %62, %68 : tensor<8xui64>
    %70 = tile.reduce sum %69 along 0 : tensor<8xui64> -> ui64
    %71 = tile.constant 31 : ui64
    %72 = tile.mul %60, %71 : ui64
    %73 = tile.add %72, %70 : ui64
    %74 = tile.cast %9 {overflow = #tile.overflow<wrap>} : tensor<8xi32> to tensor<8xui64>
    %75 = tile.reshape %74 : tensor<8xui64> to tensor<8xui64>
    %76 = tile.iota : tensor<8xi64>
    %77 = tile.constant 2 : i64 tensor<8xi64>
    %78 = tile.mul %76, %77 : tensor<8xi64>
    %79 = tile.constant 1 : i64 tensor<8xi64>
    %80 = tile.add %78, %79 : tensor<8xi64>
    %81 = tile.cast %80 {overflow = #tile.overflow<wrap>} : tensor<8xi64> to tensor<8xui64>
    %82 = tile.mul %75, %81 : tensor<8xui64>
    %83 = tile.reduce sum %82 along 0 : tensor<8xui64> -> ui64
    %84 = tile.constant 31 : ui64
    %85 = tile.mul %73, %84 : ui64
    %86 = tile.add %85, %83 : ui64
    %87 = tile.cast %10 {overflow = #tile.overflow<wrap>} : tensor<8xi32> to tensor<8xui64>
    %88 = tile.reshape %87 : tensor<8xui64> to tensor<8xui64>
    %89 = tile.iota : tensor<8xi64>
    %90 = tile.constant 2 : i64 tensor<8xi64>
    %91 = tile.mul %89, %90 : tensor<8xi64>
    %92 = tile.constant 1 : i64 tensor<8xi64>
    %93 = tile.add %91, %92 : tensor<8xi64>
    %94 = tile.cast %93 {overflow = #tile.overflow<wrap>} : tensor<8xi64> to tensor<8xui64>
    %95 = tile.mul %88, %94 : tensor<8xui64>
    %96 = tile.reduce sum %95 along 0 : tensor<8xui64> -> ui64
    %97 = tile.constant 31 : ui64
    %98 = tile.mul %86, %97 : ui64
    %99 = tile.add %98, %96 : ui64
    %100 = tile.cast %11 {overflow = #tile.overflow<wrap>} : tensor<8xi32> to tensor<8xui64>
    %101 = tile.reshape %100 : tensor<8xui64> to tensor<8xui64>
    %102 = tile.iota : tensor<8xi64>
    %103 = tile.constant 2 : i64 tensor<8xi64>
    %104 = tile.mul %102, %103 : tensor<8xi64>
    %105 = tile.constant 1 : i64 tensor<8xi64>
    %106 = tile.add %104, %105 : tensor<8xi64>
    %107 = tile.cast %106 {overflow = #tile.overflow<wrap>} : tensor<8xi64> to tensor<8xui64>
    %108 = tile.mul %101, %107 : tensor<8xui64>
    %109 = tile.reduce sum %108 along 0 : tensor<8xui64> -> ui64
    %110 = tile.constant 31 : ui64
    %111 = tile.mul %99, %110 : ui64
    %112 = tile.add %111, %109 : ui64
    %113 = tile.cast %12 {overflow = #tile.overflow<wrap>} : tensor<5xi8> to tensor<5xui64>
    %114 = tile.reshape %113 : tensor<5xui64> to tensor<5xui64>
    %115 = tile.iota : tensor<5xi64>
    %116 = tile.constant 2 : i64 tensor<5xi64>
    %117 = tile.mul %115, %116 : tensor<5xi64>
    %118 = tile.constant 1 : i64 tensor<5xi64>
    %119 = tile.add %117, %118 : tensor<5xi64>
    %120 = tile.cast %119 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
    %121 = tile.mul %114, %120 : tensor<5xui64>
    %122 = tile.reduce sum %121 along 0 : tensor<5xui64> -> ui64
    %123 = tile.constant 31 : ui64
    %124 = tile.mul %112, %123 : ui64
    %125 = tile.add %124, %122 : ui64
    %126 = tile.cast %13 {overflow = #tile.overflow<wrap>} : i64 to ui64
    %127 = tile.constant 31 : ui64
    %128 = tile.mul %125, %127 : ui64
    %129 = tile.add %128, %126 : ui64
    %130 = tile.cast %14 {overflow = #tile.overflow<wrap>} : tensor<8x1xi64> to tensor<8x1xui64>
    %131 = tile.reshape %130 : tensor<8x1xui64> to tensor<8xui64>
    %132 = tile.iota : tensor<8xi64>
    %133 = tile.constant 2 : i64 tensor<8xi64>
    %134 = tile.mul %132, %133 : tensor<8xi64>
    %135 = tile.constant 1 : i64 tensor<8xi64>
    %136 = tile.add %134, %135 : tensor<8xi64>
    %137 = tile.cast %136 {overflow = #tile.overflow<wrap>} : tensor<8xi64> to tensor<8xui64>
    %138 = tile.mul %131, %137 : tensor<8xui64>
    %139 = tile.reduce sum %138 along 0 : tensor<8xui64> -> ui64
    %140 = tile.constant 31 : ui64
    %141 = tile.mul %129, %140 : ui64
    %142 = tile.add %141, %139 : ui64
    %143 = tile.constant 0 : i64
    tile.store %142, %digest[%143] : ui64, !tile.view<1xui64, out>, i64
  }
}
