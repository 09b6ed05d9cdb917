module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<5x?xi16, in> shape ()[s0] -> (5, s0), %y0 "y0": !tile.view<?xui64, out> shape ()[s0] -> (s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0))
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = range(%0 to %M)) {
      %1 = tile.load %x0[:, %arg0] : !tile.view<5x?xi16, in>, i64 -> tensor<5xi16>
      %2 = tile.xor %1, %1 : tensor<5xi16>
      %3 = tile.brev %1 : tensor<5xi16>
      %4 = tile.bits %3 : tensor<5xi16>
      %5 = tile.mul %3, %1 : tensor<5xi16>
      %6 = tile.cast %M {overflow = #tile.overflow<wrap>} : i64 to ui64
      tile.store %6, %y0[%arg0] : ui64, !tile.view<?xui64, out>, i64
      %7 = tile.cast %1 {overflow = #tile.overflow<wrap>} : tensor<5xi16> to tensor<5xui64>
      %8 = tile.reshape %7 : tensor<5xui64> to tensor<5xui64>
      %9 = tile.iota : tensor<5xi64>
      %10 = tile.constant 2 : i64 tensor<5xi64>
      %11 = tile.mul %9, %10 : tensor<5xi64>
      %12 = tile.constant 1 : i64 tensor<5xi64>
      %13 = tile.add %11, %12 : tensor<5xi64>
      %14 = tile.cast %13 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %15 = tile.mul %8, %14 : tensor<5xui64>
      %16 = tile.reduce sum %15 along 0 : tensor<5xui64> -> ui64
      %17 = tile.constant 527 : ui64
      %18 = tile.add %17, %16 : ui64
      %19 = tile.cast %2 {overflow = #tile.overflow<wrap>} : tensor<5xi16> to tensor<5xui64>
      %20 = tile.reshape %19 : tensor<5xui64> to tensor<5xui64>
      %21 = tile.iota : tensor<5xi64>
      %22 = tile.constant 2 : i64 tensor<5xi64>
      %23 = tile.mul %21, %22 : tensor<5xi64>
      %24 = tile.constant 1 : i64 tensor<5xi64>
      %25 = tile.add %23, %24 : tensor<5xi64>
      %26 = tile.cast %25 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %27 = tile.mul %20, %26 : tensor<5xui64>
      %28 = tile.reduce sum %27 along 0 : tensor<5xui64> -> ui64
      %29 = tile.constant 31 : ui64
      %30 = tile.mul %18, %29 : ui64
      %31 = tile.add %30, %28 : ui64
      %32 = tile.cast %3 {overflow = #tile.overflow<wrap>} : tensor<5xi16> to tensor<5xui64>
      %33 = tile.reshape %32 : tensor<5xui64> to tensor<5xui64>
      %34 = tile.iota : tensor<5xi64>
      %35 = tile.constant 2 : i64 tensor<5xi64>
      %36 = tile.mul %34, %35 : tensor<5xi64>
      %37 = tile.constant 1 : i64 tensor<5xi64>
      %38 = tile.add %36, %37 : tensor<5xi64>
      %39 = tile.cast %38 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %40 = tile.mul %33, %39 : tensor<5xui64>
      %41 = tile.reduce sum %40 along 0 : tensor<5xui64> -> ui64
      %42 = tile.constant 31 : ui64
      %43 = tile.mul %31, %42 : ui64
      %44 = tile.add %43, %41 : ui64
      %45 = tile.cast %4 : tensor<5xui16> to tensor<5xui64>
      %46 = tile.reshape %45 : tensor<5xui64> to tensor<5xui64>
      %47 = tile.iota : tensor<5xi64>
      %48 = tile.constant 2 : i64 tensor<5xi64>
      %49 = tile.mul %47, %48 : tensor<5xi64>
      %50 = tile.constant 1 : i64 tensor<5xi64>
      %51 = tile.add %49, %50 : tensor<5xi64>
      %52 = tile.cast %51 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %53 = tile.mul %46, %52 : tensor<5xui64>
      %54 = tile.reduce sum %53 along 0 : tensor<5xui64> -> ui64
      %55 = tile.constant 31 : ui64
      %56 = tile.mul %44, %55 : ui64
      %57 = tile.add %56, %54 : ui64
      %58 = tile.cast %5 {overflow = #tile.overflow<wrap>} : tensor<5xi16> to tensor<5xui64>
      %59 = tile.reshape %58 : tensor<5xui64> to tensor<5xui64>
      %60 = tile.iota : tensor<5xi64>
      %61 = tile.constant 2 : i64 tensor<5xi64>
      %62 = tile.mul %60, %61 : tensor<5xi64>
      %63 = tile.constant 1 : i64 tensor<5xi64>
      %64 = tile.add %62, %63 : tensor<5xi64>
      %65 = tile.cast %64 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %66 = tile.mul %59, %65 : tensor<5xui64>
      %67 = tile.reduce sum %66 along 0 : tensor<5xui64> -> ui64
      %68 = tile.constant 31 : ui64
      %69 = tile.mul %57, %68 : ui64
      %70 = tile.add %69, %67 : ui64
      %71 = tile.constant 31 : ui64
      %72 = tile.mul %70, %71 : ui64
      %73 = tile.add %72, %6 : ui64
      tile.store %73, %digest[%arg0] : ui64, !tile.view<?xui64, out>, i64
    }
  }
}
