module {
  tile.kernel @generated[%M "M", %N "N"](%x0 "x0": !tile.view<?x?x?xf8E5M2, in> shape ()[s0, s1] -> (s0, s1, s0), %x1 "x1": !tile.view<4xui64, in> shape ()[s0, s1] -> (4), %y0 "y0": !tile.view<?x?xi32, inout> shape ()[s0, s1] -> (s0, s1), %y1 "y1": !tile.view<?x?x?xi32, inout> shape ()[s0, s1] -> (s0, s0, s1), %digest "digest": !tile.view<?x?xui64, out> shape ()[s0, s1] -> (s0, s1))
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
    tile.grid (%arg0 = tiles(%0 to %M by 24), %arg1 = tiles(%1 to %N by 5)) {
      %2 = tile.load %x1[:] : !tile.view<4xui64, in> -> tensor<4xui64>
      %value, %index = tile.argmax %2 along 0 : tensor<4xui64> -> ui64, i64
      %3 = tile.bits %index : i64
      %4 = tile.constant -1 : i64
      %5 = tile.mod %index, %4 : i64
      %6 = tile.reduce absmax %2 along 0 : tensor<4xui64> -> ui64
      %7 = tile.expand %6 at [0] : ui64 to tensor<1xui64>
      %8 = tile.mulhi %3, %3 : ui64
      %9 = tile.span_index %arg0 : !tile.span<24> -> tensor<24xi64>
      %10 = tile.span_stop %arg0 : !tile.span<24>
      %11 = tile.constant 1 : i64 tensor<24xi64>
      %12 = tile.fill_absent %9, %11 : tensor<24xi64>
      %13 = tile.cat %7, %7 along 0 : tensor<1xui64>, tensor<1xui64> to tensor<2xui64>
      %14 = tile.expand %2 at [1] : tensor<4xui64> to tensor<4x1xui64>
      %15 = tile.cast %8 {overflow = #tile.overflow<sat>} : ui64 to i32
      %16 = tile.splat %15 : i32 to tensor<24x5xi32>
      tile.store %16, %y0[%arg0, %arg1] : tensor<24x5xi32>, !tile.view<?x?xi32, inout>, !tile.span<24>, !tile.span<5>
      %17 = tile.cast %8 {overflow = #tile.overflow<sat>} : ui64 to i32
      %18 = tile.splat %17 : i32 to tensor<24x24x5xi32>
      tile.store %18, %y1[%arg0, %arg0, %arg1] : tensor<24x24x5xi32>, !tile.view<?x?x?xi32, inout>, !tile.span<24>, !tile.span<24>, !tile.span<5>
      %19 = tile.reshape %2 : tensor<4xui64> to tensor<4xui64>
      %20 = tile.iota : tensor<4xi64>
      %21 = tile.constant 2 : i64 tensor<4xi64>
      %22 = tile.mul %20, %21 : tensor<4xi64>
      %23 = tile.constant 1 : i64 tensor<4xi64>
      %24 = tile.add %22, %23 : tensor<4xi64>
      %25 = tile.cast %24 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %26 = tile.mul %19, %25 : tensor<4xui64>
      %27 = tile.reduce sum %26 along 0 : tensor<4xui64> -> ui64
      %28 = tile.constant 527 : ui64
      %29 = tile.add %28, %27 : ui64
      %30 = tile.cast %index {overflow = #tile.overflow<wrap>} : i64 to ui64
      %31 = tile.constant 31 : ui64
      %32 = tile.mul %29, %31 : ui64
      %33 = tile.add %32, %30 : ui64
      %34 = tile.cast %5 {overflow = #tile.overflow<wrap>} : i64 to ui64
      %35 = tile.constant 31 : ui64
      %36 = tile.mul %33, %35 : ui64
      %37 = tile.add %36, %34 : ui64
      %38 = tile.reshape %7 : tensor<1xui64> to tensor<1xui64>
      %39 = tile.iota : tensor<1xi64>
      %40 = tile.constant 2 : i64 tensor<1xi64>
      %41 = tile.mul %39, %40 : tensor<1xi64>
      %42 = tile.constant 1 : i64 tensor<1xi64>
      %43 = tile.add %41, %42 : tensor<1xi64>
      %44 = tile.cast %43 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
      %45 = tile.mul %38, %44 : tensor<1xui64>
      %46 = tile.reduce sum %45 along 0 : tensor<1xui64> -> ui64
      %47 = tile.constant 31 : ui64
      %48 = tile.mul %37, %47 : ui64
      %49 = tile.add %48, %46 : ui64
      %50 = tile.constant 31 : ui64
      %51 = tile.mul %49, %50 : ui64
      %52 = tile.add %51, %8 : ui64
      %53 = tile.cast %9 {overflow = #tile.overflow<wrap>} : tensor<24xi64> to tensor<24xui64>
      %54 = tile.reshape %53 : tensor<24xui64> to tensor<24xui64>
      %55 = tile.iota : tensor<24xi64>
      %56 = tile.constant 2 : i64 tensor<24xi64>
      %57 = tile.mul %55, %56 : tensor<24xi64>
      %58 = tile.constant 1 : i64 tensor<24xi64>
      %59 = tile.add %57, %58 : tensor<24xi64>
      %60 = tile.cast %59 {overflow = #tile.overflow<wrap>} : tensor<24xi64> to tensor<24xui64>
      %61 = tile.mul %54, %60 : tensor<24xui64>
      %62 = tile.reduce sum %61 along 0 : tensor<24xui64> -> ui64
      %63 = tile.constant 31 : ui64
      %64 = tile.mul %52, %63 : ui64
      %65 = tile.add %64, %62 : ui64
      %66 = tile.cast %10 {overflow = #tile.overflow<wrap>} : i64 to ui64
      %67 = tile.constant 31 : ui64
      %68 = tile.mul %65, %67 : ui64
      %69 = tile.add %68, %66 : ui64
      %70 = tile.cast %12 {overflow = #tile.overflow<wrap>} : tensor<24xi64> to tensor<24xui64>
      %71 = tile.reshape %70 : tensor<24xui64> to tensor<24xui64>
      %72 = tile.iota : tensor<24xi64>
      %73 = tile.constant 2 : i64 tensor<24xi64>
      %74 = tile.mul %72, %73 : tensor<24xi64>
      %75 = tile.constant 1 : i64 tensor<24xi64>
      %76 = tile.add %74, %75 : tensor<24xi64>
      %77 = tile.cast %76 {overflow = #tile.overflow<wrap>} : tensor<24xi64> to tensor<24xui64>
      %78 = tile.mul %71, %77 : tensor<24xui64>
      %79 = tile.reduce sum %78 along 0 : tensor<24xui64> -> ui64
      %80 = tile.constant 31 : ui64
      %81 = tile.mul %69, %80 : ui64
      %82 = tile.add %81, %79 : ui64
      %83 = tile.reshape %13 : tensor<2xui64> to tensor<2xui64>
      %84 = tile.iota : tensor<2xi64>
      %85 = tile.constant 2 : i64 tensor<2xi64>
      %86 = tile.mul %84, %85 : tensor<2xi64>
      %87 = tile.constant 1 : i64 tensor<2xi64>
      %88 = tile.add %86, %87 : tensor<2xi64>
      %89 = tile.cast %88 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
      %90 = tile.mul %83, %89 : tensor<2xui64>
      %91 = tile.reduce sum %90 along 0 : tensor<2xui64> -> ui64
      %92 = tile.constant 31 : ui64
      %93 = tile.mul %82, %92 : ui64
      %94 = tile.add %93, %91 : ui64
      %95 = tile.reshape %14 : tensor<4x1xui64> to tensor<4xui64>
      %96 = tile.iota : tensor<4xi64>
      %97 = tile.constant 2 : i64 tensor<4xi64>
      %98 = tile.mul %96, %97 : tensor<4xi64>
      %99 = tile.constant 1 : i64 tensor<4xi64>
      %100 = tile.add %98, %99 : tensor<4xi64>
      %101 = tile.cast %100 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %102 = tile.mul %95, %101 : tensor<4xui64>
      %103 = tile.reduce sum %102 along 0 : tensor<4xui64> -> ui64
      %104 = tile.constant 31 : ui64
      %105 = tile.mul %94, %104 : ui64
      %106 = tile.add %105, %103 : ui64
      %107 = tile.cast %16 {overflow = #tile.overflow<wrap>} : tensor<24x5xi32> to tensor<24x5xui64>
      %108 = tile.reshape %107 : tensor<24x5xui64> to tensor<120xui64>
      %109 = tile.iota : tensor<120xi64>
      %110 = tile.constant 2 : i64 tensor<120xi64>
      %111 = tile.mul %109, %110 : tensor<120xi64>
      %112 = tile.constant 1 : i64 tensor<120xi64>
      %113 = tile.add %111, %112 : tensor<120xi64>
      %114 = tile.cast %113 {overflow = #tile.overflow<wrap>} : tensor<120xi64> to tensor<120xui64>
      %115 = tile.mul %108, %114 : tensor<120xui64>
      %116 = tile.reduce sum %115 along 0 : tensor<120xui64> -> ui64
      %117 = tile.constant 31 : ui64
      %118 = tile.mul %106, %117 : ui64
      %119 = tile.add %118, %116 : ui64
      %120 = tile.cast %18 {overflow = #tile.overflow<wrap>} : tensor<24x24x5xi32> to tensor<24x24x5xui64>
      %121 = tile.reshape %120 : tensor<24x24x5xui64> to tensor<2880xui64>
      %122 = tile.iota : tensor<2880xi64>
      %123 = tile.constant 2 : i64 tensor<2880xi64>
      %124 = tile.mul %122, %123 : tensor<2880xi64>
      %125 = tile.constant 1 : i64 tensor<2880xi64>
      %126 = tile.add %124, %125 : tensor<2880xi64>
      %127 = tile.cast %126 {overflow = #tile.overflow<wrap>} : tensor<2880xi64> to tensor<2880xui64>
      %128 = tile.mul %121, %127 : tensor<2880xui64>
      %129 = tile.reduce sum %128 along 0 : tensor<2880xui64> -> ui64
      %130 = tile.constant 31 : ui64
      %131 = tile.mul %119, %130 : ui64
      %132 = tile.add %131, %129 : ui64
      %133 = tile.splat %132 : ui64 to tensor<24x5xui64>
      tile.store %133, %digest[%arg0, %arg1] : tensor<24x5xui64>, !tile.view<?x?xui64, out>, !tile.span<24>, !tile.span<5>
    }
  }
}
