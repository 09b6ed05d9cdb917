module {
  tile.kernel @generated[%M "M"](%x0 "x0": !tile.view<?x?x3xi16, in> shape ()[s0] -> (s0, s0, 3), %s0 "s0": ui32, %y0 "y0": !tile.view<?xi64, out> shape ()[s0] -> (s0), %y1 "y1": !tile.view<6xi32, out> shape ()[s0] -> (6), %digest "digest": !tile.view<1xui64, out> shape ()[s0] -> (1), %counts "counts": !tile.view<8xi32, inout> shape ()[s0] -> (8)) math contract
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
    %1 = tile.span %0, %M exact : !tile.span<37>
    %2 = tile.shr %s0, %s0 : ui32
    %3 = tile.bits %s0 : ui32
    %4 = tile.cast %3 {overflow = #tile.overflow<sat>} : ui32 to f8E4M3FN
    %5 = tile.mod %s0, %s0 : ui32
    %6 = tile.constant 127 : ui32
    %7 = tile.xor %2, %6 : ui32
    %8 = tile.cast %7 {overflow = #tile.overflow<sat>} : ui32 to ui8
    %9 = tile.ctz %8 : ui8
    %10 = tile.cmp ne, %9, %9 : ui8
    %11 = tile.xor %8, %9 : ui8
    %12 = tile.constant 2 : ui32
    %13 = tile.min %7, %12 : ui32
    %14 = tile.iota : tensor<5xi64>
    %15 = tile.constant 4 : i64 tensor<5xi64>
    %16 = tile.mod %14, %15 : tensor<5xi64>
    %17 = tile.constant 3 : i32 tensor<5xi32>
    tile.atomic min %17, %counts[%16] : tensor<5xi32>, !tile.view<8xi32, inout>, tensor<5xi64>
    %18 = tile.cast %10 : i1 to i64
    %19 = tile.splat %18 : i64 to tensor<37xi64>
    tile.store %19, %y0[%1] : tensor<37xi64>, !tile.view<?xi64, out>, !tile.span<37>
    %20 = tile.cast %7 {overflow = #tile.overflow<sat>} : ui32 to i32
    %21 = tile.splat %20 : i32 to tensor<6xi32>
    tile.store %21, %y1[:] : tensor<6xi32>, !tile.view<6xi32, out>
    %22 = tile.cast %3 : ui32 to ui64
    %23 = tile.constant 527 : ui64
    %24 = tile.add %23, %22 : ui64
    %25 = tile.cast %4 : f8E4M3FN to f32
    %26 = tile.bits %25 : f32
    %27 = tile.isnan %25 : f32
    %28 = tile.constant 1 : ui32
    %29 = tile.select %27, %28, %26 : ui32
    %30 = tile.cast %29 : ui32 to ui64
    %31 = tile.constant 31 : ui64
    %32 = tile.mul %24, %31 : ui64
    %33 = tile.add %32, %30 : ui64
    %34 = tile.cast %5 : ui32 to ui64
    %35 = tile.constant 31 : ui64
    %36 = tile.mul %33, %35 : ui64
    %37 = tile.add %36, %34 : ui64
    %38 = tile.cast %7 : ui32 to ui64
    %39 = tile.constant 31 : ui64
    %40 = tile.mul %37, %39 : ui64
    %41 = tile.add %40, %38 : ui64
    %42 = tile.cast %8 : ui8 to ui64
    %43 = tile.constant 31 : ui64
    %44 = tile.mul %41, %43 : ui64
    %45 = tile.add %44, %42 : ui64
    %46 = tile.cast %10 : i1 to ui64
    %47 = tile.constant 31 : ui64
    %48 = tile.mul %45, %47 : ui64
    %49 = tile.add %48, %46 : ui64
    %50 = tile.cast %18 {overflow = #tile.overflow<wrap>} : i64 to ui64
    %51 = tile.constant 31 : ui64
    %52 = tile.mul %49, %51 : ui64
    %53 = tile.add %52, %50 : ui64
    %54 = tile.cast %19 {overflow = #tile.overflow<wrap>} : tensor<37xi64> to tensor<37xui64>
    %55 = tile.reshape %54 : tensor<37xui64> to tensor<37xui64>
    %56 = tile.iota : tensor<37xi64>
    %57 = tile.constant 2 : i64 tensor<37xi64>
    %58 = tile.mul %56, %57 : tensor<37xi64>
    %59 = tile.constant 1 : i64 tensor<37xi64>
    %60 = tile.add %58, %59 : tensor<37xi64>
    %61 = tile.cast %60 {overflow = #tile.overflow<wrap>} : tensor<37xi64> to tensor<37xui64>
    %62 = tile.mul %55, %61 : tensor<37xui64>
    %63 = tile.reduce sum %62 along 0 : tensor<37xui64> -> ui64
    %64 = tile.constant 31 : ui64
    %65 = tile.mul %53, %64 : ui64
    %66 = tile.add %65, %63 : ui64
    %67 = tile.cast %20 {overflow = #tile.overflow<wrap>} : i32 to ui64
    %68 = tile.constant 31 : ui64
    %69 = tile.mul %66, %68 : ui64
    %70 = tile.add %69, %67 : ui64
    %71 = tile.cast %21 {overflow = #tile.overflow<wrap>} : tensor<6xi32> to tensor<6xui64>
    %72 = tile.reshape %71 : tensor<6xui64> to tensor<6xui64>
    %73 = tile.iota : tensor<6xi64>
    %74 = tile.constant 2 : i64 tensor<6xi64>
    %75 = tile.mul %73, %74 : tensor<6xi64>
    %76 = tile.constant 1 : i64 tensor<6xi64>
    %77 = tile.add %75, %76 : tensor<6xi64>
    %78 = tile.cast %77 {overflow = #tile.overflow<wrap>} : tensor<6xi64> to tensor<6xui64>
    %79 = tile.mul %72, %78 : tensor<6xui64>
    %80 = tile.reduce sum %79 along 0 : tensor<6xui64> -> ui64
    %81 = tile.constant 31 : ui64
    %82 = tile.mul %70, %81 : ui64
    %83 = tile.add %82, %80 : ui64
    %84 = tile.constant 0 : i64
    tile.store %83, %digest[%84] : ui64, !tile.view<1xui64, out>, i64
  }
}
