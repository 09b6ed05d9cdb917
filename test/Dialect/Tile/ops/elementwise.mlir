// Every row of the elementwise table and the elementwise ops beside it: the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @rows
func.func @rows(%f: tensor<8xbf16>, %n: tensor<8xf32>, %i: tensor<8xui16>, %b: tensor<8xi1>) {
  // CHECK-NEXT: tile.abs %{{.*}} : tensor<8xf32>
  %0 = tile.abs %n : tensor<8xf32>
  // CHECK-NEXT: tile.add %{{.*}}, %{{.*}} : tensor<8xf32>
  %1 = tile.add %n, %n : tensor<8xf32>
  // CHECK-NEXT: tile.and %{{.*}}, %{{.*}} : tensor<8xi1>
  %2 = tile.and %b, %b : tensor<8xi1>
  // CHECK-NEXT: tile.brev %{{.*}} : tensor<8xui16>
  %3 = tile.brev %i : tensor<8xui16>
  // CHECK-NEXT: tile.ceil %{{.*}} : tensor<8xbf16>
  %4 = tile.ceil %f : tensor<8xbf16>
  // CHECK-NEXT: tile.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<8xf32>
  %5 = tile.clamp %n, %n, %n : tensor<8xf32>
  // CHECK-NEXT: tile.clz %{{.*}} : tensor<8xui16>
  %6 = tile.clz %i : tensor<8xui16>
  // CHECK-NEXT: tile.copysign %{{.*}}, %{{.*}} : tensor<8xbf16>
  %7 = tile.copysign %f, %f : tensor<8xbf16>
  // CHECK-NEXT: tile.cos %{{.*}} : tensor<8xbf16>
  %8 = tile.cos %f : tensor<8xbf16>
  // CHECK-NEXT: tile.ctz %{{.*}} : tensor<8xui16>
  %9 = tile.ctz %i : tensor<8xui16>
  // CHECK-NEXT: tile.div %{{.*}}, %{{.*}} : tensor<8xbf16>
  %10 = tile.div %f, %f : tensor<8xbf16>
  // CHECK-NEXT: tile.div_trunc %{{.*}}, %{{.*}} : tensor<8xui16>
  %11 = tile.div_trunc %i, %i : tensor<8xui16>
  // CHECK-NEXT: tile.erf %{{.*}} : tensor<8xbf16>
  %12 = tile.erf %f : tensor<8xbf16>
  // CHECK-NEXT: tile.erfc %{{.*}} : tensor<8xbf16>
  %13 = tile.erfc %f : tensor<8xbf16>
  // CHECK-NEXT: tile.exp %{{.*}} : tensor<8xbf16>
  %14 = tile.exp %f : tensor<8xbf16>
  // CHECK-NEXT: tile.exp2 %{{.*}} : tensor<8xbf16>
  %15 = tile.exp2 %f : tensor<8xbf16>
  // CHECK-NEXT: tile.expm1 %{{.*}} : tensor<8xbf16>
  %16 = tile.expm1 %f : tensor<8xbf16>
  // CHECK-NEXT: tile.floor %{{.*}} : tensor<8xbf16>
  %17 = tile.floor %f : tensor<8xbf16>
  // CHECK-NEXT: tile.floordiv %{{.*}}, %{{.*}} : tensor<8xui16>
  %18 = tile.floordiv %i, %i : tensor<8xui16>
  // CHECK-NEXT: tile.fma %{{.*}}, %{{.*}}, %{{.*}} : tensor<8xbf16>
  %19 = tile.fma %f, %f, %f : tensor<8xbf16>
  // CHECK-NEXT: tile.isfinite %{{.*}} : tensor<8xbf16>
  %20 = tile.isfinite %f : tensor<8xbf16>
  // CHECK-NEXT: tile.isinf %{{.*}} : tensor<8xbf16>
  %21 = tile.isinf %f : tensor<8xbf16>
  // CHECK-NEXT: tile.isnan %{{.*}} : tensor<8xbf16>
  %22 = tile.isnan %f : tensor<8xbf16>
  // CHECK-NEXT: tile.log %{{.*}} : tensor<8xbf16>
  %23 = tile.log %f : tensor<8xbf16>
  // CHECK-NEXT: tile.log1p %{{.*}} : tensor<8xbf16>
  %24 = tile.log1p %f : tensor<8xbf16>
  // CHECK-NEXT: tile.log2 %{{.*}} : tensor<8xbf16>
  %25 = tile.log2 %f : tensor<8xbf16>
  // CHECK-NEXT: tile.max %{{.*}}, %{{.*}} : tensor<8xf32>
  %26 = tile.max %n, %n : tensor<8xf32>
  // CHECK-NEXT: tile.max_num %{{.*}}, %{{.*}} : tensor<8xbf16>
  %27 = tile.max_num %f, %f : tensor<8xbf16>
  // CHECK-NEXT: tile.min %{{.*}}, %{{.*}} : tensor<8xf32>
  %28 = tile.min %n, %n : tensor<8xf32>
  // CHECK-NEXT: tile.min_num %{{.*}}, %{{.*}} : tensor<8xbf16>
  %29 = tile.min_num %f, %f : tensor<8xbf16>
  // CHECK-NEXT: tile.mod %{{.*}}, %{{.*}} : tensor<8xui16>
  %30 = tile.mod %i, %i : tensor<8xui16>
  // CHECK-NEXT: tile.mul %{{.*}}, %{{.*}} : tensor<8xf32>
  %31 = tile.mul %n, %n : tensor<8xf32>
  // CHECK-NEXT: tile.mulhi %{{.*}}, %{{.*}} : tensor<8xui16>
  %32 = tile.mulhi %i, %i : tensor<8xui16>
  // CHECK-NEXT: tile.neg %{{.*}} : tensor<8xf32>
  %33 = tile.neg %n : tensor<8xf32>
  // CHECK-NEXT: tile.not %{{.*}} : tensor<8xi1>
  %34 = tile.not %b : tensor<8xi1>
  // CHECK-NEXT: tile.or %{{.*}}, %{{.*}} : tensor<8xi1>
  %35 = tile.or %b, %b : tensor<8xi1>
  // CHECK-NEXT: tile.popcount %{{.*}} : tensor<8xui16>
  %36 = tile.popcount %i : tensor<8xui16>
  // CHECK-NEXT: tile.pow %{{.*}}, %{{.*}} : tensor<8xbf16>
  %37 = tile.pow %f, %f : tensor<8xbf16>
  // CHECK-NEXT: tile.rcp %{{.*}} : tensor<8xbf16>
  %38 = tile.rcp %f : tensor<8xbf16>
  // CHECK-NEXT: tile.rem_trunc %{{.*}}, %{{.*}} : tensor<8xui16>
  %39 = tile.rem_trunc %i, %i : tensor<8xui16>
  // CHECK-NEXT: tile.round_away %{{.*}} : tensor<8xbf16>
  %40 = tile.round_away %f : tensor<8xbf16>
  // CHECK-NEXT: tile.round_even %{{.*}} : tensor<8xbf16>
  %41 = tile.round_even %f : tensor<8xbf16>
  // CHECK-NEXT: tile.rsqrt %{{.*}} : tensor<8xbf16>
  %42 = tile.rsqrt %f : tensor<8xbf16>
  // CHECK-NEXT: tile.shl %{{.*}}, %{{.*}} : tensor<8xui16>
  %43 = tile.shl %i, %i : tensor<8xui16>
  // CHECK-NEXT: tile.shr %{{.*}}, %{{.*}} : tensor<8xui16>
  %44 = tile.shr %i, %i : tensor<8xui16>
  // CHECK-NEXT: tile.sign %{{.*}} : tensor<8xf32>
  %45 = tile.sign %n : tensor<8xf32>
  // CHECK-NEXT: tile.sin %{{.*}} : tensor<8xbf16>
  %46 = tile.sin %f : tensor<8xbf16>
  // CHECK-NEXT: tile.sqrt %{{.*}} : tensor<8xbf16>
  %47 = tile.sqrt %f : tensor<8xbf16>
  // CHECK-NEXT: tile.sub %{{.*}}, %{{.*}} : tensor<8xf32>
  %48 = tile.sub %n, %n : tensor<8xf32>
  // CHECK-NEXT: tile.tan %{{.*}} : tensor<8xbf16>
  %49 = tile.tan %f : tensor<8xbf16>
  // CHECK-NEXT: tile.tanh %{{.*}} : tensor<8xbf16>
  %50 = tile.tanh %f : tensor<8xbf16>
  // CHECK-NEXT: tile.trunc %{{.*}} : tensor<8xbf16>
  %51 = tile.trunc %f : tensor<8xbf16>
  // CHECK-NEXT: tile.xor %{{.*}}, %{{.*}} : tensor<8xi1>
  %52 = tile.xor %b, %b : tensor<8xi1>
  return
}

