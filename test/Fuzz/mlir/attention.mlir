module {
  tile.kernel @attention[%B "B", %HQ "HQ", %SQ "SQ", %HK "HK", %SK "SK"](%q "q": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3, s4] -> (s0, s1, s2, 128), %k "k": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3, s4] -> (s0, s3, s4, 128), %v "v": !tile.view<?x?x?x128xbf16, in> shape ()[s0, s1, s2, s3, s4] -> (s0, s3, s4, 128), %scale "scale": f32, %o "o": !tile.view<?x?x?x128xbf16, out> shape ()[s0, s1, s2, s3, s4] -> (s0, s1, s2, 128), %lse "lse": !tile.view<?x?x?xf32, out> shape ()[s0, s1, s2, s3, s4] -> (s0, s1, s2)) math contract attributes {instance = {BM = "64", BN = "48", CAUSAL = "true", D = "128"}}
  where {
    %0 = tile.mod %HQ, %HK : i64
    %1 = tile.constant 0 : i64
    %2 = tile.cmp eq, %0, %1 : i64
    tile.require %2, "HQ % HK == 0"
  }
  body {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.constant 0 : i64
    tile.grid (%arg0 = tiles(%0 to %SQ by 64), %arg1 = range(%1 to %HQ), %arg2 = range(%2 to %B)) {
      %3 = tile.floordiv %HQ, %HK : i64
      %4 = tile.floordiv %arg1, %3 : i64
      %5 = tile.sub %SK, %SQ : i64
      %6 = tile.span_stop %arg0 : !tile.span<64>
      %7 = tile.add %6, %5 : i64
      %8 = tile.min %SK, %7 : i64
      %9 = tile.load %q[%arg2, %arg1, %arg0, :] : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<64> -> tensor<64x128xbf16>
      %10 = tile.constant 0xFF800000 : f32 tensor<64xf32>
      %11 = tile.constant 0.000000e+00 : f32 tensor<64xf32>
      %12 = tile.constant 0.000000e+00 : f32 tensor<64x128xf32>
      %13 = tile.constant 0 : i64
      %14:3 = tile.for %arg3 in tiles(%13 to %8 by 48) carry(%arg4 = %10 : tensor<64xf32>, %arg5 = %11 : tensor<64xf32>, %arg6 = %12 : tensor<64x128xf32>) {
        %33 = tile.load %k[%arg2, %4, %arg3, :] : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<48> -> tensor<48x128xbf16>
        %34 = tile.permute %33, [1, 0] : tensor<48x128xbf16> to tensor<128x48xbf16>
        %35 = tile.constant 0.000000e+00 : f32 tensor<64x48xf32>
        %36 = tile.mma %9, %34, %35 : tensor<64x128xbf16>, tensor<128x48xbf16>, tensor<64x48xf32>
        %37 = tile.constant 1.44269502 : f32 {tile.exact = 1.4426950408889634 : f64}
        %38 = tile.mul %scale, %37 : f32
        %39 = tile.splat %38 : f32 to tensor<64x48xf32>
        %40 = tile.mul %36, %39 : tensor<64x48xf32>
        %41 = tile.span_index %arg3 : !tile.span<48> -> tensor<48xi64>
        %42 = tile.expand %41 at [0] : tensor<48xi64> to tensor<1x48xi64>
        %43 = tile.span_index %arg0 : !tile.span<64> -> tensor<64xi64>
        %44 = tile.expand %43 at [1] : tensor<64xi64> to tensor<64x1xi64>
        %45 = tile.splat %5 : i64 to tensor<64x1xi64>
        %46 = tile.add %44, %45 : tensor<64x1xi64>
        %47 = tile.broadcast %42 : tensor<1x48xi64> to tensor<64x48xi64>
        %48 = tile.broadcast %46 : tensor<64x1xi64> to tensor<64x48xi64>
        %49 = tile.cmp le, %47, %48 : tensor<64x48xi64>
        %50 = tile.keep_if %40, %49 over [0, 1] : tensor<64x48xf32>, tensor<64x48xi1>
        %51 = tile.reduce max %50 along 1 : tensor<64x48xf32> -> tensor<64xf32>
        %52 = tile.max %arg4, %51 : tensor<64xf32>
        %53 = tile.constant 0xFF800000 : f32 tensor<64xf32>
        %54 = tile.cmp eq, %52, %53 : tensor<64xf32>
        %55 = tile.constant 0.000000e+00 : f32 tensor<64xf32>
        %56 = tile.select %54, %55, %52 : tensor<64xf32>
        %57 = tile.expand %56 at [1] : tensor<64xf32> to tensor<64x1xf32>
        %58 = tile.broadcast %57 : tensor<64x1xf32> to tensor<64x48xf32>
        %59 = tile.sub %50, %58 : tensor<64x48xf32>
        %60 = tile.exp2 %59 {accuracy = #tile.accuracy<fast>} : tensor<64x48xf32>
        %61 = tile.sub %arg4, %56 : tensor<64xf32>
        %62 = tile.exp2 %61 {accuracy = #tile.accuracy<fast>} : tensor<64xf32>
        %63 = tile.mul %arg5, %62 : tensor<64xf32>
        %64 = tile.reduce sum %60 along 1 {order = #tile.reduce_order<any>} : tensor<64x48xf32> -> tensor<64xf32>
        %65 = tile.add %63, %64 : tensor<64xf32>
        %66 = tile.cast %60 : tensor<64x48xf32> to tensor<64x48xbf16>
        %67 = tile.load %v[%arg2, %4, %arg3, :] : !tile.view<?x?x?x128xbf16, in>, i64, i64, !tile.span<48> -> tensor<48x128xbf16>
        %68 = tile.expand %62 at [1] : tensor<64xf32> to tensor<64x1xf32>
        %69 = tile.broadcast %68 : tensor<64x1xf32> to tensor<64x128xf32>
        %70 = tile.mul %arg6, %69 : tensor<64x128xf32>
        %71 = tile.mma %66, %67, %70 : tensor<64x48xbf16>, tensor<48x128xbf16>, tensor<64x128xf32>
        tile.yield %52, %65, %71 : tensor<64xf32>, tensor<64xf32>, tensor<64x128xf32>
      }
      %15 = tile.constant 0.000000e+00 : f32 tensor<64xf32>
      %16 = tile.cmp eq, %14#1, %15 : tensor<64xf32>
      %17 = tile.constant 1.000000e+00 : f32 tensor<64xf32>
      %18 = tile.div %17, %14#1 : tensor<64xf32>
      %19 = tile.constant 0.000000e+00 : f32 tensor<64xf32>
      %20 = tile.select %16, %19, %18 : tensor<64xf32>
      %21 = tile.constant 0.000000e+00 : f32 tensor<64xf32>
      %22 = tile.cmp eq, %14#1, %21 : tensor<64xf32>
      %23 = tile.constant 0.693147182 : f32 tensor<64xf32> {tile.exact = 0.69314718055994529 : f64}
      %24 = tile.mul %14#0, %23 : tensor<64xf32>
      %25 = tile.log %14#1 : tensor<64xf32>
      %26 = tile.add %24, %25 : tensor<64xf32>
      %27 = tile.constant 0xFF800000 : f32 tensor<64xf32>
      %28 = tile.select %22, %27, %26 : tensor<64xf32>
      %29 = tile.expand %20 at [1] : tensor<64xf32> to tensor<64x1xf32>
      %30 = tile.broadcast %29 : tensor<64x1xf32> to tensor<64x128xf32>
      %31 = tile.mul %14#2, %30 : tensor<64x128xf32>
      %32 = tile.cast %31 : tensor<64x128xf32> to tensor<64x128xbf16>
      tile.store %32, %o[%arg2, %arg1, %arg0, :] : tensor<64x128xbf16>, !tile.view<?x?x?x128xbf16, out>, i64, i64, !tile.span<64>
      tile.store %28, %lse[%arg2, %arg1, %arg0] : tensor<64xf32>, !tile.view<?x?x?xf32, out>, i64, i64, !tile.span<64>
    }
  }
  reference ["s", "m", "p", "z", "g", "o", "lse"] {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.constant 0 : i64
    %3 = tile.constant 0 : i64
    %4 = tile.map (%arg0 in %0 to %B, %arg1 in %1 to %HQ, %arg2 in %2 to %SQ, %arg3 in %3 to %SK) -> tensor<?x?x?x?xf64> {
      %34 = tile.add %arg2, %SK : i64
      %35 = tile.sub %34, %SQ : i64
      %36 = tile.cmp gt, %arg3, %35 : i64
      %37 = scf.if %36 -> (f64) {
        %38 = tile.absent : f64
        scf.yield %38 : f64
      } else {
        %38 = tile.cast %scale : f32 to f64
        %39 = tile.constant 0 : i64
        %40 = tile.constant 128 : i64
        %41 = tile.fold sum %arg4 in (%39 to %40) -> f64 {
          %43 = tile.at %q[%arg0, %arg1, %arg2, %arg4] : !tile.view<?x?x?x128xbf16, in> -> bf16
          %44 = tile.cast %43 : bf16 to f64
          %45 = tile.floordiv %HQ, %HK : i64
          %46 = tile.floordiv %arg1, %45 : i64
          %47 = tile.at %k[%arg0, %46, %arg3, %arg4] : !tile.view<?x?x?x128xbf16, in> -> bf16
          %48 = tile.cast %47 : bf16 to f64
          %49 = tile.mul %44, %48 : f64
          tile.yield %49 : f64
        }
        %42 = tile.mul %38, %41 : f64
        scf.yield %42 : f64
      }
      tile.yield %37 : f64
    }
    %5 = tile.constant 0 : i64
    %6 = tile.constant 0 : i64
    %7 = tile.constant 0 : i64
    %8 = tile.map (%arg0 in %5 to %B, %arg1 in %6 to %HQ, %arg2 in %7 to %SQ) -> tensor<?x?x?xf64> {
      %34 = tile.constant 0 : i64
      %35 = tile.fold max %arg3 in (%34 to %SK) -> f64 {
        %36 = tile.at %4[%arg0, %arg1, %arg2, %arg3] : tensor<?x?x?x?xf64> -> f64
        tile.yield %36 : f64
      }
      tile.yield %35 : f64
    }
    %9 = tile.constant 0 : i64
    %10 = tile.constant 0 : i64
    %11 = tile.constant 0 : i64
    %12 = tile.constant 0 : i64
    %13 = tile.map (%arg0 in %9 to %B, %arg1 in %10 to %HQ, %arg2 in %11 to %SQ, %arg3 in %12 to %SK) -> tensor<?x?x?x?xf64> {
      %34 = tile.at %4[%arg0, %arg1, %arg2, %arg3] : tensor<?x?x?x?xf64> -> f64
      %35 = tile.at %8[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
      %36 = tile.constant 0xFFF0000000000000 : f64
      %37 = tile.cmp eq, %35, %36 : f64
      %38 = scf.if %37 -> (f64) {
        %41 = tile.constant 0.000000e+00 : f64
        scf.yield %41 : f64
      } else {
        %41 = tile.at %8[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
        scf.yield %41 : f64
      }
      %39 = tile.sub %34, %38 : f64
      %40 = tile.exp %39 : f64
      tile.yield %40 : f64
    }
    %14 = tile.constant 0 : i64
    %15 = tile.constant 0 : i64
    %16 = tile.constant 0 : i64
    %17 = tile.map (%arg0 in %14 to %B, %arg1 in %15 to %HQ, %arg2 in %16 to %SQ) -> tensor<?x?x?xf64> {
      %34 = tile.constant 0 : i64
      %35 = tile.fold sum %arg3 in (%34 to %SK) -> f64 {
        %36 = tile.at %13[%arg0, %arg1, %arg2, %arg3] : tensor<?x?x?x?xf64> -> f64
        tile.yield %36 : f64
      }
      tile.yield %35 : f64
    }
    %18 = tile.constant 0 : i64
    %19 = tile.constant 0 : i64
    %20 = tile.constant 0 : i64
    %21 = tile.constant 0 : i64
    %22 = tile.constant 128 : i64
    %23 = tile.map (%arg0 in %18 to %B, %arg1 in %19 to %HQ, %arg2 in %20 to %SQ, %arg3 in %21 to %22) -> tensor<?x?x?x?xf64> {
      %34 = tile.constant 0 : i64
      %35 = tile.fold sum %arg4 in (%34 to %SK) -> f64 {
        %38 = tile.at %13[%arg0, %arg1, %arg2, %arg4] : tensor<?x?x?x?xf64> -> f64
        %39 = tile.floordiv %HQ, %HK : i64
        %40 = tile.floordiv %arg1, %39 : i64
        %41 = tile.at %v[%arg0, %40, %arg4, %arg3] : !tile.view<?x?x?x128xbf16, in> -> bf16
        %42 = tile.cast %41 : bf16 to f64
        %43 = tile.abs %42 : f64
        %44 = tile.mul %38, %43 : f64
        tile.yield %44 : f64
      }
      %36 = tile.at %17[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
      %37 = tile.div %35, %36 : f64
      tile.yield %37 : f64
    }
    %24 = tile.constant 0 : i64
    %25 = tile.constant 0 : i64
    %26 = tile.constant 0 : i64
    %27 = tile.constant 0 : i64
    %28 = tile.constant 128 : i64
    %29 = tile.map (%arg0 in %24 to %B, %arg1 in %25 to %HQ, %arg2 in %26 to %SQ, %arg3 in %27 to %28) -> tensor<?x?x?x?xf64> {
      %34 = tile.at %17[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
      %35 = tile.constant 0.000000e+00 : f64
      %36 = tile.cmp eq, %34, %35 : f64
      %37 = scf.if %36 -> (f64) {
        %38 = tile.constant 0.000000e+00 : f64
        scf.yield %38 : f64
      } else {
        %38 = tile.constant 0 : i64
        %39 = tile.fold sum %arg4 in (%38 to %SK) -> f64 {
          %42 = tile.at %13[%arg0, %arg1, %arg2, %arg4] : tensor<?x?x?x?xf64> -> f64
          %43 = tile.floordiv %HQ, %HK : i64
          %44 = tile.floordiv %arg1, %43 : i64
          %45 = tile.at %v[%arg0, %44, %arg4, %arg3] : !tile.view<?x?x?x128xbf16, in> -> bf16
          %46 = tile.cast %45 : bf16 to f64
          %47 = tile.mul %42, %46 : f64
          tile.yield %47 : f64
        }
        %40 = tile.at %17[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
        %41 = tile.div %39, %40 : f64
        scf.yield %41 : f64
      }
      tile.yield %37 : f64
    }
    %30 = tile.constant 0 : i64
    %31 = tile.constant 0 : i64
    %32 = tile.constant 0 : i64
    %33 = tile.map (%arg0 in %30 to %B, %arg1 in %31 to %HQ, %arg2 in %32 to %SQ) -> tensor<?x?x?xf64> {
      %34 = tile.at %17[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
      %35 = tile.constant 0.000000e+00 : f64
      %36 = tile.cmp eq, %34, %35 : f64
      %37 = scf.if %36 -> (f64) {
        %38 = tile.constant 0xFFF0000000000000 : f64
        scf.yield %38 : f64
      } else {
        %38 = tile.at %8[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
        %39 = tile.at %17[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
        %40 = tile.log %39 : f64
        %41 = tile.add %38, %40 : f64
        scf.yield %41 : f64
      }
      tile.yield %37 : f64
    }
    tile.yield %4, %8, %13, %17, %23, %29, %33 : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
  }
  tolerance ["o", "lse"] (%s: tensor<?x?x?x?xf64>, %m: tensor<?x?x?xf64>, %p: tensor<?x?x?x?xf64>, %z: tensor<?x?x?xf64>, %g: tensor<?x?x?x?xf64>, %o_0: tensor<?x?x?x?xf64>, %lse_1: tensor<?x?x?xf64>) {
    %0 = tile.constant 0 : i64
    %1 = tile.constant 0 : i64
    %2 = tile.constant 0 : i64
    %3 = tile.constant 0 : i64
    %4 = tile.constant 128 : i64
    %5 = tile.map (%arg0 in %0 to %B, %arg1 in %1 to %HQ, %arg2 in %2 to %SQ, %arg3 in %3 to %4) -> tensor<?x?x?x?xf64> {
      %10 = tile.at %z[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
      %11 = tile.constant 0.000000e+00 : f64
      %12 = tile.cmp eq, %10, %11 : f64
      %13 = scf.if %12 -> (f64) {
        %16 = tile.constant 0.000000e+00 : f64
        scf.yield %16 : f64
      } else {
        %16 = tile.at %g[%arg0, %arg1, %arg2, %arg3] : tensor<?x?x?x?xf64> -> f64
        scf.yield %16 : f64
      }
      %14 = tile.constant 7.812500e-03 : f64
      %15 = tile.mul %14, %13 : f64
      tile.yield %15 : f64
    }
    %6 = tile.constant 0 : i64
    %7 = tile.constant 0 : i64
    %8 = tile.constant 0 : i64
    %9 = tile.map (%arg0 in %6 to %B, %arg1 in %7 to %HQ, %arg2 in %8 to %SQ) -> tensor<?x?x?xf64> {
      %10 = tile.at %lse_1[%arg0, %arg1, %arg2] : tensor<?x?x?xf64> -> f64
      %11 = tile.abs %10 : f64
      %12 = tile.constant 1.000000e+00 : f64
      %13 = tile.add %12, %11 : f64
      %14 = tile.constant 1.52587890625E-5 : f64
      %15 = tile.mul %14, %13 : f64
      tile.yield %15 : f64
    }
    tile.yield %5, %9 : tensor<?x?x?x?xf64>, tensor<?x?x?xf64>
  }
}

