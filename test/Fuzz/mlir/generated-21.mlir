module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?x?x3xi16, in> shape ()[s0] -> (s0, s0, 3), %x1 "x1": !tile.view<1xui16, in> shape ()[s0] -> (1), %x2 "x2": !tile.view<?x?x?xi8, in> shape ()[s0] -> (s0, s0, s0), %s0 "s0": ui8, %s1 "s1": f32, %y0 "y0": !tile.view<5x?xui8, inout> shape ()[s0] -> (5, s0), %y1 "y1": !tile.view<?x3x?xi16, inout> shape ()[s0] -> (s0, 3, s0), %digest "digest": !tile.view<?xui64, out> shape ()[s0] -> (s0))
  body {
    %0 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %M by 16)) {
      %1 = tile.load %x1[:] : !tile.view<1xui16, in> -> tensor<1xui16>
      %2 = tile.histogram %1 : tensor<1xui16> -> tensor<5xi64>
      %3 = tile.sub %2, %2 : tensor<5xi64>
      %4 = tile.constant 7 : i64 tensor<5xi64>
      %5 = tile.clamp %2, %4, %2 : tensor<5xi64>
      %6 = tile.clamp %s1, %s1, %s1 : f32
      %7 = tile.cast %s1 {round = #tile.round<rd>} : f32 to ui8
      %8 = tile.splat %7 : ui8 to tensor<5x16xui8>
      tile.store %8, %y0[:, %arg0] : tensor<5x16xui8>, !tile.view<5x?xui8, inout>, !tile.span<16>
      %9 = tile.cast %7 : ui8 to i16
      %10 = tile.splat %9 : i16 to tensor<16x3x16xi16>
      tile.store %10, %y1[%arg0, :, %arg0] : tensor<16x3x16xi16>, !tile.view<?x3x?xi16, inout>, !tile.span<16>, !tile.span<16>
      %11 = tile.cast %s0 : ui8 to ui64
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
      %22 = tile.cast %1 : tensor<1xui16> to tensor<1xui64>
      %23 = tile.reshape %22 : tensor<1xui64> to tensor<1xui64>
      %24 = tile.iota : tensor<1xi64>
      %25 = tile.constant 2 : i64 tensor<1xi64>
      %26 = tile.mul %24, %25 : tensor<1xi64>
      %27 = tile.constant 1 : i64 tensor<1xi64>
      %28 = tile.add %26, %27 : tensor<1xi64>
      %29 = tile.cast %28 {overflow = #tile.overflow<wrap>} : tensor<1xi64> to tensor<1xui64>
      %30 = tile.mul %23, %29 : tensor<1xui64>
      %31 = tile.reduce sum %30 along 0 : tensor<1xui64> -> ui64
      %32 = tile.constant 31 : ui64
      %33 = tile.mul %21, %32 : ui64
      %34 = tile.add %33, %31 : ui64
      %35 = tile.cast %2 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %36 = tile.reshape %35 : tensor<5xui64> to tensor<5xui64>
      %37 = tile.iota : tensor<5xi64>
      %38 = tile.constant 2 : i64 tensor<5xi64>
      %39 = tile.mul %37, %38 : tensor<5xi64>
      %40 = tile.constant 1 : i64 tensor<5xi64>
      %41 = tile.add %39, %40 : tensor<5xi64>
      %42 = tile.cast %41 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %43 = tile.mul %36, %42 : tensor<5xui64>
      %44 = tile.reduce sum %43 along 0 : tensor<5xui64> -> ui64
      %45 = tile.constant 31 : ui64
      %46 = tile.mul %34, %45 : ui64
      %47 = tile.add %46, %44 : ui64
      %48 = tile.cast %3 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %49 = tile.reshape %48 : tensor<5xui64> to tensor<5xui64>
      %50 = tile.iota : tensor<5xi64>
      %51 = tile.constant 2 : i64 tensor<5xi64>
      %52 = tile.mul %50, %51 : tensor<5xi64>
      %53 = tile.constant 1 : i64 tensor<5xi64>
      %54 = tile.add %52, %53 : tensor<5xi64>
      %55 = tile.cast %54 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %56 = tile.mul %49, %55 : tensor<5xui64>
      %57 = tile.reduce sum %56 along 0 : tensor<5xui64> -> ui64
      %58 = tile.constant 31 : ui64
      %59 = tile.mul %47, %58 : ui64
      %60 = tile.add %59, %57 : ui64
      %61 = tile.cast %5 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %62 = tile.reshape %61 : tensor<5xui64> to tensor<5xui64>
      %63 = tile.iota : tensor<5xi64>
      %64 = tile.constant 2 : i64 tensor<5xi64>
      %65 = tile.mul %63, %64 : tensor<5xi64>
      %66 = tile.constant 1 : i64 tensor<5xi64>
      %67 = tile.add %65, %66 : tensor<5xi64>
      %68 = tile.cast %67 {overflow = #tile.overflow<wrap>} : tensor<5xi64> to tensor<5xui64>
      %69 = tile.mul %62, %68 : tensor<5xui64>
      %70 = tile.reduce sum %69 along 0 : tensor<5xui64> -> ui64
      %71 = tile.constant 31 : ui64
      %72 = tile.mul %60, %71 : ui64
      %73 = tile.add %72, %70 : ui64
      %74 = tile.cast %8 : tensor<5x16xui8> to tensor<5x16xui64>
      %75 = tile.reshape %74 : tensor<5x16xui64> to tensor<80xui64>
      %76 = tile.iota : tensor<80xi64>
      %77 = tile.constant 2 : i64 tensor<80xi64>
      %78 = tile.mul %76, %77 : tensor<80xi64>
      %79 = tile.constant 1 : i64 tensor<80xi64>
      %80 = tile.add %78, %79 : tensor<80xi64>
      %81 = tile.cast %80 {overflow = #tile.overflow<wrap>} : tensor<80xi64> to tensor<80xui64>
      %82 = tile.mul %75, %81 : tensor<80xui64>
      %83 = tile.reduce sum %82 along 0 : tensor<80xui64> -> ui64
      %84 = tile.constant 31 : ui64
      %85 = tile.mul %73, %84 : ui64
      %86 = tile.add %85, %83 : ui64
      %87 = tile.cast %9 {overflow = #tile.overflow<wrap>} : i16 to ui64
      %88 = tile.constant 31 : ui64
      %89 = tile.mul %86, %88 : ui64
      %90 = tile.add %89, %87 : ui64
      %91 = tile.cast %10 {overflow = #tile.overflow<wrap>} : tensor<16x3x16xi16> to tensor<16x3x16xui64>
      %92 = tile.reshape %91 : tensor<16x3x16xui64> to tensor<768xui64>
      %93 = tile.iota : tensor<768xi64>
      %94 = tile.constant 2 : i64 tensor<768xi64>
      %95 = tile.mul %93, %94 : tensor<768xi64>
      %96 = tile.constant 1 : i64 tensor<768xi64>
      %97 = tile.add %95, %96 : tensor<768xi64>
      %98 = tile.cast %97 {overflow = #tile.overflow<wrap>} : tensor<768xi64> to tensor<768xui64>
      %99 = tile.mul %92, %98 : tensor<768xui64>
      %100 = tile.reduce sum %99 along 0 : tensor<768xui64> -> ui64
      %101 = tile.constant 31 : ui64
      %102 = tile.mul %90, %101 : ui64
      %103 = tile.add %102, %100 : ui64
      %104 = tile.splat %103 : ui64 to tensor<16xui64>
      tile.store %104, %digest[%arg0] : tensor<16xui64>, !tile.view<?xui64, out>, !tile.span<16>
    }
  }
}
