module {
  tile.kernel @gemm[%M "M", %K "K", %N "N"](%a "a": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s0, s1), %b "b": !tile.view<?x?xbf16, in> shape ()[s0, s1, s2] -> (s1, s2), %d "d": !tile.view<?x?xbf16, out> shape ()[s0, s1, s2] -> (s0, s2)) attributes {instance = {ACT = "none", BK = "32", BM = "64", BN = "32", bias = "missing"}, missing = ["bias"]}
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 64), %arg1 = tiles(%1 to %N by 32)) {
      %2 = tile.constant 0.000000e+00 : f32 tensor<64x32xf32>
      %3 = tile.constant 0 : i64
      %4 = tile.for %arg2 in tiles(%3 to %K by 32) carry(%arg3 = %2 : tensor<64x32xf32>) {
        %6 = tile.load %a[%arg0, %arg2] : !tile.view<?x?xbf16, in>, !tile.span<64>, !tile.span<32> -> tensor<64x32xbf16>
        %7 = tile.load %b[%arg2, %arg1] : !tile.view<?x?xbf16, in>, !tile.span<32>, !tile.span<32> -> tensor<32x32xbf16>
        %8 = tile.mma %6, %7, %arg3 : tensor<64x32xbf16>, tensor<32x32xbf16>, tensor<64x32xf32>
        tile.yield %8 : tensor<64x32xf32>
      }
      %5 = tile.cast %4 : tensor<64x32xf32> to tensor<64x32xbf16>
      tile.store %5, %d[%arg0, %arg1] : tensor<64x32xbf16>, !tile.view<?x?xbf16, out>, !tile.span<64>, !tile.span<32>
    }
  }
  reference ["d", "mag"] {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.map (%arg0 in %0 to %M, %arg1 in %1 to %N) -> tensor<?x?xf64> {
      %6 = tile.constant 0 : i64
      %7 = tile.fold sum %arg2 in (%6 to %K) -> f64 {
        %13 = tile.at %a[%arg0, %arg2] : !tile.view<?x?xbf16, in> -> bf16
        %14 = tile.cast %13 : bf16 to f64
        %15 = tile.at %b[%arg2, %arg1] : !tile.view<?x?xbf16, in> -> bf16
        %16 = tile.cast %15 : bf16 to f64
        %17 = tile.mul %14, %16 : f64
        tile.yield %17 : f64
      }
      %8 = tile.absent : bf16
      %9 = tile.constant 0.000000e+00 : bf16
      %10 = tile.fill_absent %8, %9 : bf16
      %11 = tile.cast %10 : bf16 to f64
      %12 = tile.add %7, %11 : f64
      tile.yield %12 : f64
    }
    %3 = tile.constant 0 : i64
    %4 = tile.constant 0 : i64
    %5 = tile.map (%arg0 in %3 to %M, %arg1 in %4 to %N) -> tensor<?x?xf64> {
      %6 = tile.constant 0 : i64
      %7 = tile.fold sum %arg2 in (%6 to %K) -> f64 {
        %14 = tile.at %a[%arg0, %arg2] : !tile.view<?x?xbf16, in> -> bf16
        %15 = tile.cast %14 : bf16 to f64
        %16 = tile.at %b[%arg2, %arg1] : !tile.view<?x?xbf16, in> -> bf16
        %17 = tile.cast %16 : bf16 to f64
        %18 = tile.mul %15, %17 : f64
        %19 = tile.abs %18 : f64
        tile.yield %19 : f64
      }
      %8 = tile.absent : bf16
      %9 = tile.constant 0.000000e+00 : bf16
      %10 = tile.fill_absent %8, %9 : bf16
      %11 = tile.cast %10 : bf16 to f64
      %12 = tile.abs %11 : f64
      %13 = tile.add %7, %12 : f64
      tile.yield %13 : f64
    }
    tile.yield %2, %5 : tensor<?x?xf64>, tensor<?x?xf64>
  }
  tolerance ["d"] (%d_0: tensor<?x?xf64>, %mag: tensor<?x?xf64>) {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.map (%arg0 in %0 to %M, %arg1 in %1 to %N) -> tensor<?x?xf64> {
      %3 = tile.constant 32 : i64
      %4 = tile.add %K, %3 : i64
      %5 = tile.cast %4 : i64 to f64
      %6 = tile.constant 1.1920928955078125E-7 : f64
      %7 = tile.mul %5, %6 : f64
      %8 = tile.at %mag[%arg0, %arg1] : tensor<?x?xf64> -> f64
      %9 = tile.mul %7, %8 : f64
      tile.yield %9 : f64
    }
    tile.yield %2 : tensor<?x?xf64>
  }
}

