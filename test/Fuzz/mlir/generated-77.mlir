module {
  tile.kernel @generated[%N "N", %M "M"](%x0 "x0": !tile.view<?x?x?xf8E4M3FN, in> shape ()[s0, s1] -> (s0, s1, s0), %x1 "x1": !tile.view<?x?x?xf8E5M2, in> shape ()[s0, s1] -> (s1, s1, s1), %s0 "s0": bf16, %s1 "s1": f32, %y0 "y0": !tile.view<5x?x?xui64, out> shape ()[s0, s1] -> (5, s1, s0), %digest "digest": !tile.view<?x?xui64, out> shape ()[s0, s1] -> (s1, s0))
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 13), %arg1 = range(%1 to %N)) {
      %2 = tile.bits %s0 : bf16
      %3 = tile.clz %2 : ui16
      %4 = tile.or %2, %3 : ui16
      %5 = tile.cast %4 : ui16 to ui64
      %6 = tile.splat %5 : ui64 to tensor<5x13xui64>
      tile.store %6, %y0[:, %arg0, %arg1] : tensor<5x13xui64>, !tile.view<5x?x?xui64, out>, !tile.span<13>, i64
      %7 = tile.bits %s0 : bf16
      %8 = tile.isnan %s0 : bf16
      %9 = tile.constant 1 : ui16
      %10 = tile.select %8, %9, %7 : ui16
      %11 = tile.cast %10 : ui16 to ui64
      %12 = tile.constant 527 : ui64
      %13 = tile.add %12, %11 : ui64
      %14 = tile.bits %s1 : f32
      %15 = tile.isnan %s1 : f32
      %16 = tile.constant 1 : ui32
      %17 = tile.select %15, %16, %14 : ui32
      %18 = tile.cast %17 : ui32 to ui64
      %19 = tile.constant 31 : ui64
      %20 = tile.mul %13, %19 : ui64
      %21 = tile.add %20, %18 : ui64
      %22 = tile.cast %2 : ui16 to ui64
      %23 = tile.constant 31 : ui64
      %24 = tile.mul %21, %23 : ui64
      %25 = tile.add %24, %22 : ui64
      %26 = tile.reshape %6 : tensor<5x13xui64> to tensor<65xui64>
      %27 = tile.iota : tensor<65xi64>
      %28 = tile.constant 2 : i64 tensor<65xi64>
      %29 = tile.mul %27, %28 : tensor<65xi64>
      %30 = tile.constant 1 : i64 tensor<65xi64>
      %31 = tile.add %29, %30 : tensor<65xi64>
      %32 = tile.cast %31 {overflow = #tile.overflow<wrap>} : tensor<65xi64> to tensor<65xui64>
      %33 = tile.mul %26, %32 : tensor<65xui64>
      %34 = tile.reduce sum %33 along 0 : tensor<65xui64> -> ui64
      %35 = tile.constant 31 : ui64
      %36 = tile.mul %25, %35 : ui64
      %37 = tile.add %36, %34 : ui64
      %38 = tile.splat %37 : ui64 to tensor<13xui64>
      tile.store %38, %digest[%arg0, %arg1] : tensor<13xui64>, !tile.view<?x?xui64, out>, !tile.span<13>, i64
    }
  }
}
