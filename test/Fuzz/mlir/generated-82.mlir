module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?x?x6xf8E4M3FN, in> shape ()[s0] -> (s0, s0, 6), %y0 "y0": !tile.view<?xi8, inout> shape ()[s0] -> (s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0))
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
    tile.grid (%arg0 = tiles(%0 to %M by 5)) {
      %1 = tile.load %x0[%arg0, %arg0, :] : !tile.view<?x?x6xf8E4M3FN, in>, !tile.span<5>, !tile.span<5> -> tensor<5x5x6xf8E4M3FN>
      %2 = tile.cast %1 : tensor<5x5x6xf8E4M3FN> to tensor<5x5x6xf32>
      %3 = tile.cast %2 {overflow = #tile.overflow<wrap>, round = #tile.round<rd>} : tensor<5x5x6xf32> to tensor<5x5x6xui64>
      %4 = tile.reshape %3 : tensor<5x5x6xui64> to tensor<2x75xui64>
      %5 = tile.reduce min %4 along 0 : tensor<2x75xui64> -> tensor<75xui64>
      %6 = tile.expand %5 at [0] : tensor<75xui64> to tensor<1x75xui64>
      %7 = tile.cast %6 : tensor<1x75xui64> to tensor<1x75xf64>
      %8 = tile.constant 2 : i8 tensor<5xi8>
      tile.store %8, %y0[%arg0] : tensor<5xi8>, !tile.view<?xi8, inout>, !tile.span<5>
      %9 = tile.bits %2 : tensor<5x5x6xf32>
      %10 = tile.isnan %2 : tensor<5x5x6xf32>
      %11 = tile.constant 1 : ui32 tensor<5x5x6xui32>
      %12 = tile.select %10, %11, %9 : tensor<5x5x6xui32>
      %13 = tile.cast %12 : tensor<5x5x6xui32> to tensor<5x5x6xui64>
      %14 = tile.reshape %13 : tensor<5x5x6xui64> to tensor<150xui64>
      %15 = tile.iota : tensor<150xi64>
      %16 = tile.constant 2 : i64 tensor<150xi64>
      %17 = tile.mul %15, %16 : tensor<150xi64>
      %18 = tile.constant 1 : i64 tensor<150xi64>
      %19 = tile.add %17, %18 : tensor<150xi64>
      %20 = tile.cast %19 {overflow = #tile.overflow<wrap>} : tensor<150xi64> to tensor<150xui64>
      %21 = tile.mul %14, %20 : tensor<150xui64>
      %22 = tile.reduce sum %21 along 0 : tensor<150xui64> -> ui64
      %23 = tile.constant 527 : ui64
      %24 = tile.add %23, %22 : ui64
      %25 = tile.reshape %3 : tensor<5x5x6xui64> to tensor<150xui64>
      %26 = tile.iota : tensor<150xi64>
      %27 = tile.constant 2 : i64 tensor<150xi64>
      %28 = tile.mul %26, %27 : tensor<150xi64>
      %29 = tile.constant 1 : i64 tensor<150xi64>
      %30 = tile.add %28, %29 : tensor<150xi64>
      %31 = tile.cast %30 {overflow = #tile.overflow<wrap>} : tensor<150xi64> to tensor<150xui64>
      %32 = tile.mul %25, %31 : tensor<150xui64>
      %33 = tile.reduce sum %32 along 0 : tensor<150xui64> -> ui64
      %34 = tile.constant 31 : ui64
      %35 = tile.mul %24, %34 : ui64
      %36 = tile.add %35, %33 : ui64
      %37 = tile.reshape %4 : tensor<2x75xui64> to tensor<150xui64>
      %38 = tile.iota : tensor<150xi64>
      %39 = tile.constant 2 : i64 tensor<150xi64>
      %40 = tile.mul %38, %39 : tensor<150xi64>
      %41 = tile.constant 1 : i64 tensor<150xi64>
      %42 = tile.add %40, %41 : tensor<150xi64>
      %43 = tile.cast %42 {overflow = #tile.overflow<wrap>} : tensor<150xi64> to tensor<150xui64>
      %44 = tile.mul %37, %43 : tensor<150xui64>
      %45 = tile.reduce sum %44 along 0 : tensor<150xui64> -> ui64
      %46 = tile.constant 31 : ui64
      %47 = tile.mul %36, %46 : ui64
      %48 = tile.add %47, %45 : ui64
      %49 = tile.reshape %6 : tensor<1x75xui64> to tensor<75xui64>
      %50 = tile.iota : tensor<75xi64>
      %51 = tile.constant 2 : i64 tensor<75xi64>
      %52 = tile.mul %50, %51 : tensor<75xi64>
      %53 = tile.constant 1 : i64 tensor<75xi64>
      %54 = tile.add %52, %53 : tensor<75xi64>
      %55 = tile.cast %54 {overflow = #tile.overflow<wrap>} : tensor<75xi64> to tensor<75xui64>
      %56 = tile.mul %49, %55 : tensor<75xui64>
      %57 = tile.reduce sum %56 along 0 : tensor<75xui64> -> ui64
      %58 = tile.constant 31 : ui64
      %59 = tile.mul %48, %58 : ui64
      %60 = tile.add %59, %57 : ui64
      %61 = tile.bits %7 : tensor<1x75xf64>
      %62 = tile.isnan %7 : tensor<1x75xf64>
      %63 = tile.constant 1 : ui64 tensor<1x75xui64>
      %64 = tile.select %62, %63, %61 : tensor<1x75xui64>
      %65 = tile.reshape %64 : tensor<1x75xui64> to tensor<75xui64>
      %66 = tile.iota : tensor<75xi64>
      %67 = tile.constant 2 : i64 tensor<75xi64>
      %68 = tile.mul %66, %67 : tensor<75xi64>
      %69 = tile.constant 1 : i64 tensor<75xi64>
      %70 = tile.add %68, %69 : tensor<75xi64>
      %71 = tile.cast %70 {overflow = #tile.overflow<wrap>} : tensor<75xi64> to tensor<75xui64>
      %72 = tile.mul %65, %71 : tensor<75xui64>
      %73 = tile.reduce sum %72 along 0 : tensor<75xui64> -> ui64
      %74 = tile.constant 31 : ui64
      %75 = tile.mul %60, %74 : ui64
      %76 = tile.add %75, %73 : ui64
      %77 = tile.cast %8 {overflow = #tile.overflow<wrap>} : tensor<5xi8> to tensor<5xui64>
      %78 = tile.reshape %77 : tensor<5xui64> to tensor<5xui64>
      %79 = tile.iota : tensor<5xi64>
      %80 = tile.constant 2 : i64 tensor<5xi64>
      %81 = tile.mul %79, %80 : tensor<5xi64>
      %82 = tile.constant 1 : i64 tensor<5xi64>
      %83 = tile.add %81, %82 : tensor<5xi64>
      %84 = tile.cast %83 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %85 = tile.mul %78, %84 : tensor<5xui64>
      %86 = tile.reduce sum %85 along 0 : tensor<5xui64> -> ui64
      %87 = tile.constant 31 : ui64
      %88 = tile.mul %76, %87 : ui64
      %89 = tile.add %88, %86 : ui64
      %90 = tile.splat %89 : ui64 to tensor<5xui64>
      tile.store %90, %digest[%arg0] : tensor<5xui64>, !tile.view<?xui64, out>, !tile.span<5>
    }
  }
}
