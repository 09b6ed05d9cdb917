module {
  tile.kernel @softmax.yes[%M "M", %N "N"](%x "x": !tile.view<?x?xbf16, in> shape ()[s0, s1] -> (s0, s1), %y "y": !tile.view<?x?xbf16, out> shape ()[s0, s1] -> (s0, s1)) attributes {tile.sealed, tile.version_of = @softmax, tile.warps = 4 : i64, tile.when = ["(((N % 8) == 0) and aligned(x, 16)) and aligned(y, 16)"]}
  where {
    %0 = tile.constant 4096 : i64
    %1 = tile.cmp le, %N, %0 : i64
    tile.require %1, "N <= 4096"
  }
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 4)) {
      %1 = tile.constant 0 : i64
      %2 = tile.span %1, %N exact : !tile.span<4096>
      %3 = tile.load %x[%arg0, %2] {tile.iter = #tile.iter<d0 = warp 4, d1 = reg 16 * lane 32 * vec 8>} : !tile.view<?x?xbf16, in>, !tile.span<4>, !tile.span<4096> -> tensor<4x4096xbf16>
      %4 = tile.cast %3 : tensor<4x4096xbf16> to tensor<4x4096xf32>
      %5 = tile.reduce max %4 along 1 : tensor<4x4096xf32> -> tensor<4xf32>
      %6 = tile.expand %5 at [1] : tensor<4xf32> to tensor<4x1xf32>
      %7 = tile.broadcast %6 : tensor<4x1xf32> to tensor<4x4096xf32>
      %8 = tile.sub %4, %7 : tensor<4x4096xf32>
      %9 = tile.exp %8 : tensor<4x4096xf32>
      %10 = tile.reduce sum %9 along 1 : tensor<4x4096xf32> -> tensor<4xf32>
      %11 = tile.expand %10 at [1] : tensor<4xf32> to tensor<4x1xf32>
      %12 = tile.broadcast %11 : tensor<4x1xf32> to tensor<4x4096xf32>
      %13 = tile.div %9, %12 : tensor<4x4096xf32>
      %14 = tile.cast %13 : tensor<4x4096xf32> to tensor<4x4096xbf16>
      tile.store %14, %y[%arg0, %2] {tile.iter = #tile.iter<d0 = warp 4, d1 = reg 16 * lane 32 * vec 8>} : tensor<4x4096xbf16>, !tile.view<?x?xbf16, out>, !tile.span<4>, !tile.span<4096>
    }
  }
  tile.kernel @softmax[%M "M", %N "N"](%x "x": !tile.view<?x?xbf16, in> shape ()[s0, s1] -> (s0, s1), %y "y": !tile.view<?x?xbf16, out> shape ()[s0, s1] -> (s0, s1)) attributes {tile.sealed, tile.warps = 4 : i64}
  where {
    %0 = tile.constant 4096 : i64
    %1 = tile.cmp le, %N, %0 : i64
    tile.require %1, "N <= 4096"
  }
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 4)) {
      %1 = tile.constant 0 : i64
      %2 = tile.span %1, %N exact : !tile.span<4096>
      %3 = tile.load %x[%arg0, %2] {tile.iter = #tile.iter<d0 = warp 4, d1 = reg 128 * lane 32 * vec 1>} : !tile.view<?x?xbf16, in>, !tile.span<4>, !tile.span<4096> -> tensor<4x4096xbf16>
      %4 = tile.cast %3 : tensor<4x4096xbf16> to tensor<4x4096xf32>
      %5 = tile.reduce max %4 along 1 : tensor<4x4096xf32> -> tensor<4xf32>
      %6 = tile.expand %5 at [1] : tensor<4xf32> to tensor<4x1xf32>
      %7 = tile.broadcast %6 : tensor<4x1xf32> to tensor<4x4096xf32>
      %8 = tile.sub %4, %7 : tensor<4x4096xf32>
      %9 = tile.exp %8 : tensor<4x4096xf32>
      %10 = tile.reduce sum %9 along 1 : tensor<4x4096xf32> -> tensor<4xf32>
      %11 = tile.expand %10 at [1] : tensor<4xf32> to tensor<4x1xf32>
      %12 = tile.broadcast %11 : tensor<4x1xf32> to tensor<4x4096xf32>
      %13 = tile.div %9, %12 : tensor<4x4096xf32>
      %14 = tile.cast %13 : tensor<4x4096xf32> to tensor<4x4096xbf16>
      tile.store %14, %y[%arg0, %2] {tile.iter = #tile.iter<d0 = warp 4, d1 = reg 128 * lane 32 * vec 1>} : tensor<4x4096xbf16>, !tile.view<?x?xbf16, out>, !tile.span<4>, !tile.span<4096>
    }
  }
}

