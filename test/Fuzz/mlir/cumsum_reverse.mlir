module {
  tile.kernel @cumsum_reverse[%M "M", %N "N"](%x "x": !tile.view<?x?xf32, in> shape ()[s0, s1] -> (s0, s1), %y "y": !tile.view<?x?xf32, out> shape ()[s0, s1] -> (s0, s1)) attributes {instance = {BM = "1", BN = "256", T = "f32"}}
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 1)) {
      %1 = tile.constant 0.000000e+00 : f32 tensor<1xf32>
      %2 = tile.constant 0 : i64
      %3 = tile.for %arg1 in tiles(%2 to %N by 256) reversed carry(%arg2 = %1 : tensor<1xf32>) {
        %4 = tile.load %x[%arg0, %arg1] : !tile.view<?x?xf32, in>, !tile.span<1>, !tile.span<256> -> tensor<1x256xf32>
        %5 = tile.scan sum %4 along 1 {reverse} : tensor<1x256xf32> -> tensor<1x256xf32>
        %6 = tile.expand %arg2 at [1] : tensor<1xf32> to tensor<1x1xf32>
        %7 = tile.broadcast %6 : tensor<1x1xf32> to tensor<1x256xf32>
        %8 = tile.add %5, %7 : tensor<1x256xf32>
        tile.store %8, %y[%arg0, %arg1] : tensor<1x256xf32>, !tile.view<?x?xf32, out>, !tile.span<1>, !tile.span<256>
        %9 = tile.reduce sum %4 along 1 : tensor<1x256xf32> -> tensor<1xf32>
        %10 = tile.add %arg2, %9 : tensor<1xf32>
        tile.yield %10 : tensor<1xf32>
      }
    }
  }
  reference ["y", "a"] {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.map (%arg0 in %0 to %M, %arg1 in %1 to %N) self %arg2 along 1 descending -> tensor<?x?xf64> {
      %6 = tile.at %x[%arg0, %arg1] : !tile.view<?x?xf32, in> -> f32
      %7 = tile.cast %6 : f32 to f64
      %8 = tile.constant 1 : i64
      %9 = tile.add %arg1, %8 : i64
      %10 = tile.cmp lt, %9, %N : i64
      %11 = scf.if %10 -> (f64) {
        %13 = tile.constant 1 : i64
        %14 = tile.add %arg1, %13 : i64
        %15 = tile.at %arg2[%arg0, %14] : tensor<?x?xf64> -> f64
        scf.yield %15 : f64
      } else {
        %13 = tile.constant 0.000000e+00 : f64
        scf.yield %13 : f64
      }
      %12 = tile.add %7, %11 : f64
      tile.yield %12 : f64
    }
    %3 = tile.constant 0 : i64
    %4 = tile.constant 0 : i64
    %5 = tile.map (%arg0 in %3 to %M, %arg1 in %4 to %N) self %arg2 along 1 descending -> tensor<?x?xf64> {
      %6 = tile.at %x[%arg0, %arg1] : !tile.view<?x?xf32, in> -> f32
      %7 = tile.cast %6 : f32 to f64
      %8 = tile.abs %7 : f64
      %9 = tile.constant 1 : i64
      %10 = tile.add %arg1, %9 : i64
      %11 = tile.cmp lt, %10, %N : i64
      %12 = scf.if %11 -> (f64) {
        %14 = tile.constant 1 : i64
        %15 = tile.add %arg1, %14 : i64
        %16 = tile.at %arg2[%arg0, %15] : tensor<?x?xf64> -> f64
        scf.yield %16 : f64
      } else {
        %14 = tile.constant 0.000000e+00 : f64
        scf.yield %14 : f64
      }
      %13 = tile.add %8, %12 : f64
      tile.yield %13 : f64
    }
    tile.yield %2, %5 : tensor<?x?xf64>, tensor<?x?xf64>
  }
  tolerance ["y"] (%y_0: tensor<?x?xf64>, %a: tensor<?x?xf64>) {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.map (%arg0 in %0 to %M, %arg1 in %1 to %N) -> tensor<?x?xf64> {
      %3 = tile.constant 2 : i64
      %4 = tile.add %N, %3 : i64
      %5 = tile.cast %4 : i64 to f64
      %6 = tile.constant 1.1920928955078125E-7 : f64
      %7 = tile.mul %5, %6 : f64
      %8 = tile.at %a[%arg0, %arg1] : tensor<?x?xf64> -> f64
      %9 = tile.mul %7, %8 : f64
      tile.yield %9 : f64
    }
    tile.yield %2 : tensor<?x?xf64>
  }
}

