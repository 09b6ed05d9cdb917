module {
  tile.kernel @softmax[%M "M", %N "N"](%x "x": !tile.view<?x?xbf16, in> shape ()[s0, s1] -> (s0, s1), %y "y": !tile.view<?x?xbf16, out> shape ()[s0, s1] -> (s0, s1)) attributes {instance = {BM = "1", NC = "256", T = "bf16"}}
  where {
    %0 = tile.constant 16384 : i64
    %1 = tile.cmp le, %N, %0 : i64
    tile.require %1, "N <= 16384"
    %2 = tile.neg %N : i64
    %3 = tile.constant 256 : i64
    %4 = tile.floordiv %2, %3 : i64
    %5 = tile.neg %4 : i64
    %6 = tile.constant 256 : i64
    %7 = tile.mul %5, %6 : i64
    %8 = tile.constant 256 : i64
    %9 = tile.max %8, %7 : i64
    %10 = tile.constant 256 : i64
    %11 = tile.cmp eq, %9, %10 : i64
    tile.require %11, "NC = bucket(N, 256)"
  }
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 1)) {
      %1 = tile.constant 0 : i64
      %2 = tile.span %1, %N exact : !tile.span<256>
      %3 = tile.load %x[%arg0, %2] : !tile.view<?x?xbf16, in>, !tile.span<1>, !tile.span<256> -> tensor<1x256xbf16>
      %4 = tile.cast %3 : tensor<1x256xbf16> to tensor<1x256xf32>
      %5 = tile.reduce max %4 along 1 : tensor<1x256xf32> -> tensor<1xf32>
      %6 = tile.expand %5 at [1] : tensor<1xf32> to tensor<1x1xf32>
      %7 = tile.broadcast %6 : tensor<1x1xf32> to tensor<1x256xf32>
      %8 = tile.sub %4, %7 : tensor<1x256xf32>
      %9 = tile.exp %8 : tensor<1x256xf32>
      %10 = tile.reduce sum %9 along 1 : tensor<1x256xf32> -> tensor<1xf32>
      %11 = tile.expand %10 at [1] : tensor<1xf32> to tensor<1x1xf32>
      %12 = tile.broadcast %11 : tensor<1x1xf32> to tensor<1x256xf32>
      %13 = tile.div %9, %12 : tensor<1x256xf32>
      %14 = tile.cast %13 : tensor<1x256xf32> to tensor<1x256xbf16>
      tile.store %14, %y[%arg0, %2] : tensor<1x256xbf16>, !tile.view<?x?xbf16, out>, !tile.span<1>, !tile.span<256>
    }
  }
  reference ["m", "z", "y"] {
    %0 = tile.constant 0 : i64
    %1 = tile.map (%arg0 in %0 to %M) -> tensor<?xf64> {
      %7 = tile.constant 0 : i64
      %8 = tile.fold max %arg1 in (%7 to %N) -> f64 {
        %9 = tile.at %x[%arg0, %arg1] : !tile.view<?x?xbf16, in> -> bf16
        %10 = tile.cast %9 : bf16 to f64
        tile.yield %10 : f64
      }
      tile.yield %8 : f64
    }
    %2 = tile.constant 0 : i64
    %3 = tile.map (%arg0 in %2 to %M) -> tensor<?xf64> {
      %7 = tile.constant 0 : i64
      %8 = tile.fold sum %arg1 in (%7 to %N) -> f64 {
        %9 = tile.at %x[%arg0, %arg1] : !tile.view<?x?xbf16, in> -> bf16
        %10 = tile.cast %9 : bf16 to f64
        %11 = tile.at %1[%arg0] : tensor<?xf64> -> f64
        %12 = tile.sub %10, %11 : f64
        %13 = tile.exp %12 : f64
        tile.yield %13 : f64
      }
      tile.yield %8 : f64
    }
    %4 = tile.constant 0 : i64
    %5 = tile.constant 0 : i64
    %6 = tile.map (%arg0 in %4 to %M, %arg1 in %5 to %N) -> tensor<?x?xf64> {
      %7 = tile.at %x[%arg0, %arg1] : !tile.view<?x?xbf16, in> -> bf16
      %8 = tile.cast %7 : bf16 to f64
      %9 = tile.at %1[%arg0] : tensor<?xf64> -> f64
      %10 = tile.sub %8, %9 : f64
      %11 = tile.exp %10 : f64
      %12 = tile.at %3[%arg0] : tensor<?xf64> -> f64
      %13 = tile.div %11, %12 : f64
      tile.yield %13 : f64
    }
    tile.yield %1, %3, %6 : tensor<?xf64>, tensor<?xf64>, tensor<?x?xf64>
  }
  tolerance ["y"] (%m: tensor<?xf64>, %z: tensor<?xf64>, %y_0: tensor<?x?xf64>) {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.map (%arg0 in %0 to %M, %arg1 in %1 to %N) -> tensor<?x?xf64> {
      %3 = tile.at %y_0[%arg0, %arg1] : tensor<?x?xf64> -> f64
      %4 = tile.abs %3 : f64
      %5 = tile.constant 7.62939453125E-6 : f64
      %6 = tile.mul %5, %4 : f64
      %7 = tile.constant 1.1754943508222875E-38 : f64
      %8 = tile.add %6, %7 : f64
      tile.yield %8 : f64
    }
    tile.yield %2 : tensor<?x?xf64>
  }
}

