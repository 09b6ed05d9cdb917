module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?x5xui8, in> shape ()[s0] -> (s0, 5), %x1 "x1": !tile.view<4x3x?xbf16, in> shape ()[s0] -> (4, 3, s0), %x2 "x2": !tile.view<?xui16, in> shape ()[s0] -> (s0), %s0 "s0": f64, %s1 "s1": i1, %y0 "y0": !tile.view<3x2xi8, out> shape ()[s0] -> (3, 2), %digest "digest": !tile.view<1xui64, out> shape ()[s0] -> (1))
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.span %0, %M exact : !tile.span<16>
    %2 = tile.constant 0 : i64
    %3 = tile.load %x1[%2, :, %1] : !tile.view<4x3x?xbf16, in>, i64, !tile.span<16> -> tensor<3x16xbf16>
    %4 = tile.load %x0[%1, :] : !tile.view<?x5xui8, in>, !tile.span<16> -> tensor<16x5xui8>
    %5 = tile.load %x0[%1, :] : !tile.view<?x5xui8, in>, !tile.span<16> -> tensor<16x5xui8>
    %6 = tile.clz %4 : tensor<16x5xui8>
    %7 = tile.brev %4 : tensor<16x5xui8>
    %8 = tile.ceil %3 : tensor<3x16xbf16>
    %9 = tile.popcount %7 : tensor<16x5xui8>
    %10 = tile.cast %s0 {overflow = #tile.overflow<wrap>, round = #tile.round<away>} : f64 to i8
    %11 = tile.splat %10 : i8 to tensor<3x2xi8>
    tile.store %11, %y0[:, :] : tensor<3x2xi8>, !tile.view<3x2xi8, out>
    %12 = tile.bits %3 : tensor<3x16xbf16>
    %13 = tile.isnan %3 : tensor<3x16xbf16>
    %14 = tile.constant 1 : ui16 tensor<3x16xui16>
    %15 = tile.select %13, %14, %12 : tensor<3x16xui16>
    %16 = tile.cast %15 : tensor<3x16xui16> to tensor<3x16xui64>
    %17 = tile.reshape %16 : tensor<3x16xui64> to tensor<48xui64>
    %18 = tile.iota : tensor<48xi64>
    %19 = tile.constant 2 : i64 tensor<48xi64>
    %20 = tile.mul %18, %19 : tensor<48xi64>
    %21 = tile.constant 1 : i64 tensor<48xi64>
    %22 = tile.add %20, %21 : tensor<48xi64>
    %23 = tile.cast %22 {overflow = #tile.overflow<wrap>} : tensor<48xi64> to tensor<48xui64>
    %24 = tile.mul %17, %23 : tensor<48xui64>
    %25 = tile.reduce sum %24 along 0 : tensor<48xui64> -> ui64
    %26 = tile.constant 527 : ui64
    %27 = tile.add %26, %25 : ui64
    %28 = tile.cast %4 : tensor<16x5xui8> to tensor<16x5xui64>
    %29 = tile.reshape %28 : tensor<16x5xui64> to tensor<80xui64>
    %30 = tile.iota : tensor<80xi64>
    %31 = tile.constant 2 : i64 tensor<80xi64>
    %32 = tile.mul %30, %31 : tensor<80xi64>
    %33 = tile.constant 1 : i64 tensor<80xi64>
    %34 = tile.add %32, %33 : tensor<80xi64>
    %35 = tile.cast %34 {overflow = #tile.overflow<wrap>} : tensor<80xi64> to tensor<80xui64>
    %36 = tile.mul %29, %35 : tensor<80xui64>
    %37 = tile.reduce sum %36 along 0 : tensor<80xui64> -> ui64
    %38 = tile.constant 31 : ui64
    %39 = tile.mul %27, %38 : ui64
    %40 = tile.add %39, %37 : ui64
    %41 = tile.cast %5 : tensor<16x5xui8> to tensor<16x5xui64>
    %42 = tile.reshape %41 : tensor<16x5xui64> to tensor<80xui64>
    %43 = tile.iota : tensor<80xi64>
    %44 = tile.constant 2 : i64 tensor<80xi64>
    %45 = tile.mul %43, %44 : tensor<80xi64>
    %46 = tile.constant 1 : i64 tensor<80xi64>
    %47 = tile.add %45, %46 : tensor<80xi64>
    %48 = tile.cast %47 {overflow = #tile.overflow<wrap>} : tensor<80xi64> to tensor<80xui64>
    %49 = tile.mul %42, %48 : tensor<80xui64>
    %50 = tile.reduce sum %49 along 0 : tensor<80xui64> -> ui64
    %51 = tile.constant 31 : ui64
    %52 = tile.mul %40, %51 : ui64
    %53 = tile.add %52, %50 : ui64
    %54 = tile.cast %6 : tensor<16x5xui8> to tensor<16x5xui64>
    %55 = tile.reshape %54 : tensor<16x5xui64> to tensor<80xui64>
    %56 = tile.iota : tensor<80xi64>
    %57 = tile.constant 2 : i64 tensor<80xi64>
    %58 = tile.mul %56, %57 : tensor<80xi64>
    %59 = tile.constant 1 : i64 tensor<80xi64>
    %60 = tile.add %58, %59 : tensor<80xi64>
    %61 = tile.cast %60 {overflow = #tile.overflow<wrap>} : tensor<80xi64> to tensor<80xui64>
    %62 = tile.mul %55, %61 : tensor<80xui64>
    %63 = tile.reduce sum %62 along 0 : tensor<80xui64> -> ui64
    %64 = tile.constant 31 : ui64
    %65 = tile.mul %53, %64 : ui64
    %66 = tile.add %65, %63 : ui64
    %67 = tile.cast %7 : tensor<16x5xui8> to tensor<16x5xui64>
    %68 = tile.reshape %67 : tensor<16x5xui64> to tensor<80xui64>
    %69 = tile.iota : tensor<80xi64>
    %70 = tile.constant 2 : i64 tensor<80xi64>
    %71 = tile.mul %69, %70 : tensor<80xi64>
    %72 = tile.constant 1 : i64 tensor<80xi64>
    %73 = tile.add %71, %72 : tensor<80xi64>
    %74 = tile.cast %73 {overflow = #tile.overflow<wrap>} : tensor<80xi64> to tensor<80xui64>
    %75 = tile.mul %68, %74 : tensor<80xui64>
    %76 = tile.reduce sum %75 along 0 : tensor<80xui64> -> ui64
    %77 = tile.constant 31 : ui64
    %78 = tile.mul %66, %77 : ui64
    %79 = tile.add %78, %76 : ui64
    %80 = tile.bits %8 : tensor<3x16xbf16>
    %81 = tile.isnan %8 : tensor<3x16xbf16>
    %82 = tile.constant 1 : ui16 tensor<3x16xui16>
    %83 = tile.select %81, %82, %80 : tensor<3x16xui16>
    %84 = tile.cast %83 : tensor<3x16xui16> to tensor<3x16xui64>
    %85 = tile.reshape %84 : tensor<3x16xui64> to tensor<48xui64>
    %86 = tile.iota : tensor<48xi64>
    %87 = tile.constant 2 : i64 tensor<48xi64>
    %88 = tile.mul %86, %87 : tensor<48xi64>
    %89 = tile.constant 1 : i64 tensor<48xi64>
    %90 = tile.add %88, %89 : tensor<48xi64>
    %91 = tile.cast %90 {overflow = #tile.overflow<wrap>} : tensor<48xi64> to tensor<48xui64>
    %92 = tile.mul %85, %91 : tensor<48xui64>
    %93 = tile.reduce sum %92 along 0 : tensor<48xui64> -> ui64
    %94 = tile.constant 31 : ui64
    %95 = tile.mul %79, %94 : ui64
    %96 = tile.add %95, %93 : ui64
    %97 = tile.cast %9 : tensor<16x5xui8> to tensor<16x5xui64>
    %98 = tile.reshape %97 : tensor<16x5xui64> to tensor<80xui64>
    %99 = tile.iota : tensor<80xi64>
    %100 = tile.constant 2 : i64 tensor<80xi64>
    %101 = tile.mul %99, %100 : tensor<80xi64>
    %102 = tile.constant 1 : i64 tensor<80xi64>
    %103 = tile.add %101, %102 : tensor<80xi64>
    %104 = tile.cast %103 {overflow = #tile.overflow<wrap>} : tensor<80xi64> to tensor<80xui64>
    %105 = tile.mul %98, %104 : tensor<80xui64>
    %106 = tile.reduce sum %105 along 0 : tensor<80xui64> -> ui64
    %107 = tile.constant 31 : ui64
    %108 = tile.mul %96, %107 : ui64
    %109 = tile.add %108, %106 : ui64
    %110 = tile.cast %10 {overflow = #tile.overflow<wrap>} : i8 to ui64
    %111 = tile.constant 31 : ui64
    %112 = tile.mul %109, %111 : ui64
    %113 = tile.add %112, %110 : ui64
    %114 = tile.cast %11 {overflow = #tile.overflow<wrap>} : tensor<3x2xi8> to tensor<3x2xui64>
    %115 = tile.reshape %114 : tensor<3x2xui64> to tensor<6xui64>
    %116 = tile.iota : tensor<6xi64>
    %117 = tile.constant 2 : i64 tensor<6xi64>
    %118 = tile.mul %116, %117 : tensor<6xi64>
    %119 = tile.constant 1 : i64 tensor<6xi64>
    %120 = tile.add %118, %119 : tensor<6xi64>
    %121 = tile.cast %120 {overflow = #tile.overflow<wrap>} : tensor<6xi64> to tensor<6xui64>
    %122 = tile.mul %115, %121 : tensor<6xui64>
    %123 = tile.reduce sum %122 along 0 : tensor<6xui64> -> ui64
    %124 = tile.constant 31 : ui64
    %125 = tile.mul %113, %124 : ui64
    %126 = tile.add %125, %123 : ui64
    %127 = tile.constant 0 : i64
    tile.store %126, %digest[%127] : ui64, !tile.view<1xui64, out>, i64
  }
  reference ["y0", "digest"] {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 3 : i64
    %2 = tile.constant 0 : i64
    %3 = tile.constant 2 : i64
    %4 = tile.map (%arg0 in %0 to %1, %arg1 in %2 to %3) -> tensor<?x?xi8> {
      %8 = tile.constant 0 : i64
      %9 = tile.fold min %arg2 in (%8 to %M) -> f64 {
        %11 = tile.constant 0 : i64
        %12 = tile.at %x0[%arg2, %11] : !tile.view<?x5xui8, in> -> ui8
        %13 = tile.cast %12 : ui8 to f64
        tile.yield %13 : f64
      }
      %10 = tile.cast %9 {overflow = #tile.overflow<wrap>, round = #tile.round<ru>} : f64 to i8
      tile.yield %10 : i8
    }
    %5 = tile.constant 0 : i64
    %6 = tile.constant 1 : i64
    %7 = tile.map (%arg0 in %5 to %6) -> tensor<?xui64> {
      %8 = tile.constant 17 : ui64
      tile.yield %8 : ui64
    }
    tile.yield %4, %7 : tensor<?x?xi8>, tensor<?xui64>
  }
  tolerance exact
}