// CHECK-LABEL: @scalars
func.func @scalars(%x: f64, %b: i1) {
  // CHECK-NEXT: tile.exp %{{.*}} {accuracy = #tile.accuracy<fast>} : f64
  %0 = tile.exp %x {accuracy = #tile.accuracy<fast>} : f64
  // The default is not written.
  // CHECK-NEXT: tile.exp %{{.*}} : f64
  %1 = tile.exp %x {accuracy = #tile.accuracy<strict>} : f64
  // CHECK-NEXT: tile.isnan %{{.*}} : f64
  // GENERIC:    "tile.isnan"(%{{.*}}) : (f64) -> i1
  %2 = tile.isnan %x : f64
  // CHECK-NEXT: tile.not %{{.*}} : i1
  %3 = tile.not %b : i1
  return
}

// CHECK-LABEL: @others
func.func @others(%x: tensor<8xf32>, %c: tensor<8xi1>, %h: tensor<8xf8E5M2>, %s: i64) {
  // CHECK-NEXT: tile.cmp ge, %{{.*}}, %{{.*}} : tensor<8xf32>
  // GENERIC:    "tile.cmp"(%{{.*}}) <{predicate = #tile.cmp_predicate<ge>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %0 = tile.cmp ge, %x, %x : tensor<8xf32>
  // CHECK-NEXT: tile.cmp eq, %{{.*}}, %{{.*}} : tensor<8xf8E5M2>
  %1 = tile.cmp eq, %h, %h : tensor<8xf8E5M2>
  // CHECK-NEXT: tile.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<8xf32>
  %2 = tile.select %c, %x, %x : tensor<8xf32>
  // CHECK-NEXT: %[[B:.*]] = tile.bits %{{.*}} : tensor<8xf8E5M2>
  // GENERIC:    "tile.bits"(%{{.*}}) : (tensor<8xf8E5M2>) -> tensor<8xui8>
  %3 = tile.bits %h : tensor<8xf8E5M2>
  // CHECK-NEXT: tile.from_bits %[[B]] : tensor<8xui8> to tensor<8xi8>
  %4 = tile.from_bits %3 : tensor<8xui8> to tensor<8xi8>
  // CHECK-NEXT: tile.cast %{{.*}} : tensor<8xf32> to tensor<8xf64>
  %5 = tile.cast %x : tensor<8xf32> to tensor<8xf64>
  // CHECK-NEXT: tile.cast %{{.*}} {overflow = #tile.overflow<sat>, round = #tile.round<ru>} : tensor<8xf32> to tensor<8xf8E4M3FN>
  %6 = tile.cast %x {overflow = #tile.overflow<sat>, round = #tile.round<ru>} : tensor<8xf32> to tensor<8xf8E4M3FN>
  // CHECK-NEXT: tile.cast %{{.*}} {overflow = #tile.overflow<wrap>} : i64 to ui8
  %7 = tile.cast %s {overflow = #tile.overflow<wrap>} : i64 to ui8
  // CHECK-NEXT: tile.cast %{{.*}} : i64 to i1
  %8 = tile.cast %s : i64 to i1
  return
}
