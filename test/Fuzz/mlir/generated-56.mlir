module {
  tile.kernel @generated[%K "K", %M "M", %N "N"](%x0 "x0": !tile.view<?x?x?xf16, in> shape ()[s0, s1, s2] -> (s0, s1, s2), %x1 "x1": !tile.view<?xi8, in> shape ()[s0, s1, s2] -> (s0), %x2 "x2": !tile.view<?x?xf32, in> shape ()[s0, s1, s2] -> (s1, s1), %y0 "y0": !tile.view<?x?xf64, out> shape ()[s0, s1, s2] -> (s1, s0), %digest "digest": !tile.view<?x?xui64, out> shape ()[s0, s1, s2] -> (s1, s0)) math contract
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.span %0, %N exact : !tile.span<2>
    %2 = tile.constant 0 : i64
    %3 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%2 to %M by 5), %arg1 = range(%3 to %K)) {
      %4 = tile.load %x1[%arg1] : !tile.view<?xi8, in>, i64 -> i8
      %5 = tile.load %x1[%arg1] : !tile.view<?xi8, in>, i64 -> i8
      %6 = tile.load %x1[%arg1] : !tile.view<?xi8, in>, i64 -> i8
      %7 = tile.cast %6 : i8 to f64
      %8 = tile.constant 0 : i64
      %9 = tile.for %arg2 in range(%8 to %N) reversed carry(%arg3 = %6 : i8) {
        %44 = tile.load %x1[%arg1] : !tile.view<?xi8, in>, i64 -> i8
        %45 = tile.cos %7 : f64
        %46 = tile.add %arg3, %6 : i8
        tile.yield %46 : i8
      }
      %10 = tile.cmp eq, %7, %7 : f64
      %11 = tile.cast %6 : i8 to f64
      %12 = tile.splat %11 : f64 to tensor<5xf64>
      tile.store %12, %y0[%arg0, %arg1] : tensor<5xf64>, !tile.view<?x?xf64, out>, !tile.span<5>, i64
      %13 = tile.cast %5 {overflow = #tile.overflow<wrap>} : i8 to ui64
      %14 = tile.constant 527 : ui64
      %15 = tile.add %14, %13 : ui64
      %16 = tile.bits %7 : f64
      %17 = tile.isnan %7 : f64
      %18 = tile.constant 1 : ui64
      %19 = tile.select %17, %18, %16 : ui64
      %20 = tile.constant 31 : ui64
      %21 = tile.mul %15, %20 : ui64
      %22 = tile.add %21, %19 : ui64
      %23 = tile.cast %10 : i1 to ui64
      %24 = tile.constant 31 : ui64
      %25 = tile.mul %22, %24 : ui64
      %26 = tile.add %25, %23 : ui64
      %27 = tile.bits %12 : tensor<5xf64>
      %28 = tile.isnan %12 : tensor<5xf64>
      %29 = tile.constant 1 : ui64 tensor<5xui64>
      %30 = tile.select %28, %29, %27 : tensor<5xui64>
      %31 = tile.reshape %30 : tensor<5xui64> to tensor<5xui64>
      %32 = tile.iota : tensor<5xi64>
      %33 = tile.constant 2 : i64 tensor<5xi64>
      %34 = tile.mul %32, %33 : tensor<5xi64>
      %35 = tile.constant 1 : i64 tensor<5xi64>
      %36 = tile.add %34, %35 : tensor<5xi64>
      %37 = tile.cast %36 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %38 = tile.mul %31, %37 : tensor<5xui64>
      %39 = tile.reduce sum %38 along 0 : tensor<5xui64> -> ui64
      %40 = tile.constant 31 : ui64
      %41 = tile.mul %26, %40 : ui64
      %42 = tile.add %41, %39 : ui64
      %43 = tile.splat %42 : ui64 to tensor<5xui64>
      tile.store %43, %digest[%arg0, %arg1] : tensor<5xui64>, !tile.view<?x?xui64, out>, !tile.span<5>, i64
    }
  }
  reference ["h0", "h1", "y0", "digest"] {
    %0 = tile.constant 0 : i64
    %1 = tile.map (%arg0 in %0 to %M) -> tensor<?xf64> {
      %10 = tile.at %x2[%arg0, %arg0] : !tile.view<?x?xf32, in> -> f32
      %11 = tile.cast %10 : f32 to f64
      %12 = tile.constant 5.000000e-01 : f64
      %13 = tile.mul %12, %11 : f64
      %14 = tile.constant 0 : i64
      %15 = tile.fold min %arg1 in (%14 to %K) -> f64 {
        %19 = tile.constant 0 : i64
        %20 = tile.fold prod %arg2 in (%19 to %N) -> f64 {
          %21 = tile.at %x0[%arg1, %arg0, %arg2] : !tile.view<?x?x?xf16, in> -> f16
          %22 = tile.cast %21 : f16 to f64
          tile.yield %22 : f64
        }
        tile.yield %20 : f64
      }
      %16 = tile.constant 2.000000e+00 : f64
      %17 = tile.add %16, %15 : f64
      %18 = tile.add %13, %17 : f64
      tile.yield %18 : f64
    }
    %2 = tile.constant 0 : i64
    %3 = tile.map (%arg0 in %2 to %M) self %arg1 along 0 -> tensor<?xf64> {
      %10 = tile.at %1[%arg0] : tensor<?xf64> -> f64
      %11 = tile.constant 0 : i64
      %12 = tile.cmp gt, %arg0, %11 : i64
      %13 = scf.if %12 -> (f64) {
        %15 = tile.constant 1 : i64
        %16 = tile.sub %arg0, %15 : i64
        %17 = tile.at %arg1[%16] : tensor<?xf64> -> f64
        scf.yield %17 : f64
      } else {
        %15 = tile.constant 0.000000e+00 : f64
        scf.yield %15 : f64
      }
      %14 = tile.add %10, %13 : f64
      tile.yield %14 : f64
    }
    %4 = tile.constant 0 : i64
    %5 = tile.constant 0 : i64
    %6 = tile.map (%arg0 in %4 to %M, %arg1 in %5 to %K) -> tensor<?x?xf64> {
      %10 = tile.constant 2 : i64
      %11 = tile.cmp gt, %arg0, %10 : i64
      %12 = scf.if %11 -> (f64) {
        %15 = tile.constant 0 : i64
        %16 = tile.cmp gt, %arg0, %15 : i64
        %17 = scf.if %16 -> (f64) {
          %18 = tile.at %x2[%arg0, %arg0] : !tile.view<?x?xf32, in> -> f32
          %19 = tile.cast %18 : f32 to f64
          %20 = tile.constant 0 : i64
          %21 = tile.fold min %arg2 in (%20 to %N) -> f64 {
            %23 = tile.at %x0[%arg1, %arg0, %arg2] : !tile.view<?x?x?xf16, in> -> f16
            %24 = tile.cast %23 : f16 to f64
            tile.yield %24 : f64
          }
          %22 = tile.mul %19, %21 : f64
          scf.yield %22 : f64
        } else {
          %18 = tile.constant 2.000000e+00 : f64
          scf.yield %18 : f64
        }
        scf.yield %17 : f64
      } else {
        %15 = tile.at %x2[%arg0, %arg0] : !tile.view<?x?xf32, in> -> f32
        %16 = tile.cast %15 : f32 to f64
        %17 = tile.constant 0.000000e+00 : f64
        %18 = tile.fill_absent %16, %17 : f64
        %19 = tile.abs %18 : f64
        scf.yield %19 : f64
      }
      %13 = tile.at %3[%arg0] : tensor<?xf64> -> f64
      %14 = tile.add %12, %13 : f64
      tile.yield %14 : f64
    }
    %7 = tile.constant 0 : i64
    %8 = tile.constant 0 : i64
    %9 = tile.map (%arg0 in %7 to %M, %arg1 in %8 to %K) -> tensor<?x?xui64> {
      %10 = tile.constant 17 : ui64
      tile.yield %10 : ui64
    }
    tile.yield %1, %3, %6, %9 : tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>, tensor<?x?xui64>
  }
  tolerance ["y0"] (%h0: tensor<?xf64>, %h1: tensor<?xf64>, %y0_0: tensor<?x?xf64>, %digest_1: tensor<?x?xui64>) {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.map (%arg0 in %0 to %M, %arg1 in %1 to %K) -> tensor<?x?xf64> {
      %3 = tile.at %y0_0[%arg0, %arg1] : tensor<?x?xf64> -> f64
      %4 = tile.abs %3 : f64
      %5 = tile.constant 3.906250e-03 : f64
      %6 = tile.mul %5, %4 : f64
      tile.yield %6 : f64
    }
    tile.yield %2 : tensor<?x?xf64>
  }
}
