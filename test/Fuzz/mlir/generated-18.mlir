module {
  tile.kernel @generated[%M "M", %K "K", %N "N"](%x0 "x0": !tile.view<2x?x6xui32, in> shape ()[s0, s1, s2] -> (2, s0, 6), %x1 "x1": !tile.view<?x1x5xf8E4M3FN, in> shape ()[s0, s1, s2] -> (s1, 1, 5), %x2 "x2": !tile.view<?xi1, in> shape ()[s0, s1, s2] -> (s2), %s0 "s0": i1, %y0 "y0": !tile.view<?xf64, out> shape ()[s0, s1, s2] -> (s1), %y1 "y1": !tile.view<?xf64, out> shape ()[s0, s1, s2] -> (s1), %digest "digest": !tile.view<?xui64, out> shape ()[s0, s1, s2] -> (s1))
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.span %0, %M exact : !tile.span<38>
    %2 = tile.constant 0 : i64
    %3 = tile.span %2, %N exact : !tile.span<1>
    %4 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%4 to %K by 4)) {
      %5 = tile.load %x2[%3] : !tile.view<?xi1, in>, !tile.span<1> -> tensor<1xi1>
      %6 = tile.load %x2[%3] : !tile.view<?xi1, in>, !tile.span<1> -> tensor<1xi1>
      %7 = tile.load %x2[%3] : !tile.view<?xi1, in>, !tile.span<1> -> tensor<1xi1>
      %8 = tile.reduce any %6 along 0 : tensor<1xi1> -> i1
      %9 = tile.cat %6, %6 along 0 : tensor<1xi1>, tensor<1xi1> to tensor<2xi1>
      %10 = tile.reduce any %7 along 0 : tensor<1xi1> -> i1
      %11 = tile.expand %10 at [0] : i1 to tensor<1xi1>
      %12 = tile.xor %6, %5 : tensor<1xi1>
      %13 = tile.cast %s0 : i1 to f64
      %14 = tile.splat %13 : f64 to tensor<4xf64>
      tile.store %14, %y0[%arg0] : tensor<4xf64>, !tile.view<?xf64, out>, !tile.span<4>
      tile.store %14, %y1[%arg0] : tensor<4xf64>, !tile.view<?xf64, out>, !tile.span<4>
      %15 = tile.cast %5 : tensor<1xi1> to tensor<1xui64>
      %16 = tile.reshape %15 : tensor<1xui64> to tensor<1xui64>
      %17 = tile.iota : tensor<1xi64>
      %18 = tile.constant 2 : i64 tensor<1xi64>
      %19 = tile.mul %17, %18 : tensor<1xi64>
      %20 = tile.constant 1 : i64 tensor<1xi64>
      %21 = tile.add %19, %20 : tensor<1xi64>
      %22 = tile.cast %21 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
      %23 = tile.mul %16, %22 : tensor<1xui64>
      %24 = tile.reduce sum %23 along 0 : tensor<1xui64> -> ui64
      %25 = tile.constant 527 : ui64
      %26 = tile.add %25, %24 : ui64
      %27 = tile.cast %6 : tensor<1xi1> to tensor<1xui64>
      %28 = tile.reshape %27 : tensor<1xui64> to tensor<1xui64>
      %29 = tile.iota : tensor<1xi64>
      %30 = tile.constant 2 : i64 tensor<1xi64>
      %31 = tile.mul %29, %30 : tensor<1xi64>
      %32 = tile.constant 1 : i64 tensor<1xi64>
      %33 = tile.add %31, %32 : tensor<1xi64>
      %34 = tile.cast %33 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
      %35 = tile.mul %28, %34 : tensor<1xui64>
      %36 = tile.reduce sum %35 along 0 : tensor<1xui64> -> ui64
      %37 = tile.constant 31 : ui64
      %38 = tile.mul %26, %37 : ui64
      %39 = tile.add %38, %36 : ui64
      %40 = tile.cast %7 : tensor<1xi1> to tensor<1xui64>
      %41 = tile.reshape %40 : tensor<1xui64> to tensor<1xui64>
      %42 = tile.iota : tensor<1xi64>
      %43 = tile.constant 2 : i64 tensor<1xi64>
      %44 = tile.mul %42, %43 : tensor<1xi64>
      %45 = tile.constant 1 : i64 tensor<1xi64>
      %46 = tile.add %44, %45 : tensor<1xi64>
      %47 = tile.cast %46 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
      %48 = tile.mul %41, %47 : tensor<1xui64>
      %49 = tile.reduce sum %48 along 0 : tensor<1xui64> -> ui64
      %50 = tile.constant 31 : ui64
      %51 = tile.mul %39, %50 : ui64
      %52 = tile.add %51, %49 : ui64
      %53 = tile.cast %8 : i1 to ui64
      %54 = tile.constant 31 : ui64
      %55 = tile.mul %52, %54 : ui64
      %56 = tile.add %55, %53 : ui64
      %57 = tile.cast %9 : tensor<2xi1> to tensor<2xui64>
      %58 = tile.reshape %57 : tensor<2xui64> to tensor<2xui64>
      %59 = tile.iota : tensor<2xi64>
      %60 = tile.constant 2 : i64 tensor<2xi64>
      %61 = tile.mul %59, %60 : tensor<2xi64>
      %62 = tile.constant 1 : i64 tensor<2xi64>
      %63 = tile.add %61, %62 : tensor<2xi64>
      %64 = tile.cast %63 {overflow = #tile.overflow<wrap>} : tensor<2xi64> to tensor<2xui64>
      %65 = tile.mul %58, %64 : tensor<2xui64>
      %66 = tile.reduce sum %65 along 0 : tensor<2xui64> -> ui64
      %67 = tile.constant 31 : ui64
      %68 = tile.mul %56, %67 : ui64
      %69 = tile.add %68, %66 : ui64
      %70 = tile.cast %11 : tensor<1xi1> to tensor<1xui64>
      %71 = tile.reshape %70 : tensor<1xui64> to tensor<1xui64>
      %72 = tile.iota : tensor<1xi64>
      %73 = tile.constant 2 : i64 tensor<1xi64>
      %74 = tile.mul %72, %73 : tensor<1xi64>
      %75 = tile.constant 1 : i64 tensor<1xi64>
      %76 = tile.add %74, %75 : tensor<1xi64>
      %77 = tile.cast %76 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
      %78 = tile.mul %71, %77 : tensor<1xui64>
      %79 = tile.reduce sum %78 along 0 : tensor<1xui64> -> ui64
      %80 = tile.constant 31 : ui64
      %81 = tile.mul %69, %80 : ui64
      %82 = tile.add %81, %79 : ui64
      %83 = tile.cast %12 : tensor<1xi1> to tensor<1xui64>
      %84 = tile.reshape %83 : tensor<1xui64> to tensor<1xui64>
      %85 = tile.iota : tensor<1xi64>
      %86 = tile.constant 2 : i64 tensor<1xi64>
      %87 = tile.mul %85, %86 : tensor<1xi64>
      %88 = tile.constant 1 : i64 tensor<1xi64>
      %89 = tile.add %87, %88 : tensor<1xi64>
      %90 = tile.cast %89 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
      %91 = tile.mul %84, %90 : tensor<1xui64>
      %92 = tile.reduce sum %91 along 0 : tensor<1xui64> -> ui64
      %93 = tile.constant 31 : ui64
      %94 = tile.mul %82, %93 : ui64
      %95 = tile.add %94, %92 : ui64
      %96 = tile.bits %14 : tensor<4xf64>
      %97 = tile.isnan %14 : tensor<4xf64>
      %98 = tile.constant 1 : ui64 tensor<4xui64>
      %99 = tile.select %97, %98, %96 : tensor<4xui64>
      %100 = tile.reshape %99 : tensor<4xui64> to tensor<4xui64>
      %101 = tile.iota : tensor<4xi64>
      %102 = tile.constant 2 : i64 tensor<4xi64>
      %103 = tile.mul %101, %102 : tensor<4xi64>
      %104 = tile.constant 1 : i64 tensor<4xi64>
      %105 = tile.add %103, %104 : tensor<4xi64>
      %106 = tile.cast %105 {overflow = #tile.overflow<wrap>} : tensor<4xi64> to tensor<4xui64>
      %107 = tile.mul %100, %106 : tensor<4xui64>
      %108 = tile.reduce sum %107 along 0 : tensor<4xui64> -> ui64
      %109 = tile.constant 31 : ui64
      %110 = tile.mul %95, %109 : ui64
      %111 = tile.add %110, %108 : ui64
      %112 = tile.splat %111 : ui64 to tensor<4xui64>
      tile.store %112, %digest[%arg0] : tensor<4xui64>, !tile.view<?xui64, out>, !tile.span<4>
    }
  }
}
