// Reductions, scans, selection, products: the text, and the generic form.
// RUN: tile-opt %s --verify-roundtrip | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: @reductions
func.func @reductions(%x: tensor<4x8xbf16>, %u: tensor<8xui8>, %b: tensor<4x8xi1>) {
  // CHECK-NEXT: tile.reduce sum %{{.*}} along 1 : tensor<4x8xbf16> -> tensor<4xf32>
  // GENERIC:    "tile.reduce"(%{{.*}}) <{axis = 1 : i64, kind = #tile.reduce_kind<sum>
  %0 = tile.reduce sum %x along 1 : tensor<4x8xbf16> -> tensor<4xf32>
  // CHECK-NEXT: tile.reduce prod %{{.*}} along 0 {order = #tile.reduce_order<any>} : tensor<4x8xbf16> -> tensor<8xf32>
  %1 = tile.reduce prod %x along 0 {order = #tile.reduce_order<any>} : tensor<4x8xbf16> -> tensor<8xf32>
  // CHECK-NEXT: tile.reduce max_num %{{.*}} along 1 : tensor<4x8xbf16> -> tensor<4xbf16>
  %2 = tile.reduce max_num %x along 1 : tensor<4x8xbf16> -> tensor<4xbf16>
  // CHECK-NEXT: tile.reduce sum %{{.*}} along 0 : tensor<8xui8> -> ui32
  %3 = tile.reduce sum %u along 0 : tensor<8xui8> -> ui32
  // CHECK-NEXT: tile.reduce xor %{{.*}} along 0 : tensor<8xui8> -> ui8
  // GENERIC:    kind = #tile.reduce_kind<xor>
  %4 = tile.reduce xor %u along 0 : tensor<8xui8> -> ui8
  // CHECK-NEXT: tile.reduce count %{{.*}} along 1 : tensor<4x8xi1> -> tensor<4xi64>
  %5 = tile.reduce count %b along 1 : tensor<4x8xi1> -> tensor<4xi64>
  // CHECK-NEXT: tile.reduce and %{{.*}} along 1 : tensor<4x8xi1> -> tensor<4xi1>
  %6 = tile.reduce and %b along 1 : tensor<4x8xi1> -> tensor<4xi1>
  return
}

// CHECK-LABEL: @regions
func.func @regions(%x: tensor<4x8xf32>, %z: f32) {
  // CHECK-NEXT: tile.reduce_with %{{.*}}, %{{.*}} along 1 : tensor<4x8xf32>, f32 -> tensor<4xf32> {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
  // CHECK-NEXT:   %[[M:.*]] = tile.max %[[A]], %[[B]] : f32
  // CHECK-NEXT:   tile.yield %[[M]] : f32
  // CHECK-NEXT: }
  %0 = tile.reduce_with %x, %z along 1 : tensor<4x8xf32>, f32 -> tensor<4xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = tile.max %a, %b : f32
    tile.yield %m : f32
  }
  // CHECK-NEXT: tile.scan_with %{{.*}}, %{{.*}} along 0 {exclusive, reverse} : tensor<4x8xf32>, f32 -> tensor<4x8xf32> {
  %1 = tile.scan_with %x, %z along 0 {exclusive, reverse} : tensor<4x8xf32>, f32 -> tensor<4x8xf32> {
  ^bb0(%a: f32, %b: f32):
    %m = tile.max %a, %b : f32
    tile.yield %m : f32
  }
  return
}

// CHECK-LABEL: @others
func.func @others(%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %seed: ui64, %n: i64) {
  // CHECK-NEXT: %{{.*}}, %{{.*}} = tile.argmax %{{.*}} along 1 : tensor<4x8xf32> -> tensor<4xf32>, tensor<4xi64>
  %0:2 = tile.argmax %x along 1 : tensor<4x8xf32> -> tensor<4xf32>, tensor<4xi64>
  // CHECK-NEXT: %{{.*}}, %{{.*}} = tile.argmin %{{.*}} along 0 : tensor<4x8xi32> -> tensor<8xi32>, tensor<8xi64>
  %1:2 = tile.argmin %i along 0 : tensor<4x8xi32> -> tensor<8xi32>, tensor<8xi64>
  // CHECK-NEXT: tile.scan sum %{{.*}} along 1 {reverse} : tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = tile.scan sum %x along 1 {reverse} : tensor<4x8xf32> -> tensor<4x8xf32>
  // CHECK-NEXT: %{{.*}}, %{{.*}} = tile.topk 3 of %{{.*}} along 1 : tensor<4x8xf32> -> tensor<4x3xf32>, tensor<4x3xi64>
  %3:2 = tile.topk 3 of %x along 1 : tensor<4x8xf32> -> tensor<4x3xf32>, tensor<4x3xi64>
  // CHECK-NEXT: tile.histogram %{{.*}} : tensor<4x8xi32> -> tensor<16xi64>
  %4 = tile.histogram %i : tensor<4x8xi32> -> tensor<16xi64>
  // CHECK-NEXT: %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} = tile.philox %{{.*}}, %{{.*}}, %{{.*}} : i64 -> ui32
  %5:4 = tile.philox %seed, %seed, %n : i64 -> ui32
  return
}

// CHECK-LABEL: @products
func.func @products(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>, %i: tensor<4x8xui8>, %j: tensor<8x2xui8>, %k: tensor<4x2xi32>) {
  // CHECK-NEXT: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x2xf32>, tensor<4x2xf32>
  %0 = tile.mma %a, %b, %c : tensor<4x8xf32>, tensor<8x2xf32>, tensor<4x2xf32>
  // CHECK-NEXT: tile.mma %{{.*}}, %{{.*}}, %{{.*}} {precision = #tile.mma_precision<tf32x3>} : tensor<4x8xf32>
  %1 = tile.mma %a, %b, %c {precision = #tile.mma_precision<tf32x3>} : tensor<4x8xf32>, tensor<8x2xf32>, tensor<4x2xf32>
  // CHECK-NEXT: tile.mma %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xui8>, tensor<8x2xui8>, tensor<4x2xi32>
  %2 = tile.mma %i, %j, %k : tensor<4x8xui8>, tensor<8x2xui8>, tensor<4x2xi32>
  return
}
