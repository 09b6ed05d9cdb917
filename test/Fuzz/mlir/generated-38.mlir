module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?xf16, in> shape ()[s0] -> (s0), %s0 "s0": f64, %s1 "s1": i8, %y0 "y0": !tile.view<?xf8E4M3FN, out> shape ()[s0] -> (s0), %y1 "y1": !tile.view<?xui8, out> shape ()[s0] -> (s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0))
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 5)) {
      %1 = tile.span_start %arg0 : !tile.span<5>
      %2 = tile.load %x0[%1] : !tile.view<?xf16, in>, i64 -> f16
      %3 = tile.cmp eq, %s1, %s1 : i8
      %4 = tile.constant 2 : i8
      %5 = tile.cmp gt, %s1, %4 : i8
      %6 = tile.constant false
      %7 = tile.or %3, %6 : i1
      %8 = tile.cast %5 : i1 to f8E4M3FN
      %9 = tile.splat %8 : f8E4M3FN to tensor<5xf8E4M3FN>
      tile.store %9, %y0[%arg0] : tensor<5xf8E4M3FN>, !tile.view<?xf8E4M3FN, out>, !tile.span<5>
      %10 = tile.cast %9 {round = #tile.round<rd>} : tensor<5xf8E4M3FN> to tensor<5xui8>
      tile.store %10, %y1[%arg0] : tensor<5xui8>, !tile.view<?xui8, out>, !tile.span<5>
      %11 = tile.bits %s0 : f64
      %12 = tile.isnan %s0 : f64
      %13 = tile.constant 1 : ui64
      %14 = tile.select %12, %13, %11 : ui64
      %15 = tile.constant 527 : ui64
      %16 = tile.add %15, %14 : ui64
      %17 = tile.bits %2 : f16
      %18 = tile.isnan %2 : f16
      %19 = tile.constant 1 : ui16
      %20 = tile.select %18, %19, %17 : ui16
      %21 = tile.cast %20 : ui16 to ui64
      %22 = tile.constant 31 : ui64
      %23 = tile.mul %16, %22 : ui64
      %24 = tile.add %23, %21 : ui64
      %25 = tile.cast %3 : i1 to ui64
      %26 = tile.constant 31 : ui64
      %27 = tile.mul %24, %26 : ui64
      %28 = tile.add %27, %25 : ui64
      %29 = tile.cast %9 : tensor<5xf8E4M3FN> to tensor<5xf32>
      %30 = tile.bits %29 : tensor<5xf32>
      %31 = tile.isnan %29 : tensor<5xf32>
      %32 = tile.constant 1 : ui32 tensor<5xui32>
      %33 = tile.select %31, %32, %30 : tensor<5xui32>
      %34 = tile.cast %33 : tensor<5xui32> to tensor<5xui64>
      %35 = tile.reshape %34 : tensor<5xui64> to tensor<5xui64>
      %36 = tile.iota : tensor<5xi64>
      %37 = tile.constant 2 : i64 tensor<5xi64>
      %38 = tile.mul %36, %37 : tensor<5xi64>
      %39 = tile.constant 1 : i64 tensor<5xi64>
      %40 = tile.add %38, %39 : tensor<5xi64>
      %41 = tile.cast %40 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %42 = tile.mul %35, %41 : tensor<5xui64>
      %43 = tile.reduce sum %42 along 0 : tensor<5xui64> -> ui64
      %44 = tile.constant 31 : ui64
      %45 = tile.mul %28, %44 : ui64
      %46 = tile.add %45, %43 : ui64
      %47 = tile.cast %10 : tensor<5xui8> to tensor<5xui64>
      %48 = tile.reshape %47 : tensor<5xui64> to tensor<5xui64>
      %49 = tile.iota : tensor<5xi64>
      %50 = tile.constant 2 : i64 tensor<5xi64>
      %51 = tile.mul %49, %50 : tensor<5xi64>
      %52 = tile.constant 1 : i64 tensor<5xi64>
      %53 = tile.add %51, %52 : tensor<5xi64>
      %54 = tile.cast %53 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %55 = tile.mul %48, %54 : tensor<5xui64>
      %56 = tile.reduce sum %55 along 0 : tensor<5xui64> -> ui64
      %57 = tile.constant 31 : ui64
      %58 = tile.mul %46, %57 : ui64
      %59 = tile.add %58, %56 : ui64
      %60 = tile.splat %59 : ui64 to tensor<5xui64>
      tile.store %60, %digest[%arg0] : tensor<5xui64>, !tile.view<?xui64, out>, !tile.span<5>
    }
  }
  reference ["y0", "y1", "digest"] {
    %0 = tile.constant 0 : i64
    %1 = tile.map (%arg0 in %0 to %M) -> tensor<?xf64> {
      %6 = tile.at %x0[%arg0] : !tile.view<?xf16, in> -> f16
      %7 = tile.cast %6 : f16 to f64
      %8 = tile.at %x0[%arg0] : !tile.view<?xf16, in> -> f16
      %9 = tile.cast %8 : f16 to f64
      %10 = tile.mul %7, %9 : f64
      %11 = tile.at %x0[%arg0] : !tile.view<?xf16, in> -> f16
      %12 = tile.cast %11 : f16 to f64
      %13 = tile.constant 1.000000e+00 : f64
      %14 = tile.add %12, %13 : f64
      %15 = tile.add %10, %14 : f64
      %16 = tile.at %x0[%arg0] : !tile.view<?xf16, in> -> f16
      %17 = tile.cast %16 : f16 to f64
      %18 = tile.at %x0[%arg0] : !tile.view<?xf16, in> -> f16
      %19 = tile.cast %18 : f16 to f64
      %20 = tile.add %17, %19 : f64
      %21 = tile.abs %20 : f64
      %22 = tile.mul %15, %21 : f64
      tile.yield %22 : f64
    }
    %2 = tile.constant 0 : i64
    %3 = tile.map (%arg0 in %2 to %M) -> tensor<?xui8> {
      %6 = tile.constant 1 : ui8
      tile.yield %6 : ui8
    }
    %4 = tile.constant 0 : i64
    %5 = tile.map (%arg0 in %4 to %M) -> tensor<?xui64> {
      %6 = tile.constant 17 : ui64
      tile.yield %6 : ui64
    }
    tile.yield %1, %3, %5 : tensor<?xf64>, tensor<?xui8>, tensor<?xui64>
  }
  tolerance ["y0"] (%y0_0: tensor<?xf64>, %y1_1: tensor<?xui8>, %digest_2: tensor<?xui64>) {
    %0 = tile.constant 0 : i64
    %1 = tile.map (%arg0 in %0 to %M) -> tensor<?xf64> {
      %2 = tile.at %y0_0[%arg0] : tensor<?xf64> -> f64
      %3 = tile.abs %2 : f64
      %4 = tile.constant 3.906250e-03 : f64
      %5 = tile.mul %4, %3 : f64
      tile.yield %5 : f64
    }
    tile.yield %1 : tensor<?xf64>
  }
}
