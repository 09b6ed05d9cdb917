module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?xi8, in> shape ()[s0] -> (s0), %s0 "s0": ui64, %y0 "y0": !tile.view<?xui32, inout> shape ()[s0] -> (s0), %y1 "y1": !tile.view<2x?xbf16, out> shape ()[s0] -> (2, s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0)) math contract
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
    tile.grid (%arg0 = tiles(%0 to %M by 24)) {
      %1 = tile.load %x0[%arg0] : !tile.view<?xi8, in>, !tile.span<24> -> tensor<24xi8>
      %2 = tile.from_bits %s0 : ui64 to ui64
      %3 = tile.constant 7 : ui64
      %4 = tile.cmp lt, %2, %3 : ui64
      %5 = tile.not %4 : i1
      %6 = tile.cast %2 {overflow = #tile.overflow<nan>} : ui64 to f8E4M3FN
      %7 = tile.constant 127 : ui64
      %8 = tile.cmp eq, %2, %7 : ui64
      %9 = scf.if %8 -> (tensor<24xi8>) {
        %value, %index = tile.argmin %1 along 0 : tensor<24xi8> -> i8, i64
        %78 = tile.max %1, %1 : tensor<24xi8>
        scf.yield %78 : tensor<24xi8>
      } else {
        scf.yield %1 : tensor<24xi8>
      }
      %10 = tile.shr %2, %s0 : ui64
      %11 = tile.cast %9 {overflow = #tile.overflow<sat>} : tensor<24xi8> to tensor<24xui32>
      tile.store %11, %y0[%arg0] : tensor<24xui32>, !tile.view<?xui32, inout>, !tile.span<24>
      %12 = tile.cast %10 {round = #tile.round<ru>} : ui64 to bf16
      %13 = tile.splat %12 : bf16 to tensor<2x24xbf16>
      tile.store %13, %y1[:, %arg0] : tensor<2x24xbf16>, !tile.view<2x?xbf16, out>, !tile.span<24>
      %14 = tile.cast %1 {overflow = #tile.overflow<wrap>} : tensor<24xi8> to tensor<24xui64>
      %15 = tile.reshape %14 : tensor<24xui64> to tensor<24xui64>
      %16 = tile.iota : tensor<24xi64>
      %17 = tile.constant 2 : i64 tensor<24xi64>
      %18 = tile.mul %16, %17 : tensor<24xi64>
      %19 = tile.constant 1 : i64 tensor<24xi64>
      %20 = tile.add %18, %19 : tensor<24xi64>
      %21 = tile.cast %20 {overflow = #tile.overflow<wrap>} : tensor<24xi64> to tensor<24xui64>
      %22 = tile.mul %15, %21 : tensor<24xui64>
      %23 = tile.reduce sum %22 along 0 : tensor<24xui64> -> ui64
      %24 = tile.constant 527 : ui64
      %25 = tile.add %24, %23 : ui64
      %26 = tile.cast %9 {overflow = #tile.overflow<wrap>} : tensor<24xi8> to tensor<24xui64>
      %27 = tile.reshape %26 : tensor<24xui64> to tensor<24xui64>
      %28 = tile.iota : tensor<24xi64>
      %29 = tile.constant 2 : i64 tensor<24xi64>
      %30 = tile.mul %28, %29 : tensor<24xi64>
      %31 = tile.constant 1 : i64 tensor<24xi64>
      %32 = tile.add %30, %31 : tensor<24xi64>
      %33 = tile.cast %32 {overflow = #tile.overflow<wrap>} : tensor<24xi64> to tensor<24xui64>
      %34 = tile.mul %27, %33 : tensor<24xui64>
      %35 = tile.reduce sum %34 along 0 : tensor<24xui64> -> ui64
      %36 = tile.constant 31 : ui64
      %37 = tile.mul %25, %36 : ui64
      %38 = tile.add %37, %35 : ui64
      %39 = tile.cast %11 : tensor<24xui32> to tensor<24xui64>
      %40 = tile.reshape %39 : tensor<24xui64> to tensor<24xui64>
      %41 = tile.iota : tensor<24xi64>
      %42 = tile.constant 2 : i64 tensor<24xi64>
      %43 = tile.mul %41, %42 : tensor<24xi64>
      %44 = tile.constant 1 : i64 tensor<24xi64>
      %45 = tile.add %43, %44 : tensor<24xi64>
      %46 = tile.cast %45 {overflow = #tile.overflow<wrap>} : tensor<24xi64> to tensor<24xui64>
      %47 = tile.mul %40, %46 : tensor<24xui64>
      %48 = tile.reduce sum %47 along 0 : tensor<24xui64> -> ui64
      %49 = tile.constant 31 : ui64
      %50 = tile.mul %38, %49 : ui64
      %51 = tile.add %50, %48 : ui64
      %52 = tile.bits %12 : bf16
      %53 = tile.isnan %12 : bf16
      %54 = tile.constant 1 : ui16
      %55 = tile.select %53, %54, %52 : ui16
      %56 = tile.cast %55 : ui16 to ui64
      %57 = tile.constant 31 : ui64
      %58 = tile.mul %51, %57 : ui64
      %59 = tile.add %58, %56 : ui64
      %60 = tile.bits %13 : tensor<2x24xbf16>
      %61 = tile.isnan %13 : tensor<2x24xbf16>
      %62 = tile.constant 1 : ui16 tensor<2x24xui16>
      %63 = tile.select %61, %62, %60 : tensor<2x24xui16>
      %64 = tile.cast %63 : tensor<2x24xui16> to tensor<2x24xui64>
      %65 = tile.reshape %64 : tensor<2x24xui64> to tensor<48xui64>
      %66 = tile.iota : tensor<48xi64>
      %67 = tile.constant 2 : i64 tensor<48xi64>
      %68 = tile.mul %66, %67 : tensor<48xi64>
      %69 = tile.constant 1 : i64 tensor<48xi64>
      %70 = tile.add %68, %69 : tensor<48xi64>
      %71 = tile.cast %70 {overflow = #tile.overflow<wrap>} : tensor<48xi64> to tensor<48xui64>
      %72 = tile.mul %65, %71 : tensor<48xui64>
      %73 = tile.reduce sum %72 along 0 : tensor<48xui64> -> ui64
      %74 = tile.constant 31 : ui64
      %75 = tile.mul %59, %74 : ui64
      %76 = tile.add %75, %73 : ui64
      %77 = tile.splat %76 : ui64 to tensor<24xui64>
      tile.store %77, %digest[%arg0] : tensor<24xui64>, !tile.view<?xui64, out>, !tile.span<24>
    }
  }
}
